#ifndef PORTCULLIS_CEL_LIB_FORMAT_H_
#define PORTCULLIS_CEL_LIB_FORMAT_H_

// string.format (spec/cel.md 15): the clause syntax that both formatters and the static check
// share, and the two formatters. Pure functions but for the arena; thread-safe.

#include <cstddef>
#include <string>
#include <string_view>

#include "cel/lib/call_support.h"
#include "doc/value.h"

namespace portcullis::cel {

// One clause, `%[.N]V`.
struct FormatClause {
  char verb = 's';              // one of s d f e b x X o
  std::int64_t precision = -1;  // -1: none given
  std::size_t length = 0;       // bytes behind the percent sign
};

inline constexpr int kNoPrecisionLimit = -1;

// Parses the clause at the start of `text`, which stands behind a percent sign and is not empty.
// On failure `error` is the whole message: `could not parse formatting clause: ...`.
bool ParseFormatClause(std::string_view text, int max_precision, FormatClause& clause,
                       std::string& error);

// Appends `value` as `clause` wants it. On failure `error` is the text behind
// `error during formatting: `.
using FormatValueFunction = bool (*)(const FormatClause& clause, const doc::Value& value,
                                     std::string& out, std::string& error);
bool FormatValueLocalised(const FormatClause& clause, const doc::Value& value, std::string& out,
                          std::string& error);
bool FormatValuePortable(const FormatClause& clause, const doc::Value& value, std::string& out,
                         std::string& error);

// What is said of a value that `verb` cannot print, without `, was given T`.
std::string_view FormatComplaint(char verb, bool portable);

// Shared renderings of %b, %x, %X and %o: an integer in a base of 2, 8 or 16, bytes as hex digits.
void AppendInBase(const doc::Value& integer, unsigned base, bool upper, std::string& out);
void AppendHexBytes(std::string_view bytes, bool upper, std::string& out);
// The %b, %x, %X, %o clauses, which both formatters print alike. False: not for this kind of value.
bool AppendRadixClause(const FormatClause& clause, const doc::Value& value, std::string& out);

// The function string.format of the strings extension: versions 1-3, 4, and 5 (with a limit on the
// precision).
doc::Value FormatLocalisedCall(CallContext& context, Args args) noexcept;
doc::Value FormatPortableCall(CallContext& context, Args args) noexcept;
doc::Value FormatBoundedCall(CallContext& context, Args args) noexcept;

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_LIB_FORMAT_H_
