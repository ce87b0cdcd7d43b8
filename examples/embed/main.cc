// A program that embeds Portcullis: loads a policy, asks about two Pods, prints what it says.

#include <portcullis/portcullis.h>

#include <cstdio>

namespace {

constexpr const char* kPolicies = R"yaml(
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: no-host-network
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [""]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [pods]
  validations:
    - expression: "!object.spec.?hostNetwork.orValue(false)"
      message: the node's network is not for Pods
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: no-host-network
spec:
  policyName: no-host-network
  validationActions: [Deny]
)yaml";

constexpr const char* kPod = R"json({"apiVersion": "v1", "kind": "Pod",
  "metadata": {"name": "web"}, "spec": {"hostNetwork": %s,
  "containers": [{"name": "web", "image": "registry.example.com/web:1.0"}]}})json";

}  // namespace

int main() {
  portcullis::PolicySetBuilder builder;
  builder.Add(kPolicies, "policies.yaml");
  const portcullis::PolicySet set = builder.Build();
  for (const portcullis::Problem& problem : set.problems()) {
    std::printf("%s:%u: %s\n", problem.file.c_str(), problem.line, problem.message.c_str());
    if (problem.fatal) return 2;  // a set with holes would allow too much
  }
  for (const char* host_network : {"false", "true"}) {
    char pod[512];
    std::snprintf(pod, sizeof pod, kPod, host_network);
    portcullis::Request request;
    request.object = pod;
    const portcullis::Verdict verdict = set.Evaluate(request);
    if (!verdict.error.empty()) {
      std::printf("%s\n", verdict.error.c_str());
      return 2;
    }
    std::printf("hostNetwork %s: %s", host_network, verdict.allowed ? "allowed" : "denied");
    for (const portcullis::Finding& finding : verdict.findings) {
      if (finding.outcome == portcullis::Outcome::kPass) continue;
      std::printf(" (%s: %s, at %s)", finding.policy.c_str(), finding.message.c_str(),
                  finding.path.c_str());
    }
    std::printf("\n");
  }
  return 0;
}
