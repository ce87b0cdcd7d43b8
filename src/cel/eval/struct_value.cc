#include "cel/eval/struct_value.h"

#include "cel/eval/value_ops.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value StructEqual(CallContext& context, const Value& a, const Value& b) {
  if (!IsStruct(b)) return context.NoSuchOverload();
  if (AsStruct(a).type_name != AsStruct(b).type_name) return Value::Bool(false);
  return Equal(context, AsStruct(a).fields, AsStruct(b).fields);
}

// A JSONPatch knows four fields, the texts among them empty when unset; an Object has null where
// nothing was set. Presence is another question: StructHas.
bool StructGet(CallContext& context, const Value& self, std::string_view field, Value& out) {
  const StructRep& object = AsStruct(self);
  const Value* found = object.fields.Find(field);
  if (found != nullptr) {
    out = *found;
  } else if (object.type_name != "JSONPatch" || field == "value") {
    out = Value::Null();
  } else if (field == "op" || field == "path" || field == "from") {
    out = Value::String("", Value::kAscii);
  } else {
    out = context.Error("unsupported indexer: " + std::string(field));
  }
  return true;
}

bool StructHas(const Value& self, std::string_view field) {
  return AsStruct(self).fields.Find(field) != nullptr;
}

bool StructIsZero(const Value& self) { return AsStruct(self).fields.size() == 0; }

const CelHostType kStructType = [] {
  CelHostType type;
  type.name = "struct";
  type.equal = StructEqual;
  type.get = StructGet;
  type.has = StructHas;
  type.is_zero = StructIsZero;
  return type;
}();

}  // namespace

const CelHostType& StructHostType() { return kStructType; }

Value MakeStruct(base::Arena& arena, const Type* type, std::string_view type_name,
                 const Value& fields) {
  auto* rep = arena.New<StructRep>(doc::HostRep{&kStructType}, type_name, type, fields);
  return Value::Host(&rep->host);
}

}  // namespace portcullis::cel
