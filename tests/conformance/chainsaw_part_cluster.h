#ifndef PORTCULLIS_TESTS_CONFORMANCE_CHAINSAW_PART_CLUSTER_H_
#define PORTCULLIS_TESTS_CONFORMANCE_CHAINSAW_PART_CLUSTER_H_

// The cluster that a suite plays against: objects, policies and kinds in memory, and requests that
// pass through the engine as the API server and Kyverno's webhooks would answer them.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "engine/admit.h"
#include "engine/policy_set.h"
#include "match/request.h"
#include "schema/type_table.h"

namespace portcullis::conformance {

struct Reference {
  std::string api_version, kind, ns, name;
};

// What the client sees.
struct Reply {
  bool allowed = true;
  std::string message;
  std::vector<std::string> warnings;
};

class Cluster {
 public:
  // `crds`: the folder with the definitions of the policy kinds. `user`: of the requests.
  Cluster(const std::string& crds, std::string suite_namespace, const doc::Value& user);

  // A policy, exception or global context entry. `replace`: the whole object, else merged.
  Reply ApplyPolicy(const doc::Value& document, bool replace);
  // CREATE, or UPDATE with the manifest laid over the stored object. Null user: the cluster's.
  Reply Apply(const doc::Value& manifest, const doc::Value& user);
  Reply Patch(const Reference& reference, std::string_view type, const doc::Value& body,
              std::string_view subresource, const doc::Value& user);
  Reply Scale(const Reference& reference, std::int64_t replicas, const doc::Value& user);
  // CREATE or CONNECT of a subresource.
  Reply Subresource(match::Operation operation, const Reference& reference,
                    std::string_view subresource, const doc::Value& object, const doc::Value& user);
  Reply Delete(const Reference& reference, const doc::Value& user);

  const doc::Value* Find(const Reference& reference) const;
  // Objects of the kind in the namespace, for assertions without a name.
  std::vector<doc::Value> List(const Reference& reference) const;
  // `status.autogen` of a stored policy; nothing when there is no such policy.
  std::optional<doc::Value> AutogenStatus(const Reference& reference);

  // The reference to a document, with the suite's namespace where it names none.
  Reference ReferenceTo(const doc::Value& document) const;
  base::Arena& arena() { return arena_; }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string>;  // group first
  static Key KeyOf(const Reference& reference);
  void Store(const doc::Value& object);
  doc::Value WithNamespace(const doc::Value& document) const;
  bool IsPolicy(const doc::Value& document) const;
  void RebuildPolicies();
  // Sends one request and, if it is admitted, stores its object and plays what policies made.
  Reply Send(match::Operation operation, const doc::Value& object, const doc::Value& old_object,
             std::string_view subresource, const doc::Value& user, bool background, int depth);
  void PlayProduced(const engine::Answer& answer, int depth);

  base::Arena arena_;
  schema::TypeTable types_;
  std::string namespace_;
  doc::Value user_;
  std::map<Key, doc::Value> objects_;
  std::map<Key, doc::Value> policies_;
  std::shared_ptr<const engine::PolicySet> set_;
};

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_CHAINSAW_PART_CLUSTER_H_
