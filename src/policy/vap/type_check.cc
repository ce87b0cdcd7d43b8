#include "policy/vap/type_check.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "cel/check/admission_types.h"
#include "cel/check/checker.h"
#include "cel/check/environments.h"
#include "cel/check/schema_types.h"
#include "cel/syntax/parser.h"

namespace portcullis::policy {

namespace {

// The environment in which the expressions of a policy are checked for one kind.
class KindScope {
 public:
  KindScope(const schema::Kind& kind, const TypeCheckInput& input)
      : variables_(std::make_shared<cel::VariableTypes>()) {
    cel::AdmissionOptions options;
    options.has_request_resource = false;
    options.typed_object = true;
    env_ = std::make_unique<cel::Env>(cel::AdmissionEnvironment(options));
    const cel::Type* object = Declare(kind, input.type_suffix);
    env_->AddVariable("object", object);
    env_->AddVariable("oldObject", object);
    if (input.has_params) {
      const bool known = input.param_kind != nullptr && input.param_kind->schema != nullptr;
      env_->AddVariable("params",
                        known ? Declare(*input.param_kind, input.type_suffix) : &cel::types::kDyn);
    }
    env_->AddVariable("variables", variables_->type());
    env_->AddProvider(variables_);
    for (const TypeCheckInput::Variable& variable : input.variables) {
      std::string ignored;
      cel::CheckedAst checked;
      const bool ok = Check(variable.text, checked, ignored);
      variables_->Declare(variable.name, ok ? checked.result_type : nullptr);
    }
  }

  // The issues of an expression; empty if there are none.
  std::string Check(std::string_view text) const {
    std::string issues;
    cel::CheckedAst checked;
    Check(text, checked, issues);
    return issues;
  }

 private:
  const cel::Type* Declare(const schema::Kind& kind, std::string_view suffix) {
    std::string name(kind.kind);
    name += suffix;
    auto provider = std::make_shared<cel::SchemaTypes>(name, *kind.schema);
    const cel::Type* root = provider->root_type();
    env_->AddProvider(std::move(provider));
    return root == nullptr ? &cel::types::kDyn : root;
  }

  bool Check(std::string_view text, cel::CheckedAst& checked, std::string& rendered) const {
    cel::Ast ast;
    cel::Issues issues;
    const bool ok = cel::Parse(text, env_->options.parser, ast, issues) &&
                    cel::Check(*env_, std::move(ast), checked, issues);
    if (!ok) rendered = issues.Render(text);
    return ok;
  }

  std::shared_ptr<cel::VariableTypes> variables_;
  std::unique_ptr<cel::Env> env_;
};

}  // namespace

std::vector<TypeCheckWarning> TypeCheck(const TypeCheckInput& input) {
  std::vector<const schema::Kind*> kinds;
  for (const schema::Kind* kind : input.kinds) {
    if (kind != nullptr && kind->schema != nullptr) kinds.push_back(kind);
  }
  std::sort(kinds.begin(), kinds.end(), [](const schema::Kind* a, const schema::Kind* b) {
    return std::tie(a->group, a->version, a->kind) < std::tie(b->group, b->version, b->kind);
  });
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::vector<std::string> texts(input.expressions.size());
  for (const schema::Kind* kind : kinds) {
    const KindScope scope(*kind, input);
    for (std::size_t i = 0; i < input.expressions.size(); ++i) {
      const std::string issues = scope.Check(input.expressions[i].text);
      if (issues.empty()) continue;
      std::string& text = texts[i];
      if (!text.empty()) text += '\n';
      text.append(kind->group).append("/").append(kind->version).append(", Kind=");
      text.append(kind->kind).append(": ").append(issues).append("\n");
    }
  }
  std::vector<TypeCheckWarning> warnings;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].empty()) continue;
    warnings.push_back({input.expressions[i].field_ref, std::move(texts[i])});
  }
  return warnings;
}

namespace {

// A rule with more kinds than this is cut off, and with it the whole search.
constexpr int kMaxKindsPerRule = 10;

template <typename F>
void ForEachItem(const doc::Value& parent, std::string_view name, F&& visit) {
  const doc::Value* list = parent.Find(name);
  if (list == nullptr || !list->is_list()) return;
  for (const doc::Value& item : list->as_list()) visit(item);
}

// The strings of a member of a rule, sorted; empty if one of them is `*`.
std::vector<std::string_view> Plain(const doc::Value& rule, std::string_view name) {
  std::vector<std::string_view> out;
  bool wildcard = false;
  ForEachItem(rule, name, [&](const doc::Value& item) {
    if (!item.is_string()) return;
    wildcard = wildcard || item.as_string() == "*";
    out.push_back(item.as_string());
  });
  if (wildcard) out.clear();
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<const schema::Kind*> KindsOfRules(const doc::Value& constraints,
                                              const schema::TypeTable& table) {
  std::vector<const schema::Kind*> kinds;
  bool full = false;
  ForEachItem(constraints, "resourceRules", [&](const doc::Value& rule) {
    int count = 0;
    for (const std::string_view group : Plain(rule, "apiGroups")) {
      for (const std::string_view version : Plain(rule, "apiVersions")) {
        for (const std::string_view resource : Plain(rule, "resources")) {
          if (full || resource.find_first_of("*/") != std::string_view::npos) continue;
          const schema::Kind* kind = table.FindResource(group, version, resource);
          if (kind == nullptr) continue;
          kinds.push_back(kind);
          full = ++count == kMaxKindsPerRule;
        }
      }
    }
  });
  return kinds;
}

}  // namespace

std::vector<TypeCheckWarning> TypeCheckPolicy(const doc::Value& policy,
                                              const schema::TypeTable& table) {
  TypeCheckInput input;
  const doc::Value* spec = policy.Find("spec");
  if (spec == nullptr || !spec->is_map()) return {};
  if (const doc::Value* constraints = spec->Find("matchConstraints"); constraints != nullptr) {
    input.kinds = KindsOfRules(*constraints, table);
  }
  std::size_t index = 0;
  ForEachItem(*spec, "validations", [&](const doc::Value& validation) {
    const std::string path = "spec.validations[" + std::to_string(index++) + "].";
    input.expressions.push_back({path + "expression", validation.StringAt("expression")});
    const std::string_view message = validation.StringAt("messageExpression");
    if (!message.empty()) input.expressions.push_back({path + "messageExpression", message});
  });
  ForEachItem(*spec, "variables", [&](const doc::Value& variable) {
    input.variables.push_back({variable.StringAt("name"), variable.StringAt("expression")});
  });
  if (const doc::Value* param = spec->Find("paramKind"); param != nullptr && param->is_map()) {
    input.has_params = true;
    input.param_kind = table.FindKind(param->StringAt("apiVersion"), param->StringAt("kind"));
  }
  return TypeCheck(input);
}

}  // namespace portcullis::policy
