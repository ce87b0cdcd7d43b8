// JSON and YAML: the contract `portcullis/results/v1` of design section 3. Results are streamed;
// what belongs into later members is spooled.

#include <cstdio>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "json/writer.h"
#include "report/members.h"
#include "report/spool.h"
#include "report/writers.h"
#include "yaml/writer.h"

namespace portcullis::report {
namespace {

using doc::Value;

Value LocationDocument(base::Arena& arena, const Location& location) {
  Members out;
  out.Add("file", location.file);
  out.Add("line", Value::Int(location.line));
  out.Add("column", Value::Int(location.column));
  if (!location.path.empty()) out.Add("path", location.path);
  return out.Build(arena);
}

Value ResourceDocument(base::Arena& arena, const ResourceId& id) {
  Members out;
  out.Add("apiVersion", id.api_version);
  out.Add("kind", id.kind);
  out.Add("namespace", id.ns);
  out.Add("name", id.name);
  return out.Build(arena);
}

Value ResultDocument(base::Arena& arena, const ResourceId& id, const Result& result) {
  Members out;
  out.Add("policy", result.policy);
  out.Add("policyKind", result.policy_kind);
  out.Add("policyNamespace", result.policy_namespace);
  out.Add("rule", result.rule);
  out.Add("binding", result.binding);
  out.Add("resource", ResourceDocument(arena, id));
  out.Add("result", policy::OutcomeName(result.outcome));
  out.Add("message", result.message);
  out.Add("action", result.action);
  out.Add("severity", result.severity);
  out.Add("category", result.category);
  out.Add("source", result.source);
  out.Add("exceptions", TextList(arena, result.exceptions));
  if (!result.withheld_exceptions.empty()) {
    out.Add("withheldExceptions", TextList(arena, result.withheld_exceptions));
  }
  Members properties;
  for (const auto& [name, text] : result.properties) properties.Add(name, text);
  out.Add("properties", properties.Build(arena));
  if (!result.value.empty()) out.Add("value", result.value);
  out.Add("location", LocationDocument(arena, result.location));
  out.Add("policyLocation", LocationDocument(arena, result.policy_location));
  return out.Build(arena);
}

Value DiagnosticDocument(base::Arena& arena, const Diagnostic& diagnostic) {
  Members out;
  out.Add("severity", diagnostic.severity == Severity::kError ? "error" : "warning");
  out.Add("file", diagnostic.location.file);
  out.Add("line", Value::Int(diagnostic.location.line));
  out.Add("column", Value::Int(diagnostic.location.column));
  out.Add("path", diagnostic.location.path);
  out.Add("message", diagnostic.message);
  if (!diagnostic.hint.empty()) out.Add("hint", diagnostic.hint);
  return out.Build(arena);
}

// One list per member; items are rendered at once and written when their turn comes.
class MachineWriter : public Writer {
 public:
  explicit MachineWriter(bool yaml) : yaml_(yaml) {
    if (yaml_) {
      std::fputs("schema: portcullis/results/v1\nresults:", stdout);
    } else {
      std::fputs("{\"schema\": \"portcullis/results/v1\",\n \"results\": [", stdout);
    }
  }

  void Add(const ResourceResults& results) override {
    for (const Result& result : results.results) {
      const std::string text = Item(ResultDocument(arena_, results.resource, result), results_++);
      std::fwrite(text.data(), 1, text.size(), stdout);
    }
    if (results.patched) {
      Members out;
      out.Add("resource", ResourceDocument(arena_, results.resource));
      out.Add("object", results.object);
      patched_.Append(Item(out.Build(arena_), patched_count_++));
    }
    for (const Produced& produced : results.produced) Keep(results.resource, produced);
    arena_.Reset();
  }

  void Add(const Diagnostic& diagnostic) override {
    diagnostics_.Append(Item(DiagnosticDocument(arena_, diagnostic), diagnostic_count_++));
    arena_.Reset();
  }

  void Finish(const Summary& summary) override {
    Close(results_);
    Section("patched", patched_, patched_count_);
    Section("generated", generated_, generated_count_);
    if (deleted_count_ != 0) Section("deleted", deleted_, deleted_count_);
    Section("diagnostics", diagnostics_, diagnostic_count_);
    const Value counts = SummaryDocument(arena_, summary);
    std::string text;
    if (yaml_) {
      text = "summary:\n";
      AppendIndented(yaml::ToString(counts), "  ", "  ", text);
    } else {
      text = ",\n \"summary\": " + json::ToString(counts) + "}\n";
    }
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

 private:
  // Targets of a mutation stand beside the mutated resources themselves.
  void Keep(const ResourceId& trigger, const Produced& produced) {
    using Kind = policy::ProducedObject::Kind;
    Members out;
    out.Add("policy", produced.policy);
    out.Add("policyKind", produced.policy_kind);
    if (!produced.rule.empty()) out.Add("rule", produced.rule);
    out.Add("trigger", ResourceDocument(arena_, trigger));
    const ResourceId id = IdOf(produced.object);  // its texts are borrowed below
    out.Add("resource", ResourceDocument(arena_, id));
    out.Add("object", produced.object);
    const Value item = out.Build(arena_);
    if (produced.kind == Kind::kMutatedTarget) patched_.Append(Item(item, patched_count_++));
    if (produced.kind == Kind::kGenerated) generated_.Append(Item(item, generated_count_++));
    if (produced.kind == Kind::kDeleted) deleted_.Append(Item(item, deleted_count_++));
  }

  static void AppendIndented(std::string_view block, std::string_view first, std::string_view rest,
                             std::string& out) {
    bool at_first = true;
    while (!block.empty()) {
      const std::size_t end = block.find('\n');
      out += at_first ? first : rest;
      out += block.substr(0, end);
      out += '\n';
      at_first = false;
      if (end == std::string_view::npos) break;
      block.remove_prefix(end + 1);
    }
  }

  std::string Item(const Value& document, std::size_t number) const {
    std::string out;
    if (!yaml_) {
      out = number == 0 ? "\n  " : ",\n  ";
      json::Write(document, &out);
      return out;
    }
    if (number == 0) out = "\n";
    AppendIndented(yaml::ToString(document), "- ", "  ", out);
    return out;
  }

  void Close(std::size_t count) const {
    if (yaml_) {
      if (count == 0) std::fputs(" []\n", stdout);
    } else {
      std::fputs(count == 0 ? "]" : "\n ]", stdout);
    }
  }

  void Section(const char* name, Spool& items, std::size_t count) const {
    if (yaml_) {
      std::printf("%s:", name);
    } else {
      std::printf(",\n \"%s\": [", name);
    }
    items.Drain(stdout);
    Close(count);
  }

  bool yaml_;
  base::Arena arena_;
  std::size_t results_ = 0;
  std::size_t patched_count_ = 0;
  std::size_t diagnostic_count_ = 0;
  std::size_t generated_count_ = 0;
  std::size_t deleted_count_ = 0;
  Spool patched_;
  Spool generated_;
  Spool deleted_;
  Spool diagnostics_;
};

}  // namespace

std::unique_ptr<Writer> MakeJsonWriter(const WriterOptions&) {
  return std::make_unique<MachineWriter>(false);
}
std::unique_ptr<Writer> MakeYamlWriter(const WriterOptions&) {
  return std::make_unique<MachineWriter>(true);
}

}  // namespace portcullis::report
