#include "cel/eval/native.h"

#include "base/base64.h"
#include "base/time.h"
#include "cel/eval/struct_value.h"
#include "cel/eval/value_weight.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Tag;
using doc::Value;

// Names of the Go types that keys have before conversion.
std::string_view GoKeyType(const Value& key) {
  return key.is_number() ? GoNumberName(key) : RuntimeTypeName(key);
}

bool Convert(base::Arena& arena, const Value& value, bool in_struct, Value& out,
             std::string& error) {
  switch (value.tag()) {
    case Tag::kNull:
      out = in_struct ? Value::Int(0) : Value::Null();
      return true;
    case Tag::kBool:
    case Tag::kInt:
    case Tag::kDouble:
    case Tag::kString:
      out = value;
      return true;
    case Tag::kUint:
      out = value.as_int() >= 0 ? Value::Int(value.as_int())
                                : Value::Double(static_cast<double>(value.as_uint()));
      return true;
    case Tag::kBytes:
      out = doc::MakeString(arena, base::Base64Encode(value.as_string()));
      return true;
    case Tag::kDuration:
      out = doc::MakeString(arena, base::CelDuration(value.duration_ns()));
      return true;
    case Tag::kTimestamp:
      out = doc::MakeString(arena,
                            base::FormatRfc3339({value.timestamp_seconds(), value.timestamp_nanos(),
                                                 value.timestamp_offset_minutes()}));
      return true;
    case Tag::kList: {
      auto* items = arena.AllocateArray<Value>(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (!Convert(arena, value.as_list()[i], in_struct, items[i], error)) return false;
      }
      out = Value::List({items, value.size()});
      return true;
    }
    case Tag::kMap: {
      auto* entries = arena.AllocateArray<doc::MapEntry>(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        const doc::MapEntry& entry = value.as_map()[i];
        if (!entry.key.is_string()) {
          error = "map key " + ValueText(entry.key) + " is of type " +
                  std::string(GoKeyType(entry.key)) + ", not string";
          return false;
        }
        entries[i].key = entry.key;
        if (!Convert(arena, entry.value, in_struct, entries[i].value, error)) return false;
      }
      out = doc::MakeMap(arena, {entries, value.size()});
      return true;
    }
    case Tag::kOptional:
      if (value.has_value()) return Convert(arena, value.held(), in_struct, out, error);
      out = Value::Null();
      return true;
    case Tag::kHost:
      if (IsStruct(value)) return Convert(arena, AsStruct(value).fields, true, out, error);
      break;
    case Tag::kType:
    case Tag::kError:
      break;
  }
  error = "unsupported type " + std::string(RuntimeTypeName(value)) + " in a mutation";
  return false;
}

constexpr int kMaxNameDepth = 1000;

void CollectTypeNameErrors(const Value& value, std::string& path, int depth, std::string& errors) {
  if (depth > kMaxNameDepth) return;
  if (IsStruct(value)) {
    const StructRep& object = AsStruct(value);
    if (object.type_name != path) {
      if (!errors.empty()) errors += '\n';
      errors += "unexpected type name \"" + std::string(object.type_name) + "\", expected \"" +
                path + "\", which matches field name path from root Object type";
    }
    for (const doc::MapEntry& entry : object.fields.as_map()) {
      const std::size_t mark = path.size();
      path += '.';
      path += entry.key.as_string();
      CollectTypeNameErrors(entry.value, path, depth + 1, errors);
      path.resize(mark);
    }
  } else if (value.is_list()) {
    for (const Value& item : value.as_list()) {
      CollectTypeNameErrors(item, path, depth + 1, errors);
    }
  } else if (value.is_map()) {
    for (const doc::MapEntry& entry : value.as_map()) {
      CollectTypeNameErrors(entry.value, path, depth + 1, errors);
    }
  }
}

}  // namespace

bool ToNative(base::Arena& arena, const Value& value, Value& out, std::string& error) {
  if (IsTooLarge(value)) {
    error = kValueTooLarge;
    return false;
  }
  return Convert(arena, value, false, out, error);
}

std::string ObjectTypeNameErrors(const Value& value) {
  std::string errors;
  if (!IsStruct(value)) return errors;
  std::string path(AsStruct(value).type_name);
  CollectTypeNameErrors(value, path, 0, errors);
  return errors;
}

}  // namespace portcullis::cel
