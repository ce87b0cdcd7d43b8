#ifndef PORTCULLIS_TESTFILE_RESPONSES_H_
#define PORTCULLIS_TESTFILE_RESPONSES_H_

// What evaluating the inputs of one Test gave, by object and policy: the side of the expectations
// that is real (spec/cli-and-server.md 2.10). Values are borrowed. Value types.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "doc/value.h"
#include "policy/verdict.h"

namespace portcullis::testfile {

// One rule of one policy on one object.
struct RuleResponse {
  std::string rule;  // as shown
  policy::Outcome outcome = policy::Outcome::kPass;
  std::string message;
  std::vector<std::string> exceptions;
  bool generates = false;
  std::vector<doc::Value> generated;
};

// One policy on one object. Without rules the policy was asked and had nothing to say.
struct Response {
  std::string policy, policy_ns, policy_kind;
  bool has_rules = false;  // the kind names its rules: `rule` of an expectation counts
  std::vector<RuleResponse> rules;
  doc::Value object;  // the object after the policy
};

// An object under test with everything that was said about it.
struct Subject {
  std::string api_version, kind, ns, name;
  bool payload = false;  // `name` is a payload's path
  std::vector<Response> responses;

  // "apps/v1/Deployment/default/web", "v1/Namespace//a", "/payload.json".
  std::string Key() const;
  bool SameObject(const Subject& other) const;
};

struct Evaluated {
  std::vector<Subject> triggers;
  std::vector<Subject> targets;  // of mutateExisting; `object` of the response is the new target
};

// By operation of an expectation; "" is the default run.
using Runs = std::map<std::string, Evaluated>;

// What is known about the policies of a Test beside their responses.
struct PolicyFact {
  std::string kind, ns, name;
  std::string problem;             // why it was not evaluated: empty if it was
  std::vector<std::string> rules;  // of kinds that name their rules
  bool has_rules = false;
  std::string vacuous;    // why it can only pass
  base::SourceSpan span;  // where it is written, if it is vacuous
};

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_RESPONSES_H_
