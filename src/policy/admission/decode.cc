#include "policy/admission/decode.h"

#include <vector>

#include "base/gotext.h"
#include "base/suggest.h"
#include "doc/edit.h"
#include "patch/native_decode.h"
#include "policy/admission/validate.h"
#include "schema/defaulting.h"
#include "schema/schema.h"
#include "schema/type_table.h"

namespace portcullis::policy {
namespace {

constexpr std::string_view kGroup = "admissionregistration.k8s.io";
// Deeper than any policy; keeps hostile documents from recursing without end.
constexpr int kMaxDepth = 64;

std::string_view TagName(doc::Tag tag) {
  switch (tag) {
    case doc::Tag::kNull:
      return "null";
    case doc::Tag::kBool:
      return "bool";
    case doc::Tag::kInt:
    case doc::Tag::kUint:
    case doc::Tag::kDouble:
      return "number";
    case doc::Tag::kString:
      return "string";
    case doc::Tag::kList:
      return "array";
    case doc::Tag::kMap:
      return "object";
    default:
      return "value";
  }
}

std::string VersionOf(std::string_view api_version) {
  const std::size_t slash = api_version.rfind('/');
  return std::string(slash == std::string_view::npos ? api_version : api_version.substr(slash + 1));
}

// How the server begins the refusal of a document that does not decode.
std::string CannotBeHandled(const doc::Value& document) {
  const std::string kind(document.StringAt("kind"));
  std::string out = kind + " in version ";
  base::AppendGoQuote(out, VersionOf(document.StringAt("apiVersion")));
  out += " cannot be handled as a " + kind;
  return out + ": ";
}

// What the API server says of mutating policies in a version that will go; empty for others.
std::string OldVersion(const doc::Value& document) {
  const std::string_view api_version = document.StringAt("apiVersion");
  const std::string version = VersionOf(api_version);
  const std::string kind(document.StringAt("kind"));
  if (!kind.starts_with("Mutating") || (version != "v1beta1" && version != "v1alpha1")) return {};
  const std::string text = std::string(api_version) + " " + kind + " is deprecated in ";
  if (version == "v1alpha1") return text + "v1.35+, unavailable in v1.38+";
  return text + "v1.37+, unavailable in v1.40+; use " + std::string(kGroup) + "/v1 " + kind;
}

// Walks a document beside its schema.
class Walker {
 public:
  explicit Walker(Decoded& out) : out_(out) {}

  void Walk(const doc::Value& value, const schema::Schema& schema, const std::string& path,
            int depth) {
    if (value.is_null() || depth > kMaxDepth) return;
    switch (schema.kind) {
      case schema::NodeKind::kObject:
        if (Expect(value, doc::Tag::kMap, "object", path)) WalkFields(value, schema, path, depth);
        return;
      case schema::NodeKind::kMap:
        if (!Expect(value, doc::Tag::kMap, "object", path) || schema.element == nullptr) return;
        for (const doc::MapEntry& entry : value.as_map()) {
          Walk(entry.value, *schema.element, Child(path, entry.key.as_string()), depth + 1);
        }
        return;
      case schema::NodeKind::kList: {
        if (!Expect(value, doc::Tag::kList, "array", path) || schema.element == nullptr) return;
        const auto items = value.as_list();
        for (std::size_t i = 0; i < items.size(); ++i) {
          Walk(items[i], *schema.element, Index(path, i), depth + 1);
        }
        return;
      }
      case schema::NodeKind::kString:
        Expect(value, doc::Tag::kString, "string", path);
        return;
      case schema::NodeKind::kInteger:
        Expect(value, doc::Tag::kInt, "integer", path);
        return;
      case schema::NodeKind::kBoolean:
        Expect(value, doc::Tag::kBool, "bool", path);
        return;
      default:
        return;
    }
  }

 private:
  void WalkFields(const doc::Value& value, const schema::Schema& schema, const std::string& path,
                  int depth) {
    for (const doc::MapEntry& entry : value.as_map()) {
      const std::string_view name = entry.key.as_string();
      const schema::Field* field = schema.FindField(name);
      if (field != nullptr) {
        if (field->schema != nullptr)
          Walk(entry.value, *field->schema, Child(path, name), depth + 1);
      } else {
        out_.unknown_fields.push_back(Child(path, name));
        std::vector<std::string_view> names;
        for (const schema::Field& known : schema.fields()) names.push_back(known.name);
        out_.hints.emplace_back(base::ClosestName(name, names));
      }
    }
  }

  bool Expect(const doc::Value& value, doc::Tag tag, std::string_view want,
              const std::string& path) {
    if (value.tag() == tag) return true;
    out_.errors.emplace_back(
        base::ErrorCode::kInvalid,
        "expected " + std::string(want) + ", got " + std::string(TagName(value.tag())), path);
    return false;
  }

  Decoded& out_;
};

doc::Value Fallback(base::Arena& arena, const doc::Value& map, std::string_view key,
                    const doc::Value& value) {
  return Member(map, key) != nullptr ? map : doc::WithEntry(arena, map, key, value);
}

doc::Value DefaultRules(base::Arena& arena, const doc::Value& match, std::string_view field) {
  const auto rules = Items(match, field);
  if (rules.empty()) return match;
  std::vector<doc::Value> out;
  for (const doc::Value& rule : rules) {
    out.push_back(rule.is_map() ? Fallback(arena, rule, "scope", doc::Value::String("*")) : rule);
  }
  return doc::WithEntry(arena, match, field, doc::MakeList(arena, out));
}

doc::Value DefaultMatch(base::Arena& arena, doc::Value match) {
  match = Fallback(arena, match, "matchPolicy", doc::Value::String("Equivalent"));
  match = Fallback(arena, match, "namespaceSelector", doc::Value::EmptyMap());
  match = Fallback(arena, match, "objectSelector", doc::Value::EmptyMap());
  match = DefaultRules(arena, match, "resourceRules");
  return DefaultRules(arena, match, "excludeResourceRules");
}

// The defaults of all four kinds, as far as their fields exist.
doc::Value ApplyDefaults(base::Arena& arena, doc::Value object) {
  const std::string_view kind = object.StringAt("kind");
  const bool binding = kind.ends_with("Binding");
  const doc::Value* spec_member = Member(object, "spec");
  doc::Value spec = spec_member != nullptr ? *spec_member : doc::Value::EmptyMap();
  if (!binding) spec = Fallback(arena, spec, "failurePolicy", doc::Value::String("Fail"));
  const std::string_view match_field = binding ? "matchResources" : "matchConstraints";
  if (const doc::Value* match = Member(spec, match_field); match != nullptr) {
    spec = doc::WithEntry(arena, spec, match_field, DefaultMatch(arena, *match));
  }
  object = doc::WithEntry(arena, object, "spec", spec);
  if (const doc::Value* metadata = Member(object, "metadata"); metadata != nullptr) {
    object =
        doc::WithEntry(arena, object, "metadata", doc::WithoutEntry(arena, *metadata, "namespace"));
  }
  return object;
}

}  // namespace

const doc::Value* Member(const doc::Value& object, std::string_view name) {
  const doc::Value* member = object.Find(name);
  return member == nullptr || member->is_null() ? nullptr : member;
}

std::span<const doc::Value> Items(const doc::Value& object, std::string_view name) {
  const doc::Value* member = object.Find(name);
  return member != nullptr && member->is_list() ? member->as_list() : std::span<const doc::Value>();
}

Decoded Decode(const doc::Value& value, base::Arena& arena) {
  Decoded out;
  const schema::TypeTable& types = schema::TypeTable::Builtin();
  const schema::Kind* kind = types.FindKind(kGroup, "v1", value.StringAt("kind"));
  if (kind == nullptr || kind->schema == nullptr) {
    out.errors.emplace_back(base::ErrorCode::kNotFound,
                            "no kind \"" + std::string(value.StringAt("kind")) +
                                "\" is registered for version \"" +
                                std::string(value.StringAt("apiVersion")) + "\"");
    return out;
  }
  Walker(out).Walk(value, *kind->schema, "", 0);
  out.server_error = patch::CheckDecode(*kind->schema, value, patch::MemberOrder::kAsWritten).error;
  if (!out.errors.empty()) return out;
  if (!out.server_error.empty()) {
    out.errors.emplace_back(base::ErrorCode::kInvalid, out.server_error);
    return out;
  }
  schema::DefaultOptions options;
  options.plugins = false;
  out.value = ApplyDefaults(arena, schema::Default(value, types, arena, options));
  return out;
}

bool ReportDecoded(const Decoded& decoded, const SourceDocument& document, LoadMode mode,
                   LoadReport& report) {
  if (mode == LoadMode::kApiServer && decoded.errors.empty()) {
    std::string text = OldVersion(document.value);
    if (!text.empty()) report.warnings.push_back(std::move(text));
  }
  for (base::Error error : decoded.errors) {
    error.span = document.span;
    if (!report.refusal) {
      Status status;
      status.code = 400;
      status.reason = "BadRequest";
      status.message = decoded.server_error.empty()
                           ? error.message
                           : CannotBeHandled(document.value) + decoded.server_error;
      status.has_details = false;
      report.refusal = std::move(status);
    }
    report.errors.push_back(std::move(error));
  }
  for (std::size_t i = 0; i < decoded.unknown_fields.size(); ++i) {
    const std::string& path = decoded.unknown_fields[i];
    const std::string text = "unknown field \"" + path + "\"";
    if (mode == LoadMode::kApiServer) {
      report.warnings.push_back(text);
      continue;
    }
    base::Error error(base::ErrorCode::kUnknownField, text, path);
    error.span = document.span;
    if (!decoded.hints[i].empty()) error.hint = "did you mean \"" + decoded.hints[i] + "\"?";
    report.errors.push_back(std::move(error));
  }
  return report.errors.empty();
}

bool ReportFieldErrors(const FieldErrors& errors, const SourceDocument& document,
                       LoadReport& report) {
  if (errors.empty()) return true;
  const doc::Value& value = document.value;
  report.refusal = errors.ToStatus(value.StringAt("kind"), kGroup, NameOf(value));
  for (base::Error error : errors.list()) {
    error.span = document.span;
    report.errors.push_back(std::move(error));
  }
  return false;
}

}  // namespace portcullis::policy
