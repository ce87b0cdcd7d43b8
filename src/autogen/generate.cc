#include <array>
#include <functional>

#include "autogen/autogen.h"
#include "autogen/controllers.h"
#include "autogen/mover.h"
#include "doc/edit.h"
#include "doc/path.h"

namespace portcullis::autogen {

namespace {

enum class PolicyKind { kValidating, kMutating, kImageValidating, kOther };

PolicyKind KindOf(const doc::Value& policy) {
  std::string_view kind = policy.StringAt("kind");
  constexpr std::string_view kNamespaced = "Namespaced";
  if (kind.substr(0, kNamespaced.size()) == kNamespaced) kind.remove_prefix(kNamespaced.size());
  if (kind == "ValidatingPolicy") return PolicyKind::kValidating;
  if (kind == "MutatingPolicy") return PolicyKind::kMutating;
  if (kind == "ImageValidatingPolicy") return PolicyKind::kImageValidating;
  return PolicyKind::kOther;
}

std::string MovePlace(std::string_view base, std::string_view field) {
  std::string path(base);
  path += '.';
  path += field;
  return path;
}

// Rewrites the spec of one policy for one group.
class SpecMover {
 public:
  SpecMover(const doc::Value& policy, Group group, base::Arena& arena)
      : kind_(KindOf(policy)),
        spec_(*policy.Find("spec")),
        arena_(arena),
        mover_(group, kind_ == PolicyKind::kMutating) {}

  void Run(Variant& variant) {
    Pass();
    mover_.Settle();
    notes_.clear();
    open_ = false;
    variant.spec = Pass();
    variant.notes = std::move(notes_);
    variant.move_patch_paths = open_;
  }

 private:
  using Change = std::function<doc::Value(const doc::Value&, const std::string&)>;

  // Variables come first: what they mean decides about the expressions that use them.
  doc::Value Pass() {
    doc::Value spec = spec_;
    spec = Items(spec, "variables", [this](const doc::Value& item, const std::string& path) {
      return Variable(item, path);
    });
    spec = Expressions(spec, "matchConditions", {"expression"});
    spec = Expressions(spec, "validations", {"expression", "messageExpression"});
    spec = Expressions(spec, "auditAnnotations", {"valueExpression"});
    if (kind_ == PolicyKind::kMutating) {
      spec = Items(spec, "mutations", [this](const doc::Value& item, const std::string& path) {
        const doc::Value moved = Member(item, "applyConfiguration", path);
        return Member(moved, "jsonPatch", path);
      });
    }
    if (kind_ == PolicyKind::kImageValidating) {
      spec = Expressions(spec, "matchImageReferences", {"expression"});
      spec = Expressions(spec, "images", {"expression"});
      spec = Items(spec, "attestors", [this](const doc::Value& item, const std::string& path) {
        return Deep(item, path, 0);
      });
    }
    return spec;
  }

  doc::Value Set(const doc::Value& map, std::string_view key, const doc::Value& value) {
    return doc::WithEntry(arena_, map, key, value);
  }

  doc::Value Items(const doc::Value& spec, std::string_view field, const Change& change) {
    const doc::Value* list = spec.Find(field);
    if (list == nullptr || !list->is_list()) return spec;
    doc::ListBuilder items(*list);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const std::string path = MovePlace("spec", field) + "[" + std::to_string(i) + "]";
      items.items()[i] = change(items.items()[i], path);
    }
    return Set(spec, field, items.Build(arena_));
  }

  doc::Value Expressions(const doc::Value& spec, std::string_view field,
                         std::initializer_list<std::string_view> members) {
    return Items(spec, field, [&](const doc::Value& item, const std::string& path) {
      doc::Value changed = item;
      for (const std::string_view member : members) changed = Expression(changed, member, path);
      return changed;
    });
  }

  doc::Value Expression(const doc::Value& map, std::string_view member, const std::string& path) {
    const doc::Value* text = map.Find(member);
    if (text == nullptr || !text->is_string()) return map;
    const Moved moved = mover_.Move(text->as_string());
    return Finish(map, member, path, moved);
  }

  doc::Value Variable(const doc::Value& item, const std::string& path) {
    const doc::Value* text = item.Find("expression");
    if (text == nullptr || !text->is_string()) return item;
    const Moved moved = mover_.Define(item.StringAt("name"), text->as_string());
    return Finish(item, "expression", path, moved);
  }

  doc::Value Finish(const doc::Value& map, std::string_view member, const std::string& path,
                    const Moved& moved) {
    const std::string_view before = map.Find(member)->as_string();
    Note note;
    note.path = MovePlace(path, member);
    note.before = before;
    note.after = moved.text;
    note.reason = moved.reason;
    if (moved.refused) {
      note.outcome = Note::Outcome::kRefused;
    } else if (moved.text != before) {
      note.outcome = Note::Outcome::kMoved;
    }
    open_ = open_ || moved.patch_paths_open;
    notes_.push_back(std::move(note));
    if (moved.text == before) return map;
    return Set(map, member, doc::MakeString(arena_, moved.text));
  }

  doc::Value Member(const doc::Value& item, std::string_view body, const std::string& path) {
    const doc::Value* map = item.Find(body);
    if (map == nullptr || !map->is_map()) return item;
    return Set(item, body, Expression(*map, "expression", MovePlace(path, body)));
  }

  // Attestors name their expressions alike, at several depths.
  doc::Value Deep(const doc::Value& value, const std::string& path, int depth) {
    constexpr int kMaxDepth = 32;
    if (depth > kMaxDepth) return value;
    if (value.is_list()) {
      doc::ListBuilder items(value);
      for (std::size_t i = 0; i < items.size(); ++i) {
        items.items()[i] = Deep(items.items()[i], path + "[" + std::to_string(i) + "]", depth + 1);
      }
      return items.Build(arena_);
    }
    if (!value.is_map()) return value;
    doc::Value changed = value;
    for (const doc::MapEntry& entry : value.as_map()) {
      if (!entry.key.is_string()) continue;
      const std::string_view key = entry.key.as_string();
      if (entry.value.is_string()) {
        if (key == "expression" || key == "subjectExpression") {
          changed = Expression(changed, key, path);
        }
      } else {
        changed = Set(changed, key, Deep(entry.value, MovePlace(path, key), depth + 1));
      }
    }
    return changed;
  }

  PolicyKind kind_;
  doc::Value spec_;
  base::Arena& arena_;
  Mover mover_;
  std::vector<Note> notes_;
  bool open_ = false;
};

// One rule for each group and version; of the Pod rule only operations and the namespace selector
// remain. Without operations there is nothing to match.
doc::Value ConstraintsFor(const doc::Value& pod, const std::vector<Target>& targets,
                          base::Arena& arena) {
  const doc::Value& pod_rule = pod.Find("resourceRules")->as_list()[0];
  const doc::Value* operations = pod_rule.Find("operations");
  if (operations == nullptr || !operations->is_list() || operations->size() == 0) return {};
  doc::ListBuilder rules;
  for (std::size_t i = 0; i < targets.size();) {
    const Target& first = targets[i];
    doc::ListBuilder resources;
    for (; i < targets.size() && targets[i].group == first.group &&
           targets[i].version == first.version;
         ++i) {
      resources.Add(doc::MakeString(arena, targets[i].resource));
    }
    const std::array group{doc::MakeString(arena, first.group)};
    const std::array version{doc::MakeString(arena, first.version)};
    doc::MapBuilder rule;
    rule.Set("apiGroups", doc::MakeList(arena, group));
    rule.Set("apiVersions", doc::MakeList(arena, version));
    rule.Set("operations", *operations);
    rule.Set("resources", resources.Build(arena));
    rules.Add(rule.Build(arena));
  }
  doc::MapBuilder constraints;
  if (const doc::Value* selector = pod.Find("namespaceSelector")) {
    constraints.Set("namespaceSelector", *selector);
  }
  constraints.Set("resourceRules", rules.Build(arena));
  return constraints.Build(arena);
}

void AddVariant(const doc::Value& policy, Group group, std::string_view key,
                std::vector<Target> targets, base::Arena& arena, Generated& generated) {
  if (targets.empty()) return;
  Variant variant;
  variant.group = group;
  variant.key = key;
  variant.prefix = "autogen-" + variant.key + "-";
  SpecMover(policy, group, arena).Run(variant);
  for (const Note& note : variant.notes) {
    if (note.outcome != Note::Outcome::kRefused) continue;
    generated.refusals.push_back({std::string(key), std::move(targets), std::move(variant.notes)});
    return;
  }
  const doc::Value constraints =
      ConstraintsFor(*policy.Find("spec")->Find("matchConstraints"), targets, arena);
  variant.spec = constraints.is_null()
                     ? doc::WithoutEntry(arena, variant.spec, "matchConstraints")
                     : doc::WithEntry(arena, variant.spec, "matchConstraints", constraints);
  variant.targets = std::move(targets);
  generated.variants.push_back(std::move(variant));
}

}  // namespace

Generated Generate(const doc::Value& policy, base::Arena& arena) {
  Generated generated;
  const doc::Value* spec = policy.Find("spec");
  if (KindOf(policy) == PolicyKind::kOther) {
    generated.reason = "its kind has no rules for Pod controllers";
    return generated;
  }
  generated.reason = spec == nullptr ? "it has no spec" : WhyNotEligible(*spec);
  if (!generated.reason.empty()) return generated;
  generated.eligible = true;
  Controllers controllers = ChooseControllers(*spec);
  generated.warnings = std::move(controllers.warnings);
  AddVariant(policy, Group::kDefaults, "defaults", std::move(controllers.defaults), arena,
             generated);
  AddVariant(policy, Group::kCronJobs, "cronjobs", std::move(controllers.cronjobs), arena,
             generated);
  AddVariant(policy, Group::kExtract, "extract", std::move(controllers.extract), arena, generated);
  return generated;
}

}  // namespace portcullis::autogen
