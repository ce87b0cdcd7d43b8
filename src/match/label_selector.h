#ifndef PORTCULLIS_MATCH_LABEL_SELECTOR_H_
#define PORTCULLIS_MATCH_LABEL_SELECTOR_H_

// Kubernetes label selectors (spec/kubernetes-admission.md 1.6). Compiled once, immutable.

#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"

namespace portcullis::match {

class LabelSelector {
 public:
  LabelSelector() = default;

  // From a `metav1.LabelSelector` object. A selector that the API server could not convert keeps
  // its text in error() and is reported when it is used, as the API server does.
  static LabelSelector Compile(const doc::Value& selector);

  // True for `{}`: everything matches.
  bool empty() const { return requirements_.empty() && error_.empty(); }
  const std::string& error() const { return error_; }

  // True if the selector looks at no other label than `key`.
  bool OnlyReads(std::string_view key) const;

  // `labels` is metadata.labels: a map of strings, or null for none. False if error() is set.
  bool Matches(const doc::Value& labels) const;

 private:
  enum class Operator { kIn, kNotIn, kExists, kDoesNotExist };
  struct Requirement {
    std::string key;
    std::uint32_t hash = 0;
    Operator op = Operator::kIn;
    std::vector<std::string> values;
  };
  std::vector<Requirement> requirements_;
  std::string error_;
};

// metadata.labels of an object, or null.
doc::Value LabelsOf(const doc::Value& object);

}  // namespace portcullis::match

#endif  // PORTCULLIS_MATCH_LABEL_SELECTOR_H_
