#ifndef PORTCULLIS_EMBED_IMPL_H_
#define PORTCULLIS_EMBED_IMPL_H_

// What stands behind portcullis::PolicySet: the engine's set and the objects that policies may look
// up. Immutable once built.

#include <memory>
#include <vector>

#include "base/arena.h"
#include "engine/offline_providers.h"
#include "engine/policy_set.h"
#include "engine/rbac_authorizer.h"
#include "portcullis/portcullis.h"
#include "provider/providers.h"
#include "schema/type_table.h"

namespace portcullis {

struct PolicySet::Impl {
  base::Arena arena;  // documents of the set
  std::vector<Problem> problems;
  std::shared_ptr<const engine::PolicySet> set;
  schema::TypeTable types;
  engine::DocumentNamespaces namespaces{false};
  engine::DocumentParams params{true};
  // Authorize() changes nothing; the interface is not const because other authorizers ask a server.
  mutable engine::RbacAuthorizer rbac;

  provider::Providers Providers() const {
    provider::Providers out;
    out.namespaces = &namespaces;
    out.params = &params;
    out.authorizer = &rbac;
    return out;
  }
};

}  // namespace portcullis

#endif  // PORTCULLIS_EMBED_IMPL_H_
