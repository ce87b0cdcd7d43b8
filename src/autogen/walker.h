#ifndef PORTCULLIS_AUTOGEN_WALKER_H_
#define PORTCULLIS_AUTOGEN_WALKER_H_

// Finds in one syntax tree the places that read the Pod, follows values through variables, macros
// and optionals, and collects the edits (spec/kyverno-cel-policies.md 9.5). Borrows everything;
// used once, by one thread.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "autogen/autogen.h"
#include "autogen/patch_literals.h"
#include "autogen/shape.h"
#include "autogen/source_edits.h"
#include "cel/syntax/ast.h"

namespace portcullis::autogen {

using AliasTable = std::map<std::string, Alias, std::less<>>;

class Walker {
 public:
  Walker(const cel::Ast& ast, Group group, bool patches, AliasTable& aliases);

  // The shape of the whole expression. Call once, first.
  Shape Walk();

  // The expression rewritten. `kept`: a part of the Pod that the whole expression is stays with the
  // workload. `trimmed`: without what stands around the expression.
  std::string Render(const Shape& root, bool kept, bool trimmed);
  // Tells aliases how they are used; not those that the whole expression is.
  void CastVotes(const Shape& root);

  const std::string& refusal() const { return refusal_; }
  std::string Reason() const;
  bool patch_paths_open() const { return patches_ && literals_.paths_open(); }

 private:
  using Kind = Shape::Kind;

  // A place that reads `metadata` or `spec` of the Pod, or a variable that is one of them.
  struct Place {
    Kind kind = Kind::kOther;
    Edit move;  // without text: nothing to do
    Edit keep;  //
    Alias* alias = nullptr;
    std::string said;           // as its author wrote it
    std::string kept_for;       // the field that asks for the workload's
    bool optional_use = false;  // `variables.?md`
    bool shadowed = false;      // a macro hides a name that the definition of `alias` may use
    bool wants_keep = false;
    bool wants_move = false;
  };
  struct Binding {
    std::string_view name;
    Shape shape;
  };
  struct Access {                           // `.f`, `.?f`, `["f"]`, `[?"f"]`, has(x.f)
    std::optional<std::string_view> field;  // none: not known before evaluation
    bool index = false;
    bool optional = false;
  };

  Shape Visit(cel::ExprId id);
  Shape VisitIdent(const cel::Expr& node);
  Shape VisitCall(const cel::Expr& node);
  Shape VisitMethod(const cel::Expr& node);
  Shape VisitOptional(const cel::Expr& node);
  Shape VisitEquality(const cel::Expr& node);
  Shape VisitContains(const cel::Expr& node);
  Shape VisitList(const cel::Expr& node);
  Shape VisitMap(const cel::Expr& node);
  Shape VisitComprehension(const cel::Expr& node);
  Shape VisitAccess(const cel::Expr& node, cel::ExprId target, const Access& access);
  Shape ReadPod(const cel::Expr& node, const cel::Expr& target, const Shape& pod,
                const Access& access);
  Shape ReadVariable(const cel::Expr& node, const Access& access);
  Shape ItemOf(const Shape& list) const;
  // The whole Pod, or a part of it, goes where it can no longer be followed.
  void Escape(const Shape& shape, std::string_view where);
  void Resolve(const Shape& shape, std::optional<std::string_view> field);
  Edit InsertSteps(const cel::Expr& node, const cel::Expr& target, const Access& access) const;
  std::uint32_t AddPlace(std::uint32_t at, Place place);
  std::optional<std::string> PasteAlias(const Place& place, bool kept) const;
  void Refuse(std::string reason);
  void Remark(std::string text);

  static Shape Join(const Shape& a, const Shape& b);
  std::string_view Source(std::uint32_t begin, std::uint32_t end) const;

  const cel::Ast& ast_;
  Group group_;
  bool patches_;
  AliasTable& aliases_;
  std::vector<cel::Token> tokens_;
  PatchLiterals literals_;
  std::vector<Place> places_;
  std::map<std::uint32_t, std::uint32_t> place_at_;  // by where the edit is: copies share a place
  std::vector<Binding> scope_;
  int depth_ = 0;
  std::string refusal_;
  std::vector<std::string> remarks_;
};

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_WALKER_H_
