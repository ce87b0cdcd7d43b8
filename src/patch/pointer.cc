#include "patch/pointer.h"

#include "base/gotext.h"
#include "doc/edit.h"

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

bool Locate(base::Arena& arena, const doc::Value& document, std::string_view path,
            Location& out) {
  std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return false;
  out.parents.clear();
  out.container = document;
  while (true) {
    const std::size_t next = path.find('/', slash + 1);
    const std::string_view token =
        Unescape(arena, path.substr(slash + 1, next == std::string_view::npos
                                                   ? std::string_view::npos
                                                   : next - slash - 1));
    if (next == std::string_view::npos) {
      out.key = token;
      return out.container.is_map() || out.container.is_list();
    }
    const doc::Value* child = nullptr;
    Location::Step step{out.container, token, 0};
    if (out.container.is_map()) {
      child = out.container.Find(token);
    } else if (out.container.is_list()) {
      std::int64_t index = 0;
      std::string ignored;
      const auto items = out.container.as_list();
      const auto size = static_cast<std::int64_t>(items.size());
      if (!ParseIndex(token, index, ignored)) return false;
      if (index < 0) index += size;
      if (index < 0 || index >= size) return false;
      step.index = static_cast<std::size_t>(index);
      child = &items[step.index];
    }
    if (child == nullptr || (!child->is_map() && !child->is_list())) return false;
    out.parents.push_back(step);
    out.container = *child;
    slash = next;
  }
}

doc::Value Rebuild(base::Arena& arena, const Location& location, const doc::Value& container) {
  doc::Value value = container;
  for (std::size_t i = location.parents.size(); i-- > 0;) {
    const Location::Step& step = location.parents[i];
    value = step.container.is_map() ? doc::WithEntry(arena, step.container, step.key, value)
                                    : doc::WithItem(arena, step.container, step.index, value);
  }
  return value;
}

}  // namespace portcullis::patch
