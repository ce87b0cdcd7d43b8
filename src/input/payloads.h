#ifndef PORTCULLIS_INPUT_PAYLOADS_H_
#define PORTCULLIS_INPUT_PAYLOADS_H_

// Payloads: documents of any form, for policies that are not about API objects (Kyverno's
// evaluation mode JSON; spec/kyverno-cel-policies.md 12). Each object is one document; a list,
// several YAML documents and JSON lines are several. One thread.

#include <deque>
#include <span>
#include <string>

#include "base/arena.h"
#include "input/diagnostic.h"
#include "input/document.h"

namespace portcullis::input {

class Payloads {
 public:
  // Reads the files. What is no object is a diagnostic.
  void Read(std::span<const std::string> paths);

  // They live as long as this.
  const std::deque<Document>& documents() const { return documents_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  void ReadText(std::string_view file, std::string_view text);
  void Add(std::string_view file, std::string_view text, std::uint32_t first_line,
           const doc::Value& root);
  void Report(std::string_view file, std::uint32_t line, std::string message);

  base::Arena arena_;
  std::deque<Document> documents_;
  Diagnostics diagnostics_;
};

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_PAYLOADS_H_
