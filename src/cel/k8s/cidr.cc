// cidr, isCIDR and the functions of net.CIDR (spec/cel.md 16.3).

#include "cel/k8s/libraries.h"
#include "cel/k8s/network.h"
#include "cel/lib/libraries.h"

namespace portcullis::cel {
namespace {

using base::IpPrefix;
using doc::Value;

Value ToCidr(CallContext& context, Args args) noexcept {
  const base::Result<IpPrefix> prefix = k8s::ReadCidr(args[0].as_string());
  return prefix.ok() ? k8s::MakeCidr(context.arena, *prefix)
                     : context.Error(prefix.error().message);
}

Value IsCidr(CallContext&, Args args) noexcept {
  return Value::Bool(k8s::ReadCidr(args[0].as_string()).ok());
}

Value ToText(CallContext& context, Args args) noexcept {
  return context.String(k8s::CidrOf(args[0]).ToString());
}

Value ContainsIp(CallContext&, Args args) noexcept {
  return Value::Bool(k8s::CidrOf(args[0]).Contains(k8s::IpOf(args[1])));
}

Value ContainsIpText(CallContext& context, Args args) noexcept {
  const base::Result<base::IpAddress> ip = k8s::ReadIp(args[1].as_string());
  // Compatibility: the reason is dropped here, unlike in containsCIDR.
  if (!ip.ok()) return context.NoSuchOverload();
  return Value::Bool(k8s::CidrOf(args[0]).Contains(*ip));
}

Value Contains(const IpPrefix& outer, const IpPrefix& inner) {
  return Value::Bool(outer.bits <= inner.bits && outer.Overlaps(inner));
}

Value ContainsCidr(CallContext&, Args args) noexcept {
  return Contains(k8s::CidrOf(args[0]), k8s::CidrOf(args[1]));
}

Value ContainsCidrText(CallContext& context, Args args) noexcept {
  const base::Result<IpPrefix> inner = k8s::ReadCidr(args[1].as_string());
  if (!inner.ok()) return context.Error(inner.error().message);
  return Contains(k8s::CidrOf(args[0]), *inner);
}

Value Ip(CallContext& context, Args args) noexcept {
  return k8s::MakeIp(context.arena, k8s::CidrOf(args[0]).address);
}

Value PrefixLength(CallContext&, Args args) noexcept {
  return Value::Int(k8s::CidrOf(args[0]).bits);
}

Value Masked(CallContext& context, Args args) noexcept {
  return k8s::MakeCidr(context.arena, k8s::CidrOf(args[0]).Masked());
}

Value IsMask(CallContext&, Args args) noexcept {
  const IpPrefix& prefix = k8s::CidrOf(args[0]);
  return Value::Bool(prefix == prefix.Masked());
}

std::uint64_t ContainsIpCost(Args args, const Value&) noexcept {
  return CostTenth(2 * CostSize(args[0]));
}
std::uint64_t ContainsCidrCost(Args args, const Value&) noexcept {
  const std::uint64_t size = CostSize(args[0]);
  return CostTenth(2 * size) + CostTenth(size) + 1;
}

// A text is read first. Only calls that are bound to these overloads are charged for that.
std::uint64_t ContainsIpTextCost(Args args, const Value& result) noexcept {
  return ContainsIpCost(args, result) + CostTenth(CostSize(args[1]));
}
std::uint64_t ContainsCidrTextCost(Args args, const Value& result) noexcept {
  return ContainsCidrCost(args, result) + CostTenth(CostSize(args[1]));
}

constexpr Overload kOverloads[] = {
    {"string_to_cidr", "cidr", "(string) -> net.CIDR", ToCidr},
    {"is_cidr", "isCIDR", "(string) -> bool", IsCidr},
    {"cidr_contains_ip_string", "containsIP", "(net.CIDR, string) -> bool", ContainsIpText,
     kMember | kTracked, ContainsIpTextCost},
    {"cidr_contains_ip_ip", "containsIP", "(net.CIDR, net.IP) -> bool", ContainsIp, kMember},
    {"cidr_contains_cidr_string", "containsCIDR", "(net.CIDR, string) -> bool", ContainsCidrText,
     kMember | kTracked, ContainsCidrTextCost},
    {"cidr_contains_cidr", "containsCIDR", "(net.CIDR, net.CIDR) -> bool", ContainsCidr, kMember},
    {"cidr_ip", "ip", "(net.CIDR) -> net.IP", Ip, kMember},
    {"cidr_prefix_length", "prefixLength", "(net.CIDR) -> int", PrefixLength, kMember},
    {"cidr_masked", "masked", "(net.CIDR) -> net.CIDR", Masked, kMember},
    {"cidr_to_string", "string", "(net.CIDR) -> string", ToText},
};

constexpr FunctionCost kCosts[] = {
    {"cidr", k8s::TenthOfFirst},
    {"isCIDR", k8s::TenthOfFirst},
    {"containsIP", ContainsIpCost},
    {"containsCIDR", ContainsCidrCost},
};

constexpr TypeName kTypeNames[] = {{"net.CIDR", "net.CIDR"}};

constexpr Library kLibrary{"k8s.net.cidr", kOverloads, kCosts, kTypeNames};

constexpr Overload kExtOverloads[] = {
    {"cidr_is_mask", "isMask", "(net.CIDR) -> bool", IsMask, kMember},
};

constexpr Library kExtLibrary{"cel.lib.ext.network", kExtOverloads};

}  // namespace

const Library& KubernetesCidrLibrary() { return kLibrary; }

const Library& NetworkExtLibrary() { return kExtLibrary; }

}  // namespace portcullis::cel
