#include "input/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/suggest.h"

namespace portcullis::input {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFolderDepth = 256;
constexpr std::uint64_t kMaxSpool = std::uint64_t{4} << 30;

bool HasManifestExtension(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

bool IsGlob(std::string_view path) { return path.find_first_of("*?[") != std::string_view::npos; }

// Names of a folder in byte order; hidden ones left out.
std::vector<fs::path> SortedEntries(const fs::path& folder, std::error_code* error) {
  std::vector<fs::path> entries;
  fs::directory_iterator it(folder, fs::directory_options::none, *error);
  for (; !*error && it != fs::directory_iterator(); it.increment(*error)) {
    if (!it->path().filename().string().starts_with('.')) entries.push_back(it->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

class Expander {
 public:
  explicit Expander(Diagnostics* diagnostics) : diagnostics_(*diagnostics) {}

  void Add(const std::string& path) {
    folders_.clear();
    if (path == "-") {
      AddStdin();
      return;
    }
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::exists(status)) {
      AddExisting(path, status);
    } else if (path.ends_with("/...")) {
      Add(path.substr(0, path.size() - 4));
    } else if (IsGlob(path)) {
      AddGlob(path);
    } else {
      FailMissing(path);
    }
  }

  std::vector<InputFile> Take() { return std::move(files_); }

 private:
  void Fail(const std::string& path, base::ErrorCode code, std::string message,
            std::string hint = {}) {
    base::Error error(code, std::move(message));
    error.span.file = path;
    error.hint = std::move(hint);
    diagnostics_.push_back({Severity::kError, std::move(error)});
  }

  void FailMissing(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    const std::string name = fs::path(path).filename().string();
    std::error_code error;
    std::vector<std::string> names;
    for (const fs::path& entry : SortedEntries(folder.empty() ? "." : folder, &error)) {
      names.push_back(entry.filename().string());
    }
    std::string hint;
    if (const std::string_view near = base::ClosestName(name, names);
        !near.empty() && !name.empty()) {
      hint = "did you mean " + (folder / near).string() + "?";
    }
    Fail(path, base::ErrorCode::kNotFound, "open " + path + ": no such file or directory", hint);
  }

  void AddExisting(const std::string& path, const fs::file_status& status) {
    if (!fs::is_directory(status)) {
      AddFile(path, status);
      return;
    }
    const std::size_t before = found_;
    AddFolder(path, 0);
    if (found_ == before) {
      Fail(path, base::ErrorCode::kNotFound, "the folder holds no .yaml, .yml or .json file");
    }
  }

  void AddFolder(const fs::path& folder, int depth) {
    if (!EnterFolder(folder)) return;
    std::error_code error;
    for (const fs::path& entry : SortedEntries(folder, &error)) {
      std::error_code status_error;
      const fs::file_status status = fs::status(entry, status_error);
      if (fs::is_directory(status)) {
        if (depth < kMaxFolderDepth) AddFolder(entry, depth + 1);
      } else if (!HasManifestExtension(entry)) {
        continue;
      } else if (fs::exists(status) && !fs::is_regular_file(status)) {
        // Reading a pipe that nobody named could wait for ever.
        ++found_;
        Fail(entry.string(), base::ErrorCode::kIo, "neither a file nor a folder: it was not read",
             "name it itself if it is meant");
      } else {
        AddFile(entry.string(), status, true);
      }
    }
    if (error)
      Fail(folder.string(), base::ErrorCode::kIo,
           "open " + folder.string() + ": " + error.message());
  }

  // Links may lead back up, and several ways to one folder.
  bool EnterFolder(const fs::path& folder) {
    std::error_code error;
    const fs::path canonical = fs::canonical(folder, error);
    return error || folders_.insert(canonical.string()).second;
  }

  void AddFile(const std::string& path, const fs::file_status& status, bool from_folder = false) {
    ++found_;
    if (fs::is_regular_file(status)) {
      std::error_code error;
      const fs::path canonical = fs::canonical(path, error);
      if (!error && !seen_.insert(canonical.string()).second) return;
      struct stat info{};
      if (::stat(path.c_str(), &info) != 0) {
        Fail(path, base::ErrorCode::kIo, "open " + path + ": " + std::strerror(errno));
        return;
      }
      files_.push_back({path, static_cast<std::uint64_t>(info.st_size), nullptr, from_folder});
      return;
    }
    // Pipes and devices (process substitution) can be read only once.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
      Fail(path, base::ErrorCode::kIo, "open " + path + ": " + std::strerror(errno));
      return;
    }
    AddSpool(path, fd);
    ::close(fd);
  }

  void AddStdin() {
    if (seen_.insert("-").second) AddSpool("-", STDIN_FILENO);
  }

  void AddSpool(const std::string& path, int source) {
    std::string name = "/tmp/portcullis-XXXXXX";
    if (const char* folder = std::getenv("TMPDIR"); folder != nullptr && *folder != '\0') {
      name = std::string(folder) + "/portcullis-XXXXXX";
    }
    const int fd = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd < 0) {
      Fail(path, base::ErrorCode::kIo,
           "cannot create a temporary file: " + std::string(std::strerror(errno)));
      return;
    }
    ::unlink(name.c_str());
    auto spool = std::make_shared<const Spool>(fd);
    std::vector<char> buffer(std::size_t{1} << 16);
    std::uint64_t size = 0;
    bool is_utf16 = false;
    for (;;) {
      const ssize_t got = ::read(source, buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) break;
      if (got < 0 || !WriteAll(fd, buffer.data(), static_cast<std::size_t>(got))) {
        Fail(path, base::ErrorCode::kIo, "read " + path + ": " + std::strerror(errno));
        return;
      }
      const std::string_view block(buffer.data(), static_cast<std::size_t>(got));
      if (size == 0) is_utf16 = block.starts_with("\xFF\xFE") || block.starts_with("\xFE\xFF");
      size += block.size();
      // The reader will say where it is; an endless device must not fill the disk first.
      if (!is_utf16 && block.find('\0') != std::string_view::npos) break;
      if (size > kMaxSpool) {
        Fail(path, base::ErrorCode::kResourceLimit, "read " + path + ": more than 4 GiB",
             "inputs of this size must be files");
        return;
      }
    }
    files_.push_back({path, size, std::move(spool), false});
  }

  static bool WriteAll(int fd, const char* data, std::size_t size) {
    while (size != 0) {
      const ssize_t put = ::write(fd, data, size);
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      data += put;
      size -= static_cast<std::size_t>(put);
    }
    return true;
  }

  void AddGlob(const std::string& pattern) {
    std::vector<std::string> segments;
    const bool absolute = pattern.starts_with('/');
    for (std::size_t at = absolute ? 1 : 0; at <= pattern.size();) {
      const std::size_t end = std::min(pattern.find('/', at), pattern.size());
      if (end != at) segments.push_back(pattern.substr(at, end - at));
      at = end + 1;
    }
    const std::size_t before = found_;
    WalkGlob(absolute ? "/" : "", segments, 0, 0);
    if (found_ == before) {
      Fail(pattern, base::ErrorCode::kNotFound, "no file matches " + pattern);
    }
  }

  void WalkGlob(const fs::path& at, const std::vector<std::string>& segments, std::size_t next,
                int depth) {
    if (next == segments.size()) {
      std::error_code error;
      const fs::file_status status = fs::status(at, error);
      if (fs::is_directory(status)) {
        AddFolder(at, depth);
      } else if (fs::exists(status)) {
        AddFile(at.string(), status);
      }
      return;
    }
    const std::string& segment = segments[next];
    if (!IsGlob(segment)) {
      WalkGlob(at / segment, segments, next + 1, depth);
      return;
    }
    const bool any_depth = segment == "**";
    if (any_depth && next + 1 < segments.size()) WalkGlob(at, segments, next + 1, depth);
    std::error_code error;
    for (const fs::path& entry : SortedEntries(at.empty() ? "." : at, &error)) {
      const fs::path path = at / entry.filename();
      std::error_code status_error;
      const bool is_folder = fs::is_directory(fs::status(path, status_error));
      if (any_depth) {
        if (is_folder && depth < kMaxFolderDepth && !fs::is_symlink(entry)) {
          WalkGlob(path, segments, next, depth + 1);
        } else if (next + 1 == segments.size() && HasManifestExtension(path)) {
          AddFile(path.string(), fs::status(path, status_error));
        }
      } else if ((is_folder || next + 1 == segments.size()) &&
                 MatchSegment(segment, entry.filename().string())) {
        WalkGlob(path, segments, next + 1, depth);
      }
    }
  }

  Diagnostics& diagnostics_;
  std::vector<InputFile> files_;
  std::set<std::string> seen_;
  std::set<std::string> folders_;  // below the current path
  std::size_t found_ = 0;
};

// Matches `[...]` at pattern[*p]; moves *p behind it. An unclosed bracket is an ordinary character.
bool MatchClass(std::string_view pattern, std::size_t* p, char c) {
  std::size_t at = *p + 1;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  const std::size_t close = pattern.find(']', at + 1);
  if (close == std::string_view::npos) {
    ++*p;
    return c == '[';
  }
  bool in_class = false;
  while (at < close) {
    const char low = pattern[at];
    char high = low;
    if (at + 2 < close && pattern[at + 1] == '-') {
      high = pattern[at + 2];
      at += 2;
    }
    ++at;
    in_class = in_class || (low <= c && c <= high);
  }
  *p = close + 1;
  return in_class != negated;
}

}  // namespace

Spool::~Spool() { ::close(fd_); }

bool MatchSegment(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (n < name.size()) {
    std::size_t next = p;
    bool matches = false;
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
      continue;
    }
    if (p < pattern.size()) {
      if (pattern[p] == '[') {
        matches = MatchClass(pattern, &next, name[n]);
      } else {
        matches = pattern[p] == '?' || pattern[p] == name[n];
        ++next;
      }
    }
    if (matches) {
      p = next;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<InputFile> ExpandPaths(std::span<const std::string> paths, Diagnostics* diagnostics) {
  Expander expander(diagnostics);
  for (const std::string& path : paths) expander.Add(path);
  return expander.Take();
}

}  // namespace portcullis::input
