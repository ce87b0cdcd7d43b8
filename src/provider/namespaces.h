#ifndef PORTCULLIS_PROVIDER_NAMESPACES_H_
#define PORTCULLIS_PROVIDER_NAMESPACES_H_

// Namespace objects by name: for namespaceSelector and namespaceObject
// (spec/kubernetes-admission.md 1.5, 5.1). Implementations are thread-safe for const calls.

#include <string_view>

#include "provider/lookup.h"

namespace portcullis::provider {

class Namespaces {
 public:
  virtual ~Namespaces() = default;
  // The stored Namespace. Its labels hold `kubernetes.io/metadata.name`.
  virtual Lookup Find(std::string_view name) const = 0;
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_NAMESPACES_H_
