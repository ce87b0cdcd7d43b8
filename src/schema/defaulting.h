#ifndef PORTCULLIS_SCHEMA_DEFAULTING_H_
#define PORTCULLIS_SCHEMA_DEFAULTING_H_

// What a Kubernetes 1.37 API server makes of a submitted object (spec/kubernetes-admission.md 1.2
// and 5.4): pruning, canonical values, defaults of the schema and of the server's code, additions
// of its built-in admission plug-ins. Policies in a cluster see objects after this.
//
// Default gives the object as the mutating phase sees it, ServerFill adds what the server adds
// before the validating phase. Both are pure functions: results live in `arena` and share every
// untouched part with the input. O(size of the object). Safe from any thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "schema/type_table.h"

namespace portcullis::schema {

struct DefaultOptions {
  // Namespace of objects that name none (namespaced kinds only); empty: leave it out.
  std::string_view namespace_name = "default";
  // Run the server's built-in mutating plug-ins: tolerations, priority, storage class protection.
  // Off for values that are no submitted object, such as what a mutation produced.
  bool plugins = true;
  // The object was read back from storage, where an empty list is no list (`null` if it is written
  // at all): what a create returns to the client.
  bool stored = false;
  // The current time (RFC 3339) for defaults that are time stamps; empty: they are left out.
  std::string_view now;
  // Receives the server's warnings: `unknown field "spec.foo"`. May be null.
  std::vector<std::string>* warnings = nullptr;
};

// The object with defaults. Kinds that `types` does not know are returned as they are, as are parts
// whose JSON type contradicts the schema (refusing them is validation).
doc::Value Default(const doc::Value& object, const TypeTable& types, base::Arena& arena,
                   const DefaultOptions& options = {});

// What the server sets itself on CREATE, after mutation: uid, creationTimestamp, generated name,
// generation, reset status, cluster IPs.
struct ServerFacts {
  std::string_view uid;                 // empty: not added
  std::string_view creation_timestamp;  // empty: not added
  std::string_view generated_suffix = "abcde";
  std::string_view cluster_ip;  // empty: Services get none
  std::int64_t node_port = 0;   // first port to allocate, 0: none
  // The requester, for signing requests.
  std::string_view username;
  std::string_view user_uid;
  doc::Value groups;      // list of strings or null
  doc::Value user_extra;  // map or null
};

doc::Value ServerFill(const doc::Value& object, const TypeTable& types, base::Arena& arena,
                      const ServerFacts& facts);

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_DEFAULTING_H_
