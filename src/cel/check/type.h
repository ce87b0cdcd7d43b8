#ifndef PORTCULLIS_CEL_CHECK_TYPE_H_
#define PORTCULLIS_CEL_CHECK_TYPE_H_

// CEL types (spec/cel.md 7.1). Types are immutable and owned by the TypePool that made them, or
// are process-wide constants; compare them with TypesEqual, never by address.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace portcullis::cel {

enum class TypeKind : std::uint8_t {
  kDyn,
  kAny,
  kError,  // result of a failed check, assignable to anything
  kNull,
  kBool,
  kInt,
  kUint,
  kDouble,
  kString,
  kBytes,
  kDuration,
  kTimestamp,
  kList,         // params: element
  kMap,          // params: key, value
  kType,         // params: the type, or none for the bare `type`
  kOptional,     // params: inner
  kWrapper,      // params: the primitive
  kOpaque,       // name, params
  kStruct,       // name: an object type with fields from a TypeProvider
  kParam,        // name: a type parameter
  kUnspecified,  // no type at all; printed empty, only dyn is assignable to it
};

struct Type {
  TypeKind kind = TypeKind::kDyn;
  std::string_view name;  // opaque, struct and parameter types
  std::span<const Type* const> params;
};

// Process-wide constants for the types without parameters, and bare list/map/optional/type.
namespace types {
extern const Type kDyn, kAny, kError, kNull, kBool, kInt, kUint, kDouble, kString, kBytes,
    kDuration, kTimestamp, kType, kList /* list(dyn) */, kMap /* map(dyn, dyn) */,
    kOptional /* optional_type(dyn) */, kUnspecified;
}

// Owns types; append-only, not thread-safe while growing.
class TypePool {
 public:
  TypePool();
  ~TypePool();
  TypePool(TypePool&&) noexcept;
  TypePool& operator=(TypePool&&) noexcept;

  const Type* List(const Type* element);
  const Type* Map(const Type* key, const Type* value);
  const Type* Optional(const Type* inner);
  const Type* TypeOf(const Type* type);
  const Type* Wrapper(const Type* primitive);
  const Type* Opaque(std::string_view name, std::span<const Type* const> params = {});
  const Type* Struct(std::string_view name);
  const Type* Param(std::string_view name);

  // Parses the type grammar of function signatures: `int`, `list(T)`, `map(K, list(string))`,
  // `optional(T)`, `type(T)`, `wrapper(int)`; a name of one capital letter is a type parameter;
  // `.Name`, `Name(T)` or a dotted name is an opaque type, `struct:Name` and `kubernetes.Name` are
  // object types. Aborts on bad text: signatures are constants of the program.
  const Type* Parse(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Structural equality. As in cel-go a wrapper type equals its primitive.
bool TypesEqual(const Type& a, const Type& b);
// The same, but any two type parameters are equal.
bool TypesEquivalent(const Type& a, const Type& b);

inline bool IsDyn(const Type& type) {
  return type.kind == TypeKind::kDyn || type.kind == TypeKind::kAny;
}
// The kind by which the checker judges a type: that of the primitive for a wrapper.
TypeKind EffectiveKind(const Type& type);
// The name of a type without its parameters, `list`, `int`, `net.IP`.
std::string_view BareName(const Type& type);

// The two printers of spec/cel.md 7.1: checker messages, and run-time names.
std::string CheckerName(const Type& type);
std::string RuntimeName(const Type& type);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_TYPE_H_
