// Mutated and generated objects as one stream of YAML documents.

#include <cstdio>
#include <string>

#include "report/findings.h"
#include "report/writers.h"
#include "yaml/writer.h"

namespace portcullis::report {
namespace {

class ObjectsWriter : public Writer {
 public:
  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      if (!IsFinding(result.outcome)) continue;
      std::string line = result.location.ToString();
      if (!line.empty()) line += ": ";
      line += std::string(policy::OutcomeName(result.outcome)) + ": " + RuleName(result) + ": " +
              results.resource.ToString() + ": " + FullMessage(result) + "\n";
      std::fwrite(line.data(), 1, line.size(), stderr);
    }
    if (results.patched) Write(results.object);
    for (const Produced& produced : results.produced) {
      if (produced.kind != policy::ProducedObject::Kind::kDeleted) Write(produced.object);
    }
  }
  void Add(const Diagnostic&) override {}
  bool Wants(policy::Outcome outcome) const override { return IsFinding(outcome); }
  void Finish(const Summary& summary) override {
    const std::string line = SummaryText(summary) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
  }

 private:
  void Write(const doc::Value& object) {
    if (count_++ != 0) Print("---\n");
    Print(yaml::ToString(object));
  }

  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Writer> MakeObjectsWriter(const WriterOptions&) {
  return std::make_unique<ObjectsWriter>();
}

}  // namespace portcullis::report
