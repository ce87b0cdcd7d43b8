#include "policy/kyverno_cel/generating_template_check.h"

#include <vector>

#include "policy/kyverno_cel/generating_placeholder.h"
#include "yaml/events.h"

namespace portcullis::policy::kyverno_cel {
namespace {

using yaml::Event;
using yaml::EventKind;

constexpr std::string_view kInKey =
    "placeholders are not supported in mapping keys; use a whole-value placeholder on the parent "
    "field instead (e.g. `labels: (( variables.labels ))`)";
constexpr std::string_view kMerge =
    "YAML merge keys are not supported in subtrees containing placeholders";
constexpr std::string_view kScalarKeys = "only scalar mapping keys are supported";

class KeyCheck {
 public:
  explicit KeyCheck(std::uint32_t first_line) : first_line_(first_line) {}

  // False when the document is done or wrong.
  bool Add(const Event& event) {
    switch (event.kind) {
      case EventKind::kStreamEnd:
      case EventKind::kDocumentEnd:
        return false;
      case EventKind::kDocumentStart:
        return true;
      case EventKind::kMapStart:
      case EventKind::kListStart:
        if (AtKey()) return Fail(event, kScalarKeys);
        open_.push_back({event.kind == EventKind::kMapStart, true, false, 0});
        return true;
      case EventKind::kMapEnd:
      case EventKind::kListEnd:
        return Close();
      case EventKind::kAlias:
        if (AtKey()) return Fail(event, kScalarKeys);
        Advance();
        return true;
      case EventKind::kScalar:
        return AddScalar(event);
    }
    return true;
  }

  std::string error;

 private:
  struct Container {
    bool is_map;
    bool at_key;
    bool has_placeholders;
    std::size_t merge_line;  // of the merge key; 0: there is none
  };

  std::size_t LineOf(const Event& event) const { return event.start.line + first_line_; }

  bool Fail(std::size_t line, std::string_view text) {
    error = "line " + std::to_string(line) + ": " + std::string(text);
    return false;
  }
  bool Fail(const Event& event, std::string_view text) { return Fail(LineOf(event), text); }

  bool AtKey() const { return !open_.empty() && open_.back().is_map && open_.back().at_key; }
  void Advance() {
    if (!open_.empty()) open_.back().at_key = !open_.back().at_key;
  }

  bool AddScalar(const Event& event) {
    const bool has_placeholders = MayHavePlaceholders(event.value);
    if (AtKey()) {
      if (has_placeholders) return Fail(event, kInKey);
      if (event.plain && event.value == "<<") open_.back().merge_line = LineOf(event);
    } else if (has_placeholders && !open_.empty()) {
      open_.back().has_placeholders = true;
    }
    Advance();
    return true;
  }

  bool Close() {
    const Container closed = open_.back();
    open_.pop_back();
    if (closed.has_placeholders && closed.merge_line != 0) return Fail(closed.merge_line, kMerge);
    if (closed.has_placeholders && !open_.empty()) open_.back().has_placeholders = true;
    Advance();
    return true;
  }

  std::uint32_t first_line_;
  std::vector<Container> open_;
};

}  // namespace

std::string CheckTemplateKeys(std::string_view text, std::uint32_t first_line) {
  yaml::EventReader reader(text, first_line);
  KeyCheck check(first_line);
  Event event;
  while (reader.Next(&event) && check.Add(event)) {
  }
  return std::move(check.error);
}

}  // namespace portcullis::policy::kyverno_cel
