// `kyverno-golden`: what Kyverno's command line answered for its suites and for cases of our own;
// the binary must answer the same. Suites lie beside the data or below --suites.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "doc/edit.h"
#include "json/reader.h"
#include "json/writer.h"
#include "kyverno_golden_part.h"
#include "process.h"
#include "runner.h"
#include "yaml/reader.h"
#include "yaml/split.h"

namespace portcullis::conformance {
namespace {

namespace fs = std::filesystem;
using doc::Value;

constexpr double kSeconds = 60;

std::string ReadWhole(const fs::path& path) {
  const std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void WriteWhole(const fs::path& path, std::string_view text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream(path, std::ios::binary) << text;
}

std::vector<std::string> Texts(const Value* list) {
  std::vector<std::string> out;
  if (list == nullptr || !list->is_list()) return out;
  for (const Value& item : list->as_list()) {
    if (item.is_string()) out.emplace_back(item.as_string());
  }
  return out;
}

bool IsWanted(const Value& item, const std::vector<std::string>& families) {
  if (families.empty()) return true;
  const std::vector<std::string> needed = Texts(item.Find("families"));
  return std::all_of(needed.begin(), needed.end(), [&](const std::string& family) {
    return std::find(families.begin(), families.end(), family) != families.end();
  });
}

// The documents of a YAML text that are objects.
std::vector<Value> ReadDocuments(std::string_view text, base::Arena& arena) {
  std::vector<Value> out;
  yaml::Splitter splitter(text);
  yaml::Chunk chunk;
  for (auto more = splitter.Next(&chunk); more.ok() && *more; more = splitter.Next(&chunk)) {
    const auto value = yaml::Parse(chunk.text, arena);
    if (value.ok() && value->is_map()) out.push_back(*value);
  }
  return out;
}

class Golden {
 public:
  Golden(const Options& options, Reporter& reporter) : options_(options), reporter_(reporter) {
    std::error_code error;
    binary_ = options.binary;
    if (binary_.empty()) {
      binary_ = (fs::read_symlink("/proc/self/exe", error).parent_path() / "portcullis").string();
    }
    binary_ = fs::absolute(binary_).string();
    std::string name = fs::temp_directory_path() / "portcullis-golden-XXXXXX";
    if (mkdtemp(name.data()) != nullptr) scratch_ = name;
  }
  ~Golden() {
    std::error_code error;
    if (!scratch_.empty()) fs::remove_all(scratch_, error);
  }
  Golden(const Golden&) = delete;
  Golden& operator=(const Golden&) = delete;

  void RunFile(const fs::path& path) {
    base::Arena arena;
    const std::string text = ReadWhole(path);
    const auto document = json::Parse(text, arena);
    if (!document.ok()) {
      reporter_.Fail(path.string(), "a record", document.error().message);
      return;
    }
    const Value* cases = document->Find("cases");
    if (cases != nullptr && cases->is_list()) {
      for (const Value& item : cases->as_list()) {
        RunOwn(path.stem().string(), item, arena);
      }
    } else {
      RunSuite(path, *document, arena);
    }
  }

  void Close() {
    if (options_.show_messages) {
      for (const std::string& text : messages_.different) std::printf("MESSAGE %s\n", text.c_str());
    }
    reporter_.Note("messages: " + std::to_string(messages_.equal) + " of " +
                   std::to_string(messages_.total) + " verbatim");
  }

 private:
  bool IsSelected(const std::string& name, const Value& item) const {
    return name.find(options_.filter) != std::string::npos && IsWanted(item, options_.families);
  }

  void Conclude(const std::string& name, const PartMismatches& mismatches) {
    if (mismatches.empty()) {
      reporter_.Pass(name);
    } else {
      reporter_.Fail(name, mismatches.expected, mismatches.actual);
    }
  }

  // Runs the binary; its standard output must be a JSON document.
  bool Execute(const std::string& what, const std::vector<std::string>& arguments,
               const std::string& folder, base::Arena& arena, Finished& run, Value& document,
               PartMismatches& out) {
    std::vector<std::string> command = {binary_};
    command.insert(command.end(), arguments.begin(), arguments.end());
    run = conformance::Execute(command, folder, kSeconds);
    const auto parsed = json::Parse(arena.CopyString(run.out), arena);
    if (run.exit >= 0 && run.exit != 127 && parsed.ok()) {
      document = *parsed;
      return true;
    }
    out.Add(what + ": a JSON document",
            what + ": exit " + std::to_string(run.exit) + " " + run.why + run.err);
    return false;
  }

  static bool Crashed(const Value& recorded) {
    const Value* exit = recorded.Find("exit");
    if (exit == nullptr || !exit->is_int() || exit->as_int() != 2) return false;
    const std::vector<std::string> lines = Texts(recorded.Find("stderr"));
    return std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
      return line.find("panic: ") != std::string::npos;
    });
  }

  void RunApply(const Value& recorded, std::span<const std::string> given,
                const std::string& folder, base::Arena& arena, PartMismatches& out) {
    std::vector<std::string> arguments;
    if (given.empty() || given.front() != "apply") arguments.emplace_back("apply");
    for (const std::string& argument : given) arguments.push_back(argument);
    for (const char* option : {"--defaulting=off", "-o", "json"}) arguments.emplace_back(option);
    std::vector<Value> inputs;
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (arguments[i - 1] != "-r") continue;
      const std::string_view text = arena.CopyString(ReadWhole(fs::path(folder) / arguments[i]));
      const std::vector<Value> objects = ReadDocuments(text, arena);
      inputs.insert(inputs.end(), objects.begin(), objects.end());
    }
    Finished run;
    Value ours;
    if (!Execute("apply", arguments, folder, arena, run, ours, out)) return;
    if (!Crashed(recorded)) CompareApply(recorded, ours, run, inputs, arena, messages_, out);
  }

  // ---- suites -----------------------------------------------------------------------------------

  // The folder that holds the suites: given, or the nearest one above the record.
  fs::path FindSuite(const fs::path& record, const std::string& suite) const {
    if (!options_.suites.empty()) return fs::path(options_.suites) / suite;
    std::error_code error;
    for (fs::path folder = fs::absolute(record).parent_path(); folder.has_relative_path();
         folder = folder.parent_path()) {
      if (fs::exists(folder / suite, error)) return folder / suite;
    }
    return {};
  }

  void RunSuite(const fs::path& record, const Value& item, base::Arena& arena) {
    const std::string name(item.StringAt("suite"));
    const Value* network = item.Find("needsNetwork");
    if (!IsSelected(name, item) || (network != nullptr && network->is_bool() && network->as_bool()))
      return;
    const fs::path suite = FindSuite(record, name);
    if (suite.empty()) {
      reporter_.Fail(name, "a suite", "there is none beside the record; see --suites");
      return;
    }
    const std::string folder = suite.parent_path().string();
    const std::vector<std::string> varies = Texts(item.Find("kyvernoVaries"));
    const auto is_wanted = [&](const char* part) {
      return item.Find(part) != nullptr &&
             std::find(varies.begin(), varies.end(), part) == varies.end();
    };
    PartMismatches mismatches;
    if (is_wanted("test")) {
      Finished run;
      Value ours;
      if (Execute("test", {"test", ".", "-o", "json"}, folder, arena, run, ours, mismatches)) {
        CompareTest(*item.Find("test"), ours, run, mismatches);
      }
    }
    if (is_wanted("apply")) {
      const Value& recorded = *item.Find("apply");
      std::vector<std::string> arguments = Texts(recorded.Find("args"));
      for (std::string& argument : arguments) {
        if (argument == "VALUES-OF-THE-SUITE") argument = WriteValues(suite, arena);
      }
      RunApply(recorded, std::move(arguments), folder, arena, mismatches);
    }
    Conclude(name, mismatches);
  }

  // A file with the values that stand in the suite itself.
  std::string WriteValues(const fs::path& suite, base::Arena& arena) const {
    const std::string_view text = arena.CopyString(ReadWhole(suite));
    Value values = Value::EmptyMap();
    for (const Value& document : ReadDocuments(text, arena)) {
      const Value* own = document.Find("values");
      if (own != nullptr && own->is_map()) values = *own;
    }
    doc::MapBuilder out(values);
    out.Set("apiVersion", Value::String("cli.kyverno.io/v1alpha1"));
    out.Set("kind", Value::String("Values"));
    const fs::path path = scratch_ / "values.yaml";
    WriteWhole(path, json::ToString(out.Build(arena)));
    return path.string();
  }

  // ---- own cases --------------------------------------------------------------------------------

  static std::string Documents(const Value* value) {
    if (value == nullptr) return {};
    if (value->is_string()) return std::string(value->as_string());
    std::string out;
    if (!value->is_list()) return out;
    for (const Value& item : value->as_list()) {
      out += "---\n";
      out += item.is_string() ? std::string(item.as_string()) : json::ToString(item);
      out += "\n";
    }
    return out;
  }

  void RunOwn(const std::string& group, const Value& item, base::Arena& arena) {
    const std::string name = "own/" + group + "/" + std::string(item.StringAt("name"));
    const Value* varies = item.Find("kyvernoVaries");
    const Value* expect = item.Find("expect");
    if (!IsSelected(name, item) || expect == nullptr || (varies != nullptr && varies->is_bool())) {
      return;
    }
    const fs::path folder = scratch_ / "own";
    std::error_code error;
    fs::remove_all(folder, error);
    WriteWhole(folder / "policies.yaml", Documents(item.Find("policies")));
    WriteWhole(folder / "resources.yaml", Documents(item.Find("resources")));
    const Value* files = item.Find("files");
    if (files != nullptr && files->is_map()) {
      for (const doc::MapEntry& file : files->as_map()) {
        WriteWhole(folder / std::string(file.key.as_string()),
                   file.value.is_string() ? std::string(file.value.as_string())
                                          : json::ToString(file.value));
      }
    }
    PartMismatches mismatches;
    RunApply(*expect, Texts(item.Find("args")), folder.string(), arena, mismatches);
    Conclude(name, mismatches);
  }

  const Options& options_;
  Reporter& reporter_;
  std::string binary_;
  fs::path scratch_;
  MessageCount messages_;
};

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::error_code error;
  std::vector<fs::path> files;
  if (fs::is_regular_file(options.dir, error)) files.emplace_back(options.dir);
  for (fs::recursive_directory_iterator it(options.dir, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".json") files.push_back(it->path());
  }
  if (files.empty()) {
    std::fprintf(stderr, "no records below %s\n", options.dir.c_str());
    return false;
  }
  std::sort(files.begin(), files.end());
  Golden golden(options, reporter);
  for (const fs::path& file : files) golden.RunFile(file);
  golden.Close();
  return true;
}

}  // namespace portcullis::conformance
