#ifndef PORTCULLIS_ENGINE_RBAC_AUTHORIZER_H_
#define PORTCULLIS_ENGINE_RBAC_AUTHORIZER_H_

// Authorizers for runs without a cluster: RBAC objects evaluated as Kubernetes evaluates them
// (spec/cel.md 16.7), and fixed answers. Fill, then share const: Authorize is thread-safe.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"
#include "provider/authorizer.h"

namespace portcullis::engine {

class RbacAuthorizer final : public provider::Authorizer {
 public:
  // Role, ClusterRole, RoleBinding, ClusterRoleBinding; false: another kind. Copies what it needs.
  bool Add(const doc::Value& object);
  bool empty() const { return roles_.empty() && bindings_.empty(); }

  // The group system:masters may do everything. What no rule allows has no opinion.
  provider::AuthorizationDecision Authorize(const provider::AuthorizationRequest& request) override;

 private:
  struct PolicyRule {
    std::vector<std::string> verbs, groups, resources, names, paths;
  };
  struct Role {
    bool cluster = false;
    std::string ns, name;
    std::vector<PolicyRule> rules;
  };
  struct Subject {
    std::string kind, ns, name;
  };
  struct Binding {
    bool cluster = false;
    std::string ns, name, role_kind, role_name;
    std::vector<Subject> subjects;
  };

  static bool Covers(const PolicyRule& rule, const provider::AuthorizationRequest& request);
  static bool Applies(const Subject& subject, const Binding& binding,
                      const provider::UserInfo& user);
  const Role* FindRole(const Binding& binding) const;

  std::vector<Role> roles_;
  std::vector<Binding> bindings_;
};

// The same answer to every question.
class FixedAuthorizer final : public provider::Authorizer {
 public:
  explicit FixedAuthorizer(provider::AuthorizationDecision::Answer answer) : answer_(answer) {}
  provider::AuthorizationDecision Authorize(const provider::AuthorizationRequest&) override {
    return {answer_, {}, {}};
  }

 private:
  provider::AuthorizationDecision::Answer answer_;
};

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_RBAC_AUTHORIZER_H_
