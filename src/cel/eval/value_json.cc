#include "cel/eval/value_json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/base64.h"
#include "base/time.h"
#include "cel/check/type.h"
#include "cel/eval/host_type.h"
#include "cel/eval/native.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::MapEntry;
using doc::Tag;
using doc::Value;

Value Object(base::Arena& arena,
             std::initializer_list<std::pair<std::string_view, Value>> members) {
  std::vector<MapEntry> entries;
  for (const auto& [name, value] : members) entries.push_back({Value::String(name), value});
  return doc::MakeMap(arena, entries);
}

Value Text(base::Arena& arena, std::string_view text) { return doc::MakeString(arena, text); }

Value DoubleForm(double d) {
  if (std::isnan(d)) return Value::String("NaN");
  if (std::isinf(d)) return Value::String(d > 0 ? "Infinity" : "-Infinity");
  return Value::Double(d);
}

Value MapForm(base::Arena& arena, const Value& map) {
  if (map.size() == 0) return Object(arena, {{"mapValue", Value::EmptyMap()}});
  std::vector<MapEntry> sorted(map.as_map().begin(), map.as_map().end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const MapEntry& a, const MapEntry& b) {
    return ValueText(a.key) < ValueText(b.key);
  });
  std::vector<Value> entries;
  for (const MapEntry& entry : sorted) {
    entries.push_back(Object(arena, {{"key", ToExprValue(arena, entry.key)},
                                     {"value", ToExprValue(arena, entry.value)}}));
  }
  return Object(arena, {{"mapValue", Object(arena, {{"entries", doc::MakeList(arena, entries)}})}});
}

Value ListForm(base::Arena& arena, const Value& list) {
  if (list.size() == 0) return Object(arena, {{"listValue", Value::EmptyMap()}});
  std::vector<Value> items;
  for (const Value& item : list.as_list()) items.push_back(ToExprValue(arena, item));
  return Object(arena, {{"listValue", Object(arena, {{"values", doc::MakeList(arena, items)}})}});
}

Value JsonPatchForm(base::Arena& arena, const Value& fields) {
  std::vector<MapEntry> members;
  for (const std::string_view name : {"from", "op", "path"}) {
    members.push_back({Value::String(name), Text(arena, fields.StringAt(name))});
  }
  if (const Value* value = fields.Find("value")) {
    members.push_back({Value::String("value"), ToExprValue(arena, *value)});
  }
  return Object(arena, {{"jsonPatchValue", doc::MakeMap(arena, members)}});
}

Value HostForm(base::Arena& arena, const Value& value) {
  if (!IsStruct(value)) {
    const CelHostType& type = HostTypeOf(value);
    const Value name = Text(arena, type.name);
    if (type.text == nullptr)
      return Object(arena, {{"opaqueValue", Object(arena, {{"type", name}})}});
    return Object(arena, {{"opaqueValue", Object(arena, {{"text", Text(arena, type.text(value))},
                                                         {"type", name}})}});
  }
  const StructRep& object = AsStruct(value);
  if (object.type_name == "JSONPatch") return JsonPatchForm(arena, object.fields);
  if (!object.type_name.starts_with("Object")) {
    return Object(arena,
                  {{"opaqueValue", Object(arena, {{"type", Text(arena, object.type_name)}})}});
  }
  std::vector<MapEntry> members = {{Value::String("@type"), Text(arena, object.type_name)}};
  Value native;
  std::string error;
  if (ToNative(arena, value, native, error)) {
    members.push_back({Value::String("native"), native});
  } else {
    members.push_back({Value::String("conversionError"), Text(arena, error)});
  }
  const std::string names = ObjectTypeNameErrors(value);
  if (!names.empty()) members.push_back({Value::String("typeNameError"), Text(arena, names)});
  return Object(arena, {{"mutationObject", doc::MakeMap(arena, members)}});
}

// Seconds with nine, six, three or no decimals, as protobuf writes durations.
std::string ExactDuration(std::int64_t nanoseconds) {
  const bool negative = nanoseconds < 0;
  std::uint64_t rest = negative ? 0 - static_cast<std::uint64_t>(nanoseconds)
                                : static_cast<std::uint64_t>(nanoseconds);
  constexpr std::uint64_t kSecond = 1'000'000'000;
  std::string out = (negative ? "-" : "") + std::to_string(rest / kSecond);
  rest %= kSecond;
  if (rest != 0) {
    std::string digits = std::to_string(kSecond + rest).substr(1);
    while (digits.ends_with("000")) digits.resize(digits.size() - 3);
    out += "." + digits;
  }
  return out + "s";
}

Value TimeForm(base::Arena& arena, std::string_view type, std::string_view text) {
  return Object(
      arena,
      {{"objectValue", Object(arena, {{"@type", Text(arena, "type.googleapis.com/google.protobuf." +
                                                                std::string(type))},
                                      {"value", Text(arena, text)}})}});
}

}  // namespace

Value ToExprValue(base::Arena& arena, const Value& value) {
  switch (value.tag()) {
    case Tag::kNull:
      return Object(arena, {{"nullValue", Value::Null()}});
    case Tag::kBool:
      return Object(arena, {{"boolValue", value}});
    case Tag::kInt:
      return Object(arena, {{"int64Value", Text(arena, std::to_string(value.as_int()))}});
    case Tag::kUint:
      return Object(arena, {{"uint64Value", Text(arena, std::to_string(value.as_uint()))}});
    case Tag::kDouble:
      return Object(arena, {{"doubleValue", DoubleForm(value.as_double())}});
    case Tag::kString:
      return Object(arena, {{"stringValue", value}});
    case Tag::kBytes:
      return Object(arena, {{"bytesValue", Text(arena, base::Base64Encode(value.as_string()))}});
    case Tag::kList:
      return ListForm(arena, value);
    case Tag::kMap:
      return MapForm(arena, value);
    case Tag::kDuration:
      return TimeForm(arena, "Duration", ExactDuration(value.duration_ns()));
    case Tag::kTimestamp:
      return TimeForm(arena, "Timestamp",
                      base::FormatRfc3339({value.timestamp_seconds(), value.timestamp_nanos(), 0}));
    case Tag::kType:
      return Object(arena, {{"typeValue",
                             Text(arena, BareName(*static_cast<const Type*>(value.type_ptr())))}});
    case Tag::kOptional:
      return Object(arena, {{"optionalValue", value.has_value() ? ToExprValue(arena, value.held())
                                                                : Value::Null()}});
    case Tag::kHost:
      return HostForm(arena, value);
    case Tag::kError:
      break;
  }
  return Object(arena, {{"errorValue", Text(arena, value.error()->message)}});
}

namespace {

bool ParseInteger(std::string_view text, bool is_unsigned, Value& out) {
  std::uint64_t magnitude = 0;
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty()) return false;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    if (__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude) ||
        __builtin_add_overflow(magnitude, static_cast<std::uint64_t>(c - '0'), &magnitude)) {
      return false;
    }
  }
  if (is_unsigned) {
    out = Value::Uint(magnitude);
    return !negative;
  }
  out = Value::Int(static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude));
  return true;
}

bool FromList(base::Arena& arena, const Value& form, Value& out) {
  const Value* values = form.Find("values");
  std::vector<Value> items;
  if (values != nullptr && values->is_list()) {
    for (const Value& item : values->as_list()) {
      items.emplace_back();
      if (!FromExprValue(arena, item, items.back())) return false;
    }
  }
  out = doc::MakeList(arena, items);
  return true;
}

bool FromMap(base::Arena& arena, const Value& form, Value& out) {
  const Value* list = form.Find("entries");
  std::vector<MapEntry> entries;
  if (list != nullptr && list->is_list()) {
    for (const Value& entry : list->as_list()) {
      const Value* key = entry.Find("key");
      const Value* value = entry.Find("value");
      if (key == nullptr || value == nullptr) return false;
      entries.emplace_back();
      if (!FromExprValue(arena, *key, entries.back().key)) return false;
      if (!FromExprValue(arena, *value, entries.back().value)) return false;
    }
  }
  out = doc::MakeMap(arena, entries);
  return true;
}

bool FromObject(const Value& form, Value& out) {
  const std::string_view type = form.StringAt("@type");
  const std::string_view text = form.StringAt("value");
  if (type.ends_with("google.protobuf.Duration")) {
    std::int64_t ns = 0;
    if (!base::ParseGoDuration(text, ns)) return false;
    out = Value::Duration(ns);
    return true;
  }
  if (type.ends_with("google.protobuf.Timestamp")) {
    const auto instant = base::ParseRfc3339(text, base::TimeRules::kLenient);
    if (!instant) return false;
    out = Value::Timestamp(instant->seconds, instant->nanos, instant->offset_minutes);
    return true;
  }
  return false;
}

const Type* NamedType(std::string_view name) {
  struct Row {
    std::string_view name;
    const Type* type;
  };
  static const Row kRows[] = {
      {"bool", &types::kBool},
      {"int", &types::kInt},
      {"uint", &types::kUint},
      {"double", &types::kDouble},
      {"string", &types::kString},
      {"bytes", &types::kBytes},
      {"list", &types::kList},
      {"map", &types::kMap},
      {"type", &types::kType},
      {"null_type", &types::kNull},
      {"google.protobuf.Duration", &types::kDuration},
      {"google.protobuf.Timestamp", &types::kTimestamp},
      {"optional_type", &types::kOptional},
  };
  for (const Row& row : kRows) {
    if (row.name == name) return row.type;
  }
  return nullptr;
}

}  // namespace

bool FromExprValue(base::Arena& arena, const Value& document, Value& out) {
  if (!document.is_map() || document.size() != 1) return false;
  const std::string_view kind = document.as_map()[0].key.as_string();
  const Value& held = document.as_map()[0].value;
  if (kind == "nullValue") {
    out = Value::Null();
    return true;
  }
  if (kind == "boolValue" || kind == "stringValue") {
    out = held;
    return held.is_bool() || held.is_string();
  }
  if (kind == "int64Value" || kind == "uint64Value") {
    if (held.is_int()) {
      out = kind == "int64Value" ? held : Value::Uint(held.as_uint());
      return true;
    }
    return held.is_string() && ParseInteger(held.as_string(), kind == "uint64Value", out);
  }
  if (kind == "doubleValue") {
    if (held.is_int()) out = Value::Double(static_cast<double>(held.as_int()));
    if (held.tag() == Tag::kDouble) out = held;
    if (held.is_string()) {
      const std::string_view text = held.as_string();
      const double infinity = std::numeric_limits<double>::infinity();
      out = Value::Double(text == "NaN" ? std::numeric_limits<double>::quiet_NaN()
                                        : (text.starts_with('-') ? -infinity : infinity));
    }
    return out.tag() == Tag::kDouble;
  }
  if (kind == "bytesValue") {
    auto bytes = base::Base64Decode(held.is_string() ? held.as_string() : "");
    if (!bytes.ok()) return false;
    out = Value::Bytes(arena.CopyString(*bytes));
    return true;
  }
  if (kind == "listValue") return FromList(arena, held, out);
  if (kind == "mapValue") return FromMap(arena, held, out);
  if (kind == "objectValue") return FromObject(held, out);
  if (kind == "typeValue") {
    const Type* type = held.is_string() ? NamedType(held.as_string()) : nullptr;
    out = Value::Type(type);
    return type != nullptr;
  }
  if (kind == "optionalValue") {
    out = Value::OptionalNone();
    if (held.is_null()) return true;
    Value inner;
    if (!FromExprValue(arena, held, inner)) return false;
    out = Value::OptionalOf(arena.New<Value>(inner));
    return true;
  }
  return false;
}

}  // namespace portcullis::cel
