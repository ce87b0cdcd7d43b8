#ifndef PORTCULLIS_CLI_WORLD_H_
#define PORTCULLIS_CLI_WORLD_H_

// What a run without a cluster knows about the cluster, from its input files: kinds, Namespaces,
// RBAC, parameter objects, old objects, the user. Fill it, then evaluate. One thread.

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/arena.h"
#include "cli/args.h"
#include "cli/diagnostics.h"
#include "doc/value.h"
#include "engine/offline_providers.h"
#include "engine/rbac_authorizer.h"
#include "input/document.h"
#include "provider/clock.h"
#include "provider/providers.h"
#include "schema/type_table.h"

namespace portcullis::cli {

class World {
 public:
  // `authorizer`: "allow", "deny", "no-opinion", or empty for the RBAC objects among the inputs.
  World(const std::string& authorizer, DiagnosticSink& sink);

  // A kind whose objects are parameters of some policy.
  void AddParamKind(std::string_view api_version, std::string_view kind);
  bool IsParamKind(std::string_view api_version, std::string_view kind) const;
  // Whether Learn has a use for objects of this kind.
  bool IsOfUse(std::string_view api_version, std::string_view kind) const;
  // Takes what other objects' evaluation may need. `is_kept`: the document outlives this.
  void Learn(const input::Document& document, bool is_kept);

  // All objects of files, as what the option was given for.
  void LoadCrds(std::span<const std::string> paths);
  void LoadNamespaces(std::span<const std::string> paths);
  void LoadParams(std::span<const std::string> paths);
  void LoadOldObjects(const std::string& path);
  // The moment that policies see, in nanoseconds since 1970.
  void SetTime(std::int64_t now_ns) { clock_ = provider::FixedClock(now_ns); }
  void LoadUser(const std::string& path);

  // The old object of the same kind, namespace and name; null if there is none.
  const doc::Value* OldObjectOf(const input::Document& document) const;
  bool has_old_objects() const { return !old_objects_.empty(); }

  const schema::TypeTable& types() const { return types_; }
  const provider::Providers& providers() const { return providers_; }
  const doc::Value& user_info() const { return user_info_; }

 private:
  using ObjectKey = std::tuple<std::string, std::string, std::string>;  // kind, namespace, name
  static ObjectKey KeyOf(const input::Document& document);

  template <typename F>
  void ForEach(std::span<const std::string> paths, F&& take);
  doc::Value Keep(const doc::Value& value, bool is_kept);
  void AddCrd(const input::Document& document);

  DiagnosticSink& sink_;
  base::Arena arena_;
  schema::TypeTable types_;
  engine::DocumentNamespaces namespaces_{false};
  engine::DocumentParams params_{true};
  engine::RbacAuthorizer rbac_;
  std::unique_ptr<engine::FixedAuthorizer> fixed_;
  provider::FixedClock clock_{0};
  provider::Providers providers_;
  std::set<std::pair<std::string, std::string>> param_kinds_;  // group, kind
  std::map<ObjectKey, doc::Value> old_objects_;
  doc::Value user_info_;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_WORLD_H_
