#include "schema/quality.h"

#include <array>

#include "base/quantity.h"

namespace portcullis::schema {

namespace {

constexpr std::array<std::string_view, 2> kComputed = {"cpu", "memory"};

// Sums of what counts for the class, and whether each container limits both resources.
struct Totals {
  std::array<base::Quantity, 2> requests;
  std::array<base::Quantity, 2> limits;
  std::array<bool, 2> requested = {false, false};
  std::array<bool, 2> limited = {false, false};
  bool all_limited = true;
};

base::Quantity ReadPositive(const doc::Value* list, std::string_view name) {
  const doc::Value* value = list == nullptr ? nullptr : list->Find(name);
  if (value == nullptr || !value->is_string()) return {};
  auto parsed = base::Quantity::Parse(value->as_string());
  return parsed.ok() && parsed->Sign() > 0 ? *parsed : base::Quantity();
}

void AddResources(const doc::Value* resources, Totals& totals) {
  const doc::Value* requests = resources == nullptr ? nullptr : resources->Find("requests");
  const doc::Value* limits = resources == nullptr ? nullptr : resources->Find("limits");
  for (std::size_t i = 0; i < kComputed.size(); ++i) {
    const base::Quantity request = ReadPositive(requests, kComputed[i]);
    if (request.Sign() > 0) {
      totals.requests[i] = totals.requests[i].Add(request);
      totals.requested[i] = true;
    }
    const base::Quantity limit = ReadPositive(limits, kComputed[i]);
    if (limit.Sign() > 0) {
      totals.limits[i] = totals.limits[i].Add(limit);
      totals.limited[i] = true;
    } else {
      totals.all_limited = false;
    }
  }
}

}  // namespace

std::string_view QualityClass(const doc::Value& spec) {
  Totals totals;
  const doc::Value* pod_level = spec.Find("resources");
  if (pod_level != nullptr && pod_level->is_map() && pod_level->size() > 0) {
    AddResources(pod_level, totals);
  } else {
    for (const std::string_view list : {"containers", "initContainers"}) {
      const doc::Value* containers = spec.Find(list);
      if (containers == nullptr || !containers->is_list()) continue;
      for (const doc::Value& container : containers->as_list()) {
        AddResources(container.Find("resources"), totals);
      }
    }
  }
  const bool none = totals.requested == std::array{false, false} &&
                    totals.limited == std::array{false, false};
  if (none) return "BestEffort";
  bool equal = totals.all_limited && totals.requested == totals.limited;
  for (std::size_t i = 0; i < kComputed.size(); ++i) {
    equal = equal && totals.requests[i] == totals.limits[i];
  }
  return equal ? "Guaranteed" : "Burstable";
}

}  // namespace portcullis::schema
