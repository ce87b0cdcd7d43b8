// The tables of cel-go's math extension, version 2, and of Kyverno's addition to it
// (spec/cel.md 14.2).

#include "cel/eval/value_ops.h"
#include "cel/lib/libraries.h"
#include "cel/lib/math_functions.h"

namespace portcullis::cel {
namespace {

std::uint64_t OnePerItem(Args args, const doc::Value&) noexcept { return 1 + CostSize(args[0]); }

constexpr Overload kOverloads[] = {
    {"math_@min_double", "math.@min", "(double) -> double", math::Min},
    {"math_@min_int", "math.@min", "(int) -> int", math::Min},
    {"math_@min_uint", "math.@min", "(uint) -> uint", math::Min},
    {"math_@min_double_double", "math.@min", "(double, double) -> double", math::Min},
    {"math_@min_int_int", "math.@min", "(int, int) -> int", math::Min},
    {"math_@min_uint_uint", "math.@min", "(uint, uint) -> uint", math::Min},
    {"math_@min_int_uint", "math.@min", "(int, uint) -> dyn", math::Min},
    {"math_@min_int_double", "math.@min", "(int, double) -> dyn", math::Min},
    {"math_@min_uint_int", "math.@min", "(uint, int) -> dyn", math::Min},
    {"math_@min_uint_double", "math.@min", "(uint, double) -> dyn", math::Min},
    {"math_@min_double_int", "math.@min", "(double, int) -> dyn", math::Min},
    {"math_@min_double_uint", "math.@min", "(double, uint) -> dyn", math::Min},
    {"math_@min_list_double", "math.@min", "(list(double)) -> double", math::MinOfList, kTracked,
     OnePerItem},
    {"math_@min_list_int", "math.@min", "(list(int)) -> int", math::MinOfList, kTracked,
     OnePerItem},
    {"math_@min_list_uint", "math.@min", "(list(uint)) -> uint", math::MinOfList, kTracked,
     OnePerItem},
    {"math_@max_double", "math.@max", "(double) -> double", math::Max},
    {"math_@max_int", "math.@max", "(int) -> int", math::Max},
    {"math_@max_uint", "math.@max", "(uint) -> uint", math::Max},
    {"math_@max_double_double", "math.@max", "(double, double) -> double", math::Max},
    {"math_@max_int_int", "math.@max", "(int, int) -> int", math::Max},
    {"math_@max_uint_uint", "math.@max", "(uint, uint) -> uint", math::Max},
    {"math_@max_int_uint", "math.@max", "(int, uint) -> dyn", math::Max},
    {"math_@max_int_double", "math.@max", "(int, double) -> dyn", math::Max},
    {"math_@max_uint_int", "math.@max", "(uint, int) -> dyn", math::Max},
    {"math_@max_uint_double", "math.@max", "(uint, double) -> dyn", math::Max},
    {"math_@max_double_int", "math.@max", "(double, int) -> dyn", math::Max},
    {"math_@max_double_uint", "math.@max", "(double, uint) -> dyn", math::Max},
    {"math_@max_list_double", "math.@max", "(list(double)) -> double", math::MaxOfList, kTracked,
     OnePerItem},
    {"math_@max_list_int", "math.@max", "(list(int)) -> int", math::MaxOfList, kTracked,
     OnePerItem},
    {"math_@max_list_uint", "math.@max", "(list(uint)) -> uint", math::MaxOfList, kTracked,
     OnePerItem},
    {"math_ceil_double", "math.ceil", "(double) -> double", math::Ceil},
    {"math_floor_double", "math.floor", "(double) -> double", math::Floor},
    {"math_round_double", "math.round", "(double) -> double", math::Round},
    {"math_trunc_double", "math.trunc", "(double) -> double", math::Trunc},
    {"math_isInf_double", "math.isInf", "(double) -> bool", math::IsInf},
    {"math_isNaN_double", "math.isNaN", "(double) -> bool", math::IsNaN},
    {"math_isFinite_double", "math.isFinite", "(double) -> bool", math::IsFinite},
    {"math_abs_double", "math.abs", "(double) -> double", math::Abs},
    {"math_abs_int", "math.abs", "(int) -> int", math::Abs},
    {"math_abs_uint", "math.abs", "(uint) -> uint", math::Abs},
    {"math_sign_double", "math.sign", "(double) -> double", math::Sign},
    {"math_sign_int", "math.sign", "(int) -> int", math::Sign},
    {"math_sign_uint", "math.sign", "(uint) -> uint", math::Sign},
    {"math_bitAnd_int_int", "math.bitAnd", "(int, int) -> int", math::BitAnd},
    {"math_bitAnd_uint_uint", "math.bitAnd", "(uint, uint) -> uint", math::BitAnd},
    {"math_bitOr_int_int", "math.bitOr", "(int, int) -> int", math::BitOr},
    {"math_bitOr_uint_uint", "math.bitOr", "(uint, uint) -> uint", math::BitOr},
    {"math_bitXor_int_int", "math.bitXor", "(int, int) -> int", math::BitXor},
    {"math_bitXor_uint_uint", "math.bitXor", "(uint, uint) -> uint", math::BitXor},
    {"math_bitNot_int_int", "math.bitNot", "(int) -> int", math::BitNot},
    {"math_bitNot_uint_uint", "math.bitNot", "(uint) -> uint", math::BitNot},
    {"math_bitShiftLeft_int_int", "math.bitShiftLeft", "(int, int) -> int", math::BitShiftLeft},
    {"math_bitShiftLeft_uint_int", "math.bitShiftLeft", "(uint, int) -> uint", math::BitShiftLeft},
    {"math_bitShiftRight_int_int", "math.bitShiftRight", "(int, int) -> int", math::BitShiftRight},
    {"math_bitShiftRight_uint_int", "math.bitShiftRight", "(uint, int) -> uint",
     math::BitShiftRight},
    {"math_sqrt_double", "math.sqrt", "(double) -> double", math::Sqrt},
    {"math_sqrt_int", "math.sqrt", "(int) -> double", math::Sqrt},
    {"math_sqrt_uint", "math.sqrt", "(uint) -> double", math::Sqrt},
};

constexpr Overload kKyvernoOverloads[] = {
    {"math_round_double_int", "math.round", "(double, int) -> double", math::RoundToDigits},
};

constexpr Library kLibrary{"cel.lib.ext.math", kOverloads};
constexpr Library kKyvernoLibrary{"kyverno.math", kKyvernoOverloads};

}  // namespace

const Library& MathLibrary() { return kLibrary; }
const Library& KyvernoMathLibrary() { return kKyvernoLibrary; }

}  // namespace portcullis::cel
