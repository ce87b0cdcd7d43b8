#include <vector>

#include "schema/rules.h"

namespace portcullis::schema {

namespace {

// serviceAccount is the old name of serviceAccountName; the server writes both.
void SyncServiceAccount(Fields& fields) {
  doc::Value name = fields.Get("serviceAccountName");
  const doc::Value old_name = fields.Get("serviceAccount");
  if (name.is_null() && old_name.is_string()) {
    name = old_name;
    fields.Set("serviceAccountName", name);
  }
  if (name.is_string() && !(old_name.is_string() && old_name.as_string() == name.as_string())) {
    fields.Set("serviceAccount", name);
  }
}

void DefaultHostPorts(Fields& containers) {
  containers.EditItems("ports", [](Fields& port) {
    const doc::Value number = port.Get("containerPort");
    if (number.is_int() && number.as_int() != 0) port.DefaultInt("hostPort", number.as_int());
  });
}

void DefaultPodOnly(Fields& fields) {
  if (!fields.workspace().is_pod) return;
  const doc::Value grace = fields.Get("terminationGracePeriodSeconds");
  if (grace.is_int() && grace.as_int() < 0) fields.SetInt("terminationGracePeriodSeconds", 1);
  fields.DefaultBool("enableServiceLinks", true);
  const doc::Value host_network = fields.Get("hostNetwork");
  if (host_network.is_bool() && host_network.as_bool()) {
    fields.EditItems("containers", DefaultHostPorts);
    fields.EditItems("initContainers", DefaultHostPorts);
  }
}

void SyncPodIps(Fields& fields) {
  const std::string_view ip = fields.GetString("podIP");
  const doc::Value ips = fields.Get("podIPs");
  std::string_view first;
  if (ips.is_list() && ips.size() > 0) first = ips.as_list()[0].StringAt("ip");
  if (ip.empty() && !first.empty()) fields.SetString("podIP", first);
  if (!ip.empty() && ip != first) {
    Fields entry(fields.workspace());
    entry.SetString("ip", ip);
    const doc::Value only = entry.Build();
    fields.Set("podIPs", doc::MakeList(fields.arena(), {&only, 1}));
  }
}

// ---- admission plug-ins
// --------------------------------------------------------------------------

bool ToleratesForever(const doc::Value& tolerations, std::string_view taint) {
  if (!tolerations.is_list()) return false;
  for (const doc::Value& toleration : tolerations.as_list()) {
    const std::string_view key = toleration.StringAt("key");
    const std::string_view effect = toleration.StringAt("effect");
    if ((key.empty() || key == taint) && (effect.empty() || effect == "NoExecute")) return true;
  }
  return false;
}

// DefaultTolerationSeconds: five minutes on a node that is gone.
void AddDefaultTolerations(Fields& fields) {
  const doc::Value old = fields.Get("tolerations");
  std::vector<doc::Value> tolerations;
  for (const std::string_view taint :
       {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    if (ToleratesForever(old, taint)) continue;
    Fields added(fields.workspace());
    added.SetString("effect", "NoExecute");
    added.SetString("key", taint);
    added.SetString("operator", "Exists");
    added.SetInt("tolerationSeconds", 300);
    tolerations.push_back(added.Build());
  }
  if (tolerations.empty()) return;
  if (old.is_list()) {
    tolerations.insert(tolerations.begin(), old.as_list().begin(), old.as_list().end());
  }
  fields.Set("tolerations", doc::MakeList(fields.arena(), tolerations));
}

// Priority: the value of the priority class. Classes other than the built-in ones are objects of
// the cluster; what they say is not known here.
void AddPriority(Fields& fields) {
  const std::string_view name = fields.GetString("priorityClassName");
  std::int64_t priority = 0;
  if (name == "system-cluster-critical") {
    priority = 2000000000;
  } else if (name == "system-node-critical") {
    priority = 2000001000;
  } else if (!name.empty()) {
    return;
  }
  fields.DefaultInt("priority", priority);
  fields.DefaultString("preemptionPolicy", "PreemptLowerPriority");
}

void RunPodPlugins(Fields& fields) {
  if (!fields.workspace().plugins || !fields.workspace().is_pod) return;
  fields.Edit("spec", true, [](Fields& spec) {
    AddDefaultTolerations(spec);
    AddPriority(spec);
  });
}

constexpr LiteralRule kLiterals[] = {
    {"core.v1.PodSpec", "dnsPolicy", "\"ClusterFirst\""},
    {"core.v1.PodSpec", "restartPolicy", "\"Always\""},
    {"core.v1.PodSpec", "securityContext", "{}"},
    {"core.v1.PodSpec", "terminationGracePeriodSeconds", "30"},
    {"core.v1.PodSpec", "schedulerName", "\"default-scheduler\""},
};

constexpr HookRule kHooks[] = {
    {"core.v1.PodSpec", SyncServiceAccount},
    {"core.v1.PodSpec", DefaultPodOnly},
    {"core.v1.PodStatus", SyncPodIps},
    {"core.v1.Pod", RunPodPlugins},
};

}  // namespace

RuleGroup PodRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
