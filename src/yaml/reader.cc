#include "yaml/reader.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/base64.h"
#include "base/gotext.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "doc/members.h"
#include "yaml/encoding.h"
#include "yaml/events.h"
#include "yaml/gosyntax.h"
#include "yaml/scalar.h"

namespace portcullis::yaml {
namespace {

using doc::MapEntry;
using doc::Tag;
using doc::Value;

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";
constexpr std::string_view kStrTag = "tag:yaml.org,2002:str";
constexpr std::string_view kBinaryTag = "tag:yaml.org,2002:binary";
constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";

// Where an entry stands.
struct EntryInfo {
  Mark key;
  std::size_t value_line;
  bool is_string_key;
};

// The node that is being added to its parent.
struct Node {
  Value value;
  Mark at;
  bool is_merge_key = false;
  bool is_alias = false;
};

enum class Expect : std::uint8_t { kKey, kValue, kMergeValue, kItem };

struct Frame {
  Expect expect;
  std::uint32_t entry_base;
  std::uint32_t item_base;
  std::int32_t anchor;    // number of the anchor on this node, -1 = none
  std::uint64_t decodes;  // counter when the node began
  Mark start;
  Value key;          // the pending key, a string
  Value written_key;  // as it was before it became a string
  Mark key_at;

  bool is_map() const { return expect != Expect::kItem; }
};

struct Anchor {
  Value value;
  std::uint64_t decodes = 0;  // nodes that decoding it visits, aliases expanded
  bool open = true;           // still being composed
};

struct Scratch {
  std::vector<Frame> frames;
  doc::MemberStacks members;
  std::vector<EntryInfo> infos;  // of members.entries, in a pass that looks for repeated keys
  doc::KeyTable keys;

  void Clear() {
    constexpr std::size_t kKeep = std::size_t{1} << 16;
    frames.clear();
    members.Clear();
    infos.clear();
    if (infos.capacity() > kKeep) std::vector<EntryInfo>().swap(infos);
    keys.Trim(kKeep);
  }
};

// `!!int` for a tag of YAML's own.
std::string ShortTag(std::string_view tag) {
  if (tag.starts_with(kTagPrefix)) return "!!" + std::string(tag.substr(kTagPrefix.size()));
  return std::string(tag);
}

std::string_view KindTag(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::kNull:
      return "!!null";
    case ScalarKind::kBool:
      return "!!bool";
    case ScalarKind::kInt:
    case ScalarKind::kUint:
      return "!!int";
    case ScalarKind::kFloat:
      return "!!float";
    case ScalarKind::kTimestamp:
      return "!!timestamp";
    case ScalarKind::kString:
      break;
  }
  return "!!str";
}

double AllowedAliasRatio(std::uint64_t decodes) {
  constexpr double kLow = 400'000;
  constexpr double kHigh = 4'000'000;
  const auto n = static_cast<double>(decodes);
  if (n <= kLow) return 0.99;
  if (n >= kHigh) return 0.10;
  return 0.99 - 0.89 * ((n - kLow) / (kHigh - kLow));
}

class Composer {
 public:
  Composer(std::string_view text, base::Arena& arena, const ReadOptions& options, Scratch& scratch,
           bool reports_repeated)
      : events_(text, options.first_line),
        arena_(arena),
        options_(options),
        s_(scratch),
        reports_repeated_(reports_repeated),
        max_bytes_(arena.bytes_used() + doc::MaxValueBytes(text.size())) {}

  base::Result<Value> Run();
  bool has_repeated_keys() const { return has_repeated_keys_; }

 private:
  // Go reports the first problem of the earliest stage: grammar, decoding, conversion of keys,
  // JSON.
  enum Stage : std::uint8_t { kDecode, kKeys, kJson, kStages };

  bool OnAlias(const Event& event);
  void OnScalar(const Event& event);
  void Open(const Event& event, bool is_map);
  void Close();
  void Add(const Node& node);
  void AddEntry(const Value& key, const Value& value, const Mark& key_at, std::size_t value_line,
                bool is_string_key);
  Value CloseMap(const Frame& frame);
  void Merge(const Node& node);
  void MergeMap(const Value& map, const Mark& at);
  void CollectDuplicates(const Frame& frame);
  Value ScalarValue(const Event& event);
  Value Text(std::string_view text, bool plain);
  Value Typed(const Scalar& scalar, const Event& event);
  Value JsonNumber(double number, const Mark& at);
  Value KeyString(const Value& key, const Mark& at);
  void CheckKey(const Frame& frame, const Value& value);
  std::int32_t DeclareAnchor(std::string_view name);
  void FinishAnchor(std::int32_t anchor, const Value& value, std::uint64_t decodes_before);
  void Count(std::uint64_t nodes, std::uint64_t through_alias, const Mark& at);
  bool CheckTail();

  base::Error ErrorAt(base::ErrorCode code, std::string message, const Mark& at) const {
    base::Error error(code, std::move(message));
    error.span.line = static_cast<std::uint32_t>(at.line) + options_.first_line;
    error.span.column = static_cast<std::uint32_t>(at.column + 1);
    return error;
  }
  void Fail(Stage stage, std::string message, const Mark& at,
            base::ErrorCode code = base::ErrorCode::kInvalid) {
    if (failed_[stage]) return;
    failed_[stage] = true;
    errors_[stage] = ErrorAt(code, std::move(message), at);
  }

  EventReader events_;
  base::Arena& arena_;
  const ReadOptions& options_;
  Scratch& s_;
  bool reports_repeated_;  // keeps the place of each entry to say where keys are repeated
  bool has_repeated_keys_ = false;
  std::size_t max_bytes_;  // of the arena and the stacks together
  Value root_;
  base::Error fatal_;
  bool failed_[kStages] = {};
  base::Error errors_[kStages];
  std::unordered_map<std::string_view, std::int32_t> anchor_names_;
  std::vector<Anchor> anchors_;
  std::uint64_t decodes_ = 0;
  std::uint64_t alias_decodes_ = 0;

  struct Duplicate {
    std::size_t value_line;
    std::string key;
    Mark at;
    Mark earlier;
  };
  std::vector<Duplicate> duplicates_;
};

base::Result<Value> Composer::Run() {
  Event event;
  bool done = false;
  while (!done) {
    if (!events_.Next(&event)) return events_.TakeError();
    switch (event.kind) {
      case EventKind::kDocumentStart:
        Count(1, 0, event.start);
        break;
      case EventKind::kAlias:
        if (!OnAlias(event)) return std::move(fatal_);
        break;
      case EventKind::kScalar:
        OnScalar(event);
        break;
      case EventKind::kListStart:
      case EventKind::kMapStart:
        Open(event, event.kind == EventKind::kMapStart);
        break;
      case EventKind::kListEnd:
      case EventKind::kMapEnd:
        if (arena_.bytes_used() + s_.members.bytes() > max_bytes_) {
          return ErrorAt(base::ErrorCode::kResourceLimit, std::string(doc::kTooManyValues),
                         s_.frames.back().start);
        }
        Close();
        break;
      case EventKind::kDocumentEnd:
      case EventKind::kStreamEnd:
        done = true;
        break;
    }
  }
  if (options_.strict && event.kind == EventKind::kDocumentEnd && !CheckTail()) {
    return std::move(fatal_);
  }
  if (failed_[kDecode]) return std::move(errors_[kDecode]);
  if (!duplicates_.empty()) {
    std::stable_sort(
        duplicates_.begin(), duplicates_.end(),
        [](const Duplicate& a, const Duplicate& b) { return a.value_line < b.value_line; });
    std::string message = "yaml: unmarshal errors:";
    for (const Duplicate& d : duplicates_) {
      message +=
          "\n  line " + std::to_string(d.value_line + 1) + ": key " + d.key + " already set in map";
    }
    base::Error error = ErrorAt(base::ErrorCode::kDuplicate, message, duplicates_.front().at);
    const Mark& earlier = duplicates_.front().earlier;
    error.hint = "already set at line " + std::to_string(earlier.line + options_.first_line) +
                 ", column " + std::to_string(earlier.column + 1);
    return error;
  }
  if (failed_[kKeys]) return std::move(errors_[kKeys]);
  if (failed_[kJson]) return std::move(errors_[kJson]);
  return root_;
}

// Kubernetes reads only the first document of a chunk; strict readers must not lose the rest.
bool Composer::CheckTail() {
  Event event;
  const bool readable = events_.Next(&event);
  if (readable && event.kind == EventKind::kStreamEnd) return true;
  fatal_ =
      ErrorAt(base::ErrorCode::kSyntax, "yaml: content after the end of the document", event.start);
  if (!readable) fatal_.span = events_.TakeError().span;
  fatal_.hint = "documents are separated by a line '---'; everything after '...' would be ignored";
  return false;
}

void Composer::Count(std::uint64_t nodes, std::uint64_t through_alias, const Mark& at) {
  decodes_ += nodes;
  alias_decodes_ += through_alias;
  if (alias_decodes_ > 100 && decodes_ > 1000 &&
      static_cast<double>(alias_decodes_) / static_cast<double>(decodes_) >
          AllowedAliasRatio(decodes_)) {
    Fail(kDecode, "yaml: document contains excessive aliasing", at,
         base::ErrorCode::kResourceLimit);
    // The counters must not run away while the rest is read for grammar errors.
    decodes_ = alias_decodes_ = 0;
  }
}

std::int32_t Composer::DeclareAnchor(std::string_view name) {
  if (name.empty()) return -1;
  const auto number = static_cast<std::int32_t>(anchors_.size());
  anchors_.emplace_back();
  anchor_names_[arena_.CopyString(name)] = number;
  return number;
}

void Composer::FinishAnchor(std::int32_t number, const Value& value, std::uint64_t decodes_before) {
  if (number < 0) return;
  Anchor& anchor = anchors_[static_cast<std::size_t>(number)];
  anchor.value = value;
  anchor.decodes = decodes_ > decodes_before ? decodes_ - decodes_before : 1;
  anchor.open = false;
}

bool Composer::OnAlias(const Event& event) {
  const std::string name(event.anchor);
  const auto found = anchor_names_.find(std::string_view(name));
  if (found == anchor_names_.end()) {
    fatal_ = ErrorAt(base::ErrorCode::kNotFound, "yaml: unknown anchor '" + name + "' referenced",
                     event.start);
    return false;
  }
  const Anchor& anchor = anchors_[static_cast<std::size_t>(found->second)];
  if (anchor.open) {
    Fail(kDecode, "yaml: anchor '" + name + "' value contains itself", event.start);
  }
  Count(1 + anchor.decodes, anchor.decodes, event.start);
  Add({.value = anchor.value, .at = event.start, .is_alias = true});
  return true;
}

void Composer::OnScalar(const Event& event) {
  const std::int32_t anchor = DeclareAnchor(event.anchor);
  const bool is_merge_key = event.value == "<<" && !s_.frames.empty() &&
                            s_.frames.back().expect == Expect::kKey &&
                            ((event.plain && event.tag.empty()) || event.tag == kMergeTag);
  const std::uint64_t before = decodes_;
  if (!is_merge_key) Count(1, 0, event.start);
  const Value value = ScalarValue(event);
  FinishAnchor(anchor, value, before);
  Add({.value = value, .at = event.start, .is_merge_key = is_merge_key});
}

void Composer::Open(const Event& event, bool is_map) {
  const std::uint64_t before = decodes_;
  const bool is_merge_list =
      !is_map && !s_.frames.empty() && s_.frames.back().expect == Expect::kMergeValue;
  if (!is_merge_list) Count(1, 0, event.start);
  Frame frame{};
  frame.expect = is_map ? Expect::kKey : Expect::kItem;
  frame.entry_base = static_cast<std::uint32_t>(s_.members.entries.size());
  frame.item_base = static_cast<std::uint32_t>(s_.members.items.size());
  frame.anchor = DeclareAnchor(event.anchor);
  frame.decodes = before;
  frame.start = event.start;
  s_.frames.push_back(frame);
}

void Composer::Close() {
  const Frame frame = s_.frames.back();
  s_.frames.pop_back();
  Value value;
  if (frame.is_map()) {
    value = CloseMap(frame);
  } else {
    value = s_.members.TakeList(arena_, frame.item_base);
  }
  FinishAnchor(frame.anchor, value, frame.decodes);
  Add({.value = value, .at = frame.start});
}

Value Composer::CloseMap(const Frame& frame) {
  const std::span<MapEntry> entries = s_.members.entries.From(frame.entry_base);
  const std::span<std::uint32_t> hashes = s_.members.hashes.From(frame.entry_base);
  auto n = static_cast<std::uint32_t>(entries.size());
  std::span<const std::uint32_t> slots;
  std::uint32_t earlier = 0;
  if (s_.keys.FindRepeated(entries, hashes, &earlier) == doc::KeyTable::kNone) {
    slots = s_.keys.slots();
  } else {
    has_repeated_keys_ = true;
    if (reports_repeated_) CollectDuplicates(frame);
    n = s_.keys.KeepLast(entries, hashes);
  }
  if (reports_repeated_) s_.infos.resize(frame.entry_base);
  return s_.members.TakeMap(arena_, frame.entry_base, n, slots);
}

void Composer::CollectDuplicates(const Frame& frame) {
  constexpr std::size_t kMaxReported = 100;
  const std::span<const MapEntry> entries = s_.members.entries.From(frame.entry_base);
  const std::span<const EntryInfo> infos = std::span(s_.infos).subspan(frame.entry_base);
  const std::vector<std::uint32_t> first =
      s_.keys.FirstOccurrences(entries, s_.members.hashes.From(frame.entry_base));
  for (std::size_t i = 0; i < entries.size() && duplicates_.size() < kMaxReported; ++i) {
    if (first[i] == i) continue;
    const std::string_view key = entries[i].key.as_string();
    duplicates_.push_back({infos[i].value_line,
                           infos[i].is_string_key ? base::GoQuote(key) : std::string(key),
                           infos[i].key, infos[first[i]].key});
  }
}

void Composer::Add(const Node& node) {
  if (s_.frames.empty()) {
    root_ = node.value;
    return;
  }
  Frame& frame = s_.frames.back();
  switch (frame.expect) {
    case Expect::kItem:
      s_.members.items.push_back(node.value);
      return;
    case Expect::kKey:
      frame.key_at = node.at;
      if (node.is_merge_key) {
        frame.expect = Expect::kMergeValue;
        return;
      }
      frame.written_key = node.value;
      frame.key = KeyString(node.value, node.at);
      frame.expect = Expect::kValue;
      return;
    case Expect::kValue:
      frame.expect = Expect::kKey;
      CheckKey(frame, node.value);
      AddEntry(frame.key, node.value, frame.key_at, node.at.line, frame.written_key.is_string());
      return;
    case Expect::kMergeValue:
      frame.expect = Expect::kKey;
      Merge(node);
      return;
  }
}

void Composer::AddEntry(const Value& key, const Value& value, const Mark& key_at,
                        std::size_t value_line, bool is_string_key) {
  s_.members.Push(key, value);
  if (reports_repeated_) s_.infos.push_back({key_at, value_line, is_string_key});
}

// Merged entries count as set at this place: later keys overwrite them and they overwrite earlier
// ones, as in Go.
void Composer::Merge(const Node& node) {
  if (node.value.is_map()) {
    MergeMap(node.value, node.at);
    return;
  }
  if (node.value.is_list() && !node.is_alias) {
    const std::span<const Value> maps = node.value.as_list();
    if (std::all_of(maps.begin(), maps.end(), [](const Value& v) { return v.is_map(); })) {
      // Backwards: earlier maps of the list win.
      for (std::size_t i = maps.size(); i-- > 0;) MergeMap(maps[i], node.at);
      return;
    }
  }
  Fail(kDecode, "yaml: map merge requires map or sequence of maps as the value", node.at);
}

void Composer::MergeMap(const Value& map, const Mark& at) {
  if (failed_[kDecode]) return;
  for (const MapEntry& entry : map.as_map()) {
    AddEntry(entry.key, entry.value, at, at.line, true);
  }
}

Value Composer::KeyString(const Value& key, const Mark& at) {
  switch (key.tag()) {
    case Tag::kString:
      return key;
    case Tag::kBool:
      return Value::String(key.as_bool() ? "true" : "false", Value::kAscii);
    case Tag::kInt:
      return doc::MakeString(arena_, std::to_string(key.as_int())).WithFlags(Value::kAscii);
    case Tag::kDouble:
      return doc::MakeString(arena_, FloatKey(key.as_double())).WithFlags(Value::kAscii);
    case Tag::kList:
    case Tag::kMap:
      Fail(kDecode, "yaml: invalid map key: " + GoSyntax(key), at);
      break;
    default:
      break;
  }
  return Value::String("null", Value::kAscii);
}

// Keys that have no string form are reported with the value that they carry.
void Composer::CheckKey(const Frame& frame, const Value& value) {
  const Value& key = frame.written_key;
  if (key.is_null()) {
    Fail(kKeys, "unsupported map key of type: %!s(<nil>), key: <nil>, value: " + GoSyntax(value),
         frame.key_at);
  } else if (key.tag() == Tag::kUint) {
    Fail(kKeys,
         "unsupported map key of type: uint64, key: " + GoSyntax(key) +
             ", value: " + GoSyntax(value),
         frame.key_at);
  }
}

Value Composer::Text(std::string_view text, bool plain) {
  const bool ascii = base::IsAscii(text);
  return Value::String(arena_.CopyString(text),
                       static_cast<std::uint8_t>((ascii ? Value::kAscii : Value::kNonAscii) |
                                                 (plain ? 0 : Value::kQuoted)));
}

Value Composer::ScalarValue(const Event& event) {
  const std::string_view tag = event.tag;
  if (tag.empty()) {
    if (!event.plain) return Text(event.value, false);
    return Typed(ResolvePlain(event.value), event);
  }
  if (tag == kBinaryTag) {
    const base::Result<std::string> bytes = base::Base64Decode(event.value);
    if (!bytes.ok()) {
      Fail(kDecode, "yaml: !!binary value contains invalid base64 data", event.start);
      return {};
    }
    return Text(base::ToValidUtf8(*bytes), false);
  }
  const std::string_view name =
      tag.starts_with(kTagPrefix) ? tag.substr(kTagPrefix.size()) : std::string_view();
  if (name != "bool" && name != "int" && name != "float" && name != "null" && name != "timestamp") {
    return Text(event.value, event.plain && tag != kStrTag && tag != "!");
  }
  Scalar scalar = ResolvePlain(event.value, name == "timestamp");
  const std::string_view found = KindTag(scalar.kind);
  if (found.substr(2) == name) return Typed(scalar, event);
  if (name == "float" && scalar.kind == ScalarKind::kInt) {
    return JsonNumber(static_cast<double>(scalar.integer), event.start);
  }
  Fail(kDecode,
       "yaml: cannot decode " + std::string(found) + " `" + std::string(event.value) + "` as a " +
           ShortTag(tag),
       event.start);
  return {};
}

Value Composer::Typed(const Scalar& scalar, const Event& event) {
  const bool is_key = !s_.frames.empty() && s_.frames.back().expect == Expect::kKey;
  switch (scalar.kind) {
    case ScalarKind::kNull:
      return {};
    case ScalarKind::kBool:
      return Value::Bool(scalar.boolean);
    case ScalarKind::kInt:
      return Value::Int(scalar.integer);
    case ScalarKind::kUint:
      // JSON has no unsigned integers: beyond int64 a number is a double.
      return is_key ? Value::Uint(scalar.unsigned_integer)
                    : Value::Double(static_cast<double>(scalar.unsigned_integer));
    case ScalarKind::kFloat:
      return is_key ? Value::Double(scalar.number) : JsonNumber(scalar.number, event.start);
    case ScalarKind::kString:
    case ScalarKind::kTimestamp:
      break;
  }
  return Text(event.value, event.plain);
}

// The number that comes back when `number` is written as JSON and read again.
Value Composer::JsonNumber(double number, const Mark& at) {
  constexpr double kExact = 9007199254740992.0;  // 2^53: whole doubles below are written in full
  if (!std::isfinite(number)) {
    Fail(kJson,
         std::isnan(number)
             ? "json: unsupported value: NaN"
             : (number > 0 ? "json: unsupported value: +Inf" : "json: unsupported value: -Inf"),
         at);
    return {};
  }
  const double magnitude = std::fabs(number);
  if (magnitude < kExact) {
    const auto whole = static_cast<std::int64_t>(number);
    return static_cast<double>(whole) == number ? Value::Int(whole) : Value::Double(number);
  }
  std::int64_t whole = 0;
  if (magnitude < 1e21 &&
      base::ParseInt(base::GoJsonFloat(number), whole) == base::NumberStatus::kOk) {
    return Value::Int(whole);
  }
  return Value::Double(number);
}

}  // namespace

base::Result<Value> Parse(std::string_view text, base::Arena& arena, const ReadOptions& options) {
  std::string decoded;
  text = ToUtf8(text, &decoded);
  if (text.size() > 0xFFFFFFFFU) {
    return base::Error(base::ErrorCode::kResourceLimit, "document is larger than 4 GiB");
  }
  thread_local Scratch scratch;
  const auto run = [&](bool reports_repeated, bool* has_repeated) {
    Composer composer(text, arena, options, scratch, reports_repeated);
    base::Result<Value> value = composer.Run();
    *has_repeated = composer.has_repeated_keys();
    scratch.Clear();
    return value;
  };
  bool has_repeated = false;
  base::Result<Value> value = run(false, &has_repeated);
  // The places of keys are only kept when they are needed: reading again is cheaper.
  return options.strict && has_repeated ? run(true, &has_repeated) : std::move(value);
}

}  // namespace portcullis::yaml
