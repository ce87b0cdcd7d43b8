#include "cli/policy_notes.h"

#include <string_view>

#include "doc/path.h"

namespace portcullis::cli {
namespace {

using doc::Value;
using input::DocumentRole;

bool IsEmptyMember(const Value* value) {
  return value == nullptr || value->is_null() || (value->is_list() && value->size() == 0);
}

bool IsOff(const Value& policy, std::string_view name) {
  const Value* enabled = doc::LookupKeys(policy, {"spec", "evaluation", name, "enabled"});
  return enabled != nullptr && enabled->is_bool() && !enabled->as_bool();
}

// The list without which a policy of this kind does nothing, and what that means.
struct Work {
  std::string_view suffix, member, meaning;
};

constexpr Work kWork[] = {
    {"ValidatingPolicy", "validations", "it passes everything"},
    {"ValidatingAdmissionPolicy", "validations", "it passes everything"},
    {"MutatingPolicy", "mutations", "it changes nothing"},
    {"MutatingAdmissionPolicy", "mutations", "it changes nothing"},
    {"GeneratingPolicy", "generate", "it makes nothing"},
};

// Kyverno passes over a mutation that lacks what its patchType calls for.
void NoteIdleMutations(const input::Document& policy, const std::string& title,
                       std::vector<base::Error>& out) {
  const Value* mutations = doc::LookupKeys(policy.root, {"spec", "mutations"});
  if (mutations == nullptr || !mutations->is_list()) return;
  for (std::size_t i = 0; i < mutations->size(); ++i) {
    const Value& mutation = mutations->as_list()[i];
    if (!mutation.is_map()) continue;
    const bool patches = mutation.StringAt("patchType") == "JSONPatch";
    const std::string_view body = patches ? "jsonPatch" : "applyConfiguration";
    const Value* member = mutation.Find(body);
    if (member != nullptr && !member->is_null()) continue;
    out.emplace_back(base::ErrorCode::kRequired,
                     title + ": a mutation without " + std::string(body) + " changes nothing",
                     "spec.mutations[" + std::to_string(i) + "]");
  }
}

}  // namespace

std::vector<base::Error> PolicyNotes(const input::Document& policy) {
  std::vector<base::Error> out;
  if (policy.role != DocumentRole::kNativePolicy &&
      policy.role != DocumentRole::kKyvernoCelPolicy) {
    return out;
  }
  const std::string title = std::string(policy.kind) + " " + std::string(policy.name());
  // Policies for proxies give their answers in validations, too.
  for (const Work& work : kWork) {
    if (!policy.kind.ends_with(work.suffix)) continue;
    if (!IsEmptyMember(doc::LookupKeys(policy.root, {"spec", work.member}))) continue;
    out.emplace_back(
        base::ErrorCode::kRequired,
        title + " has no " + std::string(work.member) + ": " + std::string(work.meaning),
        "spec." + std::string(work.member));
  }
  if (policy.role != DocumentRole::kKyvernoCelPolicy) return out;
  if (policy.kind.ends_with("MutatingPolicy")) NoteIdleMutations(policy, title, out);
  if (IsOff(policy.root, "admission")) {
    const bool never =
        IsOff(policy.root, "background") || policy.kind.ends_with("GeneratingPolicy");
    out.emplace_back(base::ErrorCode::kInvalid,
                     title + (never ? " is switched off: a cluster never evaluates it"
                                    : " is switched off for admission: a cluster reports what it "
                                      "finds and refuses nothing"),
                     "spec.evaluation.admission.enabled");
  }
  return out;
}

std::string UnmatchedHint(const input::Document& policy, bool has_manifests) {
  const Value* evaluation = doc::LookupKeys(policy.root, {"spec", "evaluation"});
  const std::string_view mode = evaluation == nullptr || !evaluation->is_map()
                                    ? std::string_view()
                                    : evaluation->StringAt("mode");
  if (policy.kind.ends_with("ValidatingPolicy")) {
    if (mode == "JSON") return "its evaluation mode is JSON: give documents with --json";
    if (mode == "HTTP") return "its evaluation mode is HTTP: give requests with --http-payload";
    if (mode == "Envoy") return "its evaluation mode is Envoy: give requests with --envoy-payload";
  }
  return has_manifests ? "" : "it evaluates Kubernetes objects: give manifests with -r";
}

}  // namespace portcullis::cli
