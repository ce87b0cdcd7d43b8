#ifndef PORTCULLIS_YAML_GOSYNTAX_H_
#define PORTCULLIS_YAML_GOSYNTAX_H_

// A value as Go's %#v prints the tree that its YAML reader makes: only for error texts about map
// keys that cannot be strings. Output and depth are bounded. Pure, thread-safe.

#include <string>

#include "doc/value.h"

namespace portcullis::yaml {

std::string GoSyntax(const doc::Value& value);

}  // namespace portcullis::yaml

#endif  // PORTCULLIS_YAML_GOSYNTAX_H_
