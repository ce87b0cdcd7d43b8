#ifndef PORTCULLIS_CLI_POLICIES_H_
#define PORTCULLIS_CLI_POLICIES_H_

// The policies of a command line: read strictly, compiled into one set, every problem with its
// place; and afterwards the places of their members, for results. One thread.

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cli/diagnostics.h"
#include "cli/world.h"
#include "engine/policy_set.h"
#include "input/document_stream.h"
#include "policy/family.h"

namespace portcullis::cli {

class Policies {
 public:
  Policies(std::span<const std::string> paths, World& world, DiagnosticSink& sink);

  // Members that the API server requires and Kyverno takes as given are filled in with a warning,
  // where they are missing. Before Load.
  void SetFillMissing() { fill_missing_ = true; }
  // Reads all documents. What else than policies the files hold serves look-ups.
  void Load();
  // One more policy or exception, found elsewhere. Before Build. `is_kept`: the document outlives
  // this; only then is it read.
  void Add(const input::Document& document, bool is_kept);
  // Compiles what was loaded and reports what the set as a whole lacks. Call it once, after Load.
  // `unbound_deny`: policies without a binding are evaluated as if bound with [Deny].
  std::shared_ptr<const engine::PolicySet> Build(bool unbound_deny);

  // Policy and binding documents, also those that were refused.
  struct Source {
    input::Document document;
    bool loaded = false;
    bool unsupported = false;  // a kind that no family reads
  };
  const std::vector<Source>& sources() const { return sources_; }

  // Where a member of a policy is written; the start of the policy for an empty path.
  base::SourceSpan Locate(const policy::PolicyInfo& policy, const std::string& path);

  // Which policies and exceptions results came from, for what came to nothing.
  struct Uses {
    std::unordered_set<const policy::PolicyInfo*> policies;
    std::set<std::string, std::less<>> exceptions;             // "namespace/name"
    std::map<std::string, std::string, std::less<>> withheld;  // the same -> why, the first time
    bool has_manifests = true;
  };
  // Warns about policies that matched nothing and exceptions that granted nothing, with the likely
  // reason.
  void WarnUnused(const engine::PolicySet& set, const Uses& uses);
  // Warns about kinds in match rules that do not exist.
  void WarnUnknownResources(const engine::PolicySet& set);

 private:
  void Take(const input::Document& document);
  void Fill(const input::Document& document, doc::Value& root);
  void LoadPolicy(const input::Document& document);
  void ReportRepeated(const input::Document& document, const base::SourceSpan& span);
  void ReportForeign(const input::Document& document);
  const input::Document* FindSource(const base::SourceSpan& span) const;
  bool FromFolder(std::string_view file) const;

  void Note(const input::Document& policy);
  void WarnUnusedExceptions(const Uses& uses);

  bool fill_missing_ = false;
  std::set<const input::Document*> explained_;  // exceptions that the set has notes on
  base::Arena arena_;                           // filled-in documents
  World& world_;
  DiagnosticSink& sink_;
  input::DocumentStream stream_;
  engine::PolicySetBuilder builder_;
  std::vector<Source> sources_;
  std::map<std::string, base::SourceSpan> names_;  // kind and name of what was loaded
  std::map<std::string, std::size_t> by_span_;
  std::map<std::pair<const policy::PolicyInfo*, std::string>, base::SourceSpan> located_;
};

// What the rules of a policy name that does not exist: `no resource "pod" in group "": did you mean
// "pods"?`. Empty when everything exists or cannot be judged.
std::vector<std::string> UnknownResources(const policy::IndexEntry& entry,
                                          const schema::TypeTable& types);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_POLICIES_H_
