#include "json/reader.h"

#include <bit>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/gotext.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "doc/members.h"
#include "doc/text_position.h"
#include "json/locate.h"

namespace portcullis::json {
namespace {

using doc::MapEntry;
using doc::Value;

// An open list or map; its finished members are at the tops of the scratch stacks.
struct Frame {
  bool is_map;
  std::uint32_t start;  // offset of the bracket
  std::uint32_t entry_base;
  std::uint32_t item_base;
};

// Working memory of a parse, kept per thread.
struct Scratch {
  std::vector<Frame> frames;
  doc::MemberStacks members;
  doc::KeyTable keys;
  std::string text;

  void Clear() {
    constexpr std::size_t kKeep = std::size_t{1} << 16;
    frames.clear();
    members.Clear();
    keys.Trim(kKeep);
    if (text.capacity() > kKeep) std::string().swap(text);
    text.clear();
  }
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void AppendRepaired(std::string_view text, std::string* out) {
  if (base::IsValidUtf8(text)) {
    out->append(text);
  } else {
    out->append(base::ToValidUtf8(text));
  }
}

constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

class Reader {
 public:
  Reader(std::string_view text, base::Arena& arena, const ReadOptions& options, Scratch& scratch)
      : text_(text),
        p_(text.data()),
        end_(text.data() + text.size()),
        arena_(arena),
        options_(options),
        s_(scratch),
        max_bytes_(arena.bytes_used() + doc::MaxValueBytes(text.size())) {}

  bool ParseValue(Value* out);

  // Skips blanks; true at the end of the text.
  bool AtEnd() {
    SkipSpace();
    return p_ == end_;
  }
  std::size_t offset() const { return static_cast<std::size_t>(p_ - text_.data()); }

  void FailHere(std::string_view context) {
    if (p_ == end_) {
      Fail("unexpected end of JSON input", offset());
    } else {
      Fail("invalid character " + QuoteByte(*p_) + " " + std::string(context), offset());
    }
  }
  // The same inside of a word, number or escape, which Go ends with a blank before it looks.
  void FailInside(std::string_view context) {
    const char byte = p_ == end_ ? ' ' : *p_;
    Fail("invalid character " + QuoteByte(byte) + " " + std::string(context), offset());
  }
  base::Error TakeError() { return std::move(error_); }

 private:
  bool ParseKey();
  bool ParseScalar(Value* out);
  bool ParseString(Value* out);
  bool ParseNumber(Value* out);
  bool ParseLiteral(std::string_view word, Value literal, Value* out);
  bool DecodeString(const char* from, Value* out);
  bool DecodeEscape();
  const char* ScanString(bool* non_ascii) const;
  bool Double(const char* from, Value* out);
  bool CloseMap(Value* out);
  void FailDuplicate(const Frame& frame, std::uint32_t first, std::uint32_t second);
  std::string FieldPath(std::string_view key) const;
  static std::string QuoteByte(char c);

  void SkipSpace() {
    while (p_ != end_ && IsSpace(*p_)) ++p_;
  }

  bool Fail(std::string message, std::size_t at, base::ErrorCode code = base::ErrorCode::kSyntax) {
    error_ = base::Error(code, std::move(message));
    const doc::TextPosition position = doc::PositionAt(text_, at);
    error_.span.line = position.line;
    error_.span.column = position.column;
    return false;
  }

  std::string_view text_;
  const char* p_;
  const char* end_;
  base::Arena& arena_;
  const ReadOptions& options_;
  Scratch& s_;
  std::size_t max_bytes_;  // of the arena and the stacks together
  base::Error error_;
};

std::string Reader::QuoteByte(char c) {
  if (c == '\'') return "'\\''";
  if (c == '"') return "'\"'";
  // Go shows the byte as the code point of the same number.
  std::string rune;
  base::AppendUtf8(rune, static_cast<char32_t>(static_cast<unsigned char>(c)));
  std::string quoted = base::GoQuote(rune);
  quoted.front() = '\'';
  quoted.back() = '\'';
  return quoted;
}

bool Reader::ParseValue(Value* out) {
  Value value;
  for (;;) {
    // One value, descending into lists and maps.
    SkipSpace();
    if (p_ != end_ && (*p_ == '{' || *p_ == '[')) {
      const bool is_map = *p_ == '{';
      if (s_.frames.size() >= options_.max_depth) {
        return Fail("exceeded max depth", offset(), base::ErrorCode::kResourceLimit);
      }
      const auto start = static_cast<std::uint32_t>(offset());
      ++p_;
      SkipSpace();
      if (p_ != end_ && *p_ == (is_map ? '}' : ']')) {
        ++p_;
        value = is_map ? Value::EmptyMap() : Value::List({});
      } else {
        s_.frames.push_back({is_map, start, static_cast<std::uint32_t>(s_.members.entries.size()),
                             static_cast<std::uint32_t>(s_.members.items.size())});
        if (is_map && !ParseKey()) return false;
        continue;
      }
    } else if (!ParseScalar(&value)) {
      return false;
    }

    // The value is complete: hand it to its parent, closing every parent that ends here.
    for (;;) {
      if (s_.frames.empty()) {
        *out = value;
        return true;
      }
      const Frame frame = s_.frames.back();
      if (arena_.bytes_used() + s_.members.bytes() > max_bytes_) {
        return Fail(std::string(doc::kTooManyValues), frame.start, base::ErrorCode::kResourceLimit);
      }
      SkipSpace();
      if (frame.is_map) {
        s_.members.entries.back().value = value;
        if (p_ != end_ && *p_ == ',') {
          ++p_;
          if (!ParseKey()) return false;
          break;
        }
        if (p_ == end_ || *p_ != '}') {
          FailHere("after object key:value pair");
          return false;
        }
        ++p_;
        if (!CloseMap(&value)) return false;
      } else {
        s_.members.items.push_back(value);
        if (p_ != end_ && *p_ == ',') {
          ++p_;
          break;
        }
        if (p_ == end_ || *p_ != ']') {
          FailHere("after array element");
          return false;
        }
        ++p_;
        value = s_.members.TakeList(arena_, frame.item_base);
      }
      s_.frames.pop_back();
    }
  }
}

bool Reader::ParseKey() {
  SkipSpace();
  if (p_ == end_ || *p_ != '"') {
    FailHere("looking for beginning of object key string");
    return false;
  }
  Value key;
  if (!ParseString(&key)) return false;
  SkipSpace();
  if (p_ == end_ || *p_ != ':') {
    FailHere("after object key");
    return false;
  }
  ++p_;
  s_.members.Push(key, Value());
  return true;
}

bool Reader::ParseScalar(Value* out) {
  if (p_ != end_) {
    switch (*p_) {
      case '"':
        return ParseString(out);
      case 't':
        return ParseLiteral("true", Value::Bool(true), out);
      case 'f':
        return ParseLiteral("false", Value::Bool(false), out);
      case 'n':
        return ParseLiteral("null", Value::Null(), out);
      default:
        if (*p_ == '-' || IsDigit(*p_)) return ParseNumber(out);
        break;
    }
  }
  FailHere("looking for beginning of value");
  return false;
}

bool Reader::ParseLiteral(std::string_view word, Value literal, Value* out) {
  for (std::size_t i = 0; i < word.size(); ++i, ++p_) {
    if (p_ == end_ || *p_ != word[i]) {
      FailInside("in literal " + std::string(word) + " (expecting '" + word[i] + "')");
      return false;
    }
  }
  *out = literal;
  return true;
}

// The first byte from p_ on that a plain string cannot hold: quote, backslash or control
// character. `*non_ascii` tells whether a byte before it is above 0x7F.
const char* Reader::ScanString(bool* non_ascii) const {
  const char* p = p_;
#if defined(__SSE2__)
  const __m128i quote = _mm_set1_epi8('"');
  const __m128i backslash = _mm_set1_epi8('\\');
  const __m128i control = _mm_set1_epi8(0x1F);
  unsigned high = 0;
  for (; end_ - p >= 16; p += 16) {
    const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i stop =
        _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(block, quote), _mm_cmpeq_epi8(block, backslash)),
                     _mm_cmpeq_epi8(_mm_min_epu8(block, control), block));
    const auto stops = static_cast<unsigned>(_mm_movemask_epi8(stop));
    const auto highs = static_cast<unsigned>(_mm_movemask_epi8(block));
    if (stops != 0) {
      high |= highs & ((stops & (0U - stops)) - 1);
      if (high != 0) *non_ascii = true;
      return p + std::countr_zero(stops);
    }
    high |= highs;
  }
  if (high != 0) *non_ascii = true;
#endif
  for (; p != end_; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if (c == '"' || c == '\\' || c < 0x20) return p;
    if (c >= 0x80) *non_ascii = true;
  }
  return p;
}

bool Reader::ParseString(Value* out) {
  ++p_;
  bool non_ascii = false;
  const char* stop = ScanString(&non_ascii);
  if (stop == end_ || *stop != '"') return DecodeString(stop, out);
  const std::string_view body(p_, static_cast<std::size_t>(stop - p_));
  if (non_ascii && !base::IsValidUtf8(body)) return DecodeString(p_, out);
  p_ = stop + 1;
  *out = Value::String(options_.input_outlives ? body : arena_.CopyString(body),
                       non_ascii ? Value::kNonAscii : Value::kAscii);
  return true;
}

// The slow path: escapes, bad UTF-8 or an error. Everything before `from` is plain valid text or
// goes through the repair below.
bool Reader::DecodeString(const char* from, Value* out) {
  std::string& text = s_.text;
  text.clear();
  const char* chunk = p_;
  p_ = from;
  bool non_ascii = false;
  for (;;) {
    p_ = ScanString(&non_ascii);
    const std::string_view plain(chunk, static_cast<std::size_t>(p_ - chunk));
    AppendRepaired(plain, &text);
    if (p_ == end_ || (*p_ != '"' && *p_ != '\\')) {
      FailHere("in string literal");
      return false;
    }
    if (*p_++ == '"') break;
    if (!DecodeEscape()) return false;
    chunk = p_;
  }
  const bool ascii = base::IsAscii(text);
  *out = Value::String(arena_.CopyString(text), ascii ? Value::kAscii : Value::kNonAscii);
  return true;
}

// Behind a backslash; appends what it stands for.
bool Reader::DecodeEscape() {
  const char c = p_ == end_ ? '\0' : *p_;
  char plain = 0;
  switch (c) {
    case '"':
    case '\\':
    case '/':
      plain = c;
      break;
    case 'b':
      plain = '\b';
      break;
    case 'f':
      plain = '\f';
      break;
    case 'n':
      plain = '\n';
      break;
    case 'r':
      plain = '\r';
      break;
    case 't':
      plain = '\t';
      break;
    case 'u':
      break;
    default:
      FailInside("in string escape code");
      return false;
  }
  ++p_;
  if (plain != 0) {
    s_.text.push_back(plain);
    return true;
  }
  char32_t rune = 0;
  for (int i = 0; i < 4; ++i, ++p_) {
    const int digit = p_ == end_ ? -1 : HexDigit(*p_);
    if (digit < 0) {
      FailInside("in \\u hexadecimal character escape");
      return false;
    }
    rune = rune * 16 + static_cast<char32_t>(digit);
  }
  if (rune >= 0xD800 && rune < 0xE000) {
    char32_t low = 0;
    bool is_pair = rune < 0xDC00 && end_ - p_ >= 6 && p_[0] == '\\' && p_[1] == 'u';
    for (int i = 2; is_pair && i < 6; ++i) {
      const int digit = HexDigit(p_[i]);
      is_pair = digit >= 0;
      low = low * 16 + static_cast<char32_t>(digit);
    }
    if (is_pair && low >= 0xDC00 && low < 0xE000) {
      rune = 0x10000 + ((rune - 0xD800) << 10) + (low - 0xDC00);
      p_ += 6;
    } else {
      rune = 0xFFFD;
    }
  }
  base::AppendUtf8(s_.text, rune);
  return true;
}

bool Reader::ParseNumber(Value* out) {
  const char* from = p_;
  const bool negative = *p_ == '-';
  if (negative) ++p_;
  if (p_ == end_ || !IsDigit(*p_)) {
    FailInside("in numeric literal");
    return false;
  }
  std::uint64_t mantissa = 0;  // exact while at most 19 digits
  const char* digits_from = p_;
  if (*p_ == '0') {
    ++p_;
  } else {
    while (p_ != end_ && IsDigit(*p_)) {
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p_++ - '0');
    }
  }
  auto digits = p_ - digits_from;
  if (p_ == end_ || (*p_ != '.' && *p_ != 'e' && *p_ != 'E')) {
    constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (digits <= 19 && mantissa <= kMax + (negative ? 1 : 0)) {
      *out = Value::Int(static_cast<std::int64_t>(negative ? 0 - mantissa : mantissa));
      return true;
    }
    return Double(from, out);
  }
  long exponent = 0;
  if (*p_ == '.') {
    ++p_;
    if (p_ == end_ || !IsDigit(*p_)) {
      FailInside("after decimal point in numeric literal");
      return false;
    }
    const char* fraction = p_;
    while (p_ != end_ && IsDigit(*p_)) {
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p_++ - '0');
    }
    digits += p_ - fraction;
    exponent = -(p_ - fraction);
  }
  if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
    ++p_;
    bool minus = false;
    if (p_ != end_ && (*p_ == '+' || *p_ == '-')) minus = *p_++ == '-';
    if (p_ == end_ || !IsDigit(*p_)) {
      FailInside("in exponent of numeric literal");
      return false;
    }
    long written = 0;
    while (p_ != end_ && IsDigit(*p_)) {
      if (written < 100000) written = written * 10 + (*p_ - '0');
      ++p_;
    }
    exponent += minus ? -written : written;
  }
  // Both the digits and the power of ten are exact doubles: one rounding, so the result is exact.
  if (digits <= 15 && exponent >= -22 && exponent <= 22) {
    auto d = static_cast<double>(mantissa);
    d = exponent < 0 ? d / kPowersOfTen[-exponent] : d * kPowersOfTen[exponent];
    *out = Value::Double(negative ? -d : d);
    return true;
  }
  return Double(from, out);
}

bool Reader::Double(const char* from, Value* out) {
  double d = 0;
  const std::from_chars_result r = std::from_chars(from, p_, d);
  if (r.ec == std::errc::result_out_of_range) {
    // Too small becomes zero, too large is an error, as in Go.
    const std::string number(from, p_);
    d = std::strtod(number.c_str(), nullptr);
    if (d > 1 || d < -1) {
      return Fail("json: cannot unmarshal number " + number + " into Go value of type float64",
                  static_cast<std::size_t>(from - text_.data()), base::ErrorCode::kInvalid);
    }
  }
  *out = Value::Double(d);
  return true;
}

bool Reader::CloseMap(Value* out) {
  const Frame& frame = s_.frames.back();
  const std::span<MapEntry> entries = s_.members.entries.From(frame.entry_base);
  const std::span<std::uint32_t> hashes = s_.members.hashes.From(frame.entry_base);
  auto n = static_cast<std::uint32_t>(entries.size());
  std::span<const std::uint32_t> slots;
  std::uint32_t first = 0;
  const std::uint32_t second = s_.keys.FindRepeated(entries, hashes, &first);
  if (second == doc::KeyTable::kNone) {
    slots = s_.keys.slots();
  } else if (options_.strict) {
    FailDuplicate(frame, first, second);
    return false;
  } else {
    n = s_.keys.KeepLast(entries, hashes);
  }
  *out = s_.members.TakeMap(arena_, frame.entry_base, n, slots);
  return true;
}

void Reader::FailDuplicate(const Frame& frame, std::uint32_t first, std::uint32_t second) {
  const std::string path = FieldPath(s_.members.entries[frame.entry_base + second].key.as_string());
  const doc::TextPosition earlier = doc::PositionAt(text_, MemberOffset(text_, frame.start, first));
  Fail("duplicate field " + base::GoQuote(path), MemberOffset(text_, frame.start, second),
       base::ErrorCode::kDuplicate);
  error_.path = path;
  error_.hint = "already set at line " + std::to_string(earlier.line) + ", column " +
                std::to_string(earlier.column);
}

// The path of member `key` of the innermost open map, as the API server's strict decoder writes it.
std::string Reader::FieldPath(std::string_view key) const {
  std::string path;
  for (std::size_t i = 0; i + 1 < s_.frames.size(); ++i) {
    const Frame& frame = s_.frames[i];
    const Frame& child = s_.frames[i + 1];
    if (frame.is_map) {
      if (!path.empty()) path += '.';
      path += s_.members.entries[child.entry_base - 1].key.as_string();
    } else {
      path += '[' + std::to_string(child.item_base - frame.item_base) + ']';
    }
  }
  if (!path.empty()) path += '.';
  path += key;
  return path;
}

base::Result<Value> Read(std::string_view text, base::Arena& arena, const ReadOptions& options,
                         std::size_t* consumed) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
    return base::Error(base::ErrorCode::kResourceLimit, "document is larger than 4 GiB");
  }
  thread_local Scratch scratch;
  Reader reader(text, arena, options, scratch);
  Value value;
  bool read = reader.ParseValue(&value);
  if (read) {
    const bool at_end = reader.AtEnd();
    if (consumed != nullptr) {
      *consumed = reader.offset();
    } else if (!at_end) {
      reader.FailHere("after top-level value");
      read = false;
    }
  }
  scratch.Clear();
  if (!read) return reader.TakeError();
  return value;
}

}  // namespace

base::Result<Value> Parse(std::string_view text, base::Arena& arena, const ReadOptions& options) {
  return Read(text, arena, options, nullptr);
}

base::Result<Value> ParsePrefix(std::string_view text, base::Arena& arena, std::size_t* consumed,
                                const ReadOptions& options) {
  return Read(text, arena, options, consumed);
}

}  // namespace portcullis::json
