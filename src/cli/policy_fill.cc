#include "cli/policy_fill.h"

#include "doc/edit.h"
#include "doc/path.h"
#include "input/document.h"
#include "json/writer.h"

namespace portcullis::cli {
namespace {

using doc::Value;

class Filler {
 public:
  Filler(Value& root, base::Arena& arena) : root_(root), arena_(arena) {}

  void Run() {
    const std::string_view kind = root_.StringAt("kind");
    const Value* spec = root_.Find("spec");
    if (spec == nullptr || !spec->is_map()) return;
    const bool binding = kind.ends_with("Binding");
    FillRules(binding ? "matchResources" : "matchConstraints");
    if (kind == "ValidatingAdmissionPolicyBinding") {
      const Value deny[] = {Value::String("Deny")};
      Fill({"spec", "validationActions"}, doc::MakeList(arena_, deny));
    }
    if (binding && doc::LookupKeys(root_, {"spec", "paramRef"}) != nullptr) {
      Fill({"spec", "paramRef", "parameterNotFoundAction"}, Value::String("Deny"));
    }
    if (kind == "MutatingAdmissionPolicy") {
      Fill({"spec", "reinvocationPolicy"}, Value::String("Never"));
    }
  }

  std::vector<FilledMember> Take() { return std::move(filled_); }

 private:
  void FillRules(std::string_view constraints) {
    for (const char* list : {"resourceRules", "excludeResourceRules"}) {
      const Value* rules = doc::LookupKeys(root_, {"spec", constraints, list});
      if (rules == nullptr || !rules->is_list()) continue;
      for (std::size_t i = 0; i < rules->size(); ++i) {
        if (!rules->as_list()[i].is_map()) continue;
        const Value all[] = {Value::String("*")};
        Fill({"spec", doc::PathStep(std::string(constraints)), list, static_cast<std::int64_t>(i),
              "operations"},
             doc::MakeList(arena_, all));
      }
    }
  }

  void Fill(const doc::Path& path, const Value& value) {
    const Value* present = doc::Lookup(root_, path);
    if (present != nullptr && !present->is_null() &&
        !(present->is_list() && present->size() == 0)) {
      return;
    }
    auto changed = doc::SetAt(arena_, root_, path, value);
    if (!changed.ok()) return;
    root_ = *changed;
    filled_.push_back({doc::RenderPath(path), json::ToString(value)});
  }

  Value& root_;
  base::Arena& arena_;
  std::vector<FilledMember> filled_;
};

}  // namespace

std::vector<FilledMember> FillMissing(Value& root, base::Arena& arena) {
  const input::DocumentRole role =
      input::RoleOf(root.StringAt("apiVersion"), root.StringAt("kind"));
  if (role != input::DocumentRole::kNativePolicy && role != input::DocumentRole::kNativeBinding) {
    return {};
  }
  Filler filler(root, arena);
  filler.Run();
  return filler.Take();
}

}  // namespace portcullis::cli
