#ifndef PORTCULLIS_CEL_KYVERNO_CONVERT_H_
#define PORTCULLIS_CEL_KYVERNO_CONVERT_H_

// CEL values as the Go values that Kyverno's libraries ask for (spec/kyverno-cel-policies.md 10):
// strings, and documents that can be written as JSON; with cel-go's texts for what does not
// convert. Internal to cel/kyverno; thread-safe.

#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel::kyverno {

// `value` as a Go string. False with `error` set when it has no such form. `text` lives as long as
// the value or the arena.
bool NativeString(base::Arena& arena, const doc::Value& value, std::string_view& text,
                  std::string& error);

// cel-go's text for a value that does not convert to the Go type `target` ("string").
std::string ConversionError(const doc::Value& value, std::string_view target);

// `value` as a JSON document: numbers stay exact, durations are nanoseconds, timestamps and objects
// of the libraries their text, bytes base64, optionals what they hold. Map keys must be strings.
// False with `error` set when it has none.
bool JsonDocument(base::Arena& arena, const doc::Value& value, doc::Value& out, std::string& error);

// A document whose numbers are all doubles, as Go decodes JSON into `any`.
doc::Value WithDoubles(base::Arena& arena, const doc::Value& value);

// Go's name for the type of the plain Go value behind `value`: "int64", "string", "[]interface {}".
std::string_view GoNativeName(const doc::Value& value);

// The map of these entries, of which the last one with a key wins. Keys are strings.
doc::Value LastOfEach(base::Arena& arena, std::span<doc::MapEntry> entries);

}  // namespace portcullis::cel::kyverno

#endif  // PORTCULLIS_CEL_KYVERNO_CONVERT_H_
