#ifndef PORTCULLIS_TESTS_CONFORMANCE_MEMBERS_H_
#define PORTCULLIS_TESTS_CONFORMANCE_MEMBERS_H_

// Reading recorded documents: a member that is missing or of another form counts as empty.

#include <span>
#include <string_view>

#include "doc/value.h"

namespace portcullis::conformance {

inline std::span<const doc::Value> Items(const doc::Value& object, std::string_view field) {
  const doc::Value* list = object.Find(field);
  return list != nullptr && list->is_list() ? list->as_list() : std::span<const doc::Value>();
}

inline doc::Value At(const doc::Value& object, std::string_view field) {
  const doc::Value* member = object.Find(field);
  return member == nullptr ? doc::Value::Null() : *member;
}

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_MEMBERS_H_
