#include "policy/kyverno_cel/family.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "exceptions/exception.h"
#include "exceptions/fields.h"
#include "policy/admission/decode.h"
#include "policy/kyverno_cel/deleting_policy.h"
#include "policy/kyverno_cel/generating_policy.h"
#include "policy/kyverno_cel/http_use.h"
#include "policy/kyverno_cel/image_validating_policy.h"
#include "policy/kyverno_cel/kind.h"
#include "policy/kyverno_cel/load.h"
#include "policy/kyverno_cel/mutating_policy.h"
#include "policy/kyverno_cel/set.h"
#include "policy/kyverno_cel/validating_policy.h"
#include "policy/kyverno_cel/variants.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kGroup = "policies.kyverno.io/";
constexpr std::string_view kExceptionKind = "PolicyException";
constexpr std::string_view kNamespaced = "Namespaced";

base::Error Note(base::ErrorCode code, std::string text, const base::SourceSpan& span) {
  base::Error note(code, std::move(text));
  note.span = span;
  return note;
}

// A later object of the same name replaces the earlier one, as an apply does.
template <typename T, typename Key>
void Replace(std::vector<std::unique_ptr<T>>& list, std::unique_ptr<T> item, Key key) {
  for (std::unique_ptr<T>& known : list) {
    if (key(*known) == key(*item)) {
      known = std::move(item);
      return;
    }
  }
  list.push_back(std::move(item));
}

void AddErrors(const base::ErrorList& errors, const SourceDocument& document, LoadReport& report) {
  for (base::Error error : errors) {
    error.span = document.span;
    report.errors.push_back(std::move(error));
  }
}

// A kind and its policies so far.
struct Kind {
  std::unique_ptr<KindLoader> loader;
  PolicyList policies;
  std::vector<std::string> refused;  // names

  bool Reads(std::string_view kind) const {
    if (kind.starts_with(kNamespaced)) kind.remove_prefix(kNamespaced.size());
    return kind == loader->kind();
  }
};

class Loader final : public FamilyLoader {
 public:
  Loader() {
    for (auto make : {NewMutatingLoader, NewValidatingLoader, NewGeneratingLoader,
                      NewDeletingLoader, NewImageValidatingLoader}) {
      kinds_.push_back({make(), {}, {}});
    }
  }

  std::string_view name() const override { return "kyverno-cel"; }

  bool Handles(std::string_view api_version, std::string_view kind) const override {
    if (!api_version.starts_with(kGroup)) return false;
    const std::string_view version = api_version.substr(kGroup.size());
    if (version != "v1" && version != "v1beta1" && version != "v1alpha1") return false;
    if (kind == kExceptionKind) return true;
    // The namespaced kinds were never served as v1alpha1.
    if (version == "v1alpha1" && kind.starts_with(kNamespaced)) return false;
    return std::any_of(kinds_.begin(), kinds_.end(),
                       [&](const Kind& known) { return known.Reads(kind); });
  }

  void Add(const SourceDocument& document, LoadMode mode, base::Arena& arena,
           LoadReport& report) override {
    const std::string_view name = document.value.StringAt("kind");
    const auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                                   [&](const Kind& known) { return known.Reads(name); });
    const bool exception = kind == kinds_.end();
    exceptions::FieldFindings findings = exceptions::CheckFields(
        document.value, exception ? exceptions::kPolicyExceptionFields : kind->loader->fields());
    Decoded decoded;
    decoded.unknown_fields = std::move(findings.unknown);
    decoded.hints = std::move(findings.hints);
    decoded.errors = std::move(findings.errors);
    bool usable = ReportDecoded(decoded, document, mode, report);
    if (usable && !exception && mode == LoadMode::kApiServer) {
      usable = AllowsHttp(document, report);
    }
    if (usable) {
      usable =
          exception ? AddException(document, report) : AddPolicy(*kind, document, arena, report);
    }
    if (usable) {
      report.stored = document.value;
    } else if (!exception) {
      const doc::Value* metadata = Member(document.value, "metadata");
      kind->refused.emplace_back(metadata == nullptr ? "" : metadata->StringAt("name"));
    }
  }

  std::unique_ptr<const FamilySet> Finish(bool /*unbound_deny*/) override {
    base::ErrorList notes;
    // Kyverno lists exceptions by key.
    std::sort(exceptions_.begin(), exceptions_.end(), [](const auto& a, const auto& b) {
      return std::tie(a->ns, a->name) < std::tie(b->ns, b->name);
    });
    for (const auto& exception : exceptions_) CheckRefs(*exception, notes);
    std::vector<std::unique_ptr<const FamilySet>> sets;
    for (Kind& kind : kinds_) {
      std::sort(kind.policies.begin(), kind.policies.end(), [](const auto& a, const auto& b) {
        return std::tie(a->info.ns, a->info.name) < std::tie(b->info.ns, b->info.name);
      });
      for (const auto& policy : kind.policies) Attach(*policy, notes);
      sets.push_back(kind.loader->Build(std::move(kind.policies)));
    }
    return std::make_unique<Set>(std::move(sets), std::move(exceptions_), std::move(notes));
  }

 private:
  // Offline the answers come from files, and anyone may use them.
  static bool AllowsHttp(const SourceDocument& document, LoadReport& report) {
    if (!document.value.StringAt("kind").starts_with(kNamespaced)) return true;
    const doc::Value* spec = Member(document.value, "spec");
    if (spec == nullptr || !UsesHttp(*spec)) return true;
    FieldErrors errors;
    errors.Forbidden("spec", kNoHttp);
    report.refusal = RefusalOf(errors, {});
    AddErrors(errors.list(), document, report);
    return false;
  }

  static bool AddPolicy(Kind& kind, const SourceDocument& document, base::Arena& arena,
                        LoadReport& report) {
    FieldErrors errors;
    std::unique_ptr<PolicyCommon> policy = kind.loader->Load(document.value, arena, errors);
    if (!errors.empty()) {
      report.refusal = kind.loader->Refusal(errors);
      AddErrors(errors.list(), document, report);
      return false;
    }
    policy->info.span = document.span;
    AddVariants(*kind.loader, document.value, arena, *policy, report.warnings);
    Replace(kind.policies, std::move(policy), [](const PolicyCommon& item) {
      return std::tie(item.info.kind, item.info.ns, item.info.name);
    });
    return true;
  }

  bool AddException(const SourceDocument& document, LoadReport& report) {
    base::ErrorList errors;
    auto exception = std::make_unique<exceptions::PolicyException>(
        exceptions::LoadException(document.value, errors, report.warnings));
    exception->span = document.span;
    if (errors.empty()) {
      Replace(exceptions_, std::move(exception),
              [](const exceptions::PolicyException& item) { return std::tie(item.ns, item.name); });
      return true;
    }
    Status refusal;
    refusal.code = 400;
    refusal.has_details = false;
    for (const base::Error& error : errors) {
      if (!refusal.message.empty()) refusal.message += ", ";
      refusal.message += error.path + ": " + error.message;
    }
    if (errors.size() > 1) refusal.message = "[" + refusal.message + "]";
    report.refusal = std::move(refusal);
    // Readers of many files want to know which exception it is, and what it was meant for.
    std::string title = "PolicyException " + exception->Key();
    for (const exceptions::PolicyRef& ref : exception->refs) {
      title += (&ref == exception->refs.data() ? " for " : ", ") + ref.kind + " " + ref.name;
    }
    for (base::Error& error : errors) error.message = title + ": " + error.message;
    AddErrors(errors, document, report);
    return false;
  }

  // Every reference names a policy that exists, and a kind that honours what the exception asks.
  void CheckRefs(const exceptions::PolicyException& exception, base::ErrorList& notes) const {
    for (std::size_t i = 0; i < exception.refs.size(); ++i) {
      const exceptions::PolicyRef& ref = exception.refs[i];
      const auto kind = std::find_if(kinds_.begin(), kinds_.end(),
                                     [&](const Kind& known) { return known.Reads(ref.kind); });
      const std::string title = "PolicyException " + exception.Key();
      const std::string path = "spec.policyRefs[" + std::to_string(i) + "].";
      if (kind == kinds_.end()) {
        notes.push_back(Note(base::ErrorCode::kNotFound,
                             title + " refers to kind " + ref.kind +
                                 ", which is no kind of policy that has exceptions",
                             exception.span));
        notes.back().path = path + "kind";
        continue;
      }
      const bool known =
          std::any_of(kind->policies.begin(), kind->policies.end(), [&](const auto& policy) {
            return policy->info.kind == ref.kind && policy->info.name == ref.name;
          });
      const auto& refused = kind->refused;
      if (!known && std::find(refused.begin(), refused.end(), ref.name) == refused.end()) {
        notes.push_back(Note(base::ErrorCode::kNotFound,
                             title + " refers to " + ref.kind + " " + ref.name +
                                 ", which does not exist" + OtherKind(ref),
                             exception.span));
        notes.back().path = path + "name";
      }
      if (!exception.form.controls.empty() && !kind->loader->honours_controls()) {
        notes.push_back(Note(base::ErrorCode::kUnsupported,
                             title + ": validations are ignored for " + ref.kind + " " + ref.name,
                             exception.span));
      }
    }
  }

  // A policy of the name that the reference misses by its kind.
  std::string OtherKind(const exceptions::PolicyRef& ref) const {
    for (const Kind& kind : kinds_) {
      for (const auto& policy : kind.policies) {
        if (policy->info.name == ref.name)
          return ": there is a " + policy->info.kind + " of that name";
      }
    }
    return {};
  }

  void Attach(PolicyCommon& policy, base::ErrorList& notes) const {
    for (const auto& exception : exceptions_) {
      if (!exception->RefersTo(policy.info.kind, policy.info.name)) continue;
      if (!Handled(*exception, policy, notes)) continue;
      policy.exceptions.push_back({exception.get(), nullptr});
      for (const auto& variant : policy.variants) {
        variant->exceptions.push_back(AttachTo(*variant, *exception, notes));
      }
    }
  }

  static bool Handled(const exceptions::PolicyException& exception, const PolicyCommon& policy,
                      base::ErrorList& notes) {
    const std::string& mode = exception.evaluation_mode;
    if (mode.empty() || mode == (policy.mode == Mode::kJson ? "JSON" : "Kubernetes")) return true;
    notes.push_back(Note(base::ErrorCode::kUnsupported,
                         "PolicyException " + exception.Key() + " is for evaluation mode \"" +
                             mode + "\" and does not apply to policy " + policy.info.name,
                         exception.span));
    return false;
  }

  std::vector<Kind> kinds_;
  std::vector<std::unique_ptr<exceptions::PolicyException>> exceptions_;
};

}  // namespace

std::unique_ptr<FamilyLoader> NewLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
