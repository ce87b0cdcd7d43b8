// Functions of the strings extension that make new strings.

#include <string>

#include "base/escape.h"
#include "base/utf8.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/strings_functions.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel::strings {

using doc::Value;

namespace {

// Unicode White_Space, as Go's unicode.IsSpace.
bool IsSpace(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= '\t' && code <= '\r');
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

template <typename Convert>
Value MapAscii(CallContext& context, const Value& text, Convert convert) {
  const std::string_view from = text.as_string();
  char* out = static_cast<char*>(context.arena.Allocate(from.size(), 1));
  for (std::size_t i = 0; i < from.size(); ++i) out[i] = convert(from[i]);
  return Value::String({out, from.size()}, text.flags());
}

// Copies `part` behind `out` and returns the new end.
char* Put(char* out, std::string_view part) {
  if (!part.empty()) std::memcpy(out, part.data(), part.size());
  return out + part.size();
}

// The end of the separator's next occurrence for an empty separator: one code point further.
std::size_t NextRune(std::string_view text, std::size_t at) {
  return at + base::DecodeRune(text, at).size;
}

}  // namespace

Value Join(CallContext& context, Args args) noexcept {
  const auto items = args[0].as_list();
  const std::string_view separator = args.size() > 1 ? args[1].as_string() : std::string_view();
  std::size_t size = items.empty() ? 0 : separator.size() * (items.size() - 1);
  for (const Value& item : items) {
    if (!item.is_string()) return context.Error("join: invalid input: " + ValueText(item));
    size += item.size();
  }
  if (size > kMaxResultBytes) return TooLarge(context, "join");
  char* const begin = static_cast<char*>(context.arena.Allocate(size, 1));
  char* out = begin;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i != 0) out = Put(out, separator);
    out = Put(out, items[i].as_string());
  }
  return Value::String({begin, size});
}

Value LowerAscii(CallContext& context, Args args) noexcept {
  return MapAscii(context, args[0], [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
}

Value UpperAscii(CallContext& context, Args args) noexcept {
  return MapAscii(context, args[0], [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - ('a' - 'A')) : c;
  });
}

Value Replace(CallContext& context, Args args) noexcept {
  const std::string_view text = args[0].as_string();
  const std::string_view old_part = args[1].as_string();
  const std::string_view new_part = args[2].as_string();
  const std::int64_t limit = args.size() > 3 ? args[3].as_int() : -1;
  if (limit == 0 || old_part == new_part) return args[0];

  std::size_t count = 0;
  if (old_part.empty()) {
    count = static_cast<std::size_t>(CodePoints(args[0])) + 1;
  } else {
    for (std::size_t at = text.find(old_part); at != std::string_view::npos;
         at = text.find(old_part, at + old_part.size())) {
      ++count;
    }
  }
  if (limit > 0) count = std::min(count, static_cast<std::size_t>(limit));
  if (count == 0) return args[0];
  if (new_part.size() > kMaxResultBytes / count) return TooLarge(context, "replace");
  const std::size_t size = text.size() - count * old_part.size() + count * new_part.size();
  if (size > kMaxResultBytes) return TooLarge(context, "replace");

  char* const begin = static_cast<char*>(context.arena.Allocate(size, 1));
  char* out = begin;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t hit = at;
    if (!old_part.empty()) {
      hit = text.find(old_part, at);
    } else if (i != 0) {
      hit = NextRune(text, at);
    }
    out = Put(out, text.substr(at, hit - at));
    out = Put(out, new_part);
    at = hit + old_part.size();
  }
  Put(out, text.substr(at));
  return Value::String({begin, size});
}

Value Split(CallContext& context, Args args) noexcept {
  const Value& whole = args[0];
  const std::string_view text = whole.as_string();
  const std::string_view separator = args[1].as_string();
  const std::int64_t limit = args.size() > 2 ? args[2].as_int() : -1;
  ListBuilder parts(context.arena);
  if (limit == 0 || (separator.empty() && text.empty())) return parts.Finish();
  const std::size_t most =
      limit < 0 ? kMaxResultItems
                : static_cast<std::size_t>(std::min<std::int64_t>(limit, kMaxResultItems));
  std::size_t at = 0;
  while (parts.size() + 1 < most) {
    std::size_t hit = 0;
    if (separator.empty()) {
      hit = NextRune(text, at);
      if (hit == text.size()) break;
    } else {
      hit = text.find(separator, at);
      if (hit == std::string_view::npos) break;
    }
    parts.Add(Slice(whole, text.substr(at, hit - at)));
    at = hit + separator.size();
  }
  parts.Add(Slice(whole, text.substr(at)));
  return parts.Finish();
}

Value Trim(CallContext&, Args args) noexcept {
  std::string_view text = args[0].as_string();
  while (!text.empty()) {
    const base::Rune rune = base::DecodeRune(text);
    if (!rune.valid || !IsSpace(rune.code)) break;
    text.remove_prefix(rune.size);
  }
  while (!text.empty()) {
    const base::Rune rune = base::DecodeLastRune(text);
    if (!rune.valid || !IsSpace(rune.code)) break;
    text.remove_suffix(rune.size);
  }
  return Slice(args[0], text);
}

Value Quote(CallContext& context, Args args) noexcept {
  const std::string_view text = args[0].as_string();
  std::string out;
  out.reserve(text.size() + 2);
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const base::Rune rune = base::DecodeRune(text, at);
    if (!base::AppendEscape(rune.code, "abfnrtv\\\"", out)) base::AppendUtf8(out, rune.code);
    at += rune.size;
  }
  out += '"';
  return context.String(out);
}

Value Reverse(CallContext& context, Args args) noexcept {
  const std::string_view text = args[0].as_string();
  char* const begin = static_cast<char*>(context.arena.Allocate(text.size(), 1));
  char* end = begin + text.size();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = base::DecodeRune(text, at).size;
    end -= size;
    std::memcpy(end, text.data() + at, size);
    at += size;
  }
  return Value::String({begin, text.size()}, args[0].flags());
}

}  // namespace portcullis::cel::strings
