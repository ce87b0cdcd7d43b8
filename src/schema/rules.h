#ifndef PORTCULLIS_SCHEMA_RULES_H_
#define PORTCULLIS_SCHEMA_RULES_H_

// The defaults that only the server's code knows, by type: literals that fill an absent field, and
// functions for what depends on other fields. One defaults_*.cc per group of kinds contributes a
// RuleGroup; RuleTable joins them by the type numbers of the generated table. Internal.
// The table is built once and const afterwards; thread-safe.

#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "schema/fields.h"

namespace portcullis::schema {

// Type names are OpenAPI names; "io.k8s.api." is understood in front of names without it.
struct LiteralRule {
  std::string_view type;
  std::string_view field;
  std::string_view json;
};

using Hook = void (*)(Fields& fields);
struct HookRule {
  std::string_view type;
  Hook hook;  // runs after the literals, when all fields below are complete
};

struct RuleGroup {
  std::span<const LiteralRule> literals;
  std::span<const HookRule> hooks;
};

RuleGroup PodRules();
RuleGroup ContainerRules();
RuleGroup VolumeRules();
RuleGroup CoreRules();
RuleGroup ServiceRules();
RuleGroup AppsRules();
RuleGroup BatchRules();
RuleGroup AutoscalingRules();
RuleGroup NetworkingRules();
RuleGroup AdmissionRules();
RuleGroup StorageRules();
RuleGroup PolicyRules();
RuleGroup DeviceRules();
RuleGroup ExtensionRules();

class RuleTable {
 public:
  struct Literal {
    std::string_view field;
    doc::Value value;
  };
  struct Entry {
    std::vector<Literal> literals;
    std::vector<Hook> hooks;
    bool empty() const { return literals.empty() && hooks.empty(); }
  };

  static const RuleTable& Get();

  const Entry& ForType(std::uint16_t type_id) const { return entries_[type_id]; }

 private:
  RuleTable();
  void Add(const RuleGroup& group);

  base::Arena arena_;
  std::vector<Entry> entries_;
};

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_RULES_H_
