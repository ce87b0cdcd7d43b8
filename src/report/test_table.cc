// The table that `kyverno test` prints, one per test document, and its line of summary.

#include <algorithm>
#include <cstdio>

#include "report/terminal.h"
#include "report/test_report.h"

namespace portcullis::report {
namespace {

constexpr std::size_t kMaxCell = 300;  // code points

void Print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

// One line of at most kMaxCell columns.
std::string Cell(std::string_view text) {
  std::string out;
  std::size_t columns = 0;
  for (const char c : text) {
    const bool starts = (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    if (starts && ++columns > kMaxCell) break;
    out += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
  }
  return out;
}

class TableWriter final : public TestWriter {
 public:
  explicit TableWriter(const TestWriterOptions& options)
      : options_(options), style_(options.color) {}

  void Add(const TestSuite& suite) override {
    if (options_.fail_only) {
      for (const TestRow& row : suite.rows) {
        if (!row.ok) failures_.push_back(row);
      }
      total_ += suite.rows.size();
      return;
    }
    std::string title = suite.file;
    if (!suite.name.empty()) title += " (" + suite.name + ")";
    Print("Test " + style_.Bold(title) + "\n");
    if (!suite.rows.empty()) {
      Print("\n");
      PrintTable(suite.rows);
      Print("\n");
    }
  }

  void Finish(const TestSummary& summary, const std::vector<Diagnostic>&) override {
    std::string line = "\nTest Summary: ";
    const std::string failed = std::to_string(summary.failed);
    if (options_.fail_only) {
      line += failed + " out of " + std::to_string(total_) + " tests failed\n";
    } else {
      line += std::to_string(summary.passed) + " tests passed and " + failed + " tests failed\n";
    }
    Print(line);
    if (summary.broken != 0) {
      Print(std::to_string(summary.broken) + " test documents could not run\n");
    }
    if (summary.warnings != 0) Print(std::to_string(summary.warnings) + " warnings\n");
    Print("\n");
    if (!failures_.empty()) {
      Print("Aggregated Failed Test Cases : \n");
      PrintTable(failures_);
    }
  }

 private:
  using Cells = std::vector<std::string>;

  void PrintTable(const std::vector<TestRow>& rows) const {
    std::vector<Cells> table = {{"ID", "POLICY", "RULE", "RESOURCE", "RESULT", "REASON"}};
    if (options_.detailed) table.front().emplace_back("MESSAGE");
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const TestRow& row = rows[i];
      Cells cells = {std::to_string(i + 1), Cell(row.policy),         Cell(row.rule),
                     Cell(row.resource),    row.ok ? "Pass" : "Fail", Cell(row.reason)};
      if (options_.detailed) cells.push_back(Cell(row.message));
      table.push_back(std::move(cells));
    }
    std::vector<std::size_t> widths(table.front().size());
    for (const Cells& cells : table) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        widths[i] = std::max(widths[i], DisplayWidth(cells[i]));
      }
    }
    std::string out = Ruler(widths);
    for (std::size_t i = 0; i < table.size(); ++i) {
      AppendLine(table[i], widths, i == 0, out);
      if (i == 0) out += Ruler(widths);
    }
    Print(out + Ruler(widths));
  }

  static std::string Ruler(const std::vector<std::size_t>& widths) {
    std::string out = "\xE2\x94\x82";
    for (const std::size_t width : widths) {
      for (std::size_t i = 0; i < width + 2; ++i) out += "\xE2\x94\x80";
      out += "\xE2\x94\x82";
    }
    return out + "\n";
  }

  void AppendLine(const Cells& cells, const std::vector<std::size_t>& widths, bool header,
                  std::string& out) const {
    out += "\xE2\x94\x82";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string text = cells[i];
      text.append(widths[i] - DisplayWidth(cells[i]), ' ');
      if (header) text = style_.Bold(text);
      if (!header && i == 4) text = cells[i] == "Pass" ? style_.Green(text) : style_.Red(text);
      out += " " + text + " \xE2\x94\x82";
    }
    out += "\n";
  }

  TestWriterOptions options_;
  Style style_;
  std::vector<TestRow> failures_;
  std::size_t total_ = 0;
};

}  // namespace

std::unique_ptr<TestWriter> MakeTestTableWriter(const TestWriterOptions& options) {
  return std::make_unique<TableWriter>(options);
}

std::unique_ptr<TestWriter> MakeTestWriter(std::string_view format,
                                           const TestWriterOptions& options) {
  if (format == "table" || format == "text") return MakeTestTableWriter(options);
  if (format == "json") return MakeTestMachineWriter(options, false);
  if (format == "yaml") return MakeTestMachineWriter(options, true);
  if (format == "markdown") return MakeTestMarkdownWriter(options);
  if (format == "junit") return MakeTestJunitWriter(options);
  return nullptr;
}

}  // namespace portcullis::report
