#ifndef PORTCULLIS_SCHEMA_FIELDS_H_
#define PORTCULLIS_SCHEMA_FIELDS_H_

// Objects under construction while a document is defaulted: the workspace of one Default call and
// the editable object that rules get. Internal to src/schema.
//
// Entries of nested objects stand on one stack, so a frame must be built or dropped before its
// parent is touched again. Rules see Go's semantics: absent and zero are the same except where a
// field is a pointer. Not thread-safe: one workspace per call (its memory is per thread).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "schema/schema.h"

namespace portcullis::schema {

struct PathStep {
  std::string_view name;  // empty: an index
  std::size_t index = 0;
};

struct Workspace {
  base::Arena* arena = nullptr;
  const Kind* root = nullptr;  // kind of the whole document
  bool is_pod = false;         // root is a Pod (rules differ in templates)
  bool plugins = false;        // run the admission plug-ins' rules
  std::string_view now;        // RFC 3339; empty: time stamps are not added
  bool stored = false;         // empty lists and maps are null
  bool rules = true;           // run any rules (off: the bare zero values)
  std::vector<std::string>* warnings = nullptr;
  std::vector<PathStep> path;
  std::vector<doc::MapEntry> entries;
  std::vector<std::uint32_t> hashes;
  std::vector<doc::Value> items;

  // Empty, with the memory of earlier calls on this thread.
  void Reset(base::Arena& target);
};

class Fields {
 public:
  explicit Fields(Workspace& workspace) : workspace_(workspace), base_(workspace.entries.size()) {}
  // Starts with the entries of `map` (anything but a map: empty).
  Fields(Workspace& workspace, const doc::Value& map);
  ~Fields() {
    if (!built_) Drop();
  }
  Fields(const Fields&) = delete;
  Fields& operator=(const Fields&) = delete;

  Workspace& workspace() const { return workspace_; }
  base::Arena& arena() const { return *workspace_.arena; }

  // The value of a field; null when absent.
  doc::Value Get(std::string_view name) const;
  std::string_view GetString(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != kNone; }
  bool empty() const { return workspace_.entries.size() == base_; }

  // Names and string values must be constants or live in the arena.
  void Set(std::string_view name, const doc::Value& value);
  void SetString(std::string_view name, std::string_view text) {
    Set(name, doc::Value::String(text));
  }
  void SetInt(std::string_view name, std::int64_t n) { Set(name, doc::Value::Int(n)); }
  void SetBool(std::string_view name, bool b) { Set(name, doc::Value::Bool(b)); }
  void Remove(std::string_view name);

  // Each of these sets a field only when it is absent.
  void Default(std::string_view name, const doc::Value& value) {
    if (!Has(name)) Set(name, value);
  }
  void DefaultString(std::string_view name, std::string_view text) {
    Default(name, doc::Value::String(text));
  }
  void DefaultInt(std::string_view name, std::int64_t n) { Default(name, doc::Value::Int(n)); }
  void DefaultBool(std::string_view name, bool b) { Default(name, doc::Value::Bool(b)); }
  void DefaultEmpty(std::string_view name) { Default(name, doc::Value::EmptyMap()); }

  // Appends an entry whose key is known to be new.
  void Append(const doc::Value& key, std::uint32_t hash, const doc::Value& value) {
    workspace_.entries.push_back({key, value});
    workspace_.hashes.push_back(hash);
  }

  bool changed() const { return changed_; }
  void set_changed() { changed_ = true; }
  // The map in the arena. Ends the frame: the parent may be changed from here on.
  doc::Value Build();

  // Edits the object (or map) in field `name`: `edit(Fields&)`; creates it when absent and
  // `create`.
  template <typename F>
  void Edit(std::string_view name, bool create, F&& edit) {
    const doc::Value old = Get(name);
    if (!old.is_map() && !(old.is_null() && create)) return;
    Fields child(workspace_, old);
    edit(child);
    if (old.is_map() && !child.changed()) return;
    const doc::Value built = child.Build();
    Set(name, built);
  }

  // Edits every object in the list of field `name`.
  template <typename F>
  void EditItems(std::string_view name, F&& edit) {
    const doc::Value old = Get(name);
    if (!old.is_list()) return;
    const std::size_t mark = workspace_.items.size();
    bool touched = false;
    for (const doc::Value& item : old.as_list()) {
      doc::Value result = item;
      if (item.is_map()) {
        Fields child(workspace_, item);
        edit(child);
        if (child.changed()) {
          result = child.Build();
          touched = true;
        }
      }
      workspace_.items.push_back(result);
    }
    if (touched) Set(name, BuildList(mark));
    workspace_.items.resize(mark);
  }

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  void Drop();
  std::size_t Find(std::string_view name) const;
  doc::Value BuildList(std::size_t mark) const;

  Workspace& workspace_;
  std::size_t base_;
  bool changed_ = false;
  bool built_ = false;
};

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_FIELDS_H_
