#ifndef PORTCULLIS_PROVIDER_AUTHORIZER_H_
#define PORTCULLIS_PROVIDER_AUTHORIZER_H_

// The question "may this user do this?" as the CEL authorizer library asks it (spec/cel.md 16.7).
// Offline it is answered from RBAC objects or by a fixed decision. Implementations are
// thread-safe for const calls.

#include <string>
#include <string_view>
#include <vector>

namespace portcullis::provider {

struct UserInfo {
  std::string username;
  std::string uid;
  std::vector<std::string> groups;
  std::vector<std::pair<std::string, std::vector<std::string>>> extra;
};

struct AuthorizationRequest {
  UserInfo user;
  std::string verb;
  bool resource_request = true;  // false: a non-resource path
  std::string path;
  std::string api_group;
  std::string api_version = "*";
  std::string resource;
  std::string subresource;
  std::string ns;
  std::string name;
  std::string field_selector;  // as written
  std::string label_selector;  // as written
};

struct AuthorizationDecision {
  enum class Answer { kAllow, kDeny, kNoOpinion };
  Answer answer = Answer::kNoOpinion;
  std::string reason;
  std::string error;  // non-empty: the check errored
};

class Authorizer {
 public:
  virtual ~Authorizer() = default;
  virtual AuthorizationDecision Authorize(const AuthorizationRequest& request) = 0;
};

}  // namespace portcullis::provider

#endif  // PORTCULLIS_PROVIDER_AUTHORIZER_H_
