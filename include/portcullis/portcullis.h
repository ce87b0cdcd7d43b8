#ifndef PORTCULLIS_PORTCULLIS_H_
#define PORTCULLIS_PORTCULLIS_H_

// The embedder's API: load a policy set, evaluate requests.
//
//   portcullis::PolicySetBuilder builder;
//   builder.Add(text_of_policies_and_bindings, "policies.yaml");
//   portcullis::PolicySet set = builder.Build();
//   portcullis::Request request;
//   request.object = pod_as_json_or_yaml;
//   portcullis::Verdict verdict = set.Evaluate(request);
//
// Texts are YAML (several documents) or JSON (one value), read strictly: duplicate keys and text
// behind the end are errors. Only standard types appear here, everything is returned by value or
// lives as long as the object that returned it, and nothing throws but std::bad_alloc.
// A PolicySet is immutable and cheap to copy: copies share the compiled policies, and any number of
// threads may evaluate the same set at once. A builder belongs to one thread.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace portcullis {

// Something wrong with an input. Lines and columns count from 1; 0 = unknown.
struct Problem {
  bool fatal = true;  // false: a warning, the document was loaded
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string path;     // field path inside the document
  std::string message;  // as the API server words it
  std::string hint;     // beside it: what was probably meant; may be empty
};

enum class Outcome : std::uint8_t { kPass, kFail, kWarn, kError, kSkip };

// What one policy (under one binding and parameter) says.
struct Finding {
  std::string policy;
  std::string policy_kind;
  std::string policy_namespace;  // of namespaced kinds
  std::string rule;
  std::string binding;
  Outcome outcome = Outcome::kPass;
  std::string message;
  std::string action;  // "Deny", "Warn,Audit", ...
  std::string path;    // the member of the object behind a failure, if known
  // PolicyExceptions, "namespace/name": those that granted something, and why others did not.
  std::vector<std::string> exceptions;
  std::vector<std::string> withheld_exceptions;
};

// An object that a policy makes or changes beside the one of the request.
struct Product {
  std::string policy;
  bool generated = false;  // false: an existing object, changed
  std::string object;      // JSON
};

struct Request {
  std::string object;                // the new object, exactly one; empty on DELETE
  std::string old_object;            // UPDATE and DELETE need it
  std::string operation = "CREATE";  // CREATE, UPDATE, DELETE, CONNECT
  std::string user_info;             // {"username": ..., "groups": [...]}; empty: neither
  bool dry_run = false;
  bool defaulting = true;  // complete the object with the API server's defaults first
};

// Findings are empty if no policy of the set applies to the request.
struct Verdict {
  // Not empty: the request could not be read or names a kind that does not exist. Nothing was
  // evaluated, and `allowed` is false.
  std::string error;
  bool allowed = true;
  int code = 0;  // of the refusal
  std::string reason;
  std::string message;
  std::vector<std::string> warnings;  // the API server's own about the object, then the policies'
  std::vector<std::pair<std::string, std::string>> audit_annotations;
  std::vector<Finding> findings;
  bool mutated = false;
  std::string object;  // JSON, if mutated: the object as written plus what the policies changed
  std::vector<Product> products;
};

// An immutable, compiled set of policies with what they may look up.
class PolicySet {
 public:
  PolicySet(const PolicySet&) = default;
  PolicySet& operator=(const PolicySet&) = default;
  ~PolicySet();

  std::size_t size() const;  // number of policies that are evaluated

  // All that the builder found, and what shows only when everything is there: bindings that name no
  // policy, policies without a binding, documents that nothing uses. A set with a fatal problem
  // evaluates the rest: whether that will do is the embedder's decision.
  const std::vector<Problem>& problems() const;

  Verdict Evaluate(const Request& request) const;

  // An AdmissionReview (admission.k8s.io/v1) with a request in, the same with a response out, as
  // JSON. An unreadable review gives a response that refuses with code 400.
  std::string Review(std::string_view admission_review) const;

 private:
  friend class PolicySetBuilder;
  struct Impl;
  explicit PolicySet(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

class PolicySetBuilder {
 public:
  PolicySetBuilder();
  ~PolicySetBuilder();
  PolicySetBuilder(const PolicySetBuilder&) = delete;
  PolicySetBuilder& operator=(const PolicySetBuilder&) = delete;

  // Policies with a binding only are evaluated unless this is set: then a policy that no binding
  // names is evaluated as if bound with [Deny].
  void EvaluateUnbound(bool on);

  // The time that policies see and at which exceptions expire, in nanoseconds since 1970; without
  // it that of the machine. Called by every thread that evaluates the set.
  void SetClock(std::function<std::int64_t()> clock);

  // Takes every document of `text`: policies, bindings and PolicyExceptions;
  // CustomResourceDefinitions, Namespaces and RBAC objects; what Kyverno's policies may look up in
  // the kinds Context and ClusterResource of cli.kyverno.io and GlobalContextEntry; all others may
  // be found as parameters and as resources of look-ups. Nothing is ever fetched. What can be
  // loaded is kept, problems are appended to problems(). The order of texts and documents does not
  // matter. The text may be freed afterwards.
  void Add(std::string_view text, std::string_view file_name);

  // What Add() found; valid until the next call of Add() or Build().
  const std::vector<Problem>& problems() const;

  // The set. The builder is as new afterwards.
  PolicySet Build();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The version of the library, "0.1.0".
std::string_view Version();

}  // namespace portcullis

#endif  // PORTCULLIS_PORTCULLIS_H_
