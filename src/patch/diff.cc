#include "patch/diff.h"

#include <algorithm>

#include "doc/equal.h"
#include "doc/path.h"

namespace portcullis::patch {
namespace {

class Differ {
 public:
  explicit Differ(base::Arena& arena) : arena_(arena) {}

  void Compare(const doc::Value& before, const doc::Value& after) {
    if (doc::DataEqual(before, after)) return;
    if (before.is_map() && after.is_map()) {
      CompareMaps(before, after);
    } else if (before.is_list() && after.is_list() && before.size() <= after.size()) {
      CompareLists(before.as_list(), after.as_list());
    } else {
      Emit("replace", &after);
    }
  }

  std::vector<Operation> Take() { return std::move(operations_); }

 private:
  void CompareMaps(const doc::Value& before, const doc::Value& after) {
    std::vector<std::string_view> keys;
    for (const doc::MapEntry& entry : before.as_map()) keys.push_back(entry.key.as_string());
    for (const doc::MapEntry& entry : after.as_map()) {
      if (before.FindKey(entry.key) == nullptr) keys.push_back(entry.key.as_string());
    }
    std::sort(keys.begin(), keys.end());
    for (const std::string_view key : keys) {
      const doc::Value* old_value = before.Find(key);
      const doc::Value* new_value = after.Find(key);
      const std::size_t mark = path_.size();
      path_ += '/';
      path_ += doc::EscapePointerToken(key);
      if (old_value == nullptr) {
        Emit("add", new_value);
      } else if (new_value == nullptr) {
        Emit("remove", nullptr);
      } else {
        Compare(*old_value, *new_value);
      }
      path_.resize(mark);
    }
  }

  void CompareLists(std::span<const doc::Value> before, std::span<const doc::Value> after) {
    for (std::size_t i = 0; i < after.size(); ++i) {
      const std::size_t mark = path_.size();
      path_ += '/';
      path_ += std::to_string(i);
      if (i < before.size()) {
        Compare(before[i], after[i]);
      } else {
        Emit("add", &after[i]);
      }
      path_.resize(mark);
    }
  }

  void Emit(std::string_view op, const doc::Value* value) {
    Operation& operation = operations_.emplace_back();
    operation.op = op;
    operation.path = arena_.CopyString(path_);
    if (value == nullptr) return;
    operation.has_value = true;
    operation.null_is_value = true;
    operation.value = *value;
  }

  base::Arena& arena_;
  std::string path_;
  std::vector<Operation> operations_;
};

}  // namespace

std::vector<Operation> Diff(base::Arena& arena, const doc::Value& before, const doc::Value& after) {
  Differ differ(arena);
  differ.Compare(before, after);
  return differ.Take();
}

doc::Value ToDocument(base::Arena& arena, std::span<const Operation> operations) {
  std::vector<doc::Value> items;
  items.reserve(operations.size());
  for (const Operation& operation : operations) {
    std::vector<doc::MapEntry> members;
    const auto add = [&members](std::string_view name,
                                const std::optional<std::string_view>& text) {
      if (text) members.push_back({doc::Value::String(name), doc::Value::String(*text)});
    };
    add("op", operation.op);
    add("from", operation.from);
    add("path", operation.path);
    if (operation.has_value) {
      members.push_back({doc::Value::String("value"), operation.value});
    }
    items.push_back(doc::MakeMap(arena, members));
  }
  return doc::MakeList(arena, items);
}

}  // namespace portcullis::patch
