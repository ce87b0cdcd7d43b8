#include "policy/kyverno_cel/activation.h"

#include <algorithm>

#include "cel/eval/host_type.h"
#include "cel/kyverno/environments.h"
#include "cel/kyverno/native_struct.h"
#include "doc/edit.h"

namespace portcullis::policy::kyverno_cel {
namespace {

// The lazy `variables` object.
struct VariablesRep : doc::HostRep {
  Activation* activation;
};

bool GetVariable(cel::CallContext& /*context*/, const doc::Value& self, std::string_view field,
                 doc::Value& out) {
  return static_cast<const VariablesRep*>(self.host())->activation->Variable(field, out);
}

const cel::Type kVariablesType{cel::TypeKind::kStruct, cel::kKyvernoVariables, {}};

const cel::CelHostType& VariablesHostType() {
  static const cel::CelHostType kType = [] {
    cel::CelHostType type;
    type.name = cel::kKyvernoVariables;
    type.get = GetVariable;
    type.type_value = &kVariablesType;
    return type;
  }();
  return kType;
}

doc::Value StringList(std::span<const std::string> texts, base::Arena& arena) {
  std::vector<doc::Value> items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back(doc::Value::String(arena.CopyString(text)));
  return doc::MakeList(arena, items);
}

// Kyverno gives every object the namespace of its request.
doc::Value WithNamespace(const doc::Value& object, RequestContext& context) {
  const match::AdmissionRequest& request = context.request;
  if (!object.is_map() || request.ns.empty() || request.kind.kind == "Namespace") return object;
  const doc::Value* metadata = object.Find("metadata");
  const bool has_metadata = metadata != nullptr && metadata->is_map();
  if (has_metadata && metadata->StringAt("namespace") == request.ns) return object;
  return doc::WithEntry(
      context.arena, object, "metadata",
      doc::WithEntry(context.arena, has_metadata ? *metadata : doc::Value::EmptyMap(), "namespace",
                     doc::Value::String(request.ns)));
}

// Kyverno's request holds the objects too, as they came.
doc::Value RequestOf(RequestContext& context, const doc::Value& object) {
  const match::AdmissionRequest& request = context.request;
  doc::MapBuilder builder(context.RequestValue(request.kind, request.resource));
  builder.Set("object", object);
  builder.Set("oldObject", request.old_object);
  return builder.Build(context.arena);
}

}  // namespace

Activation::Activation(const PolicyCommon& policy, RequestContext& context)
    : policy_(policy), context_(context) {
  const std::size_t count = policy.variables.size();
  if (count == 0) return;
  states_ = context.arena.AllocateArray<State>(count);
  for (std::size_t i = 0; i < count; ++i) states_[i] = State{};
}

void Activation::BindExceptions(std::span<const std::string> images,
                                std::span<const std::string> allowed_values) {
  exceptions_ = cel::MakeKyvernoException(context_.arena, StringList(images, context_.arena),
                                          StringList(allowed_values, context_.arena));
  exceptions_bound_ = true;
}

cel::EvalOptions Activation::options() const {
  cel::EvalOptions options;
  options.host = &context_;
  options.interrupt = context_.interrupt;
  options.cost_limit = policy_.cost_limit;
  return options;
}

void Activation::Bind(std::string_view name, const doc::Value& value) {
  for (auto& [known, old] : bound_) {
    if (known != name) continue;
    old = value;
    return;
  }
  bound_.emplace_back(name, value);
}

bool Activation::Resolve(std::string_view name, doc::Value& out) {
  if (std::find(unbound_.begin(), unbound_.end(), name) != unbound_.end()) return false;
  for (const auto& [known, value] : bound_) {
    if (known != name) continue;
    out = value;
    return true;
  }
  const match::AdmissionRequest& request = context_.request;
  const bool json = policy_.mode == Mode::kJson;
  if (name == "object") {
    out = json ? request.object : WithNamespace(request.object, context_);
  } else if (name == "oldObject") {
    out = json ? doc::Value::Null() : WithNamespace(request.old_object, context_);
  } else if (name == "request") {
    if (request_.is_null() && !json) {
      request_ = RequestOf(context_, request_object_.value_or(request.object));
    }
    out = request_;
  } else if (name == "namespaceObject") {
    out = doc::Value::Null();
    if (!json && !request.ns.empty()) {
      const provider::Lookup& found = context_.RequestNamespace();
      if (found.found()) out = found.object;
    }
  } else if (name == "exceptions" && exceptions_bound_) {
    out = exceptions_;
  } else if (name == "variables" && variables_bound_) {
    auto* rep = context_.arena.New<VariablesRep>();
    rep->type = &VariablesHostType();
    rep->activation = this;
    out = doc::Value::Host(rep);
  } else {
    return cel::KyvernoVariable(name, policy_.info.ns, context_.arena, out);
  }
  return true;
}

std::size_t Activation::FindVariable(std::string_view name) const {
  // Of several variables of one name the last one wins.
  std::size_t at = policy_.variables.size();
  while (at > 0 && policy_.variables[at - 1].name != name) --at;
  return at;
}

const cel::Program* Activation::VariableProgram(std::string_view name) const {
  const std::size_t at = FindVariable(name);
  return at == 0 ? nullptr : policy_.variables[at - 1].expression.program.get();
}

bool Activation::Variable(std::string_view name, doc::Value& out) {
  const std::size_t at = FindVariable(name);
  if (at == 0) return false;
  State& state = states_[at - 1];
  if (state.running) {
    // Only duplicate names can make a cycle.
    out = doc::Value::Error(context_.arena.New<doc::ErrorRep>("the variable refers to itself"));
    return true;
  }
  if (!state.done) {
    state.running = true;
    state.value = cel::Evaluate(*policy_.variables[at - 1].expression.program, *this,
                                context_.arena, options())
                      .value;
    state.running = false;
    state.done = true;
  }
  out = state.value;
  return true;
}

}  // namespace portcullis::policy::kyverno_cel
