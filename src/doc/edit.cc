#include "doc/edit.h"

#include <algorithm>
#include <bit>

namespace portcullis::doc {
namespace {

bool KeysEqual(const Value& a, const Value& b) {
  if (a.tag() != b.tag()) return false;
  if (a.is_string() || a.tag() == Tag::kBytes) return a.as_string() == b.as_string();
  return a.as_uint() == b.as_uint();
}

enum class Action { kSet, kRemove, kInsert };

base::Error NoPath(PathView path, std::size_t steps, base::ErrorCode code, std::string message) {
  return {code, std::move(message), RenderPath(path.first(steps))};
}

// The child of `parent` at a step, or null.
const Value* Child(const Value& parent, const PathStep& step) { return Lookup(parent, {&step, 1}); }

Value Replace(base::Arena& arena, const Value& parent, const PathStep& step, const Value& child) {
  return step.is_index() ? WithItem(arena, parent, static_cast<std::size_t>(step.index), child)
                         : WithEntry(arena, parent, step.key, child);
}

base::Result<Value> ApplyLast(base::Arena& arena, const Value& parent, PathView path, Action action,
                              const Value& value) {
  const PathStep& step = path.back();
  if (step.is_index()) {
    if (!parent.is_list()) {
      return NoPath(path, path.size(), base::ErrorCode::kInvalid, "the parent is not a list");
    }
    const auto at = static_cast<std::uint64_t>(step.index);
    const std::uint64_t limit = parent.size() + (action == Action::kRemove ? 0ULL : 1ULL);
    if (at >= limit) {
      return NoPath(path, path.size(), base::ErrorCode::kNotFound, "the list has no such item");
    }
    if (action == Action::kRemove) return WithoutItem(arena, parent, at);
    if (action == Action::kSet && at < parent.size()) return WithItem(arena, parent, at, value);
    return WithInserted(arena, parent, at, value);
  }
  if (!parent.is_map()) {
    return NoPath(path, path.size(), base::ErrorCode::kInvalid, "the parent is not a map");
  }
  switch (action) {
    case Action::kSet:
      return WithEntry(arena, parent, step.key, value);
    case Action::kRemove:
      if (parent.Find(step.key) == nullptr) {
        return NoPath(path, path.size(), base::ErrorCode::kNotFound, "the map has no such key");
      }
      return WithoutEntry(arena, parent, step.key);
    case Action::kInsert:
      break;
  }
  return NoPath(path, path.size(), base::ErrorCode::kInvalid, "only list items can be inserted");
}

base::Result<Value> Edit(base::Arena& arena, const Value& root, PathView path, Action action,
                         const Value& value, bool create_parents) {
  if (path.empty()) {
    if (action == Action::kSet) return value;
    return base::Error(base::ErrorCode::kInvalid, "the document itself cannot be removed");
  }
  std::vector<Value> parents{root};
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const Value* child = Child(parents.back(), path[i]);
    if (child == nullptr && create_parents && parents.back().is_map() && !path[i].is_index()) {
      parents.push_back(path[i + 1].is_index() ? Value::List({}) : Value::EmptyMap());
      continue;
    }
    if (child == nullptr) {
      return NoPath(path, i + 1, base::ErrorCode::kNotFound, "the path does not exist");
    }
    parents.push_back(*child);
  }
  PC_ASSIGN(Value changed, ApplyLast(arena, parents.back(), path, action, value));
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    changed = Replace(arena, parents[i], path[i], changed);
  }
  return changed;
}

}  // namespace

MapBuilder::MapBuilder(const Value& map) {
  const std::span<const MapEntry> entries = map.as_map();
  entries_.assign(entries.begin(), entries.end());
  const std::uint32_t* hashes = map.map_rep()->hashes();
  hashes_.assign(hashes, hashes + entries.size());
  if (entries_.size() > MapRep::kLinearMax) Rehash();
}

void MapBuilder::Rehash() {
  const std::size_t slots = std::bit_ceil(std::max<std::size_t>(entries_.size() * 4, 64));
  index_.assign(slots, 0);
  for (std::uint32_t i = 0; i < entries_.size(); ++i) {
    std::size_t slot = hashes_[i] & (slots - 1);
    while (index_[slot] != 0) slot = (slot + 1) & (slots - 1);
    index_[slot] = i + 1;
  }
}

std::uint32_t MapBuilder::IndexOf(const Value& key, std::uint32_t hash) const {
  if (index_.empty()) {
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      if (hashes_[i] == hash && KeysEqual(entries_[i].key, key)) return i;
    }
    return kNone;
  }
  const std::size_t mask = index_.size() - 1;
  for (std::size_t slot = hash & mask; index_[slot] != 0; slot = (slot + 1) & mask) {
    const std::uint32_t at = index_[slot] - 1;
    if (hashes_[at] == hash && KeysEqual(entries_[at].key, key)) return at;
  }
  return kNone;
}

void MapBuilder::Set(const Value& key, const Value& value) {
  const std::uint32_t hash = HashKey(key);
  const std::uint32_t at = IndexOf(key, hash);
  if (at != kNone) {
    entries_[at].value = value;
    return;
  }
  AddNew(key, hash, value);
}

void MapBuilder::AddNew(const Value& key, std::uint32_t hash, const Value& value) {
  entries_.push_back({key, value});
  hashes_.push_back(hash);
  if (index_.empty() ? entries_.size() > MapRep::kLinearMax : entries_.size() * 2 > index_.size()) {
    Rehash();
  } else if (!index_.empty()) {
    const std::size_t mask = index_.size() - 1;
    std::size_t slot = hash & mask;
    while (index_[slot] != 0) slot = (slot + 1) & mask;
    index_[slot] = static_cast<std::uint32_t>(entries_.size());
  }
}

bool MapBuilder::Remove(std::string_view key) {
  const std::uint32_t at = IndexOf(Value::String(key), base::HashBytes(key));
  if (at == kNone) return false;
  entries_.erase(entries_.begin() + at);
  hashes_.erase(hashes_.begin() + at);
  if (!index_.empty()) Rehash();
  return true;
}

Value* MapBuilder::Find(std::string_view key) {
  const std::uint32_t at = IndexOf(Value::String(key), base::HashBytes(key));
  return at == kNone ? nullptr : &entries_[at].value;
}

void MapBuilder::Clear() {
  entries_.clear();
  hashes_.clear();
  index_.clear();
}

Value MapBuilder::Build(base::Arena& arena) const {
  return MakeMapHashed(arena, entries_, hashes_);
}

ListBuilder::ListBuilder(const Value& list) {
  const std::span<const Value> items = list.as_list();
  items_.assign(items.begin(), items.end());
}

Value WithEntry(base::Arena& arena, const Value& map, std::string_view key, const Value& value) {
  MapBuilder builder(map);
  if (Value* found = builder.Find(key)) {
    *found = value;
  } else {
    builder.AddNew(MakeString(arena, key), base::HashBytes(key), value);
  }
  return builder.Build(arena);
}

Value WithoutEntry(base::Arena& arena, const Value& map, std::string_view key) {
  if (map.Find(key) == nullptr) return map;
  MapBuilder builder;
  const std::uint32_t* hashes = map.map_rep()->hashes();
  for (const MapEntry& entry : map.as_map()) {
    const std::uint32_t hash = *hashes++;
    if (!(entry.key.is_string() && entry.key.as_string() == key)) {
      builder.AddNew(entry.key, hash, entry.value);
    }
  }
  return builder.Build(arena);
}

Value WithItem(base::Arena& arena, const Value& list, std::size_t at, const Value& value) {
  ListBuilder builder(list);
  builder.items()[at] = value;
  return builder.Build(arena);
}

Value WithoutItem(base::Arena& arena, const Value& list, std::size_t at) {
  ListBuilder builder(list);
  builder.Remove(at);
  return builder.Build(arena);
}

Value WithInserted(base::Arena& arena, const Value& list, std::size_t at, const Value& value) {
  ListBuilder builder(list);
  builder.Insert(at, value);
  return builder.Build(arena);
}

base::Result<Value> SetAt(base::Arena& arena, const Value& root, PathView path, const Value& value,
                          const SetOptions& options) {
  return Edit(arena, root, path, Action::kSet, value, options.create_parents);
}

base::Result<Value> RemoveAt(base::Arena& arena, const Value& root, PathView path) {
  return Edit(arena, root, path, Action::kRemove, Value(), false);
}

base::Result<Value> InsertAt(base::Arena& arena, const Value& root, PathView path,
                             const Value& value) {
  return Edit(arena, root, path, Action::kInsert, value, false);
}

Value DeepCopy(base::Arena& arena, const Value& value) {
  // Containers are allocated first and filled later, so that no recursion is needed.
  struct Job {
    const Value* from;
    Value* to;
  };
  Value root;
  std::vector<Job> jobs{{&value, &root}};
  while (!jobs.empty()) {
    const Job job = jobs.back();
    jobs.pop_back();
    const Value& from = *job.from;
    switch (from.tag()) {
      case Tag::kString:
        *job.to = Value::String(arena.CopyString(from.as_string()), from.flags());
        break;
      case Tag::kBytes:
        *job.to = Value::Bytes(arena.CopyString(from.as_string()));
        break;
      case Tag::kList: {
        const std::span<const Value> items = from.as_list();
        Value* copy = arena.AllocateArray<Value>(items.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
          copy[i] = Value();
          jobs.push_back({&items[i], &copy[i]});
        }
        *job.to = Value::List({copy, items.size()}).WithFlags(from.flags());
        break;
      }
      case Tag::kMap: {
        const std::span<const MapEntry> entries = from.as_map();
        const Value copy =
            MakeMapHashed(arena, entries, {from.map_rep()->hashes(), entries.size()});
        // The map was made just now and nobody else sees it yet.
        auto* rep = const_cast<MapRep*>(copy.map_rep());
        for (std::uint32_t i = 0; i < copy.size(); ++i) {
          MapEntry& entry = rep->entries(copy.size())[i];
          jobs.push_back({&entries[i].key, &entry.key});
          jobs.push_back({&entries[i].value, &entry.value});
        }
        *job.to = copy;
        break;
      }
      default:
        *job.to = from;
        break;
    }
  }
  return root;
}

}  // namespace portcullis::doc
