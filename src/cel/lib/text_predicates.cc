// size, contains, startsWith, endsWith and matches. Their rows are unguarded: wrong types give the
// texts of spec/cel.md 9.5.

#include "cel/eval/value_ops.h"
#include "cel/lib/standard_functions.h"
#include "regex/regex.h"

namespace portcullis::cel::text {

using doc::Tag;
using doc::Value;

namespace {

bool AreStrings(Args args) { return args[0].is_string() && args[1].is_string(); }

}  // namespace

Value Size(CallContext& context, Args args) noexcept {
  const Value& value = args[0];
  switch (value.tag()) {
    case Tag::kString:
      return Value::Int(static_cast<std::int64_t>(CodePoints(value)));
    case Tag::kBytes:
    case Tag::kList:
    case Tag::kMap:
      return Value::Int(value.size());
    // These have methods of their own in cel-go, so that the generic text appears.
    case Tag::kDuration:
    case Tag::kTimestamp:
      return context.NoSuchOverload();
    default:
      return context.Error("no such overload: size");
  }
}

Value Contains(CallContext& context, Args args) noexcept {
  if (!AreStrings(args)) return context.NoSuchOverload();
  return Value::Bool(args[0].as_string().find(args[1].as_string()) != std::string_view::npos);
}

Value StartsWith(CallContext& context, Args args) noexcept {
  if (!AreStrings(args)) return context.NoSuchOverload();
  return Value::Bool(args[0].as_string().starts_with(args[1].as_string()));
}

Value EndsWith(CallContext& context, Args args) noexcept {
  if (!AreStrings(args)) return context.NoSuchOverload();
  return Value::Bool(args[0].as_string().ends_with(args[1].as_string()));
}

Value Matches(CallContext& context, Args args) noexcept {
  if (!AreStrings(args)) return context.NoSuchOverload();
  const auto& compiled = regex::Cached(args[1].as_string());
  if (!compiled.ok()) return context.Error(compiled.error().message);
  return Value::Bool(compiled.value()->PartialMatch(args[0].as_string()));
}

}  // namespace portcullis::cel::text
