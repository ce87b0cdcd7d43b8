#include "schema/pod_resources.h"

#include <map>
#include <string>

#include "base/quantity.h"

namespace portcullis::schema {

namespace {

struct Amount {
  base::Quantity quantity;
  std::size_t containers = 0;  // how many long-running containers name it
};
// Ordered, so that added entries have a stable order.
using Amounts = std::map<std::string_view, Amount>;

bool IsHugePages(std::string_view name) { return name.starts_with("hugepages-"); }
bool IsOvercommitted(std::string_view name) { return name == "cpu" || name == "memory"; }
bool IsSupported(std::string_view name) { return IsOvercommitted(name) || IsHugePages(name); }

Amounts Read(const doc::Value& container, std::string_view list) {
  Amounts amounts;
  const doc::Value* resources = container.Find("resources");
  const doc::Value* entries = resources == nullptr ? nullptr : resources->Find(list);
  if (entries == nullptr || !entries->is_map()) return amounts;
  for (const doc::MapEntry& entry : entries->as_map()) {
    if (!entry.value.is_string()) continue;
    auto parsed = base::Quantity::Parse(entry.value.as_string());
    if (parsed.ok()) amounts[entry.key.as_string()] = {*parsed, 1};
  }
  return amounts;
}

void AddTo(Amounts& sum, const Amounts& more) {
  for (const auto& [name, amount] : more) {
    Amount& total = sum[name];
    total.quantity = total.quantity.Add(amount.quantity);
    total.containers += amount.containers;
  }
}

void RaiseTo(Amounts& sum, const Amounts& other) {
  for (const auto& [name, amount] : other) {
    Amount& total = sum[name];
    if (amount.quantity.Compare(total.quantity) > 0) total.quantity = amount.quantity;
  }
}

// What the containers use together: those that run side by side add up (sidecars among the init
// containers included), and an init container may need more alone.
Amounts Aggregate(const Fields& spec, std::string_view list, std::size_t* running) {
  Amounts sum;
  *running = 0;
  const doc::Value containers = spec.Get("containers");
  if (containers.is_list()) {
    for (const doc::Value& container : containers.as_list()) AddTo(sum, Read(container, list));
    *running = containers.size();
  }
  const doc::Value init = spec.Get("initContainers");
  if (!init.is_list()) return sum;
  Amounts sidecars;
  Amounts peak;
  for (const doc::Value& container : init.as_list()) {
    const Amounts own = Read(container, list);
    if (container.StringAt("restartPolicy") == "Always") {
      AddTo(sum, own);
      AddTo(sidecars, own);
      ++*running;
      RaiseTo(peak, sidecars);
    } else {
      Amounts together = own;
      AddTo(together, sidecars);
      RaiseTo(peak, together);
    }
  }
  RaiseTo(sum, peak);
  return sum;
}

void SetQuantity(Fields& list, std::string_view name, const base::Quantity& quantity) {
  list.Set(name, doc::MakeString(list.arena(), quantity.ToString()));
}

}  // namespace

void CompletePodResources(Fields& spec) {
  const doc::Value given = spec.Get("resources");
  const doc::Value* given_requests = given.Find("requests");
  const doc::Value* given_limits = given.Find("limits");
  if ((given_requests == nullptr || given_requests->size() == 0) &&
      (given_limits == nullptr || given_limits->size() == 0)) {
    return;
  }
  std::size_t running = 0;
  const Amounts limits = Aggregate(spec, "limits", &running);
  const Amounts requests = Aggregate(spec, "requests", &running);
  spec.Edit("resources", false, [&](Fields& resources) {
    const auto complete_limits = [&](auto&& wanted) {
      const doc::Value present = resources.Get("requests");
      resources.Edit("limits", true, [&](Fields& list) {
        for (const auto& [name, amount] : limits) {
          if (!list.Has(name) && wanted(name, amount, present.Find(name))) {
            base::Quantity limit = amount.quantity;
            if (const doc::Value* request = present.Find(name); request != nullptr) {
              auto parsed = base::Quantity::Parse(request->as_string());
              if (parsed.ok() && parsed->Compare(limit) > 0) limit = *parsed;
            }
            SetQuantity(list, name, limit);
          }
        }
      });
      if (resources.Get("limits").size() == 0) resources.Remove("limits");
    };
    complete_limits([](std::string_view name, const Amount&, const doc::Value* request) {
      return IsHugePages(name) && request == nullptr;
    });
    const doc::Value pod_limits = resources.Get("limits");
    resources.Edit("requests", true, [&](Fields& list) {
      for (const auto& [name, amount] : requests) {
        if (IsOvercommitted(name) && !list.Has(name)) SetQuantity(list, name, amount.quantity);
      }
      if (!pod_limits.is_map()) return;
      for (const doc::MapEntry& limit : pod_limits.as_map()) {
        if (IsSupported(limit.key.as_string())) list.Default(limit.key.as_string(), limit.value);
      }
    });
    if (resources.Get("requests").size() == 0) resources.Remove("requests");
    complete_limits([&](std::string_view name, const Amount& amount, const doc::Value* request) {
      return IsSupported(name) && request != nullptr && amount.containers == running;
    });
  });
}

}  // namespace portcullis::schema
