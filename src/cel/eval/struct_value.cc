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

bool StructGet(CallContext&, const Value& self, std::string_view field, Value& out) {
  const Value* found = AsStruct(self).fields.Find(field);
  if (found == nullptr) return false;
  out = *found;
  return true;
}

bool StructIsZero(const Value& self) { return AsStruct(self).fields.size() == 0; }

const CelHostType kStructType = [] {
  CelHostType type;
  type.name = "struct";
  type.equal = StructEqual;
  type.get = StructGet;
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
