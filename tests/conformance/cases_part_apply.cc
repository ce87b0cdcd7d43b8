// `run: apply`: the binary, in a folder of its own process, with a time limit.

#include "cases_part.h"
#include "json/reader.h"
#include "json/writer.h"
#include "process.h"
#include "report/results.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

void AddFiles(const CaseRun& run, const std::string& key, const std::string& option,
              std::vector<std::string>& command) {
  for (const std::string& file : run.Files(key)) {
    command.push_back(option);
    command.push_back(file);
  }
}

void ReadResults(const Value& document, Outcome& outcome) {
  outcome.has_results = true;
  const auto items = [&](const char* name) {
    const Value* list = document.Find(name);
    return list != nullptr && list->is_list() ? list->as_list() : std::span<const Value>();
  };
  const auto id_of = [](const Value& resource) {
    return ResourceId(resource.StringAt("kind"), resource.StringAt("namespace"),
                      resource.StringAt("name"));
  };
  for (const Value& item : items("results")) {
    Row row;
    row.policy = item.StringAt("policy");
    row.rule = item.StringAt("rule");
    row.result = item.StringAt("result");
    row.message = item.StringAt("message");
    if (const Value* resource = item.Find("resource")) row.resource = id_of(*resource);
    outcome.rows.push_back(std::move(row));
  }
  for (const Value& item : items("patched")) {
    const Value* resource = item.Find("resource");
    const Value* object = item.Find("object");
    if (resource == nullptr || object == nullptr) continue;
    outcome.patched[std::string(resource->StringAt("apiVersion")) + "|" + id_of(*resource)] =
        *object;
  }
  for (const Value& item : items("diagnostics")) {
    outcome.diagnostics.push_back(
        std::string(item.StringAt("file")) + ": " + std::string(item.StringAt("path")) + ": " +
        std::string(item.StringAt("message")) + " " + std::string(item.StringAt("hint")));
  }
  if (const Value* summary = document.Find("summary"); summary != nullptr && summary->is_map()) {
    for (const doc::MapEntry& entry : summary->as_map()) {
      if (entry.value.is_int()) {
        outcome.summary[std::string(entry.key.as_string())] = entry.value.as_int();
      }
    }
  }
}

}  // namespace

bool WasRun(const Finished& finished, const CaseRun& run, Outcome& outcome) {
  outcome.exit = finished.exit;
  outcome.output = finished.out + finished.err;
  if (finished.exit >= 0 && finished.exit != 127) return true;
  outcome.unsupported = finished.exit < 0 ? finished.why : "cannot run " + run.binary;
  return false;
}

Outcome RunApply(const CaseRun& run, const std::string& format, base::Arena& arena) {
  Outcome outcome;
  if (!report::IsFormat(format)) {
    outcome.unsupported = "the output format " + format + " is not built";
    return outcome;
  }
  if (!run.Files("values").empty()) {
    outcome.unsupported = "`values` are not built";
    return outcome;
  }
  std::vector<std::string> command = {run.binary, "apply"};
  for (const std::string& file : run.Files("policies")) command.push_back(file);
  AddFiles(run, "resources", "-r", command);
  AddFiles(run, "exceptions", "--exception", command);
  AddFiles(run, "params", "--params", command);
  AddFiles(run, "namespaces", "--namespaces", command);
  AddFiles(run, "crds", "--crd", command);
  AddFiles(run, "oldResources", "--old", command);
  if (run.Has("userinfo")) {
    command.insert(command.end(), {"--userinfo", run.Word("userinfo")});
  }
  if (run.Has("authorizer")) {
    const std::string answer = run.Word("authorizer");
    command.insert(command.end(), {"--authorizer", answer == "noOpinion" ? "no-opinion" : answer});
  }
  command.insert(command.end(), {"--operation", run.Word("operation", "CREATE")});
  command.push_back("--defaulting=" + run.Word("defaulting", "off"));
  command.insert(command.end(), {"-o", format});

  const Finished finished = Execute(command, run.dir, Seconds(run));
  if (!WasRun(finished, run, outcome)) return outcome;
  if (format != "json") return outcome;
  const std::string_view text = arena.CopyString(finished.out);
  const auto document = json::Parse(text, arena);
  if (!document.ok()) {
    outcome.unsupported =
        "standard output is no JSON: " + document.error().message + "\n" + outcome.output;
    return outcome;
  }
  ReadResults(*document, outcome);
  for (const std::string& problem : outcome.diagnostics) {
    if (problem.find("this version evaluates") != std::string::npos) outcome.unsupported = problem;
  }
  return outcome;
}

}  // namespace portcullis::conformance
