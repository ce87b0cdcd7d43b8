#ifndef PORTCULLIS_TESTS_CONFORMANCE_APISERVER_CASE_H_
#define PORTCULLIS_TESTS_CONFORMANCE_APISERVER_CASE_H_

// One golden case of the API server: load the cluster and the policies, run the two phases of the
// request, compare what the case expects.

#include <string>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::conformance {

struct CaseResult {
  bool passed = false;
  std::string expected;
  std::string actual;

  static CaseResult Pass() { return {true, {}, {}}; }
  static CaseResult Fail(std::string expected, std::string actual) {
    return {false, std::move(expected), std::move(actual)};
  }
};

CaseResult RunApiServerCase(const doc::Value& test, base::Arena& arena);

// The area `defaulting`: a plain manifest as the two phases see it.
CaseResult RunDefaultingCase(const doc::Value& test, base::Arena& arena);

// Texts equal, but for what Go's libraries write behind certain prefixes.
bool SameText(std::string_view expected, std::string_view actual);
// A Status object (code, reason, message, details with causes).
bool SameStatus(const doc::Value& expected, const doc::Value& actual);

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_APISERVER_CASE_H_
