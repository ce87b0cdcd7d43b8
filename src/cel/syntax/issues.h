#ifndef PORTCULLIS_CEL_SYNTAX_ISSUES_H_
#define PORTCULLIS_CEL_SYNTAX_ISSUES_H_

// Errors of parsing, checking and validating one expression, and their rendering as cel-go prints
// them (spec/cel.md 5).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace portcullis::cel {

struct Issue {
  static constexpr std::uint32_t kNoPosition = 0xFFFFFFFFU;  // printed as -1:0, without a snippet
  std::uint32_t position = kNoPosition;                      // code point offset into the source
  std::string message;
};

class Issues {
 public:
  void Add(std::uint32_t position, std::string message) {
    list_.push_back({position, std::move(message)});
  }
  bool empty() const { return list_.empty(); }
  const std::vector<Issue>& list() const { return list_; }

  // All issues, sorted stably by line and column, as `ERROR: <input>:L:C: MESSAGE` with snippets,
  // joined by LF; at most 100, then `N more errors were truncated`.
  std::string Render(std::string_view source) const;

 private:
  std::vector<Issue> list_;
};

// 1-based line and column (code points) of a code point offset.
struct LineColumn {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};
LineColumn Locate(std::string_view source, std::uint32_t position);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_ISSUES_H_
