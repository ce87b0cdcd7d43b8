#include "policy/kyverno_cel/generating_evaluate.h"

#include "cel/kyverno/context_generate.h"
#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/explain.h"
#include "policy/kyverno_cel/produced.h"

namespace portcullis::policy::kyverno_cel {
namespace {

class Run {
 public:
  Run(const GeneratingPolicy& policy, RequestContext& context, Evaluation& out)
      : policy_(policy), context_(context), activation_(policy, context), out_(out) {}

  // False: nothing is said, or it ends in an error.
  bool Evaluate(std::vector<doc::Value>& objects) {
    // What goes is what triggers.
    if (context_.request.operation == match::Operation::kDelete) {
      activation_.Bind("object", context_.request.old_object);
    }
    const exceptions::Grants grants = GrantsOf(policy_, false, true, activation_, context_, out_);
    if (context_.observer != nullptr) Show(grants);
    if (grants.full) {
      Exempt(grants, out_);
      return false;
    }
    if (!grants.error.empty()) return Fail(grants.error);
    activation_.BindExceptions(grants.images, grants.allowed_values);
    using State = exceptions::Conditions::State;
    const exceptions::Conditions conditions = exceptions::EvaluateConditions(
        policy_.match_conditions, true, activation_, context_.arena, activation_.options());
    if (conditions.state == State::kError) return Fail(conditions.error);
    if (conditions.state == State::kFalse) return false;
    activation_.BindVariables();
    context_.generated.clear();
    for (const Generation& generation : policy_.generations) {
      std::string error;
      if (Generate(generation, error)) continue;
      out_.path = generation.path;
      out_.expression = generation.expression.source;
      return Fail(error);
    }
    std::string error;
    if (!Annotate(policy_, activation_, context_, '"', out_, error)) return Fail(error);
    objects = std::move(context_.generated);
    for (const doc::Value& object : objects) TellProduced(kGeneratedProperty, object, out_);
    context_.generated.clear();
    out_.Set(Outcome::kPass, policy_.info.name, "policy evaluated successfully");
    return true;
  }

 private:
  void Show(const exceptions::Grants& grants) {
    ExpressionDisplay display(policy_, grants, context_);
    display.ShowCommon();
    for (const Generation& generation : policy_.generations) {
      display.Show(generation.path, generation.expression);
      if (generation.documents == nullptr) continue;
      for (const Expression* expression : generation.documents->expressions()) {
        display.Show(generation.path, *expression);
      }
    }
  }

  bool Fail(std::string_view error) {
    context_.generated.clear();
    out_.Set(Outcome::kError, policy_.info.name,
             "failed to evaluate policy: " + std::string(error));
    return false;
  }

  bool Generate(const Generation& generation, std::string& error) {
    if (generation.documents == nullptr) {
      // Whether it says true or false does not matter.
      const doc::Value value = cel::Evaluate(*generation.expression.program, activation_,
                                             context_.arena, activation_.options())
                                   .value;
      if (value.is_error()) error = cel::ErrorMessage(value);
      return error.empty();
    }
    std::vector<doc::Value> rendered;
    if (!generation.documents->Render(activation_, context_.arena, activation_.options(), rendered,
                                      error)) {
      return false;
    }
    for (const doc::Value& object : rendered) {
      if (!cel::PrepareGenerated(object, {{}, policy_.info.ns}, context_.providers.kyverno,
                                 context_.arena, context_.generated, error)) {
        error = "failed to generate resources: " + error;
        return false;
      }
    }
    return true;
  }

  const GeneratingPolicy& policy_;
  RequestContext& context_;
  Activation activation_;
  Evaluation& out_;
};

}  // namespace

Evaluation EvaluateGenerating(const GeneratingPolicy& policy, RequestContext& context,
                              std::vector<doc::Value>& objects) {
  Evaluation out;
  const PolicyCommon* applicable = Applicable(policy, context, out);
  if (applicable == nullptr || out.matched) return out;
  Run(policy, context, out).Evaluate(objects);
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
