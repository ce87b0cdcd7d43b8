#include "policy/kyverno_cel/family.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "exceptions/exception.h"
#include "exceptions/fields.h"
#include "policy/admission/decode.h"
#include "policy/kyverno_cel/load.h"
#include "policy/kyverno_cel/set.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::string_view kGroup = "policies.kyverno.io/";
constexpr std::string_view kKind = "ValidatingPolicy";
constexpr std::string_view kNamespacedKind = "NamespacedValidatingPolicy";
constexpr std::string_view kExceptionKind = "PolicyException";

base::Error Note(base::ErrorCode code, std::string text, const base::SourceSpan& span) {
  base::Error note(code, std::move(text));
  note.span = span;
  return note;
}

class Loader final : public FamilyLoader {
 public:
  std::string_view name() const override { return "kyverno-validating"; }

  bool Handles(std::string_view api_version, std::string_view kind) const override {
    if (!api_version.starts_with(kGroup)) return false;
    const std::string_view version = api_version.substr(kGroup.size());
    if (version != "v1" && version != "v1beta1" && version != "v1alpha1") return false;
    return kind == kKind || kind == kExceptionKind ||
           (kind == kNamespacedKind && version != "v1alpha1");
  }

  void Add(const SourceDocument& document, LoadMode mode, base::Arena& /*arena*/,
           LoadReport& report) override {
    const bool exception = document.value.StringAt("kind") == kExceptionKind;
    exceptions::FieldFindings findings =
        exceptions::CheckFields(document.value, exception ? exceptions::kPolicyExceptionFields
                                                          : exceptions::kValidatingPolicyFields);
    Decoded decoded;
    decoded.unknown_fields = std::move(findings.unknown);
    decoded.hints = std::move(findings.hints);
    decoded.errors = std::move(findings.errors);
    const bool usable = ReportDecoded(decoded, document, mode, report);
    if (usable && (exception ? AddException(document, report) : AddPolicy(document, report))) {
      report.stored = document.value;
    } else if (!exception) {
      const doc::Value* metadata = Member(document.value, "metadata");
      refused_.emplace_back(metadata == nullptr ? "" : metadata->StringAt("name"));
    }
  }

  std::unique_ptr<const FamilySet> Finish(bool /*unbound_deny*/) override {
    base::ErrorList notes;
    std::erase_if(policies_, [&](const auto& policy) { return LeaveOut(*policy, notes); });
    std::sort(policies_.begin(), policies_.end(), [](const auto& a, const auto& b) {
      return std::tie(a->info.ns, a->info.name) < std::tie(b->info.ns, b->info.name);
    });
    // Kyverno lists exceptions by key.
    std::sort(exceptions_.begin(), exceptions_.end(), [](const auto& a, const auto& b) {
      return std::tie(a->ns, a->name) < std::tie(b->ns, b->name);
    });
    for (const auto& exception : exceptions_) {
      for (const exceptions::PolicyRef& ref : exception->refs) NoteUnknown(*exception, ref, notes);
    }
    for (const auto& policy : policies_) {
      for (const auto& exception : exceptions_) {
        if (!exception->RefersTo(policy->info.kind, policy->info.name)) continue;
        if (!Handled(*exception, *policy, notes)) continue;
        policy->exceptions.push_back(exception.get());
      }
    }
    return std::make_unique<Set>(std::move(policies_), std::move(exceptions_), std::move(notes));
  }

 private:
  bool AddPolicy(const SourceDocument& document, LoadReport& report) {
    auto policy = std::make_unique<Policy>();
    policy->info.span = document.span;
    FieldErrors errors;
    LoadValidatingPolicy(document.value, *policy, errors);
    if (errors.empty()) {
      Replace(policies_, std::move(policy), [](const Policy& item) {
        return std::tie(item.info.kind, item.info.ns, item.info.name);
      });
      return true;
    }
    report.refusal = RefusalOf(errors);
    AddErrors(errors.list(), document, report);
    return false;
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
    AddErrors(errors, document, report);
    return false;
  }

  static void AddErrors(const base::ErrorList& errors, const SourceDocument& document,
                        LoadReport& report) {
    for (base::Error error : errors) {
      error.span = document.span;
      report.errors.push_back(std::move(error));
    }
  }

  // A later object of the same name replaces the earlier one, as an apply does.
  template <typename T, typename Key>
  static void Replace(std::vector<std::unique_ptr<T>>& list, std::unique_ptr<T> item, Key key) {
    for (std::unique_ptr<T>& known : list) {
      if (key(*known) == key(*item)) {
        known = std::move(item);
        return;
      }
    }
    list.push_back(std::move(item));
  }

  // Policies that do not speak about Kubernetes objects take no part in admission; the author is
  // told of everything that is not evaluated.
  static bool LeaveOut(const Policy& policy, base::ErrorList& notes) {
    const std::string title = policy.info.kind + " " + policy.info.name;
    if (policy.mode != Mode::kKubernetes) {
      notes.push_back(Note(base::ErrorCode::kUnsupported,
                           title + ": unsupported evaluation mode \"" + policy.mode_name +
                               "\" for Kubernetes objects: the policy is not evaluated",
                           policy.info.span));
      return true;
    }
    if (policy.autogen) {
      notes.push_back(Note(base::ErrorCode::kUnsupported,
                           title + ": only Pods are evaluated: rules for Pod controllers are not "
                                   "generated",
                           policy.info.span));
    }
    return false;
  }

  void NoteUnknown(const exceptions::PolicyException& exception, const exceptions::PolicyRef& ref,
                   base::ErrorList& notes) const {
    // Exceptions from other kinds of policies are not this family's to judge.
    if (ref.kind != kKind && ref.kind != kNamespacedKind) return;
    const bool known = std::any_of(policies_.begin(), policies_.end(), [&](const auto& policy) {
      return policy->info.kind == ref.kind && policy->info.name == ref.name;
    });
    if (known || std::find(refused_.begin(), refused_.end(), ref.name) != refused_.end()) return;
    notes.push_back(Note(base::ErrorCode::kNotFound,
                         "PolicyException " + exception.Key() + " refers to " + ref.kind + " " +
                             ref.name + ", which does not exist",
                         exception.span));
  }

  static bool Handled(const exceptions::PolicyException& exception, const Policy& policy,
                      base::ErrorList& notes) {
    const std::string& mode = exception.evaluation_mode;
    if (mode.empty() || mode == (policy.mode == Mode::kJson ? "JSON" : "Kubernetes")) return true;
    notes.push_back(Note(base::ErrorCode::kUnsupported,
                         "PolicyException " + exception.Key() + " is for evaluation mode \"" +
                             mode + "\" and does not apply to policy " + policy.info.name,
                         exception.span));
    return false;
  }

  std::vector<std::unique_ptr<Policy>> policies_;
  std::vector<std::unique_ptr<exceptions::PolicyException>> exceptions_;
  std::vector<std::string> refused_;  // names of policies
};

}  // namespace

std::unique_ptr<FamilyLoader> NewLoader() { return std::make_unique<Loader>(); }

}  // namespace portcullis::policy::kyverno_cel
