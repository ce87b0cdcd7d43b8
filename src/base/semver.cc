#include "base/semver.h"

#include <algorithm>
#include <vector>

#include "base/gotext.h"

namespace portcullis::base {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool AllDigits(std::string_view text) { return std::all_of(text.begin(), text.end(), IsDigit); }

bool IsIdentifierChar(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

bool IsIdentifier(std::string_view text) {
  return std::all_of(text.begin(), text.end(), IsIdentifierChar);
}

Error Invalid(std::string message) { return Error(ErrorCode::kInvalid, std::move(message)); }

// Calls fn for each dot-separated part until it returns false.
template <typename Fn>
void ForEachPart(std::string_view text, Fn fn) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!fn(text.substr(0, dot)) || dot == std::string_view::npos) return;
    text.remove_prefix(dot + 1);
  }
}

Result<void> ParseCore(std::string_view text, std::string_view lower, std::string_view upper,
                       std::uint64_t& out) {
  if (!AllDigits(text)) {
    return Invalid("Invalid character(s) found in " + std::string(lower) + " number " +
                   GoQuote(text));
  }
  if (text.size() > 1 && text[0] == '0') {
    return Invalid(std::string(upper) + " number must not contain leading zeroes " + GoQuote(text));
  }
  const NumberStatus status = ParseUint(text, out);
  if (status != NumberStatus::kOk) return Invalid(NumberErrorText("ParseUint", text, status));
  return {};
}

Result<void> CheckPrerelease(std::string_view text) {
  std::string fault;
  ForEachPart(text, [&](std::string_view part) {
    std::uint64_t number = 0;
    if (part.empty()) {
      fault = "Prerelease is empty";
    } else if (AllDigits(part)) {
      const NumberStatus status = ParseUint(part, number);
      if (part.size() > 1 && part[0] == '0') {
        fault = "Numeric PreRelease version must not contain leading zeroes " + GoQuote(part);
      } else if (status != NumberStatus::kOk) {
        fault = NumberErrorText("ParseUint", part, status);
      }
    } else if (!IsIdentifier(part)) {
      fault = "Invalid character(s) found in prerelease " + GoQuote(part);
    }
    return fault.empty();
  });
  if (!fault.empty()) return Invalid(std::move(fault));
  return {};
}

Result<void> CheckBuild(std::string_view text) {
  std::string fault;
  ForEachPart(text, [&](std::string_view part) {
    if (part.empty()) {
      fault = "Build meta data is empty";
    } else if (!IsIdentifier(part)) {
      fault = "Invalid character(s) found in build meta data " + GoQuote(part);
    }
    return fault.empty();
  });
  if (!fault.empty()) return Invalid(std::move(fault));
  return {};
}

template <typename T>
int Order(const T& a, const T& b) {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int CompareIdentifier(std::string_view a, std::string_view b) {
  const bool a_number = AllDigits(a);
  const bool b_number = AllDigits(b);
  if (a_number && b_number) {
    // No leading zeros: the longer one is the larger.
    return a.size() != b.size() ? Order(a.size(), b.size()) : Order(a, b);
  }
  if (a_number != b_number) return a_number ? -1 : 1;
  return Order(a, b);
}

int ComparePrerelease(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.empty() == b.empty() ? 0 : (a.empty() ? 1 : -1);
  while (true) {
    const std::size_t a_dot = a.find('.');
    const std::size_t b_dot = b.find('.');
    const int order = CompareIdentifier(a.substr(0, a_dot), b.substr(0, b_dot));
    if (order != 0) return order;
    const bool a_ends = a_dot == std::string_view::npos;
    const bool b_ends = b_dot == std::string_view::npos;
    if (a_ends || b_ends) return a_ends == b_ends ? 0 : (a_ends ? -1 : 1);
    a.remove_prefix(a_dot + 1);
    b.remove_prefix(b_dot + 1);
  }
}

// At most three dot-separated parts; the last one keeps further dots.
std::vector<std::string_view> SplitCore(std::string_view text) {
  std::vector<std::string_view> parts;
  while (parts.size() < 2) {
    const std::size_t dot = text.find('.');
    if (dot == std::string_view::npos) break;
    parts.push_back(text.substr(0, dot));
    text.remove_prefix(dot + 1);
  }
  parts.push_back(text);
  return parts;
}

}  // namespace

int Semver::Compare(const Semver& other) const {
  if (const int order = Order(major, other.major); order != 0) return order;
  if (const int order = Order(minor, other.minor); order != 0) return order;
  if (const int order = Order(patch, other.patch); order != 0) return order;
  return ComparePrerelease(prerelease, other.prerelease);
}

std::string Semver::ToString() const {
  std::string out =
      std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  if (!prerelease.empty()) {
    out += '-';
    out += prerelease;
  }
  if (!build.empty()) {
    out += '+';
    out += build;
  }
  return out;
}

Result<Semver> ParseSemver(std::string_view text) {
  if (text.empty()) return Invalid("Version string empty");
  const std::vector<std::string_view> parts = SplitCore(text);
  if (parts.size() != 3) return Invalid("No Major.Minor.Patch elements found");
  Semver out;
  PC_TRY(ParseCore(parts[0], "major", "Major", out.major));
  PC_TRY(ParseCore(parts[1], "minor", "Minor", out.minor));
  std::string_view rest = parts[2];
  bool has_build = false;
  bool has_prerelease = false;
  if (const std::size_t plus = rest.find('+'); plus != std::string_view::npos) {
    out.build = rest.substr(plus + 1);
    rest = rest.substr(0, plus);
    has_build = true;
  }
  if (const std::size_t dash = rest.find('-'); dash != std::string_view::npos) {
    out.prerelease = rest.substr(dash + 1);
    rest = rest.substr(0, dash);
    has_prerelease = true;
  }
  PC_TRY(ParseCore(rest, "patch", "Patch", out.patch));
  if (has_prerelease) PC_TRY(CheckPrerelease(out.prerelease));
  if (has_build) PC_TRY(CheckBuild(out.build));
  return out;
}

Result<std::string> NormalizeSemver(std::string_view text) {
  if (!text.empty() && text[0] == 'v') text.remove_prefix(1);
  const std::vector<std::string_view> parts = SplitCore(text);
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string_view part = parts[i];
    if (i > 0) out += '.';
    if (part.size() > 1) {
      part.remove_prefix(std::min(part.find_first_not_of('0'), part.size()));
      if (part.empty() || !IsDigit(part[0])) out += '0';
    }
    out += part;
  }
  if (parts.size() < 3) {
    if (parts.back().find_first_of("+-") != std::string_view::npos) {
      return Invalid("short version cannot contain PreRelease/Build meta data");
    }
    for (std::size_t i = parts.size(); i < 3; ++i) out += ".0";
  }
  return out;
}

}  // namespace portcullis::base
