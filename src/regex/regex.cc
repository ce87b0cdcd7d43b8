#include "regex/regex.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "base/utf8.h"
#include "regex/syntax.h"

namespace portcullis::regex {
namespace {

constexpr std::int64_t kMaxMemory = std::int64_t{32} << 20;  // program and automaton cache

re2::StringPiece Piece(std::string_view text) {
  // RE2 reports an absent group by a null pointer: an empty text needs an address.
  return text.data() == nullptr ? re2::StringPiece("", 0)
                                : re2::StringPiece(text.data(), text.size());
}

std::string_view GoReason(RE2::ErrorCode code) {
  switch (code) {
    case RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case RE2::ErrorBadCharClass:
      return "invalid character class";
    case RE2::ErrorBadCharRange:
      return "invalid character class range";
    case RE2::ErrorMissingBracket:
      return "missing closing ]";
    case RE2::ErrorMissingParen:
      return "missing closing )";
    case RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    case RE2::ErrorPatternTooLarge:
      return "expression too large";
    default:
      return "internal error";
  }
}

base::Error GoError(std::string_view reason, std::string_view argument) {
  std::string message = "error parsing regexp: ";
  message += reason;
  message += ": `";
  message += argument;
  message += '`';
  return base::Error(base::ErrorCode::kSyntax, std::move(message));
}

// RE2 quotes from the translated pattern; users wrote the original one.
std::string OriginalFragment(std::string_view argument, std::string_view pattern,
                             const Translated& translated) {
  if (!translated.changed) return std::string(argument);
  if (argument == translated.pattern) return std::string(pattern);
  if (argument.starts_with("(?P<")) {
    std::string original = "(?<" + std::string(argument.substr(4));
    if (pattern.find(original) != std::string_view::npos) return original;
  }
  return std::string(argument);
}

}  // namespace

struct Regex::Engine {
  Engine(const std::string& pattern, const RE2::Options& options)
      : re(re2::StringPiece(pattern), options) {}
  RE2 re;
};

Regex::Regex() = default;
Regex::~Regex() = default;

base::Result<std::shared_ptr<const Regex>> Regex::Compile(std::string_view pattern) {
  std::shared_ptr<Regex> out(new Regex);
  out->pattern_ = pattern;
  if (std::optional<PlainText> plain = AsPlainText(pattern)) {
    out->literal_ = std::move(plain->text);
    out->literal_kind_ = plain->at_start ? (plain->at_end ? Literal::kEquals : Literal::kPrefix)
                                         : (plain->at_end ? Literal::kSuffix : Literal::kContains);
    return std::shared_ptr<const Regex>(std::move(out));
  }
  const Translated translated = Translate(pattern);
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  auto engine = std::make_unique<Engine>(translated.pattern, options);
  if (!engine->re.ok()) {
    const std::string_view argument = engine->re.error_code() == RE2::ErrorBadUTF8 ||
                                              engine->re.error_code() == RE2::ErrorPatternTooLarge
                                          ? std::string_view(translated.pattern)
                                          : std::string_view(engine->re.error_arg());
    return GoError(GoReason(engine->re.error_code()),
                   OriginalFragment(argument, pattern, translated));
  }
  if (translated.has_any_byte) return GoError(GoReason(RE2::ErrorBadEscape), "\\C");
  out->group_count_ = engine->re.NumberOfCapturingGroups();
  out->group_names_.resize(static_cast<std::size_t>(out->group_count_));
  for (const auto& [number, name] : engine->re.CapturingGroupNames()) {
    out->group_names_[static_cast<std::size_t>(number - 1)] = name;
  }
  out->engine_ = std::move(engine);
  return std::shared_ptr<const Regex>(std::move(out));
}

bool Regex::PartialMatch(std::string_view text) const {
  switch (literal_kind_) {
    case Literal::kContains:
      return text.find(literal_) != std::string_view::npos;
    case Literal::kPrefix:
      return text.starts_with(literal_);
    case Literal::kSuffix:
      return text.ends_with(literal_);
    case Literal::kEquals:
      return text == literal_;
    case Literal::kNone:
      break;
  }
  return engine_->re.Match(Piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

bool Regex::FullMatch(std::string_view text) const {
  if (literal_kind_ != Literal::kNone) return text == literal_;
  return engine_->re.Match(Piece(text), 0, text.size(), RE2::ANCHOR_BOTH, nullptr, 0);
}

bool Regex::MatchAt(std::string_view text, std::size_t start, std::vector<Group>& groups) const {
  if (literal_kind_ != Literal::kNone) {
    std::size_t at = std::string_view::npos;
    if (literal_kind_ == Literal::kContains) {
      at = text.find(literal_, start);
    } else if (PartialMatch(text)) {
      const bool from_end = literal_kind_ == Literal::kSuffix;
      at = from_end ? text.size() - literal_.size() : 0;
      if (at < start) at = std::string_view::npos;
    }
    if (at == std::string_view::npos) return false;
    groups.assign(1, text.substr(at, literal_.size()));
    return true;
  }
  constexpr std::size_t kInline = 16;
  std::array<re2::StringPiece, kInline> small;
  std::vector<re2::StringPiece> large;
  re2::StringPiece* pieces = small.data();
  const std::size_t count = groups.size();
  if (count > kInline) {
    large.resize(count);
    pieces = large.data();
  }
  if (!engine_->re.Match(Piece(text), start, text.size(), RE2::UNANCHORED, pieces,
                         static_cast<int>(count))) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (pieces[i].data() == nullptr) {
      groups[i] = std::nullopt;
    } else {
      groups[i] = std::string_view(pieces[i].data(), pieces[i].size());
    }
  }
  return true;
}

std::optional<std::string_view> Regex::Find(std::string_view text) const {
  std::vector<Group> groups(1);
  if (!MatchAt(text, 0, groups)) return std::nullopt;
  return groups[0];
}

bool Regex::FindSubmatch(std::string_view text, std::vector<Group>& groups) const {
  groups.assign(static_cast<std::size_t>(group_count_) + 1, std::nullopt);
  return MatchAt(text, 0, groups);
}

std::vector<std::vector<Group>> Regex::FindAllSubmatch(std::string_view text,
                                                       std::ptrdiff_t limit) const {
  std::vector<std::vector<Group>> out;
  if (text.data() == nullptr) text = "";
  std::vector<Group> groups(static_cast<std::size_t>(group_count_) + 1);
  std::size_t pos = 0;
  std::size_t previous_end = std::string_view::npos;
  while (pos <= text.size() && (limit < 0 || out.size() < static_cast<std::size_t>(limit))) {
    if (!MatchAt(text, pos, groups)) break;
    const std::string_view match = *groups[0];
    const auto begin = static_cast<std::size_t>(match.data() - text.data());
    const std::size_t end = begin + match.size();
    const bool accept = end != pos || begin != previous_end;
    pos = end == pos ? pos + std::max<std::size_t>(1, base::DecodeRune(text, pos).size) : end;
    previous_end = end;
    if (accept) out.push_back(groups);
  }
  return out;
}

std::vector<std::string_view> Regex::FindAll(std::string_view text, std::ptrdiff_t limit) const {
  std::vector<std::string_view> out;
  for (const std::vector<Group>& match : FindAllSubmatch(text, limit)) out.push_back(*match[0]);
  return out;
}

const base::Result<std::shared_ptr<const Regex>>& Cached(std::string_view pattern) {
  // Sets of four entries, replaced by age.
  struct Entry {
    std::string pattern;
    std::uint64_t used = 0;
    base::Result<std::shared_ptr<const Regex>> result = std::shared_ptr<const Regex>();
  };
  constexpr std::size_t kWays = 4;
  constexpr std::size_t kSets = 16;
  thread_local std::array<Entry, kWays * kSets> entries;
  thread_local std::uint64_t tick = 0;
  Entry* set = &entries[(base::HashBytes(pattern) % kSets) * kWays];
  Entry* oldest = set;
  for (std::size_t i = 0; i < kWays; ++i) {
    Entry& entry = set[i];
    if (entry.used != 0 && entry.pattern == pattern) {
      entry.used = ++tick;
      return entry.result;
    }
    if (entry.used < oldest->used) oldest = &entry;
  }
  oldest->pattern = pattern;
  oldest->used = ++tick;
  oldest->result = Regex::Compile(pattern);
  return oldest->result;
}

}  // namespace portcullis::regex
