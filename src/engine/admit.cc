#include "engine/admit.h"

#include "doc/equal.h"
#include "engine/object_warnings.h"
#include "policy/context.h"

namespace portcullis::engine {
namespace {

// Does the verdict refuse the request? Fills the answer's status.
bool Refused(policy::Verdict& verdict, Answer& answer) {
  if (!verdict.fatal && verdict.denials.empty()) return false;
  answer.allowed = false;
  answer.status = verdict.fatal ? std::move(*verdict.fatal) : std::move(verdict.denials.front());
  return true;
}

// A plug-in that refuses ends its phase, except when all results are wanted.
bool Ends(const policy::Verdict& verdict) {
  return !verdict.want_rows && (verdict.fatal || !verdict.denials.empty());
}

// The policies that may match, of those that take part.
void FindCandidates(const PolicySet::Member& member, const match::AdmissionRequest& request,
                    const AdmitOptions& options, std::vector<std::uint32_t>& candidates) {
  candidates.clear();
  member.index.Find(request, candidates);
  if (!options.only) return;
  std::erase_if(candidates,
                [&](std::uint32_t number) { return !options.only(member.set->info(number)); });
}

// The mutating phase: all families once, and once more if one asks for it.
void Mutate(const PolicySet& set, const AdmitOptions& options, policy::RequestContext& context,
            policy::Verdict& verdict) {
  std::vector<std::unique_ptr<policy::MutationState>> states;
  for (const PolicySet::Member& member : set.families()) {
    states.push_back(member.set->mutates() ? member.set->NewMutationState() : nullptr);
  }
  std::vector<std::uint32_t> candidates;
  for (int pass = 0; pass < 2; ++pass) {
    bool again = false;
    for (std::size_t i = 0; i < set.families().size(); ++i) {
      const PolicySet::Member& member = set.families()[i];
      if (!member.set->mutates()) continue;
      FindCandidates(member, context.request, options, candidates);
      if (candidates.empty()) continue;
      again = member.set->Mutate(candidates, pass, states[i].get(), context, verdict) || again;
      if (Ends(verdict)) return;
    }
    if (!again) return;
  }
}

void Validate(const PolicySet& set, const AdmitOptions& options, policy::RequestContext& context,
              policy::Verdict& verdict) {
  std::vector<std::uint32_t> candidates;
  for (const PolicySet::Member& member : set.families()) {
    if (!member.set->validates()) continue;
    FindCandidates(member, context.request, options, candidates);
    if (candidates.empty()) continue;
    member.set->Validate(candidates, context, verdict);
    if (Ends(verdict)) return;
  }
}

}  // namespace

Answer Admit(const PolicySet& set, const match::AdmissionRequest& request,
             const provider::Providers& providers, const schema::TypeTable* types,
             base::Arena& arena, const AdmitOptions& options) {
  match::AdmissionRequest current = request;
  policy::RequestContext context(current, providers, types, arena);
  context.interrupt = options.interrupt;
  context.defaulting = options.defaulting;
  context.explain_failures = options.explain_failures;
  context.observer = options.observer;
  policy::Verdict verdict;
  verdict.want_rows = options.want_rows;
  Answer answer;

  bool refused = false;
  if (options.mutate) {
    Mutate(set, options, context, verdict);
    refused = Refused(verdict, answer);
  }
  if (options.object_warnings && !refused) {
    for (std::string& text : ObjectWarnings(current)) verdict.warnings.push_back(std::move(text));
  }
  if (options.validate && (!refused || options.want_rows)) {
    Validate(set, options, context, verdict);
    if (!refused) Refused(verdict, answer);
  }
  answer.warnings = RecordWarnings(verdict.warnings);
  answer.audit_annotations = std::move(verdict.audit_annotations);
  answer.rows = std::move(verdict.rows);
  answer.produced = std::move(verdict.produced);
  answer.object = current.object;
  answer.mutated = !doc::DataEqual(request.object, current.object);
  return answer;
}

}  // namespace portcullis::engine
