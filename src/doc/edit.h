#ifndef PORTCULLIS_DOC_EDIT_H_
#define PORTCULLIS_DOC_EDIT_H_

// Building and changing documents. Values are immutable: every edit returns a new value that
// shares all untouched subtrees with the old one, so both must stay alive as long as the result.
// Copies cost O(width of the containers along the path). Not thread-safe per arena or builder.

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/path.h"
#include "doc/value.h"

namespace portcullis::doc {

// Collects entries in insertion order; setting a key again keeps its place. Keys and values are
// not copied: they must live in the arena given to Build or longer.
class MapBuilder {
 public:
  MapBuilder() = default;
  explicit MapBuilder(const Value& map);  // starts with the entries of a map

  void Set(const Value& key, const Value& value);
  void Set(std::string_view key, const Value& value) { Set(Value::String(key), value); }
  // Appends a key that is known to be new, without looking for it.
  void AddNew(const Value& key, std::uint32_t hash, const Value& value);
  bool Remove(std::string_view key);
  // The entry of `key` for changing its value, or null. Invalidated by Set and Remove.
  Value* Find(std::string_view key);

  std::size_t size() const { return entries_.size(); }
  std::span<const MapEntry> entries() const { return entries_; }
  void Clear();
  Value Build(base::Arena& arena) const;

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::uint32_t IndexOf(const Value& key, std::uint32_t hash) const;
  void Rehash();

  std::vector<MapEntry> entries_;
  std::vector<std::uint32_t> hashes_;
  std::vector<std::uint32_t> index_;  // entry number + 1; empty while the map is small
};

class ListBuilder {
 public:
  ListBuilder() = default;
  explicit ListBuilder(const Value& list);

  void Add(const Value& value) { items_.push_back(value); }
  void Insert(std::size_t at, const Value& value) {
    items_.insert(items_.begin() + static_cast<std::ptrdiff_t>(at), value);
  }
  void Remove(std::size_t at) { items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at)); }
  std::vector<Value>& items() { return items_; }
  std::size_t size() const { return items_.size(); }
  Value Build(base::Arena& arena) const { return MakeList(arena, items_); }

 private:
  std::vector<Value> items_;
};

// ---- one container --------------------------------------------------------------------------

// `map` with `key` set to `value` (in place if present, else last). The key is copied into the
// arena when it is new.
Value WithEntry(base::Arena& arena, const Value& map, std::string_view key, const Value& value);
Value WithoutEntry(base::Arena& arena, const Value& map, std::string_view key);
// `list` with item `at` replaced, removed, or a new item before `at` (at <= size).
Value WithItem(base::Arena& arena, const Value& list, std::size_t at, const Value& value);
Value WithoutItem(base::Arena& arena, const Value& list, std::size_t at);
Value WithInserted(base::Arena& arena, const Value& list, std::size_t at, const Value& value);

// ---- at a path ------------------------------------------------------------------------------
// Errors (kNotFound, kInvalid) name the step that leads nowhere. The empty path is the root.

struct SetOptions {
  bool create_parents = false;  // missing map members on the way become maps
};

// Replaces or adds a map member; replaces a list item, or appends when the index is the size.
base::Result<Value> SetAt(base::Arena& arena, const Value& root, PathView path, const Value& value,
                          const SetOptions& options = {});
// Removes a map member or a list item; the target must exist.
base::Result<Value> RemoveAt(base::Arena& arena, const Value& root, PathView path);
// Inserts before a list item (the last step is an index <= size).
base::Result<Value> InsertAt(base::Arena& arena, const Value& root, PathView path,
                             const Value& value);

// A deep copy of a document whose strings and containers all live in `arena`.
Value DeepCopy(base::Arena& arena, const Value& value);

}  // namespace portcullis::doc

#endif  // PORTCULLIS_DOC_EDIT_H_
