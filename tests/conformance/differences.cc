#include "differences.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/arena.h"
#include "base/wildcard.h"
#include "yaml/reader.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

bool ReadFile(const std::filesystem::path& path, std::string& text) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return false;
  std::stringstream buffer;
  buffer << stream.rdbuf();
  text = buffer.str();
  return true;
}

bool Complain(const std::string& file, std::string_view id, std::string_view problem) {
  std::fprintf(stderr, "%s: rule %.*s: %.*s\n", file.c_str(), static_cast<int>(id.size()),
               id.data(), static_cast<int>(problem.size()), problem.data());
  return false;
}

}  // namespace

bool Differences::Load(const std::string& file, std::string_view kind,
                       const std::string& spec_folder) {
  std::string text;
  if (!ReadFile(file, text)) return true;  // no list: nothing differs
  base::Arena arena;
  auto document = yaml::Parse(arena.CopyString(text), arena);
  if (!document.ok() || !document->is_list()) {
    return Complain(file, "-", document.ok() ? "a list is expected" : document.error().message);
  }
  for (const Value& rule : document->as_list()) {
    if (rule.StringAt("kind") != kind) continue;
    Difference difference;
    difference.id = std::string(rule.StringAt("id"));
    difference.data = std::string(rule.StringAt("data"));
    difference.answer = std::string(rule.StringAt("answer"));
    for (const std::string_view member : {"what", "why", "data", "answer"}) {
      if (rule.StringAt(member).empty()) {
        return Complain(file, difference.id, std::string(member) + " is missing");
      }
    }
    const Value* cases = rule.Find("cases");
    if (cases == nullptr || !cases->is_list()) return Complain(file, difference.id, "no cases");
    for (const Value& pattern : cases->as_list()) {
      difference.cases.emplace_back(pattern.is_string() ? pattern.as_string() : "");
    }
    const Value* spec = rule.Find("spec");
    if (spec == nullptr || spec->StringAt("text").empty()) {
      return Complain(file, difference.id, "spec is missing");
    }
    std::string page;
    const auto path = std::filesystem::path(spec_folder) / std::string(spec->StringAt("file"));
    if (ReadFile(path, page) && page.find(spec->StringAt("text")) == std::string::npos) {
      return Complain(file, difference.id, "the specification does not say so");
    }
    rules_.push_back(std::move(difference));
  }
  return true;
}

bool Differences::Explains(std::string_view name, std::string_view actual) {
  // Names may carry more behind two blanks (the expression).
  const std::string_view plain = name.substr(0, name.find("  "));
  for (Difference& rule : rules_) {
    if (actual.find(rule.answer) == std::string_view::npos) continue;
    for (const std::string& pattern : rule.cases) {
      if (!base::WildcardMatch(pattern, plain)) continue;
      ++rule.used;
      return true;
    }
  }
  return false;
}

std::vector<std::string> Differences::Unused(std::string_view folder) const {
  std::vector<std::string> unused;
  for (const Difference& rule : rules_) {
    if (rule.used == 0 && rule.data == folder) unused.push_back(rule.id);
  }
  return unused;
}

}  // namespace portcullis::conformance
