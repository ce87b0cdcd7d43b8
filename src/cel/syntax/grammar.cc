#include "cel/syntax/grammar.h"

#include <utility>

namespace portcullis::cel::grammar {

namespace {

using T = TokenType;

constexpr TokenSet kRelationOps = SetOf(T::kEqual) | SetOf(T::kNotEqual) | SetOf(T::kIn) |
                                  SetOf(T::kLess) | SetOf(T::kLessEqual) | SetOf(T::kGreaterEqual) |
                                  SetOf(T::kGreater);
constexpr TokenSet kProductOps = SetOf(T::kStar) | SetOf(T::kSlash) | SetOf(T::kPercent);
constexpr TokenSet kSumOps = SetOf(T::kPlus) | SetOf(T::kMinus);

}  // namespace

const Grammar& Grammar::Get() {
  static const Grammar kGrammar;
  return kGrammar;
}

Grammar::Id Grammar::Add(Element element) {
  elements_.push_back(std::move(element));
  return static_cast<Id>(elements_.size() - 1);
}

Grammar::Id Grammar::Tok(TokenSet tokens, Label label) {
  Element element;
  element.kind = ElementKind::kToken;
  element.tokens = tokens;
  element.label = label;
  return Add(element);
}

Grammar::Id Grammar::Call(Rule rule, Label label, std::uint8_t precedence) {
  Element element;
  element.kind = ElementKind::kRule;
  element.rule = rule;
  element.label = label;
  element.precedence = precedence;
  return Add(element);
}

Grammar::Id Grammar::Seq(Ids items) {
  Element element;
  element.items = std::move(items);
  return Add(element);
}

Grammar::Id Grammar::Choice(Ids items, Decision decision, bool recursive) {
  Element element;
  element.kind = ElementKind::kChoice;
  element.items = std::move(items);
  element.decision = decision;
  element.recursive = recursive;
  return Add(element);
}

Grammar::Id Grammar::Opt(Id item) {
  Element element;
  element.kind = ElementKind::kOptional;
  element.items = {item};
  return Add(element);
}

Grammar::Id Grammar::Star(Id item, Decision decision) {
  Element element;
  element.kind = ElementKind::kStar;
  element.items = {item};
  element.decision = decision;
  return Add(element);
}

Grammar::Id Grammar::Plus(Id item, Decision decision) {
  const Id id = Star(item, decision);
  elements_[id].kind = ElementKind::kPlus;
  return id;
}

void Grammar::DefineOperators() {
  Define(Rule::kStart, Seq({Call(Rule::kExpr, Label::kFirst), Tok(SetOf(T::kEof))}));
  Define(Rule::kExpr,
         Seq({Call(Rule::kOr, Label::kFirst),
              Opt(Seq({Tok(SetOf(T::kQuestion), Label::kOp), Call(Rule::kOr, Label::kSecond),
                       Tok(SetOf(T::kColon)), Call(Rule::kExpr, Label::kThird)}))}));
  Define(Rule::kOr,
         Seq({Call(Rule::kAnd, Label::kFirst),
              Star(Seq({Tok(SetOf(T::kOr), Label::kOp), Call(Rule::kAnd, Label::kSecond)}))}));
  Define(
      Rule::kAnd,
      Seq({Call(Rule::kRelation, Label::kFirst),
           Star(Seq({Tok(SetOf(T::kAnd), Label::kOp), Call(Rule::kRelation, Label::kSecond)}))}));
  Define(Rule::kRelation, Seq({Call(Rule::kCalc, Label::kFirst),
                               Star(Choice({Seq({Tok(kRelationOps, Label::kOp),
                                                 Call(Rule::kRelation, Label::kSecond, 2)})},
                                           Decision::kRelationLoop, true),
                                    Decision::kRelationLoop)}));
  Define(
      Rule::kCalc,
      Seq({Call(Rule::kUnary, Label::kFirst),
           Star(Choice({Seq({Tok(kProductOps, Label::kOp), Call(Rule::kCalc, Label::kSecond, 3)}),
                        Seq({Tok(kSumOps, Label::kOp), Call(Rule::kCalc, Label::kSecond, 2)})},
                       Decision::kCalcOperator, true),
                Decision::kCalcLoop)}));
  Define(Rule::kUnary, Choice({Call(Rule::kMember, Label::kMember),
                               Seq({Plus(Tok(SetOf(T::kExclamation), Label::kOp)),
                                    Call(Rule::kMember, Label::kMember)}),
                               Seq({Plus(Tok(SetOf(T::kMinus), Label::kOp), Decision::kMinusLoop),
                                    Call(Rule::kMember, Label::kMember)})},
                              Decision::kUnary));
}

void Grammar::DefineNames() {
  Define(
      Rule::kMember,
      Seq({Call(Rule::kPrimary, Label::kFirst),
           Star(
               Choice({Seq({Tok(SetOf(T::kDot), Label::kOp),
                            Opt(Tok(SetOf(T::kQuestion), Label::kOpt)),
                            Call(Rule::kEscapeIdent, Label::kId)}),
                       Seq({Tok(SetOf(T::kDot), Label::kOp), Tok(SetOf(T::kIdentifier), Label::kId),
                            Tok(SetOf(T::kLeftParen), Label::kOpen),
                            Opt(Call(Rule::kExprList, Label::kArgs)), Tok(SetOf(T::kRightParen))}),
                       Seq({Tok(SetOf(T::kLeftBracket), Label::kOp),
                            Opt(Tok(SetOf(T::kQuestion), Label::kOpt)),
                            Call(Rule::kExpr, Label::kSecond), Tok(SetOf(T::kRightBracket))})},
                      Decision::kMemberSuffix, true),
               Decision::kFirstToken)}));
  const auto leading_dot = [this] { return Opt(Tok(SetOf(T::kDot), Label::kDot)); };
  const auto comma = [this] { return Opt(Tok(SetOf(T::kComma))); };
  const Id ident = Seq({leading_dot(), Tok(SetOf(T::kIdentifier), Label::kId)});
  const Id call = Seq({leading_dot(), Tok(SetOf(T::kIdentifier), Label::kId),
                       Tok(SetOf(T::kLeftParen), Label::kOp),
                       Opt(Call(Rule::kExprList, Label::kArgs)), Tok(SetOf(T::kRightParen))});
  const Id nested = Seq(
      {Tok(SetOf(T::kLeftParen)), Call(Rule::kExpr, Label::kFirst), Tok(SetOf(T::kRightParen))});
  const Id list =
      Seq({Tok(SetOf(T::kLeftBracket), Label::kOp), Opt(Call(Rule::kListInit, Label::kElems)),
           comma(), Tok(SetOf(T::kRightBracket))});
  const Id map =
      Seq({Tok(SetOf(T::kLeftBrace), Label::kOp), Opt(Call(Rule::kMapList, Label::kEntries)),
           comma(), Tok(SetOf(T::kRightBrace))});
  const Id message =
      Seq({leading_dot(), Tok(SetOf(T::kIdentifier), Label::kId),
           Star(Seq({Tok(SetOf(T::kDot)), Tok(SetOf(T::kIdentifier), Label::kId)})),
           Tok(SetOf(T::kLeftBrace), Label::kOp), Opt(Call(Rule::kFieldList, Label::kEntries)),
           comma(), Tok(SetOf(T::kRightBrace))});
  Define(Rule::kPrimary,
         Choice({ident, call, nested, list, map, message, Call(Rule::kLiteral, Label::kFirst)},
                Decision::kPrimary));
  Define(Rule::kEscapeIdent, Choice({Tok(SetOf(T::kIdentifier), Label::kId),
                                     Tok(SetOf(T::kEscapedIdentifier), Label::kId)},
                                    Decision::kFirstToken));
  const auto sign = [this] { return Opt(Tok(SetOf(T::kMinus), Label::kSign)); };
  const auto tok = [this](T type) { return Tok(SetOf(type), Label::kTok); };
  Define(Rule::kLiteral,
         Choice({Seq({sign(), tok(T::kInt)}), tok(T::kUint), Seq({sign(), tok(T::kFloat)}),
                 tok(T::kString), tok(T::kBytes), tok(T::kTrue), tok(T::kFalse), tok(T::kNull)},
                Decision::kLiteral));
}

void Grammar::DefineLists() {
  const auto comma = [this] { return Tok(SetOf(T::kComma)); };
  Define(Rule::kExprList, Seq({Call(Rule::kExpr, Label::kFirst),
                               Star(Seq({comma(), Call(Rule::kExpr, Label::kFirst)}))}));
  Define(Rule::kListInit,
         Seq({Call(Rule::kOptExpr, Label::kElems),
              Star(Seq({comma(), Call(Rule::kOptExpr, Label::kElems)}), Decision::kListLoop)}));
  const auto field = [this](Ids before) {
    before.insert(before.end(),
                  {Call(Rule::kOptField, Label::kFields), Tok(SetOf(T::kColon), Label::kCols),
                   Call(Rule::kExpr, Label::kValues)});
    return Seq(before);
  };
  Define(Rule::kFieldList, Seq({field({}), Star(field({comma()}), Decision::kFieldLoop)}));
  const auto entry = [this](Ids before) {
    before.insert(before.end(),
                  {Call(Rule::kOptExpr, Label::kKeys), Tok(SetOf(T::kColon), Label::kCols),
                   Call(Rule::kExpr, Label::kValues)});
    return Seq(before);
  };
  Define(Rule::kMapList, Seq({entry({}), Star(entry({comma()}), Decision::kMapLoop)}));
  Define(Rule::kOptField,
         Seq({Opt(Tok(SetOf(T::kQuestion), Label::kOpt)), Call(Rule::kEscapeIdent, Label::kId)}));
  Define(Rule::kOptExpr,
         Seq({Opt(Tok(SetOf(T::kQuestion), Label::kOpt)), Call(Rule::kExpr, Label::kFirst)}));
}

Grammar::Grammar() {
  DefineOperators();
  DefineNames();
  DefineLists();
  for (std::size_t i = 0; i < kRuleCount; ++i) {
    linking_ = static_cast<Rule>(i);
    starts_[i] = NewState(StateKind::kBasic, First(bodies_[i], kEpsilon));
    const StateId end = NewState(StateKind::kBasic, kEpsilon);
    Link(bodies_[i], kEpsilon, end);
  }
}

StateId Grammar::NewState(StateKind kind, TokenSet next) {
  states_.push_back({kind, linking_, next});
  return static_cast<StateId>(states_.size() - 1);
}

TokenSet Grammar::First(Id id, TokenSet follow) {
  const Element& element = elements_[id];
  switch (element.kind) {
    case ElementKind::kToken:
      return element.tokens;
    case ElementKind::kRule:
      return First(bodies_[Index(element.rule)], 0);  // no rule is empty
    case ElementKind::kSequence: {
      // From the front, and only as far as parts can be empty: rules contain each other.
      TokenSet set = 0;
      for (const Id item : element.items) {
        set |= First(item, 0);
        const ElementKind kind = elements_[item].kind;
        if (kind != ElementKind::kOptional && kind != ElementKind::kStar) return set;
      }
      return set | follow;
    }
    case ElementKind::kChoice: {
      TokenSet set = 0;
      for (const Id item : element.items) set |= First(item, follow);
      return set;
    }
    case ElementKind::kOptional:
    case ElementKind::kStar:
      return First(element.items[0], follow) | follow;
    case ElementKind::kPlus:
      return First(element.items[0], follow);
  }
  return 0;
}

void Grammar::Link(Id id, TokenSet follow, StateId after) {
  const TokenSet next = First(id, follow);
  const ElementKind kind = elements_[id].kind;
  const Ids items = elements_[id].items;
  switch (kind) {
    case ElementKind::kToken:
    case ElementKind::kRule:
      elements_[id].state = NewState(StateKind::kBasic, next);
      elements_[id].after = after;
      break;
    case ElementKind::kSequence: {
      for (std::size_t i = items.size(); i-- > 0;) {
        Link(items[i], follow, after);
        follow = First(items[i], follow);
        after = elements_[items[i]].state;
      }
      elements_[id].state = after;
      break;
    }
    case ElementKind::kChoice:
    case ElementKind::kOptional:
      elements_[id].state = NewState(StateKind::kBlockStart, next);
      for (const Id item : items) Link(item, follow, after);
      break;
    case ElementKind::kStar:
    case ElementKind::kPlus: {
      const TokenSet again = First(items[0], 0) | follow;
      elements_[id].state = NewState(StateKind::kBlockStart, next);
      elements_[id].loop_back = NewState(StateKind::kLoopBack, again);
      Link(items[0], again, elements_[id].loop_back);
      break;
    }
  }
  if (kind != ElementKind::kToken) elements_[id].tokens = First(id, 0);
}

}  // namespace portcullis::cel::grammar
