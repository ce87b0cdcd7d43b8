#include "schema/rules.h"

namespace portcullis::schema {

namespace {

void DefaultTargetPort(Fields& fields) {
  const doc::Value target = fields.Get("targetPort");
  const bool unset = target.is_null() || (target.is_int() && target.as_int() == 0) ||
                     (target.is_string() && target.size() == 0);
  if (!unset) return;
  const doc::Value port = fields.Get("port");
  fields.SetInt("targetPort", port.is_int() ? port.as_int() : 0);
}

void DefaultAffinity(Fields& fields) {
  fields.DefaultString("sessionAffinity", "None");
  const std::string_view affinity = fields.GetString("sessionAffinity");
  if (affinity == "None") fields.Remove("sessionAffinityConfig");
  if (affinity != "ClientIP") return;
  const doc::Value config = fields.Get("sessionAffinityConfig");
  const doc::Value* client = config.Find("clientIP");
  if (client != nullptr && client->Find("timeoutSeconds") != nullptr) return;
  fields.Remove("sessionAffinityConfig");
  fields.Edit("sessionAffinityConfig", true, [](Fields& edited) {
    edited.Edit("clientIP", true, [](Fields& timeout) { timeout.SetInt("timeoutSeconds", 10800); });
  });
}

void DefaultSpec(Fields& fields) {
  DefaultAffinity(fields);
  fields.DefaultString("type", "ClusterIP");
  const std::string_view type = fields.GetString("type");
  const bool balanced = type == "LoadBalancer";
  const bool allocated = type == "ClusterIP" || type == "NodePort" || balanced;
  const doc::Value external = fields.Get("externalIPs");
  if (balanced || type == "NodePort" ||
      (type == "ClusterIP" && external.is_list() && external.size() > 0)) {
    fields.DefaultString("externalTrafficPolicy", "Cluster");
  }
  if (allocated) fields.DefaultString("internalTrafficPolicy", "Cluster");
  if (balanced) fields.DefaultBool("allocateLoadBalancerNodePorts", true);
}

void DefaultIpMode(Fields& fields) {
  const doc::Value spec = fields.Get("spec");
  if (spec.StringAt("type") != "LoadBalancer") return;
  fields.Edit("status", false, [](Fields& status) {
    status.Edit("loadBalancer", false, [](Fields& balancer) {
      balancer.EditItems("ingress", [](Fields& ingress) {
        if (!ingress.GetString("ip").empty()) ingress.DefaultString("ipMode", "VIP");
      });
    });
  });
}

constexpr HookRule kHooks[] = {
    {"core.v1.ServicePort", DefaultTargetPort},
    {"core.v1.ServiceSpec", DefaultSpec},
    {"core.v1.Service", DefaultIpMode},
};

}  // namespace

RuleGroup ServiceRules() { return {{}, kHooks}; }

}  // namespace portcullis::schema
