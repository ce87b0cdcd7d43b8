#ifndef PORTCULLIS_PROVIDER_LOOKUP_H_
#define PORTCULLIS_PROVIDER_LOOKUP_H_

// The answer of a provider that reads one object of the cluster. The object is borrowed: it lives
// at least as long as the provider's data is unchanged, that is for the whole request.
//
// kUnknown is for runs without a cluster: nobody said whether the object exists, so whatever
// depends on it is an error, and nothing else is.

#include <string>

#include "doc/value.h"

namespace portcullis::provider {

struct Lookup {
  enum class State { kFound, kNotFound, kUnknown, kError };
  State state = State::kNotFound;
  doc::Value object;  // kFound
  std::string error;  // kError: the text of the failure

  bool found() const { return state == State::kFound; }
  static Lookup Found(const doc::Value& object) { return {State::kFound, object, {}}; }
  static Lookup NotFound() { return {}; }
  static Lookup Unknown() { return {State::kUnknown, {}, {}}; }
  static Lookup Failed(std::string text) { return {State::kError, {}, std::move(text)}; }
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_LOOKUP_H_
