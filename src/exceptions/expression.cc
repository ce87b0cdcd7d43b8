#include "exceptions/expression.h"

#include "base/gotext.h"
#include "cel/check/type.h"

namespace portcullis::exceptions {
namespace {

bool IsListOf(const cel::Type& type, bool (*item)(const cel::Type&)) {
  return type.kind == cel::TypeKind::kList && type.params.size() == 1 && item(*type.params[0]);
}

bool IsText(const cel::Type& type) {
  return type.kind == cel::TypeKind::kDyn || type.kind == cel::TypeKind::kString;
}

bool IsNamed(const cel::Type& type, std::string_view name) {
  return type.kind == cel::TypeKind::kStruct && type.name == name;
}

bool Fits(const cel::Type& got, ResultType wanted) {
  switch (wanted) {
    case ResultType::kAny:
      return true;
    case ResultType::kBool:
      return cel::TypesEqual(got, cel::types::kBool);
    case ResultType::kString:
      return cel::TypesEqual(got, cel::types::kString);
    case ResultType::kStringOrNull:
      return cel::TypesEqual(got, cel::types::kString) || cel::TypesEqual(got, cel::types::kNull);
    case ResultType::kStringList:
      return got.kind == cel::TypeKind::kDyn || IsListOf(got, IsText);
    case ResultType::kMap:
      return got.kind == cel::TypeKind::kMap && got.params.size() == 2 &&
             got.params[0]->kind == cel::TypeKind::kString;
    case ResultType::kJsonPatchList:
      return IsListOf(got, [](const cel::Type& item) { return IsNamed(item, "JSONPatch"); });
    case ResultType::kObject:
      return IsNamed(got, "Object");
  }
  return false;
}

std::string_view WrongType(ResultType wanted) {
  switch (wanted) {
    case ResultType::kBool:
      return "output is expected to be of type bool";
    case ResultType::kString:
      return "output is expected to be of type string";
    case ResultType::kStringOrNull:
      return "output is expected to be either of type string or null_type";
    case ResultType::kStringList:
    case ResultType::kJsonPatchList:
      return "output is expected to be of type list";
    case ResultType::kMap:
      return "output type must be a map";
    case ResultType::kObject:
      return "output is expected to be of type Object";
    case ResultType::kAny:
      break;
  }
  return {};
}

}  // namespace

Expression Compile(const std::shared_ptr<const cel::Env>& env, std::string_view source,
                   ResultType wanted) {
  Expression out;
  out.source = source;
  cel::CompileFailure failure;
  auto program = cel::Compile(env, source, failure);
  if (program == nullptr) {
    out.error = std::move(failure.message);
  } else if (!Fits(program->result_type(), wanted)) {
    out.error = WrongType(wanted);
  } else {
    out.program = std::move(program);
  }
  return out;
}

std::string InvalidText(const Expression& expression) {
  return "Invalid value: " + base::GoQuote(expression.source) + ": " + expression.error;
}

}  // namespace portcullis::exceptions
