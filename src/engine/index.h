#ifndef PORTCULLIS_ENGINE_INDEX_H_
#define PORTCULLIS_ENGINE_INDEX_H_

// From (group, resource, subresource, operation) to the policies of a family that may match: the
// cost of a request does not depend on policies that cannot. Immutable, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "match/request.h"
#include "policy/family.h"

namespace portcullis::engine {

class Index {
 public:
  Index() = default;
  explicit Index(const policy::FamilySet& set);

  // The numbers of the policies that may match, ascending. Appends to `out`.
  void Find(const match::AdmissionRequest& request, std::vector<std::uint32_t>& out) const;

 private:
  struct Posting {
    std::uint32_t policy;
    std::uint8_t operations;
  };
  std::unordered_map<std::string, std::vector<Posting>> by_resource_;  // "resource/subresource"
  std::vector<Posting> any_;  // wildcards, and policies that match equivalent resources
};

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_INDEX_H_
