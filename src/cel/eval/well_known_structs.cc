#include "cel/eval/well_known_structs.h"

#include <limits>
#include <string>

#include "base/gotext.h"
#include "cel/eval/struct_value.h"
#include "cel/kyverno/native_struct.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Tag;
using doc::Value;

constexpr std::string_view kPrefix = "google.protobuf.";

struct WrapperRow {
  std::string_view name;
  Tag tag;
};
constexpr WrapperRow kWrappers[] = {
    {"BoolValue", Tag::kBool},     {"Int32Value", Tag::kInt},     {"Int64Value", Tag::kInt},
    {"UInt32Value", Tag::kUint},   {"UInt64Value", Tag::kUint},   {"FloatValue", Tag::kDouble},
    {"DoubleValue", Tag::kDouble}, {"StringValue", Tag::kString}, {"BytesValue", Tag::kBytes},
};

Value Zero(Tag tag) {
  switch (tag) {
    case Tag::kBool:
      return Value::Bool(false);
    case Tag::kInt:
      return Value::Int(0);
    case Tag::kUint:
      return Value::Uint(0);
    case Tag::kDouble:
      return Value::Double(0);
    case Tag::kString:
      return Value::String("");
    case Tag::kBytes:
      return Value::Bytes("");
    default:
      return Value::Null();
  }
}

Value FieldError(CallContext& context, const WrapperRow& row, std::string_view reason) {
  return context.Error("field type conversion error for " + std::string(kPrefix) +
                       std::string(row.name) + ".value value type: " + std::string(reason));
}

Value Wrapper(CallContext& context, const WrapperRow& row, const Value& fields) {
  const Value* value = fields.Find("value");
  if (value == nullptr) return Zero(row.tag);
  if (value->is_null()) return Value::Null();
  if (value->tag() != row.tag) {
    return context.Error("unsupported field conversion: " + std::string(RuntimeTypeName(*value)));
  }
  if (row.name == "Int32Value" && (value->as_int() > std::numeric_limits<std::int32_t>::max() ||
                                   value->as_int() < std::numeric_limits<std::int32_t>::min())) {
    return FieldError(context, row, "integer overflow");
  }
  if (row.name == "UInt32Value" && value->as_uint() > std::numeric_limits<std::uint32_t>::max()) {
    return FieldError(context, row, "unsigned integer overflow");
  }
  if (row.name == "FloatValue") {
    return Value::Double(static_cast<double>(static_cast<float>(value->as_double())));
  }
  return *value;
}

std::int64_t IntField(const Value& fields, std::string_view name) {
  const Value* value = fields.Find(name);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

Value TimeMessage(CallContext& context, bool duration, const Value& fields) {
  const std::int64_t seconds = IntField(fields, "seconds");
  const std::int64_t nanos = IntField(fields, "nanos");
  if (duration) {
    std::int64_t total = 0;
    if (__builtin_mul_overflow(seconds, std::int64_t{1'000'000'000}, &total) ||
        __builtin_add_overflow(total, nanos, &total)) {
      return context.Error("integer overflow");
    }
    return Value::Duration(total);
  }
  if (seconds < -62135596800 || seconds > 253402300799 || nanos < 0 || nanos > 999'999'999) {
    return context.Error("timestamp overflow");
  }
  return Value::Timestamp(seconds, static_cast<std::uint32_t>(nanos));
}

Value WellKnown(CallContext& context, const Type* type, std::string_view type_name,
                const Value& fields) {
  const std::string_view name = type_name.substr(kPrefix.size());
  for (const WrapperRow& row : kWrappers) {
    if (row.name == name) return Wrapper(context, row, fields);
  }
  if (name == "Struct") {
    const Value* members = fields.Find("fields");
    return members != nullptr ? *members : Value::EmptyMap();
  }
  if (name == "ListValue") {
    const Value* values = fields.Find("values");
    return values != nullptr ? *values : Value::List({});
  }
  if (name == "Value") return fields.size() == 0 ? Value::Null() : fields.as_map()[0].value;
  if (name == "Timestamp" || name == "Duration") {
    return TimeMessage(context, name == "Duration", fields);
  }
  if (name == "Any") {
    // The message is printed in protobuf's text form.
    std::string text = "unsupported conversion to ref.Val: (*dynamicpb.Message)";
    for (const doc::MapEntry& field : fields.as_map()) {
      text += std::string(field.key.as_string()) + ":" +
              base::GoQuote(field.value.tag() == Tag::kString || field.value.tag() == Tag::kBytes
                                ? field.value.as_string()
                                : std::string_view());
    }
    return context.Error(text);
  }
  return MakeStruct(context.arena, type, type_name, fields);
}

// The Go type behind a CEL value.
std::string_view GoNativeType(const Value& value) {
  if (value.is_number()) return GoNumberName(value);
  switch (value.tag()) {
    case Tag::kBytes:
      return "[]uint8";
    case Tag::kNull:
      return "structpb.NullValue";
    case Tag::kList:
      return "[]ref.Val";
    case Tag::kMap:
      return "map[ref.Val]ref.Val";
    default:
      return RuntimeTypeName(value);
  }
}

Value JsonPatch(CallContext& context, const Type* type, std::string_view type_name,
                const Value& fields) {
  for (const doc::MapEntry& entry : fields.as_map()) {
    const std::string_view field = entry.key.as_string();
    if (field == "value") continue;
    if (field != "op" && field != "path" && field != "from") {
      return context.Error("unexpected JSONPatchType field: " + std::string(field));
    }
    if (!entry.value.is_string()) {
      return context.Error("unexpected type " + std::string(GoNativeType(entry.value)) +
                           " for JSONPatchType '" + std::string(field) + "' field");
    }
  }
  return MakeStruct(context.arena, type, type_name, fields);
}

}  // namespace

Value BuildStruct(CallContext& context, const Type* type, std::string_view type_name,
                  const Value& fields) {
  if (type_name.starts_with(kPrefix)) return WellKnown(context, type, type_name, fields);
  if (type_name == "JSONPatch") return JsonPatch(context, type, type_name, fields);
  Value out;
  if (BuildKyvernoStruct(context, type_name, fields, out)) return out;
  return MakeStruct(context.arena, type, type_name, fields);
}

}  // namespace portcullis::cel
