// Expectations of a case against what a run gave.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cases_part.h"
#include "doc/edit.h"
#include "doc/equal.h"
#include "input/document_stream.h"
#include "input/files.h"
#include "json/writer.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

// A text or a list of texts.
std::vector<std::string> Texts(const Value* value) {
  std::vector<std::string> out;
  if (value == nullptr) return out;
  if (value->is_string()) out.emplace_back(value->as_string());
  if (value->is_list()) {
    for (const Value& item : value->as_list()) {
      if (item.is_string()) out.emplace_back(item.as_string());
    }
  }
  return out;
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string Show(const Row& row) {
  return row.policy + (row.rule.empty() ? "" : "/" + row.rule) + " " + row.resource + " " +
         row.result + (row.message.empty() ? "" : ": " + row.message);
}

std::string Show(const std::vector<Row>& rows) {
  std::string out;
  for (const Row& row : rows) out += "\n    " + Show(row);
  return out.empty() ? "no rows" : out;
}

bool SameSubject(const Value& wanted, const Row& row) {
  const auto agrees = [&](const char* name, const std::string& actual) {
    const Value* value = wanted.Find(name);
    return value == nullptr || (value->is_string() && value->as_string() == actual);
  };
  return agrees("policy", row.policy) && agrees("rule", row.rule) &&
         agrees("resource", row.resource);
}

bool SameVerdict(const Value& wanted, const Row& row) {
  const Value* result = wanted.Find("result");
  if (result != nullptr && (!result->is_string() || result->as_string() != row.result))
    return false;
  const Value* message = wanted.Find("message");
  if (message != nullptr && (!message->is_string() || message->as_string() != row.message)) {
    return false;
  }
  for (const std::string& part : Texts(wanted.Find("messageContains"))) {
    if (!Contains(row.message, part)) return false;
  }
  for (const std::string& part : Texts(wanted.Find("messageNotContains"))) {
    if (Contains(row.message, part)) return false;
  }
  return true;
}

std::optional<Mismatch> CompareRows(const Value& expect, const Outcome& outcome) {
  const Value* results = expect.Find("results");
  if (results != nullptr && results->is_list()) {
    std::vector<bool> used(outcome.rows.size());
    for (const Value& wanted : results->as_list()) {
      std::size_t at = 0;
      while (at < used.size() && (used[at] || !SameSubject(wanted, outcome.rows[at]))) ++at;
      if (at == used.size() || !SameVerdict(wanted, outcome.rows[at])) {
        return Mismatch{"row " + json::ToString(wanted), Show(outcome.rows)};
      }
      used[at] = true;
    }
    const Value* partial = expect.Find("partial");
    const bool is_partial = partial != nullptr && partial->is_bool() && partial->as_bool();
    const auto other = std::find(used.begin(), used.end(), false);
    if (!is_partial && other != used.end()) {
      return Mismatch{"no other row than " + json::ToString(*results), Show(outcome.rows)};
    }
  }
  const Value* absent = expect.Find("absent");
  if (absent != nullptr && absent->is_list()) {
    for (const Value& unwanted : absent->as_list()) {
      for (const Row& row : outcome.rows) {
        if (SameSubject(unwanted, row) && SameVerdict(unwanted, row)) {
          return Mismatch{"no row " + json::ToString(unwanted), Show(row)};
        }
      }
    }
  }
  return {};
}

// "apiVersion|Kind/ns/name" without the apiVersion.
std::string_view IdIn(std::string_view key) { return key.substr(key.find('|') + 1); }

// With the namespace as written, and with the one that a namespaced object gets.
bool NamesObject(std::string_view key, const Value& object) {
  const Value* metadata = object.Find("metadata");
  if (metadata == nullptr) return false;
  const std::string_view ns = metadata->StringAt("namespace");
  const std::string prefix = std::string(object.StringAt("apiVersion")) + "|";
  const auto id = [&](std::string_view in) {
    return prefix + ResourceId(object.StringAt("kind"), in, metadata->StringAt("name"));
  };
  return key == id(ns) || (ns.empty() && key == id("default"));
}

std::optional<Mismatch> CompareObjects(const CaseRun& run, const Outcome& outcome,
                                       base::Arena& arena) {
  const std::vector<Value> inputs = ReadObjects(run, "resources", arena);
  const Value* patched = run.expect.Find("patched");
  if (patched != nullptr && patched->is_string()) {
    CaseRun expected = run;
    expected.keys["patched"] = *patched;
    for (const Value& wanted : ReadObjects(expected, "patched", arena)) {
      const Value* actual = nullptr;
      for (const auto& [key, object] : outcome.patched) {
        if (NamesObject(key, wanted)) actual = &object;
      }
      if (actual == nullptr) {
        // Not changed: the input is the final object.
        const Value* metadata = wanted.Find("metadata");
        for (const Value& input : inputs) {
          const Value* own = input.Find("metadata");
          if (own != nullptr && metadata != nullptr &&
              input.StringAt("kind") == wanted.StringAt("kind") &&
              own->StringAt("name") == metadata->StringAt("name") &&
              own->StringAt("namespace") == metadata->StringAt("namespace")) {
            actual = &input;
          }
        }
      }
      if (actual == nullptr || !doc::DataEqual(wanted, *actual)) {
        return Mismatch{
            json::ToString(wanted, {.sort_keys = true}),
            actual == nullptr ? "no such object" : json::ToString(*actual, {.sort_keys = true})};
      }
    }
  }
  for (const std::string& id : Texts(run.expect.Find("unchanged"))) {
    for (const auto& [key, object] : outcome.patched) {
      if (IdIn(key) != id) continue;
      const bool equal = std::any_of(inputs.begin(), inputs.end(), [&](const Value& input) {
        return doc::DataEqual(input, object);
      });
      if (!equal) return Mismatch{id + " unchanged", json::ToString(object)};
    }
  }
  return {};
}

std::optional<Mismatch> CompareLoading(const Value& expect, const Outcome& outcome) {
  const Value* wanted = expect.Find("loadError");
  if (wanted == nullptr) return {};
  std::string all;
  for (const std::string& text : outcome.diagnostics) all += text + "\n";
  if (all.empty()) return Mismatch{"a load error", "no diagnostics"};
  for (const std::string& part : Texts(wanted)) {
    if (!Contains(all, part)) return Mismatch{"a load error with " + part, all};
  }
  return {};
}

std::optional<Mismatch> CompareProcess(const Value& expect, const Outcome& outcome) {
  if (const Value* exit = expect.Find("exit"); exit != nullptr && !outcome.is_admission) {
    const bool good = exit->is_int() ? exit->as_int() == outcome.exit : outcome.exit != 0;
    if (!good) {
      return Mismatch{"exit " + json::ToString(*exit),
                      "exit " + std::to_string(outcome.exit) + "\n" + outcome.output};
    }
  }
  for (const std::string& part : Texts(expect.Find("output"))) {
    if (!Contains(outcome.output, part)) return Mismatch{"output with " + part, outcome.output};
  }
  const Value* summary = expect.Find("summary");
  if (summary != nullptr && summary->is_map() && outcome.has_results) {
    for (const doc::MapEntry& entry : summary->as_map()) {
      const auto it = outcome.summary.find(std::string(entry.key.as_string()));
      const std::int64_t actual = it == outcome.summary.end() ? -1 : it->second;
      if (!entry.value.is_int() || entry.value.as_int() != actual) {
        return Mismatch{std::string(entry.key.as_string()) + " " + json::ToString(entry.value),
                        std::to_string(actual)};
      }
    }
  }
  return {};
}

// The operations without regard to their order.
bool SameOperations(const Value& wanted, const Value& actual) {
  if (!wanted.is_list() || !actual.is_list() || wanted.size() != actual.size()) return false;
  std::vector<bool> used(actual.size());
  for (const Value& item : wanted.as_list()) {
    std::size_t at = 0;
    while (at < used.size() && (used[at] || !doc::DataEqual(item, actual.as_list()[at]))) ++at;
    if (at == used.size()) return false;
    used[at] = true;
  }
  return true;
}

std::optional<Mismatch> CompareAdmission(const Value& expect, const Outcome& outcome) {
  if (!outcome.is_admission) return {};
  const std::string answer =
      outcome.denied ? std::to_string(outcome.code) + " " + outcome.reason + ": " + outcome.message
                     : "allowed";
  if (const Value* denied = expect.Find("denied");
      denied != nullptr && denied->is_bool() && denied->as_bool() != outcome.denied) {
    return Mismatch{denied->as_bool() ? "denied" : "allowed", answer};
  }
  const Value* status = expect.Find("status");
  if (status != nullptr && status->is_map()) {
    const Value* code = status->Find("code");
    bool good = code == nullptr || (code->is_int() && code->as_int() == outcome.code);
    if (status->Find("reason") != nullptr)
      good = good && status->StringAt("reason") == outcome.reason;
    if (status->Find("message") != nullptr) {
      good = good && status->StringAt("message") == outcome.message;
    }
    for (const std::string& part : Texts(status->Find("messageContains"))) {
      good = good && Contains(outcome.message, part);
    }
    if (!good) return Mismatch{json::ToString(*status), answer};
  }
  const Value* patch = expect.Find("jsonPatch");
  if (patch != nullptr && !SameOperations(*patch, outcome.patch)) {
    return Mismatch{json::ToString(*patch), json::ToString(outcome.patch)};
  }
  return {};
}

std::optional<Mismatch> CompareTests(const Value& expect, const Outcome& outcome) {
  const Value* tests = expect.Find("tests");
  if (tests == nullptr || !outcome.is_test) return {};
  const auto compare = [&](const char* name, std::int64_t actual) -> std::optional<Mismatch> {
    const Value* wanted = tests->Find(name);
    if (wanted == nullptr || (wanted->is_int() && wanted->as_int() == actual)) return {};
    return Mismatch{json::ToString(*wanted) + " " + name,
                    std::to_string(actual) + "\n" + outcome.output};
  };
  if (auto mismatch = compare("passed", outcome.tests_passed)) return mismatch;
  if (auto mismatch = compare("failed", outcome.tests_failed)) return mismatch;
  for (const std::string& part : Texts(tests->Find("reasons"))) {
    if (!Contains(outcome.failed_reasons, part)) {
      return Mismatch{"a failed row with " + part, outcome.failed_reasons};
    }
  }
  return {};
}

}  // namespace

std::string CaseRun::Word(const std::string& key, std::string_view fallback) const {
  const auto it = keys.find(key);
  if (it == keys.end() || !it->second.is_string()) return std::string(fallback);
  return std::string(it->second.as_string());
}

std::vector<std::string> CaseRun::Files(const std::string& key) const {
  const auto it = keys.find(key);
  return it == keys.end() ? std::vector<std::string>() : Texts(&it->second);
}

std::string ReadWhole(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string ResourceId(std::string_view kind, std::string_view ns, std::string_view name) {
  std::string out(kind);
  if (!ns.empty()) out += "/" + std::string(ns);
  return out + "/" + std::string(name);
}

std::vector<Value> ReadObjects(const CaseRun& run, const std::string& key, base::Arena& arena) {
  std::vector<std::string> paths;
  for (const std::string& file : run.Files(key)) paths.push_back(run.dir + "/" + file);
  input::Diagnostics problems;
  input::DocumentStream stream(input::ExpandPaths(paths, &problems));
  std::vector<Value> out;
  input::Document document;
  while (stream.Next(&document)) out.push_back(doc::DeepCopy(arena, document.root));
  return out;
}

std::optional<Mismatch> Compare(const CaseRun& run, const Outcome& outcome, base::Arena& arena) {
  for (const char* key : {"value", "error", "calls"}) {
    if (run.expect.Find(key) != nullptr) {
      return Mismatch{std::string("`") + key + "`", "not built"};
    }
  }
  if (auto mismatch = CompareAdmission(run.expect, outcome)) return mismatch;
  if (auto mismatch = CompareTests(run.expect, outcome)) return mismatch;
  if (outcome.has_results) {
    if (auto mismatch = CompareRows(run.expect, outcome)) return mismatch;
    if (auto mismatch = CompareObjects(run, outcome, arena)) return mismatch;
    if (auto mismatch = CompareLoading(run.expect, outcome)) return mismatch;
  }
  return CompareProcess(run.expect, outcome);
}

}  // namespace portcullis::conformance
