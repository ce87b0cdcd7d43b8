#include "policy/map/reinvocation.h"

#include "doc/equal.h"

namespace portcullis::policy {

void ReinvocationState::SetOutput(const doc::Value& object) {
  has_output_ = true;
  output_ = object;
}

bool ReinvocationState::OutputChanged(const doc::Value& object) const {
  return has_output_ && !doc::DataEqual(output_, object);
}

}  // namespace portcullis::policy
