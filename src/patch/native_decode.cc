#include "patch/native_decode.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/base64.h"
#include "base/gotext.h"
#include "base/quantity.h"
#include "base/time.h"
#include "doc/edit.h"

namespace portcullis::patch {
namespace {

using schema::NodeKind;
using schema::Schema;

constexpr int kMaxDepth = 1000;
constexpr std::size_t kMaxUnknownFields = 100;

std::string_view JsonTypeName(const doc::Value& value) {
  switch (value.tag()) {
    case doc::Tag::kBool:
      return "bool";
    case doc::Tag::kString:
      return "string";
    case doc::Tag::kList:
      return "array";
    case doc::Tag::kMap:
      return "object";
    default:
      return "number";
  }
}

// "io.k8s.api.core.v1.PodSpec" -> "v1.PodSpec", or "PodSpec" without the package.
std::string_view ShortName(std::string_view type_name, bool package) {
  std::size_t dot = type_name.rfind('.');
  if (dot == std::string_view::npos) return type_name;
  if (package && dot > 0) {
    const std::size_t before = type_name.rfind('.', dot - 1);
    if (before != std::string_view::npos) dot = before;
  }
  return type_name.substr(dot + 1);
}

std::string GoType(const Schema& schema) {
  if (!schema.type_name.empty()) return std::string(ShortName(schema.type_name, true));
  switch (schema.kind) {
    case NodeKind::kString:
      return "string";
    case NodeKind::kBoolean:
      return "bool";
    case NodeKind::kInteger:
      return schema.format.empty() ? "int64" : std::string(schema.format);
    case NodeKind::kNumber:
      return "float64";
    case NodeKind::kBytes:
      return "[]uint8";
    case NodeKind::kMap:
      return "map[string]" + (schema.element != nullptr ? GoType(*schema.element) : "string");
    case NodeKind::kList:
      return "[]" + (schema.element != nullptr ? GoType(*schema.element) : "string");
    default:
      return "struct";
  }
}

class Decoder {
 public:
  explicit Decoder(MemberOrder order) : order_(order) {}

  void Visit(const Schema& schema, const doc::Value& value, int depth) {
    if (value.is_null() || !check.error.empty() || depth > kMaxDepth) return;
    switch (schema.kind) {
      case NodeKind::kObject:
        if (!Expect(schema, value, value.is_map())) return;
        return VisitObject(schema, value, depth);
      case NodeKind::kMap:
        if (!Expect(schema, value, value.is_map()) || schema.element == nullptr) return;
        for (const doc::MapEntry& entry : value.as_map()) {
          Below("." + std::string(entry.key.as_string()), *schema.element, entry.value, depth);
        }
        return;
      case NodeKind::kList: {
        if (!Expect(schema, value, value.is_list()) || schema.element == nullptr) return;
        std::size_t index = 0;
        for (const doc::Value& item : value.as_list()) {
          Below("[" + std::to_string(index++) + "]", *schema.element, item, depth);
        }
        return;
      }
      default:
        VisitScalar(schema, value);
    }
  }

  DecodeCheck check;

 private:
  void VisitObject(const Schema& schema, const doc::Value& value, int depth) {
    std::vector<const doc::MapEntry*> entries;
    for (const doc::MapEntry& entry : value.as_map()) entries.push_back(&entry);
    if (order_ == MemberOrder::kSorted) {
      std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
        return a->key.as_string() < b->key.as_string();
      });
    }
    const std::string_view outer = owner_;
    for (const doc::MapEntry* entry : entries) {
      const std::string_view name = entry->key.as_string();
      const schema::Field* field = schema.FindField(name);
      if (field == nullptr && schema.element == nullptr) {
        if (check.unknown_fields.size() < kMaxUnknownFields) {
          const std::string path =
              path_.empty() ? std::string(name) : path_ + "." + std::string(name);
          check.unknown_fields.push_back("unknown field " + base::GoQuote(path));
        }
        continue;
      }
      owner_ = ShortName(schema.type_name, false);
      const std::size_t mark = names_.size();
      names_ += names_.empty() ? "" : ".";
      names_ += name;
      Below((path_.empty() ? "" : ".") + std::string(name),
            field != nullptr ? *field->schema : *schema.element, entry->value, depth);
      names_.resize(mark);
    }
    owner_ = outer;
  }

  void Below(const std::string& step, const Schema& schema, const doc::Value& value, int depth) {
    const std::size_t mark = path_.size();
    path_ += step;
    Visit(schema, value, depth + 1);
    path_.resize(mark);
  }

  void VisitScalar(const Schema& schema, const doc::Value& value) {
    switch (schema.kind) {
      case NodeKind::kString:
        Expect(schema, value, value.is_string());
        return;
      case NodeKind::kBoolean:
        Expect(schema, value, value.is_bool());
        return;
      case NodeKind::kNumber:
        Expect(schema, value, value.is_number());
        return;
      case NodeKind::kInteger:
        return VisitInteger(schema, value);
      case NodeKind::kIntOrString:
        if (value.tag() == doc::Tag::kDouble) {
          Mismatch("number " + base::GoJsonFloat(value.as_double()), FieldTarget("int32"));
        } else if (!value.is_string() && !value.is_int()) {
          Mismatch(JsonTypeName(value), "value of type int32");
        }
        return;
      case NodeKind::kQuantity:
        return VisitQuantity(value);
      case NodeKind::kBytes: {
        if (value.is_list()) return VisitByteList(value);
        if (!Expect(schema, value, value.is_string())) return;
        const auto decoded = base::Base64Decode(value.as_string());
        if (!decoded.ok()) check.error = decoded.error().message;
        return;
      }
      case NodeKind::kTime:
      case NodeKind::kMicroTime:
        return VisitTime(value);
      case NodeKind::kDuration: {
        if (!value.is_string()) return Mismatch(JsonTypeName(value), "value of type string");
        const auto parsed = base::ParseGoDuration(value.as_string());
        if (!parsed.ok()) check.error = parsed.error().message;
        return;
      }
      default:
        return;
    }
  }

  void VisitInteger(const Schema& schema, const doc::Value& value) {
    if (!Expect(schema, value, value.is_number())) return;
    const bool narrow = schema.format == "int32";
    if (value.is_int()) {
      const std::int64_t n = value.as_int();
      if (!narrow || (n >= std::numeric_limits<std::int32_t>::min() &&
                      n <= std::numeric_limits<std::int32_t>::max())) {
        return;
      }
      return Mismatch("number " + std::to_string(n), Target(schema));
    }
    Mismatch("number " + base::GoJsonFloat(value.as_double()), Target(schema));
  }

  // Bytes may also be written as a list of numbers.
  void VisitByteList(const doc::Value& list) {
    for (const doc::Value& item : list.as_list()) {
      if (item.is_null()) continue;
      if (item.is_int() && item.as_int() >= 0 && item.as_int() <= 255) continue;
      std::string got(JsonTypeName(item));
      if (item.is_int()) got += " " + std::to_string(item.as_int());
      return Mismatch(got, FieldTarget("uint8"));
    }
  }

  void VisitQuantity(const doc::Value& value) {
    if (value.is_number()) return;
    const auto parsed = base::Quantity::Parse(value.is_string() ? value.as_string() : "{");
    if (!parsed.ok()) check.error = parsed.error().message;
  }

  void VisitTime(const doc::Value& value) {
    if (!value.is_string()) return Mismatch(JsonTypeName(value), "value of type string");
    const std::string_view text = value.as_string();
    if (base::ParseRfc3339(text, base::TimeRules::kLenient)) return;
    check.error = "parsing time " + base::GoQuote(text) +
                  " as \"2006-01-02T15:04:05Z07:00\": cannot parse " + base::GoQuote(text) +
                  " as \"2006\"";
  }

  bool Expect(const Schema& schema, const doc::Value& value, bool fits) {
    if (!fits) Mismatch(JsonTypeName(value), Target(schema));
    return fits;
  }

  std::string Target(const Schema& schema) const { return FieldTarget(GoType(schema)); }

  std::string FieldTarget(const std::string& go_type) const {
    const std::string type = " of type " + go_type;
    if (names_.empty()) return "value" + type;
    return "struct field " + std::string(owner_) + "." + names_ + type;
  }

  void Mismatch(std::string_view got, const std::string& target) {
    check.error = "json: cannot unmarshal " + std::string(got) + " into Go " + target;
  }

  MemberOrder order_;
  std::string path_;        // with list indexes and map keys
  std::string names_;       // field names only
  std::string_view owner_;  // type that declares the innermost field
};

class Coercer {
 public:
  Coercer(base::Arena& arena, std::string& error) : arena_(arena), error_(error) {}

  // Leaves `value` alone and returns false when nothing changed.
  bool Visit(const Schema& schema, doc::Value& value, int depth) {
    if (depth > kMaxDepth || !error_.empty()) return false;
    if (value.is_map() && (schema.kind == NodeKind::kObject || schema.kind == NodeKind::kMap)) {
      return VisitMap(schema, value, depth);
    }
    if (value.is_list() && schema.kind == NodeKind::kList && schema.element != nullptr) {
      return VisitList(*schema.element, value, depth);
    }
    return schema.kind == NodeKind::kInteger && value.is_number() && VisitNumber(schema, value);
  }

 private:
  bool VisitMap(const Schema& schema, doc::Value& value, int depth) {
    doc::MapBuilder out;
    for (const doc::MapEntry& entry : value.as_map()) {
      const Schema* below = schema.Child(entry.key.as_string());
      doc::Value member = entry.value;
      if (below == nullptr || !Visit(*below, member, depth + 1)) continue;
      if (out.size() == 0) out = doc::MapBuilder(value);
      out.Set(entry.key, member);
    }
    if (out.size() == 0) return false;
    value = out.Build(arena_);
    return true;
  }

  bool VisitList(const Schema& element, doc::Value& value, int depth) {
    doc::ListBuilder out;
    for (std::size_t i = 0; i < value.size(); ++i) {
      doc::Value item = value.as_list()[i];
      if (!Visit(element, item, depth + 1)) continue;
      if (out.size() == 0) out = doc::ListBuilder(value);
      out.items()[i] = item;
    }
    if (out.size() == 0) return false;
    value = out.Build(arena_);
    return true;
  }

  bool VisitNumber(const Schema& schema, doc::Value& value) {
    const bool narrow = schema.format == "int32";
    std::int64_t number = 0;
    if (value.tag() == doc::Tag::kDouble) {
      const double given = value.as_double();
      if (given != std::trunc(given) || given < -9223372036854775808.0 ||
          given >= 9223372036854775808.0) {
        error_ = std::string("cannot convert float64 to ") + (narrow ? "int32" : "int64");
        return false;
      }
      number = static_cast<std::int64_t>(given);
    } else {
      number = value.as_int();
    }
    if (narrow) number = static_cast<std::int32_t>(static_cast<std::uint32_t>(number));
    if (value.is_int() && number == value.as_int()) return false;
    value = doc::Value::Int(number);
    return true;
  }

  base::Arena& arena_;
  std::string& error_;
};

}  // namespace

doc::Value CoerceNumbers(base::Arena& arena, const schema::Schema& schema,
                         const doc::Value& document, std::string& error) {
  doc::Value out = document;
  Coercer(arena, error).Visit(schema, out, 0);
  return out;
}

DecodeCheck CheckDecode(const schema::Schema& schema, const doc::Value& document,
                        MemberOrder order) {
  Decoder decoder(order);
  decoder.Visit(schema, document, 0);
  return std::move(decoder.check);
}

std::string StrictDecodeError(const schema::Schema& schema, const doc::Value& document) {
  const DecodeCheck check = CheckDecode(schema, document);
  if (!check.error.empty() || check.unknown_fields.empty()) return check.error;
  std::string out = "strict decoding error: ";
  for (const std::string& field : check.unknown_fields) {
    if (&field != &check.unknown_fields.front()) out += ", ";
    out += field;
  }
  return out;
}

}  // namespace portcullis::patch
