#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_EVALUATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_EVALUATE_H_

// The steps that the evaluations of all kinds share: matching, exceptions, annotations, and the row
// of a report (spec/kyverno-cel-policies.md 2.2, 2.7 to 2.11, 2.15, 8.4). Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exceptions/grant.h"
#include "policy/context.h"
#include "policy/kyverno_cel/activation.h"
#include "policy/kyverno_cel/policy.h"
#include "policy/verdict.h"

namespace portcullis::policy::kyverno_cel {

// What one policy says about one request.
struct Evaluation {
  bool matched = false;  // false: nothing
  Outcome outcome = Outcome::kPass;
  std::string rule;  // as Kyverno names it: "", "match", "evaluation", "exception"
  std::string message;
  std::string path;  // the deciding member of the policy, if one did
  std::string expression;
  std::string resource_path;  // the deciding member of the resource, when it was asked for
  std::string value;
  std::vector<std::pair<std::string, std::string>> properties;
  std::vector<std::string> exceptions;  // that granted
  std::vector<std::string> withheld;    // why others did not

  void Set(Outcome the_outcome, std::string_view the_rule, std::string the_message) {
    matched = true;
    outcome = the_outcome;
    rule = the_rule;
    message = std::move(the_message);
  }
};

// The policy itself or the variant of it that is about the request; null when none is. With
// `out.matched` matching failed, and `out` says so.
const PolicyCommon* Applicable(const PolicyCommon& policy, RequestContext& context,
                               Evaluation& out);

// What the exceptions of the policy grant; what the row tells of them goes to `out`.
exceptions::Grants GrantsOf(const PolicyCommon& policy, bool controls, bool partial,
                            Activation& activation, RequestContext& context, Evaluation& out);
// The result of a policy that a full grant keeps from being evaluated.
void Exempt(const exceptions::Grants& grants, Evaluation& out);

// Which member of the object made an expression fail, or be false, where the request asks for it.
void Blame(const Expression& expression, Activation& activation, RequestContext& context,
           Evaluation& out);

// The audit annotations become properties of the result. False and `error` when one fails.
bool Annotate(const PolicyCommon& policy, Activation& activation, RequestContext& context,
              char quote, Evaluation& out, std::string& error);

// Adds the row, if rows are wanted.
void AddRow(const PolicyCommon& policy, const PolicyInfo& info, Evaluation evaluation,
            Verdict& verdict);

// The properties of every policy of a set that are the same for all kinds.
IndexEntry IndexEntryOf(const PolicyCommon& policy);

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_EVALUATE_H_
