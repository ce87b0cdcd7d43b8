#include "base/error.h"

namespace portcullis::base {

std::string SourceSpan::ToString() const {
  std::string out = file;
  if (line != 0) {
    if (!out.empty()) out += ':';
    out += std::to_string(line);
    if (column != 0) out += ':' + std::to_string(column);
  }
  return out;
}

}  // namespace portcullis::base
