#include "engine/offline.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "doc/edit.h"
#include "doc/equal.h"
#include "engine/object_warnings.h"
#include "policy/context.h"
#include "schema/defaulting.h"

namespace portcullis::engine {
namespace {

using doc::Value;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsVowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

std::string_view OptionsKind(match::Operation operation) {
  switch (operation) {
    case match::Operation::kCreate:
      return "CreateOptions";
    case match::Operation::kUpdate:
      return "UpdateOptions";
    case match::Operation::kDelete:
      return "DeleteOptions";
    case match::Operation::kConnect:
      return {};
  }
  return {};
}

Value OptionsOf(match::Operation operation, base::Arena& arena) {
  const std::string_view kind = OptionsKind(operation);
  if (kind.empty()) return Value::Null();
  const doc::MapEntry entries[] = {{Value::String("kind"), Value::String(kind)},
                                   {Value::String("apiVersion"), Value::String("meta.k8s.io/v1")}};
  return doc::MakeMap(arena, entries);
}

Value Merge(const Value& written, const Value& before, const Value& after, base::Arena& arena,
            int depth);

Value MergeMaps(const Value& written, const Value& before, const Value& after, base::Arena& arena,
                int depth) {
  doc::MapBuilder out(written);
  for (const doc::MapEntry& entry : before.as_map()) {
    const std::string_view key = entry.key.as_string();
    if (after.Find(key) == nullptr) out.Remove(key);
  }
  for (const doc::MapEntry& entry : after.as_map()) {
    const std::string_view key = entry.key.as_string();
    const Value* old = before.Find(key);
    if (old != nullptr && doc::DataEqual(*old, entry.value)) continue;
    const Value* own = written.Find(key);
    out.Set(entry.key, old == nullptr || own == nullptr
                           ? entry.value
                           : Merge(*own, *old, entry.value, arena, depth + 1));
  }
  return out.Build(arena);
}

Value MergeLists(const Value& written, const Value& before, const Value& after, base::Arena& arena,
                 int depth) {
  const auto own = written.as_list();
  const auto old = before.as_list();
  std::vector<Value> out;
  const auto items = after.as_list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const bool comparable = i < own.size() && i < old.size();
    out.push_back(comparable ? Merge(own[i], old[i], items[i], arena, depth + 1) : items[i]);
  }
  return doc::MakeList(arena, out);
}

Value Merge(const Value& written, const Value& before, const Value& after, base::Arena& arena,
            int depth) {
  constexpr int kMaxDepth = 200;
  if (doc::DataEqual(before, after)) return written;
  if (depth > kMaxDepth) return after;
  if (written.is_map() && before.is_map() && after.is_map()) {
    return MergeMaps(written, before, after, arena, depth);
  }
  if (written.is_list() && before.is_list() && after.is_list() && written.size() == before.size()) {
    return MergeLists(written, before, after, arena, depth);
  }
  return after;
}

}  // namespace

std::string GuessPlural(std::string_view kind) {
  std::string out(kind);
  std::transform(out.begin(), out.end(), out.begin(), Lower);
  if (out.empty()) return out;
  const auto ends = [&](std::string_view suffix) { return out.ends_with(suffix); };
  if (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh")) return out + "es";
  if (ends("y") && out.size() > 1 && !IsVowel(out[out.size() - 2])) {
    out.pop_back();
    return out + "ies";
  }
  return out + "s";
}

base::Result<match::AdmissionRequest> BuildRequest(const Value& object, const Value& old_object,
                                                   const OfflineFacts& facts,
                                                   const schema::TypeTable& types,
                                                   base::Arena& arena) {
  const Value& subject = object.is_null() ? old_object : object;
  const std::string_view api_version = subject.StringAt("apiVersion");
  const std::string_view kind_name = subject.StringAt("kind");
  if (api_version.empty() || kind_name.empty()) {
    return base::Error(base::ErrorCode::kInvalid, "the object has no apiVersion or no kind");
  }
  match::AdmissionRequest out;
  out.operation = facts.operation;
  const Value* metadata = subject.Find("metadata");
  const bool has_metadata = metadata != nullptr && metadata->is_map();
  const std::string_view ns = has_metadata ? metadata->StringAt("namespace") : std::string_view();
  bool namespaced = !ns.empty();
  const schema::Kind* kind = types.FindKind(api_version, kind_name);
  if (kind != nullptr && !kind->plural.empty()) {
    out.kind = {kind->group, kind->version, kind->kind};
    out.resource = {kind->group, kind->version, kind->plural};
    namespaced = kind->namespaced;
  } else {
    const match::GroupVersion version = match::SplitApiVersion(api_version);
    out.kind = {version.group, version.version, kind_name};
    // A version that is not served any more is like those that are.
    const schema::Kind* other = types.PreferredKind(version.group, kind_name);
    if (other != nullptr && !other->plural.empty()) {
      out.resource = {version.group, version.version, other->plural};
      namespaced = other->namespaced;
    } else {
      out.resource = {version.group, version.version, arena.CopyString(GuessPlural(kind_name))};
    }
  }
  if (!facts.served_by.name.empty()) {
    out.resource = {facts.served_by.group, facts.served_by.version, facts.served_by.name};
    out.sub_resource = facts.served_by.subresource;
  }
  out.request_kind = out.kind;
  out.request_resource = out.resource;
  out.request_sub_resource = out.sub_resource;
  out.name = has_metadata ? metadata->StringAt("name") : std::string_view();
  if (namespaced) {
    out.ns = ns.empty() ? facts.default_namespace : ns;
  } else if (out.resource.group.empty() && out.resource.resource == "namespaces") {
    out.ns = out.name;
  }
  out.user_info = facts.user_info.is_null() ? Value::EmptyMap() : facts.user_info;
  const bool removed = facts.operation == match::Operation::kDelete;
  out.object = removed ? Value::Null() : object;
  if (facts.operation != match::Operation::kCreate &&
      facts.operation != match::Operation::kConnect) {
    out.old_object = removed && old_object.is_null() ? object : old_object;
  }
  out.dry_run = facts.dry_run;
  out.options = OptionsOf(facts.operation, arena);
  return out;
}

Value RelativeToWritten(const Value& written, const Value& before, const Value& after,
                        base::Arena& arena) {
  return Merge(written, before, after, arena, 0);
}

base::Result<OfflineResult> EvaluateManifest(const PolicySet& set, const Value& object,
                                             const Value& old_object,
                                             const provider::Providers& providers,
                                             const schema::TypeTable& types, base::Arena& arena,
                                             const OfflineOptions& options) {
  const auto complete = [&](const Value& written, std::vector<std::string>* warnings) {
    if (!options.defaulting || !written.is_map()) return written;
    schema::DefaultOptions defaults;
    defaults.namespace_name = options.facts.default_namespace;
    defaults.warnings = warnings;
    return schema::Default(written, types, arena, defaults);
  };
  const Value before = complete(object, options.warnings);
  PC_ASSIGN(const match::AdmissionRequest request,
            BuildRequest(before, complete(old_object, nullptr), options.facts, types, arena));
  AdmitOptions admit;
  admit.want_rows = true;
  admit.defaulting = options.defaulting;
  admit.interrupt = options.interrupt;
  admit.explain_failures = true;
  admit.observer = options.observer;
  admit.only = options.only;
  OfflineResult out;
  out.answer = Admit(set, request, providers, &types, arena, admit);
  if (options.warnings != nullptr && out.answer.allowed) {
    match::AdmissionRequest stored = request;
    stored.object = out.answer.object;
    for (std::string& text : ObjectWarnings(stored)) options.warnings->push_back(std::move(text));
  }
  Answer document =
      EvaluateDocument(set, policy::DocumentForm::kAny, object, providers, arena, options);
  out.answer.rows.insert(out.answer.rows.end(), std::make_move_iterator(document.rows.begin()),
                         std::make_move_iterator(document.rows.end()));
  out.changed = out.answer.mutated;
  out.object =
      out.changed ? RelativeToWritten(object, request.object, out.answer.object, arena) : object;
  return out;
}

Answer EvaluateDocument(const PolicySet& set, policy::DocumentForm form, const Value& document,
                        const provider::Providers& providers, base::Arena& arena,
                        const OfflineOptions& options) {
  match::AdmissionRequest request;
  request.object = document;
  policy::RequestContext context(request, providers, nullptr, arena);
  context.interrupt = options.interrupt;
  context.explain_failures = true;
  context.observer = options.observer;
  policy::Verdict verdict;
  verdict.want_rows = true;
  for (const PolicySet::Member& member : set.families()) {
    member.set->ValidateDocument(form, context, verdict);
  }
  Answer answer;
  answer.object = document;
  answer.rows = std::move(verdict.rows);
  if (options.only) {
    std::erase_if(answer.rows,
                  [&](const policy::ResultRow& row) { return !options.only(*row.policy); });
  }
  return answer;
}

}  // namespace portcullis::engine
