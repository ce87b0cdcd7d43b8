// Optional values (spec/cel.md 13). `or` and `orValue` are evaluated lazily by the evaluator, the
// selections `_?._` and `_[?_]` as parts of an attribute; their rows serve the checker.

#include <string>

#include "cel/eval/value_ops.h"
#include "cel/lib/call_support.h"
#include "cel/lib/libraries.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {
namespace {

using doc::Tag;
using doc::Value;

bool IsOptional(const Value& value) { return value.tag() == Tag::kOptional; }

Value Of(CallContext& context, Args args) noexcept { return context.OptionalOf(args[0]); }

Value OfNonZeroValue(CallContext& context, Args args) noexcept {
  return IsZeroValue(args[0]) ? Value::OptionalNone() : context.OptionalOf(args[0]);
}

Value None(CallContext&, Args) noexcept { return Value::OptionalNone(); }

Value HasValue(CallContext&, Args args) noexcept { return Value::Bool(args[0].has_value()); }

Value GetValue(CallContext& context, Args args) noexcept {
  if (!args[0].has_value()) return context.Error("optional.none() dereference");
  return args[0].held();
}

Value Or(CallContext& context, Args args) noexcept {
  if (!IsOptional(args[0])) return context.NoSuchOverload();
  return args[0].has_value() ? args[0] : args[1];
}

Value OrValue(CallContext& context, Args args) noexcept {
  if (!IsOptional(args[0])) return context.NoSuchOverload();
  return args[0].has_value() ? args[0].held() : args[1];
}

// One optional selection outside of an attribute chain.
Value OptionalQualify(CallContext& context, Args args) noexcept {
  const Value* operand = &args[0];
  if (IsOptional(*operand)) {
    if (!operand->has_value()) return *operand;
    operand = &operand->held();
  }
  Value found;
  switch (Qualify(context, *operand, args[1], found)) {
    case Lookup::kFound:
      return context.OptionalOf(found);
    case Lookup::kAbsent:
      return Value::OptionalNone();
    case Lookup::kError:
      return found;
  }
  return Value::OptionalNone();
}

Value Unwrap(CallContext& context, Args args) noexcept {
  ListBuilder kept(context.arena, args[0].size());
  for (const Value& item : args[0].as_list()) {
    if (!IsOptional(item)) {
      return context.Error("value " + ValueText(item) + " is not optional");
    }
    if (item.has_value()) kept.Add(item.held());
  }
  return kept.Finish();
}

Value First(CallContext&, Args args) noexcept {
  const auto items = args[0].as_list();
  return items.empty() ? Value::OptionalNone() : Value::OptionalOf(&items.front());
}

Value Last(CallContext&, Args args) noexcept {
  const auto items = args[0].as_list();
  return items.empty() ? Value::OptionalNone() : Value::OptionalOf(&items.back());
}

// Kyverno's replacement of orValue: any receiver is accepted, the default is evaluated eagerly
// (spec/cel.md 1.5).
Value OrValueCompat(CallContext&, Args args) noexcept {
  if (!IsOptional(args[0])) return args[0];
  return args[0].has_value() ? args[0].held() : args[1];
}

constexpr Overload kOverloads[] = {
    {"optional_of", "optional.of", "(V) -> optional(V)", Of, kUnguarded},
    {"optional_ofNonZeroValue", "optional.ofNonZeroValue", "(V) -> optional(V)", OfNonZeroValue,
     kUnguarded},
    {"optional_none", "optional.none", "() -> optional(V)", None},
    {"optional_value", "value", "(optional(V)) -> V", GetValue, kMember},
    {"optional_hasValue", "hasValue", "(optional(V)) -> bool", HasValue, kMember},
    {"optional_or_optional", "or", "(optional(V), optional(V)) -> optional(V)", Or,
     kMember | kUnguarded},
    {"optional_orValue_value", "orValue", "(optional(V), V) -> V", OrValue, kMember | kUnguarded},
    {"select_optional_field", "_?._", "(dyn, string) -> optional(V)", OptionalQualify, kUnguarded},
    {"list_optindex_optional_int", "_[?_]", "(list(V), int) -> optional(V)", OptionalQualify,
     kUnguarded},
    {"optional_list_optindex_optional_int", "_[?_]", "(optional(list(V)), int) -> optional(V)",
     OptionalQualify, kUnguarded},
    {"map_optindex_optional_value", "_[?_]", "(map(K, V), K) -> optional(V)", OptionalQualify,
     kUnguarded},
    {"optional_map_optindex_optional_value", "_[?_]", "(optional(map(K, V)), K) -> optional(V)",
     OptionalQualify, kUnguarded},
    {"optional_list_index_int", "_[_]", "(optional(list(V)), int) -> optional(V)", OptionalQualify,
     kUnguarded},
    {"optional_map_index_value", "_[_]", "(optional(map(K, V)), K) -> optional(V)", OptionalQualify,
     kUnguarded},
    {"list_first", "first", "(list(V)) -> optional(V)", First, kMember},
    {"list_last", "last", "(list(V)) -> optional(V)", Last, kMember},
    {"optional_unwrap", "optional.unwrap", "(list(optional(V))) -> list(V)", Unwrap},
    {"optional_unwrapOpt", "unwrapOpt", "(list(optional(V))) -> list(V)", Unwrap, kMember},
};

constexpr TypeName kTypeNames[] = {{"optional_type", "optional_type"}};

constexpr Overload kCompatOverloads[] = {
    {"or_value_compat_dyn_dyn", "__orValueCompat__", "(dyn, dyn) -> dyn", OrValueCompat,
     kUnguarded},
};

constexpr Library kLibrary{"cel.lib.optional", kOverloads, {}, kTypeNames};
constexpr Library kCompatLibrary{"kyverno.orvalue.compat", kCompatOverloads};

}  // namespace

const Library& OptionalLibrary() { return kLibrary; }
const Library& OrValueCompatLibrary() { return kCompatLibrary; }

}  // namespace portcullis::cel
