#include "cel/syntax/recovering_parser.h"

namespace portcullis::cel {

ExprId RecoveringParse(std::string_view, AstBuilder&, Issues& issues) {
  issues.Add(0, "Syntax error");
  return kNoExpr;
}

}  // namespace portcullis::cel
