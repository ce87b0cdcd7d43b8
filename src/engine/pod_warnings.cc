// Warnings of Pods and pod templates.

#include <set>

#include "base/gotext.h"
#include "engine/warning_list.h"

namespace portcullis::engine {
namespace {

constexpr std::string_view kNullSelector = "a null labelSelector results in matching no pod";

struct OldAnnotation {
  std::string_view key;
  std::string_view advice;
};
constexpr OldAnnotation kOldAnnotations[] = {
    {"scheduler.alpha.kubernetes.io/critical-pod",
     "non-functional in v1.16+; use the \"priorityClassName\" field instead"},
    {"security.alpha.kubernetes.io/sysctls",
     "non-functional in v1.11+; use the \"sysctls\" field instead"},
    {"security.alpha.kubernetes.io/unsafe-sysctls",
     "non-functional in v1.11+; use the \"sysctls\" field instead"},
};

void NullSelector(const Field& term, WarningList& out) {
  const Field selector = term.At("labelSelector");
  if (!selector.present()) out.Add(selector.path(), kNullSelector);
}

void Scheduling(const Field& spec, WarningList& out) {
  for (const auto& [key, entry] : spec.At("nodeSelector").Entries()) {
    if (const std::string_view advice = OldNodeLabel(key); !advice.empty()) {
      out.Add(entry.path(), advice);
    }
  }
  const Field node = spec.At("affinity").At("nodeAffinity");
  for (const Field& term :
       node.At("requiredDuringSchedulingIgnoredDuringExecution").At("nodeSelectorTerms").Items()) {
    out.NodeSelectorTerm(term, false);
  }
  for (const Field& term : node.At("preferredDuringSchedulingIgnoredDuringExecution").Items()) {
    out.NodeSelectorTerm(term.At("preference"), true);
  }
  for (const Field& item : spec.At("topologySpreadConstraints").Items()) {
    const std::string_view key = item.Text("topologyKey");
    if (const std::string_view advice = OldNodeLabel(key); !advice.empty()) {
      out.Add(item.At("topologyKey").path(), std::string(key) + " is " + std::string(advice));
    }
    NullSelector(item, out);
  }
}

void PodAffinity(const Field& spec, WarningList& out) {
  for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
    const Field affinity = spec.At("affinity").At(kind);
    for (const Field& term :
         affinity.At("requiredDuringSchedulingIgnoredDuringExecution").Items()) {
      NullSelector(term, out);
    }
    for (const Field& term :
         affinity.At("preferredDuringSchedulingIgnoredDuringExecution").Items()) {
      NullSelector(term.At("podAffinityTerm"), out);
    }
  }
}

// Lists that are merged by a member which may yet be given twice.
void Repeated(const Field& list, std::string_view member, std::string_view what, WarningList& out) {
  std::set<std::string_view> seen;
  for (const Field& item : list.Items()) {
    const std::string_view text = item.Text(member);
    if (!seen.insert(text).second) {
      out.Add(item.At(member).path(), "duplicate " + std::string(what) + " " + base::GoQuote(text));
    }
  }
}

}  // namespace

void WarnAboutPod(const Field& top, bool is_template, WarningList& out) {
  const Field spec = top.At("spec");
  Scheduling(spec, out);
  const Field annotations = top.At("metadata").At("annotations");
  for (const OldAnnotation& old : kOldAnnotations) {
    const Field annotation = annotations.Key(old.key);
    if (annotation.present()) out.Add(annotation.path(), old.advice);
  }
  WarnAboutVolumes(spec, out);
  Repeated(spec.At("hostAliases"), "ip", "ip", out);
  Repeated(spec.At("imagePullSecrets"), "name", "name", out);
  for (const Field& secret : spec.At("imagePullSecrets").Items()) {
    if (secret.Text("name").empty()) {
      out.Add(secret.At("name").path(), "invalid empty name \"\"");
    }
  }
  for (const std::string_view resource : {"memory", "ephemeral-storage"}) {
    out.Fraction(spec.At("overhead").Key(resource));
  }
  if (!spec.At("securityContext").At("seccompProfile").present()) {
    const Field annotation = annotations.Key("seccomp.security.alpha.kubernetes.io/pod");
    if (annotation.present()) {
      out.Add(annotation.path(),
              "non-functional in v1.27+; use the \"seccompProfile\" field instead");
    }
  }
  WarnAboutContainers(top, is_template, out);
  if (spec.Number("terminationGracePeriodSeconds") < 0) {
    out.Add(spec.At("terminationGracePeriodSeconds").path(),
            "must be >= 0; negative values are invalid and will be treated as 1");
  }
  PodAffinity(spec, out);
  for (const Field& server : spec.At("dnsConfig").At("nameservers").Items()) out.Address(server);
  for (const Field& alias : spec.At("hostAliases").Items()) out.Address(alias.At("ip"));
}

}  // namespace portcullis::engine
