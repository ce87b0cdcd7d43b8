#include "cel/eval/value_weight.h"

#include "cel/eval/struct_value.h"

namespace portcullis::cel {
namespace {

using doc::Tag;
using doc::Value;

// False once `left` is used up.
bool Weigh(const Value& value, std::size_t& left) {
  if (left == 0) return false;
  --left;
  switch (value.tag()) {
    case Tag::kString:
    case Tag::kBytes:
      if (value.size() > left) return false;
      left -= value.size();
      return true;
    case Tag::kList:
      for (const Value& item : value.as_list()) {
        if (!Weigh(item, left)) return false;
      }
      return true;
    case Tag::kMap:
      for (const doc::MapEntry& entry : value.as_map()) {
        if (!Weigh(entry.key, left) || !Weigh(entry.value, left)) return false;
      }
      return true;
    case Tag::kOptional:
      return !value.has_value() || Weigh(value.held(), left);
    case Tag::kHost:
      return !IsStruct(value) || Weigh(AsStruct(value).fields, left);
    default:
      return true;
  }
}

}  // namespace

bool IsTooLarge(const Value& value) {
  std::size_t left = kMaxValueWeight;
  return !Weigh(value, left);
}

}  // namespace portcullis::cel
