// Warnings about the containers of a Pod or a pod template: annotations of old, fractions of bytes,
// variables and ports that are defined twice.

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/gotext.h"
#include "engine/warning_list.h"

namespace portcullis::engine {
namespace {

std::vector<Field> AllContainers(const Field& spec) {
  std::vector<Field> out;
  for (const std::string_view list : {"initContainers", "containers", "ephemeralContainers"}) {
    for (Field& container : spec.At(list).Items()) out.push_back(std::move(container));
  }
  return out;
}

// Type and local name of an AppArmor profile.
using Profile = std::pair<std::string, std::string>;

std::optional<Profile> ProfileOfField(const Field& field) {
  if (!field.present()) return std::nullopt;
  return Profile{field.Text("type"), field.Text("localhostProfile")};
}

// What an annotation says; nothing for a text without meaning.
std::optional<Profile> ProfileOfAnnotation(std::string_view text) {
  constexpr std::string_view kLocal = "localhost/";
  if (text == "unconfined") return Profile{"Unconfined", ""};
  if (text == "runtime/default") return Profile{"RuntimeDefault", ""};
  if (text.size() > kLocal.size() && text.starts_with(kLocal)) {
    return Profile{"Localhost", text.substr(kLocal.size())};
  }
  return std::nullopt;
}

void AppArmor(const Field& top, const Field& container, bool is_template, WarningList& out) {
  if (container.At("securityContext").At("appArmorProfile").present()) return;
  const Field annotation = top.At("metadata")
                               .At("annotations")
                               .Key("container.apparmor.security.beta.kubernetes.io/" +
                                    std::string(container.Text("name")));
  if (!annotation.present() || !annotation.value().is_string()) return;
  const auto meant = ProfileOfAnnotation(annotation.value().as_string());
  const auto pod = ProfileOfField(top.At("spec").At("securityContext").At("appArmorProfile"));
  if (is_template ? pod && pod == meant : meant && pod == meant) return;
  out.Add(annotation.path(), "deprecated since v1.30; use the \"appArmorProfile\" field instead");
}

// A variable that is defined again is right only if it refers to its former value.
void Variables(const Field& container, WarningList& out) {
  std::set<std::string_view> seen;
  for (const Field& variable : container.At("env").Items()) {
    const std::string_view name = variable.Text("name");
    if (seen.insert(name).second) continue;
    const std::string reference = "$(" + std::string(name) + ")";
    const std::string_view value = variable.Text("value");
    if (!variable.At("valueFrom").present() && value != reference &&
        value.find(reference) != std::string_view::npos) {
      continue;
    }
    out.Add(variable.path(), "hides previous definition of " + base::GoQuote(name) +
                                 ", which may be dropped when using apply");
  }
}

void Ports(const std::vector<Field>& containers, WarningList& out) {
  std::map<std::pair<std::int64_t, std::string_view>, std::vector<Field>> seen;
  for (const Field& container : containers) {
    for (const Field& port : container.At("ports").Items()) {
      const std::string_view host_ip = port.Text("hostIP");
      const std::int64_t host_port = port.Number("hostPort");
      const std::string_view protocol = port.Text("protocol");
      if (!host_ip.empty() && host_port == 0) {
        out.Add(port.path(),
                "hostIP set without hostPort: {Name:" + std::string(port.Text("name")) +
                    " HostPort:0 ContainerPort:" + std::to_string(port.Number("containerPort")) +
                    " Protocol:" + std::string(protocol) + " HostIP:" + std::string(host_ip) + "}");
      }
      std::vector<Field>& others = seen[{port.Number("containerPort"), protocol}];
      for (const Field& other : others) {
        const std::string_view other_ip = other.Text("hostIP");
        const std::int64_t other_port = other.Number("hostPort");
        if (host_ip == other_ip && host_port == other_port) {
          out.Add(port.path(), "duplicate port definition with " + other.path());
        } else if (host_port == 0 || other_port == 0) {
          out.Add(port.path(), "overlapping port definition with " + other.path());
        } else if (host_port == other_port && host_ip.empty() != other_ip.empty()) {
          out.Add(port.path(), "dangerously ambiguous port definition with " + other.path());
        }
      }
      others.push_back(port);
    }
  }
}

void PortNames(const std::vector<Field>& containers, WarningList& out) {
  std::map<std::string_view, std::string> seen;
  for (const Field& container : containers) {
    for (const Field& port : container.At("ports").Items()) {
      const std::string_view name = port.Text("name");
      if (name.empty()) continue;
      const auto [at, inserted] = seen.emplace(name, port.path());
      if (inserted) continue;
      out.Add(port.path(), "duplicate port name " + base::GoQuote(name) + " with " + at->second +
                               ", services and probes that select ports by name will use " +
                               at->second);
    }
  }
}

}  // namespace

void WarnAboutContainers(const Field& top, bool is_template, WarningList& out) {
  const std::vector<Field> containers = AllContainers(top.At("spec"));
  const Field annotations = top.At("metadata").At("annotations");
  for (const Field& container : containers) {
    const std::string name(container.Text("name"));
    if (!container.At("securityContext").At("seccompProfile").present()) {
      const Field annotation =
          annotations.Key("container.seccomp.security.alpha.kubernetes.io/" + name);
      if (annotation.present()) {
        out.Add(annotation.path(),
                "non-functional in v1.27+; use the \"seccompProfile\" field instead");
      }
    }
    if (is_template) AppArmor(top, container, true, out);
    for (const std::string_view resource : {"memory", "ephemeral-storage"}) {
      for (const std::string_view kind : {"limits", "requests"}) {
        out.Fraction(container.At("resources").At(kind).Key(resource));
      }
    }
    Variables(container, out);
  }
  Ports(containers, out);
  PortNames(containers, out);
}

void WarnAboutPodAppArmor(const Field& pod, WarningList& out) {
  if (pod.At("spec").At("os").Text("name") == "windows") return;
  for (const Field& container : AllContainers(pod.At("spec"))) AppArmor(pod, container, false, out);
}

}  // namespace portcullis::engine
