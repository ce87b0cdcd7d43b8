#include <array>
#include <string>
#include <vector>

#include "cel/syntax/builder.h"

namespace portcullis::cel {

namespace {

constexpr std::string_view kAccumulator = "@result";
constexpr std::string_view kOldAccumulator = "__result__";
constexpr std::string_view kUnused = "#unused";
constexpr std::string_view kOverwrites = "iteration variable overwrites accumulator variable";

// One call that may be a macro. Every method returns the expansion or an error node.
class Expander {
 public:
  Expander(AstBuilder& builder, ExprId target, std::span<const ExprId> args, std::uint32_t position)
      : b_(builder), target_(target), args_(args), position_(position) {}

  bool Global(std::string_view name, ExprId& result);
  bool Receiver(std::string_view name, ExprId& result);

 private:
  enum class Quantifier { kAll, kExists, kExistsOne };

  bool Standard(std::string_view name, ExprId& result);
  bool TwoVariable(std::string_view name, ExprId& result);
  bool Namespaced(std::string_view name, ExprId& result);
  bool Cel(std::string_view name, ExprId& result);

  ExprId Has();
  ExprId Quantify(Quantifier kind, bool two_variables);
  ExprId MapOrFilter(ExprId range, bool filter);
  ExprId TransformList();
  ExprId TransformMap(bool entries);
  ExprId OptionalMap(bool flat);
  ExprId SortBy();
  ExprId Bind();
  ExprId MathExtreme(std::string_view shown, std::string_view function);
  ExprId ProtoExtension(bool test_only);
  ExprId BlockIdent(std::string_view prefix, std::string_view usage);

  // The iteration variables of a two-variable macro; false: `error` is the result.
  bool IterVars(std::string_view& first, std::string_view& second, ExprId& error);
  bool IsIdent(ExprId id) const { return Node(id).kind == ExprKind::kIdent; }
  bool IsNamespace(std::string_view name) const {
    return IsIdent(target_) && Node(target_).name == name;
  }
  const Expr& Node(ExprId id) const { return b_.ast().node(id); }
  ExprId ErrorAt(ExprId id, std::string_view message) {
    return b_.Error(Node(id).position, std::string(message));
  }
  bool ExtensionName(ExprId id, std::string& name) const;
  bool IsNumeric(ExprId id) const;

  ExprId Accu() { return b_.Ident(kAccumulator, position_); }
  ExprId Bool(bool value) { return b_.Const(doc::Value::Bool(value), position_); }
  ExprId Int(std::int64_t value) { return b_.Const(doc::Value::Int(value), position_); }
  ExprId EmptyList() { return b_.List({}, position_); }
  ExprId ListOf(ExprId item) {
    Child child;
    child.expr = item;
    return b_.List({&child, 1}, position_);
  }
  template <typename... Ids>
  ExprId Call(std::string_view name, Ids... ids) {
    const std::array<ExprId, sizeof...(Ids)> args{ids...};
    return b_.Call(name, args, position_);
  }
  ExprId Method(std::string_view name, ExprId target) {
    return b_.MemberCall(name, target, {}, position_);
  }
  ExprId Fold(std::string_view var, std::string_view var2, std::string_view accu, ExprId range,
              ExprId init, ExprId condition, ExprId step, ExprId result) {
    Comprehension parts;
    parts.iter_var = var;
    parts.iter_var2 = var2;
    parts.accu_var = accu;
    parts.range = range;
    parts.init = init;
    parts.condition = condition;
    parts.step = step;
    parts.result = result;
    return b_.Comprehension(parts, position_);
  }
  // `name` bound to `value` in `body`.
  ExprId Let(std::string_view name, ExprId value, ExprId body) {
    return Fold(kUnused, {}, name, EmptyList(), value, Bool(false), b_.Ident(name, position_),
                body);
  }

  AstBuilder& b_;
  ExprId target_;
  std::span<const ExprId> args_;
  std::uint32_t position_;
};

ExprId Expander::Has() {
  const Expr& argument = Node(args_[0]);
  if (argument.kind != ExprKind::kSelect) {
    return ErrorAt(args_[0], "invalid argument to has() macro");
  }
  return b_.Select(argument.target, argument.name, true, position_);
}

bool Expander::IterVars(std::string_view& first, std::string_view& second, ExprId& error) {
  for (const ExprId arg : args_.first(2)) {
    if (!IsIdent(arg)) {
      error = ErrorAt(arg, "argument must be a simple name");
      return false;
    }
  }
  first = Node(args_[0]).name;
  second = Node(args_[1]).name;
  if (first == second) {
    error = ErrorAt(args_[1], "duplicate variable name: " + std::string(first));
    return false;
  }
  for (const ExprId arg : args_.first(2)) {
    const std::string_view name = Node(arg).name;
    if (name == kAccumulator || name == kOldAccumulator) {
      error = ErrorAt(arg, kOverwrites);
      return false;
    }
  }
  return true;
}

ExprId Expander::Quantify(Quantifier kind, bool two_variables) {
  std::string_view var;
  std::string_view var2;
  ExprId error = kNoExpr;
  if (two_variables) {
    if (!IterVars(var, var2, error)) return error;
  } else {
    if (!IsIdent(args_[0])) return ErrorAt(args_[0], "argument must be a simple name");
    var = Node(args_[0]).name;
    if (var == kAccumulator || var == kOldAccumulator) return ErrorAt(args_[0], kOverwrites);
  }
  const ExprId predicate = args_.back();
  ExprId init = kNoExpr;
  ExprId condition = kNoExpr;
  ExprId step = kNoExpr;
  ExprId result = kNoExpr;
  switch (kind) {
    case Quantifier::kAll:
      init = Bool(true);
      condition = Call("@not_strictly_false", Accu());
      step = Call("_&&_", Accu(), predicate);
      result = Accu();
      break;
    case Quantifier::kExists:
      init = Bool(false);
      condition = Call("@not_strictly_false", Call("!_", Accu()));
      step = Call("_||_", Accu(), predicate);
      result = Accu();
      break;
    case Quantifier::kExistsOne:
      init = Int(0);
      condition = Bool(true);
      step = Call("_?_:_", predicate, Call("_+_", Accu(), Int(1)), Accu());
      result = Call("_==_", Accu(), Int(1));
      break;
  }
  return Fold(var, var2, kAccumulator, target_, init, condition, step, result);
}

ExprId Expander::MapOrFilter(ExprId range, bool filter) {
  if (!IsIdent(args_[0])) return ErrorAt(args_[0], "argument is not an identifier");
  const std::string_view var = Node(args_[0]).name;
  if (var == kAccumulator || var == kOldAccumulator) return ErrorAt(args_[0], kOverwrites);
  const ExprId item = filter ? args_[0] : args_.back();
  const ExprId init = EmptyList();
  const ExprId condition = Bool(true);
  ExprId step = Call("_+_", Accu(), ListOf(item));
  if (filter || args_.size() == 3) step = Call("_?_:_", args_[1], step, Accu());
  return Fold(var, {}, kAccumulator, range, init, condition, step, Accu());
}

ExprId Expander::TransformList() {
  std::string_view var;
  std::string_view var2;
  ExprId error = kNoExpr;
  if (!IterVars(var, var2, error)) return error;
  const ExprId init = EmptyList();
  const ExprId condition = Bool(true);
  ExprId step = Call("_+_", Accu(), ListOf(args_.back()));
  if (args_.size() == 4) step = Call("_?_:_", args_[2], step, Accu());
  return Fold(var, var2, kAccumulator, target_, init, condition, step, Accu());
}

ExprId Expander::TransformMap(bool entries) {
  std::string_view var;
  std::string_view var2;
  ExprId error = kNoExpr;
  if (!IterVars(var, var2, error)) return error;
  const ExprId init = b_.Map({}, position_);
  const ExprId condition = Bool(true);
  ExprId step = entries ? Call("cel.@mapInsert", Accu(), args_.back())
                        : Call("cel.@mapInsert", Accu(), b_.Ident(var, position_), args_.back());
  if (args_.size() == 4) step = Call("_?_:_", args_[2], step, Accu());
  return Fold(var, var2, kAccumulator, target_, init, condition, step, Accu());
}

ExprId Expander::OptionalMap(bool flat) {
  if (!IsIdent(args_[0])) {
    return ErrorAt(args_[0], flat ? "optFlatMap() variable name must be a simple identifier"
                                  : "optMap() variable name must be a simple identifier");
  }
  const std::string_view var = Node(args_[0]).name;
  const ExprId condition = Method("hasValue", target_);
  ExprId body = Let(var, Method("value", b_.Copy(target_)), args_[1]);
  if (!flat) body = Call("optional.of", body);
  return Call("_?_:_", condition, body, Call("optional.none"));
}

ExprId Expander::SortBy() {
  switch (Node(target_).kind) {
    case ExprKind::kList:
    case ExprKind::kSelect:
    case ExprKind::kIdent:
    case ExprKind::kComprehension:
    case ExprKind::kCall:
      break;
    default:
      return ErrorAt(target_,
                     "sortBy can only be applied to a list, identifier, comprehension, call or "
                     "select expression");
  }
  constexpr std::string_view kInput = "@__sortBy_input__";
  const ExprId keys = MapOrFilter(b_.Ident(kInput, position_), false);
  if (!b_.issues().empty()) return keys;
  const ExprId sorted =
      b_.MemberCall("@sortByAssociatedKeys", b_.Ident(kInput, position_), {&keys, 1}, position_);
  return Let(kInput, target_, sorted);
}

ExprId Expander::Bind() {
  if (!IsIdent(args_[0])) {
    return ErrorAt(args_[0], "cel.bind() variable names must be simple identifiers");
  }
  return Let(Node(args_[0]).name, args_[1], args_[2]);
}

bool Expander::IsNumeric(ExprId id) const {
  const Expr& node = Node(id);
  switch (node.kind) {
    case ExprKind::kConst:
      return node.value.is_number();
    case ExprKind::kList:
    case ExprKind::kMap:
    case ExprKind::kStruct:
      return false;
    default:
      return true;
  }
}

ExprId Expander::MathExtreme(std::string_view shown, std::string_view function) {
  const std::string prefix(shown);
  if (args_.empty()) return ErrorAt(target_, prefix + " requires at least one argument");
  if (args_.size() == 1) {
    bool valid = IsNumeric(args_[0]);
    const Expr& node = Node(args_[0]);
    if (node.kind == ExprKind::kList && node.count > 0) {
      valid = true;
      for (const Child& item : b_.ast().children(node)) valid = valid && IsNumeric(item.expr);
    }
    if (!valid) return ErrorAt(args_[0], prefix + " invalid single argument value");
    return b_.Call(function, args_, position_);
  }
  for (const ExprId arg : args_) {
    if (!IsNumeric(arg)) {
      return ErrorAt(arg, prefix + " simple literal arguments must be numeric");
    }
  }
  if (args_.size() == 2) return b_.Call(function, args_, position_);
  std::vector<Child> items(args_.size());
  for (std::size_t i = 0; i < args_.size(); ++i) items[i].expr = args_[i];
  return Call(function, b_.List(items, position_));
}

// `a.b.c` as written; iterative because chains may be long.
bool Expander::ExtensionName(ExprId id, std::string& name) const {
  const Expr* node = &Node(id);
  if (node->kind != ExprKind::kSelect) return false;
  while (node->kind == ExprKind::kSelect && !node->test_only) {
    name.insert(0, "." + std::string(node->name));
    node = &Node(node->target);
  }
  if (node->kind != ExprKind::kIdent) return false;
  name.insert(0, node->name);
  return true;
}

ExprId Expander::ProtoExtension(bool test_only) {
  std::string name;
  if (!ExtensionName(args_[1], name)) return ErrorAt(args_[1], "invalid extension field");
  return b_.Select(args_[0], b_.ast().arena().CopyString(name), test_only, position_);
}

// cel.index(n), cel.iterVar(d, u), cel.accuVar(d, u): a name that source text cannot spell.
ExprId Expander::BlockIdent(std::string_view prefix, std::string_view usage) {
  std::string name(prefix);
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const Expr& node = Node(args_[i]);
    if (node.kind != ExprKind::kConst || !node.value.is_int() || node.value.as_int() < 0) {
      return ErrorAt(args_[i], usage);
    }
    if (i > 0) name += ':';
    name += std::to_string(node.value.as_int());
  }
  return b_.Ident(b_.ast().arena().CopyString(name), position_);
}

bool Expander::Global(std::string_view name, ExprId& result) {
  if (name != "has" || args_.size() != 1 || !b_.options().standard_macros) return false;
  result = Has();
  return true;
}

bool Expander::Standard(std::string_view name, ExprId& result) {
  const std::size_t n = args_.size();
  if (n == 2) {
    if (name == "all") {
      result = Quantify(Quantifier::kAll, false);
    } else if (name == "exists") {
      result = Quantify(Quantifier::kExists, false);
    } else if (name == "exists_one") {
      result = Quantify(Quantifier::kExistsOne, false);
    } else if (name == "filter") {
      result = MapOrFilter(target_, true);
    } else if (name == "map") {
      result = MapOrFilter(target_, false);
    } else {
      return false;
    }
    return true;
  }
  if (n != 3 || name != "map") return false;
  result = MapOrFilter(target_, false);
  return true;
}

bool Expander::TwoVariable(std::string_view name, ExprId& result) {
  const std::size_t n = args_.size();
  if (n == 3 && name == "all") {
    result = Quantify(Quantifier::kAll, true);
  } else if (n == 3 && name == "exists") {
    result = Quantify(Quantifier::kExists, true);
  } else if (n == 3 && (name == "exists_one" || name == "existsOne")) {
    result = Quantify(Quantifier::kExistsOne, true);
  } else if ((n == 3 || n == 4) && name == "transformList") {
    result = TransformList();
  } else if ((n == 3 || n == 4) && name == "transformMap") {
    result = TransformMap(false);
  } else if ((n == 3 || n == 4) && name == "transformMapEntry") {
    result = TransformMap(true);
  } else {
    return false;
  }
  return true;
}

bool Expander::Cel(std::string_view name, ExprId& result) {
  const std::size_t n = args_.size();
  const bool block = b_.options().block_macros;
  if (n == 3 && name == "bind" && b_.options().bind_macro) {
    result = Bind();
  } else if (block && n == 2 && name == "block") {
    result = Node(args_[0]).kind == ExprKind::kList
                 ? b_.Call("cel.@block", args_, position_)
                 : ErrorAt(args_[0], "cel.block requires the first arg to be a list literal");
  } else if (block && n == 1 && name == "index") {
    result = BlockIdent("@index", "cel.index requires a single non-negative int constant arg");
  } else if (block && n == 2 && name == "iterVar") {
    result = BlockIdent("@it:", "cel.iterVar requires two non-negative int constant args");
  } else if (block && n == 2 && name == "accuVar") {
    result = BlockIdent("@ac:", "cel.accuVar requires two non-negative int constant args");
  } else {
    return false;
  }
  return true;
}

bool Expander::Namespaced(std::string_view name, ExprId& result) {
  const ParserOptions& options = b_.options();
  const bool math = options.math_macros && (name == "least" || name == "greatest");
  if (math && IsNamespace("math")) {
    result = name == "least" ? MathExtreme("math.least()", "math.@min")
                             : MathExtreme("math.greatest()", "math.@max");
    return true;
  }
  if (options.proto_macros && args_.size() == 2 && (name == "hasExt" || name == "getExt") &&
      IsNamespace("proto")) {
    result = ProtoExtension(name == "hasExt");
    return true;
  }
  return IsNamespace("cel") && Cel(name, result);
}

bool Expander::Receiver(std::string_view name, ExprId& result) {
  const ParserOptions& options = b_.options();
  if (options.standard_macros && Standard(name, result)) return true;
  if (options.two_variable_macros && TwoVariable(name, result)) return true;
  if (options.optional_macros && args_.size() == 2 && (name == "optMap" || name == "optFlatMap")) {
    result = OptionalMap(name == "optFlatMap");
    return true;
  }
  if (options.sort_by_macro && args_.size() == 2 && name == "sortBy") {
    result = SortBy();
    return true;
  }
  if (options.or_value_compat_macro && args_.size() == 1 && name == "orValue") {
    result = Call("__orValueCompat__", target_, args_[0]);
    return true;
  }
  return Namespaced(name, result);
}

}  // namespace

bool ExpandMacro(AstBuilder& builder, std::string_view name, ExprId target,
                 std::span<const ExprId> args, std::uint32_t position, ExprId& result) {
  Expander expander(builder, target, args, position);
  if (target == kNoExpr) return expander.Global(name, result);
  return expander.Receiver(name, result);
}

}  // namespace portcullis::cel
