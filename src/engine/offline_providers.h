#ifndef PORTCULLIS_ENGINE_OFFLINE_PROVIDERS_H_
#define PORTCULLIS_ENGINE_OFFLINE_PROVIDERS_H_

// Providers that answer from documents given beforehand: Namespaces and parameter objects of a run
// without a cluster. Fill them, then share them const: reading is thread-safe. Documents are
// borrowed.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "provider/namespaces.h"
#include "provider/params.h"

namespace portcullis::engine {

// Namespace objects. Each gets the label `kubernetes.io/metadata.name` that the API server sets.
class DocumentNamespaces final : public provider::Namespaces {
 public:
  // `complete`: what was not added does not exist. Otherwise nothing is known about it.
  explicit DocumentNamespaces(bool complete) : complete_(complete) {}

  // A later Namespace of the same name replaces an earlier one. `arena` lives as long as this.
  void Add(const doc::Value& object, base::Arena& arena);
  provider::Lookup Find(std::string_view name) const override;
  bool empty() const { return objects_.empty(); }

 private:
  bool complete_;
  std::map<std::string, doc::Value, std::less<>> objects_;
};

// Objects of any kind, for params.
class DocumentParams final : public provider::Params {
 public:
  // With `infer_kinds` the objects themselves tell that a kind exists and how it is scoped, for
  // runs without the CustomResourceDefinition.
  explicit DocumentParams(bool infer_kinds) : infer_kinds_(infer_kinds) {}

  // An object without a namespace is found under none (a cluster-scoped kind is asked for so) and
  // in `default`. With `infer_kinds` lists keep the order in which objects were added.
  void Add(const doc::Value& object);
  provider::Lookup Find(std::string_view api_version, std::string_view kind, std::string_view ns,
                        std::string_view name) const override;
  std::vector<doc::Value> List(std::string_view api_version, std::string_view kind,
                               std::string_view ns) const override;
  std::optional<bool> Namespaced(std::string_view api_version,
                                 std::string_view kind) const override;
  bool ShowsLists() const override { return infer_kinds_; }

 private:
  using Key = std::tuple<std::string, std::string>;  // group, kind: versions share their objects
  static Key KeyOf(std::string_view api_version, std::string_view kind);

  bool infer_kinds_;
  struct Entry {
    doc::Value object;
    std::size_t number = 0;  // in the order of Add
  };
  // (group, kind) -> (namespace, name) -> object
  std::map<Key, std::map<std::pair<std::string, std::string>, Entry>> objects_;
  std::size_t count_ = 0;
};

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_OFFLINE_PROVIDERS_H_
