#include "policy/kyverno_cel/image_validating_evaluate.h"

#include <string>

#include "cel/kyverno/image_reference.h"
#include "doc/edit.h"
#include "policy/admission/field_error.h"
#include "policy/kyverno_cel/explain.h"
#include "policy/kyverno_cel/image_extract.h"
#include "policy/kyverno_cel/pod_templates.h"

namespace portcullis::policy::kyverno_cel {
namespace {

class Run {
 public:
  // `policy`: the policy itself or the variant that applies.
  Run(const ImageValidatingPolicy& policy, RequestContext& context, VerificationRecord& record,
      ImageEvaluation& out)
      : policy_(policy),
        context_(context),
        activation_(policy, context),
        session_(policy, context, record),
        out_(out) {
    context_.image_session = &session_;
  }
  ~Run() { context_.image_session = nullptr; }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void Evaluate() {
    if (context_.observer != nullptr) Show();
    using State = exceptions::Conditions::State;
    const exceptions::Conditions conditions = exceptions::EvaluateConditions(
        policy_.match_conditions, policy_.fail, activation_, context_.arena, activation_.options());
    if (conditions.state == State::kError) return Error(conditions.error);
    if (conditions.state == State::kFalse) return;
    const exceptions::Grants grants =
        GrantsOf(policy_, false, false, activation_, context_, out_.evaluation);
    if (grants.full) return Exempt(grants, out_.evaluation);
    if (!grants.error.empty()) return Error(grants.error);

    const ExtractedImages images = ExtractImages(policy_, activation_, context_);
    if (!images.error.empty()) return Error(images.error);
    if (policy_.verify_digest && !AllHaveDigests(images)) return;
    activation_.Bind("images", images.images);
    if (!BindAttestors()) return;
    activation_.BindVariables();
    Validate(images);
  }

 private:
  void Show() {
    const exceptions::Grants none;
    ExpressionDisplay display(policy_, none, context_);
    display.ShowCommon();
  }

  bool AllHaveDigests(const ExtractedImages& images) {
    for (const ExtractedImage& image : images.matched) {
      cel::ImageReference reference;
      if (!cel::ParseImageReference(image.image, reference)) {
        Fail("failed to parse image reference " + std::string(image.image) +
             ": could not parse reference: " + std::string(image.image));
      } else if (reference.digest.empty()) {
        Fail("image " + std::string(image.image) + " does not have a digest");
      } else {
        continue;
      }
      Blame(image);
      return false;
    }
    return true;
  }

  bool BindAttestors() {
    std::vector<doc::MapEntry> attestors;
    for (const Attestor& attestor : policy_.attestors) {
      doc::Value document = attestor.document;
      for (const AttestorExpression& given : attestor.expressions) {
        const doc::Value value = cel::Evaluate(*given.expression.program, activation_,
                                               context_.arena, activation_.options())
                                     .value;
        if (value.is_error()) {
          Error("failed to convert " + given.what + " in compiled attestor: " + attestor.name +
                ", error: " + std::string(cel::ErrorMessage(value)));
          return false;
        }
        doc::Path path(given.member.begin(), given.member.end());
        path.emplace_back(given.what == "key" ? "data" : "value");
        if (auto set = doc::SetAt(context_.arena, document, path, value); set.ok()) {
          document = set.value();
        }
      }
      attestors.push_back({doc::Value::String(attestor.name), document});
    }
    std::vector<doc::MapEntry> attestations;
    for (const Attestation& attestation : policy_.attestations) {
      const doc::Value name = doc::Value::String(attestation.name);
      attestations.push_back({name, name});
    }
    activation_.Bind("attestors", doc::MakeMap(context_.arena, attestors));
    activation_.Bind("attestations", doc::MakeMap(context_.arena, attestations));
    return true;
  }

  void Validate(const ExtractedImages& images) {
    Evaluation& out = out_.evaluation;
    ValidationResult result = EvaluateValidations(policy_.validations, activation_, context_);
    const bool passed = result.index == policy_.validations.size();
    if (!passed) {
      out.path = Child(Index("spec.validations", result.index), "expression");
      out.expression = policy_.validations[result.index].expression.source;
    }
    if (result.value.is_error()) return Error(cel::ErrorMessage(result.value));
    std::string error;
    if (!Annotate(policy_, activation_, context_, '\'', out, error)) return Error(error);
    if (!passed) {
      Fail(std::move(result.message));
      if (context_.explain_failures) {
        BlamedMember member =
            FindBlamedMember(*policy_.validations[result.index].expression.program, activation_,
                             context_.request.object, context_.request.old_object, context_);
        out.resource_path = std::move(member.path);
        out.value = std::move(member.value);
      }
      return;
    }
    out.Set(Outcome::kPass, policy_.info.name, "success");
    if (!policy_.required) return;
    for (const ExtractedImage& image : images.matched) out_.images.push_back(image.image);
  }

  void Fail(std::string message) {
    out_.evaluation.Set(Outcome::kFail, policy_.info.name, std::move(message));
  }
  void Error(std::string_view error) {
    out_.evaluation.Set(Outcome::kError, "evaluation",
                        "failed to evaluate policy: " + std::string(error));
  }
  void Blame(const ExtractedImage& image) {
    if (!context_.explain_failures || image.path.empty()) return;
    out_.evaluation.resource_path = doc::RenderPath(image.path);
    out_.evaluation.value = '"' + std::string(image.image) + '"';
  }

  const ImageValidatingPolicy& policy_;
  RequestContext& context_;
  Activation activation_;
  ImageVerification session_;
  ImageEvaluation& out_;
};

}  // namespace

ImageEvaluation EvaluateImages(const ImageValidatingPolicy& policy, RequestContext& context,
                               VerificationRecord& record) {
  ImageEvaluation out;
  const PolicyCommon* applicable = Applicable(policy, context, out.evaluation);
  if (applicable == nullptr || out.evaluation.matched) return out;
  const auto& rule = static_cast<const ImageValidatingPolicy&>(*applicable);
  if (rule.group == autogen::Group::kExtract) {
    std::vector<std::string_view> images;
    out.evaluation = EvaluatePodTemplates(context, [&](RequestContext& pod) {
      ImageEvaluation result;
      Run(rule, pod, record, result).Evaluate();
      images.insert(images.end(), result.images.begin(), result.images.end());
      return std::move(result.evaluation);
    });
    if (out.evaluation.outcome == Outcome::kPass) out.images = std::move(images);
    return out;
  }
  Run(rule, context, record, out).Evaluate();
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
