// Kubernetes' RBAC rules offline.

#include "engine/rbac_authorizer.h"

#include <gtest/gtest.h>

#include "base/arena.h"
#include "json/reader.h"

namespace portcullis::engine {
namespace {

using Answer = provider::AuthorizationDecision::Answer;

TEST(RbacAuthorizerTest, RolesAndBindings) {
  base::Arena arena;
  RbacAuthorizer rbac;
  for (const std::string_view text : {
           R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
               "metadata": {"name": "reader"},
               "rules": [{"apiGroups": [""], "resources": ["pods", "*/status"], "verbs": ["get"]},
                         {"nonResourceURLs": ["/healthz/*"], "verbs": ["*"]}]})",
           R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding",
               "metadata": {"name": "all"}, "roleRef": {"kind": "ClusterRole", "name": "reader"},
               "subjects": [{"kind": "Group", "name": "dev"}]})",
           R"({"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
               "metadata": {"name": "one", "namespace": "team"},
               "roleRef": {"kind": "ClusterRole", "name": "reader"},
               "subjects": [{"kind": "ServiceAccount", "name": "bot", "namespace": "ci"}]})"}) {
    auto parsed = json::Parse(text, arena);
    ASSERT_TRUE(parsed.ok());
    EXPECT_TRUE(rbac.Add(parsed.value()));
  }
  provider::AuthorizationRequest request;
  request.user.username = "alice";
  request.user.groups = {"dev"};
  request.verb = "get";
  request.resource = "pods";
  const auto allowed = rbac.Authorize(request);
  EXPECT_EQ(allowed.answer, Answer::kAllow);
  EXPECT_EQ(
      allowed.reason,
      "RBAC: allowed by ClusterRoleBinding \"all\" of ClusterRole \"reader\" to Group \"dev\"");
  request.verb = "list";
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kNoOpinion);
  request.verb = "get";
  request.resource = "services";
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kNoOpinion);
  request.subresource = "status";
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kAllow);

  request = {};
  request.user.username = "system:serviceaccount:ci:bot";
  request.verb = "get";
  request.resource = "pods";
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kNoOpinion);
  request.ns = "team";
  EXPECT_EQ(rbac.Authorize(request).reason,
            "RBAC: allowed by RoleBinding \"one/team\" of ClusterRole \"reader\" to ServiceAccount "
            "\"bot/ci\"");

  request = {};
  request.user.groups = {"dev"};
  request.resource_request = false;
  request.path = "/healthz/ready";
  request.verb = "get";
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kAllow);
  request.path = "/metrics";
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kNoOpinion);
  request.user.groups = {"system:masters"};
  EXPECT_EQ(rbac.Authorize(request).answer, Answer::kAllow);
}

}  // namespace
}  // namespace portcullis::engine
