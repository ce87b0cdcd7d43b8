#include "cel/lib/costs.h"

#include <algorithm>

#include "cel/eval/value_ops.h"

namespace portcullis::cel::costs {

using doc::Tag;
using doc::Value;

namespace {

constexpr int kMaxDepth = 64;

std::uint64_t Walk(const Value& value, int depth) {
  switch (value.tag()) {
    case Tag::kString:
    case Tag::kBytes:
      return value.size() / 10;
    case Tag::kList: {
      std::uint64_t sum = 0;
      if (depth > kMaxDepth) return value.size();
      for (const Value& item : value.as_list()) sum += Walk(item, depth + 1);
      return sum;
    }
    case Tag::kMap: {
      std::uint64_t sum = 0;
      if (depth > kMaxDepth) return value.size();
      for (const doc::MapEntry& entry : value.as_map()) {
        sum += Walk(entry.key, depth + 1) + Walk(entry.value, depth + 1);
      }
      return sum;
    }
    default:
      return 1;
  }
}

std::uint64_t Fifth(std::uint64_t n) { return (n + 4) / 5; }

}  // namespace

std::uint64_t FirstTenth(Args args, const Value&) noexcept { return CostTenth(CostSize(args[0])); }

std::uint64_t SecondTenth(Args args, const Value&) noexcept { return CostTenth(CostSize(args[1])); }

std::uint64_t SmallerTenth(Args args, const Value&) noexcept {
  return CostTenth(std::min(CostSize(args[0]), CostSize(args[1])));
}

std::uint64_t SumTenth(Args args, const Value&) noexcept {
  return CostTenth(CostSize(args[0]) + CostSize(args[1]));
}

std::uint64_t SecondSize(Args args, const Value&) noexcept { return CostSize(args[1]); }

std::uint64_t RegexMatch(Args args, const Value&) noexcept {
  return CostTenth(1 + CostSize(args[0])) * ((CostSize(args[1]) + 3) / 4);
}

std::uint64_t Contains(Args args, const Value&) noexcept {
  return CostTenth(CostSize(args[0])) * CostTenth(CostSize(args[1]));
}

std::uint64_t FirstFifth(Args args, const Value&) noexcept { return Fifth(CostSize(args[0])); }

std::uint64_t ResultFifth(Args, const Value& result) noexcept { return Fifth(CostSize(result)); }

std::uint64_t Traversal(Args args, const Value&) noexcept { return Walk(args[0], 0); }

}  // namespace portcullis::cel::costs
