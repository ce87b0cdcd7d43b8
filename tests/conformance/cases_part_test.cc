// `run: test`: the test command on the test file of the case.

#include "cases_part.h"
#include "json/reader.h"
#include "process.h"

namespace portcullis::conformance {

using doc::Value;

double Seconds(const CaseRun& run) {
  constexpr double kDefaultSeconds = 60;
  const auto it = run.keys.find("maxSeconds");
  if (it == run.keys.end()) return kDefaultSeconds;
  if (it->second.is_int()) return static_cast<double>(it->second.as_int());
  return it->second.tag() == doc::Tag::kDouble ? it->second.as_double() : kDefaultSeconds;
}

Outcome RunTest(const CaseRun& run, base::Arena& arena) {
  Outcome outcome;
  outcome.is_test = true;
  std::vector<std::string> command = {run.binary, "test", run.Word("test", "."), "-o", "json"};
  const auto strict = run.keys.find("strict");
  if (strict != run.keys.end() && strict->second.is_bool() && strict->second.as_bool()) {
    command.emplace_back("--strict");
  }
  const Finished finished = Execute(command, run.dir, Seconds(run));
  if (!WasRun(finished, run, outcome)) return outcome;
  const auto document = json::Parse(arena.CopyString(finished.out), arena);
  if (!document.ok()) {
    outcome.unsupported = "standard output is no JSON: " + document.error().message;
    return outcome;
  }
  const auto number = [&](const char* name) {
    const Value* value = document->Find(name);
    return value != nullptr && value->is_int() ? value->as_int() : -1;
  };
  outcome.tests_passed = number("passed");
  outcome.tests_failed = number("failed");
  const Value* tests = document->Find("tests");
  if (tests == nullptr || !tests->is_list()) return outcome;
  for (const Value& test : tests->as_list()) {
    const Value* rows = test.Find("rows");
    if (rows == nullptr || !rows->is_list()) continue;
    for (const Value& row : rows->as_list()) {
      const Value* ok = row.Find("ok");
      if (ok == nullptr || !ok->is_bool() || ok->as_bool()) continue;
      outcome.failed_reasons +=
          std::string(row.StringAt("reason")) + "\n" + std::string(row.StringAt("message")) + "\n";
    }
  }
  return outcome;
}

}  // namespace portcullis::conformance
