#include "cli/object_checks.h"

#include <algorithm>
#include <vector>

#include "doc/path.h"
#include "engine/offline.h"
#include "input/check.h"
#include "patch/native_decode.h"

namespace portcullis::cli {
namespace {

using doc::Value;

// Of many mistakes of one kind in an object the first ones are shown.
constexpr std::size_t kMaxShown = 20;

std::string_view TypeName(const Value& value) {
  switch (value.tag()) {
    case doc::Tag::kBool:
      return "bool";
    case doc::Tag::kInt:
    case doc::Tag::kDouble:
      return "number";
    case doc::Tag::kList:
      return "array";
    case doc::Tag::kMap:
      return "object";
    default:
      return "string";
  }
}

// A map of text that holds something else: what a server refuses for every kind of object.
bool CheckTextMap(const input::Document& document, const doc::Path& path, DiagnosticSink& sink) {
  const Value* map = doc::Lookup(document.root, path);
  if (map == nullptr || !map->is_map()) return true;
  std::vector<doc::Path> places;
  std::vector<base::Error> errors;
  std::size_t more = 0;
  for (const doc::MapEntry& entry : map->as_map()) {
    if (entry.value.is_string() || entry.value.is_null()) continue;
    if (errors.size() == kMaxShown) {
      ++more;
      continue;
    }
    doc::Path& place = places.emplace_back(path);
    place.emplace_back(std::string(entry.key.as_string()));
    base::Error& error =
        errors.emplace_back(base::ErrorCode::kInvalid,
                            "cannot unmarshal " + std::string(TypeName(entry.value)) + " into " +
                                doc::RenderPath(path) + " of type string",
                            doc::RenderPath(place));
    if (entry.value.is_bool() || entry.value.is_number()) error.hint = "write it in quotes";
  }
  if (errors.empty()) return true;
  places.push_back(path);
  const std::vector<base::SourceSpan> spans = document.LocateAll(places);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    errors[i].span = spans[i];
    sink.Error(errors[i]);
  }
  if (more != 0) {
    base::Error error(
        base::ErrorCode::kInvalid,
        std::to_string(more) + " more values of " + doc::RenderPath(path) + " are no strings",
        doc::RenderPath(path));
    error.span = spans.back();
    sink.Error(error);
  }
  return false;
}

// The field path in Go's text: `... into Go struct field DeploymentSpec.spec.replicas of type ...`.
doc::Path PathInGoText(std::string_view text) {
  constexpr std::string_view kField = "Go struct field ";
  const std::size_t at = text.find(kField);
  if (at == std::string_view::npos) return {};
  std::string_view field = text.substr(at + kField.size());
  field = field.substr(0, field.find(' '));
  const std::size_t dot = field.find('.');
  if (dot == std::string_view::npos) return {};
  auto path = doc::ParsePath(field.substr(dot + 1));
  return path.ok() ? std::move(path).value() : doc::Path();
}

bool CheckBuiltin(const input::Document& document, const schema::Kind& kind, DiagnosticSink& sink) {
  const patch::DecodeCheck check = patch::CheckDecode(*kind.schema, document.root);
  if (check.error.empty()) return true;
  base::Error error(base::ErrorCode::kInvalid, check.error);
  const doc::Path path = PathInGoText(check.error);
  error.path = doc::RenderPath(path);
  error.span = document.Locate(path);
  error.hint = "the API server refuses the object before any policy sees it";
  sink.Error(error);
  return false;
}

bool IsBooleanWord(const Value& key) {
  const std::string_view text = key.as_string();
  return (text == "true" || text == "false") && (key.flags() & Value::kQuoted) == 0;
}

// Keys such as `y` and `on`, which YAML 1.1 reads as booleans, reach the server as "true".
void CheckKeys(const input::Document& document, DiagnosticSink& sink) {
  std::vector<std::pair<Value, doc::Path>> pending;
  bool found = false;
  const auto scan = [&](auto&& self, const Value& value, int depth) -> void {
    constexpr int kMaxDepth = 512;
    if (found || depth > kMaxDepth) return;
    if (value.is_map()) {
      for (const doc::MapEntry& entry : value.as_map()) {
        if (IsBooleanWord(entry.key)) found = true;
        if (entry.value.is_map() || entry.value.is_list()) self(self, entry.value, depth + 1);
      }
    } else if (value.is_list()) {
      for (const Value& item : value.as_list()) {
        if (item.is_map() || item.is_list()) self(self, item, depth + 1);
      }
    }
  };
  scan(scan, document.root, 0);
  if (!found) return;
  pending.emplace_back(document.root, doc::Path());
  std::size_t shown = 0;
  while (!pending.empty() && shown < kMaxShown) {
    const auto [value, path] = std::move(pending.back());
    pending.pop_back();
    const auto add = [&](const Value& child, doc::PathStep step) {
      if (!child.is_map() && !child.is_list()) return;
      doc::Path place = path;
      place.push_back(std::move(step));
      pending.emplace_back(child, std::move(place));
    };
    if (value.is_list()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        add(value.as_list()[i], doc::PathStep(static_cast<std::int64_t>(i)));
      }
      continue;
    }
    for (const doc::MapEntry& entry : value.as_map()) {
      const std::string key(entry.key.as_string());
      add(entry.value, doc::PathStep(key));
      if (!IsBooleanWord(entry.key) || ++shown > kMaxShown) continue;
      doc::Path place = path;
      place.emplace_back(key);
      base::Error warning(
          base::ErrorCode::kInvalid,
          "a key that YAML reads as a boolean reaches the API server as \"" + key + "\"",
          doc::RenderPath(place));
      warning.span = document.Locate(place);
      warning.hint = "write the key in quotes if text is meant";
      sink.Warning(warning);
    }
  }
}

// Whether a rule of a policy names the group, the version and the resource of the object.
bool IsNamedBy(const engine::PolicySet& set, const input::Document& document) {
  const schema::GroupVersion version = schema::ParseApiVersion(document.api_version);
  const std::string plural = engine::GuessPlural(document.kind);
  const auto has = [](const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  const auto names = [&](const match::Rule& rule) {
    return has(rule.groups, version.group) && has(rule.versions, version.version) &&
           std::any_of(rule.resources.begin(), rule.resources.end(),
                       [&](const match::ResourcePattern& pattern) {
                         return pattern.resource == plural && pattern.subresource.empty();
                       });
  };
  for (const engine::PolicySet::Member& member : set.families()) {
    for (std::size_t i = 0; i < member.set->size(); ++i) {
      const policy::IndexEntry entry = member.set->index_entry(i);
      if (std::any_of(entry.rules.begin(), entry.rules.end(), names)) return true;
    }
  }
  return false;
}

}  // namespace

bool CheckObject(const input::Document& document, const schema::TypeTable& types,
                 const engine::PolicySet& set, DiagnosticSink& sink) {
  bool usable = true;
  const schema::Kind* kind = types.FindKind(document.api_version, document.kind);
  if (kind == nullptr) {
    if (const auto problem = input::CheckType(document, types)) {
      // In a version that is served a policy cannot mean the misspelt kind.
      const schema::GroupVersion version = schema::ParseApiVersion(document.api_version);
      const bool is_meant =
          !types.HasGroupVersion(version.group, version.version) && IsNamedBy(set, document);
      const bool is_error = problem->severity == input::Severity::kError && !is_meant;
      sink.Add(problem->error, is_error ? report::Severity::kError : report::Severity::kWarning);
      if (is_error) return false;
    }
  }
  for (const char* field : {"labels", "annotations"}) {
    usable = CheckTextMap(document, {"metadata", field}, sink) && usable;
  }
  if (document.api_version == "v1" && document.kind == "ConfigMap") {
    usable = CheckTextMap(document, {"data"}, sink) && usable;
  }
  if (document.api_version == "v1" && document.kind == "Secret") {
    usable = CheckTextMap(document, {"stringData"}, sink) && usable;
  }
  CheckKeys(document, sink);
  if (usable && kind != nullptr && !kind->custom && kind->schema != nullptr) {
    usable = CheckBuiltin(document, *kind, sink);
  }
  return usable;
}

void ReportServerWarnings(const input::Document& document, const std::vector<std::string>& texts,
                          DiagnosticSink& sink) {
  std::vector<doc::Path> paths;
  std::vector<std::string> places;  // as the texts write them
  for (const std::string& text : texts) {
    // `unknown field "PATH"`, or `PATH: what is odd about it`.
    std::string_view place;
    if (text.starts_with("unknown field \"")) {
      const std::size_t open = text.find('"');
      place = std::string_view(text).substr(open + 1, text.rfind('"') - open - 1);
    } else {
      place = std::string_view(text).substr(0, text.find(": "));
    }
    doc::Path& path = paths.emplace_back();
    auto parsed = doc::ParsePath(place);
    places.emplace_back(parsed.ok() ? place : std::string_view());
    if (parsed.ok()) path = std::move(parsed).value();
  }
  const std::vector<base::SourceSpan> spans = document.LocateAll(paths);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    base::Error warning(base::ErrorCode::kUnknownField, texts[i], std::move(places[i]));
    warning.span = spans[i];
    // A member that the server drops is a mistake; the rest is advice about what it accepts.
    if (texts[i].starts_with("unknown field \"") || texts[i].starts_with("duplicate field \"")) {
      sink.Warning(warning);
    } else {
      sink.Advice(warning);
    }
  }
}

}  // namespace portcullis::cli
