#include "base/suggest.h"

#include <algorithm>
#include <vector>

namespace portcullis::base {
namespace {

char Fold(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

template <typename Names>
std::string_view Closest(std::string_view name, const Names& candidates) {
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate.empty()) continue;
    const std::size_t distance = EditDistance(name, candidate, best - 1);
    if (distance < best) {
      best = distance;
      found = candidate;
      if (best == 0) break;
    }
  }
  return found;
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  constexpr std::size_t kLongest = 256;  // names are short; long text is never a typo of one
  if (difference > limit || a.size() > kLongest || b.size() > kLongest) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);  // two rows back, for transpositions
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    std::size_t smallest = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = Fold(a[i - 1]) == Fold(b[j - 1]);
      current[j] =
          std::min({previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && Fold(a[i - 1]) == Fold(b[j - 2]) && Fold(a[i - 2]) == Fold(b[j - 1])) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
      smallest = std::min(smallest, current[j]);
    }
    if (smallest > limit) return limit + 1;
    before.swap(previous);
    previous.swap(current);
  }
  return std::min(previous[b.size()], limit + 1);
}

std::string_view ClosestName(std::string_view name, std::span<const std::string> candidates) {
  return Closest(name, candidates);
}

std::string_view ClosestName(std::string_view name, std::span<const std::string_view> candidates) {
  return Closest(name, candidates);
}

}  // namespace portcullis::base
