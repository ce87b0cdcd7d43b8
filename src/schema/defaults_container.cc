#include "schema/image.h"
#include "schema/rules.h"

namespace portcullis::schema {

namespace {

void DefaultPullPolicy(Fields& fields) {
  if (fields.Has("imagePullPolicy")) return;
  fields.SetString("imagePullPolicy",
                   IsLatestImage(fields.GetString("image")) ? "Always" : "IfNotPresent");
}

// Only in Pods, not in templates: a limit without a request is also the request.
void DefaultRequests(Fields& fields) {
  if (!fields.workspace().is_pod) return;
  const doc::Value resources = fields.Get("resources");
  if (!resources.is_map()) return;
  const doc::Value* limits = resources.Find("limits");
  if (limits == nullptr || !limits->is_map()) return;
  fields.Edit("resources", false, [&](Fields& edited) {
    edited.Edit("requests", true, [&](Fields& requests) {
      for (const doc::MapEntry& limit : limits->as_map()) {
        requests.Default(limit.key.as_string(), limit.value);
      }
    });
  });
}

constexpr LiteralRule kLiterals[] = {
    {"core.v1.Container", "terminationMessagePath", "\"/dev/termination-log\""},
    {"core.v1.Container", "terminationMessagePolicy", "\"File\""},
    {"core.v1.EphemeralContainer", "terminationMessagePath", "\"/dev/termination-log\""},
    {"core.v1.EphemeralContainer", "terminationMessagePolicy", "\"File\""},
    {"core.v1.Probe", "timeoutSeconds", "1"},
    {"core.v1.Probe", "periodSeconds", "10"},
    {"core.v1.Probe", "successThreshold", "1"},
    {"core.v1.Probe", "failureThreshold", "3"},
    {"core.v1.HTTPGetAction", "path", "\"/\""},
    {"core.v1.HTTPGetAction", "scheme", "\"HTTP\""},
    {"core.v1.ObjectFieldSelector", "apiVersion", "\"v1\""},
};

constexpr HookRule kHooks[] = {
    {"core.v1.Container", DefaultPullPolicy},
    {"core.v1.Container", DefaultRequests},
    {"core.v1.EphemeralContainer", DefaultPullPolicy},
};

}  // namespace

RuleGroup ContainerRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
