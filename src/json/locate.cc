#include "json/locate.h"

#include <algorithm>

#include "json/reader.h"

namespace portcullis::json {
namespace {

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::size_t at() const { return at_; }
  void MoveTo(std::size_t at) { at_ = at; }

  char Peek() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Accept(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }

  // Behind the string at at_; its raw text with the quotes.
  std::string_view TakeString() {
    const std::size_t from = at_++;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
    return text_.substr(from, at_ - from);
  }

  void SkipValue() {
    std::size_t depth = 0;
    do {
      const char c = Peek();
      if (c == '\0') return;
      if (c == '"') {
        TakeString();
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at_;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return;
        --depth;
        ++at_;
      } else if (depth != 0) {
        ++at_;
      } else {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      }
    } while (depth != 0);
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

bool KeyEquals(std::string_view raw, std::string_view key) {
  if (raw.find('\\') == std::string_view::npos) {
    return raw.size() >= 2 && raw.substr(1, raw.size() - 2) == key;
  }
  base::Arena arena;
  const base::Result<doc::Value> decoded = Parse(raw, arena);
  return decoded.ok() && decoded->as_string() == key;
}

// Moves the scanner to the member's value; the last of several equal keys counts.
bool EnterMember(Scanner* scanner, std::string_view key, std::size_t* key_at) {
  if (!scanner->Accept('{')) return false;
  bool found = false;
  std::size_t value_at = 0;
  while (scanner->Peek() == '"') {
    const std::size_t at = scanner->at();
    const bool same = KeyEquals(scanner->TakeString(), key);
    if (!scanner->Accept(':')) break;
    scanner->Peek();
    if (same) {
      found = true;
      *key_at = at;
      value_at = scanner->at();
    }
    scanner->SkipValue();
    if (!scanner->Accept(',')) break;
  }
  if (found) scanner->MoveTo(value_at);
  return found;
}

bool EnterItem(Scanner* scanner, std::int64_t index) {
  if (!scanner->Accept('[')) return false;
  for (std::int64_t i = 0;; ++i) {
    const char c = scanner->Peek();
    if (c == ']' || c == '\0') return false;
    if (i == index) return true;
    scanner->SkipValue();
    if (!scanner->Accept(',')) return false;
  }
}

}  // namespace

std::size_t MemberOffset(std::string_view text, std::size_t map, std::uint32_t number) {
  Scanner scanner(text);
  scanner.MoveTo(map);
  scanner.Accept('{');
  for (; number != 0; --number) {
    scanner.Peek();
    scanner.TakeString();
    scanner.Accept(':');
    scanner.SkipValue();
    scanner.Accept(',');
  }
  scanner.Peek();
  return scanner.at();
}

doc::PathLocation Locate(std::string_view text, doc::PathView path) {
  Scanner scanner(text);
  scanner.Peek();
  std::size_t key_at = scanner.at();
  std::size_t value_at = key_at;
  doc::PathLocation out;
  for (const doc::PathStep& step : path) {
    std::size_t next_key = 0;
    if (step.is_index()) {
      if (!EnterItem(&scanner, step.index)) break;
      next_key = scanner.at();
    } else if (!EnterMember(&scanner, step.key, &next_key)) {
      break;
    }
    key_at = next_key;
    value_at = scanner.at();
    ++out.matched;
  }
  out.exact = out.matched == path.size();
  out.key = doc::PositionAt(text, key_at);
  out.value = doc::PositionAt(text, value_at);
  return out;
}

}  // namespace portcullis::json
