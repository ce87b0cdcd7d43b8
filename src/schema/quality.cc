#include "schema/quality.h"

#include <span>

#include "base/quantity.h"

namespace portcullis::schema {

namespace {

// Classes in a form that can be joined; kNone before the first.
enum class Class { kNone, kBestEffort, kBurstable, kGuaranteed };

// Parts of different classes make the whole burstable.
Class Join(Class a, Class b) {
  if (a == Class::kNone) return b;
  return a == b ? a : Class::kBurstable;
}

base::Quantity Read(const doc::Value* list, std::string_view name) {
  const doc::Value* value = list == nullptr ? nullptr : list->Find(name);
  if (value == nullptr || !value->is_string()) return {};
  auto parsed = base::Quantity::Parse(value->as_string());
  return parsed.ok() ? *parsed : base::Quantity();
}

bool IsEmptyMap(const doc::Value* value) {
  return value == nullptr || !value->is_map() || value->size() == 0;
}

Class ClassOf(const doc::Value* resources) {
  const doc::Value* requests = resources == nullptr ? nullptr : resources->Find("requests");
  const doc::Value* limits = resources == nullptr ? nullptr : resources->Find("limits");
  if (IsEmptyMap(requests) && IsEmptyMap(limits)) return Class::kBestEffort;
  Class joined = Class::kNone;
  for (const std::string_view name : {"cpu", "memory"}) {
    const base::Quantity request = Read(requests, name);
    const base::Quantity limit = Read(limits, name);
    Class one = Class::kBurstable;
    if (request.Sign() == 0 && limit.Sign() == 0) {
      one = Class::kBestEffort;
    } else if (request == limit) {
      one = Class::kGuaranteed;
    }
    joined = Join(joined, one);
  }
  return joined;
}

bool SetsPodLevel(const doc::Value* resources) {
  if (resources == nullptr) return false;
  for (const std::string_view list : {"requests", "limits"}) {
    const doc::Value* entries = resources->Find(list);
    if (entries == nullptr || !entries->is_map()) continue;
    for (const doc::MapEntry& entry : entries->as_map()) {
      const std::string_view name = entry.key.as_string();
      if (name == "cpu" || name == "memory" || name.starts_with("hugepages-")) return true;
    }
  }
  return false;
}

}  // namespace

std::string_view QualityClass(const doc::Value& spec) {
  Class joined = Class::kNone;
  const doc::Value* pod_level = spec.Find("resources");
  if (SetsPodLevel(pod_level)) {
    joined = ClassOf(pod_level);
  } else {
    for (const std::string_view list : {"initContainers", "containers"}) {
      const doc::Value* containers = spec.Find(list);
      if (containers == nullptr || !containers->is_list()) continue;
      for (const doc::Value& container : containers->as_list()) {
        joined = Join(joined, ClassOf(container.Find("resources")));
      }
    }
  }
  if (joined == Class::kGuaranteed) return "Guaranteed";
  return joined == Class::kBurstable ? "Burstable" : "BestEffort";
}

}  // namespace portcullis::schema
