#include "yaml/events.h"

#include <yaml.h>

#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "doc/text_position.h"

namespace portcullis::yaml {
namespace {

// libyaml looks at every open flow level for each token: levels times tokens is bounded, far above
// what any real document needs.
constexpr std::uint64_t kMaxScanWork = 300'000'000;

std::string_view View(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

Mark ToMark(const yaml_mark_t& mark) { return {mark.index, mark.line, mark.column}; }

}  // namespace

struct EventReader::Impl {
  yaml_parser_t parser;
  yaml_event_t event;
  bool has_event = false;

  Impl() { PC_CHECK(yaml_parser_initialize(&parser) == 1); }
  ~Impl() {
    Drop();
    yaml_parser_delete(&parser);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void Drop() {
    if (has_event) yaml_event_delete(&event);
    has_event = false;
  }
};

EventReader::EventReader(std::string_view text, std::uint32_t first_line)
    : text_(text), first_line_(first_line), impl_(std::make_unique<Impl>()) {
  yaml_parser_set_encoding(&impl_->parser, YAML_UTF8_ENCODING);
  // libyaml asserts that there is a pointer, which an empty view need not have.
  const char* data = text.empty() ? "" : text.data();
  yaml_parser_set_input_string(&impl_->parser, reinterpret_cast<const unsigned char*>(data),
                               text.size());
  has_escaped_slash_ = text.find("\\/") != std::string_view::npos;
  is_ascii_ = base::IsAscii(text);
}

EventReader::~EventReader() = default;

std::string EventReader::GoMessage(std::string_view message, std::size_t line, bool is_scanner) {
  std::string out = "yaml: ";
  // Go parity: line 0 is left out, and only scanner errors count from 1.
  if (line != 0) out += "line " + std::to_string(line + (is_scanner ? 1 : 0)) + ": ";
  out += message;
  return out;
}

void EventReader::FailAt(std::string_view message, const Mark& mark, bool is_scanner,
                         base::ErrorCode code) {
  error_ = base::Error(code, GoMessage(message, mark.line, is_scanner));
  error_.span.line = static_cast<std::uint32_t>(mark.line) + first_line_;
  error_.span.column = static_cast<std::uint32_t>(mark.column + 1);
}

void EventReader::Fail() {
  const yaml_parser_t& parser = impl_->parser;
  const std::string_view problem =
      parser.problem == nullptr ? "unknown problem parsing YAML content" : parser.problem;
  if (parser.error == YAML_MEMORY_ERROR) {
    error_ = base::Error(base::ErrorCode::kResourceLimit, "yaml: out of memory");
    return;
  }
  if (parser.error == YAML_READER_ERROR) {
    error_ = base::Error(base::ErrorCode::kSyntax, GoMessage(problem, 0, false));
    const doc::TextPosition at = doc::PositionAt(text_, parser.problem_offset);
    error_.span.line = at.line + first_line_ - 1;
    error_.span.column = at.column;
    if (text_.size() > 1 && (text_[0] == '\0' || text_[1] == '\0')) {
      error_.hint = "this looks like UTF-16 without a byte order mark; save the file as UTF-8";
    }
    return;
  }
  const bool is_scanner = parser.error == YAML_SCANNER_ERROR;
  Mark mark = ToMark(parser.problem_mark);
  FailAt(problem, mark, is_scanner, base::ErrorCode::kSyntax);
  if (parser.problem_mark.line == 0 && parser.context_mark.line != 0) {
    error_.message = GoMessage(problem, parser.context_mark.line, false);
  }
  if (parser.context != nullptr && parser.context_mark.line != parser.problem_mark.line) {
    error_.hint = std::string(parser.context) + " that starts at line " +
                  std::to_string(parser.context_mark.line + first_line_) + ", column " +
                  std::to_string(parser.context_mark.column + 1);
  }
}

std::size_t EventReader::ByteOffset(std::size_t index) {
  if (is_ascii_) return index < text_.size() ? index : text_.size();
  if (index < cursor_index_) cursor_index_ = cursor_offset_ = 0;
  while (cursor_index_ < index && cursor_offset_ < text_.size()) {
    cursor_offset_ += base::DecodeRune(text_, cursor_offset_).size;
    ++cursor_index_;
  }
  return cursor_offset_;
}

bool EventReader::Next(Event* event) {
  Impl& impl = *impl_;
  impl.Drop();
  if (yaml_parser_parse(&impl.parser, &impl.event) != 1) {
    Fail();
    return false;
  }
  impl.has_event = true;
  const yaml_event_t& e = impl.event;
  event->start = ToMark(e.start_mark);
  event->end = ToMark(e.end_mark);
  event->value = event->anchor = event->tag = {};
  switch (e.type) {
    case YAML_STREAM_START_EVENT:
      return Next(event);
    case YAML_NO_EVENT:
    case YAML_STREAM_END_EVENT:
      event->kind = EventKind::kStreamEnd;
      return true;
    case YAML_DOCUMENT_START_EVENT: {
      event->kind = EventKind::kDocumentStart;
      const yaml_version_directive_t* version = e.data.document_start.version_directive;
      if (version != nullptr && (version->major != 1 || version->minor != 1)) {
        FailAt("found incompatible YAML document", event->start, false,
               base::ErrorCode::kUnsupported);
        return false;
      }
      return true;
    }
    case YAML_DOCUMENT_END_EVENT:
      event->kind = EventKind::kDocumentEnd;
      return true;
    case YAML_ALIAS_EVENT:
      event->kind = EventKind::kAlias;
      event->anchor = View(e.data.alias.anchor);
      return Check(event);
    case YAML_SCALAR_EVENT:
      event->kind = EventKind::kScalar;
      event->value = {reinterpret_cast<const char*>(e.data.scalar.value), e.data.scalar.length};
      event->anchor = View(e.data.scalar.anchor);
      event->tag = View(e.data.scalar.tag);
      event->plain = e.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
      return Check(event);
    case YAML_SEQUENCE_START_EVENT:
      event->kind = EventKind::kListStart;
      event->anchor = View(e.data.sequence_start.anchor);
      event->tag = View(e.data.sequence_start.tag);
      return Enter(e.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE, event->start);
    case YAML_MAPPING_START_EVENT:
      event->kind = EventKind::kMapStart;
      event->anchor = View(e.data.mapping_start.anchor);
      event->tag = View(e.data.mapping_start.tag);
      return Enter(e.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE, event->start);
    case YAML_SEQUENCE_END_EVENT:
      event->kind = EventKind::kListEnd;
      Leave();
      return true;
    case YAML_MAPPING_END_EVENT:
      event->kind = EventKind::kMapEnd;
      Leave();
      return true;
  }
  PC_UNREACHABLE();
}

bool EventReader::Enter(bool is_flow, const Mark& mark) {
  if (flow_.size() >= kMaxDepth) {
    FailAt("exceeded max depth of 10000", mark, true, base::ErrorCode::kResourceLimit);
    return false;
  }
  flow_.push_back(is_flow);
  if (is_flow) ++flow_depth_;
  scan_work_ += flow_depth_;
  return true;
}

void EventReader::Leave() {
  if (flow_.back()) --flow_depth_;
  flow_.pop_back();
}

bool EventReader::Check(Event* event) {
  scan_work_ += flow_depth_;
  if (scan_work_ > kMaxScanWork) {
    FailAt("document is nested too deeply for its size", event->start, true,
           base::ErrorCode::kResourceLimit);
    return false;
  }
  if (event->kind != EventKind::kScalar) return true;
  if (!event->plain) {
    if (event->tag.empty() && impl_->event.data.scalar.plain_implicit != 0) event->tag = "!";
    return !has_escaped_slash_ ||
           impl_->event.data.scalar.style != YAML_DOUBLE_QUOTED_SCALAR_STYLE || CheckQuoted(*event);
  }
  if (event->tag.empty() && HasNonSpecificTag(*event)) event->tag = "!";
  if (flow_depth_ != 0 && event->value.find('?') != std::string_view::npos) {
    // Go parity: a question mark ends a plain scalar in flow context and starts a key.
    FailAt(impl_->parser.state == YAML_PARSE_FLOW_SEQUENCE_ENTRY_STATE
               ? "did not find expected ',' or ']'"
               : "did not find expected ',' or '}'",
           event->start, false, base::ErrorCode::kSyntax);
    return false;
  }
  return true;
}

// libyaml drops the tag `!`, which makes a plain scalar a string. Only scalars whose source is
// longer than their value can carry one.
bool EventReader::HasNonSpecificTag(const Event& event) {
  const std::size_t written = event.end.index - event.start.index;
  if (written <= event.value.size() && written == base::CountCodePoints(event.value)) return false;
  std::size_t at = ByteOffset(event.start.index);
  // Properties come in any order: `&a ! x` and `! &a x`.
  if (at < text_.size() && text_[at] == '&') {
    while (at < text_.size() && text_[at] != ' ' && text_[at] != '\t' && text_[at] != '\n') ++at;
    while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
  }
  return at < text_.size() && text_[at] == '!';
}

// Go's reader does not know the escape `\/`.
bool EventReader::CheckQuoted(const Event& event) {
  const std::size_t from = ByteOffset(event.start.index);
  const std::size_t to = ByteOffset(event.end.index);
  Mark mark = event.start;
  for (std::size_t i = from; i < to; ++i) {
    const char c = text_[i];
    if (c == '\\' && i + 1 < to) {
      if (text_[i + 1] == '/') {
        FailAt("found unknown escape character", mark, true, base::ErrorCode::kSyntax);
        return false;
      }
      ++i;
      ++mark.column;
    }
    if (text_[i] == '\n') {
      ++mark.line;
      mark.column = 0;
    } else if ((static_cast<unsigned char>(text_[i]) & 0xC0U) != 0x80U) {
      ++mark.column;
    }
  }
  return true;
}

}  // namespace portcullis::yaml
