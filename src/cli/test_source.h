#ifndef PORTCULLIS_CLI_TEST_SOURCE_H_
#define PORTCULLIS_CLI_TEST_SOURCE_H_

// A file of the test command as its documents: test, values, user information, context. They may
// lack apiVersion and kind (old forms), so they are not read as API objects are. Owns the text and
// the values. One thread.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/error.h"
#include "cli/diagnostics.h"
#include "doc/value.h"
#include "testfile/problems.h"
#include "yaml/locate.h"

namespace portcullis::cli {

class TestSource {
 public:
  class Document {
   public:
    Document(const std::string& file, std::string_view text, std::uint32_t first_line,
             const doc::Value& the_root)
        : root(the_root), file_(file), text_(text), first_line_(first_line) {}

    doc::Value root;
    // The place of a field path such as "results[2].policy".
    base::SourceSpan Locate(const std::string& path) const;
    // Hands problems on with their places.
    void Report(const testfile::Problems& problems, DiagnosticSink& sink) const;

   private:
    const std::string& file_;
    std::string_view text_;
    std::uint32_t first_line_;
    mutable std::optional<yaml::Locator> locator_;
  };

  // Reads the file strictly. What is wrong goes to `sink`; the documents that can be read remain.
  TestSource(std::string path, DiagnosticSink& sink);
  TestSource(const TestSource&) = delete;
  TestSource& operator=(const TestSource&) = delete;

  const std::string& path() const { return path_; }
  const std::deque<Document>& documents() const { return documents_; }
  bool readable() const { return readable_; }  // nothing was wrong
  base::Arena& arena() { return arena_; }

 private:
  std::string path_;
  std::string text_;
  base::Arena arena_;
  std::deque<Document> documents_;
  bool readable_ = true;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_TEST_SOURCE_H_
