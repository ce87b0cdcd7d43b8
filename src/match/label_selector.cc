#include "match/label_selector.h"

#include <algorithm>

#include "base/gotext.h"
#include "base/hash.h"

namespace portcullis::match {

LabelSelector LabelSelector::Compile(const doc::Value& selector) {
  LabelSelector out;
  if (const doc::Value* labels = selector.Find("matchLabels");
      labels != nullptr && labels->is_map()) {
    for (const doc::MapEntry& entry : labels->as_map()) {
      if (!entry.key.is_string() || !entry.value.is_string()) continue;
      Requirement& requirement = out.requirements_.emplace_back();
      requirement.key = entry.key.as_string();
      requirement.values.emplace_back(entry.value.as_string());
    }
  }
  if (const doc::Value* list = selector.Find("matchExpressions");
      list != nullptr && list->is_list()) {
    for (const doc::Value& item : list->as_list()) {
      const std::string_view op = item.StringAt("operator");
      Requirement requirement;
      requirement.key = item.StringAt("key");
      if (op == "In") {
        requirement.op = Operator::kIn;
      } else if (op == "NotIn") {
        requirement.op = Operator::kNotIn;
      } else if (op == "Exists") {
        requirement.op = Operator::kExists;
      } else if (op == "DoesNotExist") {
        requirement.op = Operator::kDoesNotExist;
      } else {
        out.error_ = base::GoQuote(op) + " is not a valid label selector operator";
        return out;
      }
      const doc::Value* values = item.Find("values");
      if (values != nullptr && values->is_list()) {
        for (const doc::Value& value : values->as_list()) {
          if (value.is_string()) requirement.values.emplace_back(value.as_string());
        }
      }
      const bool by_value = requirement.op == Operator::kIn || requirement.op == Operator::kNotIn;
      if (by_value && requirement.values.empty()) {
        out.error_ =
            "values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty";
        return out;
      }
      out.requirements_.push_back(std::move(requirement));
    }
  }
  for (Requirement& requirement : out.requirements_) {
    requirement.hash = base::HashBytes(requirement.key);
  }
  return out;
}

bool LabelSelector::OnlyReads(std::string_view key) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const Requirement& requirement) { return requirement.key == key; });
}

bool LabelSelector::Matches(const doc::Value& labels) const {
  if (!error_.empty()) return false;
  for (const Requirement& requirement : requirements_) {
    const doc::Value* value =
        labels.is_map() ? labels.FindHashed(requirement.key, requirement.hash) : nullptr;
    const bool among = value != nullptr && value->is_string() &&
                       std::find(requirement.values.begin(), requirement.values.end(),
                                 value->as_string()) != requirement.values.end();
    bool holds = false;
    switch (requirement.op) {
      case Operator::kIn:
        holds = among;
        break;
      case Operator::kNotIn:
        holds = !among;
        break;
      case Operator::kExists:
        holds = value != nullptr;
        break;
      case Operator::kDoesNotExist:
        holds = value == nullptr;
        break;
    }
    if (!holds) return false;
  }
  return true;
}

doc::Value LabelsOf(const doc::Value& object) {
  const doc::Value* metadata = object.Find("metadata");
  if (metadata == nullptr) return doc::Value::Null();
  const doc::Value* labels = metadata->Find("labels");
  return labels != nullptr && labels->is_map() ? *labels : doc::Value::Null();
}

}  // namespace portcullis::match
