#ifndef PORTCULLIS_POLICY_CONTEXT_H_
#define PORTCULLIS_POLICY_CONTEXT_H_

// What evaluating one request may use: the request, the arena, the providers and the type table.
// One per request, used by one thread.

#include <atomic>
#include <optional>
#include <vector>

#include "base/arena.h"
#include "cel/eval/host.h"
#include "doc/value.h"
#include "match/match_resources.h"
#include "match/request.h"
#include "provider/providers.h"

namespace portcullis::schema {
class TypeTable;
}

namespace portcullis::policy {

class ExpressionObserver;

class RequestContext final : public cel::EvalHost {
 public:
  // All arguments are borrowed for the life of the context. `request.object` is the current object:
  // mutating families replace it.
  RequestContext(match::AdmissionRequest& the_request, const provider::Providers& the_providers,
                 const schema::TypeTable* the_types, base::Arena& the_arena)
      : request(the_request), providers(the_providers), types(the_types), arena(the_arena) {}

  match::AdmissionRequest& request;
  const provider::Providers& providers;
  const schema::TypeTable* types;  // null: nothing is known about kinds
  base::Arena& arena;
  const std::atomic<bool>* interrupt = nullptr;  // set from outside when the deadline passed
  // For reports: find the member of the resource behind each failure.
  bool explain_failures = false;
  ExpressionObserver* observer = nullptr;  // sees the expressions of policies that matched
  // What `generator.Apply` made, in order; whoever evaluates the policy takes it and clears the
  // list.
  std::vector<doc::Value> generated;
  cel::ImageSession* image_session = nullptr;  // set while a policy verifies images
  bool defaulting = true;  // complete mutated objects with the API server's defaults

  match::MatchContext match_context() const { return {request, providers.namespaces, types}; }

  // The CEL value of `request` for policies that matched it as this kind and resource.
  const doc::Value& RequestValue(const match::GroupVersionKind& kind,
                                 const match::GroupVersionResource& resource);
  // The Namespace of the request, looked up once.
  const provider::Lookup& RequestNamespace();

  // cel::EvalHost: the requesting user, decoded at first use.
  cel::ImageSession* images() override { return image_session; }
  provider::Authorizer* authorizer() override { return providers.authorizer; }
  const provider::UserInfo* user() override;
  // Stands still from its first use on, so that a request sees one moment.
  const provider::Clock* clock() override;
  const provider::KyvernoContext* kyverno() override { return providers.kyverno; }
  bool AddGenerated(const doc::Value& object) override {
    generated.push_back(object);
    return true;
  }

 private:
  bool request_value_ready_ = false;
  match::GroupVersionKind request_value_kind_;
  match::GroupVersionResource request_value_resource_;
  doc::Value request_value_;
  bool namespace_read_ = false;
  provider::Lookup namespace_;
  std::optional<provider::FixedClock> clock_;
  bool user_read_ = false;
  provider::UserInfo user_;
};

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_CONTEXT_H_
