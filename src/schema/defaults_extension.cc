#include <string>

#include "schema/rules.h"
#include "schema/server_prepare.h"

namespace portcullis::schema {

namespace {

void DefaultNames(Fields& names) {
  const std::string_view kind = names.GetString("kind");
  if (kind.empty()) return;
  if (names.GetString("singular").empty()) {
    std::string singular(kind);
    for (char& c : singular) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    names.Set("singular", doc::MakeString(names.arena(), singular));
  }
  if (names.GetString("listKind").empty()) {
    names.Set("listKind", doc::MakeString(names.arena(), std::string(kind) + "List"));
  }
}

void DefaultDefinitionSpec(Fields& spec) {
  spec.Edit("names", true, DefaultNames);
  spec.Edit("conversion", true,
            [](Fields& conversion) { conversion.DefaultString("strategy", "None"); });
}

constexpr LiteralRule kLiterals[] = {
    {"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference", "port", "443"},
    {"io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference", "port", "443"},
};

constexpr HookRule kHooks[] = {
    {"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinitionSpec",
     DefaultDefinitionSpec},
    {"io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition",
     SetStoredVersions},
};

}  // namespace

void SetStoredVersions(Fields& fields) {
  const doc::Value spec = fields.Get("spec");
  const doc::Value* versions = spec.Find("versions");
  if (versions == nullptr || !versions->is_list()) return;
  for (const doc::Value& version : versions->as_list()) {
    const doc::Value* storage = version.Find("storage");
    const doc::Value* name = version.Find("name");
    if (storage == nullptr || !storage->is_bool() || !storage->as_bool() || name == nullptr) {
      continue;
    }
    const doc::Value stored = doc::MakeList(fields.arena(), {name, 1});
    fields.Edit("status", true, [&](Fields& status) {
      const doc::Value old = status.Get("storedVersions");
      if (!old.is_list() || old.size() == 0) status.Set("storedVersions", stored);
    });
    return;
  }
}

RuleGroup ExtensionRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
