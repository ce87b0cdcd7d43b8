#ifndef PORTCULLIS_AUTOGEN_PATCH_LITERALS_H_
#define PORTCULLIS_AUTOGEN_PATCH_LITERALS_H_

// Moves what the mutations of a policy construct: Object{} literals are wrapped into the Pod
// template, their type names follow, and paths of JSONPatch{} literals get its steps
// (spec/kyverno-cel-policies.md 9.6). Borrows tree and tokens; used once, by one thread.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "autogen/autogen.h"
#include "autogen/source_edits.h"
#include "cel/syntax/ast.h"

namespace portcullis::autogen {

class PatchLiterals {
 public:
  PatchLiterals(const cel::Ast& ast, const std::vector<cel::Token>& tokens, Group group)
      : ast_(ast), tokens_(tokens), group_(group) {}

  // To be called for every struct literal, outer ones before inner ones.
  void Visit(cel::ExprId id);
  // Adds the edits; those of everything else must be there already. False: edits collide.
  bool Apply(SourceEdits& edits) const;

  bool paths_open() const { return paths_open_; }
  const std::string& refusal() const { return refusal_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct Range {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  // An Object{} of which some members stay: written anew from the ranges of its members.
  struct Split {
    Range whole;
    std::vector<Range> kept;           // members of Object{}
    std::vector<Range> kept_metadata;  // members of Object.metadata{}
    std::vector<Range> moved;
    std::vector<Range> moved_metadata;
  };

  void VisitObject(const cel::Expr& node);
  void VisitPart(cel::ExprId id, const cel::Expr& node);
  void VisitJsonPatch(const cel::Expr& node);
  // `whole`: it is the path and not only its beginning. True if it was decided whether it moves.
  bool MovePath(cel::ExprId id, bool whole);
  bool MoveLiteral(const cel::Expr& node, bool whole);
  // The types in an Object.metadata{} that stays.
  void Keep(cel::ExprId id);
  bool IsDone(cel::ExprId id) const;
  void MoveTypeName(const cel::Expr& node);
  bool HasControllerField(const cel::Expr& node) const;
  std::size_t OpenBrace(const cel::Expr& node) const;
  std::vector<Range> Members(const cel::Expr& node) const;
  std::string Opening() const;
  std::string Closing() const;

  const cel::Ast& ast_;
  const std::vector<cel::Token>& tokens_;
  Group group_;
  std::vector<Edit> edits_;
  std::vector<Split> splits_;      // outer ones first
  std::vector<cel::ExprId> done_;  // Object.metadata{} literals that are decided on
  bool paths_open_ = false;
  std::string refusal_;
  std::vector<std::string> remarks_;
};

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_PATCH_LITERALS_H_
