#include "cli/test_source.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "yaml/reader.h"
#include "yaml/split.h"

namespace portcullis::cli {
namespace {

// Test files are written by hand; more than this is a mistake.
constexpr std::size_t kMaxBytes = std::size_t{64} << 20;

base::Result<std::string> ReadFile(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  const auto fail = [&] {
    return base::Error(errno == ENOENT ? base::ErrorCode::kNotFound : base::ErrorCode::kIo,
                       std::strerror(errno));
  };
  if (file == nullptr) return fail();
  std::string text;
  char buffer[65536];
  std::size_t got = 0;
  while ((got = std::fread(buffer, 1, sizeof buffer, file)) != 0 && text.size() <= kMaxBytes) {
    text.append(buffer, got);
  }
  const bool failed = std::ferror(file) != 0;
  base::Error error = failed ? fail() : base::Error();
  std::fclose(file);
  if (failed) return error;
  if (text.size() > kMaxBytes) {
    return base::Error(base::ErrorCode::kResourceLimit, "the file is larger than 64 MiB");
  }
  return text;
}

}  // namespace

base::SourceSpan TestSource::Document::Locate(const std::string& path) const {
  if (!locator_) locator_.emplace(text_, first_line_);
  const auto parsed = doc::ParsePath(path);
  const doc::PathLocation at =
      locator_->Find(parsed.ok() ? doc::PathView(parsed.value()) : doc::PathView());
  return {file_, at.key.line, at.key.column};
}

void TestSource::Document::Report(const testfile::Problems& problems, DiagnosticSink& sink) const {
  for (base::Error error : problems.warnings) {
    error.span = Locate(error.path);
    sink.Warning(error);
  }
  for (base::Error error : problems.errors) {
    error.span = Locate(error.path);
    sink.Error(error);
  }
}

TestSource::TestSource(std::string path, DiagnosticSink& sink) : path_(std::move(path)) {
  const auto fail = [&](base::Error error) {
    error.span.file = path_;
    sink.Error(error);
    readable_ = false;
  };
  auto text = ReadFile(path_);
  if (!text.ok()) {
    fail(text.TakeError());
    return;
  }
  text_ = std::move(*text);
  yaml::Splitter splitter(text_);
  yaml::Chunk chunk;
  while (true) {
    auto more = splitter.Next(&chunk);
    if (!more.ok()) {
      fail(more.TakeError());
      return;
    }
    if (!*more) return;
    if (!chunk.has_content) continue;
    yaml::ReadOptions options;
    options.strict = true;
    options.first_line = chunk.first_line;
    auto root = yaml::Parse(chunk.text, arena_, options);
    if (!root.ok()) {
      fail(root.TakeError());
      continue;
    }
    if (!root->is_null()) documents_.emplace_back(path_, chunk.text, chunk.first_line, *root);
  }
}

}  // namespace portcullis::cli
