#ifndef PORTCULLIS_CEL_CHECK_VALIDATORS_H_
#define PORTCULLIS_CEL_CHECK_VALIDATORS_H_

// AST validators (spec/cel.md 8): checks beyond typing that an environment switches on. They run
// after a successful type check. Thread-safe for one const Env.

#include "cel/check/checker.h"

namespace portcullis::cel {

// Adds what is wrong to `issues`.
void Validate(const Env& env, const CheckedAst& checked, Issues& issues);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_VALIDATORS_H_
