// `autogen`: the rules for Pod controllers that a Kyverno CEL policy implies, as changes of its
// expressions with the reason for each; or, with `--target native`, its native form.

#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "autogen/autogen.h"
#include "autogen/native.h"
#include "cli/commands.h"
#include "cli/diagnostics.h"
#include "doc/edit.h"
#include "engine/policy_set.h"
#include "input/document_stream.h"
#include "json/writer.h"
#include "report/terminal.h"
#include "yaml/writer.h"

namespace portcullis::cli {
namespace {

using autogen::Note;
using doc::Value;

std::string TitleOf(const input::Document& document) {
  std::string title(document.kind);
  title += ' ';
  if (!document.namespace_name().empty()) {
    title += document.namespace_name();
    title += '/';
  }
  return title.append(document.name());
}

std::string_view WordFor(Note::Outcome outcome) {
  switch (outcome) {
    case Note::Outcome::kMoved:
      return "moved";
    case Note::Outcome::kKept:
      return "kept";
    case Note::Outcome::kRefused:
      break;
  }
  return "refused";
}

// Where a group of workloads has its Pod template, in words.
std::string KindsOf(const std::vector<autogen::Target>& targets) {
  std::string kinds;
  for (const autogen::Target& target : targets) {
    if (!kinds.empty()) kinds += ", ";
    kinds += target.kind;
  }
  return kinds;
}

class AutogenRun {
 public:
  explicit AutogenRun(const Args& args)
      : args_(args),
        text_(args.format == "text"),
        color_(UseColor(args, STDOUT_FILENO)),
        style_(color_),
        sink_(nullptr, UseColor(args, STDERR_FILENO)) {}

  int Run() {
    input::Diagnostics found;
    std::vector<input::InputFile> files = input::ExpandPaths(args_.policies, &found);
    // Documents have to stay: what is printed last shares them.
    input::StreamOptions options;
    options.keep_limit = ~std::uint64_t{0};
    input::DocumentStream stream(std::move(files), options);
    std::size_t seen = 0;
    sink_.Take(found, &seen);
    std::vector<input::Document> policies;
    std::vector<Value> exceptions;
    input::Document document;
    while (stream.Next(&document)) {
      if (document.role == input::DocumentRole::kKyvernoCelPolicy) {
        policies.push_back(document);
      } else if (document.role == input::DocumentRole::kException) {
        exceptions.push_back(document.root);
      } else {
        Warn(document,
             std::string(document.kind) + " " + std::string(document.name()) +
                 " is left out: only policies of policies.kyverno.io have such rules here");
      }
    }
    seen = 0;
    sink_.Take(stream.diagnostics(), &seen);
    for (const input::Document& policy : policies) {
      if (args_.target == "native") {
        TakeNative(policy, exceptions);
      } else {
        Take(policy);
      }
    }
    if (policies.empty() && sink_.errors() == 0) {
      std::fputs("error: there is no policy of policies.kyverno.io among the inputs\n", stderr);
    }
    Print();
    if (sink_.errors() != 0) return kExitInput;
    if (policies.empty()) return kExitNothing;
    return refused_ ? kExitFindings : kExitClean;
  }

 private:
  Value Text(std::string_view text) { return doc::MakeString(arena_, text); }

  void Warn(const input::Document& document, std::string text) {
    base::Error warning(base::ErrorCode::kInvalid, std::move(text));
    warning.span = document.Locate({});
    sink_.Warning(warning);
  }

  // ---- rules for controllers ----

  void Take(const input::Document& policy) {
    const autogen::Generated generated = autogen::Generate(policy.root, arena_);
    for (const std::string& warning : generated.warnings) Warn(policy, warning);
    refused_ = refused_ || !generated.refusals.empty();
    if (text_) {
      PrintText(policy, generated);
    } else {
      items_.push_back(ItemOf(policy, generated));
    }
  }

  void PrintText(const input::Document& policy, const autogen::Generated& generated) {
    std::string out = style_.Bold(TitleOf(policy)) + "\n";
    if (!generated.eligible) {
      out += "  no rules for Pod controllers: " + generated.reason + "\n";
    } else if (generated.variants.empty() && generated.refusals.empty()) {
      out += "  no rules for Pod controllers: no controllers are chosen\n";
    }
    for (const autogen::Variant& variant : generated.variants) {
      out += "  " + style_.Bold(variant.key) + ": " + KindsOf(variant.targets) + "\n";
      if (variant.spec.Find("matchConstraints") == nullptr) {
        out += "    matches nothing: the Pod rule has no operations\n";
      }
      for (const Note& note : variant.notes) out += NoteText(note);
      if (variant.move_patch_paths) {
        out += "    paths of patches that are computed are moved when they are known\n";
      }
    }
    for (const autogen::Refusal& refusal : generated.refusals) {
      out += "  " + style_.Bold(refusal.key) + ": " + style_.Red("no rule") + " for " +
             KindsOf(refusal.targets) + "\n";
      for (const Note& note : refusal.notes) {
        if (note.outcome == Note::Outcome::kRefused) out += NoteText(note);
      }
    }
    std::fwrite(out.data(), 1, out.size(), stdout);
  }

  std::string NoteText(const Note& note) const {
    std::string out =
        "    " + note.path + ": " + std::string(WordFor(note.outcome)) + ": " + note.reason + "\n";
    if (note.outcome == Note::Outcome::kMoved) {
      return out + Lines("- ", note.before, true) + Lines("+ ", note.after, false);
    }
    return out + Lines("  ", note.before, note.outcome == Note::Outcome::kRefused);
  }

  // The lines of an expression behind a mark.
  std::string Lines(std::string_view mark, std::string_view text, bool red) const {
    std::string out;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    while (true) {
      const std::size_t end = text.find('\n');
      const std::string line = std::string(mark).append(text.substr(0, end));
      const bool plain = mark == "  " && !red;
      out += "      " + (plain ? line : red ? style_.Red(line) : style_.Green(line)) + "\n";
      if (end == std::string_view::npos) return out;
      text.remove_prefix(end + 1);
    }
  }

  Value TargetsOf(const std::vector<autogen::Target>& targets) {
    doc::ListBuilder list;
    for (const autogen::Target& target : targets) {
      doc::MapBuilder map;
      map.Set("group", Text(target.group));
      map.Set("version", Text(target.version));
      map.Set("resource", Text(target.resource));
      map.Set("kind", Text(target.kind));
      list.Add(map.Build(arena_));
    }
    return list.Build(arena_);
  }

  Value NotesOf(const std::vector<Note>& notes) {
    doc::ListBuilder list;
    for (const Note& note : notes) {
      doc::MapBuilder map;
      map.Set("path", Text(note.path));
      map.Set("outcome", Text(WordFor(note.outcome)));
      map.Set("reason", Text(note.reason));
      map.Set("before", Text(note.before));
      if (note.outcome == Note::Outcome::kMoved) map.Set("after", Text(note.after));
      list.Add(map.Build(arena_));
    }
    return list.Build(arena_);
  }

  Value ItemOf(const input::Document& policy, const autogen::Generated& generated) {
    doc::MapBuilder item;
    item.Set("kind", Text(policy.kind));
    if (!policy.namespace_name().empty()) item.Set("namespace", Text(policy.namespace_name()));
    item.Set("name", Text(policy.name()));
    item.Set("eligible", Value::Bool(generated.eligible));
    if (!generated.eligible) item.Set("reason", Text(generated.reason));
    doc::ListBuilder variants;
    for (const autogen::Variant& variant : generated.variants) {
      doc::MapBuilder map;
      map.Set("key", Text(variant.key));
      map.Set("targets", TargetsOf(variant.targets));
      map.Set("expressions", NotesOf(variant.notes));
      map.Set("spec", variant.spec);
      variants.Add(map.Build(arena_));
    }
    doc::ListBuilder refusals;
    for (const autogen::Refusal& refusal : generated.refusals) {
      doc::MapBuilder map;
      map.Set("key", Text(refusal.key));
      map.Set("targets", TargetsOf(refusal.targets));
      map.Set("expressions", NotesOf(refusal.notes));
      refusals.Add(map.Build(arena_));
    }
    item.Set("variants", variants.Build(arena_));
    item.Set("refused", refusals.Build(arena_));
    return item.Build(arena_);
  }

  // ---- native policies ----

  void TakeNative(const input::Document& policy, const std::vector<Value>& exceptions) {
    autogen::NativeForm form = autogen::ToNative(policy.root, exceptions, arena_);
    // What the API server would not accept is no native form.
    if (!form.objects.empty()) {
      engine::PolicySetBuilder builder;
      policy::SourceDocument source;
      source.value = form.objects.front();
      for (const base::Error& error : builder.Add(source, policy::LoadMode::kStrict).errors) {
        form.refusals.push_back(error.path.empty() ? error.message
                                                   : error.path + ": " + error.message);
      }
    }
    if (!form.refusals.empty()) {
      refused_ = true;
      for (const std::string& reason : form.refusals) {
        Warn(policy, TitleOf(policy) + " has no native form: " + reason);
      }
      return;
    }
    for (const std::string& warning : form.warnings) {
      Warn(policy, TitleOf(policy) + ": " + warning);
    }
    items_.insert(items_.end(), form.objects.begin(), form.objects.end());
  }

  void Print() {
    if (args_.target == "native" && args_.format != "json") {
      std::string out;
      for (const Value& item : items_) {
        if (!out.empty()) out += "---\n";
        out += yaml::ToString(item);
      }
      std::fwrite(out.data(), 1, out.size(), stdout);
      return;
    }
    if (text_) return;
    doc::MapBuilder map;
    if (args_.target == "native") {
      map.Set("apiVersion", Value::String("v1"));
      map.Set("kind", Value::String("List"));
      map.Set("items", doc::MakeList(arena_, items_));
    } else {
      map.Set("schema", Value::String("portcullis/autogen/v1"));
      map.Set("policies", doc::MakeList(arena_, items_));
    }
    const Value document = map.Build(arena_);
    const std::string out = args_.format == "json" ? json::ToString(document, {.indent = 2}) + "\n"
                                                   : yaml::ToString(document);
    std::fwrite(out.data(), 1, out.size(), stdout);
  }

  const Args& args_;
  bool text_;
  bool color_;
  report::Style style_;
  DiagnosticSink sink_;
  base::Arena arena_;
  std::vector<Value> items_;
  bool refused_ = false;
};

}  // namespace

int RunAutogen(const Args& args) { return AutogenRun(args).Run(); }

}  // namespace portcullis::cli
