#ifndef PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_TEMPLATE_H_
#define PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_TEMPLATE_H_

// Generation templates: YAML documents whose scalars may hold placeholders
// (spec/kyverno-cel-policies.md 5.3). Compiled once; immutable, thread-safe.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "cel/eval/program.h"
#include "doc/value.h"
#include "policy/kyverno_cel/load.h"

namespace portcullis::policy::kyverno_cel {

class Template {
 public:
  // Null and `error` when it does not compile. `arena` lives as long as the template;
  // `interpolate` false: placeholders are plain text.
  static std::shared_ptr<const Template> Compile(std::string_view text, bool interpolate,
                                                 const Scope& scope, base::Arena& arena,
                                                 std::string& error);

  // Appends one object per document. False and `error` when a placeholder cannot be filled.
  bool Render(cel::Activation& activation, base::Arena& arena, const cel::EvalOptions& options,
              std::vector<doc::Value>& out, std::string& error) const;

  // Of the placeholders, in the order of the text.
  std::vector<const Expression*> expressions() const;

 private:
  friend class TemplateCompiler;
  friend class TemplateRenderer;

  // Text and expressions that make one scalar.
  struct Part {
    std::string text;
    Expression expression;  // without a program: `text`
  };
  struct Node {
    enum class Kind : std::uint8_t { kConstant, kMap, kList, kScalar };
    Kind kind = Kind::kConstant;
    doc::Value constant;           // kConstant
    std::vector<doc::Value> keys;  // kMap
    std::vector<Node> children;    // kMap, kList
    std::vector<Part> parts;       // kScalar
  };

  std::vector<Node> documents_;
};

}  // namespace portcullis::policy::kyverno_cel

#endif  // PORTCULLIS_POLICY_KYVERNO_CEL_GENERATING_TEMPLATE_H_
