// `check`: what can be said about policies without a resource: errors of loading, the type check
// that the API server writes to `status.typeChecking`, names that lead nowhere, unused variables.

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/diagnostics.h"
#include "cli/policies.h"
#include "cli/world.h"
#include "json/writer.h"
#include "policy/vap/type_check.h"
#include "report/results.h"
#include "yaml/writer.h"

namespace portcullis::cli {
namespace {

using doc::Value;

// Keeps the diagnostics for the machine formats.
class Collector final : public report::Writer {
 public:
  void Add(const report::ResourceResults&) override {}
  void Add(const report::Diagnostic& diagnostic) override { list.push_back(diagnostic); }
  void Finish(const report::Summary&) override {}

  std::vector<report::Diagnostic> list;
};

bool IsNameChar(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Whether some text of `value` reads `variables.name`.
bool Reads(const Value& value, const std::string& name) {
  if (value.is_string()) {
    const std::string wanted = "variables." + name;
    const std::string_view text = value.as_string();
    for (std::size_t at = text.find(wanted); at != std::string_view::npos;
         at = text.find(wanted, at + 1)) {
      const std::size_t end = at + wanted.size();
      if (end == text.size() || !IsNameChar(text[end])) return true;
    }
    return false;
  }
  if (value.is_list()) {
    for (const Value& item : value.as_list()) {
      if (Reads(item, name)) return true;
    }
  }
  if (value.is_map()) {
    for (const doc::MapEntry& entry : value.as_map()) {
      if (Reads(entry.value, name)) return true;
    }
  }
  return false;
}

class CheckRun {
 public:
  explicit CheckRun(const Args& args)
      : args_(args),
        machine_(args.format == "json" || args.format == "yaml"),
        sink_(&collector_, UseColor(args, STDOUT_FILENO), machine_ ? nullptr : stdout),
        world_("", sink_),
        policies_(args.policies, world_, sink_) {}

  int Run() {
    policies_.Load();
    world_.LoadCrds(args_.crds);
    const auto set = policies_.Build(true);
    for (const Policies::Source& source : policies_.sources()) {
      const input::Document& document = source.document;
      if (document.role == input::DocumentRole::kNativeBinding) {
        ++bindings_;
        if (source.loaded) CheckBinding(document);
        continue;
      }
      ++count_;
      if (!source.loaded) continue;
      CheckTypes(document);
      CheckVariables(document);
      CheckParamKind(document);
    }
    policies_.WarnUnknownResources(*set);
    Print();
    if (sink_.errors() != 0) return kExitInput;
    if (count_ == 0) return kExitNothing;
    return args_.strict && sink_.warnings() != 0 ? kExitFindings : kExitClean;
  }

 private:
  void Warn(const input::Document& document, const doc::Path& path, std::string text,
            std::string hint = {}) {
    base::Error warning(base::ErrorCode::kInvalid, std::move(text), doc::RenderPath(path));
    warning.span = document.Locate(path);
    warning.hint = std::move(hint);
    sink_.Warning(warning);
  }

  void CheckTypes(const input::Document& document) {
    if (document.kind != "ValidatingAdmissionPolicy") return;
    for (const policy::TypeCheckWarning& warning :
         policy::TypeCheckPolicy(document.root, world_.types())) {
      auto path = doc::ParsePath(warning.field_ref);
      std::string text = warning.warning;
      while (text.ends_with('\n')) text.pop_back();
      Warn(document, path.ok() ? std::move(path).value() : doc::Path(), std::move(text),
           "the API server says so in status.typeChecking; it changes no decision");
    }
  }

  void CheckVariables(const input::Document& document) {
    const Value* variables = doc::LookupKeys(document.root, {"spec", "variables"});
    const Value* spec = document.root.Find("spec");
    if (variables == nullptr || !variables->is_list()) return;
    for (std::size_t i = 0; i < variables->size(); ++i) {
      const std::string name(variables->as_list()[i].StringAt("name"));
      if (name.empty() || Reads(*spec, name)) continue;
      Warn(document, {"spec", "variables", static_cast<std::int64_t>(i), "name"},
           "variable \"" + name + "\" is never used");
    }
  }

  void CheckParamKind(const input::Document& document) {
    const Value* kind = doc::LookupKeys(document.root, {"spec", "paramKind"});
    if (kind == nullptr || !kind->is_map()) return;
    const std::string_view api_version = kind->StringAt("apiVersion");
    const std::string_view name = kind->StringAt("kind");
    const schema::TypeTable& types = world_.types();
    if (types.FindKind(api_version, name) != nullptr) return;
    const std::string near_version = types.ClosestApiVersion(api_version, name);
    const std::string_view near = types.ClosestKind(name, api_version);
    std::string hint = "give its CustomResourceDefinition with --crd";
    if (!near_version.empty()) {
      hint = "did you mean apiVersion " + near_version + "?";
    } else if (!near.empty()) {
      hint = "did you mean " + std::string(near) + "?";
    }
    Warn(document, {"spec", "paramKind", "kind"},
         "no matches for kind \"" + std::string(name) + "\" in version \"" +
             std::string(api_version) + "\"",
         hint);
  }

  // params and paramKind belong together.
  void CheckBinding(const input::Document& document) {
    const Value* name = doc::LookupKeys(document.root, {"spec", "policyName"});
    if (name == nullptr || !name->is_string()) return;
    const bool has_ref = doc::LookupKeys(document.root, {"spec", "paramRef"}) != nullptr;
    for (const Policies::Source& source : policies_.sources()) {
      const input::Document& policy = source.document;
      if (policy.role != input::DocumentRole::kNativePolicy || policy.name() != name->as_string() ||
          !document.kind.starts_with(policy.kind)) {
        continue;
      }
      const bool has_kind = doc::LookupKeys(policy.root, {"spec", "paramKind"}) != nullptr;
      if (has_ref && !has_kind) {
        Warn(document, {"spec", "paramRef"},
             "the policy has no paramKind: requests meet a configuration error");
      }
      if (!has_ref && has_kind) {
        Warn(document, {"spec"},
             "the policy has a paramKind and this binding no paramRef: params is null");
      }
    }
  }

  void Print() const {
    if (!machine_) {
      const auto many = [](std::size_t n, const char* one, const char* more) {
        return std::to_string(n) + " " + (n == 1 ? one : more);
      };
      const std::string line = many(count_, "policy", "policies") + ", " +
                               many(bindings_, "binding", "bindings") + ": " +
                               many(sink_.errors(), "error", "errors") + ", " +
                               many(sink_.warnings(), "warning", "warnings") + "\n";
      std::fputs(line.c_str(), stdout);
      return;
    }
    base::Arena arena;
    const Value document = Document(arena);
    const std::string text = args_.format == "json" ? json::ToString(document, {.indent = 2}) + "\n"
                                                    : yaml::ToString(document);
    std::fwrite(text.data(), 1, text.size(), stdout);
  }

  Value Document(base::Arena& arena) const {
    const auto text = [&](std::string_view s) { return doc::MakeString(arena, s); };
    const auto number = [](std::size_t n) { return Value::Int(static_cast<std::int64_t>(n)); };
    std::vector<Value> items;
    for (const report::Diagnostic& diagnostic : collector_.list) {
      const bool is_error = diagnostic.severity == report::Severity::kError;
      const doc::MapEntry entries[] = {
          {Value::String("severity"), Value::String(is_error ? "error" : "warning")},
          {Value::String("file"), text(diagnostic.location.file)},
          {Value::String("line"), Value::Int(diagnostic.location.line)},
          {Value::String("column"), Value::Int(diagnostic.location.column)},
          {Value::String("path"), text(diagnostic.location.path)},
          {Value::String("message"), text(diagnostic.message)},
          {Value::String("hint"), text(diagnostic.hint)}};
      items.push_back(doc::MakeMap(arena, entries));
    }
    const doc::MapEntry summary[] = {{Value::String("policies"), number(count_)},
                                     {Value::String("bindings"), number(bindings_)},
                                     {Value::String("errors"), number(sink_.errors())},
                                     {Value::String("warnings"), number(sink_.warnings())}};
    const doc::MapEntry entries[] = {
        {Value::String("schema"), Value::String("portcullis/check/v1")},
        {Value::String("diagnostics"), doc::MakeList(arena, items)},
        {Value::String("summary"), doc::MakeMap(arena, summary)}};
    return doc::MakeMap(arena, entries);
  }

  const Args& args_;
  bool machine_;
  Collector collector_;
  DiagnosticSink sink_;
  World world_;
  Policies policies_;
  std::size_t count_ = 0;
  std::size_t bindings_ = 0;
};

}  // namespace

int RunCheck(const Args& args) { return CheckRun(args).Run(); }

}  // namespace portcullis::cli
