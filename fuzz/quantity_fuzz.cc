// Any bytes as Kubernetes quantities, two when a space splits them. Properties: errors have a text;
// the canonical text is valid, stays itself and keeps the value; comparison is an order that agrees
// with equality and with the sign.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/quantity.h"

namespace {

using portcullis::base::Quantity;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckOne(std::string_view text) {
  const auto parsed = Quantity::Parse(text);
  Require(parsed.ok() == Quantity::IsValid(text));
  if (!parsed.ok()) {
    Require(!parsed.error().message.empty());
    return;
  }
  const std::string canonical = Quantity::Canonical(text);
  // Exponents are clamped far beyond any real quantity: such values saturate, and move when
  // printed.
  if (parsed->exponent() > 900'000'000) return;
  const auto again = Quantity::Parse(canonical);
  Require(again.ok() && again->Compare(*parsed) == 0);
  // 1.953125Ki prints as 2000, which has no suffix and therefore is decimal when read: 2k.
  if (parsed->format() != Quantity::Format::kBinarySI) {
    Require(Quantity::Canonical(canonical) == canonical);
  }
  Require(parsed->Compare(*parsed) == 0);
  Require(parsed->Negated().Sign() == -parsed->Sign());
  Require(parsed->Compare(Quantity()) == parsed->Sign());
  static_cast<void>(parsed->AsInt64());
  static_cast<void>(parsed->AsApproximateFloat());
  static_cast<void>(parsed->Value());
  static_cast<void>(parsed->MilliValue());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t split = input.find(' ');
  CheckOne(input.substr(0, split));
  if (split == std::string_view::npos) return 0;
  CheckOne(input.substr(split + 1));
  const auto a = Quantity::Parse(input.substr(0, split));
  const auto b = Quantity::Parse(input.substr(split + 1));
  if (!a.ok() || !b.ok()) return 0;
  Require(a->Compare(*b) == -b->Compare(*a));
  Require((*a == *b) == (a->Compare(*b) == 0));
  Require(a->Add(*b).Compare(b->Add(*a)) == 0);
  static_cast<void>(a->Sub(*b).ToString());
  static_cast<void>(a->Multiply(*b).ToString());
  return 0;
}
