#include "doc/path.h"

#include <algorithm>
#include <charconv>

namespace portcullis::doc {
namespace {

bool IsPlainKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '$';
  });
}

base::Error BadPath(std::string_view text, std::string_view problem) {
  return {base::ErrorCode::kSyntax,
          "invalid path \"" + std::string(text) + "\": " + std::string(problem)};
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.size() <= 18 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The quoted text at text[*at], which is the quote; *at moves behind the closing quote.
bool ReadQuoted(std::string_view text, std::size_t* at, std::string* out) {
  const char quote = text[(*at)++];
  for (; *at < text.size(); ++*at) {
    char c = text[*at];
    if (c == quote) {
      ++*at;
      return true;
    }
    if (c == '\\' && *at + 1 < text.size()) c = text[++*at];
    out->push_back(c);
  }
  return false;
}

}  // namespace

void AppendStep(std::string* path, const PathStep& step) {
  if (step.is_index()) {
    *path += '[' + std::to_string(step.index) + ']';
    return;
  }
  if (IsPlainKey(step.key)) {
    if (!path->empty()) *path += '.';
    *path += step.key;
    return;
  }
  *path += "[\"";
  for (const char c : step.key) {
    if (c == '"' || c == '\\') *path += '\\';
    *path += c;
  }
  *path += "\"]";
}

std::string RenderPath(PathView path) {
  std::string out;
  for (const PathStep& step : path) AppendStep(&out, step);
  return out;
}

base::Result<Path> ParsePath(std::string_view text) {
  Path path;
  std::size_t at = 0;
  if (text.starts_with("$") && (text.size() == 1 || text[1] == '.' || text[1] == '[')) at = 1;
  while (at < text.size()) {
    if (text[at] == '[') {
      ++at;
      if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
        std::string key;
        if (!ReadQuoted(text, &at, &key)) return BadPath(text, "a quote is not closed");
        if (at >= text.size() || text[at] != ']') return BadPath(text, "']' is missing");
        ++at;
        path.emplace_back(std::move(key));
        continue;
      }
      const std::size_t close = text.find(']', at);
      if (close == std::string_view::npos) return BadPath(text, "']' is missing");
      const std::string_view inside = text.substr(at, close - at);
      if (inside.empty()) return BadPath(text, "nothing between brackets");
      at = close + 1;
      if (IsNumber(inside)) {
        std::int64_t index = 0;
        std::from_chars(inside.data(), inside.data() + inside.size(), index);
        path.emplace_back(index);
      } else {
        path.emplace_back(std::string(inside));
      }
      continue;
    }
    if (text[at] == '.') {
      ++at;
    } else if (!path.empty()) {
      return BadPath(text, "'.' or '[' expected");
    }
    const std::size_t end = std::min(text.find_first_of(".[", at), text.size());
    if (end == at) return BadPath(text, "a key is empty");
    path.emplace_back(std::string(text.substr(at, end - at)));
    at = end;
  }
  return path;
}

const Value* Lookup(const Value& root, PathView path) {
  const Value* at = &root;
  for (const PathStep& step : path) {
    if (step.is_index()) {
      if (!at->is_list() || static_cast<std::uint64_t>(step.index) >= at->size()) return nullptr;
      at = &at->as_list()[static_cast<std::size_t>(step.index)];
    } else {
      at = at->Find(step.key);
      if (at == nullptr) return nullptr;
    }
  }
  return at;
}

const Value* LookupKeys(const Value& root, std::initializer_list<std::string_view> keys) {
  const Value* at = &root;
  for (const std::string_view key : keys) {
    at = at->Find(key);
    if (at == nullptr) return nullptr;
  }
  return at;
}

base::Result<std::vector<std::string>> ParsePointer(std::string_view text) {
  std::vector<std::string> tokens;
  if (text.empty()) return tokens;
  if (text.front() != '/') {
    return base::Error(base::ErrorCode::kSyntax, "invalid JSON pointer \"" + std::string(text) +
                                                     "\": it must start with '/'");
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '/') {
      tokens.emplace_back();
      continue;
    }
    if (c == '~' && i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1')) {
      c = text[++i] == '0' ? '~' : '/';
    }
    tokens.back() += c;
  }
  return tokens;
}

std::string EscapePointerToken(std::string_view token) {
  std::string out;
  for (const char c : token) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string RenderPointer(std::span<const std::string> tokens) {
  std::string out;
  for (const std::string& token : tokens) out += '/' + EscapePointerToken(token);
  return out;
}

bool ParseListToken(std::string_view token, std::size_t* index) {
  if (!IsNumber(token) || (token.size() > 1 && token.front() == '0')) return false;
  return std::from_chars(token.data(), token.data() + token.size(), *index).ec == std::errc();
}

const Value* LookupPointer(const Value& root, std::span<const std::string> tokens) {
  const Value* at = &root;
  for (const std::string& token : tokens) {
    if (at->is_list()) {
      std::size_t index = 0;
      if (!ParseListToken(token, &index) || index >= at->size()) return nullptr;
      at = &at->as_list()[index];
    } else {
      at = at->Find(token);
      if (at == nullptr) return nullptr;
    }
  }
  return at;
}

Path PointerToPath(const Value& root, std::span<const std::string> tokens) {
  Path path;
  const Value* at = &root;
  for (const std::string& token : tokens) {
    std::size_t index = 0;
    if (at != nullptr && at->is_list() && ParseListToken(token, &index)) {
      path.emplace_back(static_cast<std::int64_t>(index));
      at = index < at->size() ? &at->as_list()[index] : nullptr;
    } else {
      path.emplace_back(token);
      at = at != nullptr ? at->Find(token) : nullptr;
    }
  }
  return path;
}

}  // namespace portcullis::doc
