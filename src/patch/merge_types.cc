#include "patch/merge_types.h"

namespace portcullis::patch {
namespace {

using schema::NodeKind;
using schema::Schema;

constexpr TypeRef kDeducedRef{TypeRef::Kind::kDeduced, nullptr};
constexpr TypeRef kUntypedRef{TypeRef::Kind::kUntyped, nullptr};

Atom Anything(bool atomic) {
  Atom atom;
  atom.scalar = ScalarKind::kUntyped;
  atom.is_list = true;
  atom.is_map = true;
  atom.atomic_map = atomic;
  atom.list_element = kUntypedRef;
  atom.map_element = atomic ? kUntypedRef : kDeducedRef;
  return atom;
}

ListRelation RelationOf(const Schema& node) {
  if (node.list_type == schema::ListType::kSet) return ListRelation::kSet;
  if (node.list_type == schema::ListType::kMap) return ListRelation::kMap;
  return ListRelation::kAtomic;
}

// Fields that are not declared: refused, unless the object keeps them or declares none at all.
TypeRef ElementOf(const Schema& node) {
  if (node.element != nullptr) return TypeRef::Of(node.element);
  if (node.kind == NodeKind::kMap || node.fields().empty() || node.has(Schema::kPreserveUnknown)) {
    return kDeducedRef;
  }
  return {};
}

Atom MapAtom(const Schema& node) {
  Atom atom;
  atom.is_map = true;
  atom.atomic_map = node.has(Schema::kAtomicMap);
  atom.map_element = ElementOf(node);
  atom.node = &node;
  return atom;
}

Atom ScalarAtom(ScalarKind kind) {
  Atom atom;
  atom.scalar = kind;
  return atom;
}

Atom NodeAtom(const Schema& node) {
  switch (node.kind) {
    case NodeKind::kObject:
    case NodeKind::kMap:
      return MapAtom(node);
    case NodeKind::kList: {
      Atom atom;
      atom.is_list = true;
      atom.list = RelationOf(node);
      atom.list_element = TypeRef::Of(node.element);
      atom.node = &node;
      return atom;
    }
    case NodeKind::kBoolean:
      return ScalarAtom(ScalarKind::kBoolean);
    case NodeKind::kInteger:
    case NodeKind::kNumber:
      return ScalarAtom(ScalarKind::kNumeric);
    case NodeKind::kString:
    case NodeKind::kDuration:
      // A string with a format other than "byte" may be any scalar.
      return ScalarAtom(node.format.empty() || node.format == "byte" ? ScalarKind::kString
                                                                     : ScalarKind::kUntyped);
    case NodeKind::kBytes:
      return ScalarAtom(ScalarKind::kString);
    case NodeKind::kTime:
    case NodeKind::kMicroTime:
      return ScalarAtom(ScalarKind::kUntyped);
    case NodeKind::kRaw:
      // RawExtension and FieldsV1 are free-form objects; apiextensions JSON is anything.
      if (node.type_name.ends_with("RawExtension") || node.type_name.ends_with("FieldsV1")) {
        Atom atom = Anything(false);
        atom.scalar = ScalarKind::kNone;
        atom.is_list = false;
        return atom;
      }
      return Anything(false);
    case NodeKind::kAny:
    case NodeKind::kIntOrString:
    case NodeKind::kQuantity:
    case NodeKind::kSchemaOr:
      break;
  }
  return node.fields().empty() ? Anything(false) : MapAtom(node);
}

}  // namespace

Atom Resolve(const TypeRef& ref) {
  if (ref.kind == TypeRef::Kind::kSchema) return NodeAtom(*ref.node);
  return Anything(ref.kind == TypeRef::Kind::kUntyped);
}

Atom Deduce(const Atom& atom, const doc::Value& value) {
  Atom out = atom;
  switch (value.tag()) {
    case doc::Tag::kInt:
    case doc::Tag::kDouble:
    case doc::Tag::kString:
    case doc::Tag::kBool:
      if (atom.scalar == ScalarKind::kNone) return atom;
      out.is_list = out.is_map = false;
      return out;
    case doc::Tag::kList:
      if (!atom.is_list) return atom;
      out.is_map = false;
      out.scalar = ScalarKind::kNone;
      return out;
    case doc::Tag::kMap:
      if (!atom.is_map) return atom;
      out.is_list = false;
      out.scalar = ScalarKind::kNone;
      return out;
    default:
      return atom;
  }
}

}  // namespace portcullis::patch
