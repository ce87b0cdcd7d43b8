#include "cel/check/well_known.h"

#include <array>
#include <cstddef>

namespace portcullis::cel {

namespace {

constinit const std::array<const Type*, 1> kBoolParam = {&types::kBool};
constinit const std::array<const Type*, 1> kBytesParam = {&types::kBytes};
constinit const std::array<const Type*, 1> kDoubleParam = {&types::kDouble};
constinit const std::array<const Type*, 1> kIntParam = {&types::kInt};
constinit const std::array<const Type*, 1> kStringParam = {&types::kString};
constinit const std::array<const Type*, 1> kUintParam = {&types::kUint};
constinit const std::array<const Type*, 2> kJsonMapParams = {&types::kString, &types::kDyn};

constinit const Type kBoolWrapper{TypeKind::kWrapper, {}, kBoolParam};
constinit const Type kBytesWrapper{TypeKind::kWrapper, {}, kBytesParam};
constinit const Type kDoubleWrapper{TypeKind::kWrapper, {}, kDoubleParam};
constinit const Type kIntWrapper{TypeKind::kWrapper, {}, kIntParam};
constinit const Type kStringWrapper{TypeKind::kWrapper, {}, kStringParam};
constinit const Type kUintWrapper{TypeKind::kWrapper, {}, kUintParam};
constinit const Type kJsonMap{TypeKind::kMap, {}, kJsonMapParams};
constinit const Type kEmpty{TypeKind::kStruct, "google.protobuf.Empty", {}};

struct Field {
  std::string_view name;
  const Type* type;
};

struct Message {
  std::string_view name;  // without the package
  const Type* type;
  std::span<const Field> fields;
};

constexpr std::string_view kPackage = "google.protobuf.";

constexpr std::array kBoolFields = {Field{"value", &types::kBool}};
constexpr std::array kBytesFields = {Field{"value", &types::kBytes}};
constexpr std::array kDoubleFields = {Field{"value", &types::kDouble}};
constexpr std::array kIntFields = {Field{"value", &types::kInt}};
constexpr std::array kStringFields = {Field{"value", &types::kString}};
constexpr std::array kUintFields = {Field{"value", &types::kUint}};
constexpr std::array kTimeFields = {Field{"seconds", &types::kInt}, Field{"nanos", &types::kInt}};
constexpr std::array kAnyFields = {Field{"type_url", &types::kString},
                                   Field{"value", &types::kBytes}};
constinit const std::array kStructFields = {Field{"fields", &kJsonMap}};
constexpr std::array kListFields = {Field{"values", &types::kList}};
constinit const std::array kValueFields = {
    Field{"null_value", &types::kInt},      Field{"number_value", &types::kDouble},
    Field{"string_value", &types::kString}, Field{"bool_value", &types::kBool},
    Field{"struct_value", &kJsonMap},       Field{"list_value", &types::kList}};

constinit const std::array kMessages = {
    Message{"Any", &types::kAny, kAnyFields},
    Message{"BoolValue", &kBoolWrapper, kBoolFields},
    Message{"BytesValue", &kBytesWrapper, kBytesFields},
    Message{"DoubleValue", &kDoubleWrapper, kDoubleFields},
    Message{"Duration", &types::kDuration, kTimeFields},
    Message{"Empty", &kEmpty, {}},
    Message{"FloatValue", &kDoubleWrapper, kDoubleFields},
    Message{"Int32Value", &kIntWrapper, kIntFields},
    Message{"Int64Value", &kIntWrapper, kIntFields},
    Message{"ListValue", &types::kList, kListFields},
    Message{"StringValue", &kStringWrapper, kStringFields},
    Message{"Struct", &kJsonMap, kStructFields},
    Message{"Timestamp", &types::kTimestamp, kTimeFields},
    Message{"UInt32Value", &kUintWrapper, kUintFields},
    Message{"UInt64Value", &kUintWrapper, kUintFields},
    Message{"Value", &types::kDyn, kValueFields},
};

const Message* Find(std::string_view name) {
  if (name.substr(0, kPackage.size()) != kPackage) return nullptr;
  name.remove_prefix(kPackage.size());
  for (const Message& message : kMessages) {
    if (message.name == name) return &message;
  }
  return nullptr;
}

}  // namespace

const Type* WellKnownMessage(std::string_view name) {
  const Message* message = Find(name);
  return message == nullptr ? nullptr : message->type;
}

const Type* WellKnownField(std::string_view message, std::string_view field) {
  const Message* found = Find(message);
  if (found == nullptr) return nullptr;
  for (const Field& candidate : found->fields) {
    if (candidate.name == field) return candidate.type;
  }
  return nullptr;
}

std::string_view WellKnownMessageOf(const Type& type) {
  switch (type.kind) {
    case TypeKind::kAny:
      return "google.protobuf.Any";
    case TypeKind::kDyn:
      return "google.protobuf.Value";
    case TypeKind::kDuration:
      return "google.protobuf.Duration";
    case TypeKind::kTimestamp:
      return "google.protobuf.Timestamp";
    case TypeKind::kNull:
      return "google.protobuf.NullValue";
    case TypeKind::kList:
      return TypesEqual(type, types::kList) ? "google.protobuf.ListValue" : "";
    case TypeKind::kMap:
      return TypesEqual(type, kJsonMap) ? "google.protobuf.Struct" : "";
    case TypeKind::kWrapper:
      break;
    default:
      return {};
  }
  switch (EffectiveKind(type)) {
    case TypeKind::kBool:
      return "google.protobuf.BoolValue";
    case TypeKind::kBytes:
      return "google.protobuf.BytesValue";
    case TypeKind::kDouble:
      return "google.protobuf.DoubleValue";
    case TypeKind::kInt:
      return "google.protobuf.Int64Value";
    case TypeKind::kString:
      return "google.protobuf.StringValue";
    case TypeKind::kUint:
      return "google.protobuf.UInt64Value";
    default:
      return {};
  }
}

bool WellKnownConstant(std::string_view name, doc::Value& value) {
  if (name != "google.protobuf.NullValue.NULL_VALUE") return false;
  value = doc::Value::Int(0);
  return true;
}

}  // namespace portcullis::cel
