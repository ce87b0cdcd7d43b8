#include "engine/object_warnings.h"

#include <set>
#include <string_view>

#include "doc/path.h"
#include "doc/value.h"

namespace portcullis::engine {
namespace {

using doc::Value;

constexpr std::string_view kNullSelector = "a null labelSelector results in matching no pod";

// Node labels of long ago and what replaced them.
struct OldLabel {
  std::string_view key;
  std::string_view advice;
};
constexpr OldLabel kOldLabels[] = {
    {"beta.kubernetes.io/arch", "deprecated since v1.14; use \"kubernetes.io/arch\" instead"},
    {"beta.kubernetes.io/os", "deprecated since v1.14; use \"kubernetes.io/os\" instead"},
    {"failure-domain.beta.kubernetes.io/region",
     "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead"},
    {"failure-domain.beta.kubernetes.io/zone",
     "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead"},
    {"beta.kubernetes.io/instance-type",
     "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead"},
};

class PodWarnings {
 public:
  explicit PodWarnings(std::string path) : path_(std::move(path)) {}

  std::vector<std::string> Run(const Value& spec) {
    NodeSelector(spec);
    Affinity(spec);
    Spread(spec);
    for (const std::string_view list : {"initContainers", "containers"}) Containers(spec, list);
    return std::move(out_);
  }

 private:
  void Warn(const std::string& path, std::string_view text) {
    out_.push_back(path_ + path + ": " + std::string(text));
  }

  template <typename F>
  void Each(const Value& object, std::string_view member, const std::string& path, F&& take) {
    const Value* list = object.Find(member);
    if (list == nullptr || !list->is_list()) return;
    for (std::size_t i = 0; i < list->size(); ++i) {
      take(list->as_list()[i], path + "." + std::string(member) + "[" + std::to_string(i) + "]");
    }
  }

  void OldKey(std::string_view key, const std::string& path) {
    for (const OldLabel& old : kOldLabels) {
      if (old.key == key) Warn(path, old.advice);
    }
  }

  void NodeSelector(const Value& spec) {
    const Value* selector = spec.Find("nodeSelector");
    if (selector == nullptr || !selector->is_map()) return;
    for (const doc::MapEntry& entry : selector->as_map()) {
      const std::string key(entry.key.as_string());
      OldKey(key, ".nodeSelector[" + key + "]");
    }
  }

  static bool Null(const Value& object, std::string_view member) {
    const Value* value = object.Find(member);
    return value == nullptr || value->is_null();
  }

  void Affinity(const Value& spec) {
    for (const std::string_view kind : {"podAffinity", "podAntiAffinity"}) {
      const Value* affinity = doc::LookupKeys(spec, {"affinity", kind});
      if (affinity == nullptr) continue;
      const std::string path = ".affinity." + std::string(kind);
      Each(*affinity, "requiredDuringSchedulingIgnoredDuringExecution", path,
           [this](const Value& term, const std::string& at) {
             if (Null(term, "labelSelector")) Warn(at + ".labelSelector", kNullSelector);
           });
      Each(*affinity, "preferredDuringSchedulingIgnoredDuringExecution", path,
           [this](const Value& weighted, const std::string& at) {
             const Value* term = weighted.Find("podAffinityTerm");
             if (term != nullptr && Null(*term, "labelSelector")) {
               Warn(at + ".podAffinityTerm.labelSelector", kNullSelector);
             }
           });
    }
  }

  void Spread(const Value& spec) {
    Each(spec, "topologySpreadConstraints", "", [this](const Value& item, const std::string& at) {
      OldKey(item.StringAt("topologyKey"), at + ".topologyKey");
      if (Null(item, "labelSelector")) Warn(at + ".labelSelector", kNullSelector);
    });
  }

  void Containers(const Value& spec, std::string_view list) {
    Each(spec, list, "", [this](const Value& container, const std::string& at) {
      std::set<std::string_view> seen;
      Each(container, "env", at, [&](const Value& variable, const std::string& place) {
        const std::string_view name = variable.StringAt("name");
        if (!seen.insert(name).second) {
          Warn(place, "hides previous definition of \"" + std::string(name) +
                          "\", which may be dropped when using apply");
        }
      });
    });
  }

  std::string path_;
  std::vector<std::string> out_;
};

struct TemplatePlace {
  std::string_view group;
  std::string_view kind;
  std::initializer_list<std::string_view> path;
};

}  // namespace

std::vector<std::string> ObjectWarnings(const match::AdmissionRequest& request) {
  static const TemplatePlace kPlaces[] = {
      {"", "Pod", {"spec"}},
      {"", "PodTemplate", {"template", "spec"}},
      {"", "ReplicationController", {"spec", "template", "spec"}},
      {"apps", "Deployment", {"spec", "template", "spec"}},
      {"apps", "ReplicaSet", {"spec", "template", "spec"}},
      {"apps", "StatefulSet", {"spec", "template", "spec"}},
      {"apps", "DaemonSet", {"spec", "template", "spec"}},
      {"batch", "Job", {"spec", "template", "spec"}},
      {"batch", "CronJob", {"spec", "jobTemplate", "spec", "template", "spec"}},
  };
  if (!request.sub_resource.empty() || !request.object.is_map()) return {};
  for (const TemplatePlace& place : kPlaces) {
    if (place.kind != request.kind.kind || place.group != request.kind.group) continue;
    const Value* spec = doc::LookupKeys(request.object, place.path);
    if (spec == nullptr) return {};
    std::string path;
    for (const std::string_view step : place.path)
      path += (path.empty() ? "" : ".") + std::string(step);
    return PodWarnings(path).Run(*spec);
  }
  return {};
}

}  // namespace portcullis::engine
