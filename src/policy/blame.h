#ifndef PORTCULLIS_POLICY_BLAME_H_
#define PORTCULLIS_POLICY_BLAME_H_

// Which member of the resource made an expression of a policy false or fail: through the variables
// of the policy, where need be. Evaluates again; for failures that people read about only.

#include <string>
#include <string_view>

#include "cel/eval/program.h"
#include "doc/value.h"
#include "policy/context.h"

namespace portcullis::policy {

// Where the expression was evaluated: its activation, and what the activation knows of `variables`.
class BlameSource {
 public:
  virtual ~BlameSource() = default;
  virtual cel::Activation& activation() = 0;
  // The program of a variable that counts; null: there is none.
  virtual const cel::Program* VariableProgram(std::string_view name) const = 0;
  virtual bool Variable(std::string_view name, doc::Value& out) = 0;
};

struct BlamedMember {
  std::string path;   // in the resource; empty: unknown
  std::string value;  // JSON text, shortened; empty: there is no such member
};

// The answer is about `object`, or about `old_object` when there is no object.
BlamedMember FindBlamedMember(const cel::Program& program, BlameSource& source,
                              const doc::Value& object, const doc::Value& old_object,
                              RequestContext& context);

}  // namespace portcullis::policy

#endif  // PORTCULLIS_POLICY_BLAME_H_
