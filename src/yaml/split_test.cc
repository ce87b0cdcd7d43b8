#include "yaml/split.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace portcullis::yaml {
namespace {

// Chunks as `line:text`, without content in brackets; an error ends the list.
std::vector<std::string> Split(std::string_view text) {
  std::vector<std::string> out;
  Splitter splitter(text);
  for (;;) {
    Chunk chunk;
    const auto more = splitter.Next(&chunk);
    if (!more.ok()) {
      out.push_back("error " + std::to_string(more.error().span.line) + ": " +
                    more.error().message);
      return out;
    }
    if (!*more) return out;
    std::string item = std::to_string(chunk.first_line) + ":" + std::string(chunk.text);
    out.push_back(chunk.has_content ? item : "(" + item + ")");
  }
}

using Chunks = std::vector<std::string>;

TEST(Splitter, Documents) {
  EXPECT_EQ(Split(""), Chunks{});
  EXPECT_EQ(Split("a: 1\n"), (Chunks{"1:a: 1\n"}));
  EXPECT_EQ(Split("a: 1\n---\nb: 2"), (Chunks{"1:a: 1\n", "3:b: 2"}));
  EXPECT_EQ(Split("---\na: 1\n--- # next\nb: 2\n"), (Chunks{"1:---\na: 1\n", "4:b: 2\n"}));
  EXPECT_EQ(Split("a: 1\n---  \n---\nb: 2\n"), (Chunks{"1:a: 1\n", "3:---\nb: 2\n"}));
  EXPECT_EQ(Split("---\n---\n---\na\n"), (Chunks{"1:---\n", "3:---\na\n"}));
  EXPECT_EQ(Split("# c\n\n---\na: 1\n---\n"), (Chunks{"(1:# c\n\n)", "4:a: 1\n"}));
  EXPECT_EQ(Split("a: 1\r\n---\r\nb: 2\r\n"), (Chunks{"1:a: 1\r\n", "3:b: 2\r\n"}));
  EXPECT_EQ(Split("a: |\n  ---\n  x\n"), (Chunks{"1:a: |\n  ---\n  x\n"}));
}

TEST(Splitter, Errors) {
  EXPECT_EQ(Split("a: 1\n--- b\nc: 1\n"),
            (Chunks{"1:a: 1\n", "error 2: invalid Yaml document separator: b"}));
  EXPECT_EQ(Split("-----BEGIN CERTIFICATE-----\n"),
            (Chunks{"error 1: invalid Yaml document separator: --BEGIN CERTIFICATE-----"}));
}

}  // namespace
}  // namespace portcullis::yaml
