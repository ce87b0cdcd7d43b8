// format.NAME(), format.named and validate (spec/cel.md 16.6).

#include <string>
#include <utility>

#include "base/validation.h"
#include "cel/k8s/format_checks.h"
#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

struct FormatRep : doc::HostRep {
  std::string_view name;
  base::Messages (*check)(std::string_view text) = nullptr;
  std::uint64_t regex_size = 0;  // of the regular expression that the check stands for, for cost
};

Value EqualFormats(CallContext& context, const Value& a, const Value& b);
std::string FormatText(const Value& value) {
  return std::string(k8s::RepOf<FormatRep>(value).name);
}

constexpr Type kFormatType{TypeKind::kOpaque, "kubernetes.NamedFormat", {}};
constexpr CelHostType kFormatHost = k8s::MakeHostType(kFormatType, EqualFormats, FormatText);

Value EqualFormats(CallContext& context, const Value& a, const Value& b) {
  if (!IsHost(b, kFormatHost)) return context.NoSuchOverload();
  return Value::Bool(k8s::RepOf<FormatRep>(a).name == k8s::RepOf<FormatRep>(b).name);
}

constexpr FormatRep MakeFormat(std::string_view name, base::Messages (*check)(std::string_view),
                               std::uint64_t regex_size) {
  return FormatRep{{&kFormatHost}, name, check, regex_size};
}

constexpr FormatRep kFormats[] = {
    MakeFormat("dns1123Label", base::ValidateDns1123Label, 30),
    MakeFormat("dns1123Subdomain", base::ValidateDns1123Subdomain, 60),
    MakeFormat("dns1035Label", base::ValidateDns1035Label, 30),
    MakeFormat("qualifiedName", base::ValidateQualifiedName, 60),
    MakeFormat("dns1123LabelPrefix", k8s::CheckDns1123LabelPrefix, 30),
    MakeFormat("dns1123SubdomainPrefix", k8s::CheckDns1123SubdomainPrefix, 60),
    MakeFormat("dns1035LabelPrefix", k8s::CheckDns1035LabelPrefix, 30),
    MakeFormat("labelValue", base::ValidateLabelValue, 40),
    MakeFormat("uri", k8s::CheckUri, 1103),
    MakeFormat("uuid", k8s::CheckUuid, 70),
    MakeFormat("byte", k8s::CheckByte, 84),
    MakeFormat("date", k8s::CheckDate, 71),
    MakeFormat("datetime", k8s::CheckDateTime, 71),
};

constexpr std::size_t kFormatCount = std::size(kFormats);

// The names of the functions and overloads, `format.uuid`.
// clang-format off: it does not settle on a layout.
#define PC_FORMAT_NAMES(X)                                                     \
  X(0, dns1123Label) X(1, dns1123Subdomain) X(2, dns1035Label)                 \
  X(3, qualifiedName) X(4, dns1123LabelPrefix) X(5, dns1123SubdomainPrefix)    \
  X(6, dns1035LabelPrefix) X(7, labelValue) X(8, uri) X(9, uuid) X(10, byte)   \
  X(11, date) X(12, datetime)
// clang-format on

template <std::size_t kIndex>
Value Constant(CallContext&, Args) noexcept {
  static_assert(kIndex < kFormatCount);
  return Value::Host(&kFormats[kIndex]);
}

Value Named(CallContext& context, Args args) noexcept {
  for (const FormatRep& format : kFormats) {
    if (format.name == args[0].as_string()) return context.OptionalOf(Value::Host(&format));
  }
  return Value::OptionalNone();
}

Value Validate(CallContext& context, Args args) noexcept {
  const base::Messages messages = k8s::RepOf<FormatRep>(args[0]).check(args[1].as_string());
  if (messages.empty()) return Value::OptionalNone();
  ListBuilder list(context.arena, messages.size());
  for (const std::string& message : messages) list.Add(context.String(message));
  return context.OptionalOf(list.Finish());
}

std::uint64_t ValidateCost(Args args, const Value&) noexcept {
  if (!IsHost(args[0], kFormatHost)) return 1;
  const std::uint64_t size = k8s::RepOf<FormatRep>(args[0]).regex_size;
  return CostTenth(1 + CostSize(args[1])) * ((size + 3) / 4);
}

#define PC_FORMAT_ROW(index, name) \
  {"format_" #name, "format." #name, "() -> kubernetes.NamedFormat", Constant<index>},

constexpr Overload kOverloads[] = {
    PC_FORMAT_NAMES(PC_FORMAT_ROW){"format_named", "format.named",
                                   "(string) -> optional(kubernetes.NamedFormat)", Named},
    {"format_validate", "validate", "(kubernetes.NamedFormat, string) -> optional(list(string))",
     Validate, kMember},
};

#undef PC_FORMAT_ROW
#undef PC_FORMAT_NAMES

constexpr FunctionCost kCosts[] = {{"validate", ValidateCost}};

constexpr Library kLibrary{"k8s.format", kOverloads, kCosts};

}  // namespace

const Library& KubernetesFormatLibrary() { return kLibrary; }

}  // namespace portcullis::cel
