#ifndef PORTCULLIS_DOC_EQUAL_H_
#define PORTCULLIS_DOC_EQUAL_H_

// Equality of documents as data: numbers compare by value (1 and 1.0 are equal), the order of a
// list counts, the order of map keys does not. CEL's own equality has other rules and lives there.
// No recursion: hostile nesting is harmless. O(size). Pure functions, thread-safe.

#include <cstdint>
#include <vector>

#include "doc/value.h"

namespace portcullis::doc {

bool DataEqual(const Value& a, const Value& b);

// Exact comparison across kInt, kUint and kDouble: -1, 0, 1; 2 if one is NaN. Both must be numbers.
int CompareNumbers(const Value& a, const Value& b);

// The numbers of a map's entries in the byte order of their keys, as writers and reports show them.
std::vector<std::uint32_t> KeyOrder(const Value& map);

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_EQUAL_H_
