#include "policy/admission/mutation_values.h"

#include <gtest/gtest.h>

#include "cel/eval/native.h"
#include "cel/eval/struct_value.h"
#include "json/writer.h"

namespace portcullis::policy {
namespace {

using doc::Value;

class MutationValues : public testing::Test {
 protected:
  Value Map(std::initializer_list<std::pair<std::string_view, Value>> members) {
    std::vector<doc::MapEntry> entries;
    for (const auto& [name, value] : members) entries.push_back({Value::String(name), value});
    return doc::MakeMap(arena_, entries);
  }
  Value Struct(std::string_view type_name,
               std::initializer_list<std::pair<std::string_view, Value>> members) {
    return cel::MakeStruct(arena_, nullptr, type_name, Map(members));
  }
  Value List(std::initializer_list<Value> items) {
    return doc::MakeList(arena_, std::vector<Value>(items));
  }
  // The converted value of one operation, or the error.
  std::string Converted(const Value& value) {
    std::vector<patch::Operation> operations;
    std::string error;
    const Value list = List(
        {Struct("JSONPatch",
                {{"op", Value::String("add")}, {"path", Value::String("/a")}, {"value", value}})});
    if (!ToOperations(arena_, list, operations, error)) return error;
    return json::ToString(operations[0].value);
  }

  base::Arena arena_;
};

TEST_F(MutationValues, NamesMustBePaths) {
  EXPECT_EQ(cel::ObjectTypeNameErrors(Struct("Object", {{"spec", Struct("Object.spec", {})}})), "");
  EXPECT_EQ(cel::ObjectTypeNameErrors(Struct(
                "Object",
                {{"spec", Struct("Object.spec", {{"c", List({Struct("Object.spec.c", {})})}})}})),
            "");
  EXPECT_EQ(cel::ObjectTypeNameErrors(
                Struct("Object", {{"spec", Struct("Object.x", {{"a", Struct("Object.y", {})}})}})),
            "unexpected type name \"Object.x\", expected \"Object.spec\", which matches field name "
            "path from root Object type\n"
            "unexpected type name \"Object.y\", expected \"Object.spec.a\", which matches field "
            "name path from root Object type");
}

TEST_F(MutationValues, PartialObjectsKeepCelScalars) {
  Value out;
  ASSERT_TRUE(
      ToPartialObject(arena_, Struct("Object", {{"data", Map({{"k", Value::Bytes("x")}})}}), out));
  EXPECT_EQ(out.Find("data")->Find("k")->tag(), doc::Tag::kBytes);
  const doc::MapEntry odd{Value::Int(1), Value::Int(2)};
  EXPECT_FALSE(
      ToPartialObject(arena_, Struct("Object", {{"data", doc::MakeMap(arena_, {&odd, 1})}}), out));
}

TEST_F(MutationValues, LiteralsInsideLiteralsAreNoMaps) {
  const Value literal = Map({{"name", Value::String("a")}}).WithFlags(Value::kLiteral);
  Value out;
  ASSERT_TRUE(ToPartialObject(
      arena_, Struct("Object", {{"list", List({literal})}, {"map", literal}}), out));
  EXPECT_TRUE(out.Find("map")->is_map());
  EXPECT_EQ(out.Find("list")->as_list()[0].tag(), doc::Tag::kOptional);
}

TEST_F(MutationValues, MembersOfObjectsAreStricter) {
  const std::string prefix =
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON: ";
  EXPECT_EQ(Converted(Struct("Object.spec", {{"a", Value::Null()}})),
            prefix + "proto: invalid type: structpb.NullValue");
  EXPECT_EQ(Converted(Struct("Object.spec", {{"a", Value::Int(9007199254740993)}})),
            R"({"a":9007199254740992})");
}

TEST_F(MutationValues, PatchValuesBecomeJson) {
  const Value held = Value::String("x");
  const doc::MapEntry odd{Value::Int(1), Value::Int(2)};
  const std::string prefix =
      "JSONPath valueExpression evaluated to a type that could not marshal to JSON: ";
  EXPECT_EQ(Converted(Value::Int(9007199254740991)), "9007199254740991");
  EXPECT_EQ(Converted(Value::Int(9007199254740993)), "\"9007199254740993\"");
  EXPECT_EQ(Converted(Value::Uint(7)), "7");
  EXPECT_EQ(Converted(Value::Double(1.0)), "1");
  EXPECT_EQ(Converted(Value::Double(1.5)), "1.5");
  EXPECT_EQ(Converted(Value::Null()), "null");
  EXPECT_EQ(Converted(Value::Bytes("hi")), "\"aGk=\"");
  EXPECT_EQ(Converted(Value::Duration(90'000'000'000)), "\"90s\"");
  EXPECT_EQ(Converted(Value::Timestamp(1704067200, 0)), "\"2024-01-01T00:00:00Z\"");
  EXPECT_EQ(Converted(Value::OptionalOf(&held)), "\"x\"");
  EXPECT_EQ(Converted(Value::OptionalNone()), prefix + "optional.none() dereference");
  EXPECT_EQ(Converted(doc::MakeMap(arena_, {&odd, 1})),
            prefix + "unsupported type conversion from 'int' to string");
  EXPECT_EQ(Converted(Struct("Object.spec.tolerations", {{"key", Value::String("k")}})),
            R"({"key":"k"})");
  EXPECT_EQ(Converted(Struct("Object.spec", {{"a", Struct("Object.nope", {})}})),
            "type mismatch: unexpected type name \"Object.nope\", expected \"Object.spec.a\", "
            "which matches field name path from root Object type");
}

TEST_F(MutationValues, OperationsLeaveOutWhatIsEmpty) {
  std::vector<patch::Operation> operations;
  std::string error;
  ASSERT_TRUE(ToOperations(arena_, List({Struct("JSONPatch", {{"from", Value::String("")}})}),
                           operations, error));
  EXPECT_EQ(operations[0].op, "");
  EXPECT_EQ(operations[0].path, "");
  EXPECT_FALSE(operations[0].from.has_value());
  EXPECT_FALSE(operations[0].has_value);
}

}  // namespace
}  // namespace portcullis::policy
