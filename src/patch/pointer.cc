#include "patch/pointer.h"

#include "base/gotext.h"

namespace portcullis::patch {
namespace {

// `~1` is a slash, `~0` a tilde, in one pass. Tokens without a tilde stay views.
std::string_view Unescape(base::Arena& arena, std::string_view token) {
  if (token.find('~') == std::string_view::npos) return token;
  auto* out = arena.AllocateArray<char>(token.size());
  std::size_t n = 0;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] == '~' && i + 1 < token.size() && (token[i + 1] == '0' || token[i + 1] == '1')) {
      out[n++] = token[++i] == '0' ? '~' : '/';
    } else {
      out[n++] = token[i];
    }
  }
  return {out, n};
}

}  // namespace

bool ParseIndex(std::string_view token, std::int64_t& index, std::string& error) {
  const base::NumberStatus status = base::ParseInt(token, index);
  if (status == base::NumberStatus::kOk) return true;
  error = base::NumberErrorText("Atoi", token, status);
  return false;
}

namespace {

Overlay::Ref ChildOf(Overlay& document, Overlay::Ref container, std::string_view token) {
  if (document.IsMap(container)) return document.Find(container, token);
  std::int64_t index = 0;
  std::string ignored;
  if (!ParseIndex(token, index, ignored)) return Overlay::kNone;
  const auto size = static_cast<std::int64_t>(document.Size(container));
  if (index < 0) index += size;
  if (index < 0 || index >= size) return Overlay::kNone;
  return document.Item(container, static_cast<std::size_t>(index));
}

}  // namespace

bool Locate(base::Arena& arena, Overlay& document, std::string_view path, Location& out) {
  std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return false;
  out.container = document.root();
  while (out.container != Overlay::kNone &&
         (document.IsMap(out.container) || document.IsList(out.container))) {
    const std::size_t next = path.find('/', slash + 1);
    const bool last = next == std::string_view::npos;
    const std::string_view token =
        Unescape(arena, path.substr(slash + 1, last ? next : next - slash - 1));
    if (last) {
      out.key = token;
      return true;
    }
    out.container = ChildOf(document, out.container, token);
    slash = next;
  }
  return false;
}

}  // namespace portcullis::patch
