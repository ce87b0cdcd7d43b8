#include "report/results.h"

#include "report/terminal.h"
#include "report/writers.h"

namespace portcullis::report {

std::string ResourceId::ToString() const {
  std::string out = kind;
  if (!ns.empty()) out += "/" + ns;
  out += "/" + name;
  return out;
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

bool IsFormat(std::string_view word) {
  return word == "text" || word == "table" || word == "json" || word == "yaml";
}

std::unique_ptr<Writer> MakeWriter(std::string_view format, const WriterOptions& options) {
  if (format == "text") return MakeTextWriter(options);
  if (format == "table") return MakeTableWriter(options);
  if (format == "json") return MakeJsonWriter();
  if (format == "yaml") return MakeYamlWriter();
  return nullptr;
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
