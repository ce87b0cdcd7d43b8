// The tables of cel-go's strings extension, one per version (spec/cel.md 14.1).

#include <algorithm>
#include <array>

#include "cel/lib/costs.h"
#include "cel/lib/format.h"
#include "cel/lib/libraries.h"
#include "cel/lib/strings_functions.h"

namespace portcullis::cel {
namespace {

constexpr std::array kVersion0 = {
    Overload{"string_char_at_int", "charAt", "(string, int) -> string", strings::CharAt, kMember},
    Overload{"string_index_of_string", "indexOf", "(string, string) -> int", strings::IndexOf,
             kMember},
    Overload{"string_index_of_string_int", "indexOf", "(string, string, int) -> int",
             strings::IndexOf, kMember},
    Overload{"string_last_index_of_string", "lastIndexOf", "(string, string) -> int",
             strings::LastIndexOf, kMember},
    Overload{"string_last_index_of_string_int", "lastIndexOf", "(string, string, int) -> int",
             strings::LastIndexOf, kMember},
    Overload{"string_lower_ascii", "lowerAscii", "(string) -> string", strings::LowerAscii,
             kMember},
    Overload{"string_replace_string_string", "replace", "(string, string, string) -> string",
             strings::Replace, kMember},
    Overload{"string_replace_string_string_int", "replace",
             "(string, string, string, int) -> string", strings::Replace, kMember},
    Overload{"string_split_string", "split", "(string, string) -> list(string)", strings::Split,
             kMember},
    Overload{"string_split_string_int", "split", "(string, string, int) -> list(string)",
             strings::Split, kMember},
    Overload{"string_substring_int", "substring", "(string, int) -> string", strings::Substring,
             kMember},
    Overload{"string_substring_int_int", "substring", "(string, int, int) -> string",
             strings::Substring, kMember},
    Overload{"string_trim", "trim", "(string) -> string", strings::Trim, kMember},
    Overload{"string_upper_ascii", "upperAscii", "(string) -> string", strings::UpperAscii,
             kMember},
    Overload{"list_join", "join", "(list(string)) -> string", strings::Join, kMember},
    Overload{"list_join_string", "join", "(list(string), string) -> string", strings::Join,
             kMember},
};

constexpr Overload kQuote{"strings_quote", "strings.quote", "(string) -> string",
                          strings::Quote,  kDefault,        costs::FirstTenth};
constexpr Overload kLocalised{"string_format",     "format", "(string, list(dyn)) -> string",
                              FormatLocalisedCall, kMember,  costs::FirstTenth};
constexpr Overload kPortable4{"string_format",    "format", "(string, list(dyn)) -> string",
                              FormatPortableCall, kMember,  costs::FirstTenth};
constexpr Overload kPortable5{"string_format",   "format", "(string, list(dyn)) -> string",
                              FormatBoundedCall, kMember,  costs::FirstTenth};
constexpr Overload kReverse{"string_reverse", "reverse", "(string) -> string", strings::Reverse,
                            kMember};

template <typename... More>
constexpr auto Extend(More... more) {
  std::array<Overload, kVersion0.size() + sizeof...(more)> all{};
  std::copy(kVersion0.begin(), kVersion0.end(), all.begin());
  std::size_t next = kVersion0.size();
  ((all[next++] = more), ...);
  return all;
}

constexpr auto kVersion1 = Extend(kQuote, kLocalised);
constexpr auto kVersion3 = Extend(kQuote, kLocalised, kReverse);
constexpr auto kVersion4 = Extend(kQuote, kPortable4, kReverse);
constexpr auto kVersion5 = Extend(kQuote, kPortable5, kReverse);

constexpr std::string_view kName = "cel.lib.ext.strings";
constexpr Library kLibraries[] = {
    {kName, kVersion0}, {kName, kVersion1}, {kName, kVersion1},
    {kName, kVersion3}, {kName, kVersion4}, {kName, kVersion5},
};

}  // namespace

const Library& StringsLibrary(int version) {
  return kLibraries[static_cast<std::size_t>(std::clamp(version, 0, 5))];
}

}  // namespace portcullis::cel
