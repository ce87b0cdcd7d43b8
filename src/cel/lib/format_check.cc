#include "cel/lib/format_check.h"

#include "cel/lib/format.h"

namespace portcullis::cel {
namespace {

constexpr int kMaxDepth = 256;

bool IsDynamic(TypeKind kind) {
  return kind == TypeKind::kDyn || kind == TypeKind::kAny || kind == TypeKind::kError ||
         kind == TypeKind::kParam;
}

// A wrapper formats as what it wraps.
TypeKind KindOf(const Type& type) {
  if (type.kind == TypeKind::kWrapper && !type.params.empty()) return type.params[0]->kind;
  return type.kind;
}

bool Accepts(char verb, TypeKind kind, bool portable) {
  const bool integer = kind == TypeKind::kInt || kind == TypeKind::kUint;
  switch (verb) {
    case 's':
      switch (kind) {
        case TypeKind::kList:
        case TypeKind::kMap:
        case TypeKind::kInt:
        case TypeKind::kUint:
        case TypeKind::kDouble:
        case TypeKind::kBool:
        case TypeKind::kString:
        case TypeKind::kTimestamp:
        case TypeKind::kBytes:
        case TypeKind::kDuration:
        case TypeKind::kType:
        case TypeKind::kNull:
          return true;
        default:
          return false;
      }
    case 'd':
      return integer || (portable && kind == TypeKind::kDouble);
    case 'f':
    case 'e':
      return kind == TypeKind::kDouble || (portable ? integer : kind == TypeKind::kString);
    case 'b':
      return integer || kind == TypeKind::kBool;
    case 'o':
      return integer;
    default:
      return integer || kind == TypeKind::kString || kind == TypeKind::kBytes;
  }
}

// The argument, or the part of it, that the clause cannot print.
const FormatArgument* FindBad(const FormatArgument& argument, char verb, bool portable, int depth) {
  if (verb == 's' && depth < kMaxDepth) {
    for (const FormatArgument& child : argument.children) {
      const FormatArgument* bad = FindBad(child, verb, portable, depth + 1);
      if (bad != nullptr) return bad;
    }
  }
  const TypeKind kind = KindOf(*argument.type);
  return IsDynamic(kind) || Accepts(verb, kind, portable) ? nullptr : &argument;
}

FormatIssue AtCall(std::string message) { return {true, 0, std::move(message)}; }

}  // namespace

std::optional<FormatIssue> CheckFormatLiteral(std::string_view text,
                                              const std::vector<FormatArgument>& arguments,
                                              bool portable) {
  std::size_t next = 0;
  std::string error;
  for (std::size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
    ++at;
    if (at == text.size()) return AtCall("unexpected end of string");
    if (text[at] == '%') {
      ++at;
      continue;
    }
    if (next >= arguments.size()) {
      return AtCall("index " + std::to_string(next) + " out of range");
    }
    FormatClause clause;
    if (!ParseFormatClause(text.substr(at), kNoPrecisionLimit, clause, error)) {
      return AtCall(error);
    }
    const FormatArgument* bad = FindBad(arguments[next], clause.verb, portable, 0);
    if (bad != nullptr) {
      std::string message = "error during formatting: ";
      message.append(FormatComplaint(clause.verb, portable)).append(", was given ");
      message.append(BareName(*bad->type));
      return FormatIssue{false, bad->node, std::move(message)};
    }
    ++next;
    at += clause.length;
  }
  if (next < arguments.size()) {
    return AtCall("too many arguments supplied to string.format (expected " + std::to_string(next) +
                  ", got " + std::to_string(arguments.size()) + ")");
  }
  return std::nullopt;
}

}  // namespace portcullis::cel
