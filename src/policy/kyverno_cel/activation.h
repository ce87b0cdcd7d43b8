#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_ACTIVATION_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_ACTIVATION_H_

// What the expressions of one policy see on one request: object, oldObject, request,
// namespaceObject, and, once they are bound, exceptions and variables
// (spec/kyverno-cel-policies.md 2.3, 2.6). One per evaluation, used by one thread.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cel/eval/program.h"
#include "doc/value.h"
#include "policy/blame.h"
#include "policy/context.h"
#include "policy/kyverno_cel/policy.h"

namespace portcullis::policy::kyverno_cel {

class Activation final : public cel::Activation, public BlameSource {
 public:
  // Everything is borrowed.
  Activation(const PolicyCommon& policy, RequestContext& context);

  // Another value of a name, or a name that only this kind has. Names that were read keep their
  // value in expressions under way.
  void Bind(std::string_view name, const doc::Value& value);

  // A name that this kind declares and never binds.
  void Unbind(std::string_view name) { unbound_.push_back(name); }

  // What `request.object` shows from now on, whatever becomes of the object of the request.
  void KeepRequestObject(const doc::Value& object) { request_object_ = object; }

  void BindExceptions(std::span<const std::string> images,
                      std::span<const std::string> allowed_values);
  void BindVariables() { variables_bound_ = true; }

  bool Resolve(std::string_view name, doc::Value& out) override;
  // The value of a variable, computed at its first use. False: there is none.
  bool Variable(std::string_view name, doc::Value& out) override;

  cel::Activation& activation() override { return *this; }
  const cel::Program* VariableProgram(std::string_view name) const override;

  cel::EvalOptions options() const;

 private:
  // The variable of this name, plus one; 0: there is none.
  std::size_t FindVariable(std::string_view name) const;

  struct State {
    bool done = false;
    bool running = false;
    doc::Value value;
  };

  const PolicyCommon& policy_;
  RequestContext& context_;
  std::vector<std::pair<std::string_view, doc::Value>> bound_;
  std::vector<std::string_view> unbound_;
  bool variables_bound_ = false;
  bool exceptions_bound_ = false;
  doc::Value exceptions_;
  std::optional<doc::Value> request_object_;
  doc::Value request_;       // null: not made yet
  State* states_ = nullptr;  // one per variable, in the arena
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_ACTIVATION_H_
