// Pieces of the text formats.

#include <gtest/gtest.h>

#include "report/results.h"
#include "report/spool.h"
#include "report/terminal.h"

namespace portcullis::report {
namespace {

TEST(TerminalTest, TablesAlignByCodePoints) {
  Table table({"A", "B"});
  table.Add({"\xC3\xA4\xC3\xB6", "x"});
  table.Add({"long", "y"});
  EXPECT_EQ(table.Render(Style(false)), "A     B\n\xC3\xA4\xC3\xB6    x\nlong  y\n");
}

TEST(TerminalTest, IndentWrapsAtBlanksAndKeepsLongWords) {
  EXPECT_EQ(Indent("one two three", 2, 9), "  one two\n  three\n");
  EXPECT_EQ(Indent("averylongword", 2, 6), "  averylongword\n");
  EXPECT_EQ(Indent("a\nb\n", 1), " a\n b\n");
}

TEST(TerminalTest, ColoursOnlyOnDemand) {
  EXPECT_EQ(Style(false).Red("x"), "x");
  EXPECT_EQ(Style(true).Red("x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(Style(false).Outcome(policy::Outcome::kFail), "fail ");
}

TEST(ResultsTest, DiagnosticsNamePlacePathAndHint) {
  base::Error error(base::ErrorCode::kUnknownField, "unknown field", "spec.x");
  error.span.file = "p.yaml";
  error.span.line = 3;
  error.span.column = 5;
  error.hint = "did you mean y?";
  EXPECT_EQ(DiagnosticText(FromError(error), false),
            "p.yaml:3:5: error: spec.x: unknown field\n    did you mean y?\n");
}

TEST(ResultsTest, PathsThatTheMessageNamesAreNotRepeated) {
  base::Error error(base::ErrorCode::kRequired, "spec.x: Required value", "spec.x");
  EXPECT_EQ(DiagnosticText(FromError(error, Severity::kWarning), false),
            "warning: spec.x: Required value\n");
}

TEST(ResultsTest, ResourcesAreNamedWithAndWithoutNamespace) {
  EXPECT_EQ((ResourceId{"v1", "Pod", "a", "b"}).ToString(), "Pod/a/b");
  EXPECT_EQ((ResourceId{"v1", "Node", "", "b"}).ToString(), "Node/b");
}

TEST(SpoolTest, GivesBackWhatDoesNotFitInMemory) {
  Spool spool;
  const std::string part(1U << 20U, 'x');
  for (int i = 0; i < 9; ++i) spool.Append(part);
  std::FILE* out = std::tmpfile();
  ASSERT_NE(out, nullptr);
  spool.Drain(out);
  EXPECT_EQ(std::ftell(out), 9L << 20U);
  std::fclose(out);
  EXPECT_TRUE(spool.empty());
}

}  // namespace
}  // namespace portcullis::report
