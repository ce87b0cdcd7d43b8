// ip, isIP, ip.isCanonical and the predicates of net.IP (spec/cel.md 16.3).

#include "cel/k8s/libraries.h"
#include "cel/k8s/network.h"

namespace portcullis::cel {
namespace {

using base::IpAddress;
using doc::Value;

Value ToIp(CallContext& context, Args args) noexcept {
  const base::Result<IpAddress> ip = k8s::ReadIp(args[0].as_string());
  return ip.ok() ? k8s::MakeIp(context.arena, *ip) : context.Error(ip.error().message);
}

Value IsIp(CallContext&, Args args) noexcept {
  return Value::Bool(k8s::ReadIp(args[0].as_string()).ok());
}

Value IsCanonical(CallContext& context, Args args) noexcept {
  const std::string_view text = args[0].as_string();
  const base::Result<IpAddress> ip = k8s::ReadIp(text);
  return ip.ok() ? Value::Bool(ip->ToString() == text) : context.Error(ip.error().message);
}

Value ToText(CallContext& context, Args args) noexcept {
  return context.String(k8s::IpOf(args[0]).ToString());
}

Value Family(CallContext&, Args args) noexcept { return Value::Int(k8s::IpOf(args[0]).family()); }

template <bool (IpAddress::*kPredicate)() const>
Value Test(CallContext&, Args args) noexcept {
  return Value::Bool((k8s::IpOf(args[0]).*kPredicate)());
}

constexpr Overload kOverloads[] = {
    {"string_to_ip", "ip", "(string) -> net.IP", ToIp},
    {"is_ip_string", "isIP", "(string) -> bool", IsIp},
    {"ip_is_canonical", "ip.isCanonical", "(string) -> bool", IsCanonical},
    {"ip_to_string", "string", "(net.IP) -> string", ToText},
    {"ip_family", "family", "(net.IP) -> int", Family, kMember},
    {"ip_is_unspecified", "isUnspecified", "(net.IP) -> bool", Test<&IpAddress::IsUnspecified>,
     kMember},
    {"ip_is_loopback", "isLoopback", "(net.IP) -> bool", Test<&IpAddress::IsLoopback>, kMember},
    {"ip_is_link_local_multicast", "isLinkLocalMulticast", "(net.IP) -> bool",
     Test<&IpAddress::IsLinkLocalMulticast>, kMember},
    {"ip_is_link_local_unicast", "isLinkLocalUnicast", "(net.IP) -> bool",
     Test<&IpAddress::IsLinkLocalUnicast>, kMember},
    {"ip_is_global_unicast", "isGlobalUnicast", "(net.IP) -> bool",
     Test<&IpAddress::IsGlobalUnicast>, kMember},
};

// `ip` is also the address part of a CIDR, which costs 1.
std::uint64_t IpCost(Args args, const Value&) noexcept {
  return args[0].tag() == doc::Tag::kHost ? 1 : CostTenth(CostSize(args[0]));
}

constexpr FunctionCost kCosts[] = {
    {"ip", IpCost},
    {"isIP", k8s::TenthOfFirst},
    {"ip.isCanonical", k8s::FifthOfFirst},
};

constexpr TypeName kTypeNames[] = {{"net.IP", "net.IP"}};

constexpr Library kLibrary{"k8s.net.ip", kOverloads, kCosts, kTypeNames};

}  // namespace

const Library& KubernetesIpLibrary() { return kLibrary; }

}  // namespace portcullis::cel
