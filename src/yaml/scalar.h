#ifndef PORTCULLIS_YAML_SCALAR_H_
#define PORTCULLIS_YAML_SCALAR_H_

// What an unquoted YAML scalar means (spec/engineering.md 4.1, "Resolution of untagged plain
// scalars"): the YAML 1.1 table of the Go reader that Kubernetes uses, where `y` and `on` are
// booleans, `017` is octal and `1e309` is a string. Pure functions, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

namespace portcullis::yaml {

enum class ScalarKind : std::uint8_t {
  kNull,
  kBool,
  kInt,
  kUint,  // above the int64 range
  kFloat,
  kString,
  kTimestamp,  // looks like one; stays text
};

struct Scalar {
  ScalarKind kind = ScalarKind::kString;
  bool boolean = false;
  std::int64_t integer = 0;
  std::uint64_t unsigned_integer = 0;
  double number = 0;
};

// `timestamps`: whether timestamp-looking text is reported as kTimestamp.
Scalar ResolvePlain(std::string_view text, bool timestamps = true);

// Whether text written without quotes reads back as that very string.
inline bool IsPlainString(std::string_view text) {
  return ResolvePlain(text, false).kind == ScalarKind::kString;
}

// strconv.FormatFloat(x, 'g', -1, 32) with YAML's names for infinities: how a float key becomes a
// string.
std::string FloatKey(double value);

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_SCALAR_H_
