// Quantities (spec/cel.md 16.4).

#include <string>

#include "base/quantity.h"
#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"

namespace portcullis::cel {
namespace {

using base::Quantity;
using doc::Value;

struct QuantityRep : doc::HostRep {
  Quantity value;
  std::string_view text;  // as written, for values that keep their text
  bool computed = false;  // result of add or sub: cel-go boxes those differently
};

Value EqualQuantities(CallContext& context, const Value& a, const Value& b);

const Quantity& ValueOf(const Value& value) { return k8s::RepOf<QuantityRep>(value).value; }

std::string QuantityText(const Value& value) {
  const auto& rep = k8s::RepOf<QuantityRep>(value);
  return rep.value.keeps_text() ? std::string(rep.text) : rep.value.ToString();
}

constexpr Type kQuantityType{TypeKind::kOpaque, "kubernetes.Quantity", {}};
constexpr CelHostType kQuantityHost =
    k8s::MakeHostType(kQuantityType, EqualQuantities, QuantityText);

Value EqualQuantities(CallContext& context, const Value& a, const Value& b) {
  // Compatibility: a computed quantity is refused on the right-hand side.
  if (!IsHost(b, kQuantityHost) || k8s::RepOf<QuantityRep>(b).computed) {
    return context.NoSuchOverload();
  }
  return Value::Bool(ValueOf(a) == ValueOf(b));
}

Value MakeQuantity(CallContext& context, Args args) noexcept {
  const std::string_view text = args[0].as_string();
  base::Result<Quantity> parsed = Quantity::Parse(text);
  if (!parsed.ok()) return context.Error(parsed.error().message);
  return k8s::NewHost<QuantityRep>(context.arena, kQuantityHost, *parsed, text);
}

Value IsQuantity(CallContext&, Args args) noexcept {
  return Value::Bool(Quantity::IsValid(args[0].as_string()));
}

Value Sign(CallContext&, Args args) noexcept { return Value::Int(ValueOf(args[0]).Sign()); }

Value IsGreaterThan(CallContext&, Args args) noexcept {
  return Value::Bool(ValueOf(args[0]).Compare(ValueOf(args[1])) > 0);
}
Value IsLessThan(CallContext&, Args args) noexcept {
  return Value::Bool(ValueOf(args[0]).Compare(ValueOf(args[1])) < 0);
}
Value CompareTo(CallContext&, Args args) noexcept {
  return Value::Int(ValueOf(args[0]).Compare(ValueOf(args[1])));
}

Value AsApproximateFloat(CallContext&, Args args) noexcept {
  return Value::Double(ValueOf(args[0]).AsApproximateFloat());
}

Value AsInteger(CallContext& context, Args args) noexcept {
  const std::optional<std::int64_t> value = ValueOf(args[0]).AsInt64();
  return value ? Value::Int(*value) : context.Error("cannot convert value to integer");
}

Value IsInteger(CallContext&, Args args) noexcept {
  return Value::Bool(ValueOf(args[0]).IsInteger());
}

Quantity Operand(const Value& value) {
  return value.is_int() ? Quantity::FromInt(value.as_int(), Quantity::Format::kDecimalExponent)
                        : ValueOf(value);
}

Value Computed(CallContext& context, const Quantity& value) {
  return k8s::NewHost<QuantityRep>(context.arena, kQuantityHost, value, std::string_view(), true);
}

Value AddQuantity(CallContext& context, Args args) noexcept {
  return Computed(context, ValueOf(args[0]).Add(Operand(args[1])));
}
Value SubQuantity(CallContext& context, Args args) noexcept {
  return Computed(context, ValueOf(args[0]).Sub(Operand(args[1])));
}

#define PC_QUANTITY "kubernetes.Quantity"

constexpr Overload kOverloads[] = {
    {"string_to_quantity", "quantity", "(string) -> " PC_QUANTITY, MakeQuantity},
    {"is_quantity_string", "isQuantity", "(string) -> bool", IsQuantity},
    {"quantity_sign", "sign", "(" PC_QUANTITY ") -> int", Sign},
    {"quantity_is_greater_than", "isGreaterThan", "(" PC_QUANTITY ", " PC_QUANTITY ") -> bool",
     IsGreaterThan, kMember},
    {"quantity_is_less_than", "isLessThan", "(" PC_QUANTITY ", " PC_QUANTITY ") -> bool",
     IsLessThan, kMember},
    {"quantity_compare_to", "compareTo", "(" PC_QUANTITY ", " PC_QUANTITY ") -> int", CompareTo,
     kMember},
    {"quantity_get_float", "asApproximateFloat", "(" PC_QUANTITY ") -> double", AsApproximateFloat,
     kMember},
    {"quantity_get_int", "asInteger", "(" PC_QUANTITY ") -> int", AsInteger, kMember},
    {"quantity_is_integer", "isInteger", "(" PC_QUANTITY ") -> bool", IsInteger, kMember},
    {"quantity_add", "add", "(" PC_QUANTITY ", " PC_QUANTITY ") -> " PC_QUANTITY, AddQuantity,
     kMember},
    {"quantity_add_int", "add", "(" PC_QUANTITY ", int) -> " PC_QUANTITY, AddQuantity, kMember},
    {"quantity_sub", "sub", "(" PC_QUANTITY ", " PC_QUANTITY ") -> " PC_QUANTITY, SubQuantity,
     kMember},
    {"quantity_sub_int", "sub", "(" PC_QUANTITY ", int) -> " PC_QUANTITY, SubQuantity, kMember},
};

#undef PC_QUANTITY

constexpr FunctionCost kCosts[] = {
    {"quantity", k8s::TenthOfFirst},
    {"isQuantity", k8s::TenthOfFirst},
};

constexpr Library kLibrary{"k8s.quantity", kOverloads, kCosts};

}  // namespace

const Library& KubernetesQuantityLibrary() { return kLibrary; }

}  // namespace portcullis::cel
