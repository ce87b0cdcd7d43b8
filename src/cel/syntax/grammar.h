#ifndef PORTCULLIS_CEL_SYNTAX_GRAMMAR_H_
#define PORTCULLIS_CEL_SYNTAX_GRAMMAR_H_

// The CEL grammar as data, with what may follow at each point of it (spec/cel.md 3). The recovering
// parser walks it; which tokens an error message lists, which token may be dropped or supplied and
// where parsing goes on all come from the states below. Immutable after construction, thread-safe.

#include <array>
#include <cstdint>
#include <vector>

#include "cel/syntax/token.h"

namespace portcullis::cel::grammar {

using TokenSet = std::uint64_t;
inline constexpr TokenSet kEpsilon = std::uint64_t{1} << 63;  // the end of the rule is reachable

constexpr TokenSet SetOf(TokenType type) { return std::uint64_t{1} << static_cast<unsigned>(type); }
constexpr bool Contains(TokenSet set, TokenType type) { return (set & SetOf(type)) != 0; }

enum class Rule : std::uint8_t {
  kStart,
  kExpr,
  kOr,
  kAnd,
  kRelation,
  kCalc,
  kUnary,
  kMember,
  kPrimary,
  kExprList,
  kListInit,
  kFieldList,
  kOptField,
  kMapList,
  kEscapeIdent,
  kOptExpr,
  kLiteral,
  kCount
};
inline constexpr std::size_t kRuleCount = static_cast<std::size_t>(Rule::kCount);

// What a matched token or part is to its context.
enum class Label : std::uint8_t {
  kNone,
  kOp,
  kFirst,
  kSecond,
  kThird,
  kMember,
  kId,
  kOpt,
  kOpen,
  kArgs,
  kElems,
  kEntries,
  kDot,
  kCols,
  kFields,
  kKeys,
  kValues,
  kSign,
  kTok
};

using StateId = std::uint16_t;

enum class StateKind : std::uint8_t { kBasic, kBlockStart, kLoopBack };

struct State {
  StateKind kind = StateKind::kBasic;
  Rule rule = Rule::kStart;
  TokenSet next = 0;  // tokens that can come next within the rule
};

enum class ElementKind : std::uint8_t {
  kToken,
  kRule,
  kSequence,
  kChoice,
  kOptional,
  kStar,
  kPlus
};

// How a choice or loop is decided.
enum class Decision : std::uint8_t {
  kFirstToken,
  kRelationLoop,
  kCalcLoop,
  kCalcOperator,
  kMemberSuffix,
  kUnary,
  kMinusLoop,
  kPrimary,
  kLiteral,
  kListLoop,
  kFieldLoop,
  kMapLoop
};

struct Element {
  ElementKind kind = ElementKind::kSequence;
  Label label = Label::kNone;
  Decision decision = Decision::kFirstToken;
  std::uint8_t precedence = 0;  // of a called rule
  Rule rule = Rule::kStart;     // called
  TokenSet tokens = 0;          // kToken: matched; others: that can start it
  StateId state = 0;            // before it: block start, loop entry for kStar
  StateId after = 0;            // kToken, kRule: behind it
  StateId loop_back = 0;        // kStar, kPlus
  bool recursive = false;       // kChoice: alternatives of a left-recursive loop
  std::vector<std::uint16_t> items;
};

class Grammar {
 public:
  static const Grammar& Get();

  const Element& element(std::uint16_t id) const { return elements_[id]; }
  const State& state(StateId id) const { return states_[id]; }
  const Element& body(Rule rule) const { return elements_[bodies_[Index(rule)]]; }
  StateId start(Rule rule) const { return starts_[Index(rule)]; }

  static constexpr bool IsLeftRecursive(Rule rule) {
    return rule == Rule::kRelation || rule == Rule::kCalc || rule == Rule::kMember;
  }
  static constexpr std::size_t Index(Rule rule) { return static_cast<std::size_t>(rule); }

 private:
  using Id = std::uint16_t;
  using Ids = std::vector<Id>;

  Grammar();
  Id Add(Element element);
  Id Tok(TokenSet tokens, Label label = Label::kNone);
  Id Call(Rule rule, Label label, std::uint8_t precedence = 0);
  Id Seq(Ids items);
  Id Choice(Ids items, Decision decision, bool recursive = false);
  Id Opt(Id item);
  Id Star(Id item, Decision decision = Decision::kFirstToken);
  Id Plus(Id item, Decision decision = Decision::kFirstToken);
  void Define(Rule rule, Id body) { bodies_[Index(rule)] = body; }
  void DefineOperators();
  void DefineNames();
  void DefineLists();
  StateId NewState(StateKind kind, TokenSet next);
  TokenSet First(Id id, TokenSet follow);
  // Gives the element its states; `follow` is what can come behind it within the rule.
  void Link(Id id, TokenSet follow, StateId after);

  std::vector<Element> elements_;
  std::vector<State> states_;
  std::array<Id, kRuleCount> bodies_{};
  std::array<StateId, kRuleCount> starts_{};
  Rule linking_ = Rule::kStart;
};

}  // namespace portcullis::cel::grammar

#endif  // PORTCULLIS_CEL_SYNTAX_GRAMMAR_H_
