#include "engine/object_warnings.h"

#include <algorithm>

#include "base/base64.h"
#include "base/quantity.h"
#include "base/validation.h"
#include "doc/equal.h"
#include "engine/warning_list.h"

namespace portcullis::engine {
namespace {

// What a request asks for: the object, and the stored one of an UPDATE.
struct Change {
  Field object;
  Field old;
  bool update = false;

  // Did the member change, or is there no old object?
  bool Changed(std::string_view member) const {
    if (!update) return true;
    const Field now = object.At(member);
    const Field before = old.At(member);
    if (!now.present() || !before.present()) return now.present() != before.present();
    return !doc::DataEqual(now.value(), before.value());
  }
};

using Rule = void (*)(const Change& change, WarningList& out);

void WarnAboutName(const Change& change, std::string_view use, WarningList& out) {
  const std::string_view name = change.object.At("metadata").Text("name");
  if (change.update || name.empty()) return;
  const base::Messages messages = base::ValidateDns1123Label(name);
  if (messages.empty()) return;
  std::string text = "metadata.name: this is used in " + std::string(use) +
                     ", which can result in surprising behavior; a DNS label is recommended: [";
  for (std::size_t i = 0; i < messages.size(); ++i) text += (i == 0 ? "" : " ") + messages[i];
  out.Add(text + "]");
}

constexpr std::string_view kPodNames = "Pod names and hostnames";

void Pod(const Change& change, WarningList& out) {
  if (change.update) return;
  WarnAboutPodAppArmor(change.object, out);
  WarnAboutName(change, "the Pod's hostname", out);
  WarnAboutPod(change.object, false, out);
}

void PodTemplate(const Change& change, WarningList& out) {
  if (change.Changed("template")) WarnAboutPod(change.object.At("template"), true, out);
}

void Template(const Change& change, WarningList& out) {
  if (change.Changed("spec")) WarnAboutPod(change.object.At("spec").At("template"), true, out);
}

void NamedTemplate(const Change& change, WarningList& out) {
  WarnAboutName(change, kPodNames, out);
  Template(change, out);
}

// Go parity: an update looks at the template that was.
void ReplicationController(const Change& change, WarningList& out) {
  WarnAboutName(change, kPodNames, out);
  if (!change.Changed("spec")) return;
  const Field& seen = change.update ? change.old : change.object;
  WarnAboutPod(seen.At("spec").At("template"), true, out);
}

void DaemonSet(const Change& change, WarningList& out) {
  const Change spec{change.object.At("spec"), change.old.At("spec"), change.update};
  if (spec.Changed("template")) WarnAboutPod(spec.object.At("template"), true, out);
}

void Claim(const Field& spec, WarningList& out) {
  for (const std::string_view kind : {"requests", "limits"}) {
    out.Fraction(spec.At("resources").At(kind).Key("storage"));
  }
}

void StatefulSet(const Change& change, WarningList& out) {
  Template(change, out);
  const Field spec = change.object.At("spec");
  for (const Field& claim : spec.At("volumeClaimTemplates").Items()) {
    const Field claim_spec = claim.At("spec");
    if (!claim_spec.present()) continue;
    // Go parity: the path leaves out the member, or writes it with a capital.
    Claim(Field(&claim_spec.value(), claim.path() + (change.update ? ".Spec" : "")), out);
  }
  if (spec.Number("revisionHistoryLimit") < 0) {
    out.Add(spec.At("revisionHistoryLimit").path(),
            "a negative value retains all historical revisions; a value >= 0 is recommended");
  }
}

void JobSpec(const Field& spec, WarningList& out) {
  constexpr std::int64_t kCompletions = 100'000;
  constexpr std::int64_t kParallelism = 10'000;
  if (spec.Text("completionMode") == "Indexed" && spec.Number("completions") > kCompletions &&
      spec.Number("parallelism") > kParallelism) {
    out.Add(spec.path(),
            "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism "
            "higher than 10^4, Kubernetes might not be able to track completedIndexes when a big "
            "number of indexes fail");
  }
  WarnAboutPod(spec.At("template"), true, out);
}

void Job(const Change& change, WarningList& out) {
  WarnAboutName(change, kPodNames, out);
  if (change.Changed("spec")) JobSpec(change.object.At("spec"), out);
}

void CronJob(const Change& change, WarningList& out) {
  WarnAboutName(change, kPodNames, out);
  const Field spec = change.object.At("spec");
  if (change.Changed("spec")) JobSpec(spec.At("jobTemplate").At("spec"), out);
  if (change.update && spec.Text("schedule").find("TZ") != std::string_view::npos) {
    out.Add(
        "cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
  }
}

void Service(const Change& change, WarningList& out) {
  const Field spec = change.object.At("spec");
  const Field annotations = change.object.At("metadata").At("annotations");
  if (annotations.Key("service.kubernetes.io/topology-aware-hints").present()) {
    out.Add(
        "annotation service.kubernetes.io/topology-aware-hints is deprecated, please use "
        "service.kubernetes.io/topology-mode instead");
  }
  const std::string_view cluster_ip = spec.Text("clusterIP");
  const bool headless = spec.Text("type") == "ClusterIP" && cluster_ip == "None";
  const bool external_name = spec.Text("type") == "ExternalName";
  if (!cluster_ip.empty() && cluster_ip != "None") {
    for (const Field& ip : spec.At("clusterIPs").Items()) out.Address(ip);
  }
  const std::vector<Field> external = spec.At("externalIPs").Items();
  const std::string_view balancer = spec.Text("loadBalancerIP");
  if (headless) {
    if (!balancer.empty()) out.Add("spec.loadBalancerIP is ignored for headless services");
    if (!external.empty()) out.Add("spec.externalIPs is ignored for headless services");
    if (spec.Text("sessionAffinity") != "None") {
      out.Add("spec.SessionAffinity is ignored for headless services");
    }
  }
  for (const Field& ip : external) out.Address(ip);
  if (!external.empty() && !headless && !external_name) {
    out.Add("spec.externalIPs is deprecated and may no longer be implemented in some clusters");
  }
  if (!balancer.empty()) out.Address(spec.At("loadBalancerIP"));
  for (const Field& range : spec.At("loadBalancerSourceRanges").Items()) out.Cidr(range);
  if (external_name && !external.empty()) {
    out.Add("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
  }
  if (!external_name && !spec.Text("externalName").empty()) {
    out.Add("spec.externalName is ignored when spec.type is not \"ExternalName\"");
  }
  if (spec.Text("trafficDistribution") == "PreferClose") {
    out.Add("spec.trafficDistribution: \"PreferClose\" is deprecated; use \"PreferSameZone\"");
  }
}

constexpr std::string_view kOldStorageClass =
    "deprecated since v1.8; use \"storageClassName\" attribute instead";

void OldAnnotation(const Change& change, std::string_view key, std::string_view advice,
                   WarningList& out) {
  const Field annotation = change.object.At("metadata").At("annotations").Key(key);
  if (annotation.present()) out.Add(annotation.path(), advice);
}

void PersistentVolumeClaim(const Change& change, WarningList& out) {
  OldAnnotation(change, "volume.beta.kubernetes.io/storage-class", kOldStorageClass, out);
  Claim(change.object.At("spec"), out);
}

void PersistentVolume(const Change& change, WarningList& out) {
  constexpr std::pair<std::string_view, std::string_view> kOld[] = {
      {"cephfs", "deprecated in v1.28, non-functional in v1.31+"},
      {"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
      {"scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
      {"storageos", "deprecated in v1.22, non-functional in v1.25+"},
      {"glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
      {"rbd", "deprecated in v1.28, non-functional in v1.31+"}};
  OldAnnotation(change, "volume.beta.kubernetes.io/storage-class", kOldStorageClass, out);
  OldAnnotation(change, "volume.beta.kubernetes.io/mount-options",
                "deprecated since v1.31; use \"mountOptions\" attribute instead", out);
  const Field spec = change.object.At("spec");
  if (spec.Text("persistentVolumeReclaimPolicy") == "Recycle") {
    out.Add(spec.At("persistentVolumeReclaimPolicy").path(),
            "The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use "
            "dynamic provisioning.");
  }
  const Field required = spec.At("nodeAffinity").At("required");
  for (const Field& term : required.At("nodeSelectorTerms").Items()) {
    out.NodeSelectorTerm(term, false);
  }
  for (const auto& [member, advice] : kOld) {
    if (!spec.At(member).present()) continue;
    out.Add(spec.At(member == "storageos" ? "storageOS" : member).path(), advice);
  }
}

void NetworkPolicy(const Change& change, WarningList& out) {
  constexpr std::pair<std::string_view, std::string_view> kSides[] = {{"ingress", "from"},
                                                                      {"egress", "to"}};
  for (const auto& [side, peers] : kSides) {
    for (const Field& rule : change.object.At("spec").At(side).Items()) {
      for (const Field& peer : rule.At(peers).Items()) {
        const Field block = peer.At("ipBlock");
        out.Cidr(block.At("cidr"));
        for (const Field& except : block.At("except").Items()) out.Cidr(except);
      }
    }
  }
}

void Ingress(const Change& change, WarningList& out) {
  if (change.update || change.object.At("spec").At("ingressClassName").present()) return;
  if (change.object.At("metadata").At("annotations").Key("kubernetes.io/ingress.class").present()) {
    out.Add(
        "annotation \"kubernetes.io/ingress.class\" is deprecated, please use "
        "'spec.ingressClassName' instead");
  }
}

std::string_view ManagedBy(const Change& change, std::string_view label) {
  return change.object.At("metadata").At("labels").Text(label);
}

void Endpoints(const Change& change, WarningList& out) {
  out.Add("v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
  if (ManagedBy(change, "endpoints.kubernetes.io/managed-by") == "endpoint-controller") return;
  for (const Field& subset : change.object.At("subsets").Items()) {
    for (const std::string_view list : {"addresses", "notReadyAddresses"}) {
      for (const Field& address : subset.At(list).Items()) out.Address(address.At("ip"));
    }
  }
}

void EndpointSlice(const Change& change, WarningList& out) {
  if (!change.update && change.object.Text("addressType") == "FQDN") {
    out.Add("spec.addressType", "FQDN endpoints are deprecated");
  }
  const std::string_view manager = ManagedBy(change, "endpointslice.kubernetes.io/managed-by");
  if (manager == "endpointslice-controller.k8s.io" ||
      manager == "endpointslicemirroring-controller.k8s.io") {
    return;
  }
  for (const Field& endpoint : change.object.At("endpoints").Items()) {
    for (const Field& address : endpoint.At("addresses").Items()) out.Address(address);
  }
}

void Node(const Change& change, WarningList& out) {
  const Field spec = change.object.At("spec");
  if (spec.At("configSource").present()) out.Add("spec.configSource: the feature is removed");
  if (!spec.Text("externalID").empty()) {
    out.Add("spec.externalID: this field is deprecated, and is unused by Kubernetes");
  }
  for (const Field& range : spec.At("podCIDRs").Items()) out.Cidr(range);
}

void ServiceAccount(const Change& change, WarningList& out) {
  constexpr std::string_view kKey = "kubernetes.io/enforce-mountable-secrets";
  if (change.old.At("metadata").At("annotations").Key(kKey).present()) return;
  OldAnnotation(change, kKey,
                "deprecated in v1.32+; prefer separate namespaces to isolate access to mounted "
                "secrets",
                out);
}

void ResourceQuota(const Change& change, WarningList& out) {
  if (change.update) return;
  const Field hard = change.object.At("spec").At("hard");
  for (const std::string resource : {"cpu", "memory", "storage", "ephemeral-storage"}) {
    std::string request = "requests." + resource;
    if (!hard.Key(request).present() && (resource == "cpu" || resource == "memory")) {
      request = resource;
    }
    const std::string limit = "limits." + resource;
    const auto low = base::Quantity::Parse(hard.Text(request));
    const auto high = base::Quantity::Parse(hard.Text(limit));
    if (!low.ok() || !high.ok() || low->Compare(*high) <= 0) continue;
    std::string text = "ResourceQuota " + request;
    text += " (" + base::Quantity::Canonical(hard.Text(request)) + ")";
    text += " should be less than " + limit;
    text += " (" + base::Quantity::Canonical(hard.Text(limit)) + ")";
    out.Add(std::move(text));
  }
}

void RuntimeClass(const Change& change, WarningList& out) {
  const Field selector = change.object.At("scheduling").At("nodeSelector");
  for (const auto& [key, entry] : selector.Entries()) {
    if (const std::string_view advice = OldNodeLabel(key); !advice.empty()) {
      out.Add(selector.path(), advice);
    }
  }
}

void StorageClass(const Change& change, WarningList& out) {
  for (const Field& topology : change.object.At("allowedTopologies").Items()) {
    for (const Field& item : topology.At("matchLabelExpressions").Items()) {
      const std::string_view advice = OldNodeLabel(item.Text("key"));
      if (!advice.empty()) out.Add(item.At("key").path(), advice);
    }
  }
}

// The certificates or the key of a TLS secret, which must be PEM.
bool HasPem(const Field& data, std::string_view name) {
  const auto text = base::Base64Decode(data.Text(name));
  return text.ok() && text->find("-----BEGIN ") != std::string::npos;
}

void Secret(const Change& change, WarningList& out) {
  if (change.object.Text("type") != "kubernetes.io/tls") return;
  const Field data = change.object.At("data");
  if (!HasPem(data, "tls.crt")) {
    out.Add("tls: failed to find any PEM data in certificate input");
  } else if (!HasPem(data, "tls.key")) {
    out.Add("tls: failed to find any PEM data in key input");
  }
}

void CsiDriver(const Change& change, WarningList& out) {
  const Field spec = change.object.At("spec");
  const Change specs{spec, change.old.At("spec"), change.update};
  if (spec.At("tokenRequests").Items().empty() || !specs.Changed("tokenRequests") ||
      spec.At("serviceAccountTokenInSecrets").present()) {
    return;
  }
  out.Add(
      "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to "
      "prevent possible logging of tokens in volume attributes");
}

void CsiStorageCapacity(const Change& change, WarningList& out) {
  const Field topology = change.object.At("nodeTopology");
  out.NodeSelectorTerm(topology, false);
  const Field labels = topology.At("matchLabels");
  for (const auto& [key, entry] : labels.Entries()) {
    const std::string_view advice = OldNodeLabel(key);
    if (!advice.empty()) out.Add(labels.At(key).path(), advice);
  }
}

struct KindRule {
  std::string_view group;
  std::string_view kind;
  Rule rule;
};

constexpr KindRule kRules[] = {
    {"", "Pod", Pod},
    {"", "PodTemplate", PodTemplate},
    {"", "ReplicationController", ReplicationController},
    {"", "Service", Service},
    {"", "PersistentVolumeClaim", PersistentVolumeClaim},
    {"", "PersistentVolume", PersistentVolume},
    {"", "Endpoints", Endpoints},
    {"", "Node", Node},
    {"", "ServiceAccount", ServiceAccount},
    {"", "ResourceQuota", ResourceQuota},
    {"", "Secret", Secret},
    {"apps", "Deployment", NamedTemplate},
    {"apps", "ReplicaSet", NamedTemplate},
    {"apps", "StatefulSet", StatefulSet},
    {"apps", "DaemonSet", DaemonSet},
    {"batch", "Job", Job},
    {"batch", "CronJob", CronJob},
    {"discovery.k8s.io", "EndpointSlice", EndpointSlice},
    {"networking.k8s.io", "Ingress", Ingress},
    {"networking.k8s.io", "NetworkPolicy", NetworkPolicy},
    {"node.k8s.io", "RuntimeClass", RuntimeClass},
    {"storage.k8s.io", "CSIDriver", CsiDriver},
    {"storage.k8s.io", "CSIStorageCapacity", CsiStorageCapacity},
    {"storage.k8s.io", "StorageClass", StorageClass},
};

}  // namespace

std::vector<std::string> ObjectWarnings(const match::AdmissionRequest& request) {
  if (!request.sub_resource.empty() || !request.object.is_map()) return {};
  const auto rule = std::find_if(std::begin(kRules), std::end(kRules), [&](const KindRule& item) {
    return item.kind == request.kind.kind && item.group == request.kind.group;
  });
  if (rule == std::end(kRules)) return {};
  WarningList out;
  const bool update = request.operation == match::Operation::kUpdate;
  rule->rule({Field(&request.object, ""), Field(update ? &request.old_object : nullptr, ""),
              update && request.old_object.is_map()},
             out);
  return out.Take();
}

}  // namespace portcullis::engine
