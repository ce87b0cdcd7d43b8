#ifndef PORTCULLIS_AUTOGEN_NATIVE_H_
#define PORTCULLIS_AUTOGEN_NATIVE_H_

// Native policies from Kyverno's: ValidatingAdmissionPolicy or MutatingAdmissionPolicy with a
// binding (spec/kyverno-cel-policies.md 3.3, 4.6), with the exceptions folded in. Where Kyverno's
// own translation changes the meaning, this one does not. Pure; whether the result compiles, its
// loader tells.

#include <span>
#include <string>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"

namespace portcullis::autogen {

struct NativeForm {
  std::vector<doc::Value> objects;    // policy and binding; empty if refused
  std::vector<std::string> refusals;  // why there is no native form
  std::vector<std::string> warnings;  // what the native form lacks without deciding otherwise
};

// `policy` is the whole object, `exceptions` all known PolicyExceptions of policies.kyverno.io.
NativeForm ToNative(const doc::Value& policy, std::span<const doc::Value> exceptions,
                    base::Arena& arena);

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_NATIVE_H_
