// json.marshal, json.unmarshal and yaml.parse (spec/kyverno-cel-policies.md 10.7).

#include <string>

#include "cel/eval/host_type.h"
#include "cel/kyverno/convert.h"
#include "cel/kyverno/libraries.h"
#include "cel/lib/call_support.h"
#include "json/reader.h"
#include "json/writer.h"
#include "yaml/reader.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// The variables are values without anything inside.
constexpr Type kJsonType{TypeKind::kOpaque, "json.Json", {}};
constexpr Type kYamlType{TypeKind::kOpaque, "yaml.Yaml", {}};

Value SameKind(CallContext&, const Value& a, const Value& b) {
  return Value::Bool(b.tag() == doc::Tag::kHost && b.host()->type == a.host()->type);
}

constexpr CelHostType MakeHost(const Type& type) {
  CelHostType host;
  host.name = type.name;
  host.equal = SameKind;
  host.type_value = &type;
  return host;
}

constexpr CelHostType kJsonHost = MakeHost(kJsonType);
constexpr CelHostType kYamlHost = MakeHost(kYamlType);
constexpr doc::HostRep kJsonValue{&kJsonHost};
constexpr doc::HostRep kYamlValue{&kYamlHost};

Value Unmarshal(CallContext& context, Args args) noexcept {
  std::string_view text;
  std::string error;
  if (!kyverno::NativeString(context.arena, args[1], text, error)) return context.Error(error);
  const auto value = json::Parse(text, context.arena);
  if (!value.ok()) return context.Error(value.error().message);
  return kyverno::WithDoubles(context.arena, *value);
}

Value Marshal(CallContext& context, Args args) noexcept {
  Value document;
  std::string error;
  if (!kyverno::JsonDocument(context.arena, args[1], document, error)) return context.Error(error);
  json::WriteOptions options;
  options.escape_html = true;
  options.sort_keys = true;
  return context.String(json::ToString(document, options));
}

Value ParseYaml(CallContext& context, Args args) noexcept {
  const auto value = yaml::Parse(args[1].as_string(), context.arena);
  if (!value.ok()) {
    return context.Error("error converting YAML to JSON: " + value.error().message);
  }
  return kyverno::WithDoubles(context.arena, *value);
}

constexpr Overload kJsonOverloads[] = {
    {"unmarshal_string_dyn", "unmarshal", "(json.Json, dyn) -> dyn", Unmarshal, kMember},
    {"marshal_dyn_string", "marshal", "(json.Json, dyn) -> string", Marshal, kMember},
};
constexpr Overload kYamlOverloads[] = {
    {"parse_string_dyn", "parse", "(yaml.Yaml, string) -> dyn", ParseYaml, kMember},
};

constexpr Library kJsonLibrary{"kyverno.json", kJsonOverloads};
constexpr Library kYamlLibrary{"kyverno.yaml", kYamlOverloads};

}  // namespace

const Library& KyvernoJsonLibrary() { return kJsonLibrary; }
const Library& KyvernoYamlLibrary() { return kYamlLibrary; }

bool KyvernoLibraryValue(std::string_view name, Value& out) {
  if (name == "json") {
    out = Value::Host(&kJsonValue);
  } else if (name == "yaml") {
    out = Value::Host(&kYamlValue);
  } else if (name == "mylib_version") {
    out = Value::String("", Value::kAscii);
  } else {
    return false;
  }
  return true;
}

}  // namespace portcullis::cel
