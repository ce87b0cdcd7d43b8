#ifndef PORTCULLIS_POLICY_MAP_REINVOCATION_H_
#define PORTCULLIS_POLICY_MAP_REINVOCATION_H_

// Which invocations of one request run again in the second pass of the mutating phase
// (spec/kubernetes-admission.md 3.6, 4.5). One per request, used by one thread.

#include <compare>
#include <set>
#include <string>

#include "doc/value.h"
#include "policy/family.h"

namespace portcullis::policy {

// Identity of an invocation: names, so that it outlives a change of the set's order.
struct InvocationKey {
  std::string policy;
  std::string binding;
  std::string param;
  auto operator<=>(const InvocationKey&) const = default;
};

class ReinvocationState final : public MutationState {
 public:
  // Something changed the object: all invocations kept so far are to run again.
  void MarkPrevious() {
    marked_.merge(previous_);
    previous_.clear();
  }
  // An invocation with reinvocationPolicy IfNeeded has run.
  void Keep(InvocationKey key) { previous_.insert(std::move(key)); }
  bool Marked(const InvocationKey& key) const { return marked_.contains(key); }

  // The object as this family left it; true: another one changed it since.
  void SetOutput(const doc::Value& object);
  bool OutputChanged(const doc::Value& object) const;

 private:
  std::set<InvocationKey> previous_;
  std::set<InvocationKey> marked_;
  bool has_output_ = false;
  doc::Value output_;
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_MAP_REINVOCATION_H_
