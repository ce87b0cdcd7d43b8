// Any bytes as a CEL expression that is compiled and evaluated on a fixed object under a cost limit
// and an arena limit. Properties: no crash, no hang, no unbounded memory; failures have a text; a
// second evaluation gives the same kind of result at the same cost.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/check/environments.h"
#include "cel/eval/program.h"
#include "cel/eval/value_json.h"
#include "json/reader.h"
#include "json/writer.h"
#include "naive_walker.h"

namespace {

using namespace portcullis;

constexpr std::uint64_t kCostLimit = 100'000;
// The walker has no limits and copies what it appends to: it gets the cheap expressions only.
constexpr std::uint64_t kWalkedCost = 5'000;
constexpr std::size_t kArenaLimit = std::size_t{64} * 1024 * 1024;

constexpr std::string_view kObject = R"({
  "flag": true, "n": 2, "d": 2.5, "s": "abc", "digits": "42", "none": null, "q": "1.5Gi",
  "ip": "10.0.0.1", "url": "https://user@example.com:80/path?query=1", "time": "2024-05-06T07:08:09Z",
  "l": [1, 2, 3], "mixed": [1, "a", null, 2.5, [1], {"a": 1}], "m": {"a": 1, "b": 5},
  "spec": {"containers": [{"name": "c", "image": "registry/app:1.2.3", "env": []}]}})";

void Require(bool condition) {
  if (!condition) std::abort();
}

std::string Text(base::Arena& arena, const doc::Value& value) {
  if (value.is_error()) return "error: " + std::string(cel::ErrorMessage(value));
  return json::ToString(cel::ToExprValue(arena, value));
}

void CompareWithWalker(const cel::Program& program, const cel::Env& env,
                       cel::Activation& activation, base::Arena& arena, const doc::Value& fast) {
  const doc::Value slow = oracle::NaiveWalker(program.checked(), env, activation, arena).Run();
  const std::string fast_text = Text(arena, fast);
  const std::string slow_text = Text(arena, slow);
  if (fast_text == slow_text) return;
  std::fprintf(stderr, "evaluator: %s\nwalker:    %s\n", fast_text.c_str(), slow_text.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::shared_ptr<const cel::Env> env = cel::EnvironmentByName("k8s");
  static base::Arena object_arena;
  static const auto object = json::Parse(kObject, object_arena);
  Require(object.ok());

  cel::CompileFailure failure;
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  const auto program = cel::Compile(env, source, failure);
  if (program == nullptr) {
    Require(!failure.message.empty());
    return 0;
  }
  cel::MapActivation activation;
  activation.Bind("object", *object);
  activation.Bind("params", object->Find("m") != nullptr ? *object->Find("m") : *object);
  cel::EvalOptions options;
  options.cost_limit = kCostLimit;
  base::Arena arena;
  arena.set_limit(kArenaLimit);
  const cel::EvalResult first = cel::Evaluate(*program, activation, arena, options);
  Require(!first.value.is_error() || !cel::ErrorMessage(first.value).empty());
  const auto tag = first.value.tag();
  arena.Reset();
  const cel::EvalResult second = cel::Evaluate(*program, activation, arena, options);
  Require(second.value.tag() == tag && second.cost == first.cost);
  if (second.cost <= kWalkedCost && !arena.exhausted()) {
    CompareWithWalker(*program, *env, activation, arena, second.value);
  }
  return 0;
}
