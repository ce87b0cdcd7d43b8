#include "cel/kyverno/native_struct.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cel/check/admission_types.h"
#include "cel/eval/value_ops.h"
#include "cel/kyverno/convert.h"
#include "json/writer.h"

namespace portcullis::cel {
namespace {

using doc::Value;

struct Field {
  std::string_view name;  // in expressions
  std::string_view json;  // in the JSON text
  bool is_list;           // a list of strings, else a string
  bool omit_empty;        // absent from the JSON text when empty
};

constexpr std::size_t kMaxFields = 2;

struct StructType {
  std::array<Field, kMaxFields> fields;
  const CelHostType* host;
};

// A field that nobody set is null; `has` is then false, and reading it gives the empty value.
struct NativeRep : doc::HostRep {
  const StructType* type;
  std::array<Value, kMaxFields> values;
};

const NativeRep& RepOf(const Value& value) { return *static_cast<const NativeRep*>(value.host()); }

Value EqualStructs(CallContext& context, const Value& a, const Value& b) {
  if (b.tag() != doc::Tag::kHost || b.host()->type != a.host()->type) return Value::Bool(false);
  for (std::size_t i = 0; i < kMaxFields; ++i) {
    if (!IsEqual(context, RepOf(a).values[i], RepOf(b).values[i])) return Value::Bool(false);
  }
  return Value::Bool(true);
}

bool GetField(CallContext&, const Value& self, std::string_view field, Value& out) {
  const NativeRep& rep = RepOf(self);
  for (std::size_t i = 0; i < kMaxFields; ++i) {
    const Field& known = rep.type->fields[i];
    if (known.name != field) continue;
    out = rep.values[i];
    if (out.is_null()) out = known.is_list ? Value::List({}) : Value::String("", Value::kAscii);
    return true;
  }
  return false;
}

bool HasField(const Value& self, std::string_view field) {
  const NativeRep& rep = RepOf(self);
  for (std::size_t i = 0; i < kMaxFields; ++i) {
    if (rep.type->fields[i].name != field) continue;
    const Value& value = rep.values[i];
    return value.is_list() || (value.is_string() && value.size() != 0);
  }
  return false;
}

bool IsZero(const Value& self) {
  const NativeRep& rep = RepOf(self);
  return std::none_of(rep.type->fields.begin(), rep.type->fields.end(),
                      [&](const Field& field) { return HasField(self, field.name); });
}

std::string JsonText(const Value& self) {
  base::Arena arena;
  Value document;
  KyvernoStructDocument(arena, self, document);
  return json::ToString(document);
}

constexpr CelHostType MakeHost(const Type& type) {
  CelHostType host;
  host.name = type.name;
  host.equal = EqualStructs;
  host.get = GetField;
  host.has = HasField;
  host.text = JsonText;
  host.is_zero = IsZero;
  host.type_value = &type;
  return host;
}

constexpr Type kServiceAccountType{TypeKind::kStruct, "user.ServiceAccount", {}};
constexpr Type kExceptionType{TypeKind::kStruct, "libs.Exception", {}};
constexpr CelHostType kServiceAccountHost = MakeHost(kServiceAccountType);
constexpr CelHostType kExceptionHost = MakeHost(kExceptionType);

constexpr StructType kServiceAccount{
    {Field{"Name", "name", false, true}, Field{"Namespace", "namespace", false, true}},
    &kServiceAccountHost};
constexpr StructType kException{{Field{"allowedImages", "AllowedImages", true, false},
                                 Field{"allowedValues", "AllowedValues", true, false}},
                                &kExceptionHost};

constexpr FieldRow kRows[] = {
    {"user.ServiceAccount", "Name", "string"},
    {"user.ServiceAccount", "Namespace", "string"},
    {"libs.Exception", "allowedImages", "list(string)"},
    {"libs.Exception", "allowedValues", "list(string)"},
};

Value Make(base::Arena& arena, const StructType& type,
           const std::array<Value, kMaxFields>& values) {
  return Value::Host(arena.New<NativeRep>(doc::HostRep{type.host}, &type, values));
}

}  // namespace

std::shared_ptr<const TypeProvider> KyvernoStructTypes() {
  static const std::shared_ptr<const TypeProvider> provider = MakeTableProvider(kRows);
  return provider;
}

bool BuildKyvernoStruct(CallContext& context, std::string_view type_name, const Value& fields,
                        Value& out) {
  const StructType* type = type_name == kServiceAccountType.name ? &kServiceAccount
                           : type_name == kExceptionType.name    ? &kException
                                                                 : nullptr;
  if (type == nullptr) return false;
  std::array<Value, kMaxFields> values = {Value::Null(), Value::Null()};
  for (std::size_t i = 0; i < kMaxFields; ++i) {
    const Value* given = fields.Find(type->fields[i].name);
    if (given == nullptr) continue;
    std::string_view text;
    std::string error;
    if (type->fields[i].is_list) {
      if (!given->is_list()) {
        out = context.Error(kyverno::ConversionError(*given, "[]string"));
        return true;
      }
      for (const Value& item : given->as_list()) {
        if (kyverno::NativeString(context.arena, item, text, error)) continue;
        out = context.Error(error);
        return true;
      }
      values[i] = *given;
    } else if (kyverno::NativeString(context.arena, *given, text, error)) {
      values[i] = Value::String(text);
    } else {
      out = context.Error(error);
      return true;
    }
  }
  out = Make(context.arena, *type, values);
  return true;
}

Value MakeServiceAccount(base::Arena& arena, std::string_view name, std::string_view ns) {
  return Make(arena, kServiceAccount, {Value::String(name), Value::String(ns)});
}

Value MakeKyvernoException(base::Arena& arena, const Value& allowed_images,
                           const Value& allowed_values) {
  return Make(arena, kException, {allowed_images, allowed_values});
}

bool KyvernoStructDocument(base::Arena& arena, const Value& value, Value& out) {
  if (!IsHost(value, kServiceAccountHost) && !IsHost(value, kExceptionHost)) return false;
  const NativeRep& rep = RepOf(value);
  std::vector<doc::MapEntry> members;
  for (std::size_t i = 0; i < kMaxFields; ++i) {
    const Field& field = rep.type->fields[i];
    if (field.omit_empty && rep.values[i].size() == 0) continue;
    members.push_back({Value::String(field.json), rep.values[i]});
  }
  out = doc::MakeMap(arena, members);
  return true;
}

}  // namespace portcullis::cel
