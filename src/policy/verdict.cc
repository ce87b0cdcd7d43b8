#include "policy/verdict.h"

#include <algorithm>

namespace portcullis::policy {

std::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return "pass";
    case Outcome::kFail:
      return "fail";
    case Outcome::kWarn:
      return "warn";
    case Outcome::kError:
      return "error";
    case Outcome::kSkip:
      return "skip";
  }
  return "error";
}

void Verdict::AddAuditAnnotation(std::string_view key, std::string_view value) {
  const bool known = std::any_of(audit_annotations.begin(), audit_annotations.end(),
                                 [&](const auto& entry) { return entry.first == key; });
  if (!known) audit_annotations.emplace_back(key, value);
}

}  // namespace portcullis::policy
