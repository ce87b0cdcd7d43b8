#ifndef PORTCULLIS_BASE_QUANTITY_H_
#define PORTCULLIS_BASE_QUANTITY_H_

// Kubernetes resource quantities ("500m", "1.5Gi", "1e3"): apimachinery's resource.Quantity with
// its two representations, which decide IsInteger (spec/cel.md 16.4). A trivially copyable value;
// exact up to 38 significant digits, saturating beyond.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/int128.h"

namespace portcullis::base {

class Quantity {
 public:
  enum class Format : std::uint8_t { kDecimalExponent, kBinarySI, kDecimalSI };

  Quantity() = default;  // 0, decimal SI

  // Errors carry Go's texts.
  static Result<Quantity> Parse(std::string_view text);
  static bool IsValid(std::string_view text);
  // resource.NewQuantity(value, format).
  static Quantity FromInt(std::int64_t value, Format format);

  int Sign() const;
  // -1, 0, 1; exact across formats.
  int Compare(const Quantity& other) const;
  bool operator==(const Quantity& other) const { return Compare(other) == 0; }

  Quantity Add(const Quantity& other) const;
  Quantity Sub(const Quantity& other) const;
  Quantity Negated() const;
  // Products with a plain integer, for JMESPath and quota-like arithmetic; exact or saturating.
  Quantity Multiply(const Quantity& other) const;

  // AsInt64: nullopt when the representation is not "fast", or scaled below 1, or too large.
  std::optional<std::int64_t> AsInt64() const;
  bool IsInteger() const { return AsInt64().has_value(); }
  double AsApproximateFloat() const;
  // Quantity.Value(): rounded up to the next integer, saturating.
  std::int64_t Value() const;
  // Quantity.MilliValue().
  std::int64_t MilliValue() const;

  // Canonical text: "1500m", "1536Mi", "1k".
  std::string ToString() const;
  // True for a parsed value whose text counts as canonical already: it prints as it was written
  // ("00100", "1e+3"), and ToString does not apply.
  bool keeps_text() const { return keeps_text_; }
  // The text that Kubernetes prints for a parsed quantity; `text` must be valid.
  static std::string Canonical(std::string_view text);

  Format format() const { return format_; }
  // Is it held as int64 x 10^scale (apimachinery's fast representation)?
  bool fast() const { return fast_; }
  // The value is mantissa x 10^exponent.
  Int128 mantissa() const { return (static_cast<Int128>(high_) << 64) | low_; }
  std::int32_t exponent() const { return exponent_; }

 private:
  Quantity(Int128 mantissa, std::int32_t exponent, Format format, bool fast)
      : low_(static_cast<std::uint64_t>(mantissa)),
        high_(static_cast<std::int64_t>(mantissa >> 64)),
        exponent_(exponent),
        format_(format),
        fast_(fast) {}

  // Two halves, so that the type needs no 16-byte alignment.
  std::uint64_t low_ = 0;
  std::int64_t high_ = 0;
  std::int32_t exponent_ = 0;
  Format format_ = Format::kDecimalSI;
  bool fast_ = true;
  bool keeps_text_ = false;
};

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_QUANTITY_H_
