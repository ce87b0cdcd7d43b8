#include "cli/diagnostics.h"

#include <functional>

namespace portcullis::cli {

bool DiagnosticSink::IsNew(const base::Error& error) {
  const std::string key = error.span.ToString() + '\n' + error.path + '\n' + error.message;
  return shown_.insert(std::hash<std::string>()(key)).second;
}

void DiagnosticSink::Show(const report::Diagnostic& diagnostic) {
  if (stream_ == nullptr) return;
  std::fflush(stdout);  // keep the order on a terminal that shows both streams
  const std::string text = report::DiagnosticText(diagnostic, color_);
  std::fwrite(text.data(), 1, text.size(), stream_);
}

void DiagnosticSink::Add(const base::Error& error, report::Severity severity) {
  if (!IsNew(error)) return;
  ++(severity == report::Severity::kError ? errors_ : warnings_);
  const report::Diagnostic diagnostic = report::FromError(error, severity);
  Show(diagnostic);
  if (writer_ != nullptr) writer_->Add(diagnostic);
}

void DiagnosticSink::Advice(const base::Error& error) {
  constexpr std::size_t kMaxTexts = 1000;  // that are told apart
  constexpr std::size_t kMaxShown = 10;    // of each
  const auto known = advice_.find(error.message);
  if (known == advice_.end() && advice_.size() < kMaxTexts) {
    advice_.emplace(error.message, 1);
  } else if (known == advice_.end() || ++known->second > kMaxShown) {
    ++untold_;
    if (writer_ != nullptr) writer_->Add(report::FromError(error, report::Severity::kWarning));
    return;
  }
  const report::Diagnostic diagnostic = report::FromError(error, report::Severity::kWarning);
  Show(diagnostic);
  if (writer_ != nullptr) writer_->Add(diagnostic);
}

void DiagnosticSink::Finish() {
  if (untold_ == 0) return;
  report::Diagnostic diagnostic;
  diagnostic.severity = report::Severity::kWarning;
  diagnostic.message = std::to_string(untold_) +
                       " more warnings of the API server, with texts that stand above; the machine "
                       "formats hold all";
  Show(diagnostic);
  untold_ = 0;
}

void DiagnosticSink::Take(const input::Diagnostics& list, std::size_t* seen) {
  for (; *seen < list.size(); ++*seen) {
    const input::Diagnostic& item = list[*seen];
    Add(item.error, item.severity == input::Severity::kError ? report::Severity::kError
                                                             : report::Severity::kWarning);
  }
}

}  // namespace portcullis::cli
