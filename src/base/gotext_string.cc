// Quoting of strings: strconv.Quote and encoding/json.

#include <string>

#include "base/gotext.h"
#include "base/utf8.h"

namespace portcullis::base {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void AppendHex(std::string& out, char32_t code, int digits) {
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += kHex[(code >> shift) & 0xF];
}

bool IsPlainAscii(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

void AppendEscapedRune(std::string& out, const Rune& rune, std::string_view bytes) {
  if (!rune.valid) {
    out += "\\x";
    AppendHex(out, static_cast<unsigned char>(bytes[0]), 2);
    return;
  }
  switch (rune.code) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\a':
      out += "\\a";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\v':
      out += "\\v";
      return;
    default:
      break;
  }
  if (IsPrintable(rune.code)) {
    out += bytes;
  } else if (rune.code < 0x20 || rune.code == 0x7F) {
    out += "\\x";
    AppendHex(out, rune.code, 2);
  } else if (rune.code < 0x10000) {
    out += "\\u";
    AppendHex(out, rune.code, 4);
  } else {
    out += "\\U";
    AppendHex(out, rune.code, 8);
  }
}

void AppendJsonAscii(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      out += "\\u";
      AppendHex(out, static_cast<unsigned char>(c), 4);
  }
}

}  // namespace

void AppendGoEscaped(std::string& out, std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    std::size_t run = i;
    while (run < text.size() && IsPlainAscii(text[run])) ++run;
    out += text.substr(i, run - i);
    if (run == text.size()) return;
    const Rune rune = DecodeRune(text, run);
    AppendEscapedRune(out, rune, text.substr(run, rune.size));
    i = run + rune.size;
  }
}

void AppendGoQuote(std::string& out, std::string_view text) {
  out += '"';
  AppendGoEscaped(out, text);
  out += '"';
}

std::string GoQuote(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  AppendGoQuote(out, text);
  return out;
}

void AppendGoJsonString(std::string& out, std::string_view text, bool escape_html) {
  out += '"';
  std::size_t start = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) < 0x80) {
      const bool html = escape_html && (c == '<' || c == '>' || c == '&');
      if (c >= 0x20 && c != '"' && c != '\\' && !html) {
        ++i;
        continue;
      }
      out += text.substr(start, i - start);
      AppendJsonAscii(out, c);
      start = ++i;
      continue;
    }
    const Rune rune = DecodeRune(text, i);
    if (!rune.valid) {
      out += text.substr(start, i - start);
      out += "\\ufffd";
      start = i + rune.size;
    } else if (rune.code == 0x2028 || rune.code == 0x2029) {
      out += text.substr(start, i - start);
      out += rune.code == 0x2028 ? "\\u2028" : "\\u2029";
      start = i + rune.size;
    }
    i += rune.size;
  }
  out += text.substr(start);
  out += '"';
}

std::string GoJsonString(std::string_view text, bool escape_html) {
  std::string out;
  out.reserve(text.size() + 2);
  AppendGoJsonString(out, text, escape_html);
  return out;
}

}  // namespace portcullis::base
