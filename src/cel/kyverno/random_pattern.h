#ifndef PORTCULLIS_CEL_KYVERNO_RANDOM_PATTERN_H_
#define PORTCULLIS_CEL_KYVERNO_RANDOM_PATTERN_H_

// Regular expressions that random text is made from: Go's syntax without Perl's and Unicode's
// classes, with its error texts (spec/kyverno-cel-policies.md 10.9). A pattern is immutable once
// parsed; linear in its text.

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace portcullis::cel {

class RandomPattern {
 public:
  // Error: "error parsing regexp: invalid escape sequence: `\d`".
  static base::Result<RandomPattern> Parse(std::string_view text);

  // Appends a text that matches. False when it would be longer than `max_size` or takes too many
  // steps; `out` is then unspecified.
  bool Generate(std::mt19937_64& random, std::size_t max_size, std::string& out) const;

 private:
  friend class RandomPatternParser;

  enum class Kind : std::uint8_t { kEmpty, kClass, kConcat, kAlternate, kRepeat };
  struct Node {
    Kind kind = Kind::kEmpty;
    std::uint32_t first = 0;  // kClass: into ranges_; kConcat, kAlternate, kRepeat: into children_
    std::uint32_t count = 0;
    std::int32_t min = 0;  // kRepeat
    std::int32_t max = 0;
    std::uint32_t height = 1;
    std::uint32_t repeats = 1;  // the product of the counts that are nested in it
  };
  using Range = std::pair<char32_t, char32_t>;

  struct Run;
  bool Append(Run& run, std::uint32_t node) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> children_;
  std::vector<Range> ranges_;
  std::uint32_t root_ = 0;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_RANDOM_PATTERN_H_
