#include "autogen/patch_literals.h"

#include <algorithm>

#include "autogen/pod_paths.h"

namespace portcullis::autogen {

using cel::Expr;
using cel::ExprId;
using cel::ExprKind;
using cel::TokenType;

namespace {

constexpr std::string_view kObject = "Object";

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

// `Object.metadata.labels` -> `metadata`, and `rest` -> `labels`.
std::string_view PartOf(std::string_view type, std::string_view& rest) {
  type.remove_prefix(kObject.size() + 1);
  const std::size_t dot = type.find('.');
  rest = dot == std::string_view::npos ? std::string_view() : type.substr(dot + 1);
  return type.substr(0, dot);
}

enum class Destiny { kMoves, kStays, kOpen };

// A path of which only the beginning is known.
Destiny DestinyOfPrefix(std::string_view text) {
  constexpr std::string_view kSpec = "/spec/";
  if (StartsWith(text, kSpec)) {
    const std::string_view rest = text.substr(kSpec.size());
    const std::string_view field = rest.substr(0, rest.find('/'));
    if (field.size() < rest.size()) {
      return IsControllerField(field) ? Destiny::kStays : Destiny::kMoves;
    }
    const bool unclear = StartsWith("template", field) || StartsWith("jobTemplate", field);
    return unclear ? Destiny::kOpen : Destiny::kMoves;
  }
  if (StartsWith(text, "/metadata/labels/") || StartsWith(text, "/metadata/annotations/")) {
    return Destiny::kMoves;
  }
  const std::size_t second = text.empty() ? std::string_view::npos : text.find('/', 1);
  if (second == std::string_view::npos) return Destiny::kOpen;
  if (StartsWith(text, "/metadata/") && text.find('/', second + 1) == std::string_view::npos) {
    return Destiny::kOpen;
  }
  return Destiny::kStays;
}

}  // namespace

void PatchLiterals::Visit(ExprId id) {
  const Expr& node = ast_.node(id);
  if (node.end == 0 || node.name.empty()) return;
  if (node.name == kObject) {
    VisitObject(node);
  } else if (StartsWith(node.name, "Object.")) {
    VisitPart(id, node);
  } else if (node.name == "JSONPatch") {
    VisitJsonPatch(node);
  }
}

bool PatchLiterals::IsDone(ExprId id) const {
  return std::find(done_.begin(), done_.end(), id) != done_.end();
}

void PatchLiterals::Keep(ExprId id) {
  const Expr& node = ast_.node(id);
  if (node.kind != ExprKind::kStruct) return;
  done_.push_back(id);
  for (const cel::Child& child : ast_.children(node)) Keep(child.expr);
}

// ---- Object{} -----------------------------------------------------------------------------------

bool PatchLiterals::HasControllerField(const Expr& node) const {
  const std::span<const cel::Child> fields = ast_.children(node);
  return std::any_of(fields.begin(), fields.end(),
                     [](const cel::Child& field) { return IsControllerField(field.field); });
}

std::size_t PatchLiterals::OpenBrace(const Expr& node) const {
  std::size_t at = TokenIndex(tokens_, node.begin);
  while (tokens_[at].type != TokenType::kLeftBrace && tokens_[at].type != TokenType::kEof) ++at;
  return at;
}

std::vector<PatchLiterals::Range> PatchLiterals::Members(const Expr& node) const {
  std::vector<Range> members;
  std::size_t at = OpenBrace(node) + 1;
  Range range{tokens_[at].begin, tokens_[at].begin};
  for (int depth = 0; tokens_[at].type != TokenType::kEof; ++at) {
    const TokenType type = tokens_[at].type;
    const bool closes = type == TokenType::kRightBrace || type == TokenType::kRightBracket ||
                        type == TokenType::kRightParen;
    if (depth == 0 && (closes || type == TokenType::kComma)) {
      if (range.end > range.begin) members.push_back(range);
      if (closes) break;
      range.begin = range.end = tokens_[at + 1].begin;
      continue;
    }
    if (closes) --depth;
    if (type == TokenType::kLeftBrace || type == TokenType::kLeftBracket ||
        type == TokenType::kLeftParen) {
      ++depth;
    }
    range.end = tokens_[at].end;
  }
  return members;
}

// `spec: Object.spec{template: Object.spec.template{`
std::string PatchLiterals::Opening() const {
  std::string opening;
  std::string type(kObject);
  for (const std::string_view step : TemplateSteps(group_)) {
    type += '.';
    type += step;
    opening += step;
    opening += ": ";
    opening += type;
    opening += '{';
  }
  return opening;
}

std::string PatchLiterals::Closing() const {
  return std::string(TemplateSteps(group_).size(), '}');
}

void PatchLiterals::VisitObject(const Expr& node) {
  const std::span<const cel::Child> fields = ast_.children(node);
  const std::vector<Range> members = Members(node);
  if (members.size() != fields.size()) {
    refusal_ = "an Object literal in it cannot be taken apart";
    return;
  }
  const auto literal = [&](const cel::Child& field, std::string_view name) {
    const Expr& value = ast_.node(field.expr);
    return field.field == name && value.kind == ExprKind::kStruct &&
           value.name == "Object." + std::string(name);
  };
  for (const cel::Child& field : fields) {
    if (!literal(field, "spec") || !HasControllerField(ast_.node(field.expr))) continue;
    remarks_.push_back("an Object literal is about controllers already");
    for (const cel::Child& other : fields) {
      if (literal(other, "metadata")) Keep(other.expr);
    }
    return;
  }
  Split split;
  split.whole = {node.begin, node.end};
  std::size_t moved = 0;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (literal(fields[i], "metadata")) {
      const Expr& metadata = ast_.node(fields[i].expr);
      const std::span<const cel::Child> inner = ast_.children(metadata);
      const std::vector<Range> ranges = Members(metadata);
      if (ranges.size() != inner.size()) continue;
      for (std::size_t j = 0; j < inner.size(); ++j) {
        const bool stays = StaysWithWorkload(inner[j].field);
        (stays ? split.kept_metadata : split.moved_metadata).push_back(ranges[j]);
        if (stays) Keep(inner[j].expr);
      }
      if (inner.empty()) split.moved.push_back(members[i]);
      if (!split.kept_metadata.empty()) done_.push_back(fields[i].expr);
    } else if (fields[i].field == "spec" || fields[i].field == "metadata") {
      split.moved.push_back(members[i]);
    } else {
      split.kept.push_back(members[i]);
    }
  }
  moved = split.moved.size() + split.moved_metadata.size();
  if (split.kept.empty() && split.kept_metadata.empty()) {
    const std::uint32_t open = tokens_[OpenBrace(node)].end;
    if (open == node.end - 1) {
      edits_.push_back({open, open, Opening() + Closing()});
    } else {
      edits_.push_back({open, open, Opening()});
      edits_.push_back({node.end - 1, node.end - 1, Closing()});
    }
    remarks_.push_back("Object literals set the Pod template");
    return;
  }
  if (moved == 0) {
    remarks_.push_back("an Object literal sets only what stays with the workload");
    return;
  }
  remarks_.push_back("of an Object literal, a part stays with the workload");
  splits_.push_back(std::move(split));
}

// Object.spec{}, Object.metadata.labels{} and so on: the type follows the new place.
void PatchLiterals::VisitPart(ExprId id, const Expr& node) {
  if (IsDone(id)) return;
  std::string_view rest;
  const std::string_view part = PartOf(node.name, rest);
  const std::string_view field = rest.substr(0, rest.find('.'));
  if (part == "spec") {
    if (!IsControllerField(field) && !(rest.empty() && HasControllerField(node))) {
      MoveTypeName(node);
    }
    return;
  }
  if (part != "metadata" || StaysWithWorkload(field)) return;
  if (rest.empty()) {
    for (const cel::Child& child : ast_.children(node)) {
      if (StaysWithWorkload(child.field)) {
        refusal_ = "it sets metadata." + std::string(child.field) +
                   ", which stays with the workload, in a literal that moves";
      }
    }
  }
  MoveTypeName(node);
}

void PatchLiterals::MoveTypeName(const Expr& node) {
  std::size_t at = TokenIndex(tokens_, node.begin);
  while (tokens_[at].type != TokenType::kIdentifier) ++at;
  const std::uint32_t place = tokens_[at + 2].begin;
  edits_.push_back({place, place, JoinSteps(group_, ".")});
}

// ---- JSONPatch{} --------------------------------------------------------------------------------

void PatchLiterals::VisitJsonPatch(const Expr& node) {
  for (const cel::Child& field : ast_.children(node)) {
    if (field.field != "path" && field.field != "from") continue;
    if (!MovePath(field.expr, true)) {
      paths_open_ = true;
      remarks_.push_back("a path of a patch is moved when it is evaluated");
    }
  }
}

bool PatchLiterals::MovePath(ExprId id, bool whole) {
  const Expr& node = ast_.node(id);
  const std::span<const cel::Child> args = ast_.children(node);
  if (node.kind == ExprKind::kConst) return MoveLiteral(node, whole);
  if (node.kind != ExprKind::kCall || node.target != cel::kNoExpr) return false;
  if (node.name == "_+_" && args.size() == 2) return MovePath(args[0].expr, false);
  if (node.name == "_?_:_" && args.size() == 3) {
    const bool yes = MovePath(args[1].expr, whole);
    return MovePath(args[2].expr, whole) && yes;
  }
  return false;
}

bool PatchLiterals::MoveLiteral(const Expr& node, bool whole) {
  if (!node.value.is_string() || node.end == 0) return true;
  const std::string_view path = node.value.as_string();
  if (whole) {
    if (MovePointer(path, group_) == path) return true;
  } else {
    const Destiny destiny = DestinyOfPrefix(path);
    if (destiny != Destiny::kMoves) return destiny == Destiny::kStays;
  }
  std::string steps;
  for (const std::string_view step : TemplateSteps(group_)) {
    steps += '/';
    steps += step;
  }
  // Behind the opening quotes, where the path begins.
  const std::string_view text =
      std::string_view(ast_.source).substr(node.begin, node.end - node.begin);
  std::size_t start = text.find_first_of("'\"");
  if (start == std::string_view::npos) return true;
  const std::string_view triple(text.substr(start, 3));
  start += triple == "'''" || triple == "\"\"\"" ? 3 : 1;
  const std::uint32_t at = node.begin + static_cast<std::uint32_t>(start);
  edits_.push_back({at, at, std::move(steps)});
  remarks_.push_back("paths of patches lead into the Pod template");
  return true;
}

// ---- edits --------------------------------------------------------------------------------------

bool PatchLiterals::Apply(SourceEdits& edits) const {
  bool added = true;
  for (const Edit& edit : edits_) added = edits.Add(edit) && added;
  // Inner ones first, since outer ones render them.
  for (auto split = splits_.rbegin(); split != splits_.rend(); ++split) {
    const auto list = [&](const std::vector<Range>& ranges) {
      std::string text;
      for (const Range& range : ranges) {
        if (!text.empty()) text += ", ";
        text += edits.Render(range.begin, range.end);
      }
      return text;
    };
    const auto part = [&](const std::vector<Range>& members, const std::vector<Range>& metadata,
                          const std::string& type) {
      std::string text = list(members);
      if (metadata.empty()) return text;
      if (!text.empty()) text += ", ";
      return text + "metadata: " + type + "{" + list(metadata) + "}";
    };
    std::string text = "Object{" + part(split->kept, split->kept_metadata, "Object.metadata");
    if (text.back() != '{') text += ", ";
    text += Opening();
    text +=
        part(split->moved, split->moved_metadata, "Object." + JoinSteps(group_, ".") + "metadata");
    text += Closing() + "}";
    edits.Collapse(split->whole.begin, split->whole.end, std::move(text));
  }
  return added;
}

}  // namespace portcullis::autogen
