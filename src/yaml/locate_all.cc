#include <map>
#include <string>
#include <vector>

#include "json/locate.h"
#include "yaml/encoding.h"
#include "yaml/events.h"
#include "yaml/locate.h"
#include "yaml/locate_parts.h"
#include "yaml/scalar.h"

namespace portcullis::yaml {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFFU;
constexpr std::uint32_t kRoot = 0;
// Up to this size an outline of the whole text is affordable.
constexpr std::size_t kMaxOutlined = std::size_t{4} << 20;

// A prefix of the paths that are looked for.
struct Wanted {
  std::map<std::string, std::uint32_t, std::less<>> keys;
  std::map<std::int64_t, std::uint32_t> items;
  bool found = false;
  Mark key_at;
  Mark value_at;
};

// An open container.
struct Frame {
  bool is_map;
  bool expects_key;
  std::uint32_t wanted;   // what this container is, kNone if nothing in it is looked for
  std::uint32_t pending;  // what the value of the last key is
  std::int64_t next_item;
  Mark key_at;
};

class Finder {
 public:
  explicit Finder(std::span<const doc::Path> paths) : wanted_(1) {
    for (const doc::Path& path : paths) Want(path);
  }

  // Reads the text; false if it cannot be read to the end.
  bool Read(std::string_view text);
  // Something that was looked for leads through an alias or a merge.
  bool met_alias() const { return met_alias_; }

  doc::PathLocation Location(doc::PathView path, std::uint32_t first_line) const;

 private:
  void Want(doc::PathView path);
  std::uint32_t ChildOf(std::uint32_t parent, const doc::PathStep& step) const;
  // What the node that begins with `event` is.
  std::uint32_t Enter(const Event& event);
  void Forget(std::uint32_t number);

  std::vector<Wanted> wanted_;
  std::vector<Frame> open_;
  bool met_alias_ = false;
};

void Finder::Want(doc::PathView path) {
  std::uint32_t at = kRoot;
  for (const doc::PathStep& step : path) {
    std::uint32_t child = ChildOf(at, step);
    if (child == kNone) {
      child = static_cast<std::uint32_t>(wanted_.size());
      wanted_.emplace_back();
      if (step.is_index()) {
        wanted_[at].items.emplace(step.index, child);
      } else {
        wanted_[at].keys.emplace(step.key, child);
      }
    }
    at = child;
  }
}

std::uint32_t Finder::ChildOf(std::uint32_t parent, const doc::PathStep& step) const {
  const Wanted& wanted = wanted_[parent];
  if (step.is_index()) {
    const auto it = wanted.items.find(step.index);
    return it == wanted.items.end() ? kNone : it->second;
  }
  const auto it = wanted.keys.find(step.key);
  return it == wanted.keys.end() ? kNone : it->second;
}

// The last of several equal keys counts: what was found below an earlier one does not.
void Finder::Forget(std::uint32_t number) {
  std::vector<std::uint32_t> pending{number};
  while (!pending.empty()) {
    Wanted& wanted = wanted_[pending.back()];
    pending.pop_back();
    wanted.found = false;
    for (const auto& [key, child] : wanted.keys) pending.push_back(child);
    for (const auto& [index, child] : wanted.items) pending.push_back(child);
  }
}

std::uint32_t Finder::Enter(const Event& event) {
  std::uint32_t number = kRoot;
  Mark key_at = event.start;
  if (!open_.empty()) {
    Frame& frame = open_.back();
    if (!frame.is_map) {
      const std::int64_t index = frame.next_item++;
      if (frame.wanted == kNone) return kNone;
      number = ChildOf(frame.wanted, doc::PathStep(index));
    } else if (frame.expects_key) {
      frame.expects_key = false;
      frame.pending = kNone;
      frame.key_at = event.start;
      if (frame.wanted == kNone || event.kind != EventKind::kScalar) return kNone;
      const Wanted& map = wanted_[frame.wanted];
      if (IsMergeKey(event)) met_alias_ = met_alias_ || !map.keys.empty();
      const auto it = map.keys.find(KeyText(event));
      if (it != map.keys.end()) frame.pending = it->second;
      return kNone;
    } else {
      frame.expects_key = true;
      number = frame.pending;
      key_at = frame.key_at;
    }
  }
  if (number == kNone) return kNone;
  if (event.kind == EventKind::kAlias) met_alias_ = true;
  Wanted& wanted = wanted_[number];
  if (wanted.found) Forget(number);
  wanted.found = true;
  wanted.key_at = key_at;
  wanted.value_at = event.start;
  return number;
}

bool Finder::Read(std::string_view text) {
  EventReader events(text);
  Event event;
  while (events.Next(&event)) {
    switch (event.kind) {
      case EventKind::kAlias:
      case EventKind::kScalar:
        Enter(event);
        break;
      case EventKind::kListStart:
      case EventKind::kMapStart: {
        const bool is_map = event.kind == EventKind::kMapStart;
        const std::uint32_t number = Enter(event);
        open_.push_back({is_map, is_map, number, kNone, 0, {}});
        break;
      }
      case EventKind::kListEnd:
      case EventKind::kMapEnd:
        open_.pop_back();
        break;
      case EventKind::kDocumentEnd:
      case EventKind::kStreamEnd:
        return true;
      case EventKind::kDocumentStart:
        break;
    }
  }
  return false;
}

doc::PathLocation Finder::Location(doc::PathView path, std::uint32_t first_line) const {
  const auto position = [&](const Mark& mark) {
    return doc::TextPosition{static_cast<std::uint32_t>(mark.line) + first_line,
                             static_cast<std::uint32_t>(mark.column + 1)};
  };
  doc::PathLocation out;
  std::uint32_t at = kRoot;
  for (const doc::PathStep& step : path) {
    const std::uint32_t child = ChildOf(at, step);
    if (child == kNone || !wanted_[child].found) break;
    at = child;
    ++out.matched;
  }
  out.exact = out.matched == path.size();
  out.key = position(wanted_[at].key_at);
  out.value = position(wanted_[at].value_at);
  return out;
}

}  // namespace

std::string KeyText(const Event& event) {
  if (!event.plain || !event.tag.empty()) return std::string(event.value);
  const Scalar scalar = ResolvePlain(event.value, false);
  switch (scalar.kind) {
    case ScalarKind::kBool:
      return scalar.boolean ? "true" : "false";
    case ScalarKind::kInt:
      return std::to_string(scalar.integer);
    case ScalarKind::kFloat:
      return FloatKey(scalar.number);
    default:
      return std::string(event.value);
  }
}

doc::PathLocation PreferJson(std::string_view text, doc::PathView path, std::uint32_t first_line,
                             const doc::PathLocation& as_yaml) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || (text[start] != '{' && text[start] != '[')) {
    return as_yaml;
  }
  doc::PathLocation as_json = json::Locate(text, path);
  if (as_json.matched < as_yaml.matched) return as_yaml;
  as_json.key.line += first_line - 1;
  as_json.value.line += first_line - 1;
  return as_json;
}

std::vector<doc::PathLocation> LocateAll(std::string_view text, std::span<const doc::Path> paths,
                                         std::uint32_t first_line) {
  std::string decoded;
  text = ToUtf8(text, &decoded);
  Finder finder(paths);
  const bool readable = finder.Read(text);
  std::vector<doc::PathLocation> out;
  out.reserve(paths.size());
  if (finder.met_alias() && text.size() <= kMaxOutlined) {
    const Locator outline(text, first_line);
    for (const doc::Path& path : paths) out.push_back(outline.Find(path));
    return out;
  }
  for (const doc::Path& path : paths) {
    doc::PathLocation location = finder.Location(path, first_line);
    if (!readable && !location.exact) location = PreferJson(text, path, first_line, location);
    out.push_back(location);
  }
  return out;
}

doc::PathLocation Locate(std::string_view text, const doc::Path& path, std::uint32_t first_line) {
  return LocateAll(text, {&path, 1}, first_line).front();
}

}  // namespace portcullis::yaml
