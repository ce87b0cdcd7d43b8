#include "schema/rules.h"

namespace portcullis::schema {

namespace {

// Every policy isolates ingress; one with egress rules isolates egress, too.
void DefaultPolicyTypes(Fields& fields) {
  if (fields.Has("policyTypes")) return;
  const doc::Value types[] = {doc::Value::String("Ingress"), doc::Value::String("Egress")};
  const std::size_t count = fields.Has("egress") ? 2 : 1;
  fields.Set("policyTypes", doc::MakeList(fields.arena(), {types, count}));
}

constexpr LiteralRule kLiterals[] = {
    {"networking.v1.NetworkPolicyPort", "protocol", "\"TCP\""},
    {"networking.v1.IngressClassParametersReference", "scope", "\"Cluster\""},
    {"discovery.v1.EndpointPort", "name", "\"\""},
    {"discovery.v1.EndpointPort", "protocol", "\"TCP\""},
};

constexpr HookRule kHooks[] = {
    {"networking.v1.NetworkPolicySpec", DefaultPolicyTypes},
};

}  // namespace

RuleGroup NetworkingRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
