#include "patch/overlay.h"

#include <cstring>

#include "doc/equal.h"
#include "patch/measure.h"

namespace portcullis::patch {
namespace {

bool SameHandle(const doc::Value& a, const doc::Value& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

Overlay::Ref Overlay::New(const doc::Value& value) {
  slots_.push_back({value, kNone});
  return static_cast<Ref>(slots_.size() - 1);
}

Overlay::OpenMap& Overlay::Map(Ref ref) {
  Slot& slot = slots_[ref];
  if (slot.open == kNone) {
    slot.open = static_cast<std::uint32_t>(maps_.size());
    maps_.emplace_back().size = slot.value.size();
  }
  return maps_[slot.open];
}

Overlay::OpenList& Overlay::List(Ref ref) {
  if (slots_[ref].open == kNone) {
    slots_[ref].open = static_cast<std::uint32_t>(lists_.size());
    std::vector<Ref> items;
    const auto values = slots_[ref].value.as_list();
    items.reserve(values.size());
    for (const doc::Value& value : values) items.push_back(New(value));
    lists_.emplace_back().items = std::move(items);
  }
  return lists_[slots_[ref].open];
}

Overlay::Ref Overlay::Find(Ref map, std::string_view key) {
  OpenMap& open = Map(map);
  const auto known = open.members.find(key);
  if (known != open.members.end()) return known->second;
  const doc::Value original = slots_[map].value;
  const doc::Value* value = original.Find(key);
  if (value == nullptr) return kNone;
  const Ref child = New(*value);
  open.members.emplace(key, child);
  return child;
}

void Overlay::Set(Ref map, std::string_view key, Ref child) {
  OpenMap& open = Map(map);
  const bool original = slots_[map].value.Find(key) != nullptr;
  const auto [member, fresh] = open.members.try_emplace(key, child);
  const bool present = fresh ? original : member->second != kNone;
  if (!present) ++open.size;
  if (fresh && !original) open.added.push_back(key);
  member->second = child;
  open.changed = true;
}

void Overlay::Erase(Ref map, std::string_view key) {
  OpenMap& open = Map(map);
  open.members.insert_or_assign(key, kNone);
  --open.size;
  open.changed = true;
}

std::size_t Overlay::Size(Ref list) { return List(list).items.size(); }

Overlay::Ref Overlay::Item(Ref list, std::size_t index) { return List(list).items[index]; }

void Overlay::SetItem(Ref list, std::size_t index, Ref child) {
  OpenList& open = List(list);
  open.items[index] = child;
  open.changed = true;
}

void Overlay::Insert(Ref list, std::size_t index, Ref child) {
  OpenList& open = List(list);
  open.items.insert(open.items.begin() + static_cast<std::ptrdiff_t>(index), child);
  open.changed = true;
}

void Overlay::EraseItem(Ref list, std::size_t index) {
  OpenList& open = List(list);
  open.items.erase(open.items.begin() + static_cast<std::ptrdiff_t>(index));
  open.changed = true;
}

// Calls visit(key, value, child) for each member in order, where child is kNone for one that was
// never looked at. Stops at false.
template <typename Visit>
bool Overlay::EachMember(const Slot& slot, const OpenMap& map, Visit&& visit) const {
  for (const doc::MapEntry& entry : slot.value.as_map()) {
    const auto member = map.members.find(entry.key.as_string());
    const bool touched = member != map.members.end();
    if (touched && member->second == kNone) continue;
    if (!visit(entry.key, entry.value, touched ? member->second : kNone)) return false;
  }
  for (const std::string_view key : map.added) {
    const Ref child = map.members.find(key)->second;
    if (child == kNone) continue;
    if (!visit(doc::Value::String(key), doc::Value::Null(), child)) return false;
  }
  return true;
}

bool Overlay::Equals(Ref ref, const doc::Value& value) const {
  const Slot& slot = slots_[ref];
  if (slot.open == kNone) return doc::DataEqual(slot.value, value);
  if (slot.value.is_list()) {
    const OpenList& list = lists_[slot.open];
    if (!value.is_list() || value.size() != list.items.size()) return false;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      if (!Equals(list.items[i], value.as_list()[i])) return false;
    }
    return true;
  }
  const OpenMap& map = maps_[slot.open];
  if (!value.is_map() || value.size() != map.size) return false;
  return EachMember(slot, map, [&](const doc::Value& key, const doc::Value& held, Ref child) {
    const doc::Value* other = value.FindKey(key);
    return other != nullptr &&
           (child == kNone ? doc::DataEqual(held, *other) : Equals(child, *other));
  });
}

std::size_t Overlay::JsonSize(Ref ref, std::size_t limit) const {
  const Slot& slot = slots_[ref];
  if (slot.open == kNone) return patch::JsonSize(slot.value, limit);
  std::size_t size = 1;
  const auto add = [&](std::size_t bytes) {
    size += bytes + 1;  // and a comma or the closing bracket
    return size <= limit;
  };
  if (slot.value.is_list()) {
    const OpenList& list = lists_[slot.open];
    if (list.items.empty()) return 2;
    for (const Ref item : list.items) {
      if (!add(JsonSize(item, limit - size))) return size;
    }
    return size;
  }
  const OpenMap& map = maps_[slot.open];
  if (map.size == 0) return 2;
  EachMember(slot, map, [&](const doc::Value& key, const doc::Value& held, Ref child) {
    const std::size_t name = patch::JsonSize(key, limit) + 1;
    if (size + name > limit) {
      size += name;
      return false;
    }
    const std::size_t rest = limit - size - name;
    return add(name + (child == kNone ? patch::JsonSize(held, rest) : JsonSize(child, rest)));
  });
  return size;
}

bool Overlay::Freeze(Ref ref, std::size_t depth, doc::Value& out) const {
  const Slot& slot = slots_[ref];
  out = slot.value;
  if (slot.open == kNone) return true;
  if (depth == 0) return false;
  if (slot.value.is_list()) {
    const OpenList& list = lists_[slot.open];
    bool changed = list.changed;
    std::vector<doc::Value> items(list.items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!Freeze(list.items[i], depth - 1, items[i])) return false;
      changed = changed || !SameHandle(items[i], slot.value.as_list()[i]);
    }
    if (changed) out = doc::MakeList(arena_, items);
    return true;
  }
  const OpenMap& map = maps_[slot.open];
  bool changed = map.changed;
  std::vector<doc::MapEntry> entries;
  entries.reserve(map.size);
  const bool done =
      EachMember(slot, map, [&](const doc::Value& key, const doc::Value& held, Ref child) {
        doc::Value member = held;
        if (child != kNone) {
          if (!Freeze(child, depth - 1, member)) return false;
          changed = changed || !SameHandle(member, held);
        }
        entries.push_back({key, member});
        return true;
      });
  if (done && changed) out = doc::MakeMap(arena_, entries);
  return done;
}

}  // namespace portcullis::patch
