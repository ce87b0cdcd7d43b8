#include "cel_part_types.h"

#include <deque>
#include <map>
#include <vector>

#include "base/arena.h"
#include "cel/check/environments.h"
#include "cel/eval/value_json.h"
#include "doc/equal.h"

namespace portcullis::conformance {
namespace {

using doc::Value;

std::string Params(const Value& list, std::string (*name)(const Value&)) {
  std::string out;
  if (!list.is_list()) return out;
  for (const Value& item : list.as_list()) out += (out.empty() ? "" : ", ") + name(item);
  return out;
}

// `optional_name`: how optional_type is spelt (the signature grammar says `optional`).
std::string TypeText(const Value& type, std::string_view optional_name,
                     std::string (*recurse)(const Value&)) {
  if (!type.is_map() || type.size() == 0) return "dyn";
  const std::string_view kind = type.as_map()[0].key.as_string();
  const Value& held = type.as_map()[0].value;
  if (kind == "primitive" || kind == "wrapper") {
    static const std::map<std::string_view, std::string> kNames = {
        {"BOOL", "bool"},     {"INT64", "int"},     {"UINT64", "uint"},
        {"DOUBLE", "double"}, {"STRING", "string"}, {"BYTES", "bytes"}};
    const auto found = kNames.find(held.as_string());
    const std::string name = found == kNames.end() ? "dyn" : found->second;
    return kind == "wrapper" ? "wrapper(" + name + ")" : name;
  }
  if (kind == "null") return "null_type";
  if (kind == "wellKnown") {
    if (held.as_string() == "ANY") return "google.protobuf.Any";
    return held.as_string() == "DURATION" ? "google.protobuf.Duration"
                                          : "google.protobuf.Timestamp";
  }
  if (kind == "typeParam") return std::string(held.as_string());
  if (kind == "listType") {
    const Value* element = held.Find("elemType");
    return "list(" + (element != nullptr ? recurse(*element) : "dyn") + ")";
  }
  if (kind == "mapType") {
    const Value* key = held.Find("keyType");
    const Value* value = held.Find("valueType");
    return "map(" + (key != nullptr ? recurse(*key) : "dyn") + ", " +
           (value != nullptr ? recurse(*value) : "dyn") + ")";
  }
  if (kind == "type") return held.size() == 0 ? "type" : "type(" + recurse(held) + ")";
  if (kind == "abstractType") {
    std::string name(held.StringAt("name"));
    if (name == "optional_type") name = optional_name;
    const Value* params = held.Find("parameterTypes");
    const std::string inner = params != nullptr ? Params(*params, recurse) : "";
    return inner.empty() ? name : name + "(" + inner + ")";
  }
  return "dyn";
}

std::string SignatureType(const Value& type) { return TypeText(type, "optional", SignatureType); }

// Text that declarations of tests point at: it lives as long as the process.
std::string_view Keep(std::string text) {
  static std::deque<std::string> kept;
  return kept.emplace_back(std::move(text));
}

void DeclareFunction(cel::Env& env, std::string_view name, const Value& function) {
  static std::deque<std::vector<cel::Overload>> tables;
  const Value* overloads = function.Find("overloads");
  if (overloads == nullptr) return;
  std::vector<cel::Overload>& rows = tables.emplace_back();
  for (const Value& overload : overloads->as_list()) {
    const Value* params = overload.Find("params");
    const Value* result = overload.Find("resultType");
    cel::Overload row;
    row.id = Keep(std::string(overload.StringAt("overloadId")));
    row.function = Keep(std::string(name));
    row.signature = Keep("(" + (params != nullptr ? Params(*params, SignatureType) : "") + ") -> " +
                         (result != nullptr ? SignatureType(*result) : "dyn"));
    const Value* member = overload.Find("isInstanceFunction");
    if (member != nullptr && member->as_bool()) row.flags = cel::kMember;
    rows.push_back(row);
  }
  cel::Library library;
  library.name = Keep("test." + std::string(name) + std::to_string(tables.size()));
  library.overloads = rows;
  env.AddLibrary(library);
}

}  // namespace

std::string SpecTypeName(const Value& type) {
  return TypeText(type, "optional_type", SpecTypeName);
}

bool SpecValueEqual(const Value& expected, const Value& actual) {
  base::Arena arena;
  Value parsed;
  if (!cel::FromExprValue(arena, expected, parsed)) return doc::DataEqual(expected, actual);
  return doc::DataEqual(cel::ToExprValue(arena, parsed), actual);
}

std::shared_ptr<const cel::Env> SpecEnvironment(const Value* declarations,
                                                std::string_view container, bool disable_macros) {
  const auto base = cel::EnvironmentByName("cel");
  auto env = std::make_shared<cel::Env>(base);
  env->options = base->options;
  env->options.container = std::string(container);
  if (disable_macros) {
    cel::ParserOptions& parser = env->options.parser;
    parser.standard_macros = false;
    parser.two_variable_macros = false;
  }
  if (declarations != nullptr && declarations->is_list()) {
    for (const Value& declaration : declarations->as_list()) {
      const std::string_view name = declaration.StringAt("name");
      if (const Value* ident = declaration.Find("ident")) {
        const Value* type = ident->Find("type");
        env->AddVariable(name, env->types().Parse(type != nullptr ? SignatureType(*type) : "dyn"));
      } else if (const Value* function = declaration.Find("function")) {
        DeclareFunction(*env, name, *function);
      }
    }
  }
  return env;
}

}  // namespace portcullis::conformance
