#ifndef PORTCULLIS_CLI_TEST_RESPONSES_H_
#define PORTCULLIS_CLI_TEST_RESPONSES_H_

// Rows of the engine as the responses that the test command compares: one per policy and rule, with
// Kyverno's names of rules (spec/cli-and-server.md 2.11, 2.16). Pure.

#include <string>
#include <vector>

#include "engine/offline.h"
#include "input/document.h"
#include "testfile/responses.h"

namespace portcullis::cli {

// Policies, not bindings or exceptions.
bool IsPolicyKind(const input::Document& document);
// Whether a policy that does not match a resource still has a response for it (then the expectation
// is `Excluded`), or none (then it is `Not found`).
bool RecordsEmpty(const input::Document& policy);
// A validating policy that can only pass.
bool LacksValidations(const input::Document& policy);

class ResponseBuilder {
 public:
  // `result` is borrowed.
  ResponseBuilder(const engine::OfflineResult& result, std::string trigger);

  std::vector<testfile::Response> Take();
  // Objects that policies changed beside the resource itself, with the response that did it.
  void AddTargets(std::vector<testfile::Subject>& targets) const;

 private:
  testfile::Response& ResponseOf(const policy::PolicyInfo& info);
  void AddRow(const policy::ResultRow& row);

  const engine::OfflineResult& result_;
  std::string trigger_;
  std::vector<testfile::Response> responses_;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_TEST_RESPONSES_H_
