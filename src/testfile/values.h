#ifndef PORTCULLIS_TESTFILE_VALUES_H_
#define PORTCULLIS_TESTFILE_VALUES_H_

// The kinds Values and UserInfo of cli.kyverno.io/v1alpha1 as plain values (spec/cli-and-server.md
// 2.5, 2.6). Decoding is strict. Values of the documents are borrowed; what is built lives in the
// arena given. Value types, thread-safe to read.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "testfile/problems.h"

namespace portcullis::testfile {

using ValueMap = std::map<std::string, doc::Value, std::less<>>;

struct RuleValues {
  std::string name;
  ValueMap values;
  std::map<std::string, std::vector<doc::Value>, std::less<>> foreach_values;
};

struct PolicyValues {
  std::string name;
  std::vector<std::pair<std::string, ValueMap>> resources;  // by resource name
  std::vector<RuleValues> rules;
};

struct TypeRef {
  std::string name, kind, group, version;
};

struct Values {
  ValueMap globals;
  std::vector<PolicyValues> policies;
  std::vector<doc::Value> namespaces;                     // Namespace objects, each name once
  std::vector<std::pair<TypeRef, TypeRef>> subresources;  // subresource, parent

  // The value of a key for one policy and resource: the resource's own, else the global one; null
  // if there is none.
  const doc::Value* Find(std::string_view key, std::string_view policy,
                         std::string_view resource) const;
};

// `object` is the whole document, or the `values` of a Test when `path` is not empty.
Values DecodeValues(const doc::Value& object, const std::string& path, base::Arena& arena,
                    Problems& problems);

struct UserInfo {
  std::vector<std::string> roles, cluster_roles;
  doc::Value user_info;  // a map, null when absent
  bool dry_run = false;
};

UserInfo DecodeUserInfo(const doc::Value& root, Problems& problems);

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_VALUES_H_
