#include "base/validation.h"

#include <algorithm>
#include <cstddef>

namespace portcullis::base {
namespace {

constexpr std::size_t kLabelLength = 63;
constexpr std::size_t kSubdomainLength = 253;

#define PC_DNS_LABEL "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define PC_QUALIFIED "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"

constexpr char kLabelMessage[] =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must "
    "start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
    "validation is '" PC_DNS_LABEL "')";
constexpr char kSubdomainMessage[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '" PC_DNS_LABEL "(\\." PC_DNS_LABEL ")*')";
constexpr char kDns1035Message[] =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr char kNamePartMessage[] =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation "
    "is '" PC_QUALIFIED "')";
constexpr char kQualifiedMessage[] =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation "
    "is '" PC_QUALIFIED
    "') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
constexpr char kLabelValueMessage[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(" PC_QUALIFIED ")?')";

#undef PC_DNS_LABEL
#undef PC_QUALIFIED

bool IsLowerAlpha(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLowerAlnum(char c) { return IsLowerAlpha(c) || IsDigit(c); }
bool IsAlnum(char c) { return IsLowerAlnum(c) || (c >= 'A' && c <= 'Z'); }

bool HasLabelShape(std::string_view text) {
  return !text.empty() && IsLowerAlnum(text.front()) && IsLowerAlnum(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsLowerAlnum(c) || c == '-'; });
}

bool HasSubdomainShape(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!HasLabelShape(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool HasDns1035Shape(std::string_view text) {
  return HasLabelShape(text) && IsLowerAlpha(text.front());
}

bool HasNameShape(std::string_view text) {
  return !text.empty() && IsAlnum(text.front()) && IsAlnum(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsAlnum(c) || c == '-' || c == '_' || c == '.'; });
}

std::string LengthMessage(std::size_t limit, std::string_view unit) {
  return "must be no more than " + std::to_string(limit) + " " + std::string(unit);
}

}  // namespace

Messages ValidateDns1123Label(std::string_view text) {
  Messages out;
  if (text.size() > kLabelLength) out.push_back(LengthMessage(kLabelLength, "characters"));
  if (!HasLabelShape(text)) {
    // A subdomain in the place of a label only needs to lose its dots.
    out.emplace_back(HasSubdomainShape(text) ? "must not contain dots" : kLabelMessage);
  }
  return out;
}

Messages ValidateDns1123Subdomain(std::string_view text) {
  Messages out;
  if (text.size() > kSubdomainLength) out.push_back(LengthMessage(kSubdomainLength, "characters"));
  if (!HasSubdomainShape(text)) out.emplace_back(kSubdomainMessage);
  return out;
}

Messages ValidateDns1035Label(std::string_view text) {
  Messages out;
  if (text.size() > kLabelLength) out.push_back(LengthMessage(kLabelLength, "characters"));
  if (!HasDns1035Shape(text)) out.emplace_back(kDns1035Message);
  return out;
}

Messages ValidateQualifiedName(std::string_view text) {
  Messages out;
  std::string_view name = text;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      out.push_back(std::string("a valid label key ") + kQualifiedMessage);
      return out;
    }
    if (prefix.empty()) {
      out.emplace_back("prefix part must be non-empty");
    } else {
      // As a name part, a prefix is measured in bytes, not in characters.
      if (prefix.size() > kSubdomainLength) {
        out.push_back("prefix part " + LengthMessage(kSubdomainLength, "bytes"));
      }
      if (!HasSubdomainShape(prefix))
        out.push_back(std::string("prefix part ") + kSubdomainMessage);
    }
  }
  if (name.empty()) {
    out.emplace_back("name part must be non-empty");
  } else if (name.size() > kLabelLength) {
    out.push_back("name part " + LengthMessage(kLabelLength, "bytes"));
  }
  if (!HasNameShape(name)) out.push_back(std::string("name part ") + kNamePartMessage);
  return out;
}

Messages ValidateLabelValue(std::string_view text) {
  Messages out;
  if (text.size() > kLabelLength) out.push_back(LengthMessage(kLabelLength, "bytes"));
  if (!text.empty() && !HasNameShape(text)) out.emplace_back(kLabelValueMessage);
  return out;
}

Messages ValidatePathSegment(std::string_view text) {
  if (text == "." || text == "..") return {"may not be '" + std::string(text) + "'"};
  Messages out;
  for (const char c : {'/', '%'}) {
    if (text.find(c) != std::string_view::npos) {
      out.push_back(std::string("may not contain '") + c + "'");
    }
  }
  return out;
}

std::string MaskTrailingDash(std::string_view text) {
  std::string out(text);
  if (out.size() > 1 && out.back() == '-') {
    out.pop_back();
    out.back() = 'a';
  }
  return out;
}

bool IsDns1123Label(std::string_view text) {
  return text.size() <= kLabelLength && HasLabelShape(text);
}
bool IsDns1123Subdomain(std::string_view text) {
  return text.size() <= kSubdomainLength && HasSubdomainShape(text);
}
bool IsDns1035Label(std::string_view text) {
  return text.size() <= kLabelLength && HasDns1035Shape(text);
}
bool IsQualifiedName(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!IsDns1123Subdomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return text.size() <= kLabelLength && HasNameShape(text);
}
bool IsLabelValue(std::string_view text) {
  return text.empty() || (text.size() <= kLabelLength && HasNameShape(text));
}
bool IsCIdentifier(std::string_view text) {
  return !text.empty() && !IsDigit(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return IsAlnum(c) || c == '_'; });
}

}  // namespace portcullis::base
