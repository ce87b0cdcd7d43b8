#ifndef PORTCULLIS_CEL_LIB_LIST_FUNCTIONS_H_
#define PORTCULLIS_CEL_LIB_LIST_FUNCTIONS_H_

// Implementations and costs behind ListsLibrary() (spec/cel.md 14.3, 18.3). Internal to cel/lib.
// sort, sortBy and distinct are called with any receiver, failed ones included: in cel-go their
// cost trackers fail on what is no list before any check of types.

#include "cel/lib/call_support.h"

namespace portcullis::cel::lists {

doc::Value Slice(CallContext& context, Args args) noexcept;
doc::Value Flatten(CallContext& context, Args args) noexcept;
doc::Value Reverse(CallContext& context, Args args) noexcept;
doc::Value Range(CallContext& context, Args args) noexcept;
doc::Value Distinct(CallContext& context, Args args) noexcept;
doc::Value Sort(CallContext& context, Args args) noexcept;
doc::Value SortByKeys(CallContext& context, Args args) noexcept;

// 11 + size of the result.
std::uint64_t ResultSizeCost(Args args, const doc::Value& result) noexcept;
std::uint64_t FlattenCost(Args args, const doc::Value& result) noexcept;
std::uint64_t RangeCost(Args args, const doc::Value& result) noexcept;
// 11 + 2 n^2, a little more for strings; nothing where the receiver is no list.
std::uint64_t PairwiseCost(Args args, const doc::Value& result) noexcept;

}  // namespace portcullis::cel::lists

#endif  // PORTCULLIS_CEL_LIB_LIST_FUNCTIONS_H_
