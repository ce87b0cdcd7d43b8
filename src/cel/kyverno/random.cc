// random: text made from a regular expression (spec/kyverno-cel-policies.md 10.9).

#include <string>

#include "base/utf8.h"
#include "cel/kyverno/libraries.h"
#include "cel/kyverno/random_pattern.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {

struct RandomPattern::Run {
  std::mt19937_64& random;
  std::size_t max_size;
  std::string& out;
  std::size_t steps = 0;

  // A number from 0 to `last`.
  std::uint64_t Pick(std::uint64_t last) {
    return std::uniform_int_distribution<std::uint64_t>(0, last)(random);
  }
};

// As deep as the pattern, whose height the parser limits.
bool RandomPattern::Append(Run& run, std::uint32_t id) const {
  constexpr std::size_t kMaxSteps = 4'000'000;
  constexpr std::int32_t kUnbounded = 4096;
  if (++run.steps > kMaxSteps || run.out.size() > run.max_size) return false;
  const Node& node = nodes_[id];
  switch (node.kind) {
    case Kind::kEmpty:
      return true;
    case Kind::kClass: {
      std::uint64_t total = 0;
      for (std::uint32_t i = 0; i < node.count; ++i) {
        const Range& range = ranges_[node.first + i];
        total += range.second - range.first + 1;
      }
      if (total == 0) return true;
      std::uint64_t at = run.Pick(total - 1);
      const Range* range = &ranges_[node.first];
      for (; at > range->second - range->first; ++range) at -= range->second - range->first + 1;
      base::AppendUtf8(run.out, range->first + static_cast<char32_t>(at));
      return true;
    }
    case Kind::kConcat:
      for (std::uint32_t i = 0; i < node.count; ++i) {
        if (!Append(run, children_[node.first + i])) return false;
      }
      return true;
    case Kind::kAlternate:
      return Append(run, children_[node.first + run.Pick(node.count - 1)]);
    case Kind::kRepeat: {
      const std::int32_t max = node.max < 0 ? kUnbounded : node.max;
      const auto more = static_cast<std::uint64_t>(max - node.min);
      const std::uint64_t count = static_cast<std::uint64_t>(node.min) + run.Pick(more);
      for (std::uint64_t i = 0; i < count; ++i) {
        if (!Append(run, children_[node.first])) return false;
      }
      return true;
    }
  }
  return true;
}

bool RandomPattern::Generate(std::mt19937_64& random, std::size_t max_size,
                             std::string& out) const {
  Run run{random, max_size, out};
  return Append(run, root_) && out.size() <= max_size;
}

namespace {

using doc::Value;

std::mt19937_64& Generator() {
  thread_local std::mt19937_64 generator = [] {
    std::random_device source;
    std::seed_seq seed{source(), source(), source(), source()};
    return std::mt19937_64(seed);
  }();
  return generator;
}

Value Make(CallContext& context, const RandomPattern& pattern) {
  std::string text;
  if (!pattern.Generate(Generator(), kMaxResultBytes, text)) return TooLarge(context, "random");
  return context.String(text);
}

Value Default(CallContext& context, Args) noexcept {
  static const RandomPattern pattern = *RandomPattern::Parse("[0-9a-z]{8}");
  return Make(context, pattern);
}

Value FromPattern(CallContext& context, Args args) noexcept {
  const auto pattern = RandomPattern::Parse(args[0].as_string());
  return pattern.ok() ? Make(context, *pattern) : context.Error(pattern.error().message);
}

constexpr Overload kOverloads[] = {
    {"random_default_expr_non_prefixed", "random", "() -> string", Default},
    {"random_string_non_prefixed", "random", "(string) -> string", FromPattern},
    {"random_default_expr_prefixed", "random.random", "() -> string", Default},
    {"random_string_prefixed", "random.random", "(string) -> string", FromPattern},
};

constexpr Library kLibrary{"kyverno.random", kOverloads};

}  // namespace

const Library& KyvernoRandomLibrary() { return kLibrary; }

}  // namespace portcullis::cel
