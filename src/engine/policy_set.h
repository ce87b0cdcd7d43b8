#ifndef PORTCULLIS_ENGINE_POLICY_SET_H_
#define PORTCULLIS_ENGINE_POLICY_SET_H_

// The compiled policy set: immutable, shared by threads, swapped as a whole (docs/architecture.md).
// A builder takes documents, one by one, and reports each problem; what loads is kept.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "engine/index.h"
#include "policy/family.h"

namespace portcullis::engine {

class PolicySet {
 public:
  struct Member {
    std::unique_ptr<const policy::FamilySet> set;
    Index index;
  };

  std::span<const Member> families() const { return families_; }
  std::size_t policy_count() const;
  // Notes of all families, to be shown as warnings.
  base::ErrorList notes() const;

 private:
  friend class PolicySetBuilder;
  base::Arena arena_;  // documents and constants of the set
  std::vector<Member> families_;
};

class PolicySetBuilder {
 public:
  PolicySetBuilder();
  ~PolicySetBuilder();

  // True when some family reads documents of this kind.
  bool Handles(std::string_view api_version, std::string_view kind) const;

  // Loads one document; copies what it needs. Requires Handles().
  policy::LoadReport Add(const policy::SourceDocument& document, policy::LoadMode mode);

  // `unbound_deny`: policies without a binding are evaluated as if bound with [Deny].
  std::shared_ptr<const PolicySet> Build(bool unbound_deny);

 private:
  std::shared_ptr<PolicySet> set_;
  std::vector<std::unique_ptr<policy::FamilyLoader>> loaders_;
};

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_POLICY_SET_H_
