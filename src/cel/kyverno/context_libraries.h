#ifndef PORTCULLIS_CEL_KYVERNO_CONTEXT_LIBRARIES_H_
#define PORTCULLIS_CEL_KYVERNO_CONTEXT_LIBRARIES_H_

// The variables `resource`, `http`, `globalContext`, `image` and `generator` of Kyverno's CEL
// policies and their functions (spec/kyverno-cel-policies.md 10.1 to 10.4, 10.15). Functions ask
// EvalHost::kyverno(); generated objects go to EvalHost::AddGenerated. All of them are calls into
// the outside: none is folded or called ahead of its turn. Tables are immutable and live forever.

#include <string_view>

#include "base/arena.h"
#include "cel/check/library.h"
#include "doc/value.h"

namespace portcullis::cel {

class Env;

struct KyvernoContextOptions {
  bool namespaced = false;  // a policy in a namespace: resource.* takes no namespace argument
  bool generator = false;   // GeneratingPolicy
};

// Declares the libraries and their variables in an environment.
void AddKyvernoContexts(Env& env, const KyvernoContextOptions& options);

// The value of one of these variables for a policy in `policy_namespace` (empty: a cluster policy,
// whose functions are not restricted). False when `name` is none of them. The text is borrowed.
bool KyvernoContextValue(std::string_view name, std::string_view policy_namespace,
                         base::Arena& arena, doc::Value& out);

const Library& KyvernoResourceLibrary(bool namespaced);
const Library& KyvernoHttpLibrary();
const Library& KyvernoGlobalContextLibrary();
const Library& KyvernoImageDataLibrary();
const Library& KyvernoGeneratorLibrary(bool namespaced);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_CONTEXT_LIBRARIES_H_
