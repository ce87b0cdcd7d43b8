#include "policy/map/mutate.h"

#include "base/gotext.h"
#include "doc/edit.h"
#include "json/writer.h"
#include "patch/native_decode.h"
#include "policy/admission/apply_mutation.h"
#include "policy/admission/complete.h"
#include "policy/admission/denial.h"
#include "policy/admission/evaluator.h"
#include "policy/admission/explain.h"
#include "policy/admission/mutation_values.h"
#include "policy/map/go_values.h"
#include "schema/type_table.h"

namespace portcullis::policy {
namespace {

using doc::Value;

// "v1.Secret": how Go names the versioned type of a kind.
std::string GoTypeName(const match::GroupVersionKind& kind) {
  return std::string(kind.version) + "." + std::string(kind.kind);
}

match::GroupVersionKind KindOf(const Value& object) {
  const match::GroupVersion version = match::SplitApiVersion(object.StringAt("apiVersion"));
  return {version.group, version.version, object.StringAt("kind")};
}

class Mutator {
 public:
  Mutator(const MatchedView& view, RequestContext& context)
      : view_(view),
        context_(context),
        types_(context.types != nullptr ? *context.types : schema::TypeTable::Builtin()),
        kind_(types_.FindKind(view.kind.group, view.kind.version, view.kind.kind)) {}

  MutationResult Run(const MutatingPolicy& policy, const Mutation& mutation,
                     const Invocation& invocation) {
    if (!types_.HasGroupVersion(view_.kind.group, view_.kind.version)) {
      result_.fatal = UnknownKind();
      return std::move(result_);
    }
    Evaluator evaluator(policy.core, invocation, view_, context_, {}, kEvaluationBudget);
    Evaluated evaluated = evaluator.Evaluate(mutation.expression);
    if (evaluated.state == Evaluated::State::kOutOfBudget) return Error(kBudgetMessage);
    if (evaluated.state == Evaluated::State::kError) return Error(std::move(evaluated.error));
    const bool done = mutation.json_patch ? ApplyJson(evaluated.value, invocation)
                                          : ApplyPartial(evaluated.value);
    if (!done) return std::move(result_);
    if (native() && view_.kind != context_.request.kind) {
      return Error("converting (" + GoTypeName(view_.kind) + ") to (" +
                   GoTypeName(context_.request.kind) + "): unknown conversion");
    }
    Complete();
    return std::move(result_);
  }

 private:
  bool native() const { return kind_ != nullptr && !kind_->custom; }

  MutationResult Error(std::string_view text) {
    result_.error = text;
    return std::move(result_);
  }
  bool Fail(std::string text) {
    result_.error = std::move(text);
    return false;
  }
  bool FailInternally(std::string_view text) {
    result_.fatal = InternalErrorStatus(text);
    return false;
  }

  Status UnknownKind() const {
    Status status;
    status.code = 503;
    status.reason = "ServiceUnavailable";
    status.message = "Resource kind " + match::ToString(view_.kind) +
                     " not found. There can be a delay between when CustomResourceDefinitions are "
                     "created and when they are available.";
    status.has_details = false;
    return status;
  }

  // Kinds that are no resource of their own group's API have no type to merge by: Scale, Eviction,
  // the options of CONNECT.
  bool Mergeable() const {
    if (kind_ == nullptr || kind_->schema == nullptr) return false;
    if (!kind_->plural.empty()) return true;
    return view_.kind.group == view_.resource.group &&
           view_.kind.version == view_.resource.version && !view_.kind.kind.ends_with("Options");
  }

  bool ApplyPartial(const Value& value) {
    const ObjectMerge how{Mergeable() ? kind_->schema : nullptr, view_.kind};
    AppliedMutation applied = ApplyObject(context_.arena, value, view_.object, how);
    if (!applied.error.empty()) return Fail(std::move(applied.error));
    result_.object = applied.object;
    if (!native()) return true;
    std::string error;
    result_.object = patch::CoerceNumbers(context_.arena, *kind_->schema, applied.object, error);
    if (error.empty()) error = patch::CheckDecode(*kind_->schema, result_.object).error;
    if (error.empty()) return true;
    // Go parity: a converter of its own reads bytes here.
    if (error.starts_with("illegal base64 data")) error = "error decoding from json: " + error;
    return Fail("unable to convert unstructured object to " + match::ToString(view_.kind) + ": " +
                error);
  }

  GoValues GoValuesOf(const Invocation& invocation) const {
    GoValues out;
    out.AddRequest(view_.request);
    if (view_.go_structs && native()) {
      out.Add(view_.object, *kind_->schema);
      out.Add(view_.old_object, *kind_->schema);
    }
    const schema::Kind* params = types_.FindKindOf(invocation.params);
    if (params != nullptr && !params->custom && params->schema != nullptr) {
      out.Add(invocation.params, *params->schema);
    }
    const schema::Kind* ns = types_.FindKind("", "v1", "Namespace");
    if (ns != nullptr && ns->schema != nullptr) out.Add(view_.namespace_object, *ns->schema);
    return out;
  }

  bool ApplyJson(const Value& list, const Invocation& invocation) {
    std::vector<patch::Operation> operations;
    std::string error;
    const GoValues unwritable = GoValuesOf(invocation);
    if (!ToOperations(context_.arena, list, operations, error, &unwritable)) {
      return Fail(std::move(error));
    }
    AppliedMutation applied =
        ApplyOperations(context_.arena, operations, view_.object, context_.interrupt);
    if (!applied.error.empty()) return Fail(std::move(applied.error));
    result_.object = applied.object;
    if (applied.test_failed) return true;
    if (!NamesAKind()) return false;
    return native() ? DecodeNative() : DecodeCustom();
  }

  // apiVersion and kind are read before all else.
  bool NamesAKind() {
    if (!result_.object.is_map()) {
      return FailInternally(
          "couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value "
          "of type struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind "
          "string \"json:\\\"kind,omitempty\\\"\" }");
    }
    for (const std::string_view name : {"apiVersion", "kind"}) {
      const Value* member = result_.object.Find(name);
      if (member == nullptr || member->is_null() || member->is_string()) continue;
      const std::string_view got = member->is_bool()     ? "bool"
                                   : member->is_number() ? "number"
                                   : member->is_list()   ? "array"
                                                         : "object";
      return FailInternally("couldn't get version/kind; json parse error: json: cannot unmarshal " +
                            std::string(got) + " into Go struct field ." + std::string(name) +
                            " of type string");
    }
    return true;
  }

  // The patched document of a built-in kind is decoded strictly, as the kind that it names now.
  bool DecodeNative() {
    const Value& object = result_.object;
    doc::MapBuilder settled(object);
    if (object.StringAt("kind").empty()) {
      settled.Set("kind", doc::Value::String(view_.kind.kind));
    }
    if (object.StringAt("apiVersion").empty()) {
      settled.Set("apiVersion", doc::Value::String(view_.object.StringAt("apiVersion")));
    }
    result_.object = settled.Build(context_.arena);
    const match::GroupVersionKind now = KindOf(result_.object);
    const schema::Kind* kind = types_.FindKind(now.group, now.version, now.kind);
    if (kind == nullptr || kind->custom || kind->schema == nullptr) {
      return FailInternally("no kind " + base::GoQuote(now.kind) + " is registered for version " +
                            base::GoQuote(match::ApiVersionString(now.group, now.version)) +
                            " in scheme \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\"");
    }
    const std::string error = patch::StrictDecodeError(*kind->schema, result_.object);
    if (!error.empty()) return FailInternally(error);
    if (now.group != view_.kind.group || now.version != view_.kind.version) {
      return Fail(GoTypeName(now) + " is not suitable for converting to " +
                  base::GoQuote(match::ApiVersionString(view_.kind.group, view_.kind.version)) +
                  " in scheme \"k8s.io/kubernetes/pkg/api/legacyscheme/scheme.go:30\"");
    }
    return true;
  }

  bool DecodeCustom() {
    if (!result_.object.StringAt("kind").empty()) return true;
    return FailInternally("Object 'Kind' is missing in '" + json::ToString(result_.object) + "'");
  }

  void Complete() {
    if (!context_.defaulting) return;
    result_.object = CompleteMutated(result_.object, view_.kind, context_.types, context_.arena);
  }

  const MatchedView& view_;
  RequestContext& context_;
  const schema::TypeTable& types_;
  const schema::Kind* kind_;
  MutationResult result_;
};

}  // namespace

MutationResult RunMutation(const MutatingPolicy& policy, const Mutation& mutation,
                           const Invocation& invocation, const MatchedView& view,
                           RequestContext& context) {
  ShowExpression(policy.core, invocation, view, context, mutation.path, mutation.expression);
  return Mutator(view, context).Run(policy, mutation, invocation);
}

std::string ChangedKindError(const doc::Value& object, const match::GroupVersionKind& kind,
                             const schema::TypeTable* types) {
  const match::GroupVersionKind now = KindOf(object);
  if (now == kind) return {};
  const schema::Kind* known =
      types == nullptr ? nullptr : types->FindKind(kind.group, kind.version, kind.kind);
  if (known != nullptr && known->custom) {
    // A custom object converts to the versions of its own kind; its kind is looked at later.
    if (now.group == kind.group &&
        (now.version == kind.version ||
         types->FindKind(now.group, now.version, kind.kind) != nullptr)) {
      return {};
    }
    return "failed to convert object: " + match::ToString(now) +
           " is unstructured and is not suitable for converting to " +
           base::GoQuote(match::ApiVersionString(kind.group, kind.version));
  }
  // Go's package of the internal type: the first label of the group.
  const std::string_view package =
      kind.group.empty() ? "core" : kind.group.substr(0, kind.group.find('.'));
  return "failed to convert object: converting (" + GoTypeName(now) + ") to (" +
         std::string(package) + "." + std::string(kind.kind) + "): unknown conversion";
}

}  // namespace portcullis::policy
