#ifndef PORTCULLIS_CEL_EVAL_HOST_H_
#define PORTCULLIS_CEL_EVAL_HOST_H_

// What CEL functions may ask of the outside. Evaluation is pure but for this
// (docs/architecture.md).

#include <string>
#include <string_view>

#include "doc/value.h"

namespace portcullis::provider {
class Authorizer;
class Clock;
class KyvernoContext;
struct UserInfo;
}  // namespace portcullis::provider

namespace portcullis::cel {

class ImageSession;

// Everything is optional: a null provider means that the question cannot be answered.
class EvalHost {
 public:
  virtual ~EvalHost() = default;
  virtual provider::Authorizer* authorizer() { return nullptr; }
  // The time of the request; null: the time of day.
  virtual const provider::Clock* clock() { return nullptr; }
  // The user of the request, whom `authorizer` asks about; null when there is none.
  virtual const provider::UserInfo* user() { return nullptr; }
  // The outside of Kyverno's resource, http, globalContext and image functions.
  virtual const provider::KyvernoContext* kyverno() { return nullptr; }
  // The policy that verifies images; null: none does.
  virtual ImageSession* images() { return nullptr; }
  // Takes an object that `generator.Apply` made; it lives as long as the arena of the evaluation.
  // False when nothing is generated here.
  virtual bool AddGenerated(const doc::Value& /*object*/) { return false; }
};

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_EVAL_HOST_H_
