#ifndef PORTCULLIS_BASE_GOTEXT_H_
#define PORTCULLIS_BASE_GOTEXT_H_

// Text as Go's strconv, fmt, time and encoding/json print and read it (spec/engineering.md 3.4,
// spec/cel.md 11). Every number and every quoted string that users see comes from here, so that
// messages are byte-for-byte those of the Go programs.
// All functions are pure and thread-safe. The Append forms add to `out` without clearing it.

#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::base {

// ---- strings ----------------------------------------------------------------------------------

// strconv.Quote, the same as %q: printable Unicode stays, other characters and invalid bytes are
// escaped.
std::string GoQuote(std::string_view text);
void AppendGoQuote(std::string& out, std::string_view text);
// The escapes of strconv.Quote without the surrounding quotes.
void AppendGoEscaped(std::string& out, std::string_view text);

// unicode.IsPrint as strconv uses it (a blank is printable, other spaces are not).
bool IsPrintable(char32_t code);

// A JSON string with its quotes, as encoding/json writes it. With `escape_html` (its default) the
// characters < > & become six-character escapes; U+2028 and U+2029 always do; invalid UTF-8
// becomes \ufffd.
std::string GoJsonString(std::string_view text, bool escape_html = true);
void AppendGoJsonString(std::string& out, std::string_view text, bool escape_html = true);

// ---- floating point ---------------------------------------------------------------------------

// strconv.FormatFloat(x, 'g', -1, 64): shortest digits, exponent form when the decimal exponent of
// the leading digit is < -4 or >= 6 (the 21 of JSON does not apply). This is what fmt prints for %g
// and %v, and CEL's string(double).
std::string GoFloat(double value);
inline std::string CelDouble(double value) { return GoFloat(value); }

// encoding/json: plain decimal unless the exponent is < -6 or >= 21; e-09 is written e-9. NaN and
// infinities have no JSON form: the caller refuses them before (they print as GoFloat does).
std::string GoJsonFloat(double value);
void AppendGoJsonFloat(std::string& out, double value);

// strconv.FormatFloat(x, 'f', -1, 64): shortest digits, never an exponent.
std::string GoFloatPlain(double value);

// %.Nf and %.Ne, correctly rounded (half to even on the exact binary value). The exponent has at
// least two digits. `precision` is clamped to 0..1000.
std::string GoFixed(double value, int precision);
std::string GoExponent(double value, int precision);

// ---- durations --------------------------------------------------------------------------------

// time.Duration.String(): "1h30m0s", "1.5s", "100ms", "0s".
std::string GoDuration(std::int64_t nanoseconds);

// ---- reading numbers --------------------------------------------------------------------------

enum class NumberStatus : std::uint8_t { kOk, kSyntax, kRange };

// strconv.ParseInt(text, 10, 64) and ParseUint: optional sign (none for uint), digits only. On
// kRange `out` is the nearest limit; on kSyntax it is 0.
NumberStatus ParseInt(std::string_view text, std::int64_t& out);
NumberStatus ParseUint(std::string_view text, std::uint64_t& out);

// strconv.ParseFloat(text, 64): decimal, exponent, hexadecimal with p exponent, inf, infinity and
// nan in any case, single underscores between digits. On kRange `out` is +-Inf; underflow is 0.
NumberStatus ParseFloat(std::string_view text, double& out);

// `strconv.Atoi: parsing "x": invalid syntax` (or `value out of range`); `function` is "Atoi",
// "ParseInt", "ParseUint", "ParseFloat" ... `status` must not be kOk.
std::string NumberErrorText(std::string_view function, std::string_view text, NumberStatus status);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_GOTEXT_H_
