#ifndef PORTCULLIS_CEL_K8S_NETWORK_H_
#define PORTCULLIS_CEL_K8S_NETWORK_H_

// net.IP and net.CIDR values, which both network libraries use (spec/cel.md 16.3). Internal to
// cel/k8s.

#include <string_view>

#include "base/netip.h"
#include "cel/k8s/support.h"

namespace portcullis::cel::k8s {

struct IpRep : doc::HostRep {
  base::IpAddress value;  // never zoned, so that it holds no view
};

struct CidrRep : doc::HostRep {
  base::IpPrefix value;
};

extern const CelHostType kIpHost;
extern const CelHostType kCidrHost;

inline const base::IpAddress& IpOf(const doc::Value& value) { return RepOf<IpRep>(value).value; }
inline const base::IpPrefix& CidrOf(const doc::Value& value) { return RepOf<CidrRep>(value).value; }

doc::Value MakeIp(base::Arena& arena, const base::IpAddress& ip);
doc::Value MakeCidr(base::Arena& arena, const base::IpPrefix& prefix);

// The rules of ip() and cidr(): no zones, no IPv4-mapped addresses. Errors carry the whole text.
base::Result<base::IpAddress> ReadIp(std::string_view text);
base::Result<base::IpPrefix> ReadCidr(std::string_view text);

}  // namespace portcullis::cel::k8s

#endif  // PORTCULLIS_CEL_K8S_NETWORK_H_
