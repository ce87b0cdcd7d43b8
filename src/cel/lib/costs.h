#ifndef PORTCULLIS_CEL_LIB_COSTS_H_
#define PORTCULLIS_CEL_LIB_COSTS_H_

// Cost functions that several library tables name (spec/cel.md 18.3, 18.4). Pure; internal to
// cel/lib.

#include <cstdint>

#include "cel/lib/call_support.h"

namespace portcullis::cel::costs {

// ceil(0.1 * size of the first operand).
std::uint64_t FirstTenth(Args args, const doc::Value& result) noexcept;
// ceil(0.1 * size of the second operand): a prefix or suffix bounds the comparison.
std::uint64_t SecondTenth(Args args, const doc::Value& result) noexcept;
// ceil(0.1 * the smaller / the sum of both sizes).
std::uint64_t SmallerTenth(Args args, const doc::Value& result) noexcept;
std::uint64_t SumTenth(Args args, const doc::Value& result) noexcept;
// size of the second operand: `x in list`.
std::uint64_t SecondSize(Args args, const doc::Value& result) noexcept;
// ceil(0.1 * (1 + size)) * ceil(0.25 * size of the pattern).
std::uint64_t RegexMatch(Args args, const doc::Value& result) noexcept;
// The product of the tenths of both sizes.
std::uint64_t Contains(Args args, const doc::Value& result) noexcept;
// ceil(0.2 * size) of the first operand / of the result.
std::uint64_t FirstFifth(Args args, const doc::Value& result) noexcept;
std::uint64_t ResultFifth(Args args, const doc::Value& result) noexcept;
// Everything that a linear walk over the first operand visits.
std::uint64_t Traversal(Args args, const doc::Value& result) noexcept;

}  // namespace portcullis::cel::costs

#endif  // PORTCULLIS_CEL_LIB_COSTS_H_
