// The parser of RandomPattern.

#include <algorithm>

#include "base/utf8.h"
#include "cel/kyverno/random_pattern.h"

namespace portcullis::cel {
namespace {

struct PosixClass {
  std::string_view name;
  std::string_view bounds;  // pairs of first and last byte
};

constexpr PosixClass kPosixClasses[] = {
    {"alnum", "09AZaz"},
    {"alpha", "AZaz"},
    {"ascii", std::string_view("\x00\x7f", 2)},
    {"blank", "\t\t  "},
    {"cntrl", std::string_view("\x00\x1f\x7f\x7f", 4)},
    {"digit", "09"},
    {"graph", "!~"},
    {"lower", "az"},
    {"print", " ~"},
    {"punct", "!/:@[`{~"},
    {"space", "\t\r  "},
    {"upper", "AZ"},
    {"word", "09AZaz__"},
    {"xdigit", "09AFaf"},
};

constexpr char32_t kMaxRune = 0x10ffff;
constexpr char32_t kFirstSurrogate = 0xd800;
constexpr char32_t kLastSurrogate = 0xdfff;

int HexDigit(char32_t c) {
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<int>(c - 'A' + 10);
  return -1;
}

bool IsOctal(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '7'; }

}  // namespace

class RandomPatternParser {
 public:
  using Node = RandomPattern::Node;
  using Kind = RandomPattern::Kind;
  using Range = RandomPattern::Range;

  explicit RandomPatternParser(std::string_view text) : whole_(text), rest_(text) {}

  base::Result<RandomPattern> Run() {
    if (!base::IsValidUtf8(whole_)) {
      Fail("invalid UTF-8", whole_);
    } else if (ParseAlternatives(0, out_.root_) && !rest_.empty()) {
      Fail("unexpected )", whole_);
    }
    if (failed_) return base::Error(base::ErrorCode::kSyntax, error_);
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kMaxHeight = 1000;
  static constexpr std::int32_t kMaxRepeat = 1000;

  bool Fail(std::string_view what, std::string_view where) {
    if (!failed_)
      error_ = "error parsing regexp: " + std::string(what) + ": `" + std::string(where) + "`";
    failed_ = true;
    return false;
  }

  // What has been read since `before` was what remained.
  std::string_view ReadSince(std::string_view before) const {
    return before.substr(0, before.size() - rest_.size());
  }

  char32_t Next() {
    const base::Rune rune = base::DecodeRune(rest_);
    rest_.remove_prefix(rune.size);
    return rune.code;
  }

  bool Add(Node node, std::uint32_t& id) {
    for (std::uint32_t i = 0; node.kind != Kind::kClass && i < node.count; ++i) {
      const Node& child = out_.nodes_[out_.children_[node.first + i]];
      node.height = std::max(node.height, child.height + 1);
      node.repeats = std::max(node.repeats, child.repeats);
    }
    if (node.height > kMaxHeight) return Fail("expression nests too deeply", whole_);
    id = static_cast<std::uint32_t>(out_.nodes_.size());
    out_.nodes_.push_back(node);
    return true;
  }

  bool AddList(Kind kind, const std::vector<std::uint32_t>& children, std::uint32_t& id) {
    if (children.size() == 1) {
      id = children[0];
      return true;
    }
    Node node;
    node.kind = children.empty() ? Kind::kEmpty : kind;
    node.first = static_cast<std::uint32_t>(out_.children_.size());
    node.count = static_cast<std::uint32_t>(children.size());
    out_.children_.insert(out_.children_.end(), children.begin(), children.end());
    return Add(node, id);
  }

  bool AddRanges(const std::vector<Range>& ranges, std::uint32_t& id) {
    Node node;
    node.kind = Kind::kClass;
    node.first = static_cast<std::uint32_t>(out_.ranges_.size());
    node.count = static_cast<std::uint32_t>(ranges.size());
    out_.ranges_.insert(out_.ranges_.end(), ranges.begin(), ranges.end());
    return Add(node, id);
  }

  // Up to the end or a closing parenthesis, which stays.
  bool ParseAlternatives(std::uint32_t depth, std::uint32_t& id) {
    if (depth > kMaxHeight) return Fail("expression nests too deeply", whole_);
    std::vector<std::uint32_t> alternatives;
    for (;;) {
      std::uint32_t branch = 0;
      if (!ParseSequence(depth, branch)) return false;
      alternatives.push_back(branch);
      if (!rest_.starts_with('|')) return AddList(Kind::kAlternate, alternatives, id);
      rest_.remove_prefix(1);
    }
  }

  bool ParseSequence(std::uint32_t depth, std::uint32_t& id) {
    std::vector<std::uint32_t> items;
    while (!rest_.empty() && rest_[0] != '|' && rest_[0] != ')') {
      const std::string_view before = rest_;
      std::int32_t min = 0;
      std::int32_t max = 0;
      if (ReadCount(min, max)) {
        if (!Repeat(before, min, max, items)) return false;
        continue;
      }
      std::uint32_t item = 0;
      if (!ParseItem(depth, item)) return false;
      items.push_back(item);
    }
    return AddList(Kind::kConcat, items, id);
  }

  bool ParseItem(std::uint32_t depth, std::uint32_t& id) {
    switch (rest_[0]) {
      case '(':
        rest_.remove_prefix(1);
        if (!ParseAlternatives(depth + 1, id)) return false;
        if (rest_.empty()) return Fail("missing closing )", whole_);
        rest_.remove_prefix(1);
        return true;
      case '^':
      case '$':
        rest_.remove_prefix(1);
        return Add(Node(), id);
      case '.':
        // Any character would do; text that can be read is of more use.
        rest_.remove_prefix(1);
        return AddRanges({{' ', '~'}}, id);
      case '[':
        return ParseClass(id);
      default: {
        char32_t rune = 0;
        if (rest_[0] != '\\') {
          rune = Next();
        } else if (!ParseEscape(rune)) {
          return false;
        }
        return AddRanges({{rune, rune}}, id);
      }
    }
  }

  // `*`, `+`, `?` or `{n,m}`; a brace that opens no count is a character like any other.
  bool ReadCount(std::int32_t& min, std::int32_t& max) {
    switch (rest_[0]) {
      case '*':
      case '+':
        min = rest_[0] == '+' ? 1 : 0;
        max = -1;
        break;
      case '?':
        max = 1;
        break;
      case '{':
        return ReadBraces(min, max);
      default:
        return false;
    }
    rest_.remove_prefix(1);
    return true;
  }

  bool ReadBraces(std::int32_t& min, std::int32_t& max) {
    std::string_view text = rest_.substr(1);
    if (!ReadNumber(text, min)) return false;
    max = min;
    if (text.starts_with(',')) {
      text.remove_prefix(1);
      max = -1;
      if (!text.starts_with('}') && !ReadNumber(text, max)) return false;
      if (min > kMaxRepeat || max > kMaxRepeat || (max >= 0 && min > max)) min = kMaxRepeat + 1;
    }
    if (!text.starts_with('}')) return false;
    rest_ = text.substr(1);
    return true;
  }

  // Digits without a leading zero; anything too large is one more than what is allowed.
  static bool ReadNumber(std::string_view& text, std::int32_t& number) {
    std::size_t size = 0;
    number = 0;
    while (size < text.size() && text[size] >= '0' && text[size] <= '9') {
      number = std::min(number * 10 + (text[size++] - '0'), kMaxRepeat + 1);
    }
    if (size == 0 || (size > 1 && text[0] == '0')) return false;
    text.remove_prefix(size);
    return true;
  }

  bool Repeat(std::string_view before, std::int32_t min, std::int32_t max,
              std::vector<std::uint32_t>& items) {
    const std::string_view written = ReadSince(before);
    if (min > kMaxRepeat) return Fail("invalid repeat count", written);
    if (items.empty()) return Fail("missing argument to repetition operator", written);
    Node node;
    node.kind = Kind::kRepeat;
    node.min = min;
    node.max = max;
    node.first = static_cast<std::uint32_t>(out_.children_.size());
    node.count = 1;
    const std::uint32_t inner = out_.nodes_[items.back()].repeats;
    if (written[0] == '{') {
      const auto count = static_cast<std::uint32_t>(std::max(max < 0 ? min : max, 1));
      if (count >= 2 && count * inner > static_cast<std::uint32_t>(kMaxRepeat)) {
        return Fail("invalid repeat count", written);
      }
      node.repeats = count * inner;
    }
    out_.children_.push_back(items.back());
    return Add(node, items.back());
  }

  bool ParseEscape(char32_t& rune) {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    if (rest_.empty()) return Fail("trailing backslash at end of expression", "");
    rune = Next();
    switch (rune) {
      case 'a':
        rune = '\a';
        return true;
      case 'f':
        rune = '\f';
        return true;
      case 'n':
        rune = '\n';
        return true;
      case 'r':
        rune = '\r';
        return true;
      case 't':
        rune = '\t';
        return true;
      case 'v':
        rune = '\v';
        return true;
      case 'x':
        if (ParseHex(rune)) return true;
        break;
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
        // One digit that is no zero would be a reference to a group.
        if (rune != '0' && !IsOctal(rest_)) break;
        rune -= '0';
        for (int i = 1; i < 3 && IsOctal(rest_); ++i) {
          rune = rune * 8 + static_cast<char32_t>(rest_[0] - '0');
          rest_.remove_prefix(1);
        }
        return true;
      default: {
        const bool word = (rune >= '0' && rune <= '9') || (rune >= 'A' && rune <= 'Z') ||
                          (rune >= 'a' && rune <= 'z');
        if (rune < 0x80 && !word) return true;
        break;
      }
    }
    return Fail("invalid escape sequence", ReadSince(before));
  }

  bool ParseHex(char32_t& rune) {
    if (rest_.empty()) return false;
    char32_t c = Next();
    rune = 0;
    if (c != '{') {
      const int high = HexDigit(c);
      const int low = rest_.empty() ? -1 : HexDigit(Next());
      if (high < 0 || low < 0) return false;
      rune = static_cast<char32_t>(high * 16 + low);
      return true;
    }
    int digits = 0;
    for (; !rest_.empty(); ++digits) {
      c = Next();
      if (c == '}') return digits != 0;
      const int digit = HexDigit(c);
      if (digit < 0) return false;
      rune = rune * 16 + static_cast<char32_t>(digit);
      if (rune > kMaxRune) return false;
    }
    return false;
  }

  bool ParseClass(std::uint32_t& id) {
    const std::string_view whole_class = rest_;
    rest_.remove_prefix(1);
    std::vector<Range> ranges;
    const bool negated = rest_.starts_with('^');
    if (negated) {
      rest_.remove_prefix(1);
      ranges.emplace_back('\n', '\n');  // a negated class does not reach over lines
    }
    for (bool first = true; rest_.empty() || rest_[0] != ']' || first; first = false) {
      if (rest_.starts_with('-') && !first && (rest_.size() == 1 || rest_[1] != ']')) {
        const base::Rune after = base::DecodeRune(rest_, 1);
        return Fail("invalid character class range", rest_.substr(0, 1 + after.size));
      }
      if (rest_.starts_with("[:")) {
        const std::size_t end = rest_.find(":]", 2);
        if (end != std::string_view::npos) {
          if (!AddPosixClass(rest_.substr(0, end + 2), ranges)) return false;
          rest_.remove_prefix(end + 2);
          continue;
        }
      }
      const std::string_view before = rest_;
      char32_t low = 0;
      if (!ParseClassChar(whole_class, low)) return false;
      char32_t high = low;
      if (rest_.size() >= 2 && rest_[0] == '-' && rest_[1] != ']') {
        rest_.remove_prefix(1);
        if (!ParseClassChar(whole_class, high)) return false;
        if (high < low) return Fail("invalid character class range", ReadSince(before));
      }
      ranges.emplace_back(low, high);
    }
    rest_.remove_prefix(1);
    return AddRanges(Tidy(std::move(ranges), negated), id);
  }

  bool ParseClassChar(std::string_view whole_class, char32_t& rune) {
    if (rest_.empty()) return Fail("missing closing ]", whole_class);
    if (rest_[0] == '\\') return ParseEscape(rune);
    rune = Next();
    return true;
  }

  // `[:alpha:]` or `[:^alpha:]`.
  bool AddPosixClass(std::string_view text, std::vector<Range>& ranges) {
    std::string_view name = text.substr(2, text.size() - 4);
    const bool negated = name.starts_with('^');
    if (negated) name.remove_prefix(1);
    for (const PosixClass& known : kPosixClasses) {
      if (known.name != name) continue;
      std::vector<Range> added;
      for (std::size_t i = 0; i < known.bounds.size(); i += 2) {
        added.emplace_back(static_cast<unsigned char>(known.bounds[i]),
                           static_cast<unsigned char>(known.bounds[i + 1]));
      }
      added = Tidy(std::move(added), negated);
      ranges.insert(ranges.end(), added.begin(), added.end());
      return true;
    }
    return Fail("invalid character class range", text);
  }

  // Sorted, joined, without surrogates; or what is outside of the ranges.
  static std::vector<Range> Tidy(std::vector<Range> ranges, bool negated) {
    std::sort(ranges.begin(), ranges.end());
    std::vector<Range> joined;
    for (const Range& range : ranges) {
      if (!joined.empty() && range.first <= joined.back().second + 1) {
        joined.back().second = std::max(joined.back().second, range.second);
      } else {
        joined.push_back(range);
      }
    }
    std::vector<Range> chosen;
    if (negated) {
      char32_t next = 0;
      for (const Range& range : joined) {
        if (range.first > next) chosen.emplace_back(next, range.first - 1);
        next = range.second + 1;
      }
      if (next <= kMaxRune) chosen.emplace_back(next, kMaxRune);
    } else {
      chosen = std::move(joined);
    }
    std::vector<Range> out;
    for (const Range& range : chosen) {
      if (range.first < kFirstSurrogate) {
        out.emplace_back(range.first, std::min<char32_t>(range.second, kFirstSurrogate - 1));
      }
      if (range.second > kLastSurrogate) {
        out.emplace_back(std::max<char32_t>(range.first, kLastSurrogate + 1), range.second);
      }
    }
    return out;
  }

  std::string_view whole_;
  std::string_view rest_;
  RandomPattern out_;
  bool failed_ = false;
  std::string error_;
};

base::Result<RandomPattern> RandomPattern::Parse(std::string_view text) {
  return RandomPatternParser(text).Run();
}

}  // namespace portcullis::cel
