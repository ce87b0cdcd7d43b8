// The kind `defaulting`: objects and what an API server made of them. Two formats, told apart by
// the files of a folder: lines of {file, index, object, defaulted | status} in *.jsonl, and cases
// NAME/case.json of area `defaulting` with request.object, request.defaulted, request.validating.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/edit.h"
#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"
#include "runner.h"
#include "schema/defaulting.h"
#include "schema/type_table.h"

namespace portcullis::conformance {

namespace {

namespace fs = std::filesystem;
using doc::Value;

constexpr std::size_t kShownBytes = 400;

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string Shorten(const Value* value) {
  if (value == nullptr) return "absent";
  std::string text = json::ToString(*value);
  if (text.size() > kShownBytes) text = text.substr(0, kShownBytes) + "...";
  return text;
}

// The first few places where two documents differ.
void Differences(const Value* a, const Value* b, const std::string& path, std::string& expected,
                 std::string& actual) {
  if (a != nullptr && b != nullptr) {
    if (doc::DataEqual(*a, *b) || expected.size() > 3 * kShownBytes) return;
    if (a->is_map() && b->is_map()) {
      for (const doc::MapEntry& entry : a->as_map()) {
        const std::string_view key = entry.key.as_string();
        Differences(&entry.value, b->Find(key), path + "." + std::string(key), expected, actual);
      }
      for (const doc::MapEntry& entry : b->as_map()) {
        const std::string_view key = entry.key.as_string();
        if (a->Find(key) == nullptr) {
          Differences(nullptr, &entry.value, path + "." + std::string(key), expected, actual);
        }
      }
      return;
    }
    if (a->is_list() && b->is_list() && a->size() == b->size()) {
      for (std::size_t i = 0; i < a->size(); ++i) {
        Differences(&a->as_list()[i], &b->as_list()[i], path + "[" + std::to_string(i) + "]",
                    expected, actual);
      }
      return;
    }
  }
  expected += path + ": " + Shorten(a) + "\n";
  actual += path + ": " + Shorten(b) + "\n";
}

void Compare(const std::string& name, const Value& expected, const Value& actual,
             Reporter& reporter) {
  if (doc::DataEqual(expected, actual)) {
    reporter.Pass(name);
    return;
  }
  std::string wanted;
  std::string got;
  Differences(&expected, &actual, "", wanted, got);
  reporter.Fail(name, wanted, got);
}

Value WithoutMember(base::Arena& arena, const Value& object, std::string_view parent,
                    std::string_view name) {
  const Value* below = object.Find(parent);
  if (below == nullptr || !below->is_map() || below->Find(name) == nullptr) return object;
  return doc::WithEntry(arena, object, parent, doc::WithoutEntry(arena, *below, name));
}

// Addresses and ports are allocations: only their presence counts.
Value MaskAllocations(base::Arena& arena, const Value& object) {
  if (object.StringAt("kind") != "Service") return object;
  const Value* spec = object.Find("spec");
  if (spec == nullptr || !spec->is_map()) return object;
  const Value mask = Value::String("ALLOCATED");
  Value masked = *spec;
  const std::string_view address = spec->StringAt("clusterIP");
  if (!address.empty() && address != "None") {
    masked = doc::WithEntry(arena, masked, "clusterIP", mask);
    if (spec->Find("clusterIPs") != nullptr) {
      masked = doc::WithEntry(arena, masked, "clusterIPs", mask);
    }
  }
  if (spec->Find("healthCheckNodePort") != nullptr) {
    masked = doc::WithEntry(arena, masked, "healthCheckNodePort", mask);
  }
  const Value* ports = spec->Find("ports");
  if (ports != nullptr && ports->is_list()) {
    Value list = *ports;
    for (std::size_t i = 0; i < ports->size(); ++i) {
      const Value& port = ports->as_list()[i];
      if (port.Find("nodePort") == nullptr) continue;
      list = doc::WithItem(arena, list, i, doc::WithEntry(arena, port, "nodePort", mask));
    }
    masked = doc::WithEntry(arena, masked, "ports", list);
  }
  return doc::WithEntry(arena, object, "spec", masked);
}

// What a dry-run create returns: defaulted, prepared, and read back from storage.
Value DryRunCreate(const Value& object, base::Arena& arena) {
  const schema::TypeTable& types = schema::TypeTable::Builtin();
  schema::ServerFacts facts;
  facts.uid = "UID";
  facts.cluster_ip = "10.0.0.1";
  facts.node_port = 30000;
  facts.username = "admin";
  facts.user_uid = "admin-uid";
  const Value groups[] = {Value::String("system:masters"), Value::String("system:authenticated")};
  facts.groups = doc::MakeList(arena, groups);
  Value result = schema::Default(object, types, arena);
  result = schema::ServerFill(result, types, arena, facts);
  schema::DefaultOptions stored;
  stored.plugins = false;
  stored.stored = true;
  result = schema::Default(result, types, arena, stored);
  for (const std::string_view name :
       {"uid", "creationTimestamp", "resourceVersion", "managedFields"}) {
    result = WithoutMember(arena, result, "metadata", name);
  }
  return WithoutMember(arena, result, "status", "lastPhaseTransitionTime");
}

bool RunLines(const fs::path& path, const Options& options, Reporter& reporter,
              std::size_t* refused) {
  const std::string text = ReadAll(path);
  base::Arena arena;
  std::size_t line_number = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    const std::string_view line = std::string_view(text).substr(at, end - at);
    at = end + 1;
    ++line_number;
    if (line.empty()) continue;
    arena.Reset();
    const auto row = json::Parse(line, arena);
    const std::string place = path.filename().string() + ":" + std::to_string(line_number);
    if (!row.ok()) {
      reporter.Fail(place, "a JSON line", row.error().message);
      continue;
    }
    const Value* object = row->Find("object");
    const Value* defaulted = row->Find("defaulted");
    if (object == nullptr || defaulted == nullptr) {
      ++*refused;
      continue;
    }
    const Value* index = row->Find("index");
    std::string name = place + " " + std::string(row->StringAt("file"));
    if (index != nullptr && index->is_int()) name += "#" + std::to_string(index->as_int());
    name += " " + std::string(object->StringAt("kind"));
    if (!options.filter.empty() && name.find(options.filter) == std::string::npos) continue;
    Compare(name, MaskAllocations(arena, *defaulted),
            MaskAllocations(arena, DryRunCreate(*object, arena)), reporter);
  }
  return true;
}

// A generated uid in a label of a Job: the recorder replaced only the one in metadata.
Value MaskUids(base::Arena& arena, const Value& value) {
  if (value.is_list()) {
    Value list = value;
    for (std::size_t i = 0; i < value.size(); ++i) {
      list = doc::WithItem(arena, list, i, MaskUids(arena, value.as_list()[i]));
    }
    return list;
  }
  if (!value.is_map()) return value;
  Value map = value;
  for (const doc::MapEntry& entry : value.as_map()) {
    const std::string_view key = entry.key.as_string();
    map = doc::WithEntry(
        arena, map, key,
        key.ends_with("controller-uid") ? Value::String("UID") : MaskUids(arena, entry.value));
  }
  return map;
}

void RunCase(const fs::path& path, const Options& options, Reporter& reporter) {
  const std::string name = path.parent_path().filename().string();
  if (!options.filter.empty() && name.find(options.filter) == std::string::npos) return;
  base::Arena arena;
  const std::string text = ReadAll(path);
  const auto parsed = json::Parse(text, arena);
  // Cases of other areas are about policies and belong to the kind `apiserver`.
  if (parsed.ok() && parsed->StringAt("area", "defaulting") != "defaulting") return;
  const Value* request = parsed.ok() ? parsed->Find("request") : nullptr;
  const Value* object = request == nullptr ? nullptr : request->Find("object");
  const Value* defaulted = request == nullptr ? nullptr : request->Find("defaulted");
  if (object == nullptr || defaulted == nullptr) {
    reporter.Fail(name, "a case with request.object and request.defaulted", "none");
    return;
  }
  schema::TypeTable types;
  if (const Value* cluster = parsed->Find("cluster"); cluster != nullptr && cluster->is_list()) {
    for (const Value& item : cluster->as_list()) {
      if (item.StringAt("kind") == "CustomResourceDefinition") {
        for (const base::Error& error : types.AddCrd(item)) {
          reporter.Note(name + ": " + error.path + ": " + error.message);
        }
      }
    }
  }
  const Value ours = schema::Default(*object, types, arena);
  const Value* validating = request->Find("validating");
  if (validating == nullptr || !doc::DataEqual(*defaulted, ours)) {
    Compare(name, *defaulted, ours, reporter);
    return;
  }
  schema::ServerFacts facts;
  facts.uid = "00000000-0000-0000-0000-000000000001";
  facts.creation_timestamp = "2026-01-01T00:00:00Z";
  facts.cluster_ip = "10.0.0.10";
  facts.node_port = 30000;
  Compare(name, MaskUids(arena, *validating),
          MaskUids(arena, schema::ServerFill(ours, types, arena, facts)), reporter);
}

}  // namespace

bool Run(const Options& options, Reporter& reporter) {
  std::error_code error;
  std::vector<fs::path> lines;
  std::vector<fs::path> cases;
  if (fs::is_regular_file(options.dir, error)) {
    lines.emplace_back(options.dir);
  } else {
    for (fs::recursive_directory_iterator it(options.dir, error), end; it != end && !error;
         it.increment(error)) {
      if (it->path().extension() == ".jsonl") lines.push_back(it->path());
      if (it->path().filename() == "case.json") cases.push_back(it->path());
    }
  }
  if (lines.empty() && cases.empty()) {
    std::fprintf(stderr, "%s: no *.jsonl and no case.json\n", options.dir.c_str());
    return false;
  }
  std::sort(lines.begin(), lines.end());
  std::sort(cases.begin(), cases.end());
  std::size_t refused = 0;
  for (const fs::path& path : lines) RunLines(path, options, reporter, &refused);
  for (const fs::path& path : cases) RunCase(path, options, reporter);
  if (refused > 0) {
    reporter.Note(std::to_string(refused) + " refused objects are not part of the comparison");
  }
  return true;
}

}  // namespace portcullis::conformance
