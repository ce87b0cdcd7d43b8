#ifndef PORTCULLIS_POLICY_FAMILY_H_
#define PORTCULLIS_POLICY_FAMILY_H_

// The interface of a policy family (design: "A policy family is a plug-in"): load documents,
// describe what the policies match for the index, evaluate. Families never include each other.
//
// Loading: one FamilyLoader per set under construction takes every document of its kinds and then
// builds an immutable FamilySet, which any number of threads evaluate at once.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "match/rules.h"
#include "policy/context.h"
#include "policy/verdict.h"

namespace portcullis::policy {

// One document with a policy, binding or the like. The value outlives the set.
struct SourceDocument {
  doc::Value value;
  base::SourceSpan span;  // where the document starts
};

// How documents are read.
enum class LoadMode : std::uint8_t {
  kStrict,     // files: an unknown field is an error
  kApiServer,  // as the API server: unknown fields are dropped with a warning
};

// What loading one document found. `refusal` is set when the API server would refuse it.
struct LoadReport {
  base::ErrorList errors;             // why the document is not part of the set
  std::vector<std::string> warnings;  // the texts of HTTP warnings
  std::optional<Status> refusal;
  doc::Value stored;  // the object with the API's defaults, if accepted
};

struct PolicyInfo {
  std::string kind;  // "ValidatingAdmissionPolicy"
  std::string ns;    // namespaced kinds
  std::string name;
  base::SourceSpan span;
  std::string category;
  std::string severity;
  bool bound = true;   // false: no binding names this policy
  bool scored = true;  // false: reports count its failures as warnings
};

// Matching for the index: a superset of what the policy matches. Rules with no groups match any.
struct IndexEntry {
  std::vector<match::Rule> rules;
  bool equivalent = false;  // other versions and groups of a resource match too
};

// What a mutating family keeps between the passes of one request.
class MutationState {
 public:
  virtual ~MutationState() = default;
};

// What a document outside of the API is, by Kyverno's evaluation modes.
enum class DocumentForm : std::uint8_t {
  kAny,           // JSON
  kHttpRequest,   // HTTP: a request that a proxy asks about
  kEnvoyRequest,  // Envoy: the same in Envoy's form
};

class FamilySet {
 public:
  virtual ~FamilySet() = default;

  // Policies in evaluation order; `policy` numbers below are indexes into this order.
  virtual std::size_t size() const = 0;
  virtual const PolicyInfo& info(std::size_t policy) const = 0;
  virtual IndexEntry index_entry(std::size_t policy) const = 0;

  // What the author should know about the set as a whole: policies without a binding, bindings that
  // name no policy.
  virtual std::span<const base::Error> notes() const { return {}; }

  // Which phases take part.
  virtual bool mutates() const { return false; }
  virtual bool validates() const { return false; }

  // Evaluates the candidate policies (ascending numbers, a superset of those that match).
  virtual void Validate(std::span<const std::uint32_t> candidates, RequestContext& context,
                        Verdict& verdict) const;

  // Evaluates the policies about documents that are no API objects, which no request ever meets, on
  // `context.request.object`. Rows only.
  virtual void ValidateDocument(DocumentForm form, RequestContext& context, Verdict& verdict) const;

  virtual std::unique_ptr<MutationState> NewMutationState() const;
  // One pass (0, then at most one reinvocation 1) over `context.request.object`, which is replaced
  // when it changes. True: the whole mutating phase must be run once more.
  virtual bool Mutate(std::span<const std::uint32_t> candidates, int pass, MutationState* state,
                      RequestContext& context, Verdict& verdict) const;
};

class FamilyLoader {
 public:
  virtual ~FamilyLoader() = default;
  // "native-validating", "native-mutating", ...: for diagnostics.
  virtual std::string_view name() const = 0;
  virtual bool Handles(std::string_view api_version, std::string_view kind) const = 0;
  // Reads, validates and compiles one document. `arena` lives as long as the set.
  virtual void Add(const SourceDocument& document, LoadMode mode, base::Arena& arena,
                   LoadReport& report) = 0;
  // Puts policies and bindings together. Policies without a binding are left out unless
  // `unbound_deny`, which evaluates them as if bound with [Deny] (info().bound is false then).
  virtual std::unique_ptr<const FamilySet> Finish(bool unbound_deny) = 0;
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_FAMILY_H_
