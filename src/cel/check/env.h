#ifndef PORTCULLIS_CEL_CHECK_ENV_H_
#define PORTCULLIS_CEL_CHECK_ENV_H_

// An environment: variables, types, functions, macros and switches that an expression is compiled
// in (spec/cel.md 1). Built once, then immutable and shareable by threads.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/check/library.h"
#include "cel/check/type.h"
#include "cel/syntax/parser.h"

namespace portcullis::cel {

// An overload with its signature parsed. Owned by the Env.
struct OverloadDecl {
  const Overload* spec = nullptr;
  std::vector<const Type*> params;  // receiver first
  const Type* result = nullptr;
  bool member() const { return (spec->flags & kMember) != 0; }
};

struct FunctionDecl {
  std::string_view name;
  std::vector<OverloadDecl> overloads;  // declaration order: dispatch tries them in this order
  CostFunction cost = nullptr;          // FunctionCost of the environment's libraries, or null
};

// Field types of object types (schemas, request, namespaceObject, variables, Object, JSONPatch).
// Implementations are immutable.
class TypeProvider {
 public:
  virtual ~TypeProvider() = default;
  // Does the object type exist? (Struct construction, `undeclared reference`.)
  virtual bool HasType(std::string_view type_name) const = 0;
  // The declared type of a field, or null when the type is known but the field is not.
  virtual const Type* FieldType(std::string_view type_name, std::string_view field) const = 0;
};

// Which checks and behaviours an environment has beyond its declarations.
struct EnvOptions {
  ParserOptions parser;
  bool cross_type_comparisons = true;  // `1 < 2.0` (spec/cel.md 7.5)
  bool homogeneous_aggregates = true;  // AST validators of section 8
  bool duration_literals = true;
  bool timestamp_literals = true;
  bool regex_literals = true;
  bool format_literals = true;
  bool constant_folding = true;          // OptOptimize, section 9.6
  bool bad_presence_errors = false;      // has() on a scalar is an error (conformance)
  bool strict_map_keys = false;          // repeated and double keys of literals are errors
  bool portable_format = false;          // strings v4+ formatter, section 15.5
  bool nan_order_errors = true;          // cel-go 0.29; false for 0.30 (section 10.2)
  bool lenient_timestamps = true;        // cel-go 0.29 (section 12)
  bool stop_at_failed_argument = false;  // cost rule of cel-go 0.30 (section 18.2)
  std::uint64_t cost_limit = 1'000'000;  // per program; 0 = none
  bool null_joins_nullable = false;      // [optional.of(1), null] is list(optional_type(int))
  std::string container;                 // namespace resolution; empty in Kubernetes
};

class Env {
 public:
  Env();
  ~Env();
  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  // ---- building (not thread-safe) ----
  EnvOptions options;
  void AddLibrary(const Library& library);  // a library name seen before is skipped silently
  void AddVariable(std::string_view name, const Type* type);  // a later declaration replaces
  void AddTypeName(std::string_view name, const Type* type);
  void AddProvider(std::shared_ptr<const TypeProvider> provider);
  TypePool& types();

  // A child environment that sees everything of `parent` and adds its own variables and providers:
  // cheap, so that a policy can declare `variables` without copying the function tables.
  explicit Env(std::shared_ptr<const Env> parent);

  // ---- reading ----
  const FunctionDecl* FindFunction(std::string_view name) const;
  const Type* FindVariable(std::string_view name) const;
  const Type* FindTypeName(std::string_view name) const;  // `int` -> int, not type(int)
  bool HasStruct(std::string_view type_name) const;
  const Type* FindField(std::string_view type_name, std::string_view field) const;
  // Runs `fn` over the names of all functions / variables (for completion and suggestions).
  std::vector<std::string> FunctionNames() const;
  std::vector<std::string> VariableNames() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_ENV_H_
