#include "cli/diagnostics.h"

#include <functional>

namespace portcullis::cli {

void DiagnosticSink::Add(const base::Error& error, report::Severity severity) {
  const std::string key = error.span.ToString() + '\n' + error.path + '\n' + error.message;
  if (!shown_.insert(std::hash<std::string>()(key)).second) return;
  ++(severity == report::Severity::kError ? errors_ : warnings_);
  const report::Diagnostic diagnostic = report::FromError(error, severity);
  if (stream_ != nullptr) {
    std::fflush(stdout);  // keep the order on a terminal that shows both streams
    const std::string text = report::DiagnosticText(diagnostic, color_);
    std::fwrite(text.data(), 1, text.size(), stream_);
  }
  if (writer_ != nullptr) writer_->Add(diagnostic);
}

void DiagnosticSink::Take(const input::Diagnostics& list, std::size_t* seen) {
  for (; *seen < list.size(); ++*seen) {
    const input::Diagnostic& item = list[*seen];
    Add(item.error, item.severity == input::Severity::kError ? report::Severity::kError
                                                             : report::Severity::kWarning);
  }
}

}  // namespace portcullis::cli
