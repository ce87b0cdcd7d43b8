#ifndef PORTCULLIS_CEL_PLAN_PLAN_H_
#define PORTCULLIS_CEL_PLAN_PLAN_H_

// The executable form of a checked expression: a tree of small nodes in one vector, with variables
// and comprehension variables resolved to slots, field names hashed, constants folded and
// functions bound (docs/cel.md). Immutable after planning; shared by threads.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/arena.h"
#include "cel/check/checker.h"
#include "cel/check/env.h"
#include "doc/value.h"

namespace portcullis::regex {
class Regex;
}

namespace portcullis::cel {

using NodeId = std::uint32_t;  // 0 = none

enum class Op : std::uint8_t {
  kNone,
  kConst,      // constants[a]
  kFixed,      // constants[a], the result of a call that costs `b`
  kAttribute,  // attributes[a]
  kPresence,   // attributes[a] without its last qualifier, then has(last)
  kAnd,        // children
  kOr,         // children
  kEqual,      // children[0], children[1]
  kNotEqual,
  kCompare,     // sub = Relation
  kArithmetic,  // sub = '+', '-', '*', '/', '%'
  kNegate,
  kNot,
  kNotStrictlyFalse,
  kIn,
  kInSet,        // child, constants[a] is a map used as a set
  kList,         // children; bit i of `optional` at optionals[a + i]
  kMap,          // children = key, value, ...
  kStruct,       // children = values; structs[a]
  kCall,         // calls[a], statically bound
  kDynamicCall,  // calls[a], dispatched on run-time types
  kMatches,      // child, regexes[a]: constant pattern
  kOptionalOr,   // a.or(b): lazy
  kOptionalOrValue,
  kBlock,  // blocks: children = slots, last = result; locals a..
  kFold,   // folds[a]
};

struct Node {
  Op op = Op::kNone;
  std::uint8_t sub = 0;
  std::uint16_t count = 0;  // children
  std::uint32_t first = 0;  // into Plan::children
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  ExprId expr = kNoExpr;
  CostFunction cost = nullptr;  // of the call itself; null = 1
};

struct Qualifier {
  doc::Value key;          // constant key
  std::uint32_t hash = 0;  // of a constant string key
  NodeId node = 0;         // computed key
  bool constant_string = false;
  bool optional = false;
  bool attribute_key = false;  // the computed key is a bare attribute: its variable costs nothing
};

struct Attribute {
  enum class Base : std::uint8_t { kVariable, kLocal, kNode, kConditional };
  Base base = Base::kVariable;
  std::uint32_t slot = 0;  // variable or local
  NodeId node = 0;         // kNode, or the condition
  NodeId if_true = 0;
  NodeId if_false = 0;
  std::uint32_t first = 0;  // qualifiers
  std::uint32_t count = 0;
};

// How an argument is checked before a call: the cheap tag first, the type for the rest.
struct Guard {
  static constexpr std::uint8_t kAny = 0xFF;
  std::uint8_t tag = kAny;
  bool deep = false;  // `type` must be consulted (element types, host types)
  const Type* type = nullptr;
};

struct CallTarget {
  const FunctionDecl* function = nullptr;
  std::string_view name;
  std::vector<const OverloadDecl*> overloads;  // one if statically bound
  std::vector<Guard> guards;                   // of the one overload
};

struct StructTarget {
  std::string_view type_name;
  const Type* type = nullptr;
  std::vector<std::string_view> fields;
  std::vector<bool> optional;
};

struct Fold {
  enum class Kind : std::uint8_t {
    kGeneric,
    kAll,
    kExists,
    kExistsOne,
    kAppend,
    kInsertKeyValue,
    kInsertEntry
  };
  Kind kind = Kind::kGeneric;
  bool two_variables = false;
  bool constant_item = false;  // kAppend: `[t]` is a folded constant
  std::uint32_t iter = 0;      // local slots
  std::uint32_t iter2 = 0;
  std::uint32_t accu = 0;
  NodeId range = 0;
  NodeId init = 0;
  NodeId condition = 0;  // kGeneric
  NodeId step = 0;
  NodeId result = 0;
  NodeId predicate = 0;     // kAll, kExists, kExistsOne; optional filter of the others
  NodeId item = 0;          // kAppend: t; kInsert*: key or entry
  NodeId value = 0;         // kInsertKeyValue
  bool init_costs = false;  // the empty literal was not folded
};

struct Plan {
  std::shared_ptr<const Env> env;
  CheckedAst checked;
  base::Arena arena;  // constants

  std::vector<Node> nodes;
  std::vector<NodeId> children;
  std::vector<doc::Value> constants;
  std::vector<Attribute> attributes;
  std::vector<Qualifier> qualifiers;
  std::vector<CallTarget> calls;
  std::vector<StructTarget> structs;
  std::vector<Fold> folds;
  std::vector<bool> optionals;
  std::vector<std::shared_ptr<const regex::Regex>> regexes;
  std::vector<std::string> variables;
  std::uint32_t local_count = 0;
  NodeId root = 0;
};

// Plans `plan.checked` into `plan`. False with `failure` set when a constant cannot be folded or a
// constant regular expression does not compile (spec/cel.md 9.6).
bool BuildPlan(Plan& plan, std::string& failure);

// Does a run-time value fit a parameter type? Lists and maps are judged by their first element
// (spec/cel.md 9.5).
bool FitsType(const doc::Value& value, const Type& type);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_PLAN_PLAN_H_
