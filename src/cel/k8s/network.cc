#include "cel/k8s/network.h"

#include "base/gotext.h"

namespace portcullis::cel::k8s {

using doc::Value;

namespace {

Value EqualIps(CallContext& context, const Value& a, const Value& b) {
  if (!IsHost(b, kIpHost)) return context.NoSuchOverload();
  return Value::Bool(IpOf(a) == IpOf(b));
}

Value EqualCidrs(CallContext& context, const Value& a, const Value& b) {
  if (!IsHost(b, kCidrHost)) return context.NoSuchOverload();
  return Value::Bool(CidrOf(a) == CidrOf(b));
}

std::string IpText(const Value& value) { return IpOf(value).ToString(); }
std::string CidrText(const Value& value) { return CidrOf(value).ToString(); }

std::uint64_t IpSize(const Value& value) { return IpOf(value).v6 ? 16 : 4; }
std::uint64_t CidrSize(const Value& value) {
  return static_cast<std::uint64_t>((CidrOf(value).bits + 7) / 8);
}

constexpr Type kIpType{TypeKind::kOpaque, "net.IP", {}};
constexpr Type kCidrType{TypeKind::kOpaque, "net.CIDR", {}};

base::Error Refused(std::string message) {
  return base::Error(base::ErrorCode::kInvalid, std::move(message));
}

}  // namespace

constexpr CelHostType kIpHost = MakeHostType(kIpType, EqualIps, IpText, IpSize);
constexpr CelHostType kCidrHost = MakeHostType(kCidrType, EqualCidrs, CidrText, CidrSize);

Value MakeIp(base::Arena& arena, const base::IpAddress& ip) {
  return NewHost<IpRep>(arena, kIpHost, ip);
}

Value MakeCidr(base::Arena& arena, const base::IpPrefix& prefix) {
  return NewHost<CidrRep>(arena, kCidrHost, prefix);
}

base::Result<base::IpAddress> ReadIp(std::string_view text) {
  base::Result<base::IpAddress> ip = base::ParseIpAddress(text);
  if (!ip.ok()) {
    return Refused("IP Address " + base::GoQuote(text) +
                   " parse error during conversion from string: " + ip.error().message);
  }
  if (!ip->zone.empty()) {
    return Refused("IP address " + base::GoQuote(text) + " with zone value is not allowed");
  }
  if (ip->Is4In6()) {
    return Refused("IPv4-mapped IPv6 address " + base::GoQuote(text) + " is not allowed");
  }
  return ip;
}

base::Result<base::IpPrefix> ReadCidr(std::string_view text) {
  // Compatibility: the parser's own failures carry this prefix twice.
  constexpr char kPrefix[] = "network address parse error during conversion from string: ";
  base::Result<base::IpPrefix> prefix = base::ParseIpPrefix(text);
  if (!prefix.ok()) return Refused(std::string(kPrefix) + kPrefix + prefix.error().message);
  if (prefix->address.Is4In6()) {
    return Refused(std::string(kPrefix) + "IPv4-mapped IPv6 address " + base::GoQuote(text) +
                   " is not allowed");
  }
  return prefix;
}

}  // namespace portcullis::cel::k8s
