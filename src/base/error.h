#ifndef PORTCULLIS_BASE_ERROR_H_
#define PORTCULLIS_BASE_ERROR_H_

// Load-time failures: Error, Result<T>, ErrorList and the propagation macros (spec/engineering.md
// 3.3). A CEL runtime error is a value and a policy outcome is an enum: neither is an Error.
// All types are value types without shared state; const access is thread-safe.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"

namespace portcullis::base {

// What kind of failure it is, in the terms of field errors of the Kubernetes API where one exists.
enum class ErrorCode : std::uint8_t {
  kSyntax,         // text that cannot be parsed (YAML, JSON, CEL, ...)
  kInvalid,        // "Invalid value"
  kRequired,       // "Required value"
  kDuplicate,      // "Duplicate value", a duplicate key
  kUnsupported,    // "Unsupported value"
  kForbidden,      // "Forbidden"
  kTooMany,        // "Too many"
  kUnknownField,   // a field that the kind does not have
  kNotFound,       // a file, kind or name that does not exist
  kIo,             // the operating system refused
  kResourceLimit,  // a budget of memory, size or depth is used up
  kInternal,       // "Internal error"
};

// Where something stands in a file. Lines and columns count from 1; 0 means unknown.
// Columns count code points.
struct SourceSpan {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  // "file:line:column", leaving out what is unknown.
  std::string ToString() const;
};

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;  // the compatible text: what Kubernetes, cel-go or Kyverno print
  std::string path;     // field path, `spec.validations[0].expression`; empty = whole document
  SourceSpan span;
  std::string hint;  // our own help beside the compatible text ("did you mean ...")

  Error() = default;
  Error(ErrorCode c, std::string m) : code(c), message(std::move(m)) {}
  Error(ErrorCode c, std::string m, std::string p)
      : code(c), message(std::move(m)), path(std::move(p)) {}
};

// Either a T or an Error. The error is one pointer, so the success path allocates nothing.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : value_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)                                        // NOLINT(google-explicit-constructor)
      : value_(std::in_place_index<1>, std::make_unique<Error>(std::move(error))) {}

  bool ok() const { return value_.index() == 0; }
  bool has_value() const { return ok(); }
  explicit operator bool() const { return ok(); }

  T& value() & {
    PC_CHECK(ok());
    return std::get<0>(value_);
  }
  const T& value() const& {
    PC_CHECK(ok());
    return std::get<0>(value_);
  }
  T&& value() && {
    PC_CHECK(ok());
    return std::get<0>(std::move(value_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    PC_CHECK(!ok());
    return *std::get<1>(value_);
  }
  Error TakeError() {
    PC_CHECK(!ok());
    return std::move(*std::get<1>(value_));
  }

  T value_or(T fallback) const& { return ok() ? std::get<0>(value_) : std::move(fallback); }

 private:
  std::variant<T, std::unique_ptr<Error>> value_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error)
      : error_(std::make_unique<Error>(std::move(error))) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return error_ == nullptr; }
  bool has_value() const { return ok(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const {
    PC_CHECK(!ok());
    return *error_;
  }
  Error TakeError() {
    PC_CHECK(!ok());
    return std::move(*error_);
  }

 private:
  std::unique_ptr<Error> error_;
};

// Loaders collect every problem of a document instead of stopping at the first.
using ErrorList = std::vector<Error>;

}  // namespace portcullis::base

#define PC_CONCAT_INNER_(a, b) a##b
#define PC_CONCAT_(a, b) PC_CONCAT_INNER_(a, b)

// Evaluates a Result<void> (or any Result) and returns its error from the enclosing function.
#define PC_TRY(expr)                                             \
  do {                                                           \
    auto pc_try_result_ = (expr);                                \
    if (!pc_try_result_.ok()) return pc_try_result_.TakeError(); \
  } while (false)

// PC_ASSIGN(auto x, Compute()): x, or return the error.
#define PC_ASSIGN(decl, expr) PC_ASSIGN_IMPL_(PC_CONCAT_(pc_assign_, __LINE__), decl, expr)
#define PC_ASSIGN_IMPL_(tmp, decl, expr) \
  auto tmp = (expr);                     \
  if (!tmp.ok()) return tmp.TakeError(); \
  decl = std::move(tmp).value()

#endif  // PORTCULLIS_BASE_ERROR_H_
