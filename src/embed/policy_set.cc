#include <optional>

#include "base/arena.h"
#include "doc/edit.h"
#include "embed/impl.h"
#include "engine/admit.h"
#include "engine/offline.h"
#include "engine/review.h"
#include "json/reader.h"
#include "json/writer.h"
#include "match/request.h"
#include "patch/diff.h"
#include "portcullis/portcullis.h"
#include "yaml/reader.h"

namespace portcullis {
namespace {

using doc::Value;

// One object of a request; null for an empty text.
base::Result<Value> ReadObject(std::string_view text, base::Arena& arena) {
  if (text.empty()) return Value();
  return yaml::Parse(text, arena);
}

Outcome FromInternal(policy::Outcome outcome) {
  switch (outcome) {
    case policy::Outcome::kPass:
      return Outcome::kPass;
    case policy::Outcome::kFail:
      return Outcome::kFail;
    case policy::Outcome::kWarn:
      return Outcome::kWarn;
    case policy::Outcome::kError:
      return Outcome::kError;
    case policy::Outcome::kSkip:
      return Outcome::kSkip;
  }
  return Outcome::kError;
}

Verdict Failed(std::string error) {
  Verdict verdict;
  verdict.allowed = false;
  verdict.error = std::move(error);
  return verdict;
}

void Fill(const engine::Answer& answer, Verdict& verdict) {
  verdict.allowed = answer.allowed;
  if (!answer.allowed) {
    verdict.code = answer.status.code;
    verdict.reason = answer.status.reason;
    verdict.message = answer.status.message;
  }
  verdict.warnings = answer.warnings;
  verdict.audit_annotations = answer.audit_annotations;
  for (const policy::ResultRow& row : answer.rows) {
    Finding finding;
    if (row.policy != nullptr) {
      finding.policy = row.policy->name;
      finding.policy_kind = row.policy->kind;
    }
    finding.binding = row.binding;
    finding.outcome = FromInternal(row.outcome);
    finding.message = row.message;
    finding.action = row.action;
    finding.path = row.path;
    verdict.findings.push_back(std::move(finding));
  }
}

std::string BadReview(std::string_view api_version, std::string_view message) {
  base::Arena arena;
  engine::Answer answer;
  answer.allowed = false;
  answer.status.code = 400;
  answer.status.reason = "BadRequest";
  answer.status.message = std::string(message);
  answer.status.has_details = false;
  return json::ToString(engine::ReviewValue(
      answer, "", api_version.empty() ? "admission.k8s.io/v1" : api_version, Value(), arena));
}

}  // namespace

PolicySet::PolicySet(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
PolicySet::~PolicySet() = default;

std::size_t PolicySet::size() const { return impl_->set->policy_count(); }

Verdict PolicySet::Evaluate(const Request& request) const {
  base::Arena arena;
  const auto object = ReadObject(request.object, arena);
  if (!object.ok()) return Failed("object: " + object.error().message);
  const auto old_object = ReadObject(request.old_object, arena);
  if (!old_object.ok()) return Failed("old object: " + old_object.error().message);
  const auto user = ReadObject(request.user_info, arena);
  if (!user.ok()) return Failed("user info: " + user.error().message);
  const auto operation = match::ParseOperation(request.operation);
  if (!operation) {
    return Failed("operation \"" + request.operation + "\": CREATE, UPDATE, DELETE or CONNECT");
  }
  engine::OfflineOptions options;
  options.facts.operation = *operation;
  options.facts.user_info = *user;
  options.facts.dry_run = request.dry_run;
  options.defaulting = request.defaulting;
  const auto result = engine::EvaluateManifest(*impl_->set, *object, *old_object,
                                               impl_->Providers(), impl_->types, arena, options);
  if (!result.ok()) return Failed(result.error().message);
  Verdict verdict;
  Fill(result->answer, verdict);
  verdict.mutated = result->changed;
  if (result->changed) verdict.object = json::ToString(result->object);
  return verdict;
}

std::string PolicySet::Review(std::string_view admission_review) const {
  base::Arena arena;
  const auto review = json::Parse(admission_review, arena);
  if (!review.ok()) return BadReview("", review.error().message);
  const std::string_view api_version = review->StringAt("apiVersion");
  const Value* document = review->Find("request");
  if (document == nullptr || !document->is_map()) {
    return BadReview(api_version, "the AdmissionReview has no request");
  }
  const auto request = engine::ReadRequest(*document);
  if (!request.ok()) return BadReview(api_version, request.error().message);
  const engine::Answer answer =
      engine::Admit(*impl_->set, *request, impl_->Providers(), &impl_->types, arena);
  Value patch;
  if (answer.mutated) {
    patch = patch::ToDocument(arena, patch::Diff(arena, request->object, answer.object));
  }
  return json::ToString(engine::ReviewValue(answer, request->uid, api_version, patch, arena));
}

std::string_view Version() { return PORTCULLIS_VERSION; }

}  // namespace portcullis
