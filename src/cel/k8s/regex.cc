// find and findAll (spec/cel.md 16.2).

#include <algorithm>
#include <limits>

#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"
#include "cel/lib/costs.h"
#include "regex/regex.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value IllegalRegex(CallContext& context, const base::Error& error) {
  return context.Error("Illegal regex: " + error.message);
}

Value Find(CallContext& context, Args args) noexcept {
  if (!args[0].is_string() || !args[1].is_string()) return context.NoSuchOverload();
  const auto& compiled = regex::Cached(args[1].as_string());
  if (!compiled.ok()) return IllegalRegex(context, compiled.error());
  const auto match = compiled.value()->Find(args[0].as_string());
  return match ? Slice(args[0], *match) : Value::String("", Value::kAscii);
}

Value FindUpTo(CallContext& context, const Value& text, const Value& pattern, std::int64_t limit) {
  if (!text.is_string() || !pattern.is_string()) return context.NoSuchOverload();
  const auto& compiled = regex::Cached(pattern.as_string());
  if (!compiled.ok()) return IllegalRegex(context, compiled.error());
  ListBuilder found(context.arena);
  for (const std::string_view match :
       compiled.value()->FindAll(text.as_string(), static_cast<std::ptrdiff_t>(limit))) {
    found.Add(Slice(text, match));
  }
  return found.Finish();
}

Value FindAll(CallContext& context, Args args) noexcept {
  return FindUpTo(context, args[0], args[1], -1);
}

Value FindAllLimited(CallContext& context, Args args) noexcept {
  if (!args[2].is_int()) return context.NoSuchOverload();
  return FindUpTo(context, args[0], args[1], args[2].as_int());
}

// Unguarded: a pattern that is constant is bound early in Kubernetes, and then a text of another
// kind fails without naming the call.
constexpr Overload kOverloads[] = {
    {"string_find_string", "find", "(string, string) -> string", Find, kMember | kUnguarded},
    {"string_find_all_string", "findAll", "(string, string) -> list(string)", FindAll,
     kMember | kUnguarded},
    {"string_find_all_string_int", "findAll", "(string, string, int) -> list(string)",
     FindAllLimited, kMember | kUnguarded},
};

constexpr FunctionCost kCosts[] = {
    {"find", costs::RegexMatch},
    {"findAll", costs::RegexMatch},
};

constexpr Library kLibrary{"k8s.regex", kOverloads, kCosts};

}  // namespace

const Library& KubernetesRegexLibrary() { return kLibrary; }

}  // namespace portcullis::cel
