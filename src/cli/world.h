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
#include "cli/test_source.h"
#include "doc/value.h"
#include "engine/offline_kyverno_context.h"
#include "engine/offline_providers.h"
#include "engine/rbac_authorizer.h"
#include "input/document.h"
#include "provider/clock.h"
#include "provider/providers.h"
#include "schema/type_table.h"
#include "testfile/values.h"

namespace portcullis::cli {

class World {
 public:
  // `authorizer`: "allow", "deny", "no-opinion", or empty for the RBAC objects among the inputs.
  World(const std::string& authorizer, DiagnosticSink& sink);

  // A kind whose objects are parameters of some policy.
  void AddParamKind(std::string_view api_version, std::string_view kind);
  bool IsParamKind(std::string_view api_version, std::string_view kind) const;
  // Which parameters a binding asks for: by one name, or else any by their labels.
  void AddParamRef(const doc::Value& param_ref);
  // Whether Learn has a use for objects of this kind.
  bool IsOfUse(std::string_view api_version, std::string_view kind) const;
  // Takes what other objects' evaluation may need. `is_kept`: the document outlives this.
  void Learn(const input::Document& document, bool is_kept);

  // A Namespace, or any object of a simulated cluster, that no file of its own holds.
  void AddNamespace(const doc::Value& object);
  void AddObject(const doc::Value& object);
  // A namespace that nobody described exists, without labels of its own.
  void AssumeNamespace(std::string_view name);

  // The look-ups of Kyverno's CEL libraries, to be filled.
  engine::DocumentKyvernoContext& kyverno() { return kyverno_; }
  // Some policy looks objects up: all of them are of use from now on.
  void KeepObjects() { keeps_objects_ = true; }
  // Where the files are that global context entries name.
  void SetContextFolder(std::string folder) { context_folder_ = std::move(folder); }

  // All objects of files, as what the option was given for.
  void LoadCrds(std::span<const std::string> paths);
  void LoadNamespaces(std::span<const std::string> paths);
  void LoadParams(std::span<const std::string> paths);
  // Existing objects that mutating policies may change.
  void LoadTargets(std::span<const std::string> paths);
  void LoadContexts(std::span<const std::string> paths);
  void LoadOldObjects(const std::string& path);
  // The moment that policies see, in nanoseconds since 1970.
  void SetTime(std::int64_t now_ns) { clock_ = provider::FixedClock(now_ns); }
  void LoadUser(const std::string& path);

  // The old object of the same kind, namespace and name; null if there is none.
  const doc::Value* OldObjectOf(const input::Document& document) const;
  bool has_old_objects() const { return !old_objects_.empty(); }

  // The namespace in which a cluster would keep the object.
  std::string NamespaceOf(const input::Document& document) const;

  const schema::TypeTable& types() const { return types_; }
  const provider::Providers& providers() const { return providers_; }
  // Who makes the requests. Roles concern no policy of these families.
  const testfile::UserInfo& user() const { return user_; }

 private:
  using ObjectKey = std::tuple<std::string, std::string, std::string>;  // kind, namespace, name
  ObjectKey KeyOf(const input::Document& document) const;

  template <typename F>
  void ForEach(std::span<const std::string> paths, F&& take);
  doc::Value Keep(const doc::Value& value, bool is_kept);
  void AddCrd(const input::Document& document);
  void Report(const input::Document& document, const base::ErrorList& errors);
  base::Result<std::vector<doc::Value>> ReadContextFile(const std::string& file);
  bool IsReferred(const input::Document& document) const;
  base::ErrorList AddContext(const input::Document& document);

  DiagnosticSink& sink_;
  base::Arena arena_;
  schema::TypeTable types_;
  engine::DocumentNamespaces namespaces_{false};
  engine::DocumentParams params_{true};
  std::string context_folder_ = ".";
  bool keeps_objects_ = false;
  engine::DocumentKyvernoContext kyverno_;
  engine::RbacAuthorizer rbac_;
  std::unique_ptr<engine::FixedAuthorizer> fixed_;
  provider::FixedClock clock_{0};
  provider::Providers providers_;
  std::set<std::pair<std::string, std::string>> param_kinds_;  // group, kind
  std::set<std::string, std::less<>> param_names_;             // that bindings ask for
  bool any_param_ = false;                                     // a binding asks by labels
  std::map<ObjectKey, doc::Value> old_objects_;
  std::unique_ptr<TestSource> user_file_;
  testfile::UserInfo user_;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_WORLD_H_
