#ifndef PORTCULLIS_PROVIDER_PROVIDERS_H_
#define PORTCULLIS_PROVIDER_PROVIDERS_H_

// Everything evaluation may ask of the outside, in one value. A null member means that nothing of
// the sort exists (no Namespace is known, every check has no opinion). Members are borrowed.

#include "provider/authorizer.h"
#include "provider/clock.h"
#include "provider/image_verifier.h"
#include "provider/kyverno_context.h"
#include "provider/namespaces.h"
#include "provider/params.h"

namespace portcullis::provider {

struct Providers {
  const Namespaces* namespaces = nullptr;
  const Params* params = nullptr;
  Authorizer* authorizer = nullptr;
  const Clock* clock = nullptr;
  const ImageVerifier* images = nullptr;    // null: registries cannot be asked
  const KyvernoContext* kyverno = nullptr;  // the look-ups of Kyverno's CEL libraries
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_PROVIDERS_H_
