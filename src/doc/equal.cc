#include "doc/equal.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace portcullis::doc {
namespace {

template <typename T>
int Order(T a, T b) {
  return a < b ? -1 : (a > b ? 1 : 0);
}

int CompareIntUint(std::int64_t a, std::uint64_t b) {
  return a < 0 ? -1 : Order(static_cast<std::uint64_t>(a), b);
}

// `whole` is the integer below or at d; the fraction decides a tie.
template <typename T>
int CompareWithWhole(T a, T whole, double fraction) {
  const int order = Order(a, whole);
  return order != 0 ? order : (fraction > 0 ? -1 : 0);
}

int CompareIntDouble(std::int64_t a, double d) {
  if (std::isnan(d)) return 2;
  if (d < -9223372036854775808.0) return 1;
  if (d >= 9223372036854775808.0) return -1;
  const double below = std::floor(d);
  return CompareWithWhole(a, static_cast<std::int64_t>(below), d - below);
}

int CompareUintDouble(std::uint64_t a, double d) {
  if (std::isnan(d)) return 2;
  if (d < 0) return 1;
  if (d >= 18446744073709551616.0) return -1;
  const double below = std::floor(d);
  return CompareWithWhole(a, static_cast<std::uint64_t>(below), d - below);
}

int Reverse(int order) { return order == 2 ? 2 : -order; }

bool ScalarsEqual(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return CompareNumbers(a, b) == 0;
  if (a.tag() != b.tag()) return false;
  switch (a.tag()) {
    case Tag::kNull:
      return true;
    case Tag::kString:
    case Tag::kBytes:
      return a.as_string() == b.as_string();
    case Tag::kTimestamp:
      return a.timestamp_seconds() == b.timestamp_seconds() &&
             a.timestamp_nanos() == b.timestamp_nanos();
    default:
      return a.as_uint() == b.as_uint();
  }
}

}  // namespace

int CompareNumbers(const Value& a, const Value& b) {
  if (a.tag() == Tag::kDouble) {
    if (b.tag() == Tag::kInt) return Reverse(CompareIntDouble(b.as_int(), a.as_double()));
    if (b.tag() == Tag::kUint) return Reverse(CompareUintDouble(b.as_uint(), a.as_double()));
    if (std::isnan(a.as_double()) || std::isnan(b.as_double())) return 2;
    return Order(a.as_double(), b.as_double());
  }
  if (a.tag() == Tag::kInt) {
    if (b.tag() == Tag::kInt) return Order(a.as_int(), b.as_int());
    if (b.tag() == Tag::kUint) return CompareIntUint(a.as_int(), b.as_uint());
    return CompareIntDouble(a.as_int(), b.as_double());
  }
  if (b.tag() == Tag::kInt) return Reverse(CompareIntUint(b.as_int(), a.as_uint()));
  if (b.tag() == Tag::kUint) return Order(a.as_uint(), b.as_uint());
  return CompareUintDouble(a.as_uint(), b.as_double());
}

bool DataEqual(const Value& a, const Value& b) {
  std::vector<std::pair<Value, Value>> open{{a, b}};
  while (!open.empty()) {
    const auto [x, y] = open.back();
    open.pop_back();
    if (!x.is_list() && !x.is_map()) {
      if (!ScalarsEqual(x, y)) return false;
      continue;
    }
    if (x.tag() != y.tag() || x.size() != y.size()) return false;
    if (x.is_list()) {
      const std::span<const Value> xs = x.as_list();
      const std::span<const Value> ys = y.as_list();
      if (xs.data() == ys.data()) continue;
      for (std::size_t i = 0; i < xs.size(); ++i) open.emplace_back(xs[i], ys[i]);
      continue;
    }
    if (x.map_rep() == y.map_rep()) continue;
    for (const MapEntry& entry : x.as_map()) {
      const Value* other = y.FindKey(entry.key);
      if (other == nullptr) return false;
      open.emplace_back(entry.value, *other);
    }
  }
  return true;
}

std::vector<std::uint32_t> KeyOrder(const Value& map) {
  const std::span<const MapEntry> entries = map.as_map();
  std::vector<std::uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Value& x = entries[a].key;
    const Value& y = entries[b].key;
    // Other than string keys exist only in CEL values; any fixed order will do for them.
    if (!x.is_string() || !y.is_string()) {
      return x.is_string() != y.is_string() ? y.is_string() : x.as_int() < y.as_int();
    }
    return x.as_string() < y.as_string();
  });
  return order;
}

}  // namespace portcullis::doc
