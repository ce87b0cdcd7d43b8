#include "cel/eval/blame.h"

#include <map>

#include "cel/eval/evaluator.h"
#include "cel/eval/value_ops.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

class BlameFinder {
 public:
  BlameFinder(const Plan& plan, Activation& activation, base::Arena& arena,
              const EvalOptions& options)
      : plan_(plan), evaluator_(plan, activation, arena, options) {}

  Blame Run() {
    Descend(plan_.root, true);
    return blame_;
  }

 private:
  struct Place {
    std::string variable;
    doc::Path path;
  };

  NodeId Child(const Node& node, std::size_t i) const { return plan_.children[node.first + i]; }

  bool Is(NodeId id, bool truth) {
    const Value value = evaluator_.Eval(id);
    return value.is_bool() && value.as_bool() == truth;
  }

  // The node was wanted to be `wanted` and is not.
  void Descend(NodeId id, bool wanted) {
    if (++depth_ > kMaxDepth) return;
    const Node& node = plan_.nodes[id];
    blame_.expr = node.expr;
    switch (node.op) {
      case Op::kAnd:
      case Op::kOr: {
        // A conjunction that should hold fails at its first term that does not; one that should
        // not hold, and does, is best explained by its last term. Disjunctions mirror that.
        const bool first = (node.op == Op::kAnd) == wanted;
        if (first) {
          for (std::size_t i = 0; i < node.count; ++i) {
            if (!Is(Child(node, i), wanted)) return Descend(Child(node, i), wanted);
          }
        } else if (node.count != 0) {
          return Descend(Child(node, node.count - std::size_t{1}), wanted);
        }
        return;
      }
      case Op::kNot:
        return Descend(Child(node, 0), !wanted);
      case Op::kFold:
        return DescendFold(node, wanted);
      case Op::kAttribute: {
        const Attribute& attribute = plan_.attributes[node.a];
        if (attribute.base == Attribute::Base::kConditional && attribute.count == 0) {
          const Value condition = evaluator_.Eval(attribute.node);
          if (!condition.is_bool()) return Descend(attribute.node, true);
          return Descend(condition.as_bool() ? attribute.if_true : attribute.if_false, wanted);
        }
        break;
      }
      default:
        break;
    }
    Place place;
    if (PlaceOf(id, place)) Settle(place);
  }

  void DescendFold(const Node& node, bool wanted) {
    const Fold& fold = plan_.folds[node.a];
    Place range_place;
    const bool known = PlaceOf(fold.range, range_place);
    const Value range = evaluator_.Eval(fold.range);
    const bool quantifier = fold.kind == Fold::Kind::kAll || fold.kind == Fold::Kind::kExists;
    const bool decided_by_one = quantifier && (fold.kind == Fold::Kind::kAll) == wanted;
    if (decided_by_one && (range.is_list() || range.is_map())) {
      for (std::size_t i = 0; i < range.size(); ++i) {
        Bind(fold, range, i);
        if (Is(fold.predicate, wanted)) continue;
        if (known) {
          Place element = range_place;
          if (range.is_list()) {
            element.path.emplace_back(static_cast<std::int64_t>(i));
          } else if (range.as_map()[i].key.is_string()) {
            element.path.emplace_back(std::string(range.as_map()[i].key.as_string()));
          }
          const std::uint32_t slot = fold.two_variables ? fold.iter2 : fold.iter;
          locals_[slot] = element;
          if (blame_.variable.empty()) Settle(element);
        }
        return Descend(fold.predicate, wanted);
      }
    }
    if (known) Settle(range_place);
  }

  void Bind(const Fold& fold, const Value& range, std::size_t i) {
    using Slot = Evaluator::Slot;
    if (range.is_list()) {
      const Value& item = range.as_list()[i];
      if (fold.two_variables) {
        evaluator_.locals_[fold.iter] = Slot{Value::Int(static_cast<std::int64_t>(i)), 0, true};
        evaluator_.locals_[fold.iter2] = Slot{item, 0, true};
      } else {
        evaluator_.locals_[fold.iter] = Slot{item, 0, true};
      }
      return;
    }
    const doc::MapEntry& entry = range.as_map()[i];
    evaluator_.locals_[fold.iter] = Slot{entry.key, 0, true};
    if (fold.two_variables) evaluator_.locals_[fold.iter2] = Slot{entry.value, 0, true};
  }

  // Where the value of a node comes from; false when it comes from no variable.
  bool PlaceOf(NodeId id, Place& place) {
    if (++depth_ > kMaxDepth) return false;
    const Node& node = plan_.nodes[id];
    switch (node.op) {
      case Op::kAttribute:
      case Op::kPresence:
        return AttributePlace(plan_.attributes[node.a], place);
      case Op::kFold:
        // map and filter: what they range over.
        return PlaceOf(plan_.folds[node.a].range, place);
      case Op::kIn: {
        // `key in object.metadata.labels`: the container, with the key if it is one.
        Place container;
        if (PlaceOf(Child(node, 1), container)) {
          const Value key = evaluator_.Eval(Child(node, 0));
          const Value held = evaluator_.Eval(Child(node, 1));
          if (held.is_map() && key.is_string())
            container.path.emplace_back(std::string(key.as_string()));
          place = container;
          return true;
        }
        return PlaceOf(Child(node, 0), place);
      }
      default:
        for (std::size_t i = 0; i < node.count; ++i) {
          if (PlaceOf(Child(node, i), place)) return true;
        }
        return false;
    }
  }

  bool AttributePlace(const Attribute& attribute, Place& place) {
    switch (attribute.base) {
      case Attribute::Base::kVariable:
        place.variable = plan_.variables[attribute.slot];
        break;
      case Attribute::Base::kLocal: {
        const auto found = locals_.find(attribute.slot);
        if (found == locals_.end()) return false;
        place = found->second;
        break;
      }
      case Attribute::Base::kNode:
        if (!PlaceOf(attribute.node, place)) return false;
        break;
      case Attribute::Base::kConditional: {
        const Value condition = evaluator_.Eval(attribute.node);
        if (!condition.is_bool()) return false;
        if (!PlaceOf(condition.as_bool() ? attribute.if_true : attribute.if_false, place)) {
          return false;
        }
        break;
      }
    }
    for (std::uint32_t i = 0; i < attribute.count; ++i) {
      const Qualifier& qualifier = plan_.qualifiers[attribute.first + i];
      const Value key = qualifier.node == 0 ? qualifier.key : evaluator_.Eval(qualifier.node);
      if (key.is_string()) {
        place.path.emplace_back(std::string(key.as_string()));
      } else if (key.is_int() && key.as_int() >= 0) {
        place.path.emplace_back(key.as_int());
      } else {
        break;
      }
    }
    return true;
  }

  void Settle(const Place& place) {
    blame_.variable = place.variable;
    blame_.path = place.path;
    blame_.present = false;
    for (std::size_t slot = 0; slot < plan_.variables.size(); ++slot) {
      if (plan_.variables[slot] != place.variable) continue;
      const Value root = evaluator_.Variable(static_cast<std::uint32_t>(slot));
      if (const Value* found = doc::Lookup(root, place.path)) {
        blame_.present = true;
        blame_.value = *found;
      }
    }
  }

  static constexpr int kMaxDepth = 10000;
  const Plan& plan_;
  Evaluator evaluator_;
  Blame blame_;
  std::map<std::uint32_t, Place> locals_;
  int depth_ = 0;
};

Blame FindBlame(const Program& program, Activation& activation, base::Arena& arena,
                const EvalOptions& options) {
  EvalOptions plain = options;
  plain.trace = nullptr;
  return BlameFinder(program.plan(), activation, arena, plain).Run();
}

}  // namespace portcullis::cel
