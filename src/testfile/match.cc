#include "testfile/match.h"

#include <algorithm>

#include "base/suggest.h"
#include "testfile/compare.h"

namespace portcullis::testfile {
namespace {

using doc::Value;

std::string_view Segment(std::string_view text, std::size_t at, std::size_t end) {
  return text.substr(at, end == std::string_view::npos ? end : end - at);
}

// Whether an entry of `resources` names the object: `name`, `namespace/name`, or a payload.
bool Names(std::string_view entry, const Subject& subject) {
  if (subject.payload) return CleanPath(entry) == CleanPath(subject.name);
  const std::size_t slash = entry.find('/');
  if (slash == std::string_view::npos) return entry == subject.name;
  if (entry.find('/', slash + 1) != std::string_view::npos) return false;
  return Segment(entry, 0, slash) == subject.ns && entry.substr(slash + 1) == subject.name;
}

bool Names(const ResourceSpec& spec, const Subject& subject) {
  return !subject.payload && spec.ApiVersion() == subject.api_version && spec.ns == subject.ns &&
         spec.name == subject.name;
}

std::string MetadataText(const Value& object, std::string_view name) {
  const Value* metadata = object.Find("metadata");
  return metadata == nullptr ? std::string() : std::string(metadata->StringAt(name));
}

std::string Joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

// An object under test together with the targets of the same identity.
struct Selected {
  const Subject* trigger = nullptr;
  const Subject* target = nullptr;

  const Subject& any() const { return trigger != nullptr ? *trigger : *target; }
};

// The rows of one expectation.
class Matcher {
 public:
  Matcher(const MatchInput& input, const Expectation& expectation, Rows& out)
      : input_(input), expectation_(expectation), out_(out), first_(out.rows.size()) {}

  void Run() {
    const auto run = input_.runs.find(expectation_.operation);
    if (run != input_.runs.end()) evaluated_ = &run->second;
    fact_ = FindPolicy();
    CheckPolicy();
    CheckRule();
    CheckFiles();
    for (const Selected& selected : Select()) MatchSubject(selected);
    if (out_.rows.size() == first_ && !skipped_) {
      if (fact_ != nullptr && !fact_->problem.empty()) {
        AddNothing(fact_->problem);
      } else {
        Note("matches no resource", "");
      }
    }
    ApplyStrictness();
  }

 private:
  // ---- what the expectation refers to ---------------------------------------------------------

  const PolicyFact* FindPolicy() const {
    const PolicyFact* found = nullptr;
    for (const PolicyFact& fact : input_.policies) {
      if (fact.name != expectation_.policy_name()) continue;
      if (fact.ns == expectation_.policy_namespace()) return &fact;
      if (found == nullptr) found = &fact;
    }
    return found;
  }

  // A namespace in `policy` counts when some policy is there; Kyverno compares names only.
  bool IsAbout(const Response& response) const {
    if (response.policy != expectation_.policy_name()) return false;
    const std::string_view ns = expectation_.policy_namespace();
    const bool exact = fact_ != nullptr && fact_->ns == ns;
    return !exact || response.policy_ns == ns;
  }

  void CheckPolicy() {
    if (fact_ != nullptr) return;
    std::vector<std::string> names;
    for (const PolicyFact& fact : input_.policies) names.push_back(fact.name);
    Note("no policy \"" + expectation_.policy + "\" is among the policies of the test", ".policy",
         base::ClosestName(expectation_.policy_name(), names));
  }

  void CheckRule() {
    if (expectation_.rule.empty() || fact_ == nullptr || !fact_->problem.empty()) return;
    if (!fact_->has_rules) {
      if (expectation_.rule == fact_->name) return;
      Note(fact_->kind + " " + fact_->name + " has no rule \"" + expectation_.rule +
               "\": policies of this kind have no named rules, so the row stands for the policy",
           ".rule");
      return;
    }
    if (std::find(fact_->rules.begin(), fact_->rules.end(), expectation_.rule) !=
        fact_->rules.end()) {
      return;
    }
    Note(fact_->kind + " " + fact_->name + " has no rule \"" + expectation_.rule + "\"", ".rule",
         base::ClosestName(expectation_.rule, fact_->rules));
  }

  // An expected object that the kind of policy cannot make would never be compared.
  void CheckFiles() {
    if (fact_ == nullptr || fact_->has_rules || !fact_->problem.empty()) return;
    const bool generates = fact_->kind.ends_with("GeneratingPolicy");
    const std::string title = fact_->kind + " " + fact_->name;
    if (generates && !expectation_.patched_resources.empty()) {
      Note(title + " changes no object: patchedResources is not compared", ".patchedResources");
    }
    if (generates) return;
    if (!expectation_.generated_resources.empty()) {
      Note(title + " generates nothing: no generated resource is compared", "");
    }
    if (!expectation_.clone_source.empty()) {
      Note(title + " generates nothing: cloneSourceResource is not used", ".cloneSourceResource");
    }
  }

  // ---- objects --------------------------------------------------------------------------------

  static void Add(std::vector<Selected>& out, const Subject& subject, bool is_target) {
    for (Selected& selected : out) {
      if (!selected.any().SameObject(subject)) continue;
      (is_target ? selected.target : selected.trigger) = &subject;
      return;
    }
    Selected& added = out.emplace_back();
    (is_target ? added.target : added.trigger) = &subject;
  }

  template <typename F>
  std::size_t AddIf(std::vector<Selected>& out, F&& wanted) const {
    std::size_t count = 0;
    if (evaluated_ == nullptr) return count;
    for (const bool targets : {true, false}) {
      for (const Subject& subject : targets ? evaluated_->targets : evaluated_->triggers) {
        if (!wanted(subject)) continue;
        Add(out, subject, targets);
        ++count;
      }
    }
    return count;
  }

  bool IsKind(const Subject& subject) const {
    return subject.payload || expectation_.kind.empty() || subject.kind == expectation_.kind;
  }

  std::vector<Selected> Select() {
    std::vector<Selected> out;
    for (std::size_t i = 0; i < expectation_.resources.size(); ++i) {
      const std::string& entry = expectation_.resources[i];
      bool right_kind = false;
      const std::size_t count = AddIf(out, [&](const Subject& subject) {
        if (!Names(entry, subject)) return false;
        right_kind = right_kind || IsKind(subject);
        return true;
      });
      const std::string at = ".resources[" + std::to_string(i) + "]";
      if (count == 0) {
        Note("no resource is named \"" + entry + "\"", at, ClosestResource(entry));
      } else if (!right_kind) {
        Note("\"" + entry + "\" is no " + expectation_.kind + ": kind is not compared", ".kind");
      }
    }
    if (expectation_.has_resources) {
      for (const ResourceSpec& spec : expectation_.specs) {
        const std::size_t count =
            AddIf(out, [&](const Subject& subject) { return Names(spec, subject); });
        if (count == 0) Note("no resource is " + spec.kind + " " + spec.name, ".resourceSpecs");
      }
    } else if (!expectation_.specs.empty()) {
      Note("resourceSpecs without resources are ignored: all resources count", ".resourceSpecs");
    }
    if (out.empty()) {
      AddIf(out, [](const Subject&) { return true; });
      const bool right_kind = std::any_of(out.begin(), out.end(),
                                          [&](const Selected& item) { return IsKind(item.any()); });
      if (!right_kind && !out.empty() && expectation_.resources.empty()) {
        Note("no resource of the test is a " + expectation_.kind + ": kind is not compared",
             ".kind");
      }
    }
    return out;
  }

  std::string_view ClosestResource(const std::string& entry) {
    names_.clear();
    if (evaluated_ == nullptr) return {};
    for (const Subject& subject : evaluated_->triggers) {
      const bool with_ns = entry.find('/') != std::string::npos && !subject.ns.empty();
      names_.push_back(with_ns ? subject.ns + "/" + subject.name : subject.name);
    }
    return base::ClosestName(entry, names_);
  }

  // ---- rows -----------------------------------------------------------------------------------

  bool IsWanted(const Response& response, const RuleResponse& rule) const {
    const std::string& name = expectation_.rule;
    return name.empty() || !response.has_rules || rule.rule == name ||
           rule.rule == "autogen-" + name || rule.rule == "autogen-cronjob-" + name;
  }

  void MatchSubject(const Selected& selected) {
    const std::size_t before = out_.rows.size();
    bool skipped = false;
    const auto has_rows = [&] { return out_.rows.size() != before; };
    if (selected.trigger != nullptr) {
      for (const Response& response : selected.trigger->responses) {
        if (!IsAbout(response)) continue;
        for (const RuleResponse& rule : response.rules) {
          if (!IsWanted(response, rule)) continue;
          if (rule.generates && !rule.generated.empty()) {
            for (const Value& object : rule.generated) AddGenerated(rule, object);
          } else if (!AddRow(*selected.trigger, rule, response.object)) {
            skipped = true;
          }
        }
        if (!has_rows() && !skipped) AddExcluded(*selected.trigger);
      }
    }
    if (selected.target != nullptr) {
      for (const Response& response : selected.target->responses) {
        for (const RuleResponse& rule : response.rules) {
          if (!AddRow(*selected.target, rule, response.object)) skipped = true;
        }
      }
    }
    skipped_ = skipped_ || skipped;
    if (!has_rows() && !skipped) AddNotFound(selected.any());
  }

  Row NewRow(const std::string& rule, std::string resource) const {
    Row row;
    row.policy = expectation_.policy;
    row.rule = rule;
    row.resource = std::move(resource);
    row.expected = expectation_.result;
    row.path = expectation_.path;
    return row;
  }

  void AddExcluded(const Subject& subject) {
    Row row = NewRow(expectation_.rule, subject.Key());
    row.ok = true;
    row.vacuous = true;
    row.actual = "skip";
    row.reason = "Excluded";
    row.message = "the policy does not apply to the resource";
    out_.rows.push_back(std::move(row));
    Note("policy " + expectation_.policy + " does not apply to " + subject.Key() +
             ": the row passes whatever it expects",
         "");
  }

  void AddNotFound(const Subject& subject) {
    Row row = NewRow(expectation_.rule, subject.Key());
    row.reason = "Not found";
    row.message = "no policy of this name gave a result";
    if (fact_ != nullptr && !fact_->problem.empty()) {
      row.reason = fact_->problem;
      row.message = fact_->problem;
    } else if (fact_ != nullptr) {
      row.message = fact_->kind + " " + fact_->name + " does not match the resource";
    }
    out_.rows.push_back(std::move(row));
  }

  void AddNothing(const std::string& reason) {
    Row row = NewRow(expectation_.rule, Joined(expectation_.resources));
    row.reason = reason;
    row.message = reason;
    out_.rows.push_back(std::move(row));
  }

  void CompareStatus(const RuleResponse& rule, Row& row) const {
    row.actual = policy::OutcomeName(rule.outcome);
    row.message = rule.message;
    row.ok = row.actual == row.expected;
    row.reason = row.ok ? "Ok" : "Want " + row.expected + ", got " + row.actual;
  }

  // False when the row does not count because its object is not in the file.
  bool AddRow(const Subject& subject, const RuleResponse& rule, const Value& object) {
    Row row = NewRow(rule.rule, subject.Key());
    CompareStatus(rule, row);
    if (!expectation_.patched_resources.empty()) {
      switch (ComparePatched(object, row)) {
        case Found::kSame:
          break;
        case Found::kMissing:
          if (!expectation_.fail_on_missing) {
            Note(expectation_.patched_resources + " has no " + subject.kind + " " + subject.name +
                     ": what the policy made of it is not compared",
                 ".patchedResources");
            return false;
          }
          [[fallthrough]];
        case Found::kDiffers:
          row.ok = false;
          break;
      }
    }
    out_.rows.push_back(std::move(row));
    return true;
  }

  enum class Found : std::uint8_t { kSame, kDiffers, kMissing };

  Found ComparePatched(const Value& object, Row& row) {
    const auto read = input_.files.Read(expectation_.patched_resources);
    if (!read.ok()) {
      row.reason = "Resource error";
      row.message = read.error().message;
      return Found::kDiffers;
    }
    const Value* expected = FindSame(*read, object);
    if (expected == nullptr) {
      row.reason = "Resource error";
      row.message = "failed to load PatchedResources resource (resource with name " +
                    MetadataText(object, "name") + " not found in manifest)";
      return Found::kMissing;
    }
    const auto lines = Differences(*expected, object, input_.arena);
    if (lines.empty()) return Found::kSame;
    row.reason = "Resource diff";
    row.message =
        "Patched resource didn't match the patched resource in the test result\n" + Joined(lines);
    return Found::kDiffers;
  }

  static const Value* FindSame(const std::vector<Value>& objects, const Value& object) {
    const auto ns_of = [](const Value& value) {
      const std::string ns = MetadataText(value, "namespace");
      return ns.empty() ? std::string("default") : ns;
    };
    const auto it = std::find_if(objects.begin(), objects.end(), [&](const Value& other) {
      return other.StringAt("apiVersion") == object.StringAt("apiVersion") &&
             other.StringAt("kind") == object.StringAt("kind") && ns_of(other) == ns_of(object) &&
             MetadataText(other, "name") == MetadataText(object, "name");
    });
    return it == objects.end() ? nullptr : &*it;
  }

  void AddGenerated(const RuleResponse& rule, const Value& object) {
    Row row = NewRow(rule.rule, "/" + MetadataText(object, "name"));
    CompareStatus(rule, row);
    bool same = expectation_.generated_resources.empty();
    std::vector<std::string> differences;
    for (const std::string& file : expectation_.generated_resources) {
      if (same) break;
      const auto read = input_.files.Read(file);
      if (!read.ok()) {
        differences = {read.error().message};
        row.reason = "Resource error";
        continue;
      }
      const Value* expected = FindSame(*read, object);
      if (expected == nullptr) {
        if (differences.empty()) {
          differences = {"no " + std::string(object.StringAt("kind")) + " " +
                         MetadataText(object, "name") + " in " + file};
        }
        continue;
      }
      differences = Differences(*expected, object, input_.arena);
      same = differences.empty();
    }
    if (!same) {
      row.ok = false;
      if (row.reason != "Resource error") row.reason = "Resource diff";
      row.message = (expectation_.generated_resources.size() > 1
                         ? "Generated resource didn't match any of the expected generated "
                           "resources in the test result\n"
                         : "Generated resource didn't match the generated resource in the test "
                           "result\n") +
                    Joined(differences);
    } else if (row.ok) {
      row.reason = "Ok";
    }
    out_.rows.push_back(std::move(row));
  }

  // ---- notes ----------------------------------------------------------------------------------

  void Note(std::string message, const std::string& member, std::string_view near = {}) {
    base::Error note(base::ErrorCode::kNotFound, std::move(message), expectation_.path + member);
    if (!near.empty()) note.hint = "did you mean \"" + std::string(near) + "\"?";
    notes_.push_back(std::move(note));
  }

  void ApplyStrictness() {
    if (input_.strict && !notes_.empty()) {
      const std::string& text = notes_.front().message;
      if (out_.rows.size() == first_) AddNothing(text);
      bool marked = false;
      for (std::size_t i = first_; i < out_.rows.size(); ++i) {
        Row& row = out_.rows[i];
        if (!row.ok) {
          marked = true;
        } else if (row.vacuous) {
          row.ok = false;
          row.reason = "Excluded";
          row.message = text;
          marked = true;
        }
      }
      if (!marked) {
        Row& row = out_.rows[first_];
        row.ok = false;
        row.reason = text;
        row.message = text;
      }
    }
    for (base::Error& note : notes_) out_.notes.push_back(std::move(note));
  }

  const MatchInput& input_;
  const Expectation& expectation_;
  Rows& out_;
  std::size_t first_;
  const Evaluated* evaluated_ = nullptr;
  const PolicyFact* fact_ = nullptr;
  bool skipped_ = false;
  base::ErrorList notes_;
  std::vector<std::string> names_;
};

}  // namespace

std::string Subject::Key() const {
  if (payload) return "/" + name;
  return api_version + "/" + kind + "/" + ns + "/" + name;
}

bool Subject::SameObject(const Subject& other) const {
  return payload == other.payload && name == other.name && ns == other.ns && kind == other.kind &&
         api_version == other.api_version;
}

Rows MatchExpectations(const MatchInput& input) {
  Rows out;
  for (const Expectation& expectation : input.expectations) Matcher(input, expectation, out).Run();
  return out;
}

}  // namespace portcullis::testfile
