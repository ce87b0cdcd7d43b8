// Attributes: a variable or value followed by selections and indexes (spec/cel.md 9.1 to 9.3).

#include "cel/eval/evaluator.h"
#include "cel/eval/host_type.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/value_text.h"

namespace portcullis::cel {

using doc::Tag;
using doc::Value;

Value Evaluator::Variable(std::uint32_t slot) {
  if (bound_[slot] == Bound::kUnknown) {
    const bool found = activation_.Resolve(plan_.variables[slot], variables_[slot]);
    bound_[slot] = found ? Bound::kBound : Bound::kUnbound;
  }
  if (bound_[slot] == Bound::kBound) return variables_[slot];
  return context_.Error("no such attribute(s): " + plan_.variables[slot]);
}

Value Evaluator::Local(std::uint32_t slot) {
  Slot& local = locals_[slot];
  if (!local.ready) {
    const NodeId lazy = local.lazy;
    const Value value = lazy != 0 ? Eval(lazy) : context_.Error("internal error: unbound variable");
    locals_[slot].value = value;
    locals_[slot].ready = true;
  }
  return locals_[slot].value;
}

bool Evaluator::Base(const Attribute& attribute, bool charge, Value& value) {
  switch (attribute.base) {
    case Attribute::Base::kLocal:
      value = locals_[attribute.slot].ready ? locals_[attribute.slot].value : Local(attribute.slot);
      if (charge) Charge(1);
      break;
    case Attribute::Base::kVariable:
      value = bound_[attribute.slot] == Bound::kBound ? variables_[attribute.slot]
                                                      : Variable(attribute.slot);
      if (charge) Charge(1);
      break;
    case Attribute::Base::kNode:
      value = Eval(attribute.node);
      if (charge) Charge(1);
      break;
    case Attribute::Base::kConditional: {
      const Value condition = Eval(attribute.node);
      if (condition.is_error()) {
        value = condition;
      } else if (!condition.is_bool()) {
        value = context_.NoSuchOverload();
      } else {
        const NodeId branch = condition.as_bool() ? attribute.if_true : attribute.if_false;
        const Node& node = plan_.nodes[branch];
        // A branch that is an attribute does not pay for its variable (18.2).
        value = node.op == Op::kAttribute ? EvalAttribute(plan_.attributes[node.a], false)
                                          : Eval(branch);
      }
      break;
    }
  }
  return !value.is_error();
}

bool Evaluator::QualifierKey(const Qualifier& qualifier, Value& key) {
  if (qualifier.node == 0) {
    key = qualifier.key;
  } else {
    const Node& node = plan_.nodes[qualifier.node];
    key = qualifier.attribute_key ? EvalAttribute(plan_.attributes[node.a], false)
                                  : Eval(qualifier.node);
    if (key.is_error()) return false;
  }
  switch (key.tag()) {
    case Tag::kString:
    case Tag::kInt:
    case Tag::kUint:
    case Tag::kBool:
    case Tag::kDouble:
      return true;
    default:
      key = context_.Error("invalid qualifier type: " + std::string(GoTypeName(key)));
      return false;
  }
}

// Is asking for a member of this value an error, as the conformance environment has it?
bool Evaluator::BadPresence(const Value& value) const {
  return plan_.env->options.bad_presence_errors && !value.is_map() && !value.is_list() &&
         value.tag() != Tag::kHost;
}

bool Evaluator::Qualifiers(const Attribute& attribute, std::size_t count, Value& value,
                           bool& optional) {
  const Qualifier* qualifiers = plan_.qualifiers.data() + attribute.first;
  for (std::size_t i = 0; i < count; ++i) {
    const Qualifier& qualifier = qualifiers[i];
    if (value.tag() == Tag::kOptional) {
      if (!value.has_value()) {
        value = Value::OptionalNone();
        return false;
      }
      value = value.held();
      optional = true;
    }
    if (qualifier.constant_string && value.is_map()) [[likely]] {
      const Value* found = value.FindHashed(qualifier.key.as_string(), qualifier.hash);
      if (found != nullptr) {
        Charge(1);
        value = *found;
        optional = optional || qualifier.optional;
        continue;
      }
    }
    Value key;
    if (!QualifierKey(qualifier, key)) {
      Charge(1);
      value = key;
      return false;
    }
    const Value object = value;
    if ((qualifier.optional || optional) && object.tag() == Tag::kHost && key.is_string() &&
        HostTypeOf(object).has != nullptr && !HostTypeOf(object).has(object, key.as_string())) {
      value = Value::OptionalNone();
      return false;
    }
    switch (Qualify(context_, object, key, value)) {
      case Lookup::kFound:
        Charge(1);
        break;
      case Lookup::kError:
        if (!qualifier.optional && !optional) Charge(1);
        return false;
      case Lookup::kAbsent:
        if ((qualifier.optional || optional) && !BadPresence(object)) {
          value = Value::OptionalNone();
          return false;
        }
        Charge(1);
        value = AbsentError(context_, object, key);
        return false;
    }
    optional = optional || qualifier.optional;
  }
  return true;
}

Value Evaluator::EvalAttribute(const Attribute& attribute, bool charge_base) {
  Value value;
  if (!Base(attribute, charge_base, value)) return value;
  if (attribute.count == 0) return value;
  bool optional = false;
  if (!Qualifiers(attribute, attribute.count, value, optional)) return value;
  if (!optional) return value;
  return context_.OptionalOf(value);
}

Value Evaluator::EvalPresence(const Attribute& attribute) {
  Value value;
  if (!Base(attribute, false, value)) return value;
  bool optional = false;
  if (!Qualifiers(attribute, attribute.count - 1, value, optional)) {
    if (value.is_error()) return value;
    return Value::Bool(false);
  }
  if (value.tag() == Tag::kOptional) {
    if (!value.has_value()) return Value::Bool(false);
    value = value.held();
    optional = true;
  }
  const Qualifier& last = plan_.qualifiers[attribute.first + attribute.count - 1];
  if (value.tag() == Tag::kHost && HostTypeOf(value).has != nullptr) {
    Charge(1);
    return Value::Bool(HostTypeOf(value).has(value, last.key.as_string()));
  }
  Value found;
  const Lookup outcome = Qualify(context_, value, last.key, found);
  if (outcome != Lookup::kAbsent || !optional) Charge(1);
  switch (outcome) {
    case Lookup::kFound:
      // An entry that holds an optional is present; behind an optional receiver its value decides.
      return Value::Bool(!optional || found.tag() != Tag::kOptional || found.has_value());
    case Lookup::kError:
      return found;
    case Lookup::kAbsent:
      break;
  }
  if (!optional && BadPresence(value)) return AbsentError(context_, value, last.key);
  return Value::Bool(false);
}

}  // namespace portcullis::cel
