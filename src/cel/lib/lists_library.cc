// The table of cel-go's lists extension, version 3 (spec/cel.md 14.3).

#include "cel/lib/libraries.h"
#include "cel/lib/list_functions.h"

namespace portcullis::cel {
namespace {

constexpr std::uint8_t kSorting = kMember | kUnguarded | kNonStrict | kTracked;

constexpr Overload SortRow(std::string_view id, std::string_view signature) {
  return {id, "sort", signature, lists::Sort, kSorting, lists::PairwiseCost};
}

constexpr Overload SortByRow(std::string_view id, std::string_view signature) {
  return {id, "@sortByAssociatedKeys", signature, lists::SortByKeys, kSorting, lists::PairwiseCost};
}

constexpr Overload kOverloads[] = {
    {"list_slice", "slice", "(list(T), int, int) -> list(T)", lists::Slice, kMember | kTracked,
     lists::ResultSizeCost},
    {"list_flatten", "flatten", "(list(list(T))) -> list(T)", lists::Flatten,
     kMember | kUnguarded | kTracked, lists::FlattenCost},
    {"list_flatten_int", "flatten", "(list(dyn), int) -> list(dyn)", lists::Flatten,
     kMember | kUnguarded | kTracked, lists::FlattenCost},
    SortRow("list_int_sort", "(list(int)) -> list(int)"),
    SortRow("list_uint_sort", "(list(uint)) -> list(uint)"),
    SortRow("list_double_sort", "(list(double)) -> list(double)"),
    SortRow("list_bool_sort", "(list(bool)) -> list(bool)"),
    SortRow("list_duration_sort", "(list(duration)) -> list(duration)"),
    SortRow("list_timestamp_sort", "(list(timestamp)) -> list(timestamp)"),
    SortRow("list_string_sort", "(list(string)) -> list(string)"),
    SortRow("list_bytes_sort", "(list(bytes)) -> list(bytes)"),
    SortByRow("list_int_sortByAssociatedKeys", "(list(T), list(int)) -> list(T)"),
    SortByRow("list_uint_sortByAssociatedKeys", "(list(T), list(uint)) -> list(T)"),
    SortByRow("list_double_sortByAssociatedKeys", "(list(T), list(double)) -> list(T)"),
    SortByRow("list_bool_sortByAssociatedKeys", "(list(T), list(bool)) -> list(T)"),
    SortByRow("list_duration_sortByAssociatedKeys", "(list(T), list(duration)) -> list(T)"),
    SortByRow("list_timestamp_sortByAssociatedKeys", "(list(T), list(timestamp)) -> list(T)"),
    SortByRow("list_string_sortByAssociatedKeys", "(list(T), list(string)) -> list(T)"),
    SortByRow("list_bytes_sortByAssociatedKeys", "(list(T), list(bytes)) -> list(T)"),
    {"lists_range", "lists.range", "(int) -> list(int)", lists::Range, kTracked, lists::RangeCost},
    {"list_reverse", "reverse", "(list(T)) -> list(T)", lists::Reverse, kMember | kTracked,
     lists::ResultSizeCost},
    {"list_distinct", "distinct", "(list(T)) -> list(T)", lists::Distinct, kSorting,
     lists::PairwiseCost},
};

constexpr Library kLibrary{"cel.lib.ext.lists", kOverloads};

}  // namespace

const Library& ListsLibrary() { return kLibrary; }

}  // namespace portcullis::cel
