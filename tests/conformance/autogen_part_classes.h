#ifndef PORTCULLIS_TESTS_CONFORMANCE_AUTOGEN_PART_CLASSES_H_
#define PORTCULLIS_TESTS_CONFORMANCE_AUTOGEN_PART_CLASSES_H_

// Names what distinguishes two rewritings of one expression, token by token, so that rules in
// tests/differences.yaml can speak of kinds of differences and not of single cases.

#include <set>
#include <string>
#include <string_view>

namespace portcullis::conformance {

// Adds the kinds of all differences between `wanted` and `ours`, both made of `source`. False when
// some difference is of no known kind. `mutation`: the expression is one of a MutatingPolicy.
bool Classify(std::string_view source, std::string_view wanted, std::string_view ours,
              bool mutation, std::set<std::string>& kinds);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_AUTOGEN_PART_CLASSES_H_
