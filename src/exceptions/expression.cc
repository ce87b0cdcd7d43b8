#include "exceptions/expression.h"

#include "base/gotext.h"
#include "cel/check/environments.h"
#include "cel/check/type.h"

namespace portcullis::exceptions {
namespace {

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
    case ResultType::kAny:
      break;
  }
  return {};
}

std::shared_ptr<const cel::Env> MakeValidatingEnvironment() {
  if (auto env = cel::EnvironmentByName("kyverno-vpol")) return env;
  // Without Kyverno's libraries: what needs them does not compile.
  auto env = std::make_shared<cel::Env>(cel::EnvironmentByName("kyverno-base"));
  env->AddVariable("exceptions", &cel::types::kDyn);
  return env;
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

std::shared_ptr<const cel::Env> ValidatingEnvironment() {
  static const std::shared_ptr<const cel::Env> kEnv = MakeValidatingEnvironment();
  return kEnv;
}

std::string InvalidText(const Expression& expression) {
  return "Invalid value: " + base::GoQuote(expression.source) + ": " + expression.error;
}

}  // namespace portcullis::exceptions
