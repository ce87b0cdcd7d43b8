#include "yaml/quote.h"

#include <cstdio>

#include "base/utf8.h"
#include "yaml/scalar.h"

namespace portcullis::yaml {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Sexagesimal numbers of YAML 1.1, `190:20:30`: strings to us, numbers to other readers.
bool IsBase60(std::string_view text) {
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  if (i >= text.size() || !IsDigit(text[i])) return false;
  while (i < text.size() && (IsDigit(text[i]) || text[i] == '_')) ++i;
  bool any = false;
  while (i < text.size() && text[i] == ':') {
    ++i;
    if (i + 1 < text.size() && text[i] >= '0' && text[i] <= '5' && IsDigit(text[i + 1])) ++i;
    if (i >= text.size() || !IsDigit(text[i])) return false;
    ++i;
    any = true;
  }
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (i < text.size() && (IsDigit(text[i]) || text[i] == '_')) ++i;
  }
  return any && i == text.size();
}

// Characters that may stand unescaped within one line.
bool IsPrintableInLine(char32_t c) {
  return (c >= 0x20 && c <= 0x7E) || (c >= 0xA0 && c <= 0xD7FF && c != 0x2028 && c != 0x2029) ||
         (c >= 0xE000 && c <= 0xFFFD && c != 0xFEFF) || (c >= 0x10000 && c <= 0x10FFFF);
}

struct Content {
  bool printable = true;  // line feeds aside
  bool has_line_feed = false;
  bool has_trailing_blanks = false;  // a blank before a line feed or at the end
};

Content Scan(std::string_view text) {
  Content content;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) {
      if (byte == '\n') {
        content.has_line_feed = true;
      } else if (byte == ' ') {
        if (i + 1 == text.size() || text[i + 1] == '\n') content.has_trailing_blanks = true;
      } else if (byte < 0x20 || byte == 0x7F) {
        content.printable = false;
      }
      ++i;
      continue;
    }
    const base::Rune rune = base::DecodeRune(text, i);
    if (!rune.valid || !IsPrintableInLine(rune.code)) content.printable = false;
    i += rune.size;
  }
  return content;
}

// Whether block context takes `text` for one plain scalar.
bool IsPlainSyntax(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (text.starts_with("---") || text.starts_with("...")) return false;
  const char first = text.front();
  if (std::string_view(",[]{}#&*!|>'\"%@`").find(first) != std::string_view::npos) return false;
  if ((first == '-' || first == '?' || first == ':') && (text.size() == 1 || text[1] == ' ')) {
    return false;
  }
  return text.find(": ") == std::string_view::npos && text.find(" #") == std::string_view::npos;
}

}  // namespace

StringStyle ChooseStyle(std::string_view text, bool allow_literal) {
  const Content content = Scan(text);
  if (!content.printable) return StringStyle::kDoubleQuoted;
  if (content.has_line_feed) {
    return allow_literal && !content.has_trailing_blanks ? StringStyle::kLiteral
                                                         : StringStyle::kDoubleQuoted;
  }
  if (ResolvePlain(text).kind != ScalarKind::kString || IsBase60(text)) {
    return StringStyle::kDoubleQuoted;
  }
  return IsPlainSyntax(text) && text != "<<" && text != "=" ? StringStyle::kPlain
                                                            : StringStyle::kSingleQuoted;
}

void AppendSingleQuoted(std::string* out, std::string_view text) {
  *out += '\'';
  for (const char c : text) {
    if (c == '\'') *out += '\'';
    *out += c;
  }
  *out += '\'';
}

void AppendDoubleQuoted(std::string* out, std::string_view text) {
  *out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const base::Rune rune = base::DecodeRune(text, i);
    if (rune.code == '"' || rune.code == '\\') {
      *out += '\\';
      *out += text[i];
    } else if (rune.code == '\n') {
      *out += "\\n";
    } else if (rune.code == '\t') {
      *out += "\\t";
    } else if (rune.code == '\r') {
      *out += "\\r";
    } else if (IsPrintableInLine(rune.code)) {
      base::AppendUtf8(*out, rune.code);
    } else {
      char buffer[12];
      const auto code = static_cast<unsigned>(rune.code);
      std::snprintf(buffer, sizeof buffer,
                    code < 0x100 ? "\\x%02X" : (code < 0x10000 ? "\\u%04X" : "\\U%08X"), code);
      *out += buffer;
    }
    i += rune.size;
  }
  *out += '"';
}

void AppendLiteral(std::string* out, std::string_view text, std::size_t indent, int step) {
  *out += '|';
  if (text.front() == ' ' || text.front() == '\n') *out += std::to_string(step);
  const bool ends_line = text.back() == '\n';
  if (!ends_line) {
    *out += '-';
  } else if (text.size() == 1 || text[text.size() - 2] == '\n') {
    *out += '+';
  }
  *out += '\n';
  if (ends_line) text.remove_suffix(1);
  for (std::size_t at = 0;;) {
    const std::size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end == std::string_view::npos ? end : end - at);
    if (!line.empty()) out->append(indent, ' ');
    *out += line;
    *out += '\n';
    if (end == std::string_view::npos) break;
    at = end + 1;
  }
}

}  // namespace portcullis::yaml
