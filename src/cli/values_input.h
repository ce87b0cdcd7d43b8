#ifndef PORTCULLIS_CLI_VALUES_INPUT_H_
#define PORTCULLIS_CLI_VALUES_INPUT_H_

// What a Values file says about a run (spec/cli-and-server.md 2.5): namespaces, subresources, and
// the operation of requests, which may differ by policy and resource. One thread.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cli/diagnostics.h"
#include "cli/test_source.h"
#include "cli/world.h"
#include "engine/offline.h"
#include "input/document.h"
#include "testfile/values.h"

namespace portcullis::cli {

class ValuesInput {
 public:
  // The first document of the file.
  void LoadFile(const std::string& path, DiagnosticSink& sink);
  // `values` of a test, which stands in `document`.
  void LoadInline(const doc::Value& values, const TestSource::Document& document,
                  DiagnosticSink& sink);
  // `k=v` texts of the command line; they win over nothing: files and they exclude each other.
  void Set(const std::vector<std::string>& assignments, DiagnosticSink& sink);
  // Policies that the values name and the set does not hold: nothing of them is used.
  void WarnUnknownPolicies(const engine::PolicySet& set, DiagnosticSink& sink) const;
  // Hands the namespaces on.
  void Fill(World& world) const;

  const testfile::Values& values() const { return values_; }

  // Evaluates one manifest as the values want it: once for each operation that they give to a
  // policy of the set, with the rows of the policies that it is given to. `options` holds the
  // operation of all others; `old_object` is that of the run, null for none. Without
  // `own_operations` all policies get the operation of `options`.
  base::Result<engine::OfflineResult> Evaluate(const engine::PolicySet& set,
                                               const input::Document& document,
                                               const doc::Value& old_object, const World& world,
                                               base::Arena& arena, engine::OfflineOptions options,
                                               bool own_operations = true) const;

 private:
  match::Operation OperationOf(std::string_view policy, std::string_view resource,
                               match::Operation fallback) const;
  // The resource that serves the document, if the values say so.
  engine::OfflineFacts::Resource ResourceOf(const input::Document& document) const;

  base::Arena arena_;
  std::unique_ptr<TestSource> source_;
  testfile::Values values_;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_VALUES_INPUT_H_
