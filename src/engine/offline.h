#ifndef PORTCULLIS_ENGINE_OFFLINE_H_
#define PORTCULLIS_ENGINE_OFFLINE_H_

// Requests made from manifests, for runs without a cluster: kind, plural and scope come from the
// type table or, for kinds it does not know, from the manifest itself. Pure functions.

#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "engine/admit.h"
#include "engine/policy_set.h"
#include "match/request.h"
#include "provider/providers.h"
#include "schema/type_table.h"

namespace portcullis::engine {

struct OfflineFacts {
  match::Operation operation = match::Operation::kCreate;
  doc::Value user_info;                            // of the review; null: an empty object
  std::string_view default_namespace = "default";  // of namespaced objects that name none
  bool dry_run = false;
  // The resource to which the request goes, when it is not that of the object's kind: a Binding
  // goes to `pods`, `binding`. Without a name: the kind decides.
  struct Resource {
    std::string_view group, version, name, subresource;
  };
  Resource served_by;
};

// The request that would submit `object` (or, on DELETE, remove `old_object`). Null members are
// absent. Strings view into the objects, the table and `arena`. Error: not an API object.
base::Result<match::AdmissionRequest> BuildRequest(const doc::Value& object,
                                                   const doc::Value& old_object,
                                                   const OfflineFacts& facts,
                                                   const schema::TypeTable& types,
                                                   base::Arena& arena);

// The plural that Kubernetes' own rules derive from a kind: "Policy" -> "policies".
std::string GuessPlural(std::string_view kind);

// The mutated object as the user would have written it: `written` with what changed between
// `before` (the object with defaults) and `after`.
doc::Value RelativeToWritten(const doc::Value& written, const doc::Value& before,
                             const doc::Value& after, base::Arena& arena);

// What a run without a cluster says about one manifest.
struct OfflineResult {
  Answer answer;      // with rows
  doc::Value object;  // the manifest after the mutations, as its author would write it
  bool changed = false;
};

struct OfflineOptions {
  OfflineFacts facts;
  // Which policies take part; all without it.
  std::function<bool(const policy::PolicyInfo&)> only;
  bool defaulting = true;  // policies see the object with the API server's defaults
  const std::atomic<bool>* interrupt = nullptr;
  // Receives the warnings that a server sends while it completes the object. May be null.
  std::vector<std::string>* warnings = nullptr;
  policy::ExpressionObserver* observer = nullptr;
};

// Evaluates every policy of `set` on one manifest; those about documents of any kind see it as it
// is written. `old_object` is null but for UPDATE and DELETE.
// Error: not an API object.
base::Result<OfflineResult> EvaluateManifest(const PolicySet& set, const doc::Value& object,
                                             const doc::Value& old_object,
                                             const provider::Providers& providers,
                                             const schema::TypeTable& types, base::Arena& arena,
                                             const OfflineOptions& options);

// Evaluates the policies about documents of this form on one that need not be an API object.
Answer EvaluateDocument(const PolicySet& set, policy::DocumentForm form, const doc::Value& document,
                        const provider::Providers& providers, base::Arena& arena,
                        const OfflineOptions& options);

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_OFFLINE_H_
