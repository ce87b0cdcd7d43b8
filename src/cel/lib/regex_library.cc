// cel-go's regex extension: regex.extract, extractAll and replace (spec/cel.md 14.6).

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "cel/eval/value_ops.h"
#include "cel/lib/call_support.h"
#include "cel/lib/libraries.h"
#include "regex/regex.h"

namespace portcullis::cel {
namespace {

using doc::Value;
using regex::Group;
using regex::Regex;

// The compiled pattern, or null with `error` set.
std::shared_ptr<const Regex> Compile(CallContext& context, const Value& pattern, Value& error) {
  const auto& compiled = regex::Cached(pattern.as_string());
  if (compiled.ok()) return compiled.value();
  error = context.Error(compiled.error().message);
  return nullptr;
}

Value TooManyGroups(CallContext& context, const Value& pattern) {
  std::string text = "regular expression has more than one capturing group: \"";
  text.append(pattern.as_string()).append("\"");
  return context.Error(text);
}

std::string_view TextOf(const Group& group) { return group.value_or(std::string_view()); }

Value Extract(CallContext& context, Args args) noexcept {
  Value error;
  const auto pattern = Compile(context, args[1], error);
  if (pattern == nullptr) return error;
  if (pattern->group_count() > 1) return TooManyGroups(context, args[1]);
  std::vector<Group> groups;
  if (!pattern->FindSubmatch(args[0].as_string(), groups)) return Value::OptionalNone();
  if (pattern->group_count() == 0) return context.OptionalOf(Slice(args[0], TextOf(groups[0])));
  const std::string_view captured = TextOf(groups[1]);
  if (captured.empty()) return Value::OptionalNone();
  return context.OptionalOf(Slice(args[0], captured));
}

Value ExtractAll(CallContext& context, Args args) noexcept {
  Value error;
  const auto pattern = Compile(context, args[1], error);
  if (pattern == nullptr) return error;
  if (pattern->group_count() > 1) return TooManyGroups(context, args[1]);
  ListBuilder found(context.arena);
  if (pattern->group_count() == 0) {
    for (const std::string_view match : pattern->FindAll(args[0].as_string())) {
      found.Add(Slice(args[0], match));
    }
    return found.Finish();
  }
  for (const auto& groups : pattern->FindAllSubmatch(args[0].as_string())) {
    const std::string_view captured = TextOf(groups[1]);
    if (!captured.empty()) found.Add(Slice(args[0], captured));
  }
  return found.Finish();
}

// One piece of a replacement: literal text, then a group (-1 = none).
struct Piece {
  std::string_view literal;
  int group;
};

// Splits `\1`-style text into pieces; false with `error` set when it is malformed.
bool ParseReplacement(CallContext& context, std::string_view text, int group_count,
                      std::vector<Piece>& pieces, Value& error) {
  std::size_t begin = 0;
  for (std::size_t at = text.find('\\'); at != std::string_view::npos;
       at = text.find('\\', begin)) {
    // An escaped backslash starts the next literal: search behind it.
    const std::string invalid = std::string("invalid replacement string: '").append(text);
    if (at + 1 == text.size()) {
      error = context.Error(invalid + "' \\ not allowed at end");
      return false;
    }
    const char next = text[at + 1];
    if (next == '\\') {
      pieces.push_back({text.substr(begin, at + 1 - begin), -1});
    } else if (next >= '0' && next <= '9') {
      const int group = next - '0';
      if (group > group_count) {
        error = context.Error("replacement string references group " + std::to_string(group) +
                              " but regex has only " + std::to_string(group_count) + " group(s)");
        return false;
      }
      pieces.push_back({text.substr(begin, at - begin), group});
    } else {
      error = context.Error(invalid + "' \\ must be followed by a digit or \\");
      return false;
    }
    begin = at + 2;
  }
  pieces.push_back({text.substr(begin), -1});
  return true;
}

Value Replace(CallContext& context, Args args) noexcept {
  const std::int64_t limit = args.size() > 3 ? args[3].as_int() : -1;
  if (limit == 0) return args[0];
  if (limit > std::numeric_limits<std::int32_t>::max()) return context.Error("integer overflow");
  Value error;
  const auto pattern = Compile(context, args[1], error);
  if (pattern == nullptr) return error;
  std::vector<Piece> pieces;
  if (!ParseReplacement(context, args[2].as_string(), pattern->group_count(), pieces, error)) {
    return error;
  }
  const std::string_view text = args[0].as_string();
  std::string out;
  std::size_t copied = 0;
  for (const auto& groups :
       pattern->FindAllSubmatch(text, limit < 0 ? -1 : static_cast<std::ptrdiff_t>(limit))) {
    const std::string_view match = TextOf(groups[0]);
    const auto at = static_cast<std::size_t>(match.data() - text.data());
    out.append(text.substr(copied, at - copied));
    for (const Piece& piece : pieces) {
      out.append(piece.literal);
      if (piece.group >= 0) out.append(TextOf(groups[static_cast<std::size_t>(piece.group)]));
    }
    copied = at + match.size();
    if (out.size() > kMaxResultBytes) return TooLarge(context, "regex.replace");
  }
  out.append(text.substr(copied));
  return context.String(out);
}

// Work of one search, in the fractions that cel-go's tracker uses.
double SearchWork(Args args) {
  return static_cast<double>(CostSize(args[0]) + 1) * 0.1 *
         (static_cast<double>(CostSize(args[1]) + 1) * 0.25);
}

std::uint64_t ExtractCost(Args args, const Value& result) noexcept {
  const double size =
      result.tag() == doc::Tag::kOptional ? 1 : static_cast<double>(CostSize(result));
  return static_cast<std::uint64_t>(std::ceil(1 + SearchWork(args) + size));
}

std::uint64_t ExtractAllCost(Args args, const Value& result) noexcept {
  return static_cast<std::uint64_t>(
      std::ceil(11 + SearchWork(args) + static_cast<double>(CostSize(result))));
}

std::uint64_t ReplaceCost(Args args, const Value& result) noexcept {
  return static_cast<std::uint64_t>(1 + SearchWork(args) + static_cast<double>(CostSize(result)));
}

constexpr Overload kOverloads[] = {
    {"regex_extract_string_string", "regex.extract", "(string, string) -> optional(string)",
     Extract, kTracked, ExtractCost},
    {"regex_extractAll_string_string", "regex.extractAll", "(string, string) -> list(string)",
     ExtractAll, kTracked, ExtractAllCost},
    {"regex_replace_string_string_string", "regex.replace", "(string, string, string) -> string",
     Replace, kTracked, ReplaceCost},
    {"regex_replace_string_string_string_int", "regex.replace",
     "(string, string, string, int) -> string", Replace, kTracked, ReplaceCost},
};

constexpr Library kLibrary{"cel.lib.ext.regex", kOverloads};

}  // namespace

const Library& RegexExtLibrary() { return kLibrary; }

}  // namespace portcullis::cel
