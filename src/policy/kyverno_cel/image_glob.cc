#include "policy/kyverno_cel/image_glob.h"

#include <string>

namespace portcullis::policy::kyverno_cel {
namespace {

void AppendLiteral(char c, std::string& out) {
  if (std::string_view(R"(\.+*?()|[]{}^$)").find(c) != std::string_view::npos) out += '\\';
  out += c;
}

// The class that starts behind `[`; the position behind its end, or npos when it is open.
std::size_t AppendClass(std::string_view glob, std::size_t at, std::string& out) {
  const std::size_t end = glob.find(']', at + 1);
  if (end == std::string_view::npos) return end;
  out += '[';
  if (glob[at] == '!' || glob[at] == '^') {
    out += '^';
    ++at;
  }
  for (; at < end; ++at) {
    if (glob[at] == '\\' || glob[at] == '[' || glob[at] == '^') out += '\\';
    out += glob[at];
  }
  out += ']';
  return end + 1;
}

}  // namespace

base::Result<std::shared_ptr<const regex::Regex>> CompileImageGlob(std::string_view glob) {
  std::string out = "(?s)";
  int open = 0;
  std::size_t i = 0;
  while (i < glob.size()) {
    const char c = glob[i++];
    switch (c) {
      case '*':
        out += ".*";
        break;
      case '?':
        out += '.';
        break;
      case '[':
        i = AppendClass(glob, i, out);
        if (i == std::string_view::npos) {
          return base::Error(base::ErrorCode::kInvalid, "the glob has a class without an end");
        }
        break;
      case '{':
        ++open;
        out += "(?:";
        break;
      case '}':
        if (open > 0) {
          --open;
          out += ')';
        } else {
          AppendLiteral(c, out);
        }
        break;
      case ',':
        out += open > 0 ? '|' : ',';
        break;
      case '\\':
        if (i < glob.size()) AppendLiteral(glob[i++], out);
        break;
      default:
        AppendLiteral(c, out);
    }
  }
  if (open != 0) {
    return base::Error(base::ErrorCode::kInvalid, "the glob has alternatives without an end");
  }
  return regex::Regex::Compile(out);
}

}  // namespace portcullis::policy::kyverno_cel
