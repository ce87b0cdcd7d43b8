// Running one golden case through the engine.

#include <cctype>
#include <memory>
#include <vector>

#include "apiserver_case.h"
#include "doc/edit.h"
#include "doc/equal.h"
#include "engine/admit.h"
#include "engine/offline_providers.h"
#include "engine/policy_set.h"
#include "engine/rbac_authorizer.h"
#include "engine/review.h"
#include "json/writer.h"
#include "members.h"
#include "patch/json_patch.h"
#include "schema/defaulting.h"
#include "schema/type_table.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

constexpr std::string_view kUid = "00000000-0000-0000-0000-000000000001";
constexpr std::string_view kTime = "2026-01-01T00:00:00Z";

bool IsTrue(const Value& object, std::string_view field) {
  const Value* member = object.Find(field);
  return member != nullptr && member->is_bool() && member->as_bool();
}

// The cluster of a case as providers.
struct Cluster {
  explicit Cluster(const Value& test, base::Arena& arena) {
    for (const Value& object : Items(test, "cluster")) {
      const std::string_view kind = object.StringAt("kind");
      if (kind == "CustomResourceDefinition") {
        for (base::Error& error : types.AddCrd(object)) problems += error.message + "\n";
      } else if (kind == "Namespace") {
        namespaces.Add(object, arena);
      } else if (authorizer.Add(object)) {
        continue;
      }
      params.Add(object);
    }
    providers.namespaces = &namespaces;
    providers.params = &params;
    providers.authorizer = &authorizer;
  }

  schema::TypeTable types;
  engine::DocumentNamespaces namespaces{true};
  engine::DocumentParams params{false};
  engine::RbacAuthorizer authorizer;
  provider::Providers providers;
  std::string problems;
};

struct Outcome {
  bool allowed = true;
  Value status;
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, std::string>> annotations;
  Value object;  // after the mutating phase
  bool changed = false;

  std::string Text() const {
    std::string out = allowed ? "allowed" : "refused " + json::ToString(status);
    for (const std::string& warning : warnings) out += "\n    warning: " + warning;
    for (const auto& [key, value] : annotations) out += "\n    annotation " + key + ": " + value;
    if (changed) out += "\n    object: " + json::ToString(object);
    return out;
  }
};

std::string ExpectationText(const Value& expect) {
  std::string out =
      IsTrue(expect, "allowed") ? "allowed" : "refused " + json::ToString(At(expect, "status"));
  for (const Value& warning : Items(expect, "warnings")) {
    out += "\n    warning: " + std::string(warning.as_string());
  }
  if (const Value* map = expect.Find("auditAnnotations"); map != nullptr) {
    for (const doc::MapEntry& entry : map->as_map()) {
      out += "\n    annotation " + std::string(entry.key.as_string()) + ": " +
             std::string(entry.value.as_string());
    }
  }
  if (const Value* object = expect.Find("object"); object != nullptr) {
    out += "\n    object: " + json::ToString(*object);
  }
  return out;
}

bool Matches(const Value& expect, const Outcome& outcome) {
  const bool refused_by_server = expect.StringAt("refusedBy") == "server";
  if (outcome.allowed != (refused_by_server || IsTrue(expect, "allowed"))) return false;
  if (!outcome.allowed && !SameStatus(At(expect, "status"), outcome.status)) return false;
  const auto warnings = Items(expect, "warnings");
  if (warnings.size() != outcome.warnings.size()) return false;
  for (std::size_t i = 0; i < warnings.size(); ++i) {
    if (!SameText(warnings[i].as_string(), outcome.warnings[i])) return false;
  }
  const Value annotations = At(expect, "auditAnnotations");
  const std::size_t count = annotations.is_map() ? annotations.size() : 0;
  if (count != outcome.annotations.size()) return false;
  for (const auto& [key, value] : outcome.annotations) {
    const Value* want = annotations.Find(key);
    if (want == nullptr || want->as_string() != value) return false;
  }
  if (expect.Find("changed") == nullptr) return true;
  if (outcome.changed != IsTrue(expect, "changed")) return false;
  const Value* object = expect.Find("object");
  return object == nullptr || doc::DataEqual(*object, outcome.object);
}

Value Text(std::string_view text) { return Value::String(text); }

bool HasDouble(const Value& value) {
  if (value.is_map()) {
    for (const doc::MapEntry& entry : value.as_map()) {
      if (HasDouble(entry.value)) return true;
    }
  } else if (value.is_list()) {
    for (const Value& item : value.as_list()) {
      if (HasDouble(item)) return true;
    }
  }
  return value.tag() == doc::Tag::kDouble;
}

// The review of a request whose kinds no webhook and so no recorder ever sees.
Value BuildReview(const Value& request, const schema::TypeTable& types, base::Arena& arena) {
  const Value object = At(request, "object");
  const schema::Kind* kind = types.FindKindOf(object);
  if (kind == nullptr) return Value::EmptyMap();
  const doc::MapEntry kind_entries[] = {{Text("group"), Text(kind->group)},
                                        {Text("version"), Text(kind->version)},
                                        {Text("kind"), Text(kind->kind)}};
  const doc::MapEntry resource_entries[] = {{Text("group"), Text(kind->group)},
                                            {Text("version"), Text(kind->version)},
                                            {Text("resource"), Text(kind->plural)}};
  const doc::MapEntry option_entries[] = {{Text("kind"), Text("CreateOptions")},
                                          {Text("apiVersion"), Text("meta.k8s.io/v1")}};
  const Value kind_value = doc::MakeMap(arena, kind_entries);
  const Value resource_value = doc::MakeMap(arena, resource_entries);
  std::vector<doc::MapEntry> entries = {{Text("kind"), kind_value},
                                        {Text("resource"), resource_value},
                                        {Text("requestKind"), kind_value},
                                        {Text("requestResource"), resource_value},
                                        {Text("operation"), Text("CREATE")},
                                        {Text("userInfo"), At(request, "user")},
                                        {Text("dryRun"), At(request, "dryRun")},
                                        {Text("options"), doc::MakeMap(arena, option_entries)}};
  const std::string_view name = At(object, "metadata").StringAt("name");
  if (!name.empty()) entries.push_back({Text("name"), Text(name)});
  return doc::MakeMap(arena, entries);
}

// A stored object as the recorder shows it.
Value AsStored(const Value& object, const schema::TypeTable& types, base::Arena& arena) {
  schema::ServerFacts facts;
  facts.uid = kUid;
  facts.creation_timestamp = kTime;
  const Value filled = schema::ServerFill(object, types, arena, facts);
  return doc::WithEntry(
      arena, filled, "metadata",
      doc::WithEntry(arena, At(filled, "metadata"), "resourceVersion", Text("1")));
}

// What an HTTP warning header says.
std::string WarningText(std::string_view header) {
  constexpr std::string_view kPrefix = "299 - \"";
  if (!header.starts_with(kPrefix) || !header.ends_with('"')) return std::string(header);
  header = header.substr(kPrefix.size(), header.size() - kPrefix.size() - 1);
  std::string out;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i] == '\\' && i + 1 < header.size()) ++i;
    out += header[i];
  }
  return out;
}

CaseResult CompareCreated(const Value& expect, const std::vector<policy::LoadReport>& reports,
                          const Cluster& cluster, base::Arena& arena) {
  const auto created = Items(expect, "created");
  for (std::size_t i = 0; i < created.size(); ++i) {
    if (i >= reports.size()) return CaseResult::Fail(json::ToString(created[i]), "nothing loaded");
    if (reports[i].refusal) {
      return CaseResult::Fail(json::ToString(created[i]),
                              json::ToString(engine::StatusValue(*reports[i].refusal, arena)));
    }
    const Value stored = AsStored(reports[i].stored, cluster.types, arena);
    if (!doc::DataEqual(created[i], stored)) {
      return CaseResult::Fail(json::ToString(created[i]), json::ToString(stored));
    }
  }
  std::vector<std::string> warnings;
  for (const policy::LoadReport& report : reports) {
    warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  }
  const auto want = Items(expect, "warnings");
  bool same = want.size() == warnings.size();
  for (std::size_t i = 0; same && i < want.size(); ++i) {
    same = WarningText(want[i].as_string()) == warnings[i];
  }
  if (same) return CaseResult::Pass();
  std::string actual;
  for (const std::string& warning : warnings) actual += warning + "; ";
  return CaseResult::Fail(json::ToString(At(expect, "warnings")), actual);
}

// The recorder wrote 1.0 as 1, as Go does; what the user submitted tells which numbers are doubles.
Value RestoreDoubles(const Value& written, const Value& recorded, base::Arena& arena) {
  if (written.tag() == doc::Tag::kDouble && recorded.is_int()) {
    return static_cast<double>(recorded.as_int()) == written.as_double() ? written : recorded;
  }
  if (written.is_map() && recorded.is_map()) {
    Value out = recorded;
    for (const doc::MapEntry& entry : written.as_map()) {
      const std::string_view key = entry.key.as_string();
      const Value* member = recorded.Find(key);
      if (member == nullptr || !HasDouble(entry.value)) continue;
      out = doc::WithEntry(arena, out, key, RestoreDoubles(entry.value, *member, arena));
    }
    return out;
  }
  if (written.is_list() && recorded.is_list() && written.size() == recorded.size()) {
    std::vector<Value> items;
    for (std::size_t i = 0; i < written.size(); ++i) {
      items.push_back(RestoreDoubles(written.as_list()[i], recorded.as_list()[i], arena));
    }
    return doc::MakeList(arena, items);
  }
  return recorded;
}

// The recorder dropped managedFields, which the validating phase sees on every object that is
// written.
Value WithManagedFields(const Value& request, const Value& object, base::Arena& arena) {
  const Value metadata = At(object, "metadata");
  const std::string_view operation = request.StringAt("operation");
  if (!metadata.is_map() || request.Find("parent") != nullptr ||
      request.Find("resource") != nullptr || request.Find("review") == nullptr ||
      (operation != "CREATE" && operation != "UPDATE")) {
    return object;
  }
  const doc::MapEntry entry[] = {{Text("manager"), Text("client")},
                                 {Text("operation"), Text("Update")},
                                 {Text("apiVersion"), At(object, "apiVersion")}};
  const Value fields = doc::MakeMap(arena, entry);
  return doc::WithEntry(arena, object, "metadata",
                        doc::WithEntry(arena, metadata, "managedFields",
                                       doc::MakeList(arena, std::span<const Value>(&fields, 1))));
}

// Times are fixed by the recorder.
Value WithFixedTime(const Value& object, base::Arena& arena) {
  const Value metadata = At(object, "metadata");
  if (!metadata.is_map() || metadata.Find("creationTimestamp") == nullptr) return object;
  return doc::WithEntry(arena, object, "metadata",
                        doc::WithEntry(arena, metadata, "creationTimestamp", Text(kTime)));
}

// Both phases of the request.
base::Result<Outcome> Admit(const Value& test, const engine::PolicySet& set, const Cluster& cluster,
                            base::Arena& arena) {
  const Value request = At(test, "request");
  const Value expect = At(test, "expect");
  const bool recorded = request.Find("review") != nullptr;
  const Value review =
      recorded ? At(request, "review") : BuildReview(request, cluster.types, arena);
  PC_ASSIGN(match::AdmissionRequest attributes, engine::ReadRequest(review));
  const Value written = At(request, "object");
  attributes.object = recorded ? RestoreDoubles(written, At(request, "defaulted"), arena) : written;
  // For CONNECT the member is the parent, which admission does not see.
  if (attributes.operation == match::Operation::kUpdate ||
      attributes.operation == match::Operation::kDelete) {
    attributes.old_object = At(request, "oldObject");
  }

  engine::AdmitOptions options;
  options.validate = false;
  engine::Answer first =
      engine::Admit(set, attributes, cluster.providers, &cluster.types, arena, options);
  Outcome out;
  out.allowed = first.allowed;
  out.object = WithFixedTime(first.object, arena);
  out.changed = first.mutated;
  out.warnings = first.warnings;
  out.annotations = first.audit_annotations;
  if (!first.allowed) {
    out.status = engine::StatusValue(first.status, arena);
    return out;
  }

  Value object = first.object;
  if (const Value* validating = request.Find("validating"); validating != nullptr) {
    object = RestoreDoubles(written, *validating, arena);
    if (first.mutated) {
      const Value* diff = expect.Find("diff");
      if (diff == nullptr) {
        object = first.object;
      } else {
        PC_ASSIGN(const std::vector<patch::Operation> operations, patch::DecodeJsonPatch(*diff));
        const patch::JsonPatchResult patched = patch::ApplyJsonPatch(arena, object, operations);
        if (!patched.ok()) return base::Error(base::ErrorCode::kInvalid, patched.error);
        object = patched.value;
      }
    }
  }
  attributes.object = WithManagedFields(request, object, arena);
  if (request.Find("generatedName") != nullptr) {
    attributes.name = At(object, "metadata").StringAt("name");
  }
  options.mutate = false;
  options.validate = true;
  options.object_warnings = true;
  engine::Answer second =
      engine::Admit(set, attributes, cluster.providers, &cluster.types, arena, options);
  out.allowed = second.allowed;
  if (!second.allowed) out.status = engine::StatusValue(second.status, arena);
  out.warnings.insert(out.warnings.end(), second.warnings.begin(), second.warnings.end());
  out.annotations.insert(out.annotations.end(), second.audit_annotations.begin(),
                         second.audit_annotations.end());
  return out;
}

}  // namespace

CaseResult RunApiServerCase(const Value& test, base::Arena& arena) {
  const std::string_view area = test.StringAt("area");
  if (area == "defaulting") return RunDefaultingCase(test, arena);
  const Value expect = At(test, "expect");
  Cluster cluster(test, arena);
  if (!cluster.problems.empty()) return CaseResult::Fail("the CRDs load", cluster.problems);

  engine::PolicySetBuilder builder;
  std::vector<policy::LoadReport> reports;
  for (const Value& object : Items(test, "policies")) {
    if (!builder.Handles(object.StringAt("apiVersion"), object.StringAt("kind"))) {
      return CaseResult::Fail("an answer", "needs webhook configurations: not built");
    }
    reports.push_back(builder.Add({object, {}}, policy::LoadMode::kApiServer));
  }
  if (const Value* error = expect.Find("createError"); error != nullptr) {
    const Value index = At(expect, "createErrorIndex");
    const auto at = static_cast<std::size_t>(index.is_int() ? index.as_int() : 0);
    if (at >= reports.size() || !reports[at].refusal) {
      return CaseResult::Fail(json::ToString(*error), "accepted");
    }
    const Value status = engine::StatusValue(*reports[at].refusal, arena);
    return SameStatus(*error, status)
               ? CaseResult::Pass()
               : CaseResult::Fail(json::ToString(*error), json::ToString(status));
  }
  if (expect.Find("created") != nullptr && test.Find("request") == nullptr) {
    return CompareCreated(expect, reports, cluster, arena);
  }
  for (const policy::LoadReport& report : reports) {
    if (!report.errors.empty()) {
      return CaseResult::Fail("the policies load",
                              report.errors[0].path + ": " + report.errors[0].message);
    }
  }
  const auto set = builder.Build(false);
  auto outcome = Admit(test, *set, cluster, arena);
  if (!outcome.ok()) return CaseResult::Fail("a request", outcome.error().message);
  if (Matches(expect, *outcome)) return CaseResult::Pass();
  for (const Value& other : Items(expect, "otherOutcomes")) {
    if (Matches(other, *outcome)) return CaseResult::Pass();
  }
  return CaseResult::Fail(ExpectationText(expect), outcome->Text());
}

namespace {

bool IsUuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : std::isxdigit(static_cast<unsigned char>(text[i])) == 0)
      return false;
  }
  return true;
}

// Any UUID is right: labels of a Job repeat the one that the server drew.
Value WithFixedUuids(const Value& value, base::Arena& arena) {
  if (value.is_string()) return IsUuid(value.as_string()) ? Text(kUid) : value;
  if (value.is_map()) {
    std::vector<doc::MapEntry> entries(value.as_map().begin(), value.as_map().end());
    for (doc::MapEntry& entry : entries) entry.value = WithFixedUuids(entry.value, arena);
    return doc::MakeMap(arena, entries);
  }
  if (value.is_list()) {
    std::vector<Value> items(value.as_list().begin(), value.as_list().end());
    for (Value& item : items) item = WithFixedUuids(item, arena);
    return doc::MakeList(arena, items);
  }
  return value;
}

}  // namespace

CaseResult RunDefaultingCase(const Value& test, base::Arena& arena) {
  Cluster cluster(test, arena);
  const Value request = At(test, "request");
  const Value want = At(request, "defaulted");
  schema::DefaultOptions options;
  const Value have = schema::Default(At(request, "object"), cluster.types, arena, options);
  if (!doc::DataEqual(want, have)) {
    return CaseResult::Fail(json::ToString(want), json::ToString(have));
  }
  const Value* validating = request.Find("validating");
  if (validating == nullptr) return CaseResult::Pass();
  schema::ServerFacts facts;
  facts.uid = kUid;
  facts.creation_timestamp = kTime;
  facts.cluster_ip = "10.0.0.10";
  facts.node_port = 30000;
  const Value filled = schema::ServerFill(have, cluster.types, arena, facts);
  return doc::DataEqual(WithFixedUuids(*validating, arena), WithFixedUuids(filled, arena))
             ? CaseResult::Pass()
             : CaseResult::Fail(json::ToString(*validating), json::ToString(filled));
}

}  // namespace portcullis::conformance
