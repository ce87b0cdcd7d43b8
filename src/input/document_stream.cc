#include "input/document_stream.h"

#include <algorithm>
#include <array>

#include "base/suggest.h"
#include "doc/edit.h"
#include "json/reader.h"
#include "yaml/reader.h"

namespace portcullis::input {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::size_t kMaxListDepth = 16;
constexpr std::size_t kNotBalanced = std::string_view::npos;

// Whether text that begins with `{` or `[` can be JSON (flow-style YAML begins alike).
bool CanBeJson(std::string_view text) {
  const char open = text.front();
  const std::size_t next = text.find_first_not_of(kBlank, 1);
  if (next == std::string_view::npos) return false;
  const char c = text[next];
  if (open == '{') return c == '"' || c == '}';
  return std::string_view("{[\"]-0123456789tfn").find(c) != std::string_view::npos &&
         !text.substr(next).starts_with("- ");
}

// The offset behind the bracket that closes the one at the front.
std::size_t BalancedEnd(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        if (--depth == 0) return i + 1;
        break;
      case '"':
        for (++i; i < text.size() && text[i] != '"'; ++i) {
          if (text[i] == '\\') ++i;
        }
        break;
      default:
        break;
    }
  }
  return kNotBalanced;
}

std::string_view TypeName(const doc::Value& value) {
  switch (value.tag()) {
    case doc::Tag::kBool:
      return "a boolean";
    case doc::Tag::kString:
      return "a string";
    case doc::Tag::kList:
      return "a list";
    default:
      return value.is_number() ? "a number" : "null";
  }
}

// Where an offset of a text is, as span of a file.
base::SourceSpan SpanOf(const Document& document) { return document.Locate({}); }

}  // namespace

DocumentStream::DocumentStream(std::vector<InputFile> files, const StreamOptions& options)
    : files_(std::move(files)) {
  std::uint64_t total = 0;
  for (const InputFile& file : files_) total += file.size;
  keep_ = total <= options.keep_limit;
}

void DocumentStream::Report(Severity severity, base::Error error) {
  if (++file_problems_ > kMaxFileProblems) {
    if (file_problems_ != kMaxFileProblems + 1) return;
    error = base::Error(base::ErrorCode::kResourceLimit,
                        "the file has more problems than are shown here");
    error.span.file = file_ != nullptr ? file_->path : std::string(base_.file);
    severity = Severity::kError;
  }
  const std::string key = error.span.ToString() + '\n' + error.path + '\n' + error.message;
  if (reported_.insert(key).second) diagnostics_.push_back({severity, std::move(error)});
}

void DocumentStream::Rewind() {
  replay_ = 0;
  if (keep_) return;
  CloseFile();
  next_file_ = 0;
  has_root_ = false;
  lists_.clear();
}

bool DocumentStream::Next(Document* out, const HeadFilter& filter) {
  if (!keep_) return Produce(out, filter);
  for (;;) {
    if (replay_ == kept_.size()) {
      Document document;
      if (!Produce(&document, {})) return false;
      kept_.push_back(std::move(document));
    }
    const Document& document = kept_[replay_++];
    if (!filter || filter(document.api_version, document.kind)) {
      *out = document;
      return true;
    }
  }
}

bool DocumentStream::Produce(Document* out, const HeadFilter& filter) {
  do {
    while (NextItem(out)) {
      if (!filter || filter(out->api_version, out->kind)) return true;
    }
  } while (NextRoot(filter));
  return false;
}

// The next object of the current root: itself, or the items of the lists in it.
bool DocumentStream::NextItem(Document* out) {
  if (has_root_) {
    has_root_ = false;
    *out = base_;
    if (Accept(out)) return true;
  }
  while (!lists_.empty()) {
    OpenList& list = lists_.back();
    if (list.next == list.items.size()) {
      lists_.pop_back();
      continue;
    }
    *out = base_;
    out->prefix = list.prefix;
    out->prefix.emplace_back(static_cast<std::int64_t>(list.next));
    out->root = list.items.as_list()[list.next++];
    if (out->root.is_map() && !list.item_kind.empty()) {
      if (out->root.Find("apiVersion") == nullptr) {
        out->root = doc::WithEntry(arena_, out->root, "apiVersion",
                                   doc::MakeString(arena_, list.item_api_version));
      }
      if (out->root.Find("kind") == nullptr) {
        out->root =
            doc::WithEntry(arena_, out->root, "kind", doc::MakeString(arena_, list.item_kind));
      }
    }
    if (Accept(out)) return true;
  }
  if (root_problems_ > kMaxRootProblems) {
    base::Error error(base::ErrorCode::kInvalid, std::to_string(root_problems_ - kMaxRootProblems) +
                                                     " more items of the list cannot be used");
    error.span = SpanOf(base_);
    root_problems_ = 0;
    Report(Severity::kError, std::move(error));
  }
  return false;
}

// Fills in what a document says about itself; false if it is none to hand out.
bool DocumentStream::Accept(Document* document) {
  if (document->root.is_list() && document->prefix.empty()) return OpenItems(*document);
  if (!document->root.is_map()) {
    if (!TellsMore()) return false;
    base::Error error(base::ErrorCode::kInvalid,
                      document->prefix.empty() ? "document is " : "list item is ");
    error.message += TypeName(document->root);
    error.message += ", not an object";
    error.path = doc::RenderPath(document->prefix);
    error.span = SpanOf(*document);
    Report(Severity::kError, std::move(error));
    return false;
  }
  document->api_version = document->root.StringAt("apiVersion");
  document->kind = document->root.StringAt("kind");
  if (document->api_version.empty() || document->kind.empty()) {
    ReportUntyped(*document);
    return false;
  }
  const doc::Value* items = document->root.Find("items");
  if (document->kind.ends_with("List") && items != nullptr &&
      (items->is_list() || items->is_null())) {
    return OpenItems(*document);
  }
  document->role = RoleOf(document->api_version, document->kind);
  return true;
}

bool DocumentStream::OpenItems(const Document& document) {
  OpenList list;
  list.prefix = document.prefix;
  list.items = document.root;
  if (document.root.is_map()) {
    list.items = *document.root.Find("items");
    list.prefix.emplace_back("items");
    if (document.kind != "List") {
      list.item_api_version = document.api_version;
      list.item_kind = document.kind.substr(0, document.kind.size() - 4);
    }
  }
  base::Error error(base::ErrorCode::kInvalid, "the list has no items");
  if (lists_.size() >= kMaxListDepth) {
    error = base::Error(base::ErrorCode::kResourceLimit, "lists are nested too deeply");
  } else if (list.items.is_list() && list.items.size() != 0) {
    lists_.push_back(std::move(list));
    return false;
  }
  error.span = SpanOf(document);
  Report(error.code == base::ErrorCode::kInvalid ? Severity::kWarning : Severity::kError,
         std::move(error));
  return false;
}

void DocumentStream::ReportUntyped(const Document& document) {
  if (!TellsMore()) return;
  const bool no_kind = document.kind.empty();
  const std::string_view missing = no_kind ? "kind" : "apiVersion";
  base::Error error(base::ErrorCode::kRequired,
                    no_kind ? "Object 'Kind' is missing" : "Object 'apiVersion' is missing",
                    std::string(missing));
  error.span = SpanOf(document);
  std::vector<std::string> keys;
  for (const doc::MapEntry& entry : document.root.as_map()) {
    const std::string_view key = entry.key.as_string();
    if (key != "kind" && key != "apiVersion" && key.size() < 32) keys.emplace_back(key);
  }
  const doc::Value* present = document.root.Find(missing);
  const std::string_view near = base::ClosestName(missing, keys);
  if (present != nullptr) {
    error.message = "field '" + std::string(missing) + "' must be a non-empty string";
    error.code = base::ErrorCode::kInvalid;
  } else if (!near.empty()) {
    error.hint =
        "did you mean `" + std::string(missing) + "` instead of `" + std::string(near) + "`?";
  } else if (base_.text.find("{{") != std::string_view::npos) {
    error.hint = "this may be a template that was not rendered";
  }
  const doc::PathStep step[] = {present != nullptr ? doc::PathStep(std::string(missing))
                                                   : doc::PathStep(std::string(near))};
  if (present != nullptr || !near.empty()) error.span = document.Locate(step);
  // Folders hold other YAML too (values files, chart metadata): only what the user named must be
  // an object.
  const bool is_other_file = file_ != nullptr && file_->from_folder && near.empty() &&
                             document.root.Find("kind") == nullptr &&
                             document.root.Find("apiVersion") == nullptr;
  Report(is_other_file ? Severity::kWarning : Severity::kError, std::move(error));
}

// ---- reading roots --------------------------------------------------------------------------

bool DocumentStream::More() {
  base::Result<void> more = window_.ReadMore();
  if (more.ok()) return true;
  Report(Severity::kError, more.TakeError());
  file_has_object_ = true;
  CloseFile();
  return false;
}

bool DocumentStream::OpenFile() {
  while (next_file_ < files_.size()) {
    file_ = &files_[next_file_++];
    file_has_content_ = false;
    file_has_object_ = false;
    file_problems_ = 0;
    after_json_ = false;
    base::Result<void> opened = window_.Open(*file_);
    if (opened.ok()) return true;
    Report(Severity::kError, opened.TakeError());
  }
  file_ = nullptr;
  return false;
}

void DocumentStream::CloseFile() {
  window_.Close();
  file_ = nullptr;
}

// An input without a single object must not pass in silence.
void DocumentStream::FinishFile() {
  if (!file_has_object_) {
    base::Error error(base::ErrorCode::kRequired, "the file is empty");
    if (file_has_content_) {
      error.message = "the file holds no object, only document separators";
    } else if (file_->size != 0) {
      error.message = "the file holds only comments and blank lines";
    }
    error.span.file = file_->path;
    error.span.line = 1;
    error.span.column = 1;
    Report(Severity::kError, std::move(error));
  }
  CloseFile();
}

// Reads on until a root waits in base_; false at the end of the last file.
bool DocumentStream::NextRoot(const HeadFilter& filter) {
  for (;;) {
    if (file_ == nullptr && !OpenFile()) return false;
    if (!keep_) arena_.Reset();
    const std::size_t start = window_.text().find_first_not_of(kBlank);
    if (start == std::string_view::npos) {
      if (window_.at_end()) {
        FinishFile();
      } else {
        window_.Consume(window_.text().size());
        More();
      }
      continue;
    }
    if (after_json_ && SkipGarbage()) continue;
    // Blank lines before a document only move its first line.
    const std::size_t line_feed = window_.text().substr(0, start).rfind('\n');
    if (line_feed != std::string_view::npos) window_.Consume(line_feed + 1);

    const std::string_view text = window_.text().substr(window_.text().find_first_not_of(kBlank));
    bool handled = false;
    if (text.front() == '{' || text.front() == '[') {
      if (ReadJson(&handled)) return true;
      if (handled) continue;
    }
    if (ReadYaml(filter, nullptr)) return true;
  }
}

// Behind a JSON value only another one, a comment or a separator may come. True if something was
// skipped.
bool DocumentStream::SkipGarbage() {
  std::string_view text = window_.text();
  const std::size_t start = text.find_first_not_of(kBlank);
  const bool at_line_start = start == 0 ? window_.column() == 0 : text[start - 1] == '\n';
  const char first = text[start];
  // A separator may be cut off by the end of what was read.
  if (text.size() - start < 3 && !window_.at_end()) return More(), true;
  if (first == '{' || first == '[' || (at_line_start && text.substr(start).starts_with("---"))) {
    after_json_ = false;
    return false;
  }
  const bool is_comment = first == '#' && (start != 0 || at_line_start);
  if (is_comment) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos && !window_.at_end()) return More(), true;
    window_.Consume(std::min(end, text.size()));
    return true;
  }
  window_.Consume(start);
  base::Error error(base::ErrorCode::kSyntax, "content after the end of the JSON value");
  error.span.file = file_->path;
  error.span.line = window_.line();
  error.span.column = window_.column() + 1;
  error.hint =
      "only JSON values may follow each other; before YAML a line '---' is needed. What comes "
      "before the next such line was not read";
  Report(Severity::kError, std::move(error));
  for (;;) {
    text = window_.text();
    const std::size_t separator = text.find("\n---");
    if (separator != std::string_view::npos || window_.at_end()) {
      window_.Consume(std::min(separator, text.size()));
      after_json_ = false;
      return true;
    }
    window_.Consume(text.size() - std::min(text.size(), std::size_t{3}));
    if (!More()) return true;
  }
}

// One JSON value at the front of the window. `*handled` is false if the text must be YAML.
bool DocumentStream::ReadJson(bool* handled) {
  *handled = true;
  const std::size_t start = window_.text().find_first_not_of(kBlank);
  if (window_.text().find_first_not_of(kBlank, start + 1) == std::string_view::npos &&
      !window_.at_end()) {
    More();
    return false;
  }
  *handled = false;
  if (!CanBeJson(window_.text().substr(start))) return false;
  *handled = true;
  const std::size_t size = BalancedEnd(window_.text().substr(start));
  if (size == kNotBalanced && !window_.at_end()) {
    More();
    return false;
  }
  const std::size_t end = size == kNotBalanced ? window_.text().size() : start + size;
  const std::uint32_t line = window_.line();
  const std::uint32_t column = window_.column();
  std::string_view text = window_.text().substr(0, end);
  if (keep_) text = arena_.CopyString(text);
  base::Result<doc::Value> root =
      json::Parse(text, arena_, {.input_outlives = true, .strict = true});
  if (root.ok()) {
    window_.Consume(end);
    file_has_content_ = true;
    after_json_ = true;
    AcceptRoot(text, line, *root);
    base_.first_column = column;
    return true;
  }
  base::Error error = root.TakeError();
  error.span.file = file_->path;
  if (error.span.line == 1) error.span.column += column;
  error.span.line += line - 1;
  const std::size_t next = window_.text().find_first_not_of(kBlank, end);
  const bool more_json = next != std::string_view::npos &&
                         (window_.text()[next] == '{' || window_.text()[next] == '[');
  if (more_json || error.code != base::ErrorCode::kSyntax) {
    // A bad line among JSON lines, or JSON that is bad as data: the rest is still read.
    Report(Severity::kError, std::move(error));
    file_has_object_ = file_has_content_ = true;
    window_.Consume(end);
    return false;
  }
  return ReadYaml({}, &error);
}

// One YAML chunk at the front of the window. `json_error` is what reading it as JSON gave.
bool DocumentStream::ReadYaml(const HeadFilter& filter, const base::Error* json_error) {
  yaml::Chunk chunk;
  std::size_t consumed = 0;
  for (;;) {
    const std::string_view lines = window_.lines();
    yaml::Splitter splitter(lines, window_.line());
    base::Result<bool> more = splitter.Next(&chunk);
    if (!more.ok()) {
      base::Error error = more.TakeError();
      error.span.file = file_->path;
      error.hint = "a separator is a line of three dashes; the rest of the file was not read";
      Report(Severity::kError, std::move(error));
      file_has_object_ = true;
      CloseFile();
      return false;
    }
    consumed = lines.size() - splitter.rest().size();
    if (window_.at_end() || chunk.text.size() < lines.size()) break;
    if (!More()) return false;
  }
  // A text that begins like JSON may stand behind another on the line.
  const std::uint32_t line = window_.line();
  const std::uint32_t column = window_.column();
  window_.Consume(consumed);
  if (!chunk.has_content) return false;
  file_has_content_ = true;

  if (!keep_ && filter) {
    std::string_view api_version;
    std::string_view kind;
    if (ScanHead(chunk.text, &api_version, &kind) && !filter(api_version, kind)) {
      file_has_object_ = true;
      return false;
    }
  }
  const std::string_view text = keep_ ? arena_.CopyString(chunk.text) : chunk.text;
  base::Result<doc::Value> root =
      yaml::Parse(text, arena_, {.strict = true, .first_line = chunk.first_line});
  if (!root.ok()) {
    base::Error error = root.TakeError();
    if (error.span.line == line) error.span.column += column;
    if (json_error != nullptr) error = *json_error;
    error.span.file = file_->path;
    if (error.hint.empty() && text.find("{{") != std::string_view::npos) {
      error.hint = "this may be a template that was not rendered";
    }
    Report(Severity::kError, std::move(error));
    file_has_object_ = true;
    return false;
  }
  // A lone separator is a null document: nothing was meant.
  if (root->is_null()) return false;
  AcceptRoot(text, chunk.first_line, *root);
  if (chunk.first_line == line) base_.first_column = column;
  return true;
}

void DocumentStream::AcceptRoot(std::string_view text, std::uint32_t line, const doc::Value& root) {
  base_ = Document();
  base_.file = file_->path;
  base_.text = text;
  base_.first_line = line;
  base_.root = root;
  has_root_ = true;
  root_problems_ = 0;
  file_has_object_ = true;
}

}  // namespace portcullis::input
