#include "embed/documents.h"

#include <string>
#include <utility>

#include "json/reader.h"
#include "yaml/reader.h"
#include "yaml/split.h"

namespace portcullis::embed {
namespace {

using doc::Value;
using input::Document;
using input::Severity;

constexpr std::string_view kBlank = " \t\r\n";
constexpr int kMaxListDepth = 16;

class Reader {
 public:
  Reader(std::string_view file, Documents& out) : file_(file), out_(out) {}

  void TakeRoot(std::string_view text, std::uint32_t first_line, const Value& root) {
    base_.file = file_;
    base_.text = text;
    base_.first_line = first_line;
    Take(root, {}, 0);
  }

  void Report(Severity severity, base::Error error) {
    error.span.file = std::string(file_);
    out_.problems.push_back({severity, std::move(error)});
  }

 private:
  void Take(const Value& value, doc::Path prefix, int depth) {
    Document document = base_;
    document.prefix = std::move(prefix);
    document.root = value;
    if (value.is_list() && document.prefix.empty()) {
      TakeItems(document, value, depth);
      return;
    }
    if (!value.is_map()) {
      ReportAt(document, {}, {base::ErrorCode::kInvalid, "an object is expected"});
      return;
    }
    document.api_version = value.StringAt("apiVersion");
    document.kind = value.StringAt("kind");
    for (const char* field : {"apiVersion", "kind"}) {
      if (!value.StringAt(field).empty()) continue;
      const doc::PathStep step[] = {doc::PathStep(field)};
      ReportAt(
          document, step,
          {base::ErrorCode::kRequired, "Object '" + std::string(field) + "' is missing", field});
      return;
    }
    const Value* items = value.Find("items");
    if (document.kind.ends_with("List") && items != nullptr &&
        (items->is_list() || items->is_null())) {
      document.prefix.emplace_back("items");
      TakeItems(document, *items, depth);
      return;
    }
    document.role = input::RoleOf(document.api_version, document.kind);
    out_.objects.push_back(std::move(document));
  }

  void TakeItems(const Document& list, const Value& items, int depth) {
    if (depth >= kMaxListDepth) {
      ReportAt(list, {}, {base::ErrorCode::kResourceLimit, "lists are nested too deeply"});
      return;
    }
    if (!items.is_list() || items.size() == 0) {
      ReportAt(list, {}, {base::ErrorCode::kInvalid, "the list has no items"}, Severity::kWarning);
      return;
    }
    for (std::size_t i = 0; i < items.size(); ++i) {
      doc::Path prefix = list.prefix;
      prefix.emplace_back(static_cast<std::int64_t>(i));
      Take(items.as_list()[i], std::move(prefix), depth + 1);
    }
  }

  void ReportAt(const Document& document, doc::PathView path, base::Error error,
                Severity severity = Severity::kError) {
    error.span = document.Locate(path);
    Report(severity, std::move(error));
  }

  std::string_view file_;
  Documents& out_;
  Document base_;
};

// True if the text is to be read as JSON. Text that only resembles it may be flow-style YAML.
bool ReadAsJson(std::string_view text, base::Arena& arena, base::Result<Value>* out) {
  const std::size_t start = text.find_first_not_of(kBlank);
  if (start == std::string_view::npos || (text[start] != '{' && text[start] != '[')) return false;
  *out = json::Parse(text, arena, {.input_outlives = true, .strict = true});
  // Bad as data, not as text: YAML would see the same.
  return out->ok() || out->error().code != base::ErrorCode::kSyntax;
}

}  // namespace

Documents ReadDocuments(std::string_view text, std::string_view file, base::Arena& arena) {
  Documents out;
  Reader reader(file, out);
  base::Result<Value> json = Value();
  if (ReadAsJson(text, arena, &json)) {
    if (json.ok()) {
      reader.TakeRoot(text, 1, *json);
    } else {
      reader.Report(Severity::kError, json.TakeError());
    }
    return out;
  }
  yaml::Splitter splitter(text);
  yaml::Chunk chunk;
  bool has_content = false;
  while (true) {
    auto more = splitter.Next(&chunk);
    if (!more.ok()) {
      reader.Report(Severity::kError, more.TakeError());
      break;
    }
    if (!*more) break;
    if (!chunk.has_content) continue;
    auto document =
        yaml::Parse(chunk.text, arena, {.strict = true, .first_line = chunk.first_line});
    if (!document.ok()) {
      // What begins as JSON does is explained best by the JSON reader.
      const bool explained = !has_content && !json.ok();
      reader.Report(Severity::kError, explained ? json.TakeError() : document.TakeError());
    } else if (!document->is_null()) {  // a lone separator is a null document: nothing was meant
      reader.TakeRoot(chunk.text, chunk.first_line, *document);
    }
    has_content = true;
  }
  if (out.objects.empty() && out.problems.empty()) {
    base::Error error(base::ErrorCode::kRequired,
                      text.empty() ? "the text is empty" : "the text holds no object");
    error.span.line = 1;
    error.span.column = 1;
    reader.Report(Severity::kError, std::move(error));
  }
  return out;
}

base::Result<Value> ReadValue(std::string_view text, base::Arena& arena) {
  base::Result<Value> json = Value();
  if (ReadAsJson(text, arena, &json)) return json;
  return yaml::Parse(text, arena, {.strict = true});
}

}  // namespace portcullis::embed
