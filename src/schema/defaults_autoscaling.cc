#include <string>

#include "schema/rules.h"

namespace portcullis::schema {

namespace {

doc::Value Policy(Fields& fields, std::string_view type, std::int64_t value) {
  Fields policy(fields.workspace());
  policy.SetString("type", type);
  policy.SetInt("value", value);
  policy.SetInt("periodSeconds", 15);
  return policy.Build();
}

void DefaultScaleUp(Fields& rules) {
  rules.DefaultInt("stabilizationWindowSeconds", 0);
  rules.DefaultString("selectPolicy", "Max");
  if (rules.Has("policies")) return;
  const doc::Value policies[] = {Policy(rules, "Pods", 4), Policy(rules, "Percent", 100)};
  rules.Set("policies", doc::MakeList(rules.arena(), policies));
}

void DefaultScaleDown(Fields& rules) {
  rules.DefaultString("selectPolicy", "Max");
  if (rules.Has("policies")) return;
  const doc::Value policy = Policy(rules, "Percent", 100);
  rules.Set("policies", doc::MakeList(rules.arena(), {&policy, 1}));
}

void DefaultMetrics(Fields& spec) {
  if (spec.Has("metrics")) return;
  Fields target(spec.workspace());
  target.SetString("type", "Utilization");
  target.SetInt("averageUtilization", 80);
  const doc::Value built_target = target.Build();
  Fields resource(spec.workspace());
  resource.SetString("name", "cpu");
  resource.Set("target", built_target);
  const doc::Value built_resource = resource.Build();
  Fields metric(spec.workspace());
  metric.SetString("type", "Resource");
  metric.Set("resource", built_resource);
  const doc::Value built = metric.Build();
  spec.Set("metrics", doc::MakeList(spec.arena(), {&built, 1}));
}

void DefaultBehaviour(Fields& spec) {
  spec.Edit("behavior", false, [](Fields& behavior) {
    behavior.Edit("scaleUp", true, DefaultScaleUp);
    behavior.Edit("scaleDown", true, DefaultScaleDown);
  });
}

// Version 1 keeps what it cannot say in annotations; without those, CPU has a default target.
void DefaultCpuTarget(Fields& fields) {
  const doc::Value metadata = fields.Get("metadata");
  const doc::Value* annotations = metadata.Find("annotations");
  if (annotations != nullptr &&
      annotations->Find("autoscaling.alpha.kubernetes.io/metrics") != nullptr) {
    return;
  }
  fields.Edit("spec", true,
              [](Fields& spec) { spec.DefaultInt("targetCPUUtilizationPercentage", 80); });
}

// The measured CPU of version 1 is the current metric of an annotation, too.
void AnnotateCurrentCpu(Fields& fields) {
  const doc::Value status = fields.Get("status");
  const doc::Value* percentage = status.Find("currentCPUUtilizationPercentage");
  if (percentage == nullptr || !percentage->is_int()) return;
  const std::string text =
      "[{\"type\":\"Resource\",\"resource\":{\"name\":\"cpu\",\"currentAverageUtilization\":" +
      std::to_string(percentage->as_int()) + ",\"currentAverageValue\":\"0\"}}]";
  fields.Edit("metadata", true, [&](Fields& metadata) {
    metadata.Edit("annotations", true, [&](Fields& annotations) {
      annotations.Set("autoscaling.alpha.kubernetes.io/current-metrics",
                      doc::MakeString(annotations.arena(), text));
    });
  });
}

constexpr LiteralRule kLiterals[] = {
    {"autoscaling.v1.HorizontalPodAutoscalerSpec", "minReplicas", "1"},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", "minReplicas", "1"},
};

constexpr HookRule kHooks[] = {
    {"autoscaling.v1.HorizontalPodAutoscaler", DefaultCpuTarget},
    {"autoscaling.v1.HorizontalPodAutoscaler", AnnotateCurrentCpu},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", DefaultMetrics},
    {"autoscaling.v2.HorizontalPodAutoscalerSpec", DefaultBehaviour},
};

}  // namespace

RuleGroup AutoscalingRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
