#include "schema/rules.h"

namespace portcullis::schema {

namespace {

constexpr std::int64_t kMaxInt32 = 2147483647;

void DefaultJobSpec(Fields& spec) {
  if (!spec.Has("completions") && !spec.Has("parallelism")) spec.SetInt("completions", 1);
  spec.DefaultInt("parallelism", 1);
  spec.DefaultInt("backoffLimit", spec.Has("backoffLimitPerIndex") ? kMaxInt32 : 6);
  spec.DefaultString("completionMode", "NonIndexed");
  spec.DefaultBool("suspend", false);
  spec.DefaultString("podReplacementPolicy",
                     spec.Has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
  spec.DefaultBool("manualSelector", false);
}

// Of a Job, not of a CronJob's template.
void DefaultJob(Fields& fields) {
  fields.Edit("spec", true, DefaultJobSpec);
  const doc::Value spec = fields.Get("spec");
  const doc::Value* tmpl = spec.Find("template");
  const doc::Value* metadata = tmpl == nullptr ? nullptr : tmpl->Find("metadata");
  const doc::Value* labels = metadata == nullptr ? nullptr : metadata->Find("labels");
  if (labels == nullptr || !labels->is_map()) return;
  fields.Edit("metadata", true, [&](Fields& edited) { edited.Default("labels", *labels); });
}

constexpr LiteralRule kLiterals[] = {
    {"batch.v1.CronJobSpec", "concurrencyPolicy", "\"Allow\""},
    {"batch.v1.CronJobSpec", "suspend", "false"},
    {"batch.v1.CronJobSpec", "successfulJobsHistoryLimit", "3"},
    {"batch.v1.CronJobSpec", "failedJobsHistoryLimit", "1"},
    {"batch.v1.PodFailurePolicyOnPodConditionsPattern", "status", "\"True\""},
};

constexpr HookRule kHooks[] = {
    {"batch.v1.Job", DefaultJob},
};

}  // namespace

RuleGroup BatchRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
