#include "policy/admission/mutation_values.h"

#include <cmath>

#include "base/base64.h"
#include "base/time.h"
#include "cel/eval/native.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_ops.h"
#include "patch/go_value_text.h"

namespace portcullis::policy {
namespace {

using doc::Tag;
using doc::Value;

constexpr std::int64_t kMaxSafeInt = (std::int64_t{1} << 53) - 1;
constexpr int kMaxDepth = 1000;

// A map literal inside a list or map literal: the server leaves it in CEL's own form, which the
// merge does not take for a map. Represented as an optional that holds it.
bool IsOpaque(const Value& value) {
  return value.is_map() && (value.flags() & Value::kLiteral) != 0;
}

class PartialObject {
 public:
  explicit PartialObject(base::Arena& arena) : arena_(arena) {}

  // A member of an Object{...}, or of a document.
  bool Convert(const Value& value, int depth, Value& out) {
    if (depth > kMaxDepth) return false;
    switch (value.tag()) {
      case Tag::kList:
        return ConvertList(value, depth, out);
      case Tag::kMap:
        return ConvertMap(value, (value.flags() & Value::kLiteral) != 0, depth, out);
      case Tag::kOptional:
        if (value.has_value()) return Convert(value.held(), depth + 1, out);
        out = Value::Null();
        return true;
      case Tag::kHost:
        if (cel::IsStruct(value)) {
          return ConvertMap(cel::AsStruct(value).fields, false, depth, out);
        }
        out = value;
        return true;
      default:
        out = value;
        return true;
    }
  }

 private:
  bool ConvertMember(const Value& value, bool of_literal, int depth, Value& out) {
    if (!of_literal || !IsOpaque(value)) return Convert(value, depth + 1, out);
    out = Value::OptionalOf(arena_.New<Value>(value));
    return true;
  }

  bool ConvertList(const Value& value, int depth, Value& out) {
    // The items of `a + b` are converted one by one, as fields are.
    const bool literal = (value.flags() & Value::kConcat) == 0;
    auto* items = arena_.AllocateArray<Value>(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!ConvertMember(value.as_list()[i], literal, depth, items[i])) return false;
    }
    out = Value::List({items, value.size()});
    return true;
  }

  bool ConvertMap(const Value& value, bool literal, int depth, Value& out) {
    auto* entries = arena_.AllocateArray<doc::MapEntry>(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      const doc::MapEntry& entry = value.as_map()[i];
      if (!entry.key.is_string()) return false;
      entries[i].key = entry.key;
      if (!ConvertMember(entry.value, literal, depth, entries[i].value)) return false;
    }
    out = doc::MakeMap(arena_, {entries, value.size()});
    return true;
  }

  base::Arena& arena_;
};

// "kubernetes.Quantity" -> "Quantity"; what authorizes keeps its whole name.
std::string_view ShortTypeName(const Value& value) {
  const std::string_view name = cel::TypeOfValue(value)->name;
  if (name.starts_with("kubernetes.authorization.")) return name;
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

// The value as JSON. Numbers go through doubles on the way, so whole ones come out as integers, and
// integers that a double cannot hold become strings.
class JsonConverter {
 public:
  JsonConverter(base::Arena& arena, const UnwritableValues* unwritable)
      : arena_(arena), unwritable_(unwritable) {}

  bool Convert(const Value& value, int depth, Value& out) {
    if (depth > kMaxDepth) return Fail("exceeded max recursion depth");
    if (in_object_) return ConvertInObject(value, depth, out);
    return ConvertPlain(value, depth, out);
  }

  std::string error;

 private:
  bool Fail(std::string text) {
    error = std::move(text);
    return false;
  }

  // Members of an Object{...} take another way through the server: no integer becomes a string, and
  // what has no JSON form of its own is refused.
  bool ConvertInObject(const Value& value, int depth, Value& out) {
    switch (value.tag()) {
      case Tag::kInt:
        return ConvertDouble(static_cast<double>(value.as_int()), out);
      case Tag::kUint:
        return ConvertDouble(static_cast<double>(value.as_uint()), out);
      case Tag::kNull:
      case Tag::kDuration:
      case Tag::kTimestamp:
        return Fail("proto: invalid type: " + patch::GoTypeName(value));
      default:
        return ConvertPlain(value, depth, out);
    }
  }

  bool ConvertPlain(const Value& value, int depth, Value& out) {
    if (unwritable_ != nullptr && (value.is_list() || value.is_map())) {
      std::string reason = unwritable_->Reason(value);
      if (!reason.empty()) return Fail(std::move(reason));
    }
    switch (value.tag()) {
      case Tag::kNull:
      case Tag::kBool:
      case Tag::kString:
        out = value;
        return true;
      case Tag::kInt: {
        const std::int64_t n = value.as_int();
        const bool safe = n >= -kMaxSafeInt && n <= kMaxSafeInt;
        out = safe ? value : doc::MakeString(arena_, std::to_string(n));
        return true;
      }
      case Tag::kUint: {
        const std::uint64_t n = value.as_uint();
        out = n <= static_cast<std::uint64_t>(kMaxSafeInt)
                  ? Value::Int(static_cast<std::int64_t>(n))
                  : doc::MakeString(arena_, std::to_string(n));
        return true;
      }
      case Tag::kDouble:
        return ConvertDouble(value.as_double(), out);
      case Tag::kBytes:
        out = doc::MakeString(arena_, base::Base64Encode(value.as_string()));
        return true;
      case Tag::kDuration:
        out = doc::MakeString(arena_, base::CelDuration(value.duration_ns()));
        return true;
      case Tag::kTimestamp:
        out = doc::MakeString(
            arena_, base::FormatRfc3339({value.timestamp_seconds(), value.timestamp_nanos(),
                                         value.timestamp_offset_minutes()}));
        return true;
      case Tag::kOptional:
        if (!value.has_value()) return Fail("optional.none() dereference");
        return Convert(value.held(), depth + 1, out);
      case Tag::kList:
        return ConvertList(value, depth, out);
      case Tag::kMap:
        return ConvertMap(value, depth, out);
      case Tag::kHost:
        if (cel::IsStruct(value) && cel::AsStruct(value).type_name == "JSONPatch") {
          return Fail("cannot convert to native type: *structpb.Value");
        }
        if (cel::IsStruct(value)) return ConvertObject(cel::AsStruct(value).fields, depth, out);
        return Fail("type conversion error from '" + std::string(ShortTypeName(value)) +
                    "' to '*structpb.Value'");
      case Tag::kType:
        return Fail("type conversion not supported for 'type'");
      case Tag::kError:
        break;
    }
    return Fail("unsupported value");
  }

  bool ConvertObject(const Value& fields, int depth, Value& out) {
    const bool outer = in_object_;
    in_object_ = true;
    const bool done = ConvertMap(fields, depth, out);
    in_object_ = outer;
    return done;
  }

  bool ConvertDouble(double number, Value& out) {
    if (!std::isfinite(number)) {
      const std::string_view shown = std::isnan(number) ? "NaN" : number > 0 ? "+Inf" : "-Inf";
      return Fail(
          "json: error calling MarshalJSON for type *structpb.Value: proto: "
          "google.protobuf.Value.number_value: invalid " +
          std::string(shown) + " value");
    }
    const bool whole = number == std::floor(number) && number >= -9223372036854775808.0 &&
                       number < 9223372036854775808.0;
    out = whole ? Value::Int(static_cast<std::int64_t>(number)) : Value::Double(number);
    return true;
  }

  bool ConvertList(const Value& value, int depth, Value& out) {
    auto* items = arena_.AllocateArray<Value>(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (!Convert(value.as_list()[i], depth + 1, items[i])) return false;
    }
    out = Value::List({items, value.size()});
    return true;
  }

  bool ConvertMap(const Value& value, int depth, Value& out) {
    auto* entries = arena_.AllocateArray<doc::MapEntry>(value.size());
    for (std::size_t i = 0; i < value.size(); ++i) {
      const doc::MapEntry& entry = value.as_map()[i];
      if (!entry.key.is_string()) return FailKey(entry.key);
      entries[i].key = entry.key;
      if (!Convert(entry.value, depth + 1, entries[i].value)) return false;
    }
    out = doc::MakeMap(arena_, {entries, value.size()});
    return true;
  }

  bool FailKey(const Value& key) {
    switch (key.tag()) {
      case Tag::kInt:
        return Fail("unsupported type conversion from 'int' to string");
      case Tag::kUint:
        return Fail("unsupported type conversion from 'uint' to string");
      case Tag::kBool:
        return Fail("type conversion error from bool to 'string'");
      default:
        return Fail("type conversion error from 'double' to 'string'");
    }
  }

  base::Arena& arena_;
  const UnwritableValues* unwritable_;
  bool in_object_ = false;
};

}  // namespace

bool ToPartialObject(base::Arena& arena, const Value& value, Value& out) {
  return PartialObject(arena).Convert(value, 0, out);
}

bool ToOperations(base::Arena& arena, const Value& list, std::vector<patch::Operation>& operations,
                  std::string& error, const UnwritableValues* unwritable) {
  operations.reserve(list.size());
  for (const Value& item : list.as_list()) {
    if (!cel::IsStruct(item)) {
      error = "type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch";
      return false;
    }
    const Value& fields = cel::AsStruct(item).fields;
    patch::Operation& operation = operations.emplace_back();
    operation.op = fields.StringAt("op");
    operation.path = fields.StringAt("path");
    if (const std::string_view from = fields.StringAt("from"); !from.empty()) {
      operation.from = from;
    }
    const Value* value = fields.Find("value");
    if (value == nullptr) continue;
    const std::string mismatch = cel::ObjectTypeNameErrors(*value);
    if (!mismatch.empty()) {
      error = "type mismatch: " + mismatch;
      return false;
    }
    JsonConverter converter(arena, unwritable);
    if (!converter.Convert(*value, 0, operation.value)) {
      error = "JSONPath valueExpression evaluated to a type that could not marshal to JSON: " +
              converter.error;
      return false;
    }
    operation.has_value = operation.null_is_value = true;
  }
  return true;
}

}  // namespace portcullis::policy
