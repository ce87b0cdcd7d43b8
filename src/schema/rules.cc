#include "schema/rules.h"

#include <string>

#include "base/check.h"
#include "json/reader.h"

namespace portcullis::schema {

namespace {

const Schema* ResolveType(std::string_view name) {
  if (const Schema* found = FindBuiltinType(name)) return found;
  return FindBuiltinType("io.k8s.api." + std::string(name));
}

doc::Value ParseLiteral(std::string_view json, base::Arena& arena) {
  auto parsed = json::Parse(json, arena);
  PC_CHECK(parsed.ok());
  return *parsed;
}

}  // namespace

const RuleTable& RuleTable::Get() {
  static const RuleTable table;
  return table;
}

RuleTable::RuleTable() : entries_(kBuiltinTypes.size()) {
  for (const Schema* type : kBuiltinTypes) {
    if (type == nullptr) continue;
    for (const Field& field : type->fields()) {
      if (field.default_text == nullptr) continue;
      entries_[type->type_id].literals.push_back(
          {field.name, ParseLiteral(field.default_text, arena_)});
    }
  }
  for (RuleGroup (*group)() :
       {PodRules, ContainerRules, VolumeRules, CoreRules, ServiceRules, AppsRules, BatchRules,
        AutoscalingRules, NetworkingRules, AdmissionRules, StorageRules, PolicyRules, DeviceRules,
        ExtensionRules}) {
    Add(group());
  }
}

void RuleTable::Add(const RuleGroup& group) {
  for (const LiteralRule& rule : group.literals) {
    const Schema* type = ResolveType(rule.type);
    PC_CHECK(type != nullptr && type->FindField(rule.field) != nullptr);
    entries_[type->type_id].literals.push_back({rule.field, ParseLiteral(rule.json, arena_)});
  }
  for (const HookRule& rule : group.hooks) {
    const Schema* type = ResolveType(rule.type);
    PC_CHECK(type != nullptr);
    entries_[type->type_id].hooks.push_back(rule.hook);
  }
}

}  // namespace portcullis::schema
