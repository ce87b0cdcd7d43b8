#include "engine/index.h"

#include <algorithm>

namespace portcullis::engine {
namespace {

std::string Key(std::string_view resource, std::string_view subresource) {
  std::string key(resource);
  key += '/';
  key += subresource;
  return key;
}

}  // namespace

Index::Index(const policy::FamilySet& set) {
  for (std::uint32_t number = 0; number < set.size(); ++number) {
    const policy::IndexEntry entry = set.index_entry(number);
    if (entry.rules.empty()) {
      any_.push_back({number, (1U << match::kOperationCount) - 1});
      continue;
    }
    for (const match::Rule& rule : entry.rules) {
      for (const match::ResourcePattern& pattern : rule.resources) {
        // Equivalent resources of other groups and versions keep their plural name (1.8).
        if (pattern.resource == "*" || pattern.subresource == "*") {
          any_.push_back({number, rule.operations});
        } else {
          by_resource_[Key(pattern.resource, pattern.subresource)].push_back(
              {number, rule.operations});
        }
      }
    }
  }
}

void Index::Find(const match::AdmissionRequest& request, std::vector<std::uint32_t>& out) const {
  const auto bit = static_cast<std::uint8_t>(1U << static_cast<unsigned>(request.operation));
  const std::size_t start = out.size();
  const auto add = [&](const std::vector<Posting>& postings) {
    for (const Posting& posting : postings) {
      if ((posting.operations & bit) != 0) out.push_back(posting.policy);
    }
  };
  add(any_);
  const auto it = by_resource_.find(Key(request.resource.resource, request.sub_resource));
  if (it != by_resource_.end()) add(it->second);
  const auto begin = out.begin() + static_cast<std::ptrdiff_t>(start);
  std::sort(begin, out.end());
  out.erase(std::unique(begin, out.end()), out.end());
}

}  // namespace portcullis::engine
