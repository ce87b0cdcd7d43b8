#include "schema/server_prepare.h"

#include <vector>

namespace portcullis::schema {

namespace {

struct Step {
  std::string_view group;
  std::string_view kind;
  void (*prepare)(Fields& fields, const ServerFacts& facts);
};

void PrepareNamespace(Fields& fields, const ServerFacts&) {
  fields.Edit("spec", true, [](Fields& spec) {
    const doc::Value old = spec.Get("finalizers");
    std::vector<doc::Value> finalizers;
    if (old.is_list()) finalizers.assign(old.as_list().begin(), old.as_list().end());
    for (const doc::Value& finalizer : finalizers) {
      if (finalizer.is_string() && finalizer.as_string() == "kubernetes") return;
    }
    finalizers.push_back(doc::Value::String("kubernetes"));
    spec.Set("finalizers", doc::MakeList(spec.arena(), finalizers));
  });
  fields.Edit("status", true, [](Fields& status) { status.SetString("phase", "Active"); });
}

void PrepareVolume(Fields& fields, const ServerFacts& facts) {
  fields.Edit("status", true, [&](Fields& status) {
    status.SetString("phase", "Pending");
    if (!facts.creation_timestamp.empty()) {
      status.Set("lastPhaseTransitionTime",
                 doc::MakeString(status.arena(), facts.creation_timestamp));
    }
  });
}

// The two names of a claim's source follow each other.
void PrepareClaim(Fields& fields, const ServerFacts&) {
  fields.Edit("spec", false, [](Fields& spec) {
    const doc::Value source = spec.Get("dataSource");
    const doc::Value reference = spec.Get("dataSourceRef");
    if (source.is_map() && reference.is_null()) {
      spec.Set("dataSourceRef", source);
    } else if (reference.is_map() && source.is_null() && reference.Find("namespace") == nullptr) {
      spec.Set("dataSource", reference);
    }
  });
}

void PrepareDaemonSet(Fields& fields, const ServerFacts&) {
  constexpr std::string_view kGeneration = "deprecated.daemonset.template.generation";
  fields.Edit("metadata", true, [&](Fields& metadata) {
    metadata.Edit("annotations", true, [&](Fields& annotations) {
      if (annotations.GetString(kGeneration) == "0") annotations.SetString(kGeneration, "1");
    });
  });
}

// Labels that a Job took from its template are the same map in the server, and change with it.
bool SharesTemplateLabels(const doc::Value& metadata, const doc::Value& spec) {
  const doc::Value* own = metadata.Find("labels");
  const doc::Value* tmpl = spec.Find("template");
  const doc::Value* template_metadata = tmpl == nullptr ? nullptr : tmpl->Find("metadata");
  const doc::Value* labels =
      template_metadata == nullptr ? nullptr : template_metadata->Find("labels");
  return own != nullptr && labels != nullptr && own->is_map() && labels->is_map() &&
         own->map_rep() == labels->map_rep();
}

// A Job selects its own pods by its uid, unless the user says otherwise.
void PrepareJob(Fields& fields, const ServerFacts& facts) {
  const doc::Value metadata = fields.Get("metadata");
  const std::string_view name = metadata.StringAt("name");
  const doc::Value uid = doc::MakeString(fields.arena(), facts.uid);
  const doc::Value old_spec = fields.Get("spec");
  const doc::Value* manual = old_spec.Find("manualSelector");
  if (manual != nullptr && manual->is_bool() && manual->as_bool()) return;
  const auto add_labels = [&](Fields& labels) {
    labels.SetString("job-name", name);
    labels.SetString("batch.kubernetes.io/job-name", name);
    labels.Set("controller-uid", uid);
    labels.Set("batch.kubernetes.io/controller-uid", uid);
  };
  if (SharesTemplateLabels(metadata, old_spec)) {
    fields.Edit("metadata", true, [&](Fields& own) { own.Edit("labels", true, add_labels); });
  }
  fields.Edit("spec", true, [&](Fields& spec) {
    spec.Edit("template", true, [&](Fields& tmpl) {
      tmpl.Edit("metadata", true, [&](Fields& template_metadata) {
        template_metadata.Edit("labels", true, add_labels);
      });
    });
    spec.Edit("selector", true, [&](Fields& selector) {
      selector.Edit("matchLabels", true, [&](Fields& labels) {
        labels.Default("batch.kubernetes.io/controller-uid", uid);
      });
    });
  });
}

// The requester is part of a signing request.
void PrepareSigningRequest(Fields& fields, const ServerFacts& facts) {
  fields.Edit("spec", true, [&](Fields& spec) {
    for (const std::string_view name : {"username", "uid", "groups", "extra"}) spec.Remove(name);
    base::Arena& arena = spec.arena();
    if (!facts.username.empty()) spec.Set("username", doc::MakeString(arena, facts.username));
    if (!facts.user_uid.empty()) spec.Set("uid", doc::MakeString(arena, facts.user_uid));
    if (facts.groups.is_list() && facts.groups.size() > 0) spec.Set("groups", facts.groups);
    if (facts.user_extra.is_map() && facts.user_extra.size() > 0) {
      spec.Set("extra", facts.user_extra);
    }
  });
}

void PrepareDefinition(Fields& fields, const ServerFacts&) { SetStoredVersions(fields); }

void PrepareService(Fields& fields, const ServerFacts& facts) {
  fields.Edit("spec", true, [&](Fields& spec) { AllocateService(spec, facts); });
}

// Secret references of a service account keep only the name.
void PrepareServiceAccount(Fields& fields, const ServerFacts&) {
  fields.EditItems("secrets", [](Fields& secret) {
    const doc::Value name = secret.Get("name");
    for (const std::string_view other :
         {"kind", "namespace", "uid", "apiVersion", "resourceVersion", "fieldPath"}) {
      secret.Remove(other);
    }
    if (!name.is_null()) secret.Set("name", name);
  });
}

constexpr Step kSteps[] = {
    {"", "Pod", PreparePod},
    {"", "Namespace", PrepareNamespace},
    {"", "PersistentVolume", PrepareVolume},
    {"", "PersistentVolumeClaim", PrepareClaim},
    {"", "Service", PrepareService},
    {"", "ServiceAccount", PrepareServiceAccount},
    {"certificates.k8s.io", "CertificateSigningRequest", PrepareSigningRequest},
    {"apiextensions.k8s.io", "CustomResourceDefinition", PrepareDefinition},
    {"apps", "DaemonSet", PrepareDaemonSet},
    {"batch", "Job", PrepareJob},
};

}  // namespace

void PrepareForCreate(Fields& fields, const Kind& kind, const ServerFacts& facts) {
  for (const Step& step : kSteps) {
    if (step.kind == kind.kind && step.group == kind.group) step.prepare(fields, facts);
  }
}

void AllocateService(Fields& spec, const ServerFacts& facts) {
  const std::string_view type = spec.GetString("type");
  if (type == "ExternalName") return;
  if (spec.GetString("clusterIP").empty() && !facts.cluster_ip.empty()) {
    spec.Set("clusterIP", doc::MakeString(spec.arena(), facts.cluster_ip));
  }
  const doc::Value address = spec.Get("clusterIP");
  if (!address.is_string()) return;
  if (!spec.Has("clusterIPs")) {
    spec.Set("clusterIPs", doc::MakeList(spec.arena(), {&address, 1}));
  }
  const bool headless = address.as_string() == "None";
  const bool selects = spec.Get("selector").is_map();
  const doc::Value families[] = {doc::Value::String("IPv4"), doc::Value::String("IPv6")};
  const bool dual = headless && !selects;
  if (!spec.Has("ipFamilyPolicy")) {
    spec.SetString("ipFamilyPolicy", dual ? "RequireDualStack" : "SingleStack");
  }
  if (!spec.Has("ipFamilies")) {
    const std::size_t count = dual ? 2 : 1;
    const bool v6 = address.as_string().find(':') != std::string_view::npos;
    spec.Set("ipFamilies", doc::MakeList(spec.arena(), {v6 ? families + 1 : families,
                                                        v6 ? std::size_t{1} : count}));
  }
  const doc::Value allocate = spec.Get("allocateLoadBalancerNodePorts");
  const bool ports = type == "NodePort" ||
                     (type == "LoadBalancer" && !(allocate.is_bool() && !allocate.as_bool()));
  if (!ports || facts.node_port == 0) return;
  std::int64_t next = facts.node_port;
  spec.EditItems("ports", [&](Fields& port) {
    if (!port.Has("nodePort")) port.SetInt("nodePort", next++);
  });
  if (type == "LoadBalancer" && spec.GetString("externalTrafficPolicy") == "Local") {
    spec.DefaultInt("healthCheckNodePort", next);
  }
}

}  // namespace portcullis::schema
