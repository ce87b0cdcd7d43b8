#include "report/results.h"

#include <algorithm>
#include <array>

#include "report/terminal.h"
#include "report/writers.h"

namespace portcullis::report {

std::string ResourceId::ToString() const {
  if (kind.empty() && name.empty()) return "payload";
  std::string out = kind;
  if (!ns.empty()) out += "/" + ns;
  out += "/" + name;
  return out;
}

ResourceId IdOf(const doc::Value& object) {
  const doc::Value* found = object.Find("metadata");
  const doc::Value metadata = found != nullptr ? *found : doc::Value();
  const auto text = [](const doc::Value& map, std::string_view key) {
    return std::string(map.StringAt(key));
  };
  return {text(object, "apiVersion"), text(object, "kind"), text(metadata, "namespace"),
          text(metadata, "name")};
}

std::string Location::ToString() const {
  base::SourceSpan span;
  span.file = file;
  span.line = line;
  span.column = column;
  return span.ToString();
}

Diagnostic FromError(const base::Error& error, Severity severity) {
  Diagnostic diagnostic;
  diagnostic.severity = severity;
  diagnostic.location = {error.span.file, error.span.line, error.span.column, error.path};
  diagnostic.message = error.message;
  diagnostic.hint = error.hint;
  return diagnostic;
}

void Summary::Count(policy::Outcome outcome) {
  switch (outcome) {
    case policy::Outcome::kPass:
      ++pass;
      break;
    case policy::Outcome::kFail:
      ++fail;
      break;
    case policy::Outcome::kWarn:
      ++warn;
      break;
    case policy::Outcome::kError:
      ++error;
      break;
    case policy::Outcome::kSkip:
      ++skip;
      break;
  }
}

namespace {

struct Format {
  std::string_view name;
  std::unique_ptr<Writer> (*make)(const WriterOptions& options);
};

constexpr Format kFormats[] = {
    {"text", MakeTextWriter},   {"table", MakeTableWriter},   {"json", MakeJsonWriter},
    {"yaml", MakeYamlWriter},   {"report", MakeReportWriter}, {"sarif", MakeSarifWriter},
    {"junit", MakeJunitWriter}, {"github", MakeGithubWriter}, {"markdown", MakeMarkdownWriter},
};

}  // namespace

std::span<const std::string_view> FormatNames() {
  static const auto names = [] {
    std::array<std::string_view, std::size(kFormats)> out;
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = kFormats[i].name;
    return out;
  }();
  return names;
}

bool IsFormat(std::string_view word) {
  return std::ranges::find(FormatNames(), word) != FormatNames().end();
}

std::unique_ptr<Writer> MakeWriter(std::string_view format, const WriterOptions& options) {
  for (const Format& known : kFormats) {
    if (known.name == format) return known.make(options);
  }
  return nullptr;
}

std::string_view SourceOf(std::string_view policy_kind) {
  if (policy_kind.starts_with("Namespaced")) policy_kind.remove_prefix(10);
  if (policy_kind == "ValidatingPolicy") return "KyvernoValidatingPolicy";
  if (policy_kind == "ImageValidatingPolicy") return "KyvernoImageValidatingPolicy";
  if (policy_kind == "MutatingPolicy") return "KyvernoMutatingPolicy";
  if (policy_kind == "GeneratingPolicy") return "KyvernoGeneratingPolicy";
  if (policy_kind.ends_with("AdmissionPolicy")) return policy_kind;
  return "kyverno";
}

std::string DiagnosticText(const Diagnostic& diagnostic, bool color) {
  const Style style(color);
  std::string out = diagnostic.location.ToString();
  if (!out.empty()) out = style.Bold(out) + ": ";
  out += diagnostic.severity == Severity::kError ? style.Red("error") : style.Yellow("warning");
  out += ": ";
  if (!diagnostic.location.path.empty()) {
    // Messages of the API server already start with their path.
    if (diagnostic.message.find(diagnostic.location.path) == std::string::npos) {
      out += diagnostic.location.path + ": ";
    }
  }
  for (const char c : diagnostic.message) {
    out += c;
    if (c == '\n') out += "    ";
  }
  out += '\n';
  if (!diagnostic.hint.empty()) out += "    " + style.Dim(diagnostic.hint) + "\n";
  return out;
}

}  // namespace portcullis::report
