#ifndef PORTCULLIS_BASE_NETIP_H_
#define PORTCULLIS_BASE_NETIP_H_

// IP addresses and prefixes as Go's net/netip reads and prints them, with its error texts
// (spec/cel.md 16.3). Plain values; a zone is a view into the parsed text.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace portcullis::base {

struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};  // IPv4 uses the first four
  bool v6 = false;
  std::string_view zone;  // IPv6 only, without the '%'

  int family() const { return v6 ? 6 : 4; }
  int bit_length() const { return v6 ? 128 : 32; }
  bool Is4In6() const;
  bool IsUnspecified() const;
  bool IsLoopback() const;
  bool IsMulticast() const;
  bool IsLinkLocalMulticast() const;
  bool IsLinkLocalUnicast() const;
  bool IsInterfaceLocalMulticast() const;
  bool IsGlobalUnicast() const;
  bool IsPrivate() const;
  // Canonical text (RFC 5952 for IPv6), with the zone.
  std::string ToString() const;

  friend bool operator==(const IpAddress& a, const IpAddress& b) {
    return a.v6 == b.v6 && a.bytes == b.bytes && a.zone == b.zone;
  }
};

struct IpPrefix {
  IpAddress address;
  int bits = 0;

  // The prefix with its host bits cleared.
  IpPrefix Masked() const;
  bool Contains(const IpAddress& ip) const;  // false for another family or a zoned address
  bool Overlaps(const IpPrefix& other) const;
  std::string ToString() const;

  friend bool operator==(const IpPrefix& a, const IpPrefix& b) {
    return a.bits == b.bits && a.address == b.address;
  }
};

// Errors: `ParseAddr("x"): unable to parse IP`, `netip.ParsePrefix("x"): no '/'` ...
Result<IpAddress> ParseIpAddress(std::string_view text);
Result<IpPrefix> ParseIpPrefix(std::string_view text);

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_NETIP_H_
