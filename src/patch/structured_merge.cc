#include "patch/structured_merge.h"

#include <algorithm>
#include <vector>

#include "doc/edit.h"
#include "patch/list_keys.h"
#include "patch/typed_check.h"

namespace portcullis::patch {
namespace {

constexpr std::size_t kNone = KeyIndex::kNone;

// The items of one side of an associative list.
struct Side {
  std::span<const doc::Value> items;
  KeyIndex keys;
};

bool HasEmptyList(const doc::Value& value) {
  if (value.is_list()) {
    const auto items = value.as_list();
    return items.empty() || std::any_of(items.begin(), items.end(), HasEmptyList);
  }
  if (!value.is_map()) return false;
  const auto entries = value.as_map();
  return std::any_of(entries.begin(), entries.end(),
                     [](const doc::MapEntry& entry) { return HasEmptyList(entry.value); });
}

class Merger {
 public:
  Merger(base::Arena& arena, const MergeOptions& options) : arena_(arena), options_(options) {}

  // Both values are checked documents of `type`.
  doc::Value Merge(const TypeRef& type, const doc::Value& live, const doc::Value& patch) {
    if (live.is_map() && patch.is_map()) return MergeMaps(Resolve(type), live, patch);
    if (live.is_list() && patch.is_list()) return MergeLists(Resolve(type), live, patch);
    return Taken(patch);
  }

 private:
  // What is taken from the patch as it is. Go parity: a list without items is a nil slice there,
  // which is written as null.
  doc::Value Taken(const doc::Value& value) {
    if (options_.keep_empty_lists || !HasEmptyList(value)) return value;
    if (value.is_list()) {
      if (value.size() == 0) return doc::Value::Null();
      doc::ListBuilder out(value);
      for (doc::Value& item : out.items()) item = Taken(item);
      return out.Build(arena_);
    }
    doc::MapBuilder out(value);
    for (const doc::MapEntry& entry : value.as_map()) out.Set(entry.key, Taken(entry.value));
    return out.Build(arena_);
  }

  doc::Value MergeMaps(const Atom& atom, const doc::Value& live, const doc::Value& patch) {
    if (atom.atomic_map || patch.size() == 0) return atom.atomic_map ? Taken(patch) : live;
    doc::MapBuilder out(live);
    for (const doc::MapEntry& entry : patch.as_map()) {
      const std::string_view name = entry.key.as_string();
      const schema::Field* field = atom.FindField(name);
      const TypeRef type = field != nullptr ? TypeRef::Of(field->schema) : atom.map_element;
      const doc::Value* held = live.Find(name);
      out.Set(entry.key, held != nullptr && type.kind != TypeRef::Kind::kNothing
                             ? Merge(type, *held, entry.value)
                             : Taken(entry.value));
    }
    return out.Build(arena_);
  }

  doc::Value MergeLists(const Atom& atom, const doc::Value& live, const doc::Value& patch) {
    if (atom.list == ListRelation::kAtomic) return Taken(patch);
    if (patch.size() == 0) return live.size() == 0 ? Taken(patch) : live;
    const Side left = SideOf(atom, live);
    const Side right = SideOf(atom, patch);
    return Zip(atom, left, right);
  }

  Side SideOf(const Atom& atom, const doc::Value& list) {
    Side side{list.as_list(), {}};
    std::string ignored;
    for (const doc::Value& item : side.items) {
      ItemKey key;
      KeyOfItem(atom, item, key, ignored, arena_);
      side.keys.Add(std::move(key));
    }
    return side;
  }

  // Items of the patch keep their order, and items that only the live list has keep their place
  // between the shared ones.
  doc::Value Zip(const Atom& atom, const Side& left, const Side& right) {
    std::vector<std::size_t> in_right(left.items.size());
    for (std::size_t i = 0; i < in_right.size(); ++i)
      in_right[i] = right.keys.Find(left.keys.key(i));
    std::vector<std::size_t> shared;  // items of the patch that the live list has, in patch order
    for (std::size_t i = 0; i < right.items.size(); ++i) {
      if (left.keys.Find(right.keys.key(i)) != kNone) shared.push_back(i);
    }
    std::vector<bool> merged(right.items.size(), false);
    std::size_t next = 0;  // of `shared`
    std::vector<doc::Value> out;
    std::size_t l = 0;
    std::size_t r = 0;
    while (l < left.items.size() || r < right.items.size()) {
      if (l < left.items.size() && r < right.items.size()) {
        if (in_right[l] == r) {
          out.push_back(MergeItem(atom, left, right, r));
          merged[r] = true;
          ++l;
          ++r;
          if (next < shared.size()) ++next;
          continue;
        }
        if (in_right[l] != kNone && next < shared.size() && in_right[l] != shared[next]) {
          ++l;  // shared, but its turn comes later
          continue;
        }
      }
      if (l < left.items.size()) {
        if (in_right[l] == kNone) {
          out.push_back(left.items[l++]);
          continue;
        }
        if (merged[in_right[l]]) ++l;
      }
      if (r < right.items.size()) {
        out.push_back(MergeItem(atom, left, right, r));
        merged[r] = true;
        if (next < shared.size() && shared[next] == r) ++next;
        ++r;
      }
    }
    return doc::MakeList(arena_, out);
  }

  doc::Value MergeItem(const Atom& atom, const Side& left, const Side& right, std::size_t r) {
    const std::size_t l = left.keys.Find(right.keys.key(r));
    // Live items that share a key are not merged: the patch's item replaces them.
    if (l == kNone || left.keys.Repeated(l)) return Taken(right.items[r]);
    return Merge(atom.list_element, left.items[l], right.items[r]);
  }

  base::Arena& arena_;
  const MergeOptions& options_;
};

}  // namespace

MergeResult ApplyConfiguration(base::Arena& arena, const schema::Schema& schema,
                               const doc::Value& live, const doc::Value& patch,
                               const MergeOptions& options) {
  MergeResult result;
  const TypeRef root = TypeRef::Of(&schema);
  std::string error =
      CheckTyped(arena, root, patch, {.allow_duplicates = false, .null_is_absent = false});
  if (!error.empty()) {
    result.error = "failed to convert patch object to typed object: " + error;
    return result;
  }
  std::vector<std::string> atomics;
  if (!options.replace_atomics) atomics = FindAtomics(root, patch);
  if (!atomics.empty()) {
    result.error = "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ";
    for (const std::string& path : atomics) {
      if (&path != &atomics.front()) result.error += ", ";
      result.error += path;
    }
    return result;
  }
  error = CheckTyped(arena, root, live, {.allow_duplicates = true, .null_is_absent = true});
  if (!error.empty()) {
    result.error = "failed to convert original object to typed object: " + error;
    return result;
  }
  result.value = Merger(arena, options).Merge(root, live, patch);
  return result;
}

}  // namespace portcullis::patch
