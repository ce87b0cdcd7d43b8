#ifndef PORTCULLIS_PATCH_OVERLAY_H_
#define PORTCULLIS_PATCH_OVERLAY_H_

// A document under change: many small edits, one immutable result. Only what edits touch is copied,
// once, whatever their number: a patch of n operations on a container of m members costs O(n + m)
// for maps, where building a new container per operation would cost O(n * m).
//
// Places are Refs; a Ref stays valid until the overlay is destroyed. Keys are borrowed. The results
// live in the arena and share untouched parts with the original. Not thread-safe.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::patch {

class Overlay {
 public:
  using Ref = std::uint32_t;
  static constexpr Ref kNone = ~Ref{0};

  Overlay(base::Arena& arena, const doc::Value& root) : arena_(arena), root_(New(root)) {}

  Ref root() const { return root_; }
  void SetRoot(Ref ref) { root_ = ref; }
  // A place that is not part of the document yet.
  Ref New(const doc::Value& value);

  bool IsMap(Ref ref) const { return slots_[ref].value.is_map(); }
  bool IsList(Ref ref) const { return slots_[ref].value.is_list(); }
  bool IsNull(Ref ref) const { return slots_[ref].value.is_null(); }

  // Of a map. Find: kNone when absent. Erase: the key must be there.
  Ref Find(Ref map, std::string_view key);
  void Set(Ref map, std::string_view key, Ref child);
  void Erase(Ref map, std::string_view key);

  // Of a list; `index` must be in range.
  std::size_t Size(Ref list);
  Ref Item(Ref list, std::size_t index);
  void SetItem(Ref list, std::size_t index, Ref child);
  void Insert(Ref list, std::size_t index, Ref child);
  void EraseItem(Ref list, std::size_t index);

  // Equality with a document (doc::DataEqual).
  bool Equals(Ref ref, const doc::Value& value) const;
  // See patch::JsonSize.
  std::size_t JsonSize(Ref ref, std::size_t limit) const;
  // The document at `ref`; false when changed parts are nested deeper than `depth`.
  bool Freeze(Ref ref, std::size_t depth, doc::Value& out) const;

 private:
  struct Slot {
    doc::Value value;  // as it was first; only the kind of it counts once there are changes
    std::uint32_t open = kNone;  // of maps_ or lists_
  };
  // Members that were looked at or changed; kNone: removed.
  struct OpenMap {
    std::unordered_map<std::string_view, Ref> members;
    std::vector<std::string_view> added;  // keys that the original does not have, in order
    std::size_t size = 0;
    bool changed = false;
  };
  struct OpenList {
    std::vector<Ref> items;
    bool changed = false;
  };

  OpenMap& Map(Ref ref);
  OpenList& List(Ref ref);
  template <typename Visit>
  bool EachMember(const Slot& slot, const OpenMap& map, Visit&& visit) const;

  base::Arena& arena_;
  std::vector<Slot> slots_;
  std::vector<OpenMap> maps_;
  std::vector<OpenList> lists_;
  Ref root_;
};

}  // namespace portcullis::patch

#endif  // PORTCULLIS_PATCH_OVERLAY_H_
