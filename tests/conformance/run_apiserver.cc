// `apiserver`: golden admission cases of a real API server. Format: AREA/NAME/case.json as
// described in the README of the data; DIR is the folder of areas, one area, or one case.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "apiserver_case.h"
#include "base/arena.h"
#include "json/reader.h"
#include "runner.h"

namespace portcullis::conformance {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> FindCases(const fs::path& dir) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::recursive_directory_iterator(dir)) {
    if (entry.path().filename() == "case.json") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::error_code error;
  if (!fs::is_directory(options.dir, error)) {
    std::printf("cannot read folder %s\n", options.dir.c_str());
    return false;
  }
  const std::vector<fs::path> cases = FindCases(options.dir);
  if (cases.empty()) {
    std::printf("no case.json below %s\n", options.dir.c_str());
    return false;
  }
  std::map<std::string, std::pair<int, int>> areas;  // passed, failed
  for (const fs::path& path : cases) {
    const std::string name = path.parent_path().parent_path().filename().string() + "/" +
                             path.parent_path().filename().string();
    if (name.find(options.filter) == std::string::npos) continue;
    const std::string text = ReadFile(path);
    base::Arena arena;
    auto parsed = json::Parse(text, arena);
    auto& counts = areas[path.parent_path().parent_path().filename().string()];
    if (!parsed.ok()) {
      reporter.Fail(name, "a JSON document", parsed.error().message);
      ++counts.second;
      continue;
    }
    const CaseResult result = RunApiServerCase(parsed.value(), arena);
    if (result.passed) {
      reporter.Pass(name);
      ++counts.first;
    } else {
      reporter.Fail(name, result.expected, result.actual);
      ++counts.second;
    }
  }
  for (const auto& [area, counts] : areas) {
    reporter.Note(area + ": " + std::to_string(counts.first) + " of " +
                  std::to_string(counts.first + counts.second));
  }
  return true;
}

}  // namespace portcullis::conformance
