#include "base/arena.h"
#include "embed/documents.h"
#include "embed/impl.h"
#include "engine/admit.h"
#include "engine/offline.h"
#include "engine/review.h"
#include "input/check.h"
#include "json/reader.h"
#include "json/writer.h"
#include "match/request.h"
#include "patch/diff.h"
#include "patch/native_decode.h"
#include "portcullis/portcullis.h"

namespace portcullis {
namespace {

using doc::Value;

std::string Describe(const base::Error& error) {
  std::string out = error.span.ToString();
  if (!out.empty()) out += ": ";
  out += error.message;
  if (!error.hint.empty()) out += " (" + error.hint + ")";
  return out;
}

// One object of a request, null for an empty text. Whatever a policy could not see as it was meant
// is an error: half an evaluation must not look like a whole one.
base::Result<Value> ReadObject(std::string_view text, std::string_view name,
                               const schema::TypeTable& types, base::Arena& arena) {
  if (text.empty()) return Value();
  const embed::Documents documents = embed::ReadDocuments(text, name, arena);
  if (!documents.problems.empty()) return documents.problems.front().error;
  if (documents.objects.size() != 1) {
    base::Error error(base::ErrorCode::kTooMany, "one object is expected, the text holds " +
                                                     std::to_string(documents.objects.size()));
    error.span.file = std::string(name);
    return error;
  }
  const input::Document& document = documents.objects.front();
  const auto unknown = input::CheckType(document, types);
  if (unknown && unknown->severity == input::Severity::kError) return unknown->error;
  const schema::Kind* kind = types.FindKind(document.api_version, document.kind);
  if (kind != nullptr && !kind->custom && kind->schema != nullptr) {
    const patch::DecodeCheck check = patch::CheckDecode(*kind->schema, document.root);
    if (!check.error.empty()) {
      base::Error error(base::ErrorCode::kInvalid, check.error);
      error.span = document.Locate({});
      return error;
    }
  }
  return document.root;
}

base::Result<Value> ReadUser(std::string_view text, base::Arena& arena) {
  if (text.empty()) return Value();
  auto user = embed::ReadValue(text, arena);
  if (!user.ok()) {
    return base::Error(base::ErrorCode::kSyntax, "user info: " + user.error().message);
  }
  if (!user->is_map()) {
    return base::Error(base::ErrorCode::kInvalid, "user info: an object is expected");
  }
  return user;
}

// What a request of this kind must bring along; empty if all is there.
std::string_view Missing(match::Operation operation, const Request& request) {
  switch (operation) {
    case match::Operation::kUpdate:
      if (request.old_object.empty()) return "UPDATE needs old_object";
      [[fallthrough]];
    case match::Operation::kCreate:
    case match::Operation::kConnect:
      return request.object.empty() ? "the request has no object" : "";
    case match::Operation::kDelete:
      return request.old_object.empty() ? "DELETE needs old_object" : "";
  }
  return "";
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
      finding.policy_namespace = row.policy->ns;
    }
    finding.binding = row.binding;
    finding.outcome = FromInternal(row.outcome);
    finding.message = row.message;
    finding.action = row.action;
    finding.path = row.path;
    finding.rule = row.rule;
    finding.exceptions = row.exceptions;
    finding.withheld_exceptions = row.withheld_exceptions;
    verdict.findings.push_back(std::move(finding));
  }
  for (const policy::ProducedObject& produced : answer.produced) {
    verdict.products.push_back({produced.policy->name,
                                produced.kind == policy::ProducedObject::Kind::kGenerated,
                                json::ToString(produced.object)});
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

const std::vector<Problem>& PolicySet::problems() const { return impl_->problems; }

std::size_t PolicySet::size() const { return impl_->set->policy_count(); }

Verdict PolicySet::Evaluate(const Request& request) const {
  base::Arena arena;
  const auto operation = match::ParseOperation(request.operation);
  if (!operation) {
    return Failed("operation \"" + request.operation + "\": CREATE, UPDATE, DELETE or CONNECT");
  }
  if (const std::string_view missing = Missing(*operation, request); !missing.empty()) {
    return Failed(std::string(missing));
  }
  const auto object = ReadObject(request.object, "object", impl_->types, arena);
  if (!object.ok()) return Failed(Describe(object.error()));
  const auto old_object = ReadObject(request.old_object, "old_object", impl_->types, arena);
  if (!old_object.ok()) return Failed(Describe(old_object.error()));
  const auto user = ReadUser(request.user_info, arena);
  if (!user.ok()) return Failed(user.error().message);
  engine::OfflineOptions options;
  options.facts.operation = *operation;
  options.facts.user_info = *user;
  options.facts.dry_run = request.dry_run;
  options.defaulting = request.defaulting;
  std::vector<std::string> warnings;
  options.warnings = &warnings;
  const auto result = engine::EvaluateManifest(*impl_->set, *object, *old_object,
                                               impl_->Providers(), impl_->types, arena, options);
  if (!result.ok()) return Failed(result.error().message);
  Verdict verdict;
  Fill(result->answer, verdict);
  verdict.warnings.insert(verdict.warnings.begin(), warnings.begin(), warnings.end());
  verdict.mutated = result->changed;
  if (result->changed) verdict.object = json::ToString(result->object);
  return verdict;
}

std::string PolicySet::Review(std::string_view admission_review) const {
  base::Arena arena;
  const auto review = json::Parse(admission_review, arena);
  if (!review.ok()) return BadReview("", review.error().message);
  const std::string_view api_version = review->StringAt("apiVersion");
  const auto request = engine::ReadReview(*review);
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
