#include "engine/warning_list.h"

#include <algorithm>

#include "base/gotext.h"
#include "base/netip.h"
#include "base/quantity.h"
#include "base/validation.h"

namespace portcullis::engine {
namespace {

using base::IpAddress;
using base::IpPrefix;
using doc::Value;

// Node labels of long ago and what replaced them.
struct OldLabel {
  std::string_view key;
  std::string_view advice;
};
constexpr OldLabel kOldLabels[] = {
    {"beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead"},
    {"beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead"},
    {"failure-domain.beta.kubernetes.io/region",
     "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead"},
    {"failure-domain.beta.kubernetes.io/zone",
     "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead"},
    {"beta.kubernetes.io/instance-type",
     "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead"},
    {"app.kubernetes.io/created-by", "deprecated since v1.9"},
    {"scheduler.alpha.kubernetes.io/preferAvoidPods",
     "deprecated since v1.22; use Taints and Tolerations instead"},
    {"node-role.kubernetes.io/master", "use \"node-role.kubernetes.io/control-plane\" instead"},
};

// Decimal octets may carry leading zeros here, which they must not in strict addresses.
std::string WithoutLeadingZeros(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = i == 0 || text[i - 1] == '.' || text[i - 1] == ':';
    if (!starts) {
      out += text[i];
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    while (i + 1 < end && text[i] == '0') ++i;
    out += text[i];
  }
  return out;
}

// The address as Go's net.IP prints it: IPv4 inside IPv6 is IPv4.
IpAddress Unmapped(const IpAddress& ip) {
  if (!ip.Is4In6()) return ip;
  IpAddress out;
  std::copy(ip.bytes.begin() + 12, ip.bytes.end(), out.bytes.begin());
  return out;
}

}  // namespace

Field Field::At(std::string_view name) const {
  std::string path = path_;
  if (!path.empty()) path += '.';
  path += name;
  return {value_ != nullptr && value_->is_map() ? value_->Find(name) : nullptr, std::move(path)};
}

Field Field::Key(std::string_view key) const {
  return {value_ != nullptr && value_->is_map() ? value_->Find(key) : nullptr,
          path_ + "[" + std::string(key) + "]"};
}

std::string_view Field::Text(std::string_view name) const {
  return value_ != nullptr && value_->is_map() ? value_->StringAt(name) : std::string_view();
}

std::int64_t Field::Number(std::string_view name) const {
  const Value* member = value_ != nullptr && value_->is_map() ? value_->Find(name) : nullptr;
  return member != nullptr && member->is_int() ? member->as_int() : 0;
}

std::vector<Field> Field::Items() const {
  std::vector<Field> out;
  if (value_ == nullptr || !value_->is_list()) return out;
  const auto items = value_->as_list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.emplace_back(&items[i], path_ + "[" + std::to_string(i) + "]");
  }
  return out;
}

std::vector<std::pair<std::string_view, Field>> Field::Entries() const {
  std::vector<std::pair<std::string_view, Field>> out;
  if (value_ == nullptr || !value_->is_map()) return out;
  for (const doc::MapEntry& entry : value_->as_map()) {
    const std::string_view key = entry.key.as_string();
    out.emplace_back(key, Field(&entry.value, path_ + "[" + std::string(key) + "]"));
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

void WarningList::Address(const Field& field) {
  if (!field.present() || !field.value().is_string()) return;
  const std::string_view text = field.value().as_string();
  const std::string plain = WithoutLeadingZeros(text);
  const auto ip = base::ParseIpAddress(plain);
  if (!ip.ok()) return;
  const bool strict = base::ParseIpAddress(text).ok();
  if (!strict || ip->Is4In6()) {
    Add(field.path(), "non-standard IP address " + base::GoQuote(text) + " is invalid: use " +
                          base::GoQuote(Unmapped(*ip).ToString()));
  } else if (ip->v6 && ip->ToString() != text) {
    Add(field.path(), "IPv6 address " + base::GoQuote(text) +
                          " should be in RFC 5952 canonical format (" +
                          base::GoQuote(ip->ToString()) + ")");
  }
}

void WarningList::Cidr(const Field& field) {
  if (!field.present() || !field.value().is_string()) return;
  const std::string_view text = field.value().as_string();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return;
  std::string_view bits = text.substr(slash + 1);
  while (bits.size() > 1 && bits.front() == '0') bits.remove_prefix(1);
  const auto loose =
      base::ParseIpPrefix(WithoutLeadingZeros(text.substr(0, slash)) + "/" + std::string(bits));
  if (!loose.ok()) return;
  const bool mapped = loose->address.Is4In6();
  IpPrefix masked = loose->Masked();
  if (mapped) {
    masked.address = Unmapped(masked.address);
    masked.bits = std::max(0, masked.bits - 96);
  }
  bool warned = false;
  if (!(loose->Masked().address == loose->address)) {
    const IpAddress single = Unmapped(loose->address);
    Add(field.path(),
        "CIDR value " + base::GoQuote(text) + " is ambiguous in this context (should be " +
            base::GoQuote(masked.ToString()) + " or " +
            base::GoQuote(single.ToString() + "/" + std::to_string(single.bit_length())) + "?)");
    warned = true;
  }
  const bool strict = base::ParseIpPrefix(text).ok();
  if (!strict || mapped) {
    Add(field.path(), "non-standard CIDR value " + base::GoQuote(text) + " is invalid: use " +
                          base::GoQuote(masked.ToString()));
    warned = true;
  }
  if (!warned && loose->address.v6 && loose->ToString() != text) {
    Add(field.path(), "IPv6 CIDR value " + base::GoQuote(text) +
                          " should be in RFC 5952 canonical format (" +
                          base::GoQuote(loose->ToString()) + ")");
  }
}

void WarningList::Fraction(const Field& field) {
  if (!field.present() || !field.value().is_string()) return;
  const auto quantity = base::Quantity::Parse(field.value().as_string());
  if (!quantity.ok() || quantity->MilliValue() % 1000 == 0) return;
  Add(field.path(), "fractional byte value " +
                        base::GoQuote(base::Quantity::Canonical(field.value().as_string())) +
                        " is invalid, must be an integer");
}

void WarningList::NodeSelectorTerm(const Field& term, bool values) {
  for (const Field& item : term.At("matchExpressions").Items()) {
    const std::string_view key = item.Text("key");
    if (const std::string_view advice = OldNodeLabel(key); !advice.empty()) {
      Add(item.At("key").path(), std::string(key) + " is " + std::string(advice));
    }
    if (!values) continue;
    for (const Field& value : item.At("values").Items()) {
      if (!value.present() || !value.value().is_string()) continue;
      const std::string_view text = value.value().as_string();
      for (const std::string& message : base::ValidateLabelValue(text)) {
        Add(value.path(), std::string(text) + " is invalid, " + message);
      }
    }
  }
}

std::string_view OldNodeLabel(std::string_view key) {
  for (const OldLabel& old : kOldLabels) {
    if (old.key == key) return old.advice;
  }
  return {};
}

}  // namespace portcullis::engine
