#ifndef PORTCULLIS_CLI_SESSION_H_
#define PORTCULLIS_CLI_SESSION_H_

// What `apply` and `explain` share: the inputs of a command line loaded in the right order, and one
// manifest after the other handed to the engine. One thread.

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/arena.h"
#include "cli/args.h"
#include "cli/diagnostics.h"
#include "cli/policies.h"
#include "cli/values_input.h"
#include "cli/world.h"
#include "engine/offline.h"
#include "input/document_stream.h"
#include "input/payloads.h"
#include "policy/observer.h"

namespace portcullis::cli {

class Session {
 public:
  using Take = std::function<void(const input::Document&, const engine::OfflineResult&)>;

  // `args` and `sink` are borrowed.
  Session(const Args& args, DiagnosticSink& sink);

  // Loads policies and everything that evaluation may look up.
  void Load();
  // Evaluates every resource and payload that can be; values given to `take` live until it returns.
  void EvaluateAll(const Take& take, policy::ExpressionObserver* observer = nullptr);

  const World& world() const { return world_; }
  Policies& policies() { return policies_; }
  const engine::PolicySet& set() const { return *set_; }
  std::size_t resources() const { return resources_; }

  // The namespace that a request about the object has.
  std::string NamespaceOf(const input::Document& document) const;
  // As results name the object.
  report::ResourceId IdOf(const input::Document& document) const;

 private:
  void LearnFromResources();
  void EvaluatePayloads(const Take& take, policy::ExpressionObserver* observer);
  bool IsFirst(const input::Document& document);
  doc::Value OldObject(const input::Document& document);
  void Evaluate(const input::Document& document, const Take& take,
                policy::ExpressionObserver* observer);

  const Args& args_;
  DiagnosticSink& sink_;
  World world_;
  ValuesInput values_;
  Policies policies_;
  std::unique_ptr<input::DocumentStream> stream_;
  std::map<policy::DocumentForm, input::Payloads> payloads_;
  std::shared_ptr<const engine::PolicySet> set_;
  base::Arena arena_;
  std::size_t resources_ = 0;
  std::vector<std::string> server_warnings_;
  std::unordered_set<std::size_t> objects_;  // hashes of the identities seen
};

// Checks what no parser of options can: false with a message printed.
bool CheckInputs(const Args& args);

}  // namespace portcullis::cli

#endif  // PORTCULLIS_CLI_SESSION_H_
