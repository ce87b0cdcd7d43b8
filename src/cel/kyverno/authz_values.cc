#include "cel/kyverno/authz_values.h"

#include <vector>

#include "cel/k8s/support.h"
#include "doc/edit.h"

namespace portcullis::cel::authz {

constexpr CelHostType kEnvoyOk = k8s::MakeHostType(kEnvoyOkType);
constexpr CelHostType kEnvoyDenied = k8s::MakeHostType(kEnvoyDeniedType);
constexpr CelHostType kEnvoyResponse = k8s::MakeHostType(kEnvoyResponseType);
constexpr CelHostType kEnvoyHeader = k8s::MakeHostType(kEnvoyHeaderType);
constexpr CelHostType kEnvoyParameter = k8s::MakeHostType(kEnvoyParameterType);
constexpr CelHostType kHttpOk = k8s::MakeHostType(kHttpOkType);
constexpr CelHostType kHttpDenied = k8s::MakeHostType(kHttpDeniedType);
constexpr CelHostType kHttpResponse = k8s::MakeHostType(kHttpResponseType);

doc::Value Make(base::Arena& arena, const CelHostType& type, const doc::Value& content) {
  return k8s::NewHost<AnswerRep>(arena, type, content);
}

const doc::Value& ContentOf(const doc::Value& value) {
  return k8s::RepOf<AnswerRep>(value).content;
}

doc::Value With(base::Arena& arena, const doc::Value& map, std::string_view name,
                const doc::Value& value) {
  return doc::WithEntry(arena, map, name, value);
}

doc::Value WithAppended(base::Arena& arena, const doc::Value& map, std::string_view name,
                        const doc::Value& item) {
  std::vector<doc::Value> items;
  if (const doc::Value* known = map.Find(name); known != nullptr && known->is_list()) {
    items.assign(known->as_list().begin(), known->as_list().end());
  }
  items.push_back(item);
  return With(arena, map, name, doc::MakeList(arena, items));
}

}  // namespace portcullis::cel::authz
