// `explain`: for every policy that matches a resource, the tree of each of its expressions with the
// value of every part.

#include <unistd.h>

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/explain_tree.h"
#include "cli/session.h"
#include "json/writer.h"
#include "report/terminal.h"
#include "yaml/writer.h"

namespace portcullis::cli {
namespace {

using doc::Value;

struct Explained {
  const policy::PolicyInfo* policy = nullptr;
  std::string binding, path, name;
  ExplainNode tree;
};

// Evaluates what it is shown once more, with a trace.
class Collector final : public policy::ExpressionObserver {
 public:
  void Observe(const policy::ObservedExpression& expression, cel::Activation& activation,
               policy::RequestContext& context) override {
    Explained out;
    out.policy = expression.policy;
    out.binding = expression.binding;
    out.path = expression.path;
    out.name = expression.name;
    // A second pass over mutations shows nothing new.
    const std::string key =
        out.policy->kind + '\n' + out.policy->name + '\n' + out.binding + '\n' + out.path;
    if (!seen_.insert(key).second) return;
    if (expression.program == nullptr) {
      out.tree.text = expression.source;
      out.tree.value = "error: does not compile";
    } else {
      cel::Trace trace;
      cel::EvalOptions options;
      options.host = &context;
      options.trace = &trace;
      const cel::EvalResult result =
          cel::Evaluate(*expression.program, activation, context.arena, options);
      const cel::Ast& ast = expression.program->checked().ast;
      out.tree = BuildTree(ast, trace);
      constexpr std::size_t kMaxValue = 100;
      out.tree.value = ValueText(result.value, kMaxValue);
    }
    // The message of a validation that holds is never shown.
    if (out.path.ends_with(".messageExpression") && !items.empty() &&
        items.back().tree.value == "true") {
      return;
    }
    items.push_back(std::move(out));
  }

  void Clear() {
    items.clear();
    seen_.clear();
  }

  std::vector<Explained> items;

 private:
  std::set<std::string> seen_;
};

class ExplainRun {
 public:
  explicit ExplainRun(const Args& args)
      : args_(args),
        machine_(args.format == "json" || args.format == "yaml"),
        sink_(nullptr, UseColor(args, STDERR_FILENO)),
        style_(UseColor(args, STDOUT_FILENO)),
        session_(args, sink_) {}

  int Run() {
    session_.Load();
    session_.EvaluateAll(
        [this](const input::Document& document, const engine::OfflineResult& result) {
          Show(document, result);
          collector_.Clear();
        },
        &collector_);
    if (machine_) PrintDocument();
    if (sink_.errors() != 0) return kExitInput;
    if (shown_ == 0) {
      if (!machine_) std::puts("no policy matches any of the resources");
      return kExitNothing;
    }
    return failed_ ? kExitFindings : kExitClean;
  }

 private:
  void Show(const input::Document& document, const engine::OfflineResult& result) {
    for (const engine::PolicySet::Member& member : session_.set().families()) {
      for (std::size_t i = 0; i < member.set->size(); ++i) {
        ShowPolicy(document, result, member.set->info(i));
      }
    }
  }

  void ShowPolicy(const input::Document& document, const engine::OfflineResult& result,
                  const policy::PolicyInfo& info) {
    std::vector<const policy::ResultRow*> rows;
    for (const policy::ResultRow& row : result.answer.rows) {
      if (row.policy != &info) continue;
      rows.push_back(&row);
      failed_ = failed_ || row.outcome == policy::Outcome::kFail ||
                row.outcome == policy::Outcome::kError;
    }
    if (rows.empty()) return;
    ++shown_;
    if (machine_) {
      AddDecision(document, info, rows);
    } else {
      PrintDecision(document, info, rows);
    }
  }

  void PrintDecision(const input::Document& document, const policy::PolicyInfo& info,
                     const std::vector<const policy::ResultRow*>& rows) {
    std::string out = shown_ > 1 ? "\n" : "";
    out += style_.Bold(info.name) + " on " + session_.IdOf(document).ToString() + "  " +
           style_.Dim(document.Locate({}).ToString()) + "\n";
    for (const policy::ResultRow* row : rows) {
      std::string outcome(policy::OutcomeName(row->outcome));
      if (!row->binding.empty() || !row->message.empty()) outcome = style_.Outcome(row->outcome);
      out += "  " + outcome;
      if (!row->binding.empty()) out += " binding " + row->binding;
      if (!row->message.empty()) out += (row->binding.empty() ? " " : ": ") + row->message;
      out += "\n";
    }
    for (const Explained& item : collector_.items) {
      if (item.policy != &info) continue;
      out += "\n  " + style_.Dim(session_.policies().Locate(info, item.path).ToString()) + "  ";
      out += item.name.empty() ? item.path : item.path + " (" + item.name + ")";
      if (!item.binding.empty()) out += "  " + style_.Dim("binding " + item.binding);
      out += "\n" + RenderTree(item.tree, 4);
    }
    std::fwrite(out.data(), 1, out.size(), stdout);
  }

  Value Text(std::string_view text) { return doc::MakeString(arena_, text); }

  Value TreeDocument(const ExplainNode& node) {
    std::vector<Value> children;
    for (const ExplainNode& child : node.children) children.push_back(TreeDocument(child));
    const doc::MapEntry entries[] = {
        {Value::String("expression"), Text(node.text)},
        {Value::String("value"), node.value.empty() ? Value::Null() : Text(node.value)},
        {Value::String("parts"), doc::MakeList(arena_, children)}};
    return doc::MakeMap(arena_, entries);
  }

  void AddDecision(const input::Document& document, const policy::PolicyInfo& info,
                   const std::vector<const policy::ResultRow*>& rows) {
    std::vector<Value> results;
    for (const policy::ResultRow* row : rows) {
      const doc::MapEntry entries[] = {
          {Value::String("binding"), Text(row->binding)},
          {Value::String("result"), Text(policy::OutcomeName(row->outcome))},
          {Value::String("message"), Text(row->message)}};
      results.push_back(doc::MakeMap(arena_, entries));
    }
    std::vector<Value> expressions;
    for (const Explained& item : collector_.items) {
      if (item.policy != &info) continue;
      const base::SourceSpan span = session_.policies().Locate(info, item.path);
      const doc::MapEntry entries[] = {{Value::String("path"), Text(item.path)},
                                       {Value::String("name"), Text(item.name)},
                                       {Value::String("binding"), Text(item.binding)},
                                       {Value::String("file"), Text(span.file)},
                                       {Value::String("line"), Value::Int(span.line)},
                                       {Value::String("column"), Value::Int(span.column)},
                                       {Value::String("tree"), TreeDocument(item.tree)}};
      expressions.push_back(doc::MakeMap(arena_, entries));
    }
    const report::ResourceId id = session_.IdOf(document);
    const doc::MapEntry resource[] = {{Value::String("apiVersion"), Text(id.api_version)},
                                      {Value::String("kind"), Text(id.kind)},
                                      {Value::String("namespace"), Text(id.ns)},
                                      {Value::String("name"), Text(id.name)}};
    const doc::MapEntry entries[] = {
        {Value::String("policy"), Text(info.name)},
        {Value::String("policyKind"), Text(info.kind)},
        {Value::String("resource"), doc::MakeMap(arena_, resource)},
        {Value::String("results"), doc::MakeList(arena_, results)},
        {Value::String("expressions"), doc::MakeList(arena_, expressions)}};
    decisions_.push_back(doc::MakeMap(arena_, entries));
  }

  void PrintDocument() {
    const doc::MapEntry entries[] = {
        {Value::String("schema"), Value::String("portcullis/explain/v1")},
        {Value::String("decisions"), doc::MakeList(arena_, decisions_)}};
    const Value document = doc::MakeMap(arena_, entries);
    const std::string text = args_.format == "json" ? json::ToString(document, {.indent = 2}) + "\n"
                                                    : yaml::ToString(document);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

  const Args& args_;
  bool machine_;
  DiagnosticSink sink_;
  report::Style style_;
  Session session_;
  Collector collector_;
  base::Arena arena_;
  std::vector<Value> decisions_;
  std::size_t shown_ = 0;
  bool failed_ = false;
};

}  // namespace

int RunExplain(const Args& args) { return CheckInputs(args) ? ExplainRun(args).Run() : kExitInput; }

}  // namespace portcullis::cli
