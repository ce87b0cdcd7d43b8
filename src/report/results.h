#ifndef PORTCULLIS_REPORT_RESULTS_H_
#define PORTCULLIS_REPORT_RESULTS_H_

// What a run of `apply` reports, independent of the output format (design section 3, "Machine
// output"). Results arrive resource by resource; a writer streams them, so that memory does not
// grow with the number of resources.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "doc/value.h"
#include "policy/verdict.h"

namespace portcullis::report {

struct ResourceId {
  std::string api_version;
  std::string kind;
  std::string ns;
  std::string name;

  // "Kind/namespace/name", "Kind/name" for cluster-scoped objects, "payload" for what is no object.
  std::string ToString() const;
};

// The identity that an object names itself.
ResourceId IdOf(const doc::Value& object);

struct Location {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string path;  // field path inside the document

  // "file:line:column", leaving out what is unknown.
  std::string ToString() const;
};

struct Result {
  std::string policy;
  std::string policy_kind;
  std::string policy_namespace;
  std::string rule;
  std::string binding;
  policy::Outcome outcome = policy::Outcome::kPass;
  std::string message;
  std::string action;
  std::string severity;
  std::string category;
  std::string source;  // as Kyverno's reports name the engine; see SourceOf
  bool scored = true;  // false: failures of the policy count as warnings in reports
  std::vector<std::string> exceptions;           // that granted: "namespace/name"
  std::vector<std::string> withheld_exceptions;  // "namespace/name: reason"
  std::vector<std::pair<std::string, std::string>> properties;
  std::string expression;  // the expression that decided, for people
  std::string value;       // the offending value as JSON text; empty when unknown
  Location location;
  Location policy_location;
};

// One member that a mutation added, changed or removed; values as JSON, empty when absent.
struct Change {
  std::string path;
  std::string before;
  std::string after;
};

// An object that a policy made, changed or would remove beside the resource itself.
struct Produced {
  policy::ProducedObject::Kind kind = policy::ProducedObject::Kind::kGenerated;
  std::string policy;
  std::string policy_kind;
  std::string rule;
  doc::Value object;
};

// Everything that one resource gave.
struct ResourceResults {
  ResourceId resource;
  std::string file;
  std::vector<Result> results;
  bool patched = false;
  doc::Value object;            // the final object, if patched
  std::vector<Change> changes;  // what the mutations did, if the format shows it
  std::vector<Produced> produced;
};

// The word for an engine in the `source` of Kyverno's reports, by the kind of policy.
std::string_view SourceOf(std::string_view policy_kind);

enum class Severity : std::uint8_t { kError, kWarning };

struct Diagnostic {
  Severity severity = Severity::kError;
  Location location;
  std::string message;
  std::string hint;  // how to mend it; empty if unknown
};

Diagnostic FromError(const base::Error& error, Severity severity = Severity::kError);

struct Summary {
  std::size_t pass = 0;
  std::size_t fail = 0;
  std::size_t warn = 0;
  std::size_t error = 0;
  std::size_t skip = 0;
  std::size_t resources = 0;
  std::size_t policies = 0;
  std::size_t patched = 0;

  void Count(policy::Outcome outcome);
};

struct WriterOptions {
  bool color = false;
  bool show_passes = false;  // list passing results too, where failures alone are the default
  bool detailed = false;     // table: a message column
  bool as_json = false;      // report: JSON instead of YAML
  std::int64_t now_ns = 0;   // report: when the results were made, since 1970
};

// Receives the results of a run in order. Output goes to standard output in pieces.
class Writer {
 public:
  virtual ~Writer() = default;
  virtual void Add(const ResourceResults& results) = 0;
  // Diagnostics are part of the machine formats; text formats leave them to standard error.
  virtual void Add(const Diagnostic& diagnostic) = 0;
  virtual void Finish(const Summary& summary) = 0;
  // Whether the format shows results of this outcome: others need not be made.
  virtual bool Wants(policy::Outcome) const { return true; }
  // Whether it shows the changes of mutated objects.
  virtual bool WantsChanges() const { return false; }
};

// Formats: see FormatNames. Null for another word.
std::unique_ptr<Writer> MakeWriter(std::string_view format, const WriterOptions& options);
std::span<const std::string_view> FormatNames();
bool IsFormat(std::string_view word);

// A diagnostic for a person: "file:line:column: error: message" and the hint below.
std::string DiagnosticText(const Diagnostic& diagnostic, bool color);

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_RESULTS_H_
