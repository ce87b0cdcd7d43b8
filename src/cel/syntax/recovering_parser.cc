#include "cel/syntax/recovering_parser.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/escape.h"
#include "cel/syntax/grammar.h"
#include "cel/syntax/lookahead.h"
#include "cel/syntax/parse_tree.h"
#include "cel/syntax/token_stream.h"
#include "cel/syntax/tree_builder.h"

namespace portcullis::cel {

namespace {

using grammar::Contains;
using grammar::Decision;
using grammar::Element;
using grammar::ElementKind;
using grammar::Grammar;
using grammar::kEpsilon;
using grammar::Rule;
using grammar::SetOf;
using grammar::StateId;
using grammar::StateKind;
using grammar::TokenSet;

constexpr int kMaxRuleDepth = 250;
constexpr int kMaxRecoveries = 30;
constexpr int kMaxSkipped = 256;
constexpr int kMaxReports = 100;

// Walks the grammar over the tokens. A rule that fails reports once, skips to a token that a
// caller can go on with, and returns; further failures are silent until a token matches.
class Walker {
 public:
  Walker(std::string_view source, Issues& issues)
      : grammar_(Grammar::Get()), tokens_(source), lookahead_(tokens_), issues_(issues) {}

  // The root of tree(), kNoTree if a limit ended the parse.
  TreeId Run() {
    const TreeId root = RunRule(Rule::kStart, 0, kNoCaller);
    DrainLexer();
    return aborted_ ? kNoTree : root;
  }
  const ParseTree& tree() const { return tree_; }

 private:
  static constexpr StateId kNoCaller = 0xFFFF;

  struct Frame {
    StateId follow;  // where the caller goes on
    StateId caller;
    Rule rule;
    std::uint8_t precedence;
    TreeId node;
  };
  enum class Failure { kNone, kMismatch, kNoAlternative };

  TreeNode& node() { return tree_[frames_.back().node]; }

  // The tree. What does not recurse stays out of line: the depth of rules limits nested text, so
  // frames must be small.
  [[gnu::noinline]] TreeId NewNode(Rule rule);
  TreeId RunRule(Rule rule, int precedence, StateId caller, StateId follow = kNoCaller);
  [[gnu::noinline]] void EnterRule(Rule rule);
  void LeaveRule(Rule rule) { --depth_[Grammar::Index(rule)]; }
  [[gnu::noinline]] void AddPart(grammar::Label label, TreeId child);
  [[gnu::noinline]] void PushRecursion(int alternative);

  // Elements: false means that the rule has failed.
  bool Walk(const Element& element);
  bool Walk(std::uint16_t id) { return Walk(grammar_.element(id)); }
  [[gnu::noinline]] bool WalkToken(const Element& element);
  bool WalkCall(const Element& element);
  bool WalkChoice(const Element& element);
  bool WalkRecursion(const Element& element);
  bool WalkOptional(const Element& element);
  bool WalkStar(const Element& element);
  bool WalkPlus(const Element& element);
  // 0 = failed.
  [[gnu::noinline]] int Choose(const Element& element);
  [[gnu::noinline]] bool GoesOn(const Element& loop);
  [[gnu::noinline]] bool FailAlternative(std::size_t dead_end);

  // Error handling.
  TokenSet Next(StateId state) const { return grammar_.state(state).next; }
  TokenSet Expected(TokenSet set) const;
  TokenSet ExpectedHere() const { return Expected(Next(state_)); }
  TokenSet RecoverySet() const;
  [[gnu::noinline]] bool Sync();
  bool DeleteToken();
  [[gnu::noinline]] bool RecoverInline(const Element& element);
  bool CountRecovery();
  [[gnu::noinline]] void ReportFailure();
  void ReportUnwanted();
  [[gnu::noinline]] void Recover();
  void ConsumeUntil(TokenSet set, bool limited);
  void Matched() {
    recovering_ = false;
    error_states_.clear();
    has_error_index_ = false;
  }
  void Abort(std::string message) {
    issues_.Add(Issue::kNoPosition, std::move(message));
    aborted_ = true;
  }

  // Texts.
  void Report(std::uint32_t position, std::string message);
  [[gnu::noinline]] void DrainLexer();
  static std::string Quote(std::string_view text);
  std::string Show(const Token& token) const { return Quote(tokens_.Text(token)); }
  static std::string Show(TokenSet set);

  const Grammar& grammar_;
  TokenStream tokens_;
  Lookahead lookahead_;
  Issues& issues_;
  ParseTree tree_;
  std::vector<Frame> frames_;
  std::array<int, grammar::kRuleCount> depth_{};
  StateId state_ = kNoCaller;
  Failure failure_ = Failure::kNone;
  Token failed_start_;
  Token failed_at_;
  bool recovering_ = false;
  bool has_error_index_ = false;
  std::size_t error_index_ = 0;
  std::vector<StateId> error_states_;
  int recoveries_ = 0;
  int skipped_ = 0;
  int reports_ = 0;
  bool aborted_ = false;
};

TreeId Walker::NewNode(Rule rule) {
  TreeNode fresh;
  fresh.rule = rule;
  fresh.start = tokens_.Peek(1);
  tree_.push_back(std::move(fresh));
  return static_cast<TreeId>(tree_.size() - 1);
}

void Walker::EnterRule(Rule rule) {
  if (++depth_[Grammar::Index(rule)] > kMaxRuleDepth) {
    Abort("expression recursion limit exceeded: 250");
  }
}

TreeId Walker::RunRule(Rule rule, int precedence, StateId caller, StateId follow) {
  const TreeId first = NewNode(rule);
  DrainLexer();
  frames_.push_back({follow, caller, rule, static_cast<std::uint8_t>(precedence), first});
  state_ = grammar_.start(rule);
  if (!aborted_) EnterRule(rule);
  if (aborted_) return first;
  const bool ok = Walk(grammar_.body(rule));
  if (aborted_) return first;
  if (!ok) {
    ReportFailure();
    if (!aborted_) Recover();
    failure_ = Failure::kNone;
    if (aborted_) return first;
  }
  LeaveRule(rule);
  if (!Grammar::IsLeftRecursive(rule)) state_ = caller;
  const TreeId result = frames_.back().node;
  frames_.pop_back();
  return result;
}

// What was parsed so far becomes the left operand of a new node of the same rule.
void Walker::PushRecursion(int alternative) {
  Frame& frame = frames_.back();
  TreeNode outer;
  outer.rule = frame.rule;
  outer.alternative = alternative;
  outer.recursive = true;
  outer.start = tree_[frame.node].start;
  TreeItem left;
  left.label = grammar::Label::kFirst;
  left.tree = frame.node;
  outer.items.push_back(left);
  tree_.push_back(std::move(outer));
  frame.node = static_cast<TreeId>(tree_.size() - 1);
  EnterRule(frame.rule);
}

bool Walker::Walk(const Element& element) {
  switch (element.kind) {
    case ElementKind::kToken:
      return WalkToken(element);
    case ElementKind::kRule:
      return WalkCall(element);
    case ElementKind::kSequence:
      for (const std::uint16_t item : element.items) {
        if (!Walk(item) || aborted_) return false;
      }
      return true;
    case ElementKind::kChoice:
      return WalkChoice(element);
    case ElementKind::kOptional:
      return WalkOptional(element);
    case ElementKind::kStar:
      return WalkStar(element);
    case ElementKind::kPlus:
      return WalkPlus(element);
  }
  return false;
}

bool Walker::WalkToken(const Element& element) {
  state_ = element.state;
  if (!Contains(element.tokens, tokens_.Type(1))) return RecoverInline(element);
  Matched();
  TreeItem item;
  item.label = element.label;
  item.token = tokens_.Peek(1);
  node().items.push_back(item);
  node().end = item.token.end;
  tokens_.Consume();
  DrainLexer();
  return !aborted_;
}

bool Walker::WalkCall(const Element& element) {
  state_ = element.state;
  const TreeId child = RunRule(element.rule, element.precedence, element.state, element.after);
  if (aborted_) return false;
  AddPart(element.label, child);
  return true;
}

void Walker::AddPart(grammar::Label label, TreeId child) {
  TreeItem item;
  item.label = label;
  item.tree = child;
  node().items.push_back(item);
  node().end = tree_[child].end;
}

bool Walker::WalkChoice(const Element& element) {
  state_ = element.state;
  if (!Sync()) return false;
  const int alternative = Choose(element);
  if (alternative == 0) return false;
  if (node().alternative == 0) node().alternative = alternative;
  return Walk(element.items[static_cast<std::size_t>(alternative) - 1]);
}

bool Walker::WalkRecursion(const Element& element) {
  int alternative = 1;
  LeaveRule(frames_.back().rule);
  if (element.items.size() > 1) {
    state_ = element.state;
    if (!Sync()) return false;
    alternative = Choose(element);
    if (alternative == 0) return false;
  }
  PushRecursion(alternative);
  return !aborted_ && Walk(element.items[static_cast<std::size_t>(alternative) - 1]);
}

bool Walker::WalkOptional(const Element& element) {
  state_ = element.state;
  if (!Sync()) return false;
  if (!Contains(element.tokens, tokens_.Type(1))) return true;
  return Walk(element.items[0]);
}

bool Walker::WalkStar(const Element& element) {
  state_ = element.state;
  if (!Sync()) return false;
  const Element& body = grammar_.element(element.items[0]);
  while (GoesOn(element)) {
    if (!(body.recursive ? WalkRecursion(body) : Walk(body)) || aborted_) return false;
    state_ = element.loop_back;
    if (!Sync()) return false;
  }
  return true;
}

bool Walker::WalkPlus(const Element& element) {
  state_ = element.state;
  if (!Sync()) return false;
  while (true) {
    if (!Walk(element.items[0]) || aborted_) return false;
    state_ = element.loop_back;
    if (!Sync()) return false;
    if (element.decision == Decision::kFirstToken) {
      if (!Contains(element.tokens, tokens_.Type(1))) return true;
      continue;
    }
    const int next = lookahead_.MinusLoop();
    DrainLexer();
    if (next == 0) return FailAlternative(lookahead_.dead_end());
    if (next == 2) return true;
  }
}

bool Walker::FailAlternative(std::size_t dead_end) {
  failure_ = Failure::kNoAlternative;
  failed_start_ = tokens_.Peek(1);
  failed_at_ = tokens_.Peek(dead_end);
  return false;
}

int Walker::Choose(const Element& element) {
  int chosen = 0;
  std::size_t dead_end = 1;
  switch (element.decision) {
    case Decision::kUnary:
      chosen = lookahead_.Unary();
      break;
    case Decision::kMemberSuffix:
      chosen = lookahead_.MemberSuffix();
      break;
    case Decision::kPrimary:
      chosen = lookahead_.Primary();
      break;
    case Decision::kLiteral:
      chosen = lookahead_.Literal();
      break;
    default:
      for (std::size_t i = 0; i < element.items.size() && chosen == 0; ++i) {
        const Element& item = grammar_.element(element.items[i]);
        const TokenSet first = item.kind == ElementKind::kToken ? item.tokens : Next(item.state);
        if (Contains(first, tokens_.Type(1))) chosen = static_cast<int>(i) + 1;
      }
  }
  if (chosen == 0) {
    if (element.decision != Decision::kFirstToken && element.decision != Decision::kCalcOperator) {
      dead_end = lookahead_.dead_end();
    }
    FailAlternative(dead_end);
  }
  DrainLexer();
  return aborted_ ? 0 : chosen;
}

bool Walker::GoesOn(const Element& loop) {
  const TokenType type = tokens_.Type(1);
  bool result = false;
  switch (loop.decision) {
    case Decision::kListLoop:
    case Decision::kMapLoop:
      result = lookahead_.ContinuesList();
      break;
    case Decision::kFieldLoop:
      result = lookahead_.ContinuesFields();
      break;
    case Decision::kRelationLoop:
      result = Contains(loop.tokens, type) && frames_.back().precedence <= 1;
      break;
    case Decision::kCalcLoop: {
      const bool sum = type == TokenType::kPlus || type == TokenType::kMinus;
      result = Contains(loop.tokens, type) && frames_.back().precedence <= (sum ? 1 : 2);
      break;
    }
    default:
      result = Contains(loop.tokens, type);
  }
  DrainLexer();
  return result && !aborted_;
}

// `set`, completed by what the callers allow if the end of the rule is in it.
TokenSet Walker::Expected(TokenSet set) const {
  for (std::size_t i = frames_.size(); i-- > 0 && (set & kEpsilon) != 0;) {
    if (frames_[i].follow == kNoCaller) break;
    set = (set & ~kEpsilon) | Next(frames_[i].follow);
  }
  if ((set & kEpsilon) != 0) set = (set & ~kEpsilon) | SetOf(TokenType::kEof);
  return set;
}

TokenSet Walker::RecoverySet() const {
  TokenSet set = 0;
  for (const Frame& frame : frames_) {
    if (frame.follow != kNoCaller) set |= Next(frame.follow);
  }
  return set & ~kEpsilon;
}

// Before a choice or loop: makes sure that the next token fits.
bool Walker::Sync() {
  if (recovering_) return true;
  const grammar::State& state = grammar_.state(state_);
  if ((state.next & kEpsilon) != 0 || Contains(state.next, tokens_.Type(1))) return true;
  if (state.kind == StateKind::kBlockStart) {
    if (DeleteToken()) return !aborted_;
    failure_ = Failure::kMismatch;
    return false;
  }
  if (state.kind == StateKind::kLoopBack) {
    ReportUnwanted();
    if (!aborted_) ConsumeUntil(ExpectedHere() | RecoverySet(), false);
  }
  return !aborted_;
}

// Drops the current token if the one behind it fits.
bool Walker::DeleteToken() {
  const TokenType second = tokens_.Type(2);
  DrainLexer();
  if (!Contains(ExpectedHere(), second)) return false;
  ReportUnwanted();
  tokens_.Consume();
  DrainLexer();
  Matched();
  return true;
}

bool Walker::CountRecovery() {
  if (recoveries_ >= kMaxRecoveries) {
    Report(tokens_.Peek(1).position, "error recovery attempt limit exceeded: 30");
    aborted_ = true;
    return false;
  }
  ++recoveries_;
  skipped_ = 0;
  return true;
}

bool Walker::RecoverInline(const Element& element) {
  if (!CountRecovery()) return false;
  TreeItem item;
  item.label = element.label;
  if (DeleteToken()) {
    if (aborted_) return false;
    item.token = tokens_.Peek(1);
    node().items.push_back(item);
    node().end = item.token.end;
    tokens_.Consume();
    DrainLexer();
    return !aborted_;
  }
  if (Contains(Expected(Next(element.after)), tokens_.Type(1))) {
    if (!recovering_) {
      recovering_ = true;
      const Token& token = tokens_.Peek(1);
      Report(token.position, "missing " + Show(ExpectedHere()) + " at " + Show(token));
    }
    item.token = tokens_.Peek(1);
    item.missing = true;
    node().items.push_back(item);
    return !aborted_;
  }
  failure_ = Failure::kMismatch;
  return false;
}

void Walker::ReportUnwanted() {
  if (recovering_) return;
  recovering_ = true;
  const Token& token = tokens_.Peek(1);
  Report(token.position, "extraneous input " + Show(token) + " expecting " + Show(ExpectedHere()));
}

void Walker::ReportFailure() {
  if (recovering_ || aborted_) return;
  recovering_ = true;
  if (failure_ == Failure::kNoAlternative) {
    const std::string text = failed_start_.type == TokenType::kEof
                                 ? "<EOF>"
                                 : tokens_.TextBetween(failed_start_, failed_at_);
    std::string message = "no viable alternative at input " + Quote(text);
    // A keyword behind a dot reads better as what it is.
    for (const std::string_view word : {"true", "false", "null"}) {
      if (text.size() != word.size() + 1 || text.substr(1) != word) continue;
      message = "mismatched input '" + std::string(word) + "' expecting IDENTIFIER";
    }
    Report(failed_at_.position, std::move(message));
    return;
  }
  const Token& token = tokens_.Peek(1);
  Report(token.position, "mismatched input " + Show(token) + " expecting " + Show(ExpectedHere()));
}

void Walker::Recover() {
  if (!CountRecovery()) return;
  bool seen = false;
  for (const StateId state : error_states_) seen = seen || state == state_;
  if (has_error_index_ && error_index_ == tokens_.index() && seen) {
    // The same failure at the same place: without a step forward it would repeat for ever.
    ++skipped_;
    tokens_.Consume();
  }
  has_error_index_ = true;
  error_index_ = tokens_.index();
  error_states_.push_back(state_);
  ConsumeUntil(RecoverySet(), true);
}

void Walker::ConsumeUntil(TokenSet set, bool limited) {
  while (tokens_.Type(1) != TokenType::kEof && !Contains(set, tokens_.Type(1))) {
    if (limited && skipped_++ >= kMaxSkipped) {
      Abort("error recovery token lookahead limit exceeded: 256");
      return;
    }
    tokens_.Consume();
    DrainLexer();
    if (aborted_) return;
  }
}

void Walker::Report(std::uint32_t position, std::string message) {
  if (aborted_) return;
  if (reports_ < kMaxReports) {
    ++reports_;
    issues_.Add(position, "Syntax error: " + message);
    return;
  }
  issues_.Add(position, "Syntax error: More than 100 syntax errors");
  aborted_ = true;
}

void Walker::DrainLexer() {
  for (const Token& token : tokens_.TakeUnrecognized()) {
    const std::string text(tokens_.Text(token));
    Report(token.position, "token recognition error at: '" + text + "'");
  }
}

std::string Walker::Quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (!base::AppendEscape(static_cast<unsigned char>(c), "nrt", out)) out += c;
  }
  return out + "'";
}

std::string Walker::Show(TokenSet set) {
  std::string out;
  int count = 0;
  for (unsigned i = 0; i <= static_cast<unsigned>(TokenType::kEscapedIdentifier); ++i) {
    const TokenType type = static_cast<TokenType>(i);
    if (!Contains(set, type)) continue;
    if (count++ > 0) out += ", ";
    out += DisplayName(type);
  }
  return count == 1 ? out : "{" + out + "}";
}

}  // namespace

ExprId RecoveringParse(std::string_view source, AstBuilder& builder, Issues& issues) {
  Walker walker(source, issues);
  const TreeId root = walker.Run();
  if (root == kNoTree) return kNoExpr;
  return TreeBuilder(source, walker.tree(), builder).Build(root);
}

}  // namespace portcullis::cel
