#ifndef PORTCULLIS_POLICY_ADMISSION_EXPRESSION_H_
#define PORTCULLIS_POLICY_ADMISSION_EXPRESSION_H_

// CEL expressions of native policies: compiling them in the environment of their place
// (spec/kubernetes-admission.md 5.1, 5.2; spec/cel.md 1.4), and `spec.variables` (2.10).
// Expressions are immutable after loading.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/check/env.h"
#include "cel/check/type.h"
#include "cel/eval/program.h"
#include "doc/value.h"
#include "policy/admission/field_error.h"

namespace portcullis::policy {

struct Expression {
  std::string source;
  std::shared_ptr<const cel::Program> program;  // null: does not compile
  std::string error;            // "compilation failed: ..." or "must evaluate to ...", if so
  bool internal_error = false;  // found when planning: an `Internal error` of the API
};

struct NamedExpression {
  std::string name;
  Expression expression;
};

// Where an expression stands decides what it may name.
enum class Place : std::uint8_t {
  kMatchCondition,  // no `variables`
  kVariable,        // the variables declared so far
  kValidation,      // all variables
  kMessage,         // no authorizer
  kAuditAnnotation,
  kMutation,  // also Object..., JSONPatch, jsonpatch.escapeKey
};

// The result types a place accepts; empty: any.
using AllowedTypes = std::span<const cel::Type* const>;
extern const AllowedTypes kBoolResult, kStringResult, kStringOrNullResult, kAnyResult,
    kObjectResult, kJsonPatchListResult;

// The compile-time scope of one policy. Lives only while the policy is loaded: the programs keep
// alive what they need.
class PolicyScope {
 public:
  explicit PolicyScope(bool has_params);
  ~PolicyScope();
  PolicyScope(const PolicyScope&) = delete;
  PolicyScope& operator=(const PolicyScope&) = delete;

  // Compiles `spec.variables` in order and declares each for the places that follow.
  // Problems are added to `errors` under `path`.
  std::vector<NamedExpression> DeclareVariables(const doc::Value& variables, std::string_view path,
                                                FieldErrors& errors);

  // Declares `variables` without members, as mutations see it where a policy has none.
  void DeclareNoVariables();

  Expression Compile(Place place, std::string_view source, AllowedTypes allowed);
  // Some places report problems of the expression without the white space around it.
  Expression CompileTrimmed(Place place, std::string_view source, AllowedTypes allowed);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// `spec.matchConditions` with their validation (names, number, bool results).
std::vector<NamedExpression> LoadMatchConditions(PolicyScope& scope, const doc::Value& conditions,
                                                 std::string_view path, FieldErrors& errors);

// Adds the field error of an expression that does not compile; `path` is the expression's.
void ReportExpression(const Expression& expression, std::string path, FieldErrors& errors);

// True if there is nothing but white space.
bool IsBlank(std::string_view text);
std::string_view TrimSpace(std::string_view text);  // as Go's strings.TrimSpace

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_ADMISSION_EXPRESSION_H_
