#include "exceptions/exception.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>

#include "base/time.h"
#include "cel/kyverno/environments.h"

namespace portcullis::exceptions {
namespace {

using doc::Value;

std::span<const Value> Items(const Value& object, std::string_view name) {
  const Value* list = object.Find(name);
  return list != nullptr && list->is_list() ? list->as_list() : std::span<const Value>();
}

std::vector<std::string> Strings(const Value& object, std::string_view name) {
  std::vector<std::string> out;
  for (const Value& item : Items(object, name)) {
    if (item.is_string()) out.emplace_back(item.as_string());
  }
  return out;
}

std::string ItemPath(std::string_view list, std::size_t index, std::string_view member) {
  std::string out(list);
  out += "[" + std::to_string(index) + "].";
  out += member;
  return out;
}

// Exceptions see what policies see, but neither `variables` nor `exceptions`.
Expression CompileCondition(std::string_view source, ResultType wanted) {
  Expression out =
      Compile(cel::KyvernoEnvironment(cel::KyvernoPolicyKind::kValidating, false), source, wanted);
  if (!out) return out;
  const auto names = out.program->variables();
  if (std::find(names.begin(), names.end(), "exceptions") == names.end()) return out;
  out.program = nullptr;
  out.error = "undeclared reference to 'exceptions' (in container '')";
  return out;
}

void LoadRefs(const Value& spec, PolicyException& out, base::ErrorList& errors) {
  const auto refs = Items(spec, "policyRefs");
  if (refs.empty()) {
    errors.emplace_back(base::ErrorCode::kInvalid,
                        "Invalid value: []: must specify at least one policy ref",
                        "spec.policyRefs");
  }
  for (std::size_t i = 0; i < refs.size(); ++i) {
    PolicyRef ref{std::string(refs[i].StringAt("name")), std::string(refs[i].StringAt("kind"))};
    if (ref.name.empty()) {
      errors.emplace_back(base::ErrorCode::kInvalid,
                          "Invalid value: \"\": must specify policy name",
                          ItemPath("spec.policyRefs", i, "name"));
    }
    if (ref.kind.empty()) {
      errors.emplace_back(base::ErrorCode::kInvalid,
                          "Invalid value: \"\": must specify policy kind",
                          ItemPath("spec.policyRefs", i, "kind"));
    }
    out.refs.push_back(std::move(ref));
  }
}

void LoadControls(const Value& spec, Form& out, base::ErrorList& errors) {
  constexpr std::string_view kList = "spec.validations";
  const auto items = Items(spec, "validations");
  for (std::size_t i = 0; i < items.size(); ++i) {
    Control control;
    control.expression = CompileCondition(items[i].StringAt("expression"), ResultType::kBool);
    if (!control.expression) {
      errors.emplace_back(base::ErrorCode::kInvalid, InvalidText(control.expression),
                          ItemPath(kList, i, "expression"));
    }
    control.message = items[i].StringAt("message");
    const std::string_view source = items[i].StringAt("messageExpression");
    if (!source.empty()) {
      control.message_expression = CompileCondition(source, ResultType::kString);
      if (!control.message_expression) {
        errors.emplace_back(base::ErrorCode::kInvalid, InvalidText(control.message_expression),
                            ItemPath(kList, i, "messageExpression"));
      }
    }
    const bool lines = control.expression.source.find('\n') != std::string::npos;
    if (lines && control.message.empty()) {
      errors.emplace_back(base::ErrorCode::kRequired,
                          "Required value: message must be specified if expression contains line "
                          "breaks",
                          ItemPath(kList, i, "message"));
    }
    out.controls.push_back(std::move(control));
  }
}

void LoadExpiry(const Value& spec, PolicyException& out, base::ErrorList& errors) {
  const std::string_view text = spec.StringAt("expiresAt");
  if (text.empty()) return;
  const auto instant = base::ParseRfc3339(text, base::TimeRules::kStrict);
  // Further from 1970 than nanoseconds in 64 bits reach.
  constexpr std::int64_t kFar = 9'000'000'000;
  if (!instant) {
    errors.emplace_back(base::ErrorCode::kInvalid,
                        "Invalid value: \"" + std::string(text) + "\": must be a date and time",
                        "spec.expiresAt");
    return;
  }
  out.expires_at = text;
  constexpr std::int64_t kNanos = 1'000'000'000;
  out.expires_at_ns = std::clamp(instant->seconds, -kFar, kFar) * kNanos + instant->nanos;
}

std::int64_t PriorityOf(const Value& metadata) {
  const Value* labels = metadata.Find("labels");
  if (labels == nullptr) return 0;
  const std::string_view text = labels->StringAt("polex.kyverno.io/priority");
  std::int64_t out = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), out);
  return result.ec == std::errc() && result.ptr == text.data() + text.size() ? out : 0;
}

Form LoadForm(const Value& spec, base::ErrorList& errors) {
  Form out;
  const auto conditions = Items(spec, "matchConditions");
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    Expression expression =
        CompileCondition(conditions[i].StringAt("expression"), ResultType::kBool);
    if (!expression) {
      errors.emplace_back(base::ErrorCode::kInvalid, InvalidText(expression),
                          ItemPath("spec.matchConditions", i, "expression"));
    }
    out.conditions.push_back(std::move(expression));
  }
  LoadControls(spec, out, errors);
  return out;
}

}  // namespace

bool PolicyException::RefersTo(std::string_view policy_kind, std::string_view policy_name) const {
  return std::any_of(refs.begin(), refs.end(), [&](const PolicyRef& ref) {
    return ref.kind == policy_kind && ref.name == policy_name;
  });
}

std::string PolicyException::Key() const { return ns.empty() ? name : ns + "/" + name; }

base::Result<std::shared_ptr<const Form>> RewriteForm(const Form& form, const Rewrite& rewrite) {
  auto out = std::make_shared<Form>(form);
  bool changed = false;
  base::Error problem;
  // False: `problem` says why.
  const auto apply = [&](Expression& expression, ResultType wanted) {
    if (expression.source.empty()) return true;
    auto text = rewrite(expression.source);
    if (!text.ok()) {
      problem = text.TakeError();
      return false;
    }
    if (*text == expression.source) return true;
    changed = true;
    expression = CompileCondition(*text, wanted);
    if (expression) return true;
    problem = base::Error(base::ErrorCode::kInvalid, InvalidText(expression));
    return false;
  };
  for (Expression& condition : out->conditions) {
    if (!apply(condition, ResultType::kBool)) return problem;
  }
  for (Control& control : out->controls) {
    if (!apply(control.expression, ResultType::kBool) ||
        !apply(control.message_expression, ResultType::kString)) {
      return problem;
    }
  }
  if (!changed) return std::shared_ptr<const Form>();
  return std::shared_ptr<const Form>(std::move(out));
}

PolicyException LoadException(const Value& object, base::ErrorList& errors,
                              std::vector<std::string>& warnings) {
  PolicyException out;
  if (const Value* metadata = object.Find("metadata"); metadata != nullptr) {
    out.name = metadata->StringAt("name");
    out.ns = metadata->StringAt("namespace");
    out.priority = PriorityOf(*metadata);
  }
  const Value* member = object.Find("spec");
  const Value spec = member != nullptr && member->is_map() ? *member : Value::EmptyMap();
  LoadRefs(spec, out, errors);
  out.form = LoadForm(spec, errors);
  out.images = Strings(spec, "images");
  out.allowed_values = Strings(spec, "allowedValues");
  LoadExpiry(spec, out, errors);
  if (const Value* properties = spec.Find("properties");
      properties != nullptr && properties->is_map()) {
    for (const doc::MapEntry& entry : properties->as_map()) {
      if (!entry.key.is_string() || !entry.value.is_string()) continue;
      out.properties.emplace_back(entry.key.as_string(), entry.value.as_string());
    }
  }
  const std::string_view report = spec.StringAt("reportResult");
  out.report_pass = report == "pass";
  if (!report.empty() && report != "pass" && report != "skip") {
    errors.emplace_back(
        base::ErrorCode::kUnsupported,
        "Unsupported value: \"" + std::string(report) + "\": supported values: \"skip\", \"pass\"",
        "spec.reportResult");
  }
  out.evaluation_mode = spec.StringAt("evaluationMode");
  if (errors.empty() && out.form.conditions.empty() && out.full() && out.form.controls.empty()) {
    warnings.push_back("PolicyException " + out.Key() +
                       " has no matchConditions: it exempts every resource");
  }
  return out;
}

}  // namespace portcullis::exceptions
