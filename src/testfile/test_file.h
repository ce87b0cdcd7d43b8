#ifndef PORTCULLIS_TESTFILE_TEST_FILE_H_
#define PORTCULLIS_TESTFILE_TEST_FILE_H_

// One document of kind Test as plain values (spec/cli-and-server.md 2.2, 2.3, 2.12). Decoding is
// strict; the spellings of older versions are read with a warning. Values of the document are
// borrowed. Value types, thread-safe to read.

#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"
#include "testfile/problems.h"

namespace portcullis::testfile {

struct ResourceSpec {
  std::string group, version, kind, subresource, ns, name;

  std::string ApiVersion() const { return group.empty() ? version : group + "/" + version; }
};

// One entry of `results`.
struct Expectation {
  std::string path;    // "results[3]"
  std::string policy;  // "name" or "namespace/name"
  std::string rule;
  std::string result;  // pass, fail, skip, warn or error
  std::vector<std::string> resources;
  bool has_resources = false;  // `resources` is there, maybe empty
  std::vector<ResourceSpec> specs;
  std::string kind;
  std::string operation;          // CREATE, UPDATE, DELETE; empty: the default run
  std::string patched_resources;  // file
  std::vector<std::string> generated_resources;
  std::string clone_source;
  bool fail_on_missing = false;
  bool deletes = false;  // isDeletingPolicy

  // The last segment of `policy`, and what stands before it.
  std::string_view policy_name() const;
  std::string_view policy_namespace() const;
};

// One entry of `checks`: assertion trees about the responses that it selects.
struct Check {
  std::string path;  // "checks[0]"
  doc::Value match_resource, match_policy, match_rule;
  doc::Value assert_tree, error_tree;
};

struct TestFile {
  std::string name;
  std::vector<std::string> policies, resources, target_resources, param_resources, exceptions;
  std::string variables, userinfo, context;
  doc::Value values;  // inline; null: `variables` counts
  std::vector<std::string> cluster_resources;
  std::vector<std::string> json_payloads, http_payloads, envoy_payloads;
  doc::Value api_call_responses, global_context_entries;  // lists; null when absent
  std::vector<Expectation> results;
  std::vector<Check> checks;
};

TestFile DecodeTest(const doc::Value& root, Problems& problems);

// "./a//b/../c.json" -> "a/c.json", as payloads are named.
std::string CleanPath(std::string_view path);

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_TEST_FILE_H_
