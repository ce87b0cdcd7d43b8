#include "policy/admission/evaluator.h"

#include <algorithm>
#include <vector>

#include "cel/k8s/libraries.h"

namespace portcullis::policy {
namespace {

// The lazy `variables` object.
struct VariablesRep : doc::HostRep {
  Evaluator* evaluator;
};

bool GetVariable(cel::CallContext& /*context*/, const doc::Value& self, std::string_view field,
                 doc::Value& out) {
  return static_cast<const VariablesRep*>(self.host())->evaluator->Variable(field, out);
}

const cel::Type kVariablesType{cel::TypeKind::kStruct, "kubernetes.variables", {}};

const cel::CelHostType& VariablesHostType() {
  static const cel::CelHostType kType = [] {
    cel::CelHostType type;
    type.name = "kubernetes.variables";
    type.get = GetVariable;
    type.type_value = &kVariablesType;
    return type;
  }();
  return kType;
}

// The API server un-escapes the names it looks up, so a name with a `__word__` inside is never
// found, but for the escape of two underscores.
bool IsEscapedName(std::string_view name) {
  const std::size_t open = name.find("__");
  if (open == std::string_view::npos) return false;
  const std::size_t close = name.find("__", open + 3);
  return close != std::string_view::npos;
}

doc::Value ErrorValue(base::Arena& arena, std::string_view prefix, std::string_view name,
                      std::string_view verb, std::string_view message) {
  std::string text(prefix);
  text += name;
  text += verb;
  text += message;
  return doc::Value::Error(arena.New<doc::ErrorRep>(arena.CopyString(text)));
}

// As the API server joins errors: equal ones are said once.
std::string JoinErrors(const std::vector<std::string>& errors) {
  std::vector<std::string_view> seen;
  std::string out;
  for (const std::string& error : errors) {
    if (std::find(seen.begin(), seen.end(), error) != seen.end()) continue;
    seen.push_back(error);
    out += (out.empty() ? "" : ", ") + error;
  }
  return seen.size() == 1 ? out : "[" + out + "]";
}

}  // namespace

Evaluator::Evaluator(const PolicyCore& policy, const Invocation& invocation,
                     const MatchedView& view, RequestContext& context, const Bindings& bindings,
                     std::uint64_t budget)
    : policy_(policy),
      invocation_(invocation),
      view_(view),
      context_(context),
      bindings_(bindings),
      budget_(budget) {
  const std::size_t count = policy.variables.size();
  if (count == 0) return;
  states_ = context.arena.AllocateArray<VariableState>(count);
  for (std::size_t i = 0; i < count; ++i) states_[i] = VariableState{};
}

bool Evaluator::Resolve(std::string_view name, doc::Value& out) {
  if (name == "object") {
    out = view_.object;
  } else if (name == "oldObject") {
    out = view_.old_object;
  } else if (name == "request") {
    out = view_.request;
  } else if (name == "params" && invocation_.has_params) {
    out = invocation_.params;
  } else if (name == "namespaceObject") {
    out = bindings_.namespace_object ? view_.namespace_object : doc::Value::Null();
  } else if (name == "variables" && bindings_.variables) {
    auto* rep = context_.arena.New<VariablesRep>();
    rep->type = &VariablesHostType();
    rep->evaluator = this;
    out = doc::Value::Host(rep);
  } else if (name == "authorizer" && bindings_.authorizer) {
    out = cel::MakeAuthorizer(context_.arena);
  } else if (name == "authorizer.requestResource" && bindings_.authorizer) {
    const match::AdmissionRequest& request = context_.request;
    out = cel::MakeRequestResource(context_.arena, request.request_resource.group,
                                   request.request_resource.resource, request.request_sub_resource,
                                   request.ns, request.name);
  } else {
    return false;
  }
  return true;
}

bool Evaluator::Variable(std::string_view name, doc::Value& out) {
  if (IsEscapedName(name)) return false;
  // Of several variables of one name the last one wins.
  std::size_t at = policy_.variables.size();
  while (at > 0 && policy_.variables[at - 1].name != name) --at;
  if (at == 0) return false;
  --at;
  const NamedExpression& variable = policy_.variables[at];
  VariableState& state = states_[at];
  if (!state.done) {
    base::Arena& arena = context_.arena;
    constexpr std::string_view kPrefix = "composited variable \"";
    if (state.running) {
      // Only duplicate names can make a cycle.
      out = ErrorValue(arena, kPrefix, name, "\" fails to evaluate: ", "it refers to itself");
      return true;
    }
    state.running = true;
    const Expression& expression = variable.expression;
    if (expression.program == nullptr) {
      state.value = ErrorValue(arena, kPrefix, name, "\" fails to compile: ", expression.error);
    } else {
      cel::EvalOptions options;
      options.host = &context_;
      options.interrupt = context_.interrupt;
      const cel::EvalResult result = cel::Evaluate(*expression.program, *this, arena, options);
      variable_cost_ += result.cost;
      state.value = result.value.is_error()
                        ? ErrorValue(arena, kPrefix, name,
                                     "\" fails to evaluate: ", cel::ErrorMessage(result.value))
                        : result.value;
    }
    state.running = false;
    state.done = true;
  }
  out = state.value;
  return true;
}

Evaluated Evaluator::Evaluate(const Expression& expression) {
  Evaluated out;
  if (expression.program == nullptr) {
    out.state = Evaluated::State::kError;
    out.error = "compilation error: " + expression.error;
    return out;
  }
  variable_cost_ = 0;
  cel::EvalOptions options;
  options.host = &context_;
  options.interrupt = context_.interrupt;
  const cel::EvalResult result = cel::Evaluate(*expression.program, *this, context_.arena, options);
  const std::uint64_t cost = result.cost + variable_cost_;
  if (cost > budget_) {
    out.state = Evaluated::State::kOutOfBudget;
    return out;
  }
  budget_ -= cost;
  if (result.value.is_error()) {
    out.state = Evaluated::State::kError;
    out.error = "expression '" + expression.source +
                "' resulted in error: " + std::string(cel::ErrorMessage(result.value));
  } else {
    out.value = result.value;
  }
  return out;
}

ConditionsResult EvaluateMatchConditions(const PolicyCore& policy, const Invocation& invocation,
                                         const MatchedView& view, RequestContext& context) {
  ConditionsResult out;
  if (policy.match_conditions.empty()) return out;
  Evaluator evaluator(policy, invocation, view, context,
                      {.authorizer = true, .namespace_object = false, .variables = false},
                      kMatchConditionBudget);
  std::vector<std::string> errors;
  bool is_false = false;
  for (const NamedExpression& condition : policy.match_conditions) {
    Evaluated result = evaluator.Evaluate(condition.expression);
    switch (result.state) {
      case Evaluated::State::kOutOfBudget:
        // No results are kept: not even that of an earlier false condition.
        return {ConditionsResult::State::kError, std::string(kBudgetMessage)};
      case Evaluated::State::kError:
        errors.push_back(std::move(result.error));
        break;
      case Evaluated::State::kValue:
        is_false = is_false || !result.value.is_bool() || !result.value.as_bool();
        break;
    }
  }
  if (is_false) {
    out.state = ConditionsResult::State::kNotMatched;
  } else if (!errors.empty()) {
    out.state = ConditionsResult::State::kError;
    out.error = JoinErrors(errors);
  }
  return out;
}

}  // namespace portcullis::policy
