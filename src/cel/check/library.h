#ifndef PORTCULLIS_CEL_CHECK_LIBRARY_H_
#define PORTCULLIS_CEL_CHECK_LIBRARY_H_

// How function libraries declare what they offer: signature for the checker, implementation for
// the evaluator and cost for the accountant stand in one row (docs/decisions). Libraries are
// constant tables; see src/cel/lib and src/cel/k8s.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::cel {

class EvalHost;     // what functions may ask of the outside (cel/eval/host.h)
struct EnvOptions;  // switches of the environment (cel/check/env.h)

// What a function implementation may use. One per evaluation.
struct CallContext {
  base::Arena& arena;                   // results live here
  EvalHost* host = nullptr;             // may be null: then there is no outside
  const EnvOptions* options = nullptr;  // never null during evaluation

  // An error value with this message (copied into the arena).
  doc::Value Error(std::string_view message);
  doc::Value NoSuchOverload() { return Error("no such overload"); }
  doc::Value String(std::string_view text) { return doc::MakeString(arena, text); }
  doc::Value OptionalOf(const doc::Value& value) {
    return doc::Value::OptionalOf(arena.New<doc::Value>(value));
  }
};

// `args` has the receiver first. Never throws; errors are values. Unless the overload is
// kNonStrict, no argument is an error, and unless it is kUnguarded, argument tags fit the
// signature.
using NativeFunction = doc::Value (*)(CallContext& context,
                                      std::span<const doc::Value> args) noexcept;

// Run-time cost of a call, arguments not included (spec/cel.md 18.3, 18.4).
using CostFunction = std::uint64_t (*)(std::span<const doc::Value> args,
                                       const doc::Value& result) noexcept;

enum OverloadFlags : std::uint8_t {
  kDefault = 0,
  kMember = 1,     // receiver style: args[0] is the receiver
  kUnguarded = 2,  // called whatever the run-time types are (spec/cel.md 9.5)
  kNonStrict = 4,  // called with error arguments too
  kTracked = 8,    // `cost` is an overload tracker: it wins over the function's cost (18.3)
};

struct Overload {
  std::string_view id;         // cel-go's overload id; unique within an environment
  std::string_view function;   // "size", "_+_", "math.ceil", "optional.of"
  std::string_view signature;  // "(list(T), int, int) -> list(T)"; types as in TypePool::Parse
  NativeFunction call = nullptr;
  std::uint8_t flags = kDefault;
  CostFunction cost = nullptr;  // null = 1. Of a statically bound call of this overload
};

// Cost by function name, whatever the overload (spec/cel.md 18.4); wins over Overload::cost but not
// over a kTracked one.
struct FunctionCost {
  std::string_view function;
  CostFunction cost;
};

struct TypeName {         // an identifier that names a type value
  std::string_view name;  // "net.IP"
  std::string_view type;  // in the grammar of TypePool::Parse
};

struct Library {
  std::string_view name;
  std::span<const Overload> overloads;
  std::span<const FunctionCost> costs = {};
  std::span<const TypeName> type_names = {};
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_LIBRARY_H_
