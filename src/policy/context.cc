#include "policy/context.h"

namespace portcullis::policy {
namespace {

std::vector<std::string> Strings(const doc::Value* list) {
  std::vector<std::string> out;
  if (list == nullptr || !list->is_list()) return out;
  for (const doc::Value& item : list->as_list()) {
    if (item.is_string()) out.emplace_back(item.as_string());
  }
  return out;
}

}  // namespace

const provider::UserInfo* RequestContext::user() {
  if (!user_read_) {
    user_read_ = true;
    const doc::Value& info = request.user_info;
    user_.username = info.StringAt("username");
    user_.uid = info.StringAt("uid");
    user_.groups = Strings(info.Find("groups"));
    if (const doc::Value* extra = info.Find("extra"); extra != nullptr && extra->is_map()) {
      for (const doc::MapEntry& entry : extra->as_map()) {
        if (entry.key.is_string()) {
          user_.extra.emplace_back(entry.key.as_string(), Strings(&entry.value));
        }
      }
    }
  }
  return &user_;
}

const provider::Clock* RequestContext::clock() {
  if (providers.clock == nullptr) return nullptr;
  if (!clock_.has_value()) clock_.emplace(providers.clock->NowNanoseconds());
  return &*clock_;
}

}  // namespace portcullis::policy
