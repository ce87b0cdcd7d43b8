#ifndef PORTCULLIS_EMBED_IMPL_H_
#define PORTCULLIS_EMBED_IMPL_H_

// What stands behind portcullis::PolicySet: the engine's set and the objects that policies may look
// up. Immutable once built.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/arena.h"
#include "engine/offline_kyverno_context.h"
#include "engine/offline_providers.h"
#include "engine/policy_set.h"
#include "engine/rbac_authorizer.h"
#include "portcullis/portcullis.h"
#include "provider/clock.h"
#include "provider/providers.h"
#include "schema/type_table.h"

namespace portcullis {

namespace embed {

// The clock of the embedder, else that of the machine.
class Clock final : public provider::Clock {
 public:
  std::int64_t NowNanoseconds() const override {
    if (now) return now();
    const auto time = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
  }

  std::function<std::int64_t()> now;
};

}  // namespace embed

struct PolicySet::Impl {
  base::Arena arena;  // documents of the set
  std::vector<Problem> problems;
  std::shared_ptr<const engine::PolicySet> set;
  schema::TypeTable types;
  engine::DocumentNamespaces namespaces{false};
  engine::DocumentParams params{true};
  engine::DocumentKyvernoContext kyverno{types};
  embed::Clock clock;
  // Authorize() changes nothing; the interface is not const because other authorizers ask a server.
  mutable engine::RbacAuthorizer rbac;

  provider::Providers Providers() const {
    provider::Providers out;
    out.namespaces = &namespaces;
    out.params = &params;
    out.authorizer = &rbac;
    out.kyverno = &kyverno;
    out.clock = &clock;
    return out;
  }
};

}  // namespace portcullis

#endif  // PORTCULLIS_EMBED_IMPL_H_
