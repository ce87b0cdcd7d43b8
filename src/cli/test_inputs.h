#ifndef PORTCULLIS_CLI_TEST_INPUTS_H_
#define PORTCULLIS_CLI_TEST_INPUTS_H_

// The inputs of one Test: policies with exceptions, resources, values, the user, the simulated
// cluster, and the evaluation of all resources against them. One thread.

#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/arena.h"
#include "cli/policies.h"
#include "cli/test_source.h"
#include "cli/values_input.h"
#include "cli/world.h"
#include "engine/offline.h"
#include "input/document_stream.h"
#include "input/payloads.h"
#include "testfile/match.h"
#include "testfile/responses.h"
#include "testfile/test_file.h"
#include "testfile/values.h"

namespace portcullis::cli {

class TestInputs final : public testfile::ExpectedObjects {
 public:
  // All are borrowed. `document` is where `test` was decoded from.
  TestInputs(const testfile::TestFile& test, const TestSource::Document& document,
             std::string folder, std::int64_t now_ns, DiagnosticSink& sink);

  void Load();
  // Evaluates the default run and one for every operation that an expectation asks for.
  void Evaluate();

  const testfile::Runs& runs() const { return runs_; }
  const std::vector<testfile::PolicyFact>& policies() const { return facts_; }
  base::Arena& arena() { return arena_; }
  // The document of a policy, an object; null if there is none.
  const doc::Value* PolicyDocument(const testfile::Response& response) const;

  base::Result<std::vector<doc::Value>> Read(const std::string& file) override;

 private:
  struct Policy {
    const input::Document* document;
    bool records_empty = false;  // answers also for resources that it does not match
  };

  std::string PathOf(const std::string& file) const;
  std::vector<std::string> PathsOf(const std::vector<std::string>& files) const;
  void LoadValues();
  void LoadContext();
  void LoadClusterResources();
  void LearnFromResources();
  void CollectFacts();
  void EvaluateRun(const std::string& operation, testfile::Evaluated& out);
  void EvaluateResource(const input::Document& document, const std::string& operation,
                        testfile::Evaluated& out);
  void LoadPayloads();
  std::string SubjectNamespace(const input::Document& document) const;
  void EvaluatePayloads(testfile::Evaluated& out);
  void AddEmptyResponses(testfile::Subject& subject) const;

  const testfile::TestFile& test_;
  const TestSource::Document& document_;
  std::string folder_;
  DiagnosticSink& sink_;
  base::Arena arena_;  // values of all evaluations: the rows refer to them
  World world_;
  Policies policies_;
  std::shared_ptr<const engine::PolicySet> set_;
  std::unique_ptr<input::DocumentStream> stream_;
  std::vector<std::unique_ptr<TestSource>> sources_;
  ValuesInput values_;
  std::vector<testfile::PolicyFact> facts_;
  std::vector<Policy> documents_;  // beside facts_
  std::vector<input::Document> resources_;
  std::map<policy::DocumentForm, input::Payloads> payloads_;
  testfile::Runs runs_;
  std::map<std::string, std::vector<doc::Value>> expected_;
  std::map<std::string, std::unique_ptr<input::DocumentStream>> expected_streams_;
};

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_TEST_INPUTS_H_
