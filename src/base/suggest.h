#ifndef PORTCULLIS_BASE_SUGGEST_H_
#define PORTCULLIS_BASE_SUGGEST_H_

// "Did you mean ...": the known name that is closest to a mistyped one. Pure functions.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace portcullis::base {

// Edit distance with transpositions, ignoring ASCII case; gives up above `limit` and returns
// limit + 1.
std::size_t EditDistance(std::string_view a, std::string_view b, std::size_t limit);

// The closest of `candidates`, or empty when none is close: at most a third of the name's length
// (and at least one) edits away. The first of equals wins. The view points into `candidates`.
std::string_view ClosestName(std::string_view name, std::span<const std::string> candidates);
std::string_view ClosestName(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_SUGGEST_H_
