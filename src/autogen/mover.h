#ifndef PORTCULLIS_AUTOGEN_MOVER_H_
#define PORTCULLIS_AUTOGEN_MOVER_H_

// Rewrites the expressions of one policy so that what they say about a Pod is said about the Pod
// template of a workload (spec/kyverno-cel-policies.md 9.5, 9.6). Works on the syntax tree and
// edits the source, so that formatting and comments survive.
//
// How a variable such as `md: object.metadata` is best defined depends on its uses. So all
// expressions are given twice, in the same order: first to learn the uses, then, after Settle(),
// for the result. One mover belongs to one thread.

#include <map>
#include <string>
#include <string_view>

#include "autogen/autogen.h"
#include "autogen/shape.h"

namespace portcullis::autogen {

struct Moved {
  std::string text;
  std::string reason;             // in words: what was moved, what stays and why
  bool refused = false;           // `reason` says why it cannot be moved
  bool patch_paths_open = false;  // a path of a patch is known only after evaluation
};

class Mover {
 public:
  // `patches`: Object{} and JSONPatch{} literals are moved too.
  Mover(Group group, bool patches) : group_(group), patches_(patches) {}

  Moved Move(std::string_view text) { return Rewrite(text, nullptr); }
  // The definition of `variables.<name>`; definitions come in the order of the policy.
  Moved Define(std::string_view name, std::string_view text);
  void Settle();

 private:
  friend class Walker;
  Moved Rewrite(std::string_view text, Alias* alias);

  Group group_;
  bool patches_;
  std::map<std::string, Alias, std::less<>> aliases_;
};

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_MOVER_H_
