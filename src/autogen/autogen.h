#ifndef PORTCULLIS_AUTOGEN_AUTOGEN_H_
#define PORTCULLIS_AUTOGEN_AUTOGEN_H_

// Rules for Pod controllers, made from the Pod rule of a Kyverno CEL policy
// (spec/kyverno-cel-policies.md 9). Pure functions over documents; thread-safe.
//
// How a family uses it, for ValidatingPolicy, MutatingPolicy, ImageValidatingPolicy and their
// namespaced kinds:
//   1. Generated g = Generate(policy, arena), unless evaluation.mode is JSON.
//   2. For each g.variants: compile `spec` as if it were the `spec` of a policy with the same name,
//      actions, failurePolicy and exceptions. A request matches the Pod rule or one variant.
//      A spec without matchConstraints matches nothing.
//   3. `extract`: the spec is the Pod rule's own; evaluate it on each Pod template found in the
//      object (9.10).
//   4. Exceptions (9.7): per condition RewriteExpression(text, variant). If the texts are equal
//      there is one form; otherwise evaluate the moved form, then the text as written.
//   5. Mutations: if move_patch_paths, pass `path` and `from` of every evaluated JSONPatch
//      operation through MovePointer: some are not known before evaluation.
// Values of `spec` share the policy's values and live in `arena` besides.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"

namespace portcullis::autogen {

// Which workloads a variant is for, by where their Pod template is.
enum class Group : std::uint8_t {
  kDefaults,  // spec.template
  kCronJobs,  // spec.jobTemplate.spec.template
  kExtract,   // found at evaluation
};

// A kind of workload.
struct Target {
  std::string group;
  std::string version;
  std::string resource;
  std::string kind;

  bool operator==(const Target&) const = default;
};

// What became of one expression of the policy.
struct Note {
  enum class Outcome : std::uint8_t { kMoved, kKept, kRefused };
  Outcome outcome = Outcome::kKept;
  std::string path;  // `spec.validations[0].expression`
  std::string before;
  std::string after;
  std::string reason;
};

struct Variant {
  Group group = Group::kDefaults;
  std::string key;     // `defaults`, `cronjobs`, `extract`
  std::string prefix;  // of the names of generated rules: `autogen-defaults-`
  std::vector<Target> targets;
  doc::Value spec;
  bool move_patch_paths = false;
  std::vector<Note> notes;
};

// A variant that would not mean what the Pod rule means: only the Pod rule applies.
struct Refusal {
  std::string key;
  std::vector<Target> targets;
  std::vector<Note> notes;  // at least one kRefused
};

struct Generated {
  bool eligible = false;
  std::string reason;  // why not eligible
  std::vector<Variant> variants;
  std::vector<Refusal> refusals;
  std::vector<std::string> warnings;  // about controllers that mean nothing
};

// `policy` is the whole object. Kinds without such rules are not eligible.
Generated Generate(const doc::Value& policy, base::Arena& arena);

// An expression that stands alone, such as a condition of an exception. Error kUnsupported: it
// cannot be moved, with the reason. Text that is no CEL is returned as it is.
base::Result<std::string> RewriteExpression(std::string_view text, Group group);
inline base::Result<std::string> RewriteExpression(std::string_view text, const Variant& variant) {
  return RewriteExpression(text, variant.group);
}

// A JSON pointer into a Pod as a pointer into the workload: `/spec/x` -> `/spec/template/spec/x`.
// Pointers that were moved already, and those that mean the workload, stay.
std::string MovePointer(std::string_view pointer, Group group);

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_AUTOGEN_H_
