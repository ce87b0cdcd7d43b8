#include "testfile/case_selector.h"

#include <algorithm>

#include "base/wildcard.h"

namespace portcullis::testfile {

CaseSelector CaseSelector::Parse(std::string_view text, std::vector<std::string>& messages) {
  CaseSelector out;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (part.empty()) continue;
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || part.find('=', equals + 1) != std::string_view::npos) {
      messages.push_back("Invalid test-case-selector argument (" + std::string(part) +
                         "). Parameter must be in the form `<key>=<value>`.");
      continue;
    }
    const std::string_view key = part.substr(0, equals);
    std::string* target = key == "policy"     ? &out.policy_
                          : key == "rule"     ? &out.rule_
                          : key == "resource" ? &out.resource_
                                              : nullptr;
    if (target == nullptr) {
      messages.push_back("Invalid test-case-selector (" + std::string(part) +
                         "). Parameter can only be policy, rule or resource.");
      continue;
    }
    *target = std::string(part.substr(equals + 1));
  }
  return out;
}

bool CaseSelector::Select(Expectation& expectation) const {
  const auto matches = [](const std::string& pattern, std::string_view text) {
    return text.empty() || base::WildcardMatch(pattern, text);
  };
  if (!matches(policy_, expectation.policy) || !matches(rule_, expectation.rule)) return false;
  if (resource_ == "*" || expectation.resources.empty()) return true;
  auto& names = expectation.resources;
  names.erase(std::remove_if(names.begin(), names.end(),
                             [&](const std::string& name) { return !matches(resource_, name); }),
              names.end());
  return !names.empty();
}

}  // namespace portcullis::testfile
