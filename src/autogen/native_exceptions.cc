#include "autogen/native_exceptions.h"

#include <algorithm>

#include "autogen/source_edits.h"
#include "doc/path.h"

namespace portcullis::autogen {

using cel::TokenType;

namespace {

std::span<const doc::Value> ListAt(const doc::Value& map, std::string_view key) {
  const doc::Value* list = map.Find(key);
  if (list == nullptr || !list->is_list()) return {};
  return list->as_list();
}

// A CEL string literal.
std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\\' || c == '\'') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\r') {
      quoted += "\\r";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string ListLiteral(std::span<const doc::Value> items) {
  std::string list = "[";
  for (const doc::Value& item : items) {
    if (!item.is_string()) continue;
    if (list.size() > 1) list += ", ";
    list += Quoted(item.as_string());
  }
  return list + "]";
}

// Behind a comment at the end of an expression nothing else may follow on its line.
std::string Parenthesised(std::string_view expression) {
  const bool comment = expression.find("//") != std::string_view::npos;
  return "(" + std::string(expression) + (comment ? "\n)" : ")");
}

bool RefersTo(const doc::Value& exception, std::string_view kind, std::string_view name) {
  for (const doc::Value& ref : ListAt(*exception.Find("spec"), "policyRefs")) {
    if (ref.StringAt("kind") == kind && ref.StringAt("name") == name) return true;
  }
  return false;
}

// All conditions of an exception as one.
struct Conjunction {
  std::string expression;  // empty if there are none
  std::string name;        // of the only one
  std::size_t count = 0;
};

Conjunction ConditionsOf(const doc::Value& spec, bool controls) {
  Conjunction all;
  const auto add = [&](std::string_view list) {
    for (const doc::Value& item : ListAt(spec, list)) {
      const std::string_view expression = item.StringAt("expression");
      if (expression.empty()) continue;
      if (!all.expression.empty()) all.expression += " && ";
      all.expression += Parenthesised(expression);
      all.name = item.StringAt("name");
      ++all.count;
    }
  };
  add("matchConditions");
  if (controls) add("validations");
  return all;
}

void AddList(std::string& sum, std::span<const doc::Value> items, const std::string& condition) {
  if (items.empty()) return;
  if (!sum.empty()) sum += " + ";
  sum += condition.empty() ? ListLiteral(items)
                           : "(" + condition + " ? " + ListLiteral(items) + " : [])";
}

}  // namespace

FoldedExceptions FoldExceptions(const doc::Value& policy, std::span<const doc::Value> exceptions,
                                bool controls) {
  FoldedExceptions folded;
  const std::string_view kind = policy.StringAt("kind");
  const doc::Value* metadata = policy.Find("metadata");
  const std::string_view name = metadata == nullptr ? "" : metadata->StringAt("name");
  for (const doc::Value& exception : exceptions) {
    const doc::Value* spec = exception.Find("spec");
    if (spec == nullptr || !spec->is_map() || !RefersTo(exception, kind, name)) continue;
    const doc::Value* own = exception.Find("metadata");
    const std::string own_name(own == nullptr ? "" : own->StringAt("name"));
    const std::string title = "the exception \"" + own_name + "\"";
    if (spec->Find("expiresAt") != nullptr) {
      folded.refusals.push_back(title + " expires, and a native policy cannot");
      continue;
    }
    const Conjunction all = ConditionsOf(*spec, controls);
    const std::span<const doc::Value> images = ListAt(*spec, "images");
    const std::span<const doc::Value> values = ListAt(*spec, "allowedValues");
    if (controls && !ListAt(*spec, "validations").empty()) {
      folded.warnings.push_back(title + " has validations whose messages are not shown");
    }
    if (spec->StringAt("reportResult") == "pass") {
      folded.warnings.push_back(title + " asks for reports, which native policies do not make");
    }
    if (images.empty() && values.empty()) {
      Exemption exemption;
      exemption.name = all.count == 1 && !all.name.empty() ? all.name : own_name;
      exemption.expression = all.count == 0   ? "false"
                             : all.count == 1 ? "!" + all.expression
                                              : "!(" + all.expression + ")";
      folded.exemptions.push_back(std::move(exemption));
      continue;
    }
    AddList(folded.allowed_images, images, all.expression);
    AddList(folded.allowed_values, values, all.expression);
  }
  for (std::string* list : {&folded.allowed_images, &folded.allowed_values}) {
    if (list->empty()) *list = "[]";
  }
  return folded;
}

std::string WithoutExceptions(std::string_view expression, std::string_view images,
                              std::string_view values) {
  const std::vector<cel::Token> tokens = Tokenize(expression);
  SourceEdits edits(expression);
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].type != TokenType::kIdentifier || tokens[i].Text(expression) != "exceptions" ||
        tokens[i + 1].type != TokenType::kDot || (i > 0 && tokens[i - 1].type == TokenType::kDot)) {
      continue;
    }
    const std::string_view field = tokens[i + 2].Text(expression);
    if (field == "allowedImages") {
      edits.Add({tokens[i].begin, tokens[i + 2].end, std::string(images)});
    } else if (field == "allowedValues") {
      edits.Add({tokens[i].begin, tokens[i + 2].end, std::string(values)});
    }
  }
  return edits.Render(0, static_cast<std::uint32_t>(expression.size()));
}

}  // namespace portcullis::autogen
