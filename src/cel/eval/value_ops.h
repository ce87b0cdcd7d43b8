#ifndef PORTCULLIS_CEL_EVAL_VALUE_OPS_H_
#define PORTCULLIS_CEL_EVAL_VALUE_OPS_H_

// Equality, ordering, arithmetic and indexing of CEL values (spec/cel.md 9.1, 10). Results are
// values; failures are error values. No function here looks at argument errors: callers do.

#include <cstdint>

#include "cel/check/library.h"
#include "cel/check/type.h"
#include "doc/value.h"

namespace portcullis::cel {

// `a == b`: a bool, or an error for incomparable host objects.
doc::Value Equal(CallContext& context, const doc::Value& a, const doc::Value& b);
// Equality that treats an error as "not equal".
bool IsEqual(CallContext& context, const doc::Value& a, const doc::Value& b);

// Order of two values of comparable kinds: false when they cannot be compared. NaN compares as
// neither smaller nor greater (`order` = 0 and `unordered` = true).
bool CompareValues(const doc::Value& a, const doc::Value& b, int& order, bool& unordered);
// The kinds of 10.4.
bool IsComparable(const doc::Value& value);

enum class Relation : std::uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual };
doc::Value Compare(CallContext& context, Relation relation, const doc::Value& a,
                   const doc::Value& b);

doc::Value Add(CallContext& context, const doc::Value& a, const doc::Value& b);
doc::Value Subtract(CallContext& context, const doc::Value& a, const doc::Value& b);
doc::Value Multiply(CallContext& context, const doc::Value& a, const doc::Value& b);
doc::Value Divide(CallContext& context, const doc::Value& a, const doc::Value& b);
doc::Value Modulo(CallContext& context, const doc::Value& a, const doc::Value& b);
doc::Value Negate(CallContext& context, const doc::Value& a);
doc::Value Not(CallContext& context, const doc::Value& a);

// `element in container`.
doc::Value In(CallContext& context, const doc::Value& element, const doc::Value& container);

// Applies one qualifier (field name or index) as 9.1 says. Returns false when the key or index is
// absent, without an error; `error` is set for anything else that fails.
enum class Lookup : std::uint8_t { kFound, kAbsent, kError };
Lookup Qualify(CallContext& context, const doc::Value& object, const doc::Value& key,
               doc::Value& out);
// The error of a qualifier that was absent: `no such key: K` or `index out of bounds: N`.
doc::Value AbsentError(CallContext& context, const doc::Value& object, const doc::Value& key);

// `c[i]` on any operand, as the strict function.
doc::Value Index(CallContext& context, const doc::Value& container, const doc::Value& key);

// Map lookup with the numeric key equivalence of 10.6; null when absent.
const doc::Value* FindMapKey(const doc::Value& map, const doc::Value& key);

// Size as the cost model counts it (18.3): code points, bytes, entries, optional -> inner, else 1.
std::uint64_t CostSize(const doc::Value& value);
// ceil(n * 0.1).
inline std::uint64_t CostTenth(std::uint64_t n) { return (n + 9) / 10; }

// Code points of a string value.
std::uint64_t CodePoints(const doc::Value& text);

// The panic of cel-go on a key that Go cannot hash, as an internal error.
doc::Value UnhashableKey(CallContext& context, const doc::Value& key);

// The run-time type of a value: what type(x) gives.
const Type* TypeOfValue(const doc::Value& value);

// A zero value in the sense of optional.ofNonZeroValue (10.9).
bool IsZeroValue(const doc::Value& value);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_VALUE_OPS_H_
