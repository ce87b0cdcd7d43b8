#ifndef PORTCULLIS_CEL_K8S_LIBRARIES_H_
#define PORTCULLIS_CEL_K8S_LIBRARIES_H_

// The function libraries of Kubernetes (spec/cel.md 16): constant tables for Env::AddLibrary, and
// the values that admission binds to `authorizer`. Tables are immutable and live forever.

#include <string_view>

#include "base/arena.h"
#include "cel/check/library.h"
#include "doc/value.h"

namespace portcullis::cel {

// version 0: isSorted, sum, min, max, indexOf, lastIndexOf; 1 adds includes (1.37).
const Library& KubernetesListsLibrary(int version);
const Library& KubernetesRegexLibrary();
const Library& KubernetesUrlsLibrary();
const Library& KubernetesIpLibrary();
const Library& KubernetesCidrLibrary();
const Library& KubernetesQuantityLibrary();
const Library& KubernetesSemverLibrary();
const Library& KubernetesFormatLibrary();
const Library& KubernetesAuthzLibrary();
const Library& KubernetesAuthzSelectorsLibrary();
const Library& KubernetesJsonPatchLibrary();  // jsonpatch.escapeKey

// The variable `authorizer`: asks EvalHost::authorizer() about EvalHost::user().
doc::Value MakeAuthorizer(base::Arena& arena);

// The variable `authorizer.requestResource`. The texts are copied into `arena`.
doc::Value MakeRequestResource(base::Arena& arena, std::string_view group,
                               std::string_view resource, std::string_view subresource,
                               std::string_view ns, std::string_view name);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_K8S_LIBRARIES_H_
