#include "autogen/controllers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "doc/path.h"

namespace portcullis::autogen {

namespace {

struct KnownKind {
  std::string_view group;
  std::string_view resource;
  std::string_view kind;
};
constexpr std::array kDefaultKinds{
    KnownKind{"apps", "daemonsets", "DaemonSet"},
    KnownKind{"apps", "deployments", "Deployment"},
    KnownKind{"apps", "replicasets", "ReplicaSet"},
    KnownKind{"apps", "statefulsets", "StatefulSet"},
    KnownKind{"batch", "jobs", "Job"},
};
constexpr KnownKind kCronJob{"batch", "cronjobs", "CronJob"};

Target TargetOf(const KnownKind& kind) {
  return {std::string(kind.group), "v1", std::string(kind.resource), std::string(kind.kind)};
}

bool IsOnly(const doc::Value* list, std::string_view wanted) {
  return list != nullptr && list->is_list() && list->size() == 1 &&
         list->as_list()[0].is_string() && list->as_list()[0].as_string() == wanted;
}

bool IsEmpty(const doc::Value* value) {
  return value == nullptr || value->is_null() ||
         ((value->is_list() || value->is_map()) && value->size() == 0);
}

// An object selector selects everything if both of its parts are empty.
bool SelectsAll(const doc::Value* selector) {
  return IsEmpty(selector) || (selector->is_map() && IsEmpty(selector->Find("matchLabels")) &&
                               IsEmpty(selector->Find("matchExpressions")));
}

// `<resource>.<version>.<group>`; the group may have dots.
std::optional<Target> CustomKind(std::string_view name) {
  const std::size_t first = name.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = name.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  Target target;
  target.resource = name.substr(0, first);
  target.version = name.substr(first + 1, second - first - 1);
  target.group = name.substr(second + 1);
  if (target.resource.empty() || target.version.empty() || target.group.empty()) {
    return std::nullopt;
  }
  // Without a cluster the kind can only be guessed.
  target.kind = target.resource;
  if (target.kind.size() > 1 && target.kind.back() == 's') target.kind.pop_back();
  if (target.kind[0] >= 'a' && target.kind[0] <= 'z') {
    target.kind[0] = static_cast<char>(target.kind[0] - 'a' + 'A');
  }
  return target;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string WarningFor(std::string_view name) {
  std::string warning = "autogen: unknown Pod controller \"" + std::string(name) + "\"";
  const std::string lower = Lower(name);
  if (lower == "none") return warning + "; write `controllers: []` for none";
  if (lower == "all") return warning + "; leave `controllers` out for all";
  const auto suggest = [&](const KnownKind& kind) {
    if (lower != kind.resource && lower + "s" != kind.resource) return false;
    warning += "; did you mean \"" + std::string(kind.resource) + "\"?";
    return true;
  };
  if (std::any_of(kDefaultKinds.begin(), kDefaultKinds.end(), suggest) || suggest(kCronJob)) {
    return warning;
  }
  return warning + "; custom kinds are written <resource>.<version>.<group>";
}

void Arrange(std::vector<Target>& targets) {
  const auto key = [](const Target& t) { return std::tie(t.group, t.version, t.resource, t.kind); };
  std::sort(targets.begin(), targets.end(),
            [&](const Target& a, const Target& b) { return key(a) < key(b); });
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
}

}  // namespace

std::string WhyNotEligible(const doc::Value& spec) {
  const doc::Value* constraints = spec.Find("matchConstraints");
  if (constraints == nullptr || !constraints->is_map()) return "it has no matchConstraints";
  if (!SelectsAll(constraints->Find("objectSelector"))) {
    return "its objectSelector selects labels of Pods";
  }
  if (!IsEmpty(constraints->Find("excludeResourceRules"))) return "it has excludeResourceRules";
  const doc::Value* rules = constraints->Find("resourceRules");
  if (rules == nullptr || !rules->is_list() || rules->size() != 1) {
    return "it does not have exactly one resource rule";
  }
  const doc::Value& rule = rules->as_list()[0];
  if (!IsEmpty(rule.Find("resourceNames"))) return "its resource rule has resourceNames";
  if (!IsOnly(rule.Find("apiGroups"), "") || !IsOnly(rule.Find("apiVersions"), "v1") ||
      !IsOnly(rule.Find("resources"), "pods")) {
    return "its resource rule is not about `pods` of the core API v1 alone";
  }
  return {};
}

Controllers ChooseControllers(const doc::Value& spec) {
  Controllers chosen;
  const doc::Value* names = doc::LookupKeys(spec, {"autogen", "podControllers", "controllers"});
  if (names == nullptr || !names->is_list()) {
    for (const KnownKind& kind : kDefaultKinds) chosen.defaults.push_back(TargetOf(kind));
    chosen.cronjobs.push_back(TargetOf(kCronJob));
    return chosen;
  }
  for (const doc::Value& item : names->as_list()) {
    if (!item.is_string()) continue;
    const std::string_view name = item.as_string();
    const auto* known = std::find_if(kDefaultKinds.begin(), kDefaultKinds.end(),
                                     [&](const KnownKind& kind) { return kind.resource == name; });
    if (known != kDefaultKinds.end()) {
      chosen.defaults.push_back(TargetOf(*known));
    } else if (name == kCronJob.resource) {
      chosen.cronjobs.push_back(TargetOf(kCronJob));
    } else if (std::optional<Target> custom = CustomKind(name)) {
      chosen.extract.push_back(*std::move(custom));
    } else {
      chosen.warnings.push_back(WarningFor(name));
    }
  }
  Arrange(chosen.defaults);
  Arrange(chosen.cronjobs);
  Arrange(chosen.extract);
  return chosen;
}

}  // namespace portcullis::autogen
