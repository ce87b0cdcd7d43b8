#ifndef PORTCULLIS_CEL_SYNTAX_LITERAL_H_
#define PORTCULLIS_CEL_SYNTAX_LITERAL_H_

// Values of literal tokens (spec/cel.md 2). Stateless. Each returns false if the text denotes no
// value; the caller words the error.

#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::cel {

// `text` is a token of decimal or 0x digits, `negative` whether a `-` is attached to it.
bool ParseIntLiteral(std::string_view text, bool negative, std::int64_t& out);
// With its trailing `u`.
bool ParseUintLiteral(std::string_view text, std::uint64_t& out);
// Overflow is an error, underflow gives 0.
bool ParseDoubleLiteral(std::string_view text, bool negative, double& out);

// The content of a quoted literal, with its `r` prefix if any and without the `b` of bytes. On
// success `out` is a view of `text` or, when something had to be replaced, of `scratch`.
// On failure returns the error text, otherwise an empty view.
std::string_view UnescapeLiteral(std::string_view text, bool is_bytes, std::string& scratch,
                                 std::string_view& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_SYNTAX_LITERAL_H_
