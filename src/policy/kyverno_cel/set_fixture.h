#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_SET_FIXTURE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_SET_FIXTURE_H_

// For the tests of this folder: policies from YAML, one request, and the answer as text.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/time.h"
#include "json/writer.h"
#include "policy/kyverno_cel/family.h"
#include "provider/kyverno_context.h"
#include "schema/type_table.h"
#include "yaml/reader.h"

namespace portcullis::policy::kyverno_cel {

// Objects by plural; nothing else is known.
class FakeCluster final : public provider::KyvernoContext {
 public:
  std::map<std::string, std::vector<doc::Value>, std::less<>> objects;

  provider::Lookup GetResource(const provider::ResourceName& resource, std::string_view ns,
                               std::string_view name, base::Arena&) const override {
    const auto list = objects.find(resource.resource);
    if (list == objects.end()) return provider::Lookup::NotFound();
    for (const doc::Value& object : list->second) {
      const doc::Value& metadata = *object.Find("metadata");
      if (metadata.StringAt("name") == name && metadata.StringAt("namespace") == ns) {
        return provider::Lookup::Found(object);
      }
    }
    return provider::Lookup::NotFound();
  }
  provider::Lookup ListResources(const provider::ResourceName& resource, std::string_view,
                                 const doc::Value&, base::Arena& arena) const override {
    const auto list = objects.find(resource.resource);
    if (list == objects.end()) return provider::Lookup::NotFound();
    const doc::MapEntry items[] = {
        {doc::Value::String("items"), doc::MakeList(arena, list->second)}};
    return provider::Lookup::Found(doc::MakeMap(arena, items));
  }
  provider::Lookup PostResource(const provider::ResourceName&, std::string_view, const doc::Value&,
                                base::Arena&) const override {
    return provider::Lookup::Unknown();
  }
  provider::Lookup ResourceOfKind(std::string_view, std::string_view, std::string_view,
                                  base::Arena&) const override {
    return provider::Lookup::Unknown();
  }
  std::optional<bool> Namespaced(std::string_view, std::string_view kind) const override {
    return kind != "Namespace" && kind != "ClusterRole";
  }
  provider::Lookup Http(const provider::HttpCall&, base::Arena&) const override {
    return provider::Lookup::Unknown();
  }
  provider::Lookup GlobalReference(std::string_view, std::string_view,
                                   base::Arena&) const override {
    return provider::Lookup::NotFound();
  }
  provider::Lookup ImageData(std::string_view, base::Arena&) const override {
    return provider::Lookup::Unknown();
  }
};

class SetTest : public testing::Test {
 protected:
  doc::Value Parse(std::string_view text) {
    auto value = yaml::Parse(arena_.CopyString(text), arena_, {.strict = true});
    EXPECT_TRUE(value.ok()) << text;
    return value.ok() ? *value : doc::Value::Null();
  }

  // The first error, or nothing.
  std::string Add(std::string_view text) {
    LoadReport report;
    loader_->Add({Parse(text), {}}, LoadMode::kStrict, arena_, report);
    if (report.errors.empty()) return {};
    return report.errors[0].path + ": " + report.errors[0].message;
  }
  // A policy `p` with the members of `spec`, one per line.
  std::string AddPolicy(std::string_view kind, const std::string& spec,
                        const std::string& metadata = "{name: p}") {
    return Add("apiVersion: policies.kyverno.io/v1\nkind: " + std::string(kind) +
               "\nmetadata: " + metadata + "\nspec:\n" + spec);
  }

  void Start(std::string_view object, std::string_view plural) {
    set_ = loader_->Finish(true);
    const doc::Value value = Parse(object);
    const doc::Value& metadata = *value.Find("metadata");
    const match::GroupVersion version = match::SplitApiVersion(value.StringAt("apiVersion"));
    request_.kind = {version.group, version.version, value.StringAt("kind")};
    request_.resource = {version.group, version.version, plural};
    request_.request_kind = request_.kind;
    request_.request_resource = request_.resource;
    request_.name = metadata.StringAt("name");
    request_.ns = metadata.StringAt("namespace");
    request_.object = value;
  }

  // Both phases of the request that Start made. One line per row: `policy rule outcome message`,
  // then one per object: `generated {...}`, then the denial.
  std::string Run() {
    provider::Providers providers;
    providers.kyverno = &cluster_;
    providers.clock = &clock_;
    providers.images = images_;
    RequestContext context(request_, providers, &schema::TypeTable::Builtin(), arena_);
    context.defaulting = false;
    Verdict verdict;
    verdict.want_rows = true;
    std::vector<std::uint32_t> all(set_->size());
    std::iota(all.begin(), all.end(), 0U);
    const auto state = set_->NewMutationState();
    set_->Mutate(all, 0, state.get(), context, verdict);
    set_->Validate(all, context, verdict);
    std::string out;
    for (const ResultRow& row : verdict.rows) {
      out += row.policy->name + " '" + row.rule + "' " + std::string(OutcomeName(row.outcome)) +
             ": " + row.message + "\n";
    }
    constexpr std::string_view kKinds[] = {"generated", "patched", "deleted"};
    for (const ProducedObject& produced : verdict.produced) {
      out += std::string(kKinds[static_cast<std::size_t>(produced.kind)]) + " " +
             json::ToString(produced.object) + "\n";
    }
    for (const Status& denial : verdict.denials) out += "denied: " + denial.message + "\n";
    return out;
  }

  std::string ObjectText() const { return json::ToString(request_.object); }

  base::Arena arena_;
  std::unique_ptr<FamilyLoader> loader_ = NewLoader();
  std::unique_ptr<const FamilySet> set_;
  match::AdmissionRequest request_;
  FakeCluster cluster_;
  const provider::ImageVerifier* images_ = nullptr;  // no registry
  provider::FixedClock clock_{
      base::ParseRfc3339("2026-11-30T12:00:30Z", base::TimeRules::kStrict)->seconds *
      1'000'000'000};
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_SET_FIXTURE_H_
