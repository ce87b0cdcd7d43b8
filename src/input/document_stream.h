#ifndef PORTCULLIS_INPUT_DOCUMENT_STREAM_H_
#define PORTCULLIS_INPUT_DOCUMENT_STREAM_H_

// All objects of a list of files, one after the other (design, section 3). Multi-document YAML,
// JSON, JSON lines, arrays and `List` kinds are opened. Files are read strictly.
//
// Small inputs are parsed once and kept: documents stay valid as long as the stream. Large ones
// are read again on every pass with one arena that is reused: a document is valid until the next
// call of Next, and memory does not grow with their number.
// One thread at a time.

#include <cstdint>
#include <deque>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "input/diagnostic.h"
#include "input/document.h"
#include "input/files.h"
#include "input/text_window.h"
#include "yaml/split.h"

namespace portcullis::input {

struct StreamOptions {
  // Inputs of up to this many bytes in total are parsed once and kept.
  std::uint64_t keep_limit = std::uint64_t{32} << 20;
};

class DocumentStream {
 public:
  // Tells by apiVersion and kind whether a document is wanted in this pass.
  using HeadFilter = std::function<bool(std::string_view api_version, std::string_view kind)>;

  explicit DocumentStream(std::vector<InputFile> files, const StreamOptions& options = {});
  DocumentStream(const DocumentStream&) = delete;
  DocumentStream& operator=(const DocumentStream&) = delete;

  // The next document that can be used; false at the end. What cannot be used becomes a
  // diagnostic. With a filter, unwanted documents are skipped, in large inputs without parsing
  // them (their problems show up in the pass that wants them).
  bool Next(Document* out, const HeadFilter& filter = {});

  // Starts again at the first document.
  void Rewind();

  // Whether documents stay valid as long as the stream.
  bool is_kept() const { return keep_; }
  const std::vector<InputFile>& files() const { return files_; }
  // Each problem once, however many passes met it.
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  // More of a kind are counted, not shown: a million bad items are one mistake.
  static constexpr std::size_t kMaxRootProblems = 20;
  static constexpr std::size_t kMaxFileProblems = 1000;

  // A list or an array whose items are handed out one by one.
  struct OpenList {
    doc::Value items;
    std::uint32_t next = 0;
    doc::Path prefix;
    std::string item_api_version;  // for items that do not name their own type
    std::string item_kind;
  };

  bool Produce(Document* out, const HeadFilter& filter);
  bool NextItem(Document* out);
  bool NextRoot(const HeadFilter& filter);
  bool OpenFile();
  void FinishFile();
  void CloseFile();
  bool ReadJson(bool* handled);
  bool ReadYaml(const HeadFilter& filter, const base::Error* json_error);
  void AcceptRoot(std::string_view text, std::uint32_t line, const doc::Value& root);
  bool Accept(Document* document);
  bool OpenItems(const Document& document);
  void ReportUntyped(const Document& document);
  bool More();
  bool SkipGarbage();
  void Report(Severity severity, base::Error error);
  // Whether one more problem of the current root is to be told on its own.
  bool TellsMore() { return ++root_problems_ <= kMaxRootProblems; }

  std::vector<InputFile> files_;
  bool keep_;
  Diagnostics diagnostics_;
  std::set<std::string> reported_;

  base::Arena arena_;
  std::deque<Document> kept_;
  std::size_t replay_ = 0;

  std::size_t next_file_ = 0;
  const InputFile* file_ = nullptr;
  TextWindow window_;
  bool file_has_content_ = false;  // something beside blanks and comments
  bool file_has_object_ = false;   // an object, a skipped one, or a reported problem

  Document base_;                  // text and place of the current root
  bool has_root_ = false;          // base_.root waits to be handed out
  bool after_json_ = false;        // what was read last was a JSON value
  std::size_t root_problems_ = 0;  // items of the current root that are no objects
  std::size_t file_problems_ = 0;  // of the current file in this pass
  std::vector<OpenList> lists_;
};

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_DOCUMENT_STREAM_H_
