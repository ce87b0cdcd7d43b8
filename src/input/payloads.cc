#include "input/payloads.h"

#include "input/files.h"
#include "input/text_window.h"
#include "json/reader.h"
#include "yaml/reader.h"
#include "yaml/split.h"

namespace portcullis::input {
namespace {

bool HasFormat(const InputFile& file) {
  const std::string_view path = file.path;
  return file.spool != nullptr || path.ends_with(".json") || path.ends_with(".yaml") ||
         path.ends_with(".yml");
}

}  // namespace

void Payloads::Read(std::span<const std::string> paths) {
  for (const InputFile& file : ExpandPaths(paths, &diagnostics_)) {
    const std::string_view name = arena_.CopyString(file.path);
    if (!HasFormat(file)) {
      Report(name, 0, "unrecognized payload format, must be yaml or json (" + file.path + ")");
      continue;
    }
    TextWindow window;
    base::Result<void> read = window.Open(file);
    while (read.ok() && !window.at_end()) read = window.ReadMore();
    if (read.ok()) {
      ReadText(name, arena_.CopyString(window.text()));
    } else {
      diagnostics_.push_back({Severity::kError, read.TakeError()});
    }
  }
}

void Payloads::ReadText(std::string_view file, std::string_view text) {
  // JSON is read as JSON: its numbers have no YAML meaning.
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Report(file, 0, "the file is empty");
  if (text[first] == '{' || text[first] == '[') {
    json::ReadOptions options;
    options.input_outlives = true;
    options.strict = true;
    if (auto root = json::Parse(text, arena_, options); root.ok()) return Add(file, text, 1, *root);
  }
  yaml::Splitter splitter(text);
  yaml::Chunk chunk;
  for (;;) {
    const base::Result<bool> more = splitter.Next(&chunk);
    if (!more.ok()) return Report(file, chunk.first_line, more.error().message);
    if (!*more) return;
    if (!chunk.has_content) continue;
    yaml::ReadOptions options;
    options.strict = true;
    options.first_line = chunk.first_line;
    auto root = yaml::Parse(chunk.text, arena_, options);
    if (root.ok()) {
      Add(file, chunk.text, chunk.first_line, *root);
    } else {
      base::Error error = root.TakeError();
      error.span.file = file;
      diagnostics_.push_back({Severity::kError, std::move(error)});
    }
  }
}

void Payloads::Add(std::string_view file, std::string_view text, std::uint32_t first_line,
                   const doc::Value& root) {
  const auto add = [&](const doc::Value& value, doc::Path prefix) {
    if (!value.is_map()) {
      Report(file, first_line, "JSON payload " + std::string(file) + " must be an object");
      return;
    }
    Document& document = documents_.emplace_back();
    document.file = file;
    document.text = text;
    document.first_line = first_line;
    document.prefix = std::move(prefix);
    document.root = value;
  };
  if (!root.is_list()) return add(root, {});
  for (std::size_t i = 0; i < root.size(); ++i) {
    add(root.as_list()[i], {doc::PathStep(static_cast<std::int64_t>(i))});
  }
}

void Payloads::Report(std::string_view file, std::uint32_t line, std::string message) {
  base::Error error(base::ErrorCode::kInvalid, std::move(message));
  error.span.file = file;
  error.span.line = line;
  diagnostics_.push_back({Severity::kError, std::move(error)});
}

}  // namespace portcullis::input
