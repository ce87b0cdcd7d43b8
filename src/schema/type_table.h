#ifndef PORTCULLIS_SCHEMA_TYPE_TABLE_H_
#define PORTCULLIS_SCHEMA_TYPE_TABLE_H_

// The kinds that exist: those of Kubernetes 1.37 and those of the CustomResourceDefinitions added.
// It answers what discovery answers (kind to resource, scope, subresources, equivalent versions)
// and gives each kind its schema.
//
// Build it at load, then share it const: const access is thread-safe, AddCrd is not. It owns what
// it derives from CRDs; pointers it returns live as long as the table.

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "schema/schema.h"

namespace portcullis::schema {

// "apps/v1" -> {"apps", "v1"}; "v1" -> {"", "v1"}.
struct GroupVersion {
  std::string_view group;
  std::string_view version;
};
GroupVersion ParseApiVersion(std::string_view api_version);

class TypeTable {
 public:
  TypeTable() = default;
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  // The built-in kinds only.
  static const TypeTable& Builtin();

  // Adds every served version of a CustomResourceDefinition; a later one of the same name replaces
  // an earlier one. The document may be freed afterwards. On errors that leave a version without a
  // meaning nothing of it is added; the texts are those of the API server where it has one.
  base::ErrorList AddCrd(const doc::Value& crd);

  const Kind* FindKind(std::string_view group, std::string_view version,
                       std::string_view kind) const;
  // By `apiVersion` and `kind` of a document.
  const Kind* FindKind(std::string_view api_version, std::string_view kind) const;
  const Kind* FindKindOf(const doc::Value& object) const;
  const Kind* FindResource(std::string_view group, std::string_view version,
                           std::string_view plural) const;
  // The preferred version of what a user calls it: kind, plural, singular or short name in any
  // letter case, optionally followed by ".group" or ".version.group". Null if there is none.
  const Kind* FindByName(std::string_view name) const;
  // The preferred version of a kind or resource in a group; null if there is none.
  const Kind* PreferredKind(std::string_view group, std::string_view kind) const;
  const Kind* PreferredResource(std::string_view group, std::string_view plural) const;

  // All served versions of one kind, preferred first (matchPolicy: Equivalent).
  std::vector<const Kind*> Versions(std::string_view group, std::string_view kind) const;
  // As above by resource name.
  std::vector<const Kind*> ResourceVersions(std::string_view group, std::string_view plural) const;
  // All groups that have a kind of this name, preferred version of each.
  std::vector<const Kind*> KindsNamed(std::string_view kind) const;
  // All kinds that are resources, built-in ones first.
  std::vector<const Kind*> All() const;

  // The kind whose name is nearest to a misspelt one, or empty when none is near. With an
  // `api_version` that exists, only its kinds are considered.
  std::string_view ClosestKind(std::string_view kind, std::string_view api_version = {}) const;
  // The apiVersion in which `kind` is served, nearest to the given one; empty if none.
  std::string ClosestApiVersion(std::string_view api_version, std::string_view kind) const;
  bool HasGroupVersion(std::string_view group, std::string_view version) const;

 private:
  template <typename F>
  const Kind* FindIf(F&& matches) const;
  template <typename F>
  void ForEach(F&& visit) const;

  base::Arena arena_;
  std::vector<const Kind*> custom_;  // ordered by kind, group, rank
};

}  // namespace portcullis::schema

#endif  // PORTCULLIS_SCHEMA_TYPE_TABLE_H_
