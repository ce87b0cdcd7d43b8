#include "base/base64.h"
#include "schema/rules.h"

namespace portcullis::schema {

namespace {

// stringData is write-only: it goes into data, over what is there.
void MergeStringData(Fields& fields) {
  const doc::Value text = fields.Get("stringData");
  if (text.is_map() && text.size() > 0) {
    fields.Edit("data", true, [&](Fields& data) {
      for (const doc::MapEntry& entry : text.as_map()) {
        if (!entry.value.is_string()) continue;
        data.Set(entry.key.as_string(),
                 doc::MakeString(data.arena(), base::Base64Encode(entry.value.as_string())));
      }
    });
  }
  fields.Remove("stringData");
}

void LabelNamespace(Fields& fields) {
  const doc::Value metadata = fields.Get("metadata");
  const std::string_view name = metadata.StringAt("name");
  if (name.empty()) return;
  fields.Edit("metadata", true, [&](Fields& edited) {
    edited.Edit("labels", true, [&](Fields& labels) {
      if (labels.GetString("kubernetes.io/metadata.name") != name) {
        labels.SetString("kubernetes.io/metadata.name", name);
      }
    });
  });
}

void AddMissing(Fields& list, const doc::Value& from) {
  if (!from.is_map()) return;
  for (const doc::MapEntry& entry : from.as_map()) list.Default(entry.key.as_string(), entry.value);
}

// Limits for containers: a maximum is the default limit, that and then the minimum the request.
void DefaultLimits(Fields& fields) {
  if (fields.GetString("type") != "Container") return;
  const doc::Value max = fields.Get("max");
  if (max.is_map() && max.size() > 0) {
    fields.Edit("default", true, [&](Fields& limits) { AddMissing(limits, max); });
  }
  const doc::Value limits = fields.Get("default");
  const doc::Value min = fields.Get("min");
  if (limits.is_map() || min.is_map()) {
    fields.Edit("defaultRequest", true, [&](Fields& requests) {
      AddMissing(requests, limits);
      AddMissing(requests, min);
    });
  }
}

void DefaultAllocatable(Fields& fields) {
  const doc::Value capacity = fields.Get("capacity");
  if (capacity.is_map()) fields.Default("allocatable", capacity);
}

// podCIDR is the first of podCIDRs, and wins.
void SyncPodCidrs(Fields& fields) {
  const std::string_view one = fields.GetString("podCIDR");
  const doc::Value all = fields.Get("podCIDRs");
  std::string_view first;
  if (all.is_list() && all.size() > 0 && all.as_list()[0].is_string()) {
    first = all.as_list()[0].as_string();
  }
  if (one.empty() && !first.empty()) fields.SetString("podCIDR", first);
  if (one.empty() || one == first) return;
  const doc::Value only = doc::Value::String(one);
  fields.Set("podCIDRs", doc::MakeList(fields.arena(), {&only, 1}));
}

// A replication controller without selector or labels takes those of its template.
void CopyTemplateLabels(Fields& fields) {
  const doc::Value spec = fields.Get("spec");
  if (!spec.is_map()) return;
  const doc::Value* tmpl = spec.Find("template");
  const doc::Value* metadata = tmpl == nullptr ? nullptr : tmpl->Find("metadata");
  const doc::Value* labels = metadata == nullptr ? nullptr : metadata->Find("labels");
  if (labels == nullptr || !labels->is_map()) return;
  fields.Edit("spec", true, [&](Fields& edited) { edited.Default("selector", *labels); });
  fields.Edit("metadata", true, [&](Fields& edited) { edited.Default("labels", *labels); });
}

// TaintNodesByCondition: a new node takes no pods before it is ready.
void TaintNode(Fields& fields) {
  if (!fields.workspace().plugins) return;
  fields.Edit("spec", true, [](Fields& spec) {
    const doc::Value old = spec.Get("taints");
    std::vector<doc::Value> taints;
    if (old.is_list()) taints.assign(old.as_list().begin(), old.as_list().end());
    for (const doc::Value& taint : taints) {
      if (taint.StringAt("key") == "node.kubernetes.io/not-ready" &&
          taint.StringAt("effect") == "NoSchedule") {
        return;
      }
    }
    Fields added(spec.workspace());
    added.SetString("effect", "NoSchedule");
    added.SetString("key", "node.kubernetes.io/not-ready");
    taints.push_back(added.Build());
    spec.Set("taints", doc::MakeList(spec.arena(), taints));
  });
}

constexpr LiteralRule kLiterals[] = {
    {"core.v1.Secret", "type", "\"Opaque\""},
    {"core.v1.NamespaceStatus", "phase", "\"Active\""},
    {"core.v1.EndpointPort", "protocol", "\"TCP\""},
};

constexpr HookRule kHooks[] = {
    {"core.v1.Secret", MergeStringData},
    {"core.v1.Namespace", LabelNamespace},
    {"core.v1.LimitRangeItem", DefaultLimits},
    {"core.v1.NodeSpec", SyncPodCidrs},
    {"core.v1.NodeStatus", DefaultAllocatable},
    {"core.v1.ReplicationController", CopyTemplateLabels},
    {"core.v1.Node", TaintNode},
};

}  // namespace

RuleGroup CoreRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
