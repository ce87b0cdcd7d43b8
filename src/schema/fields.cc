#include "schema/fields.h"

#include <span>

#include "base/hash.h"

namespace portcullis::schema {

void Workspace::Reset(base::Arena& target) {
  arena = &target;
  root = nullptr;
  is_pod = false;
  plugins = false;
  stored = false;
  now = {};
  rules = true;
  warnings = nullptr;
  path.clear();
  entries.clear();
  hashes.clear();
  items.clear();
}

Fields::Fields(Workspace& workspace, const doc::Value& map)
    : workspace_(workspace), base_(workspace.entries.size()) {
  if (!map.is_map()) return;
  const std::span<const doc::MapEntry> from = map.as_map();
  const std::uint32_t* hashes = map.size() == 0 ? nullptr : map.map_rep()->hashes();
  workspace_.entries.insert(workspace_.entries.end(), from.begin(), from.end());
  workspace_.hashes.insert(workspace_.hashes.end(), hashes, hashes + from.size());
}

std::size_t Fields::Find(std::string_view name) const {
  const std::uint32_t hash = base::HashBytes(name);
  for (std::size_t i = base_; i < workspace_.hashes.size(); ++i) {
    if (workspace_.hashes[i] == hash && workspace_.entries[i].key.is_string() &&
        workspace_.entries[i].key.as_string() == name) {
      return i;
    }
  }
  return kNone;
}

doc::Value Fields::Get(std::string_view name) const {
  const std::size_t at = Find(name);
  return at == kNone ? doc::Value::Null() : workspace_.entries[at].value;
}

std::string_view Fields::GetString(std::string_view name) const {
  const doc::Value value = Get(name);
  return value.is_string() ? value.as_string() : std::string_view{};
}

void Fields::Set(std::string_view name, const doc::Value& value) {
  changed_ = true;
  const std::size_t at = Find(name);
  if (at != kNone) {
    workspace_.entries[at].value = value;
    return;
  }
  Append(doc::Value::String(name), base::HashBytes(name), value);
}

void Fields::Remove(std::string_view name) {
  const std::size_t at = Find(name);
  if (at == kNone) return;
  changed_ = true;
  const auto offset = static_cast<std::ptrdiff_t>(at);
  workspace_.entries.erase(workspace_.entries.begin() + offset);
  workspace_.hashes.erase(workspace_.hashes.begin() + offset);
}

doc::Value Fields::Build() {
  const std::size_t n = workspace_.entries.size() - base_;
  built_ = true;
  if (n == 0) return doc::Value::EmptyMap();
  const doc::Value built = doc::MakeMapHashed(
      *workspace_.arena, std::span<const doc::MapEntry>(workspace_.entries.data() + base_, n),
      std::span<const std::uint32_t>(workspace_.hashes.data() + base_, n));
  Drop();
  return built;
}

void Fields::Drop() {
  workspace_.entries.resize(base_);
  workspace_.hashes.resize(base_);
}

doc::Value Fields::BuildList(std::size_t mark) const {
  return doc::MakeList(
      *workspace_.arena,
      std::span<const doc::Value>(workspace_.items.data() + mark, workspace_.items.size() - mark));
}

}  // namespace portcullis::schema
