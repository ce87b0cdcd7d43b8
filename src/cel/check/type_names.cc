// Equality and the printed names of types (spec/cel.md 7.1).

#include "cel/check/type.h"

namespace portcullis::cel {

namespace {

bool Equal(const Type& a, const Type& b, bool compare_params) {
  if (&a == &b) return true;
  if (a.kind == TypeKind::kWrapper && !a.params.empty()) {
    return Equal(*a.params[0], b, compare_params);
  }
  if (b.kind == TypeKind::kWrapper && !b.params.empty()) {
    return Equal(a, *b.params[0], compare_params);
  }
  if (a.kind != b.kind || a.params.size() != b.params.size()) return false;
  if (a.kind == TypeKind::kParam && !compare_params) return true;
  if (a.name != b.name) return false;
  for (std::size_t i = 0; i < a.params.size(); ++i) {
    if (!Equal(*a.params[i], *b.params[i], compare_params)) return false;
  }
  return true;
}

using Printer = std::string (*)(const Type&);

std::string WithParams(std::string_view name, const Type& type, Printer print) {
  std::string out(name);
  if (type.params.empty()) return out;
  out += '(';
  for (std::size_t i = 0; i < type.params.size(); ++i) {
    if (i != 0) out += ", ";
    out += print(*type.params[i]);
  }
  out += ')';
  return out;
}

}  // namespace

bool TypesEqual(const Type& a, const Type& b) { return Equal(a, b, true); }
bool TypesEquivalent(const Type& a, const Type& b) { return Equal(a, b, false); }

TypeKind EffectiveKind(const Type& type) {
  if (type.kind == TypeKind::kWrapper && !type.params.empty()) return type.params[0]->kind;
  return type.kind;
}

std::string_view BareName(const Type& type) {
  switch (type.kind) {
    case TypeKind::kDyn:
      return "dyn";
    case TypeKind::kAny:
      return "google.protobuf.Any";
    case TypeKind::kError:
      return "!error!";
    case TypeKind::kNull:
      return "null_type";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kInt:
      return "int";
    case TypeKind::kUint:
      return "uint";
    case TypeKind::kDouble:
      return "double";
    case TypeKind::kString:
      return "string";
    case TypeKind::kBytes:
      return "bytes";
    case TypeKind::kDuration:
      return "google.protobuf.Duration";
    case TypeKind::kTimestamp:
      return "google.protobuf.Timestamp";
    case TypeKind::kList:
      return "list";
    case TypeKind::kMap:
      return "map";
    case TypeKind::kType:
      return "type";
    case TypeKind::kOptional:
      return "optional_type";
    case TypeKind::kWrapper:
      return "wrapper";
    case TypeKind::kOpaque:
    case TypeKind::kStruct:
    case TypeKind::kParam:
      return type.name;
    case TypeKind::kUnspecified:
      return {};
  }
  return {};
}

std::string CheckerName(const Type& type) {
  switch (type.kind) {
    case TypeKind::kAny:
      return "any";
    case TypeKind::kNull:
      return "null";
    case TypeKind::kDuration:
      return "duration";
    case TypeKind::kTimestamp:
      return "timestamp";
    default:
      return WithParams(BareName(type), type, CheckerName);
  }
}

std::string RuntimeName(const Type& type) { return WithParams(BareName(type), type, RuntimeName); }

}  // namespace portcullis::cel
