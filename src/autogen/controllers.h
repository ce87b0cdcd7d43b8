#ifndef PORTCULLIS_AUTOGEN_CONTROLLERS_H_
#define PORTCULLIS_AUTOGEN_CONTROLLERS_H_

// Which policies get rules for controllers, and for which kinds of controllers
// (spec/kyverno-cel-policies.md 9.1, 9.2, 9.10). Pure.

#include <string>
#include <vector>

#include "autogen/autogen.h"

namespace portcullis::autogen {

// Why `spec` is no plain rule about Pods; empty if it is one.
std::string WhyNotEligible(const doc::Value& spec);

struct Controllers {
  std::vector<Target> defaults;  // each sorted by group, version, resource, kind
  std::vector<Target> cronjobs;
  std::vector<Target> extract;
  std::vector<std::string> warnings;
};
// From spec.autogen.podControllers.controllers.
Controllers ChooseControllers(const doc::Value& spec);

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_CONTROLLERS_H_
