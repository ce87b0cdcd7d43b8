#ifndef PORTCULLIS_CEL_CHECK_SCHEMA_TYPES_H_
#define PORTCULLIS_CEL_CHECK_SCHEMA_TYPES_H_

// CEL types of documents with a schema (spec/cel.md 17.2): used by the type check of policies,
// where `object` has the type of its kind. A SchemaTypes is immutable to its users and thread-safe;
// types of fields are made when they are first asked for. The schema must outlive it.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "cel/check/env.h"
#include "cel/check/type.h"
#include "schema/schema.h"

namespace portcullis::cel {

class SchemaTypes final : public TypeProvider {
 public:
  // Types below `root` are named by their path: ROOT.spec.containers.@idx. `root_name` has no dots.
  SchemaTypes(std::string_view root_name, const schema::Schema& root);

  // The type of the whole document; null when the schema says nothing about it.
  const Type* root_type() const { return root_type_; }

  bool HasType(std::string_view type_name) const override;
  const Type* FieldType(std::string_view type_name, std::string_view field) const override;

 private:
  const schema::Schema* FindSchema(std::string_view type_name) const;
  const schema::Schema* FindField(const schema::Schema& object, bool is_root,
                                  std::string_view field) const;
  // The type of a node that is named `path` if it is an object; null for values without a type.
  const Type* MakeType(const schema::Schema& node, const std::string& path) const;

  std::string root_name_;
  const schema::Schema& root_;
  const Type* root_type_ = nullptr;
  mutable std::mutex mutex_;  // guards what follows
  mutable TypePool pool_;
  mutable absl::flat_hash_map<std::string, const Type*> made_;  // by type name and field
};

// The identifier by which CEL reaches a property (spec/kubernetes-admission.md 5.5); empty if
// it cannot be reached.
std::string EscapeProperty(std::string_view property);
// The property of an identifier; empty if it is no identifier that EscapeProperty makes.
std::string UnescapeProperty(std::string_view identifier);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_CHECK_SCHEMA_TYPES_H_
