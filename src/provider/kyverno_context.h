#ifndef PORTCULLIS_PROVIDER_KYVERNO_CONTEXT_H_
#define PORTCULLIS_PROVIDER_KYVERNO_CONTEXT_H_

// What the look-ups of Kyverno's CEL libraries may ask of the outside: objects of the cluster, HTTP
// answers, global context entries and image data (spec/kyverno-cel-policies.md 10.1 to 10.4, 11.2).
// Evaluation never opens a connection: whoever implements this decides where answers come from.
//
// Answers are borrowed from the provider or made in the caller's arena. A look-up that cannot be
// answered is Lookup::Failed with a text that names what is missing, never a made-up value; the
// library puts its own prefix (`failed to get resource: `) before it. Lookup::Unknown stands for
// "nobody said": the library makes the error. Implementations are thread-safe for const calls.

#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "doc/value.h"
#include "provider/lookup.h"

namespace portcullis::provider {

// A resource as the API names it: `apps`, `v1`, `deployments`, `scale`.
struct ResourceName {
  std::string_view group;
  std::string_view version;
  std::string_view resource;
  std::string_view subresource;
};

struct HttpCall {
  std::string_view method;  // GET or POST
  std::string_view url;
  doc::Value body;             // POST: the data as given
  doc::Value headers;          // a map of strings, or null
  std::string_view ca_bundle;  // PEM of http.Client; empty: the system's
};

class KyvernoContext {
 public:
  virtual ~KyvernoContext() = default;

  // One object; NotFound when it does not exist. `ns` is empty for cluster-scoped resources.
  virtual Lookup GetResource(const ResourceName& resource, std::string_view ns,
                             std::string_view name, base::Arena& arena) const = 0;
  // A list object with `items`. `ns` empty: of all namespaces. `labels` is a map of strings that
  // the objects must carry, or null.
  virtual Lookup ListResources(const ResourceName& resource, std::string_view ns,
                               const doc::Value& labels, base::Arena& arena) const = 0;
  // The object as created.
  virtual Lookup PostResource(const ResourceName& resource, std::string_view ns,
                              const doc::Value& payload, base::Arena& arena) const = 0;
  // The resource that serves a kind: a map with `group`, `version` and `resource`.
  virtual Lookup ResourceOfKind(std::string_view group, std::string_view version,
                                std::string_view kind, base::Arena& arena) const = 0;
  // Whether objects of the kind live in namespaces; nullopt when nobody knows the kind.
  virtual std::optional<bool> Namespaced(std::string_view api_version,
                                         std::string_view kind) const = 0;

  // What http.Get and http.Post return, status code included.
  virtual Lookup Http(const HttpCall& call, base::Arena& arena) const = 0;
  // Policies in a namespace may call http.* only where the operator said so.
  virtual bool AllowsHttpInNamespacedPolicies() const { return false; }

  // A global context entry, or its named projection (empty: the entry itself). An entry that does
  // not exist is NotFound; a missing projection is Failed.
  virtual Lookup GlobalReference(std::string_view name, std::string_view projection,
                                 base::Arena& arena) const = 0;

  // What a GET of this path of the Kubernetes API answers (`/api/v1/namespaces/x/pods`), for
  // `context.apiCall` of classic policies.
  virtual Lookup ApiPath(std::string_view /*url_path*/, base::Arena& /*arena*/) const {
    return Lookup::Unknown();
  }

  // Metadata of an image (spec 10.4).
  virtual Lookup ImageData(std::string_view image, base::Arena& arena) const = 0;
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_KYVERNO_CONTEXT_H_
