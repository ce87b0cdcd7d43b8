// Kubernetes' costs of cel-go functions, by function name (spec/cel.md 18.4).

#include "cel/lib/costs.h"
#include "cel/lib/libraries.h"

namespace portcullis::cel {
namespace {

constexpr FunctionCost kCosts[] = {
    {"indexOf", costs::Traversal},     {"lastIndexOf", costs::Traversal},
    {"lowerAscii", costs::FirstTenth}, {"upperAscii", costs::FirstTenth},
    {"substring", costs::FirstTenth},  {"trim", costs::FirstTenth},
    {"replace", costs::FirstFifth},    {"split", costs::FirstFifth},
    {"join", costs::ResultFifth},
};

constexpr Library kLibrary{"kubernetes.costs", {}, kCosts};

}  // namespace

const Library& KubernetesCosts() { return kLibrary; }

}  // namespace portcullis::cel
