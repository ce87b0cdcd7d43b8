#include "cel/kyverno/convert.h"

#include <cmath>

#include "absl/container/flat_hash_map.h"
#include "base/base64.h"
#include "cel/eval/host_type.h"
#include "cel/eval/value_weight.h"
#include "cel/kyverno/native_struct.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel::kyverno {
namespace {

using doc::Tag;
using doc::Value;

bool Convert(base::Arena& arena, const Value& value, bool outermost, Value& out,
             std::string& error);

bool ConvertMap(base::Arena& arena, const Value& map, bool outermost, Value& out,
                std::string& error) {
  auto* entries = arena.AllocateArray<doc::MapEntry>(map.size());
  for (std::size_t i = 0; i < map.size(); ++i) {
    const doc::MapEntry& entry = map.as_map()[i];
    if (!entry.key.is_string()) {
      const std::string type(GoNativeName(entry.key));
      error = outermost
                  ? "json: failed to convert CEL map to native map: " +
                        ConversionError(entry.key, "string")
                  : "json: unsupported map key type " + type + " (original key type: " + type + ")";
      return false;
    }
    entries[i].key = entry.key;
    if (!Convert(arena, entry.value, false, entries[i].value, error)) return false;
  }
  out = doc::MakeMap(arena, {entries, map.size()});
  return true;
}

bool Convert(base::Arena& arena, const Value& value, bool outermost, Value& out,
             std::string& error) {
  switch (value.tag()) {
    case Tag::kNull:
    case Tag::kBool:
    case Tag::kInt:
    case Tag::kUint:
    case Tag::kString:
      out = value;
      return true;
    case Tag::kDouble: {
      const double number = value.as_double();
      out = value;
      if (std::isfinite(number)) return true;
      error = std::string("json: unsupported value: ") + (std::isnan(number) ? "NaN"
                                                          : number > 0       ? "+Inf"
                                                                             : "-Inf");
      return false;
    }
    case Tag::kBytes:
      out = doc::MakeString(arena, base::Base64Encode(value.as_string()));
      return true;
    case Tag::kDuration:
      out = Value::Int(value.duration_ns());
      return true;
    case Tag::kTimestamp:
      out = doc::MakeString(arena, base::FormatRfc3339(InstantOf(value)));
      return true;
    case Tag::kList: {
      auto* items = arena.AllocateArray<Value>(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (!Convert(arena, value.as_list()[i], false, items[i], error)) return false;
      }
      out = Value::List({items, value.size()});
      return true;
    }
    case Tag::kMap:
      return ConvertMap(arena, value, outermost, out, error);
    case Tag::kOptional:
      if (value.has_value()) return Convert(arena, value.held(), false, out, error);
      out = Value::Null();
      return true;
    case Tag::kHost:
      if (KyvernoStructDocument(arena, value, out)) return true;
      if (HostTypeOf(value).text == nullptr) {
        out = Value::EmptyMap();  // a Go struct without exported fields
      } else {
        out = doc::MakeString(arena, HostTypeOf(value).text(value));
      }
      return true;
    case Tag::kType:
      out = doc::MakeString(arena, ValueText(value));
      return true;
    case Tag::kError:
      break;
  }
  error = "json: unsupported type: " + std::string(GoTypeName(value));
  return false;
}

}  // namespace

std::string_view GoNativeName(const Value& value) {
  if (value.is_number()) return GoNumberName(value);
  switch (value.tag()) {
    case Tag::kNull:
      return "nil";
    case Tag::kBytes:
      return "[]uint8";
    case Tag::kDuration:
      return "time.Duration";
    case Tag::kTimestamp:
      return "time.Time";
    case Tag::kList:
      return "[]interface {}";
    default:
      return RuntimeTypeName(value);
  }
}

Value WithDoubles(base::Arena& arena, const Value& value) {
  switch (value.tag()) {
    case Tag::kInt:
      return Value::Double(static_cast<double>(value.as_int()));
    case Tag::kUint:
      return Value::Double(static_cast<double>(value.as_uint()));
    case Tag::kList: {
      auto* items = arena.AllocateArray<Value>(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        items[i] = WithDoubles(arena, value.as_list()[i]);
      }
      return Value::List({items, value.size()});
    }
    case Tag::kMap: {
      auto* entries = arena.AllocateArray<doc::MapEntry>(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) {
        const doc::MapEntry& entry = value.as_map()[i];
        entries[i] = {entry.key, WithDoubles(arena, entry.value)};
      }
      const std::span<const std::uint32_t> hashes(value.map_rep()->hashes(), value.size());
      return doc::MakeMapHashed(arena, {entries, value.size()}, hashes);
    }
    default:
      return value;
  }
}

Value LastOfEach(base::Arena& arena, std::span<doc::MapEntry> entries) {
  absl::flat_hash_map<std::string_view, std::size_t> places;
  std::size_t size = 0;
  for (const doc::MapEntry& entry : entries) {
    const auto [found, added] = places.try_emplace(entry.key.as_string(), size);
    if (added) ++size;
    entries[found->second] = entry;
  }
  return doc::MakeMap(arena, entries.first(size));
}

std::string ConversionError(const Value& value, std::string_view target) {
  const std::string quoted = " to '" + std::string(target) + "'";
  switch (value.tag()) {
    case Tag::kInt:
    case Tag::kUint:
      return "unsupported type conversion from '" + std::string(RuntimeTypeName(value)) + "' to " +
             std::string(target);
    case Tag::kBool:
      return "type conversion error from bool" + quoted;
    case Tag::kDouble:
      return "type conversion error from Double" + quoted;
    case Tag::kBytes:
      return "type conversion error from Bytes" + quoted;
    case Tag::kList:
      return "type conversion error from list" + quoted;
    case Tag::kMap:
      return "type conversion error from map" + quoted;
    case Tag::kDuration:
      return "type conversion error from 'Duration'" + quoted;
    case Tag::kTimestamp:
      return "type conversion error from 'Timestamp'" + quoted;
    case Tag::kType:
      return "type conversion not supported for 'type'";
    case Tag::kOptional:
      return "optional.none() dereference";
    default:
      return "type conversion error from '" + std::string(RuntimeTypeName(value)) + "'" + quoted;
  }
}

bool NativeString(base::Arena& arena, const Value& value, std::string_view& text,
                  std::string& error) {
  if (value.is_string()) {
    text = value.as_string();
    return true;
  }
  if (value.tag() == Tag::kOptional && value.has_value()) {
    return NativeString(arena, value.held(), text, error);
  }
  Value document;
  if (value.tag() == Tag::kHost && HostTypeOf(value).text != nullptr &&
      !KyvernoStructDocument(arena, value, document)) {
    text = arena.CopyString(HostTypeOf(value).text(value));
    return true;
  }
  error = ConversionError(value, "string");
  return false;
}

bool JsonDocument(base::Arena& arena, const Value& value, Value& out, std::string& error) {
  if (IsTooLarge(value)) {
    error = kValueTooLarge;
    return false;
  }
  return Convert(arena, value, true, out, error);
}

}  // namespace portcullis::cel::kyverno
