#include "report/findings.h"

#include <cstdio>

#include "base/utf8.h"

namespace portcullis::report {

using policy::Outcome;

bool IsFinding(Outcome outcome) { return outcome != Outcome::kPass && outcome != Outcome::kSkip; }

std::string RuleName(const Result& result) {
  if (result.policy.empty()) return "request";
  std::string out;
  if (!result.policy_namespace.empty()) out = result.policy_namespace + "/";
  out += result.policy;
  if (!result.rule.empty()) out += "/" + result.rule;
  return out;
}

std::string FullMessage(const Result& result) {
  std::string out = result.message;
  if (!result.location.path.empty()) {
    if (!out.empty()) out += "\n";
    out += result.location.path;
    out += result.value.empty() ? " is not set" : " = " + result.value;
  }
  return out;
}

std::string ProducedText(const Produced& produced) {
  using Kind = policy::ProducedObject::Kind;
  std::string out = IdOf(produced.object).ToString();
  switch (produced.kind) {
    case Kind::kGenerated:
      return "generated " + out + " by " + produced.policy;
    case Kind::kMutatedTarget:
      return "mutated target " + out + " by " + produced.policy;
    case Kind::kDeleted:
      return "would delete " + out + " by " + produced.policy;
  }
  return out;
}

std::string SummaryText(const Summary& summary) {
  const auto count = [](std::size_t n, std::string_view one, std::string_view many) {
    return std::to_string(n) + " " + std::string(n == 1 ? one : many);
  };
  return count(summary.resources, "resource", "resources") + ", " +
         count(summary.policies, "policy", "policies") + ": pass: " + std::to_string(summary.pass) +
         ", fail: " + std::to_string(summary.fail) + ", warn: " + std::to_string(summary.warn) +
         ", error: " + std::to_string(summary.error) + ", skip: " + std::to_string(summary.skip);
}

std::string XmlText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += "&#10;";  // attributes would lose the line break
        break;
      case '\t':
        out += c;
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20U) {
          out += "\xEF\xBF\xBD";
        } else {
          out += c;
        }
    }
  }
  return out;
}

std::string MarkdownCell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n':
        out += "<br>";
        break;
      case '\r':
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '|':
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '#':
      case '~':
        out += '\\';
        out += c;
        break;
      default:
        out += c;
    }
  }
  return out;
}

void Print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace portcullis::report
