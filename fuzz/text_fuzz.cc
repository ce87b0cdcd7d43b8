// Any bytes through the readers of small texts. The first byte chooses: versions, addresses, URLs,
// instants, durations and zones, or a regular expression with its text after a line break.
// Properties: nothing crashes or hangs, errors have a text, what is printed reads back the same.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/netip.h"
#include "base/semver.h"
#include "base/time.h"
#include "base/url.h"
#include "regex/regex.h"

namespace {

using namespace portcullis;

void Require(bool condition) {
  if (!condition) std::abort();
}

void Versions(std::string_view text) {
  const auto version = base::ParseSemver(text);
  if (version.ok()) {
    const std::string printed = version->ToString();
    const auto again = base::ParseSemver(printed);
    Require(again.ok() && again->Compare(*version) == 0 && again->build == version->build);
  } else {
    Require(!version.error().message.empty());
  }
  const auto normal = base::NormalizeSemver(text);
  if (normal.ok()) static_cast<void>(base::ParseSemver(*normal));
}

void Addresses(std::string_view text) {
  const auto address = base::ParseIpAddress(text);
  if (address.ok()) {
    const std::string printed = address->ToString();
    const auto again = base::ParseIpAddress(printed);
    Require(again.ok() && *again == *address);
    static_cast<void>(address->IsGlobalUnicast() || address->IsPrivate());
  } else {
    Require(!address.error().message.empty());
  }
  const auto prefix = base::ParseIpPrefix(text);
  if (prefix.ok()) {
    const std::string printed = prefix->ToString();
    const auto again = base::ParseIpPrefix(printed);
    Require(again.ok() && *again == *prefix);
    Require(prefix->Overlaps(*prefix) && prefix->Contains(prefix->Masked().address));
  } else {
    Require(!prefix.error().message.empty());
  }
}

void Urls(std::string_view text) {
  for (const auto& url : {base::ParseUrl(text), base::ParseRequestUri(text)}) {
    if (!url.ok()) {
      Require(!url.error().message.empty());
      continue;
    }
    static_cast<void>(url->ToString());
    static_cast<void>(url->Hostname() + url->Port() + url->EscapedPath() + url->EscapedFragment());
    static_cast<void>(base::ParseQuery(url->raw_query));
  }
  const auto path = base::PathUnescape(base::PathEscape(text));
  Require(path.ok() && *path == text);
  const auto query = base::QueryUnescape(base::QueryEscape(text));
  Require(query.ok() && *query == text);
}

void Times(std::string_view text) {
  for (const auto rules : {base::TimeRules::kLenient, base::TimeRules::kStrict}) {
    const auto instant = base::ParseRfc3339(text, rules);
    if (!instant) continue;
    Require(instant->seconds >= base::kMinTimestampSeconds &&
            instant->seconds <= base::kMaxTimestampSeconds && instant->nanos < 1'000'000'000U);
    static_cast<void>(base::FormatRfc3339(*instant));
    static_cast<void>(base::CivilFromSeconds(instant->seconds, instant->offset_minutes * 60));
  }
}

void Durations(std::string_view text) {
  const auto duration = base::ParseGoDuration(text);
  std::int64_t nanoseconds = 0;
  Require(base::ParseGoDuration(text, nanoseconds) == duration.ok());
  if (duration.ok()) {
    Require(nanoseconds == *duration && !base::CelDuration(nanoseconds).empty());
  } else {
    Require(!duration.error().message.empty());
  }
  const auto zone = base::ZoneOffset(text, 1'700'000'000);
  Require(zone.ok() || !zone.error().message.empty());
}

void Patterns(std::string_view input) {
  const std::size_t split = std::min(input.find('\n'), input.size());
  const std::string_view text = split == input.size() ? input : input.substr(split + 1);
  const auto regex = regex::Regex::Compile(input.substr(0, split));
  if (!regex.ok()) {
    Require(!regex.error().message.empty());
    return;
  }
  const bool partial = (*regex)->PartialMatch(text);
  Require(!(*regex)->FullMatch(text) || partial);
  Require((*regex)->Find(text).has_value() == partial);
  const auto all = (*regex)->FindAll(text);
  Require(all.empty() != partial);
  Require((*regex)->FindAllSubmatch(text).size() == all.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data + 1), size - 1);
  switch (data[0]) {
    case 'v':
      Versions(text);
      break;
    case 'a':
      Addresses(text);
      break;
    case 'u':
      Urls(text);
      break;
    case 't':
      Times(text);
      break;
    case 'd':
      Durations(text);
      break;
    case 'r':
      Patterns(text);
      break;
    default:
      break;
  }
  return 0;
}
