// `cases`: NAME/case.yaml with its input files. A case passes when its base run and all variants
// do.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "cases_part.h"
#include "runner.h"
#include "yaml/reader.h"

namespace portcullis::conformance {
namespace {

namespace fs = std::filesystem;
using doc::Value;

bool IsWanted(const Value& definition, const std::vector<std::string>& families) {
  if (families.empty()) return true;
  const Value* needed = definition.Find("families");
  if (needed == nullptr || !needed->is_list()) return false;
  return std::all_of(needed->as_list().begin(), needed->as_list().end(), [&](const Value& family) {
    return std::find(families.begin(), families.end(), family.as_string()) != families.end();
  });
}

// The run of the case itself, or of one of its variants.
CaseRun MakeRun(const Value& definition, const Value* variant, CaseRun base) {
  for (const doc::MapEntry& entry : definition.as_map()) {
    base.keys[std::string(entry.key.as_string())] = entry.value;
  }
  if (variant != nullptr) {
    base.keys.erase("expect");
    base.name += "/" + std::string(variant->StringAt("name"));
    for (const doc::MapEntry& entry : variant->as_map()) {
      const std::string key(entry.key.as_string());
      if (entry.value.is_null()) {
        base.keys.erase(key);
      } else {
        base.keys[key] = entry.value;
      }
    }
  }
  base.expect = base.Has("expect") ? base.keys["expect"] : Value::EmptyMap();
  return base;
}

std::vector<std::string> Formats(const CaseRun& run) {
  const std::vector<std::string> modes = run.Files("outputModes");
  return modes.empty() ? std::vector<std::string>{"json"} : modes;
}

// True if the run is as expected; else the mismatch is reported.
bool RunOne(const CaseRun& run, Reporter& reporter) {
  base::Arena arena;
  const std::string kind = run.Word("run");
  std::vector<std::string> formats = {""};
  if (kind == "apply") formats = Formats(run);
  for (const std::string& format : formats) {
    Outcome outcome;
    if (kind == "apply") {
      outcome = RunApply(run, format, arena);
    } else if (kind == "test") {
      outcome = RunTest(run, arena);
    } else if (kind == "admit") {
      outcome = RunAdmit(run, arena);
    } else {
      outcome.unsupported = "`run: " + kind + "` is not built";
    }
    std::optional<Mismatch> mismatch;
    if (!outcome.unsupported.empty()) {
      mismatch = Mismatch{"a run", outcome.unsupported};
    } else {
      mismatch = Compare(run, outcome, arena);
    }
    if (!mismatch) continue;
    const std::string suffix = formats.size() > 1 ? "  (" + format + ")" : "";
    reporter.Fail(run.name.substr(0, run.name.find('/')),
                  run.name + suffix + ": " + mismatch->expected, mismatch->actual);
    return false;
  }
  return true;
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(options.dir, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().filename() == "case.yaml") files.push_back(it->path());
  }
  if (files.empty()) {
    std::fprintf(stderr, "no case.yaml below %s\n", options.dir.c_str());
    return false;
  }
  std::sort(files.begin(), files.end());
  std::string binary = options.binary;
  if (binary.empty()) {
    binary = (fs::read_symlink("/proc/self/exe", error).parent_path() / "portcullis").string();
  }
  for (const fs::path& path : files) {
    const std::string name = path.parent_path().filename().string();
    if (name.find(options.filter) == std::string::npos) continue;
    base::Arena arena;
    const std::string text = ReadWhole(path.string());
    const auto parsed = yaml::Parse(text, arena);
    if (!parsed.ok() || !parsed->is_map()) {
      reporter.Fail(name, "a case", parsed.ok() ? "not an object" : parsed.error().message);
      continue;
    }
    if (!IsWanted(*parsed, options.families)) continue;
    CaseRun base;
    base.name = name;
    base.dir = path.parent_path().string();
    base.binary = fs::absolute(binary).string();
    bool good = RunOne(MakeRun(*parsed, nullptr, base), reporter);
    const Value* variants = parsed->Find("variants");
    if (good && variants != nullptr && variants->is_list()) {
      for (const Value& variant : variants->as_list()) {
        good = good && RunOne(MakeRun(*parsed, &variant, base), reporter);
      }
    }
    if (good) reporter.Pass(name);
  }
  return true;
}

}  // namespace portcullis::conformance
