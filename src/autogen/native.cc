#include "autogen/native.h"

#include <array>
#include <initializer_list>
#include <set>

#include "autogen/controllers.h"
#include "autogen/native_exceptions.h"
#include "doc/edit.h"
#include "doc/path.h"

namespace portcullis::autogen {

namespace {

// One translation.
class Translation {
 public:
  Translation(const doc::Value& policy, std::span<const doc::Value> exceptions, base::Arena& arena)
      : policy_(policy),
        exceptions_(exceptions),
        arena_(arena),
        spec_(policy.Find("spec")),
        mutating_(policy.StringAt("kind") == "MutatingPolicy") {}

  NativeForm Run() {
    CheckKind();
    if (form_.refusals.empty()) CheckSpec();
    if (!form_.refusals.empty()) return std::move(form_);
    folded_ = FoldExceptions(policy_, exceptions_, /*controls=*/!mutating_);
    Append(form_.refusals, folded_.refusals);
    Append(form_.warnings, folded_.warnings);
    if (!form_.refusals.empty()) return std::move(form_);
    NameLists();
    form_.objects.push_back(Object(Kind(), Name(), PolicySpec()));
    form_.objects.push_back(Object(Kind() + "Binding", Name() + "-binding", BindingSpec()));
    return std::move(form_);
  }

 private:
  static void Append(std::vector<std::string>& to, const std::vector<std::string>& from) {
    to.insert(to.end(), from.begin(), from.end());
  }
  void Refuse(std::string reason) { form_.refusals.push_back(std::move(reason)); }

  std::string Kind() const {
    return mutating_ ? "MutatingAdmissionPolicy" : "ValidatingAdmissionPolicy";
  }
  std::string Name() const {
    return (mutating_ ? "mpol-" : "vpol-") +
           std::string(policy_.Find("metadata")->StringAt("name"));
  }
  doc::Value Text(std::string_view text) { return doc::MakeString(arena_, text); }

  void CheckKind() {
    const std::string_view kind = policy_.StringAt("kind");
    if (kind != "ValidatingPolicy" && kind != "MutatingPolicy") {
      Refuse(kind.substr(0, 10) == "Namespaced" ? "native policies are not namespaced"
                                                : "policies of this kind have no native form");
      return;
    }
    const doc::Value* metadata = policy_.Find("metadata");
    if (metadata == nullptr || metadata->StringAt("name").empty()) Refuse("it has no name");
    if (spec_ == nullptr || !spec_->is_map()) Refuse("it has no spec");
  }

  bool IsSet(std::initializer_list<std::string_view> path, bool wanted) const {
    const doc::Value* value = doc::LookupKeys(*spec_, path);
    return value != nullptr && value->is_bool() && value->as_bool() == wanted;
  }

  void CheckSpec() {
    const std::string_view mode =
        spec_->Find("evaluation") == nullptr ? "" : spec_->Find("evaluation")->StringAt("mode");
    if (!mode.empty() && mode != "Kubernetes") {
      Refuse("evaluation.mode " + std::string(mode) + " has no native form");
    }
    if (IsSet({"evaluation", "admission", "enabled"}, false)) {
      Refuse("evaluation.admission is off, and native policies work at admission only");
    }
    // A native policy would speak about Pods alone.
    if (WhyNotEligible(*spec_).empty()) {
      const Controllers controllers = ChooseControllers(*spec_);
      if (!controllers.defaults.empty() || !controllers.cronjobs.empty() ||
          !controllers.extract.empty()) {
        Refuse("skip generating " + Kind() + ": pod controllers autogen is enabled.");
      }
    }
    if (mutating_) {
      if (IsSet({"evaluation", "mutateExisting", "enabled"}, true) ||
          spec_->Find("targetMatchConstraints") != nullptr) {
        Refuse("native policies do not change existing objects");
      }
      if (IsSet({"evaluation", "useServerSideApply"}, true)) {
        Refuse("evaluation.useServerSideApply has no native form");
      }
      if (spec_->Find("auditAnnotations") != nullptr) {
        form_.warnings.emplace_back("auditAnnotations are left out");
      }
    }
    const std::string_view native =
        mutating_ ? "mutatingAdmissionPolicy" : "validatingAdmissionPolicy";
    if (!IsSet({"autogen", native, "enabled"}, true)) {
      form_.warnings.push_back("Kyverno makes a native policy only with spec.autogen." +
                               std::string(native) + ".enabled: true");
    }
  }

  // The lists of exceptions: literals where a native policy has no variables, else variables,
  // unless the policy has some of these names.
  void NameLists() {
    images_ = Operand(folded_.allowed_images);
    values_ = Operand(folded_.allowed_values);
    shared_images_ = NameList("allowedImages", folded_.allowed_images);
    shared_values_ = NameList("allowedValues", folded_.allowed_values);
  }
  static std::string Operand(const std::string& list) {
    return list.find('+') == std::string::npos ? list : "(" + list + ")";
  }
  std::string NameList(std::string_view name, const std::string& list) {
    if (list == "[]") return list;
    const doc::Value* own = spec_->Find("variables");
    if (own != nullptr && own->is_list()) {
      for (const doc::Value& variable : own->as_list()) {
        if (variable.StringAt("name") == name) return Operand(list);
      }
    }
    doc::MapBuilder variable;
    variable.Set("name", Text(name));
    variable.Set("expression", Text(list));
    list_variables_.push_back(variable.Build(arena_));
    return "variables." + std::string(name);
  }

  // The items of a list with `exceptions.*` replaced in their expressions. `shared`: variables may
  // be used there.
  doc::Value Expressions(const doc::Value& list, std::initializer_list<std::string_view> members,
                         bool shared) {
    doc::ListBuilder items(list);
    for (doc::Value& item : items.items()) {
      for (const std::string_view member : members) {
        const doc::Value* text = item.Find(member);
        if (text == nullptr || !text->is_string()) continue;
        item = doc::WithEntry(
            arena_, item, member,
            Text(WithoutExceptions(text->as_string(), shared ? shared_images_ : images_,
                                   shared ? shared_values_ : values_)));
      }
    }
    return items.Build(arena_);
  }

  doc::Value Mutations(const doc::Value& list) {
    doc::ListBuilder items(list);
    for (doc::Value& item : items.items()) {
      for (const std::string_view body : {"applyConfiguration", "jsonPatch"}) {
        const doc::Value* map = item.Find(body);
        if (map == nullptr || !map->is_map()) continue;
        const std::array one{*map};
        const doc::Value changed = Expressions(doc::MakeList(arena_, one), {"expression"}, true);
        item = doc::WithEntry(arena_, item, body, changed.as_list()[0]);
      }
    }
    return items.Build(arena_);
  }

  // Exemptions first: they hold whatever the policy's own conditions say.
  doc::Value Conditions() {
    doc::ListBuilder conditions;
    std::set<std::string, std::less<>> names;
    const doc::Value* own = spec_->Find("matchConditions");
    if (own != nullptr && !own->is_list()) own = nullptr;
    if (own != nullptr) {
      for (const doc::Value& condition : own->as_list()) names.emplace(condition.StringAt("name"));
    }
    for (const Exemption& exemption : folded_.exemptions) {
      std::string name = exemption.name;
      for (int i = 2; !names.insert(name).second; ++i) {
        name = exemption.name + "-" + std::to_string(i);
      }
      doc::MapBuilder condition;
      condition.Set("name", Text(name));
      condition.Set("expression", Text(exemption.expression));
      conditions.Add(condition.Build(arena_));
    }
    if (own != nullptr) {
      const doc::Value moved = Expressions(*own, {"expression"}, false);
      for (const doc::Value& condition : moved.as_list()) conditions.Add(condition);
    }
    return conditions.Build(arena_);
  }

  doc::Value Variables() {
    doc::ListBuilder variables;
    const doc::Value* own = spec_->Find("variables");
    if (own != nullptr && own->is_list()) {
      variables = doc::ListBuilder(Expressions(*own, {"expression"}, false));
    }
    for (const doc::Value& variable : list_variables_) variables.Add(variable);
    return variables.Build(arena_);
  }

  void Copy(doc::MapBuilder& to, std::string_view field,
            std::initializer_list<std::string_view> members) {
    const doc::Value* list = spec_->Find(field);
    if (list != nullptr && list->is_list()) to.Set(field, Expressions(*list, members, true));
  }

  doc::Value PolicySpec() {
    doc::MapBuilder spec;
    if (const doc::Value* policy = spec_->Find("failurePolicy")) spec.Set("failurePolicy", *policy);
    if (const doc::Value* constraints = spec_->Find("matchConstraints")) {
      spec.Set("matchConstraints", *constraints);
    }
    const doc::Value conditions = Conditions();
    if (conditions.size() != 0) spec.Set("matchConditions", conditions);
    const doc::Value variables = Variables();
    if (variables.size() != 0) spec.Set("variables", variables);
    if (!mutating_) {
      Copy(spec, "validations", {"expression", "messageExpression"});
      Copy(spec, "auditAnnotations", {"valueExpression"});
      return spec.Build(arena_);
    }
    const doc::Value* reinvocation = spec_->Find("reinvocationPolicy");
    spec.Set("reinvocationPolicy", reinvocation != nullptr ? *reinvocation : Text("Never"));
    const doc::Value* mutations = spec_->Find("mutations");
    if (mutations != nullptr && mutations->is_list()) spec.Set("mutations", Mutations(*mutations));
    return spec.Build(arena_);
  }

  doc::Value BindingSpec() {
    doc::MapBuilder spec;
    spec.Set("policyName", Text(Name()));
    if (mutating_) return spec.Build(arena_);
    const doc::Value* actions = spec_->Find("validationActions");
    if (actions != nullptr && actions->is_list() && actions->size() != 0) {
      spec.Set("validationActions", *actions);
    } else {
      const std::array deny{doc::Value::String("Deny")};
      spec.Set("validationActions", doc::MakeList(arena_, deny));
    }
    return spec.Build(arena_);
  }

  doc::Value Object(const std::string& kind, const std::string& name, const doc::Value& spec) {
    doc::MapBuilder metadata;
    metadata.Set("name", Text(name));
    // Only a policy from a cluster can own something.
    const doc::Value& own = *policy_.Find("metadata");
    if (!own.StringAt("uid").empty()) {
      doc::MapBuilder owner;
      owner.Set("apiVersion", Text(policy_.StringAt("apiVersion")));
      owner.Set("kind", Text(policy_.StringAt("kind")));
      owner.Set("name", Text(own.StringAt("name")));
      owner.Set("uid", Text(own.StringAt("uid")));
      const std::array owners{owner.Build(arena_)};
      metadata.Set("ownerReferences", doc::MakeList(arena_, owners));
    }
    doc::MapBuilder object;
    object.Set("apiVersion", Text("admissionregistration.k8s.io/v1"));
    object.Set("kind", Text(kind));
    object.Set("metadata", metadata.Build(arena_));
    object.Set("spec", spec);
    return object.Build(arena_);
  }

  const doc::Value& policy_;
  std::span<const doc::Value> exceptions_;
  base::Arena& arena_;
  const doc::Value* spec_;
  bool mutating_;
  FoldedExceptions folded_;
  std::string images_;  // what stands for `exceptions.allowedImages` without variables
  std::string values_;
  std::string shared_images_;  // and with them
  std::string shared_values_;
  std::vector<doc::Value> list_variables_;
  NativeForm form_;
};

}  // namespace

NativeForm ToNative(const doc::Value& policy, std::span<const doc::Value> exceptions,
                    base::Arena& arena) {
  return Translation(policy, exceptions, arena).Run();
}

}  // namespace portcullis::autogen
