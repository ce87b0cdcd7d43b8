#ifndef PORTCULLIS_PROVIDER_PARAMS_H_
#define PORTCULLIS_PROVIDER_PARAMS_H_

// Parameter objects of policies (spec/kubernetes-admission.md 2.5). Selectors are applied by the
// caller. Implementations are thread-safe for const calls.

#include <optional>
#include <string_view>
#include <vector>

#include "provider/lookup.h"

namespace portcullis::provider {

class Params {
 public:
  virtual ~Params() = default;
  // The object of this kind; `ns` is empty for cluster-scoped kinds.
  virtual Lookup Find(std::string_view api_version, std::string_view kind, std::string_view ns,
                      std::string_view name) const = 0;
  // All objects of this kind in `ns` (empty: cluster-scoped kinds), in name order.
  virtual std::vector<doc::Value> List(std::string_view api_version, std::string_view kind,
                                       std::string_view ns) const = 0;
  // For a kind that no type table knows: whether its objects are namespaced; nullopt when the kind
  // does not exist. Offline, the objects given decide.
  virtual std::optional<bool> Namespaced(std::string_view /*api_version*/,
                                         std::string_view /*kind*/) const {
    return std::nullopt;
  }
  // Kyverno's command line gives a policy whose binding selects parameters one list of them instead
  // of each in turn. True: each parameter also carries that list as `items`.
  virtual bool ShowsLists() const { return false; }
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_PARAMS_H_
