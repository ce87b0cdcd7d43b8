#include "policy/kyverno_cel/webhook_answer.h"

#include <algorithm>
#include <utility>

namespace portcullis::policy::kyverno_cel {
namespace {

// The API server drops warnings of several lines.
std::string OneLine(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

void WebhookAnswer::Add(const PolicyCommon& policy, const Evaluation& evaluation) {
  const bool failed = evaluation.outcome == Outcome::kFail;
  if (!failed && evaluation.outcome != Outcome::kError) return;
  std::string text = "Policy " + policy.info.name + (failed ? " failed: " : " error: ");
  text += evaluation.message;
  if (policy.warn) verdict_.warnings.push_back(OneLine(text));
  if (!policy.deny) return;
  if (!denied_.empty()) denied_ += "; ";
  denied_ += text;
}

void WebhookAnswer::Finish() {
  if (denied_.empty()) return;
  // The answer of a webhook has neither reason nor details; the API server makes it a 400.
  Status status;
  status.code = 400;
  status.has_details = false;
  status.message = std::move(denied_);
  verdict_.denials.push_back(std::move(status));
}

}  // namespace portcullis::policy::kyverno_cel
