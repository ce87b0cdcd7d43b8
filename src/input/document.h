#ifndef PORTCULLIS_INPUT_DOCUMENT_H_
#define PORTCULLIS_INPUT_DOCUMENT_H_

// One object of an input with where it came from, and what role it plays. Documents are views:
// the stream that made them owns their text and their values. Value types, thread-safe to read.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "doc/path.h"
#include "doc/value.h"

namespace portcullis::input {

enum class DocumentRole : std::uint8_t {
  kResource,          // everything else: an object under test
  kNativePolicy,      // ValidatingAdmissionPolicy, MutatingAdmissionPolicy
  kNativeBinding,     // their bindings
  kKyvernoPolicy,     // ClusterPolicy, Policy and cleanup policies
  kKyvernoCelPolicy,  // policies.kyverno.io
  kException,         // PolicyException of either group
  kCrd,
  kNamespace,
  kRbac,        // Role, ClusterRole and their bindings
  kToolConfig,  // files of command-line tools: cli.kyverno.io, kustomize
};

DocumentRole RoleOf(std::string_view api_version, std::string_view kind);

// Whether the role describes rules rather than objects to which rules apply.
inline bool IsPolicyRole(DocumentRole role) {
  return role == DocumentRole::kNativePolicy || role == DocumentRole::kNativeBinding ||
         role == DocumentRole::kKyvernoPolicy || role == DocumentRole::kKyvernoCelPolicy ||
         role == DocumentRole::kException;
}

struct Document {
  std::string_view file;
  std::string_view text;           // the YAML or JSON text that holds the object
  std::uint32_t first_line = 1;    // line number of the first line of `text`
  std::uint32_t first_column = 0;  // code points before it on that line
  doc::Path prefix;                // where the object stands in it: empty, or `items[3]`
  doc::Value root;                 // a map
  std::string_view api_version;
  std::string_view kind;
  DocumentRole role = DocumentRole::kResource;

  std::string_view name() const;
  std::string_view namespace_name() const;

  // File, line and column of a path of the object: of the key that is there, or of the deepest
  // parent that exists. Reads the text again: for failures only.
  base::SourceSpan Locate(doc::PathView path) const;
  // The same for several paths in one go.
  std::vector<base::SourceSpan> LocateAll(std::span<const doc::Path> paths) const;
};

// `apiVersion` and `kind` of a block-style YAML text without parsing it; false if they are not
// plainly there or the text may hold several objects.
bool ScanHead(std::string_view text, std::string_view* api_version, std::string_view* kind);

}  // namespace portcullis::input

#endif  // PORTCULLIS_INPUT_DOCUMENT_H_
