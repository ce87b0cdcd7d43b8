#ifndef PORTCULLIS_PATCH_LIST_KEYS_H_
#define PORTCULLIS_PATCH_LIST_KEYS_H_

// Identity of the items of associative lists: the values of the key fields, or the value itself
// (spec/kubernetes-admission.md 3.4). Two items are the same when their keys are equal.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "doc/value.h"
#include "patch/merge_types.h"

namespace portcullis::patch {

struct ItemKey {
  // Sorted by name; one field without a name for items of sets.
  std::vector<std::pair<std::string_view, doc::Value>> fields;

  friend bool operator==(const ItemKey& a, const ItemKey& b);
  // `[name="app"]`, `[=1]`: how error paths name the item.
  std::string ToString() const;
  std::uint32_t Hash() const;
};

// Finds items by key in constant time.
class KeyIndex {
 public:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // Adds the key of the next item. False if an item with this key is there already.
  bool Add(ItemKey key);
  std::size_t Find(const ItemKey& key) const;  // the first item with this key, or kNone
  bool Repeated(std::size_t item) const { return repeated_[item]; }  // of a first item
  const ItemKey& key(std::size_t item) const { return keys_[item]; }
  std::size_t size() const { return keys_.size(); }

 private:
  std::vector<ItemKey> keys_;
  std::vector<bool> repeated_;
  std::unordered_multimap<std::uint32_t, std::size_t> first_;  // hash -> first item of each key
};

// The key of an item of a set or map list. False, with the API server's reason, when it has none.
// Defaults of key fields live in `arena`.
bool KeyOfItem(const Atom& list, const doc::Value& item, ItemKey& key, std::string& why,
               base::Arena& arena);

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_LIST_KEYS_H_
