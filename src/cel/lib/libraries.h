#ifndef PORTCULLIS_CEL_LIB_LIBRARIES_H_
#define PORTCULLIS_CEL_LIB_LIBRARIES_H_

// The function libraries of cel-go and of Kyverno's environments that are no Kubernetes libraries
// (spec/cel.md 10-15, 20). Each is a constant table with static storage; add them to an Env with
// Env::AddLibrary. Kubernetes' own libraries are in cel/k8s.

#include "cel/check/library.h"

namespace portcullis::cel {

const Library& StandardLibrary();            // operators, size, conversions, strings, time getters
const Library& OptionalLibrary();            // optional types, latest version
const Library& StringsLibrary(int version);  // 0..5; higher is 5
const Library& ListsLibrary();               // version 3
const Library& SetsLibrary();
const Library& MathLibrary();           // version 2
const Library& EncodersLibrary();       // base64
const Library& RegexExtLibrary();       // regex.extract, extractAll, replace
const Library& TwoVarLibrary();         // cel.@mapInsert
const Library& BindingsLibrary();       // cel.@block and the name for cel.bind
const Library& NetworkExtLibrary();     // cidr.isMask; the rest is Kubernetes' IP library
const Library& OrValueCompatLibrary();  // Kyverno's __orValueCompat__
const Library& KyvernoMathLibrary();    // math.round(double, int)

// Kubernetes' costs of functions of the libraries above, by function name (spec/cel.md 18.4).
// It has no overloads.
const Library& KubernetesCosts();

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_LIBRARIES_H_
