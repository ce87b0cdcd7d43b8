#include "cli/policies.h"

#include <algorithm>
#include <optional>

#include "base/suggest.h"
#include "cli/policy_fill.h"
#include "cli/policy_notes.h"
#include "input/check.h"
#include "input/files.h"

namespace portcullis::cli {
namespace {

std::vector<input::InputFile> Expand(std::span<const std::string> paths, DiagnosticSink& sink) {
  input::Diagnostics problems;
  std::vector<input::InputFile> files = input::ExpandPaths(paths, &problems);
  std::size_t seen = 0;
  sink.Take(problems, &seen);
  return files;
}

// Policies are few, and results point into them: they are always kept.
constexpr std::uint64_t kKeepLimit = std::uint64_t{1} << 40;

base::SourceSpan LocateText(const input::Document& document, const std::string& path) {
  const auto parsed = doc::ParsePath(path);
  return document.Locate(parsed.ok() ? doc::PathView(parsed.value()) : doc::PathView());
}

constexpr std::string_view kKyvernoGroup = "policies.kyverno.io/";

// What may have been meant by a kind or a version that the group does not have.
std::string KyvernoHint(std::string_view kind) {
  static constexpr std::string_view kKinds[] = {
      "ValidatingPolicy",         "MutatingPolicy",
      "GeneratingPolicy",         "DeletingPolicy",
      "ImageValidatingPolicy",    "NamespacedValidatingPolicy",
      "NamespacedMutatingPolicy", "NamespacedGeneratingPolicy",
      "NamespacedDeletingPolicy", "NamespacedImageValidatingPolicy",
      "PolicyException"};
  if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds)) {
    const std::string_view near = base::ClosestName(kind, kKinds);
    return near.empty() ? std::string() : "did you mean " + std::string(near) + "?";
  }
  return kind.starts_with("Namespaced") ? "its versions are v1 and v1beta1"
                                        : "its versions are v1, v1beta1 and v1alpha1";
}

}  // namespace

Policies::Policies(std::span<const std::string> paths, World& world, DiagnosticSink& sink)
    : world_(world), sink_(sink), stream_(Expand(paths, sink), {.keep_limit = kKeepLimit}) {}

void Policies::Load() {
  std::size_t seen = 0;
  input::Document document;
  // Parameter kinds are known when all policies are: objects wait for them.
  std::vector<input::Document> others;
  while (stream_.Next(&document)) {
    sink_.Take(stream_.diagnostics(), &seen);
    if (builder_.Handles(document.api_version, document.kind)) {
      LoadPolicy(document);
    } else {
      others.push_back(document);
    }
  }
  sink_.Take(stream_.diagnostics(), &seen);
  for (const input::Document& other : others) Take(other);
}

void Policies::Add(const input::Document& document, bool is_kept) {
  if (!is_kept) {
    base::Error error(base::ErrorCode::kUnsupported,
                      std::string(document.kind) + " " + std::string(document.name()) +
                          " among so many resources is not read: name its file with --exception");
    error.span = document.Locate({});
    sink_.Error(error);
  } else if (builder_.Handles(document.api_version, document.kind)) {
    LoadPolicy(document);
  } else {
    ReportForeign(document);
  }
}

void Policies::Fill(const input::Document& document, doc::Value& root) {
  for (const FilledMember& filled : FillMissing(root, arena_)) {
    base::Error warning(base::ErrorCode::kRequired,
                        "missing, and the API server requires it: evaluated with " + filled.value,
                        filled.path);
    warning.span = LocateText(document, filled.path);
    sink_.Warning(warning);
  }
}

void Policies::Note(const input::Document& policy) {
  for (base::Error& note : PolicyNotes(policy)) {
    note.span = LocateText(policy, note.path);
    sink_.Warning(note);
  }
}

void Policies::LoadPolicy(const input::Document& document) {
  Source& source = sources_.emplace_back();
  source.document = document;
  const base::SourceSpan span = document.Locate({});
  by_span_[span.ToString()] = sources_.size() - 1;
  if (const auto unknown = input::CheckType(document, world_.types())) {
    sink_.Error(unknown->error);
    return;
  }
  policy::SourceDocument input;
  input.value = document.root;
  if (fill_missing_) Fill(document, input.value);
  input.span = span;
  const policy::LoadReport report = builder_.Add(input, policy::LoadMode::kStrict);
  for (base::Error error : report.errors) {
    error.span = LocateText(document, error.path);
    sink_.Error(error);
  }
  for (const std::string& text : report.warnings) {
    base::Error warning(base::ErrorCode::kInvalid, text);
    warning.span = span;
    sink_.Warning(warning);
  }
  source.loaded = report.errors.empty();
  if (source.loaded) {
    ReportRepeated(document, span);
    Note(document);
  }
  const doc::Value* kind = doc::LookupKeys(document.root, {"spec", "paramKind"});
  if (source.loaded && kind != nullptr && kind->is_map()) {
    world_.AddParamKind(kind->StringAt("apiVersion"), kind->StringAt("kind"));
  }
  const doc::Value* ref = doc::LookupKeys(document.root, {"spec", "paramRef"});
  if (source.loaded && ref != nullptr && ref->is_map()) world_.AddParamRef(*ref);
  if (source.loaded && engine::LooksUpObjects(document.root)) world_.KeepObjects();
}

// Of several policies of one name the last one counts, as after `kubectl apply`.
void Policies::ReportRepeated(const input::Document& document, const base::SourceSpan& span) {
  const std::string key = std::string(document.kind) + '\n' + std::string(document.name());
  const auto [it, is_new] = names_.try_emplace(key, span);
  if (is_new) return;
  base::Error warning(base::ErrorCode::kDuplicate,
                      std::string(document.kind) + " " + std::string(document.name()) +
                          " replaces the one of the same name at " + it->second.ToString());
  warning.span = span;
  sink_.Warning(warning);
  it->second = span;
}

// Anything but a native policy.
void Policies::Take(const input::Document& document) {
  if (world_.IsOfUse(document.api_version, document.kind)) {
    world_.Learn(document, true);
    return;
  }
  if (document.role == input::DocumentRole::kToolConfig && FromFolder(document.file)) return;
  ReportForeign(document);
}

void Policies::ReportForeign(const input::Document& document) {
  if (const auto unknown = input::CheckType(document, world_.types())) {
    if (unknown->severity == input::Severity::kError) {
      sink_.Error(unknown->error);
      return;
    }
  }
  base::Error error(base::ErrorCode::kUnsupported, std::string(document.kind) + " of " +
                                                       std::string(document.api_version) +
                                                       " is not a policy that can be evaluated");
  const doc::PathStep step[] = {doc::PathStep("kind")};
  error.path = "kind";
  error.span = document.Locate(step);
  if (input::IsPolicyRole(document.role)) {
    sources_.push_back({document, false, true});
    if (document.api_version.starts_with(kKyvernoGroup)) {
      error.message = "no matches for kind \"" + std::string(document.kind) + "\" in version \"" +
                      std::string(document.api_version) + "\"";
      error.hint = KyvernoHint(document.kind);
      sink_.Error(error);
      return;
    }
    error.message = std::string(document.kind) + " " + std::string(document.name()) + " of " +
                    std::string(document.api_version) + " is not supported yet";
    error.hint =
        "this version evaluates ValidatingAdmissionPolicy, MutatingAdmissionPolicy and the kinds "
        "of policies.kyverno.io";
    sink_.Error(error);
    return;
  }
  error.message =
      std::string(document.kind) + " " + std::string(document.name()) + " is not a policy";
  error.hint = "objects to be checked are given with -r, parameters with --params";
  // Folders may well hold policies beside what they are about.
  if (FromFolder(document.file)) {
    sink_.Warning(error);
  } else {
    sink_.Error(error);
  }
}

bool Policies::FromFolder(std::string_view file) const {
  return std::any_of(stream_.files().begin(), stream_.files().end(), [&](const auto& candidate) {
    return candidate.path == file && candidate.from_folder;
  });
}

std::shared_ptr<const engine::PolicySet> Policies::Build(bool unbound_deny) {
  std::shared_ptr<const engine::PolicySet> set = builder_.Build(unbound_deny);
  std::vector<std::string> names;
  for (const Source& source : sources_) {
    const input::DocumentRole role = source.document.role;
    if (role == input::DocumentRole::kNativePolicy ||
        role == input::DocumentRole::kKyvernoCelPolicy) {
      names.emplace_back(source.document.name());
    }
  }
  for (base::Error note : set->notes()) {
    const input::Document* document = FindSource(note.span);
    explained_.insert(document);
    const auto path = doc::ParsePath(note.path);
    if (document == nullptr || note.path.empty() || !path.ok()) {
      sink_.Warning(note);
      continue;
    }
    // A name in it leads nowhere.
    note.span = document->Locate(path.value());
    const doc::Value* name = doc::Lookup(document->root, path.value());
    if (name != nullptr && name->is_string()) {
      const std::string_view near = base::ClosestName(name->as_string(), names);
      if (!near.empty()) note.hint = "did you mean \"" + std::string(near) + "\"?";
    }
    // An exception without a policy exempts nothing; a binding without one enforces nothing.
    if (document->role == input::DocumentRole::kException) {
      sink_.Warning(note);
    } else {
      sink_.Error(note);
    }
  }
  return set;
}

const input::Document* Policies::FindSource(const base::SourceSpan& span) const {
  const auto it = by_span_.find(span.ToString());
  return it == by_span_.end() ? nullptr : &sources_[it->second].document;
}

base::SourceSpan Policies::Locate(const policy::PolicyInfo& policy, const std::string& path) {
  const auto [it, is_new] = located_.try_emplace({&policy, path});
  if (is_new) {
    const input::Document* document = FindSource(policy.span);
    it->second = document == nullptr || path.empty() ? policy.span : LocateText(*document, path);
  }
  return it->second;
}

void Policies::WarnUnused(const engine::PolicySet& set, const Uses& uses) {
  for (const engine::PolicySet::Member& member : set.families()) {
    for (std::size_t i = 0; i < member.set->size(); ++i) {
      const policy::PolicyInfo& info = member.set->info(i);
      if (uses.policies.count(&info) != 0) continue;
      base::Error note(base::ErrorCode::kNotFound,
                       info.kind + " " + info.name + " matched no resource");
      note.span = info.span;
      if (const input::Document* document = FindSource(info.span); document != nullptr) {
        note.hint = UnmatchedHint(*document, uses.has_manifests);
      }
      sink_.Warning(note);
    }
  }
  WarnUnusedExceptions(uses);
}

void Policies::WarnUnusedExceptions(const Uses& uses) {
  for (const Source& source : sources_) {
    const input::Document& document = source.document;
    if (document.role != input::DocumentRole::kException || !source.loaded) continue;
    if (explained_.contains(&document)) continue;
    const std::string key =
        std::string(document.namespace_name()) + "/" + std::string(document.name());
    if (uses.exceptions.contains(key)) continue;
    base::Error note(base::ErrorCode::kNotFound, "PolicyException " + key + " exempted nothing");
    if (const auto why = uses.withheld.find(key); why != uses.withheld.end())
      note.hint = why->second;
    note.span = document.Locate({});
    sink_.Warning(note);
  }
}

void Policies::WarnUnknownResources(const engine::PolicySet& set) {
  for (const engine::PolicySet::Member& member : set.families()) {
    for (std::size_t i = 0; i < member.set->size(); ++i) {
      const policy::PolicyInfo& info = member.set->info(i);
      for (std::string& text : UnknownResources(member.set->index_entry(i), world_.types())) {
        base::Error note(base::ErrorCode::kNotFound, std::move(text),
                         "spec.matchConstraints.resourceRules");
        note.span = Locate(info, note.path);
        sink_.Warning(note);
      }
    }
  }
}

std::vector<std::string> UnknownResources(const policy::IndexEntry& entry,
                                          const schema::TypeTable& types) {
  std::vector<std::string> out;
  const std::vector<const schema::Kind*> all = types.All();
  for (const match::Rule& rule : entry.rules) {
    for (const std::string& group : rule.groups) {
      if (group == "*") continue;
      std::vector<std::string_view> plurals;
      for (const schema::Kind* kind : all) {
        if (kind->group == group) plurals.push_back(kind->plural);
      }
      // A group of which nothing is known cannot be judged, unless it is short for a known one.
      for (const match::ResourcePattern& pattern : rule.resources) {
        const std::string& name = pattern.resource;
        if (name == "*" || name.empty()) continue;
        if (std::find(plurals.begin(), plurals.end(), name) != plurals.end()) continue;
        // Several groups times several resources: one that exists in any of them is meant there.
        const bool elsewhere =
            std::any_of(rule.groups.begin(), rule.groups.end(), [&](const std::string& other) {
              return types.PreferredResource(other, name) != nullptr;
            });
        if (elsewhere) continue;
        if (plurals.empty() && group.find('.') != std::string::npos) continue;
        std::string text = "no resource \"" + name + "\" in the API group \"" + group + "\"";
        const schema::Kind* named = types.FindByName(name);
        const std::string_view near = base::ClosestName(name, plurals);
        if (named != nullptr && named->group == group) {
          text += ": did you mean \"" + std::string(named->plural) + "\"?";
        } else if (named != nullptr && named->plural == name) {
          text += ": it is in the group \"" + std::string(named->group) + "\"";
        } else if (!near.empty()) {
          text += ": did you mean \"" + std::string(near) + "\"?";
        }
        if (std::find(out.begin(), out.end(), text) == out.end()) out.push_back(std::move(text));
      }
    }
  }
  return out;
}

}  // namespace portcullis::cli
