#include "policy/kyverno_cel/variants.h"

#include <utility>

#include "autogen/autogen.h"
#include "doc/edit.h"
#include "policy/admission/decode.h"

namespace portcullis::policy::kyverno_cel {
namespace {

std::string Joined(const std::vector<autogen::Target>& targets) {
  std::string out;
  for (const autogen::Target& target : targets) {
    if (!out.empty()) out += ", ";
    out += target.kind;
  }
  return out;
}

std::string Title(const PolicyCommon& policy) { return policy.info.kind + " " + policy.info.name; }

// A variant has the same answer to a request as its policy: only what it looks at differs.
std::unique_ptr<PolicyCommon> CompileVariant(const KindLoader& loader, const doc::Value& object,
                                             const autogen::Variant& variant, base::Arena& arena) {
  FieldErrors errors;
  std::unique_ptr<PolicyCommon> out =
      loader.Load(doc::WithEntry(arena, object, "spec", variant.spec), arena, errors);
  out->variant = variant.key;
  out->group = variant.group;
  out->move_patch_paths = variant.move_patch_paths;
  if (!errors.empty()) {
    const base::Error& first = errors.list().front();
    out->compile_error = first.path + ": " + first.message;
  }
  return out;
}

}  // namespace

void AddVariants(const KindLoader& loader, const doc::Value& object, base::Arena& arena,
                 PolicyCommon& policy, std::vector<std::string>& warnings) {
  if (policy.mode != Mode::kKubernetes) return;
  autogen::Generated generated = autogen::Generate(object, arena);
  for (std::string& text : generated.warnings) warnings.push_back(std::move(text));
  for (const autogen::Refusal& refusal : generated.refusals) {
    std::string text = Title(policy) + " does not apply to " + Joined(refusal.targets);
    for (const autogen::Note& note : refusal.notes) {
      if (note.outcome != autogen::Note::Outcome::kRefused) continue;
      text += ": " + note.path + ": " + note.reason;
      break;
    }
    warnings.push_back(std::move(text));
  }
  for (const autogen::Variant& variant : generated.variants) {
    // A Pod rule without operations gives variants that match nothing.
    if (Member(variant.spec, "matchConstraints") == nullptr) continue;
    policy.variants.push_back(CompileVariant(loader, object, variant, arena));
    policy.variants.back()->info.span = policy.info.span;
  }
}

exceptions::Attached AttachTo(const PolicyCommon& variant,
                              const exceptions::PolicyException& exception,
                              base::ErrorList& notes) {
  exceptions::Attached out{&exception, nullptr};
  if (!variant.group || *variant.group == autogen::Group::kExtract) return out;
  auto rewritten = exceptions::RewriteForm(exception.form, [&](std::string_view source) {
    return autogen::RewriteExpression(source, *variant.group);
  });
  if (rewritten.ok()) {
    out.rewritten = std::move(*rewritten);
    return out;
  }
  base::Error note = rewritten.TakeError();
  note.message = "PolicyException " + exception.Key() + " applies to the " + variant.variant +
                 " rules of policy " + variant.info.name +
                 " only as it is written: " + note.message;
  note.span = exception.span;
  notes.push_back(std::move(note));
  return out;
}

}  // namespace portcullis::policy::kyverno_cel
