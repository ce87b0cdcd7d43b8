#ifndef PORTCULLIS_YAML_QUOTE_H_
#define PORTCULLIS_YAML_QUOTE_H_

// How a string is written in YAML so that it reads back as the same string: plain, single-quoted,
// double-quoted or as a literal block, chosen as the Go emitter chooses. Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::yaml {

enum class StringStyle : std::uint8_t { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

// `allow_literal` is false for keys and in flow context.
StringStyle ChooseStyle(std::string_view text, bool allow_literal);

void AppendSingleQuoted(std::string* out, std::string_view text);
void AppendDoubleQuoted(std::string* out, std::string_view text);
// From `|` on; every line is indented by `indent` blanks and the last ends with a line feed.
// `step` is that indentation relative to the parent node.
void AppendLiteral(std::string* out, std::string_view text, std::size_t indent, int step);

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_QUOTE_H_
