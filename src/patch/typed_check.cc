#include "patch/typed_check.h"

#include "patch/go_value_text.h"
#include "patch/list_keys.h"

namespace portcullis::patch {
namespace {

class Checker {
 public:
  Checker(base::Arena& arena, const TypedCheckOptions& options)
      : arena_(arena), options_(options) {}

  void Check(const TypeRef& type, const doc::Value& value, int depth) {
    if (depth > kMaxTypedDepth) return Add("exceeded max depth");
    const Atom atom = Deduce(Resolve(type), value);
    if (value.is_null() && options_.null_is_absent) return;
    if (atom.is_map) return CheckMap(atom, value, depth);
    if (atom.scalar != ScalarKind::kNone) return CheckScalar(atom.scalar, value);
    CheckList(atom, value, depth);
  }

  std::string Text() const {
    if (errors_.empty()) return {};
    if (errors_.size() == 1) return errors_.front();
    std::string out = "errors:";
    for (const std::string& error : errors_) out += "\n  " + error;
    return out;
  }

 private:
  void Add(std::string_view reason) {
    errors_.push_back(path_.empty() ? std::string(reason) : path_ + ": " + std::string(reason));
  }
  void Mismatch(std::string_view expected, const std::string& got) {
    Add("expected " + std::string(expected) + ", got " + got);
  }
  // Go's %v of the value's wrapper.
  static std::string Wrapped(const doc::Value& value) { return "&{" + GoPlainText(value) + "}"; }

  void CheckScalar(ScalarKind kind, const doc::Value& value) {
    const doc::Tag tag = value.tag();
    const bool number = tag == doc::Tag::kInt || tag == doc::Tag::kDouble;
    switch (kind) {
      case ScalarKind::kNumeric:
        if (!number) Mismatch("numeric (int or float)", GoTypeName(value));
        break;
      case ScalarKind::kString:
        if (tag != doc::Tag::kString) {
          Mismatch("string", "&value.valueUnstructured{Value:" + GoSyntaxText(value) + "}");
        }
        break;
      case ScalarKind::kBoolean:
        if (tag != doc::Tag::kBool) Mismatch("boolean", Wrapped(value));
        break;
      default:
        if (!number && tag != doc::Tag::kString && tag != doc::Tag::kBool) {
          Mismatch("any scalar", Wrapped(value));
        }
        break;
    }
  }

  void CheckMap(const Atom& atom, const doc::Value& value, int depth) {
    if (!value.is_map()) return Mismatch("map", Wrapped(value));
    // An undeclared field ends the check of its object. The server meets keys in no fixed order;
    // here what stands before the field in alphabetical order is still looked at.
    const doc::MapEntry* undeclared = nullptr;
    for (const doc::MapEntry& entry : value.as_map()) {
      if (TypeOf(atom, entry).kind == TypeRef::Kind::kNothing &&
          (undeclared == nullptr || entry.key.as_string() < undeclared->key.as_string())) {
        undeclared = &entry;
      }
    }
    for (const doc::MapEntry& entry : value.as_map()) {
      const std::string_view name = entry.key.as_string();
      if (undeclared != nullptr && name >= undeclared->key.as_string()) continue;
      const std::size_t mark = path_.size();
      path_ += '.';
      path_ += name;
      Check(TypeOf(atom, entry), entry.value, depth + 1);
      path_.resize(mark);
    }
    if (undeclared == nullptr) return;
    const std::size_t mark = path_.size();
    path_ += '.';
    path_ += undeclared->key.as_string();
    Add("field not declared in schema");
    path_.resize(mark);
  }

  static TypeRef TypeOf(const Atom& atom, const doc::MapEntry& entry) {
    const schema::Field* field = atom.FindField(entry.key.as_string());
    return field != nullptr ? TypeRef::Of(field->schema) : atom.map_element;
  }

  void CheckList(const Atom& atom, const doc::Value& value, int depth) {
    if (!value.is_list()) return Mismatch("list", Wrapped(value));
    KeyIndex seen;
    std::size_t index = 0;
    for (const doc::Value& item : value.as_list()) {
      std::string step = "[" + std::to_string(index) + "]";
      if (atom.list != ListRelation::kAtomic) {
        ItemKey key;
        std::string why;
        if (!KeyOfItem(atom, item, key, why, arena_)) {
          return Add("element " + std::to_string(index) + ": " + why);
        }
        step = key.ToString();
        if (!options_.allow_duplicates && !seen.Add(std::move(key))) {
          Add("duplicate entries for key " + step);
        }
      }
      const std::size_t mark = path_.size();
      path_ += step;
      Check(atom.list_element, item, depth + 1);
      path_.resize(mark);
      ++index;
    }
  }

  base::Arena& arena_;
  TypedCheckOptions options_;
  std::string path_;
  std::vector<std::string> errors_;
};

class AtomicFinder {
 public:
  void Visit(const TypeRef& type, const doc::Value& value) {
    if (type.kind == TypeRef::Kind::kNothing) return;
    const Atom atom = Resolve(type);
    if (value.is_map() && atom.is_map) {
      if (atom.atomic_map) found.push_back(path_);
      for (const doc::MapEntry& entry : value.as_map()) {
        // Keys of maps without declared fields hold no further types worth a look, as in the API
        // server.
        const schema::Field* field = atom.FindField(entry.key.as_string());
        if (field == nullptr) continue;
        Step("." + std::string(entry.key.as_string()), TypeRef::Of(field->schema), entry.value);
      }
    }
    if (value.is_list() && atom.is_list) {
      if (atom.list == ListRelation::kAtomic) found.push_back(path_);
      std::size_t index = 0;
      for (const doc::Value& item : value.as_list()) {
        Step("[" + std::to_string(index++) + "]", atom.list_element, item);
      }
    }
  }

  std::vector<std::string> found;

 private:
  void Step(const std::string& step, const TypeRef& type, const doc::Value& value) {
    const std::size_t mark = path_.size();
    path_ += step;
    Visit(type, value);
    path_.resize(mark);
  }

  std::string path_;
};

}  // namespace

std::string CheckTyped(base::Arena& arena, const TypeRef& type, const doc::Value& value,
                       const TypedCheckOptions& options) {
  Checker checker(arena, options);
  checker.Check(type, value, 0);
  return checker.Text();
}

std::vector<std::string> FindAtomics(const TypeRef& type, const doc::Value& value) {
  AtomicFinder finder;
  finder.Visit(type, value);
  return std::move(finder.found);
}

}  // namespace portcullis::patch
