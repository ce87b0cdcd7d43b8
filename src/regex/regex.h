#ifndef PORTCULLIS_REGEX_REGEX_H_
#define PORTCULLIS_REGEX_REGEX_H_

// Regular expressions with Go's syntax and error texts on RE2 (spec/engineering.md 4.3,
// spec/cel.md 14.9). Linear time, leftmost-first, UTF-8. A Regex is immutable and shareable by
// threads. Patterns that are plain text are searched without RE2.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace portcullis::regex {

// A match of a group; data() is null when the group took no part.
using Group = std::optional<std::string_view>;

class Regex {
 public:
  // The error message is Go's: "error parsing regexp: missing closing ): `a(b`".
  static base::Result<std::shared_ptr<const Regex>> Compile(std::string_view pattern);

  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  const std::string& pattern() const { return pattern_; }

  // Does it match anywhere (Go's MatchString) / the whole text?
  bool PartialMatch(std::string_view text) const;
  bool FullMatch(std::string_view text) const;

  // The leftmost match, as a view into `text`.
  std::optional<std::string_view> Find(std::string_view text) const;
  // Non-overlapping matches, at most `limit` (negative: all), as Go's FindAllString: an empty match
  // right after a match is not counted.
  std::vector<std::string_view> FindAll(std::string_view text, std::ptrdiff_t limit = -1) const;

  // As above with groups: [0] is the whole match.
  bool FindSubmatch(std::string_view text, std::vector<Group>& groups) const;
  std::vector<std::vector<Group>> FindAllSubmatch(std::string_view text,
                                                  std::ptrdiff_t limit = -1) const;

  // Number of capturing groups, and their names by number - 1 ("" when unnamed).
  int group_count() const { return group_count_; }
  const std::vector<std::string>& group_names() const { return group_names_; }

 private:
  enum class Literal : unsigned char { kNone, kContains, kPrefix, kSuffix, kEquals };
  struct Engine;

  Regex();
  // One match at or after `start`; fills groups[0..n).
  bool MatchAt(std::string_view text, std::size_t start, std::vector<Group>& groups) const;

  std::string pattern_;
  std::unique_ptr<const Engine> engine_;
  int group_count_ = 0;
  std::vector<std::string> group_names_;
  Literal literal_kind_ = Literal::kNone;
  std::string literal_;
};

// Compiles through a small cache of the calling thread, for patterns that are computed at run
// time. Failures are cached too. The reference is valid until the next call on this thread; copy
// the pointer to keep it.
const base::Result<std::shared_ptr<const Regex>>& Cached(std::string_view pattern);

}  // namespace portcullis::regex

#endif  // PORTCULLIS_REGEX_REGEX_H_
