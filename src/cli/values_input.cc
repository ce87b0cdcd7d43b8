#include "cli/values_input.h"

#include <algorithm>

#include "base/suggest.h"
#include "policy/family.h"

namespace portcullis::cli {
namespace {

using doc::Value;
using match::Operation;

constexpr std::string_view kOperation = "request.operation";

const Value* FirstOperation(const testfile::Values& values) {
  const auto it = values.globals.find(kOperation);
  return it == values.globals.end() ? nullptr : &it->second;
}

// Words that are no operation, wherever they stand.
void CheckOperations(const testfile::Values& values, testfile::Problems& problems) {
  const auto check = [&](const Value& value, const std::string& path) {
    if (value.is_string() && match::ParseOperation(value.as_string())) return;
    const std::string word = value.is_string() ? std::string(value.as_string()) : "";
    problems.Error(base::ErrorCode::kUnsupported,
                   "invalid request.operation value \"" + word +
                       "\", must be one of CREATE, UPDATE, DELETE, CONNECT",
                   path);
  };
  if (const Value* value = FirstOperation(values)) {
    check(*value, "globalValues[\"request.operation\"]");
  }
  for (std::size_t i = 0; i < values.policies.size(); ++i) {
    const auto& resources = values.policies[i].resources;
    for (std::size_t j = 0; j < resources.size(); ++j) {
      const auto it = resources[j].second.find(kOperation);
      if (it == resources[j].second.end()) continue;
      check(it->second, "policies[" + std::to_string(i) + "].resources[" + std::to_string(j) +
                            "].values[\"request.operation\"]");
    }
  }
}

}  // namespace

void ValuesInput::LoadFile(const std::string& path, DiagnosticSink& sink) {
  source_ = std::make_unique<TestSource>(path, sink);
  for (const TestSource::Document& document : source_->documents()) {
    testfile::Problems problems;
    values_ = testfile::DecodeValues(document.root, "", arena_, problems);
    CheckOperations(values_, problems);
    document.Report(problems, sink);
    break;
  }
}

void ValuesInput::LoadInline(const Value& values, const TestSource::Document& document,
                             DiagnosticSink& sink) {
  testfile::Problems problems;
  values_ = testfile::DecodeValues(values, "values", arena_, problems);
  document.Report(problems, sink);
}

void ValuesInput::Set(const std::vector<std::string>& assignments, DiagnosticSink& sink) {
  for (const std::string& text : assignments) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
      sink.Error({base::ErrorCode::kInvalid, "--set: \"" + text + "\" is not KEY=VALUE"});
      continue;
    }
    values_.globals[text.substr(0, equals)] = doc::MakeString(arena_, text.substr(equals + 1));
  }
  testfile::Problems problems;
  CheckOperations(values_, problems);
  for (const base::Error& error : problems.errors) {
    if (!assignments.empty()) sink.Error(error);
  }
}

void ValuesInput::WarnUnknownPolicies(const engine::PolicySet& set, DiagnosticSink& sink) const {
  if (source_ == nullptr || source_->documents().empty()) return;
  std::vector<std::string> names;
  for (const engine::PolicySet::Member& member : set.families()) {
    for (std::size_t i = 0; i < member.set->size(); ++i) names.push_back(member.set->info(i).name);
  }
  for (std::size_t i = 0; i < values_.policies.size(); ++i) {
    const std::string& name = values_.policies[i].name;
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    base::Error note(base::ErrorCode::kNotFound, "values are given for no policy: \"" + name + "\"",
                     "policies[" + std::to_string(i) + "].name");
    const std::string_view near = base::ClosestName(name, names);
    if (!near.empty()) note.hint = "did you mean \"" + std::string(near) + "\"?";
    note.span = source_->documents().front().Locate(note.path);
    sink.Warning(note);
  }
}

void ValuesInput::Fill(World& world) const {
  for (const Value& object : values_.namespaces) world.AddNamespace(object);
}

Operation ValuesInput::OperationOf(std::string_view policy, std::string_view resource,
                                   Operation fallback) const {
  const Value* value = values_.Find(kOperation, policy, resource);
  if (value == nullptr || !value->is_string()) return fallback;
  const Operation operation = match::ParseOperation(value->as_string()).value_or(fallback);
  // CEL policies know no CONNECT of a whole object.
  return operation == Operation::kConnect ? Operation::kCreate : operation;
}

engine::OfflineFacts::Resource ValuesInput::ResourceOf(const input::Document& document) const {
  const schema::GroupVersion version = schema::ParseApiVersion(document.api_version);
  for (const auto& [own, parent] : values_.subresources) {
    if (own.kind != document.kind || own.group != version.group || own.version != version.version) {
      continue;
    }
    const std::size_t slash = own.name.find('/');
    if (slash == std::string::npos) continue;
    return {parent.group, parent.version, parent.name,
            std::string_view(own.name).substr(slash + 1)};
  }
  return {};
}

base::Result<engine::OfflineResult> ValuesInput::Evaluate(const engine::PolicySet& set,
                                                          const input::Document& document,
                                                          const Value& old_object,
                                                          const World& world, base::Arena& arena,
                                                          engine::OfflineOptions options,
                                                          bool own_operations) const {
  const Operation fallback = options.facts.operation;
  const auto operation_of = [&](const std::string& policy) {
    return own_operations ? OperationOf(policy, document.name(), fallback) : fallback;
  };
  options.facts.served_by = ResourceOf(document);
  std::vector<Operation> operations;
  for (const engine::PolicySet::Member& member : set.families()) {
    for (std::size_t i = 0; i < member.set->size(); ++i) {
      const Operation own = operation_of(member.set->info(i).name);
      if (std::find(operations.begin(), operations.end(), own) == operations.end()) {
        operations.push_back(own);
      }
    }
  }
  if (operations.empty()) operations.push_back(fallback);
  engine::OfflineResult out;
  if (operations.size() > 1) {
    options.only = [&](const policy::PolicyInfo& policy) {
      return operation_of(policy.name) == options.facts.operation;
    };
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation own = operations[i];
    options.facts.operation = own;
    const bool has_old = own == Operation::kUpdate || own == Operation::kDelete;
    const Value old = !has_old ? Value::Null() : old_object.is_null() ? document.root : old_object;
    PC_ASSIGN(engine::OfflineResult result,
              engine::EvaluateManifest(set, document.root, old, world.providers(), world.types(),
                                       arena, options));
    if (i == 0) {
      out = std::move(result);
      continue;
    }
    std::move(result.answer.rows.begin(), result.answer.rows.end(),
              std::back_inserter(out.answer.rows));
    std::move(result.answer.produced.begin(), result.answer.produced.end(),
              std::back_inserter(out.answer.produced));
    if (result.changed && !out.changed) {
      out.changed = true;
      out.object = result.object;
    }
    if (out.answer.allowed && !result.answer.allowed) {
      out.answer.allowed = false;
      out.answer.status = std::move(result.answer.status);
    }
  }
  return out;
}

}  // namespace portcullis::cli
