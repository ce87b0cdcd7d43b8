// The 24 evaluations of the recorded CEL benchmark: 12 admission expressions on a Pod and on a
// Deployment, with cost counting. Counters: heap allocations and arena bytes per evaluation.
//
// Reads ${PORTCULLIS_CORPUS:-../shared/corpus}/cel-bench. Prints at the end the geometric mean.

#include <benchmark/benchmark.h>

#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include "base/arena.h"
#include "cel/check/environments.h"
#include "cel/eval/program.h"
#include "json/reader.h"

namespace {

std::atomic<std::size_t> g_allocations{0};

}  // namespace

// Counts every heap allocation of the process.
void* operator new(std::size_t size) {
  g_allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  std::abort();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace portcullis {
namespace {

using doc::Value;

std::string ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream buffer;
  buffer << stream.rdbuf();
  return buffer.str();
}

struct Subject {
  std::string name;
  std::shared_ptr<const cel::Program> program;
  Value object;
};

class ObjectActivation : public cel::Activation {
 public:
  explicit ObjectActivation(const Value& object) : object_(object) {}
  bool Resolve(std::string_view name, Value& out) override {
    out = object_;
    return name == "object";
  }

 private:
  Value object_;
};

void Evaluate(benchmark::State& state, const Subject& subject) {
  base::Arena arena;
  ObjectActivation activation(subject.object);
  cel::Evaluate(*subject.program, activation, arena);
  arena.Reset();
  const std::size_t before = g_allocations.load();
  std::uint64_t cost = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    const cel::EvalResult result = cel::Evaluate(*subject.program, activation, arena);
    benchmark::DoNotOptimize(result.value);
    cost = result.cost;
    bytes = arena.bytes_used();
    arena.Reset();
  }
  state.counters["cost"] = static_cast<double>(cost);
  state.counters["arena"] = static_cast<double>(bytes);
  state.counters["allocs"] =
      static_cast<double>(g_allocations.load() - before) / static_cast<double>(state.iterations());
}

void CompileOne(benchmark::State& state, const std::shared_ptr<const cel::Env>& env,
                const std::string& source) {
  for (auto _ : state) {
    cel::CompileFailure failure;
    benchmark::DoNotOptimize(cel::Compile(env, source, failure));
  }
}

// Keeps the console output and collects CPU times of the evaluations.
class Collector : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.benchmark_name().starts_with("eval/")) {
        log_sum_ += std::log(run.GetAdjustedCPUTime());
        ++count_;
      }
    }
    ConsoleReporter::ReportRuns(runs);
  }
  void Print() const {
    if (count_ == 0) return;
    std::printf("geometric mean of %d evaluations: %.0f ns\n", count_, std::exp(log_sum_ / count_));
  }

 private:
  double log_sum_ = 0;
  int count_ = 0;
};

}  // namespace
}  // namespace portcullis

int main(int argc, char** argv) {
  using namespace portcullis;
  const char* corpus = std::getenv("PORTCULLIS_CORPUS");
  const std::string folder =
      std::string(corpus != nullptr ? corpus : "../shared/corpus") + "/cel-bench/";
  base::Arena arena;
  const std::string text = ReadFile(folder + "expressions.json");
  auto document = json::Parse(arena.CopyString(text), arena);
  if (!document.ok()) {
    std::fprintf(stderr, "%s: %s\n", folder.c_str(), document.error().message.c_str());
    return 2;
  }
  const auto env = cel::EnvironmentByName("k8s-admission");
  std::vector<Subject> subjects;
  std::vector<std::string> sources;
  for (const Value& test : document->Find("tests")->as_list()) {
    const std::string object = ReadFile(folder + std::string(test.StringAt("object")));
    auto parsed = json::Parse(arena.CopyString(object), arena);
    cel::CompileFailure failure;
    Subject subject{
        std::string(test.StringAt("name")), cel::Compile(env, test.StringAt("expr"), failure), {}};
    if (!parsed.ok() || subject.program == nullptr) {
      std::fprintf(stderr, "%s: %s\n", subject.name.c_str(), failure.message.c_str());
      return 2;
    }
    subject.object = *parsed;
    subjects.push_back(std::move(subject));
    sources.emplace_back(test.StringAt("expr"));
  }
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const Subject& subject = subjects[i];
    benchmark::RegisterBenchmark(("eval/" + subject.name).c_str(),
                                 [&subject](benchmark::State& state) { Evaluate(state, subject); });
  }
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    benchmark::RegisterBenchmark(
        ("compile/" + subjects[i].name).c_str(),
        [&env, &source = sources[i]](benchmark::State& state) { CompileOne(state, env, source); });
  }
  benchmark::Initialize(&argc, argv);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  collector.Print();
  return 0;
}
