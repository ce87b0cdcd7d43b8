// Moving an expression to the Pod template: whatever it is, the result parses, moves no further,
// and nothing crashes. One of each group, as an expression and as a mutation.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "autogen/autogen.h"
#include "autogen/mover.h"
#include "cel/syntax/parser.h"

namespace {

using portcullis::autogen::Group;
using portcullis::autogen::Moved;
using portcullis::autogen::Mover;

bool Parses(std::string_view text) {
  portcullis::cel::ParserOptions options;
  options.two_variable_macros = true;
  options.sort_by_macro = true;
  options.bind_macro = true;
  options.math_macros = true;
  portcullis::cel::Ast ast;
  portcullis::cel::Issues issues;
  return portcullis::cel::Parse(text, options, ast, issues);
}

Moved Move(std::string_view text, Group group, bool patches) {
  Mover mover(group, patches);
  return mover.Move(text);
}

// With variables that are the Pod and parts of it, as a policy gives them.
std::string MoveWithVariables(std::string_view text, Group group) {
  Mover mover(group, false);
  std::string moved;
  for (int pass = 0; pass < 2; ++pass) {
    mover.Define("o", "object");
    mover.Define("m", "object.metadata");
    mover.Define("s", "object.?spec");
    moved = mover.Define("x", text).text;
    if (pass == 0) mover.Settle();
  }
  return moved;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxSize = 4096;
  if (size > kMaxSize) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const bool valid = Parses(text);
  for (const Group group : {Group::kDefaults, Group::kCronJobs}) {
    if (valid && !Parses(MoveWithVariables(text, group))) std::abort();
    for (const bool patches : {false, true}) {
      const Moved moved = Move(text, group, patches);
      if (!valid && moved.text != text) std::abort();
      if (!valid || moved.refused) continue;
      if (!Parses(moved.text)) std::abort();
      const Moved again = Move(moved.text, group, patches);
      if (again.refused || again.text != moved.text) std::abort();
    }
  }
  return 0;
}
