#include "policy/blame.h"

#include <optional>

#include "cel/eval/blame.h"
#include "doc/path.h"
#include "json/writer.h"

namespace portcullis::policy {
namespace {

using doc::Value;

constexpr std::size_t kMaxShownValue = 200;

bool SameStorage(const Value& a, const Value& b) {
  if (a.tag() != b.tag() || a.size() != b.size() || a.size() == 0) return false;
  if (a.is_map()) return a.map_rep() == b.map_rep();
  if (a.is_list()) return a.as_list().data() == b.as_list().data();
  return a.is_string() && a.as_string().data() == b.as_string().data();
}

// Where in `root` the very value `wanted` is kept.
bool FindStorage(const Value& root, const Value& wanted, doc::Path& path) {
  constexpr std::size_t kMaxDepth = 64;
  if (SameStorage(root, wanted)) return true;
  if (path.size() >= kMaxDepth) return false;
  if (root.is_map()) {
    for (const doc::MapEntry& entry : root.as_map()) {
      path.emplace_back(std::string(entry.key.as_string()));
      if (FindStorage(entry.value, wanted, path)) return true;
      path.pop_back();
    }
  } else if (root.is_list()) {
    for (std::size_t i = 0; i < root.size(); ++i) {
      path.emplace_back(static_cast<std::int64_t>(i));
      if (FindStorage(root.as_list()[i], wanted, path)) return true;
      path.pop_back();
    }
  }
  return false;
}

std::string Shown(const Value& value) {
  std::string text = json::ToString(value);
  if (text.size() <= kMaxShownValue) return text;
  std::size_t cut = kMaxShownValue;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return text.substr(0, cut) + "...";
}

class Finder {
 public:
  Finder(BlameSource& source, const Value& object, const Value& old_object, RequestContext& context)
      : source_(source),
        context_(context),
        root_(object.is_null() ? old_object : object),
        root_name_(object.is_null() ? "oldObject" : "object") {}

  std::optional<doc::Path> Find(const cel::Program& program, int depth = 0) {
    constexpr int kMaxVariables = 8;
    cel::EvalOptions options;
    options.host = &context_;
    options.interrupt = context_.interrupt;
    const cel::Blame blame = cel::FindBlame(program, source_.activation(), context_.arena, options);
    if (blame.variable == root_name_) return blame.path;
    if (blame.variable != "variables" || blame.path.empty() || depth > kMaxVariables) return {};
    const std::string& name = blame.path.front().key;
    const cel::Program* variable = source_.VariableProgram(name);
    if (variable == nullptr) return {};
    Value value;
    doc::Path path;
    if (source_.Variable(name, value) && FindStorage(root_, value, path)) {
      path.insert(path.end(), blame.path.begin() + 1, blame.path.end());
      return path;
    }
    // A computed list may hold parts of the object as they are.
    if (const Value* part = doc::Lookup(value, doc::PathView(blame.path).subspan(1));
        part != nullptr && FindStorage(root_, *part, path)) {
      return path;
    }
    return Find(*variable, depth + 1);
  }

  const Value& root() const { return root_; }

 private:
  BlameSource& source_;
  RequestContext& context_;
  const Value& root_;
  std::string_view root_name_;
};

}  // namespace

BlamedMember FindBlamedMember(const cel::Program& program, BlameSource& source, const Value& object,
                              const Value& old_object, RequestContext& context) {
  Finder finder(source, object, old_object, context);
  const std::optional<doc::Path> path = finder.Find(program);
  if (!path) return {};
  BlamedMember out;
  out.path = doc::RenderPath(*path);
  if (const Value* value = doc::Lookup(finder.root(), *path); value != nullptr && !path->empty()) {
    out.value = Shown(*value);
  }
  return out;
}

}  // namespace portcullis::policy
