#include "cli/mutated_output.h"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "doc/equal.h"
#include "doc/path.h"
#include "json/writer.h"
#include "yaml/writer.h"

namespace portcullis::cli {
namespace {

using doc::Value;

base::Error Failed(const std::string& path, const char* what) {
  base::Error error(base::ErrorCode::kIo, std::string(what) + ": " + std::strerror(errno));
  error.span.file = path;
  return error;
}

// Names come from manifests: nothing in them may lead out of the folder.
std::string FileName(std::string_view name, std::string_view suffix) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_' || (c == '.' && !out.empty());
    out += plain ? c : '_';
  }
  constexpr std::size_t kMaxName = 200;
  if (out.size() > kMaxName) out.resize(kMaxName);
  return (out.empty() ? "object" : out) + std::string(suffix);
}

void Compare(const Value* before, const Value* after, const std::string& path, int depth,
             std::vector<report::Change>& out) {
  constexpr int kMaxDepth = 200;
  if (before != nullptr && after != nullptr) {
    if (doc::DataEqual(*before, *after)) return;
    if (before->is_map() && after->is_map() && depth < kMaxDepth) {
      const auto below = [&](const Value& key) {
        std::string place = path;
        doc::AppendStep(&place, doc::PathStep(std::string(key.as_string())));
        return place;
      };
      for (const doc::MapEntry& entry : before->as_map()) {
        Compare(&entry.value, after->Find(entry.key.as_string()), below(entry.key), depth + 1, out);
      }
      for (const doc::MapEntry& entry : after->as_map()) {
        if (before->Find(entry.key.as_string()) == nullptr) {
          Compare(nullptr, &entry.value, below(entry.key), depth + 1, out);
        }
      }
      return;
    }
    if (before->is_list() && after->is_list() && before->size() <= after->size() &&
        depth < kMaxDepth) {
      for (std::size_t i = 0; i < after->size(); ++i) {
        std::string place = path;
        doc::AppendStep(&place, doc::PathStep(static_cast<std::int64_t>(i)));
        const Value* old = i < before->size() ? &before->as_list()[i] : nullptr;
        Compare(old, &after->as_list()[i], place, depth + 1, out);
      }
      return;
    }
  }
  report::Change change;
  change.path = path;
  if (before != nullptr) change.before = json::ToString(*before);
  if (after != nullptr) change.after = json::ToString(*after);
  out.push_back(std::move(change));
}

}  // namespace

MutatedOutput::MutatedOutput(std::string path) : path_(std::move(path)) {
  is_file_ = path_.ends_with(".yaml") || path_.ends_with(".yml");
}

MutatedOutput::~MutatedOutput() {
  if (file_ != nullptr) std::fclose(file_);
}

base::Result<void> MutatedOutput::Open() {
  if (path_.empty()) return {};
  if (is_file_) {
    file_ = std::fopen(path_.c_str(), "w");
    if (file_ == nullptr) return Failed(path_, "cannot write the file");
    return {};
  }
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (!std::filesystem::is_directory(path_, error)) {
    errno = error ? error.value() : ENOTDIR;
    return Failed(path_, "cannot create the folder");
  }
  return {};
}

base::Result<void> MutatedOutput::Add(std::string_view name, std::string_view suffix,
                                      const Value& object) {
  if (path_.empty()) return {};
  const std::string text = yaml::ToString(object);
  if (is_file_) {
    if (count_++ != 0) std::fputs("---\n", file_);
    std::fwrite(text.data(), 1, text.size(), file_);
    if (std::fflush(file_) != 0) return Failed(path_, "cannot write the file");
    return {};
  }
  const std::string path = path_ + (path_.ends_with("/") ? "" : "/") + FileName(name, suffix);
  const bool is_new = names_.insert(path).second;
  std::FILE* file = std::fopen(path.c_str(), is_new ? "w" : "a");
  if (file == nullptr) return Failed(path, "cannot write the file");
  if (!is_new) std::fputs("---\n", file);
  std::fwrite(text.data(), 1, text.size(), file);
  if (std::fclose(file) != 0) return Failed(path, "cannot write the file");
  return {};
}

std::vector<report::Change> Changes(const Value& before, const Value& after) {
  std::vector<report::Change> out;
  Compare(&before, &after, "", 0, out);
  return out;
}

}  // namespace portcullis::cli
