#ifndef PORTCULLIS_YAML_EVENTS_H_
#define PORTCULLIS_YAML_EVENTS_H_

// The YAML event stream: the only wrapper around libyaml (spec/engineering.md 4.1). It adds what
// the Go reader refuses beyond libyaml's grammar (version directives other than 1.1, `?` inside a
// plain flow scalar, the escape `\/`, nesting over 10,000) and turns errors into Go's text with our
// own line and column. One reader belongs to one thread.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace portcullis::yaml {

enum class EventKind : std::uint8_t {
  kStreamEnd,
  kDocumentStart,
  kDocumentEnd,
  kAlias,
  kScalar,
  kListStart,
  kListEnd,
  kMapStart,
  kMapEnd,
};

// Counts from 0, in code points.
struct Mark {
  std::size_t index = 0;
  std::size_t line = 0;
  std::size_t column = 0;
};

// Views are valid until the next call of Next.
struct Event {
  EventKind kind = EventKind::kStreamEnd;
  std::string_view value;   // scalars
  std::string_view anchor;  // name of the alias or of the node's anchor
  std::string_view tag;     // resolved; "!" for the non-specific tag
  bool plain = false;       // scalars without quotes that are neither literal nor folded
  Mark start;
  Mark end;
};

class EventReader {
 public:
  static constexpr std::size_t kMaxDepth = 10000;

  // The text must outlive the reader. It is UTF-8 without a byte order mark; its first line is
  // number `first_line` of the file.
  explicit EventReader(std::string_view text, std::uint32_t first_line = 1);
  ~EventReader();
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  // False after an error.
  bool Next(Event* event);
  base::Error TakeError() { return std::move(error_); }

  // `yaml: ` + message as the Go reader prints it; `line` from 0, printed + 1 for scanner errors.
  static std::string GoMessage(std::string_view message, std::size_t line, bool is_scanner);

 private:
  struct Impl;
  bool Check(Event* event);
  bool HasNonSpecificTag(const Event& event);
  bool CheckQuoted(const Event& event);
  bool Enter(bool is_flow, const Mark& mark);
  void Leave();
  void Fail();
  void FailAt(std::string_view message, const Mark& mark, bool is_scanner, base::ErrorCode code);
  std::size_t ByteOffset(std::size_t index);

  std::string_view text_;
  std::uint32_t first_line_;
  std::unique_ptr<Impl> impl_;
  base::Error error_;
  bool has_escaped_slash_ = false;
  bool is_ascii_ = false;
  std::vector<bool> flow_;  // per open container: written in flow style
  std::size_t flow_depth_ = 0;
  std::uint64_t scan_work_ = 0;
  // Byte offset of a code point index; both only move forward.
  std::size_t cursor_index_ = 0;
  std::size_t cursor_offset_ = 0;
};

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_EVENTS_H_
