#ifndef PORTCULLIS_EXCEPTIONS_EXPRESSION_H_
#define PORTCULLIS_EXCEPTIONS_EXPRESSION_H_

// Expressions of the kinds of policies.kyverno.io: compiling one with the result type that its
// place asks for, in Kyverno's words (spec/kyverno-cel-policies.md 2.3, 2.4). An Expression is
// immutable once compiled and keeps its environment alive.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "cel/check/env.h"
#include "cel/eval/program.h"

namespace portcullis::exceptions {

enum class ResultType : std::uint8_t {
  kAny,
  kBool,
  kString,
  kStringOrNull,
  kStringList,     // list(string), list(dyn) or dyn
  kMap,            // any map with string keys
  kJsonPatchList,  // list(JSONPatch)
  kObject,         // Object of an apply configuration
};

struct Expression {
  std::string source;
  std::shared_ptr<const cel::Program> program;  // null: does not compile
  std::string error;                            // why not

  explicit operator bool() const { return program != nullptr; }
};

Expression Compile(const std::shared_ptr<const cel::Env>& env, std::string_view source,
                   ResultType wanted);

// `Invalid value: "<source>": <error>`.
std::string InvalidText(const Expression& expression);

// The limit that Kyverno sets for each expression of the kinds with a limit (2.3).
inline constexpr std::uint64_t kCostLimit = 1'000'000;

}  // namespace portcullis::exceptions

#endif  // PORTCULLIS_EXCEPTIONS_EXPRESSION_H_
