#include <algorithm>
#include <map>
#include <set>

#include "doc/edit.h"
#include "doc/equal.h"
#include "json/writer.h"
#include "kyverno_golden_part.h"
#include "members.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

std::string Text(const Value& object, std::string_view name) {
  return std::string(object.StringAt(name));
}

std::string BareName(const std::string& policy) { return policy.substr(policy.rfind('/') + 1); }

// A policy without named rules has one named after itself, or none: the same thing.
std::string RuleKey(const std::string& policy, const std::string& rule) {
  return rule == BareName(policy) ? std::string() : rule;
}

// "policy | rule | resource"
std::string Key(const std::string& policy, const std::string& rule, const std::string& resource) {
  std::string out = policy;
  out.append(" | ").append(RuleKey(policy, rule)).append(" | ").append(resource);
  return out;
}

void CompareExit(std::string_view what, const Value& recorded, const Finished& run, bool nothing,
                 PartMismatches& out) {
  const Value* exit = recorded.Find("exit");
  if (exit == nullptr || !exit->is_int()) return;
  const std::int64_t wanted = exit->as_int();
  const bool good = wanted == 0   ? run.exit == 0 || (run.exit == 3 && nothing)
                    : wanted == 1 ? run.exit == 1 || run.exit == 2
                                  : run.exit == wanted;
  if (good) return;
  out.Add(std::string(what) + " exit " + std::to_string(wanted),
          std::string(what) + " exit " + std::to_string(run.exit) + " " + run.why +
              run.err.substr(0, 600));
}

// ---- apply --------------------------------------------------------------------------------------

struct Result {
  std::string result, message;
};
using Results = std::map<std::string, std::vector<Result>>;

int Weight(const std::string& result) {
  return result == "skip" ? 0 : result == "pass" ? 1 : result == "warn" ? 2 : 3;
}

// Kyverno has one result per native policy and object; here every validation and binding has one.
bool IsNative(const Value& result) {
  return result.StringAt("policyKind").ends_with("AdmissionPolicy");
}

std::string ResourceKey(const Value* resource) {
  if (resource == nullptr) return {};
  std::string out;
  for (const char* part : {"apiVersion", "kind", "namespace", "name"}) {
    const std::string text = Text(*resource, part);
    if (text.empty()) continue;
    out += (out.empty() ? "" : "/") + text;
  }
  // A payload has a name, the file's, but no type.
  return resource->StringAt("kind").empty() ? std::string() : out;
}

Results OurResults(const Value& document) {
  Results out;
  std::map<std::string, std::size_t> native;  // key -> its only result
  for (const Value& item : Items(document, "results")) {
    const std::string policy = Text(item, "policy");
    const std::string key = Key(policy, Text(item, "rule"), ResourceKey(item.Find("resource")));
    Result result{Text(item, "result"), Text(item, "message")};
    std::vector<Result>& list = out[key];
    if (IsNative(item) && native.count(key) != 0) {
      Result& first = list[native[key]];
      if (Weight(result.result) > Weight(first.result)) first = std::move(result);
      continue;
    }
    if (IsNative(item)) native[key] = list.size();
    list.push_back(std::move(result));
  }
  return out;
}

Results RecordedResults(const Value& recorded) {
  Results out;
  for (const Value& item : Items(recorded, "results")) {
    const std::string policy = BareName(Text(item, "policy"));
    std::string resource;
    for (const Value& name : Items(item, "resource")) {
      if (name.is_string()) resource = std::string(name.as_string());
    }
    // Kyverno names a payload in the rows of exceptions only.
    if (resource.find('/') == std::string::npos) resource.clear();
    out[Key(policy, Text(item, "rule"), resource)].push_back(
        {Text(item, "result"), Text(item, "message")});
  }
  return out;
}

std::string Words(const std::vector<Result>* results) {
  if (results == nullptr) return "nothing";
  std::vector<std::string> words;
  for (const Result& result : *results) words.push_back(result.result);
  std::sort(words.begin(), words.end());
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

std::string FirstMessage(const std::vector<Result>* results) {
  return results == nullptr || results->empty() ? "" : " (" + results->front().message + ")";
}

// Messages of results that agree, each used once.
void CompareMessages(const std::string& key, const std::vector<Result>& wanted,
                     std::vector<Result> ours, MessageCount& messages) {
  for (const Result& result : wanted) {
    ++messages.total;
    const auto same = std::find_if(ours.begin(), ours.end(), [&](const Result& other) {
      return other.result == result.result && other.message == result.message;
    });
    if (same != ours.end()) {
      ++messages.equal;
      ours.erase(same);
      continue;
    }
    messages.different.push_back(key + "\n    " + result.message + "\n    " +
                                 (ours.empty() ? "" : ours.front().message));
  }
}

void CompareResults(const Value& recorded, const Value& ours, MessageCount& messages,
                    PartMismatches& out) {
  const Results wanted = RecordedResults(recorded);
  const Results given = OurResults(ours);
  std::set<std::string> keys;
  for (const auto& [key, list] : wanted) keys.insert(key);
  for (const auto& [key, list] : given) keys.insert(key);
  for (const std::string& key : keys) {
    const auto left = wanted.find(key);
    const auto right = given.find(key);
    const std::vector<Result>* a = left == wanted.end() ? nullptr : &left->second;
    const std::vector<Result>* b = right == given.end() ? nullptr : &right->second;
    if (Words(a) != Words(b)) {
      out.Add(key + ": " + Words(a) + FirstMessage(a), key + ": " + Words(b) + FirstMessage(b));
    } else if (a != nullptr && b != nullptr) {
      CompareMessages(key, *a, *b, messages);
    }
  }
}

// ---- objects ------------------------------------------------------------------------------------

// Without `creationTimestamp: null`; Kyverno writes the default namespace into objects, an author
// need not.
Value Comparable(const Value& object, base::Arena& arena) {
  const Value* metadata = object.Find("metadata");
  if (metadata == nullptr || !metadata->is_map()) return object;
  doc::MapBuilder out(*metadata);
  const Value* created = metadata->Find("creationTimestamp");
  if (created != nullptr && created->is_null()) out.Remove("creationTimestamp");
  if (metadata->StringAt("namespace") == "default") out.Remove("namespace");
  return doc::WithEntry(arena, object, "metadata", out.Build(arena));
}

bool Same(const Value& a, const Value& b, base::Arena& arena) {
  return doc::DataEqual(Comparable(a, arena), Comparable(b, arena));
}

std::string ObjectKey(const std::string& ns, const std::string& kind, const std::string& name) {
  return (ns == "default" ? "" : ns) + "/" + kind + "/" + name;
}

std::string ObjectKeyOf(const std::string& recorded) {
  return recorded.starts_with("default/") ? recorded.substr(7) : recorded;
}

struct OurObjects {
  std::multimap<std::string, Value> patched;    // by resource
  std::multimap<std::string, Value> generated;  // by policy and trigger
};

OurObjects ReadObjects(const Value& ours) {
  OurObjects out;
  const auto key = [](const Value* id) {
    return id == nullptr ? std::string()
                         : ObjectKey(Text(*id, "namespace"), Text(*id, "kind"), Text(*id, "name"));
  };
  for (const Value& item : Items(ours, "patched")) {
    const Value* object = item.Find("object");
    if (object == nullptr) continue;
    const Value* trigger = item.Find("trigger");
    out.patched.emplace(key(item.Find("resource")), *object);
    if (trigger != nullptr) out.patched.emplace(key(trigger), *object);
  }
  for (const Value& item : Items(ours, "generated")) {
    const Value* object = item.Find("object");
    if (object == nullptr) continue;
    out.generated.emplace(Text(item, "policy") + " " + key(item.Find("trigger")), *object);
  }
  return out;
}

void CompareObjects(const Value& recorded, const Value& ours, const std::vector<Value>& inputs,
                    base::Arena& arena, PartMismatches& out) {
  const OurObjects given = ReadObjects(ours);
  for (const Value& item : Items(recorded, "objects")) {
    const Value* object = item.Find("object");
    if (object == nullptr || !object->is_map() || object->size() == 0) continue;
    const std::string key = ObjectKeyOf(Text(item, "resource"));
    const auto matches = [&](const auto& range) {
      return std::any_of(range.first, range.second,
                         [&](const auto& entry) { return Same(entry.second, *object, arena); });
    };
    const auto patched = given.patched.equal_range(key);
    const std::string policy = BareName(Text(item, "policy"));
    std::string generated_key = policy;
    generated_key.append(" ").append(key);
    const auto generated = given.generated.equal_range(generated_key);
    if (matches(patched) || matches(generated)) continue;
    const bool unchanged = std::any_of(inputs.begin(), inputs.end(), [&](const Value& input) {
      return Same(input, *object, arena);
    });
    if (unchanged && patched.first == patched.second) continue;
    const auto shown = [&](const Value& value) {
      return json::ToString(Comparable(value, arena), {.sort_keys = true});
    };
    const std::string label = policy + " object " + Text(item, "resource") + ": ";
    out.Add(label + shown(*object),
            label + (patched.first != patched.second       ? shown(patched.first->second)
                     : generated.first != generated.second ? shown(generated.first->second)
                                                           : "nothing"));
  }
}

}  // namespace

void CompareTest(const Value& recorded, const Value& ours, const Finished& run,
                 PartMismatches& out) {
  std::set<std::string> passing;
  std::map<std::string, std::string> failing;  // key -> reason
  for (const Value& test : Items(ours, "tests")) {
    for (const Value& row : Items(test, "rows")) {
      const std::string key = Key(Text(row, "policy"), Text(row, "rule"), Text(row, "resource"));
      const Value* ok = row.Find("ok");
      if (ok != nullptr && ok->is_bool() && ok->as_bool()) {
        passing.insert(key);
      } else {
        failing[key] = Text(row, "reason") + ": " + Text(row, "message");
      }
    }
  }
  std::set<std::string> good;
  std::set<std::string> other;
  for (const Value& row : Items(recorded, "rows")) {
    const std::string key = Key(Text(row, "policy"), Text(row, "rule"), Text(row, "resource"));
    (row.StringAt("reason") == "Ok" ? good : other).insert(key);
  }
  for (const std::string& key : good) {
    if (passing.count(key) != 0) continue;
    const auto bad = failing.find(key);
    out.Add("test row " + key + ": Ok",
            "test row " + key + ": " + (bad == failing.end() ? "nothing" : bad->second));
  }
  for (const auto& [key, reason] : failing) {
    if (other.count(key) != 0 || (good.count(key) != 0 && passing.count(key) == 0)) continue;
    out.Add("test row " + key + ": not failing", "test row " + key + ": " + reason);
  }
  CompareExit("test", recorded, run, Items(recorded, "rows").empty(), out);
}

void CompareApply(const Value& recorded, const Value& ours, const Finished& run,
                  const std::vector<Value>& inputs, base::Arena& arena, MessageCount& messages,
                  PartMismatches& out) {
  CompareResults(recorded, ours, messages, out);
  CompareObjects(recorded, ours, inputs, arena, out);
  CompareExit("apply", recorded, run, Items(recorded, "results").empty(), out);
}

}  // namespace portcullis::conformance
