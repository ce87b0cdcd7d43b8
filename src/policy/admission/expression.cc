#include "policy/admission/expression.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/validation.h"
#include "cel/check/admission_types.h"
#include "cel/check/environments.h"
#include "policy/admission/decode.h"

namespace portcullis::policy {
namespace {

constexpr std::size_t kMaxMatchConditions = 64;
// New expressions may use what a server one minor version older knows too (5.6).
constexpr int kCompatibilityVersion = 36;

const cel::Type kObjectType{cel::TypeKind::kStruct, "Object", {}};
const cel::Type kJsonPatchType{cel::TypeKind::kStruct, "JSONPatch", {}};
const std::array<const cel::Type*, 1> kJsonPatchParams = {&kJsonPatchType};
const cel::Type kJsonPatchListType{cel::TypeKind::kList, {}, kJsonPatchParams};

const std::array<const cel::Type*, 1> kBool = {&cel::types::kBool};
const std::array<const cel::Type*, 1> kString = {&cel::types::kString};
const std::array<const cel::Type*, 2> kStringOrNull = {&cel::types::kString, &cel::types::kNull};
const std::array<const cel::Type*, 1> kObject = {&kObjectType};
const std::array<const cel::Type*, 1> kJsonPatchList = {&kJsonPatchListType};

std::string WrongType(AllowedTypes allowed, const std::string& got) {
  std::string text = "must evaluate to ";
  if (allowed.size() == 1) {
    text += cel::RuntimeName(*allowed[0]);
  } else {
    text += "one of [";
    for (std::size_t i = 0; i < allowed.size(); ++i) {
      if (i != 0) text += ' ';
      text += cel::RuntimeName(*allowed[i]);
    }
    text += ']';
  }
  return text + " but got " + got;
}

// A CEL identifier that is no reserved word (spec/kubernetes-admission.md 2.3).
bool IsVariableName(std::string_view name) {
  static constexpr std::array<std::string_view, 21> kReserved = {
      "true",     "false",   "null",      "in",       "as",  "break",  "const",
      "continue", "else",    "for",       "function", "if",  "import", "let",
      "loop",     "package", "namespace", "return",   "var", "void",   "while"};
  return base::IsCIdentifier(name) &&
         std::find(kReserved.begin(), kReserved.end(), name) == kReserved.end();
}

}  // namespace

const AllowedTypes kBoolResult = kBool;
const AllowedTypes kStringResult = kString;
const AllowedTypes kStringOrNullResult = kStringOrNull;
const AllowedTypes kAnyResult = {};
const AllowedTypes kObjectResult = kObject;
const AllowedTypes kJsonPatchListResult = kJsonPatchList;

std::string_view TrimSpace(std::string_view text) {
  // Unicode white space as Go's unicode.IsSpace, in UTF-8.
  static constexpr std::array<std::string_view, 25> kSpaces = {" ",
                                                               "\t",
                                                               "\n",
                                                               "\v",
                                                               "\f",
                                                               "\r",
                                                               "\xC2\x85",
                                                               "\xC2\xA0",
                                                               "\xE1\x9A\x80",
                                                               "\xE2\x80\x80",
                                                               "\xE2\x80\x81",
                                                               "\xE2\x80\x82",
                                                               "\xE2\x80\x83",
                                                               "\xE2\x80\x84",
                                                               "\xE2\x80\x85",
                                                               "\xE2\x80\x86",
                                                               "\xE2\x80\x87",
                                                               "\xE2\x80\x88",
                                                               "\xE2\x80\x89",
                                                               "\xE2\x80\x8A",
                                                               "\xE2\x80\xA8",
                                                               "\xE2\x80\xA9",
                                                               "\xE2\x80\xAF",
                                                               "\xE2\x81\x9F",
                                                               "\xE3\x80\x80"};
  const auto step = [&](auto&& remove) {
    for (bool again = true; again;) {
      again = false;
      for (const std::string_view space : kSpaces) again = again || remove(space);
    }
  };
  step([&](std::string_view space) {
    if (!text.starts_with(space)) return false;
    text.remove_prefix(space.size());
    return true;
  });
  step([&](std::string_view space) {
    if (!text.ends_with(space)) return false;
    text.remove_suffix(space.size());
    return true;
  });
  return text;
}

bool IsBlank(std::string_view text) { return TrimSpace(text).empty(); }

struct PolicyScope::Impl {
  bool params = false;
  std::shared_ptr<cel::VariableTypes> variables;  // null: `variables` is undeclared
  // With `variables`, by [authorizer][mutation].
  std::array<std::array<std::shared_ptr<const cel::Env>, 2>, 2> children;

  std::shared_ptr<const cel::Env> Environment(Place place) {
    const bool authorizer = place != Place::kMessage;
    const bool mutation = place == Place::kMutation;
    cel::AdmissionOptions options;
    options.has_params = params;
    options.has_authorizer = authorizer;
    options.has_request_resource = authorizer;
    options.map_types = mutation;
    options.version = kCompatibilityVersion;
    std::shared_ptr<const cel::Env> parent = cel::AdmissionEnvironment(options);
    if (variables == nullptr || place == Place::kMatchCondition) return parent;
    std::shared_ptr<const cel::Env>& child = children[authorizer ? 1 : 0][mutation ? 1 : 0];
    if (child == nullptr) {
      auto made = std::make_shared<cel::Env>(std::move(parent));
      made->AddProvider(variables);
      made->AddVariable("variables", variables->type());
      child = std::move(made);
    }
    return child;
  }
};

PolicyScope::PolicyScope(bool has_params) : impl_(std::make_unique<Impl>()) {
  impl_->params = has_params;
}

PolicyScope::~PolicyScope() = default;

Expression PolicyScope::Compile(Place place, std::string_view source, AllowedTypes allowed) {
  Expression out;
  out.source = source;
  cel::CompileFailure failure;
  auto program = cel::Compile(impl_->Environment(place), source, failure);
  // The result type is looked at before the program is planned, so a wrong type wins.
  if (program == nullptr && failure.stage == cel::CompileFailure::Stage::kCompile) {
    out.error = "compilation failed: " + failure.message;
    return out;
  }
  const std::string got =
      program == nullptr ? failure.result_type : cel::RuntimeName(program->result_type());
  const bool fits = allowed.empty() || std::any_of(allowed.begin(), allowed.end(), [&](auto* type) {
                      return program == nullptr ? cel::RuntimeName(*type) == got
                                                : cel::TypesEqual(*type, program->result_type());
                    });
  if (!fits) {
    out.error = WrongType(allowed, got);
    return out;
  }
  if (program == nullptr) {
    out.error = "program instantiation failed: " + failure.message;
    out.internal_error = true;
    return out;
  }
  out.program = std::move(program);
  return out;
}

Expression PolicyScope::CompileTrimmed(Place place, std::string_view source, AllowedTypes allowed) {
  Expression out = Compile(place, source, allowed);
  const std::string_view trimmed = TrimSpace(source);
  return out.error.empty() || trimmed == source ? std::move(out) : Compile(place, trimmed, allowed);
}

void PolicyScope::DeclareNoVariables() {
  impl_->variables = std::make_shared<cel::VariableTypes>();
}

std::vector<NamedExpression> PolicyScope::DeclareVariables(const doc::Value& variables,
                                                           std::string_view path,
                                                           FieldErrors& errors) {
  std::vector<NamedExpression> out;
  if (!variables.is_list() || variables.size() == 0) return out;
  impl_->variables = std::make_shared<cel::VariableTypes>();
  const auto items = variables.as_list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item_path = Index(path, i);
    const std::string_view name = items[i].StringAt("name");
    const std::string_view source = items[i].StringAt("expression");
    if (IsBlank(name)) {
      errors.Required(Child(item_path, "name"), "name is not specified");
    } else if (!IsVariableName(name)) {
      errors.Invalid(Child(item_path, "name"), name, "must be a valid CEL identifier");
    }
    if (IsBlank(source)) {
      errors.Required(Child(item_path, "expression"), "expression is not specified");
      continue;
    }
    Expression expression = Compile(Place::kVariable, source, kAnyResult);
    ReportExpression(expression, Child(item_path, "expression"), errors);
    impl_->variables->Declare(
        name, expression.program == nullptr ? nullptr : &expression.program->result_type());
    out.push_back({std::string(name), std::move(expression)});
  }
  return out;
}

std::vector<NamedExpression> LoadMatchConditions(PolicyScope& scope, const doc::Value& conditions,
                                                 std::string_view path, FieldErrors& errors) {
  std::vector<NamedExpression> out;
  if (!conditions.is_list()) return out;
  const auto items = conditions.as_list();
  if (items.size() > kMaxMatchConditions) {
    errors.TooMany(std::string(path), items.size(), kMaxMatchConditions);
  }
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item_path = Index(path, i);
    const std::string_view source = items[i].StringAt("expression");
    const std::string_view name = items[i].StringAt("name");
    if (IsBlank(source)) {
      errors.Required(Child(item_path, "expression"));
    } else {
      Expression expression = scope.CompileTrimmed(Place::kMatchCondition, source, kBoolResult);
      ReportExpression(expression, Child(item_path, "expression"), errors);
      out.push_back({std::string(name), std::move(expression)});
    }
    if (name.empty()) {
      errors.Required(Child(item_path, "name"));
      continue;
    }
    for (const std::string& message : base::ValidateQualifiedName(name)) {
      errors.Invalid(Child(item_path, "name"), name, message);
    }
    if (!names.insert(name).second) errors.Duplicate(Child(item_path, "name"), name);
  }
  return out;
}

void ReportExpression(const Expression& expression, std::string path, FieldErrors& errors) {
  if (expression.error.empty()) return;
  if (expression.internal_error) {
    errors.Internal(std::move(path), expression.error);
  } else {
    errors.Invalid(std::move(path), expression.source, expression.error);
  }
}

}  // namespace portcullis::policy
