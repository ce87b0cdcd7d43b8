#ifndef PORTCULLIS_ENGINE_OFFLINE_KYVERNO_CONTEXT_H_
#define PORTCULLIS_ENGINE_OFFLINE_KYVERNO_CONTEXT_H_

// The context look-ups of Kyverno's CEL policies answered from documents: objects among the inputs,
// Context and ClusterResource files, mocked HTTP responses and global context entries
// (spec/kyverno-cel-policies.md 11.2, spec/cli-and-server.md 2.7, 2.8). Nothing is ever fetched.
//
// Fill it at load, then share it const: reading is thread-safe. Documents are borrowed and must
// outlive it. The type table is read at look-ups, so CustomResourceDefinitions may be added to it
// while the context is filled.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "base/error.h"
#include "doc/value.h"
#include "provider/kyverno_context.h"
#include "schema/type_table.h"

namespace portcullis::engine {

struct KyvernoContextOptions {
  // With no object given at all, a look-up of resources is an error instead of "does not exist".
  bool strict = false;
  // Evaluates JMESPath for projections; without it only plain paths (`a.b[0]`) are possible.
  std::function<base::Result<doc::Value>(std::string_view expression, const doc::Value& data,
                                         base::Arena& arena)>
      jmespath;
  // Reads the objects of a file that a global context entry names; without it that is an error.
  std::function<base::Result<std::vector<doc::Value>>(const std::string& file)> read_file;
};

class DocumentKyvernoContext final : public provider::KyvernoContext {
 public:
  explicit DocumentKyvernoContext(const schema::TypeTable& types,
                                  KyvernoContextOptions options = {})
      : types_(types), options_(std::move(options)) {}

  // ---- filling; errors carry the path in the document ----
  // An object of the cluster. The first of several with the same identity counts; what is no API
  // object is ignored.
  void AddResource(const doc::Value& object);
  // Kind Context of cli.kyverno.io.
  base::ErrorList AddContext(const doc::Value& document);
  // Kind ClusterResource: its objects. Loading `spec.crds` is the caller's: see CrdFiles.
  base::ErrorList AddClusterResource(const doc::Value& document);
  static std::vector<std::string> CrdFiles(const doc::Value& cluster_resource);
  // Kind GlobalContextEntry of kyverno.io.
  base::ErrorList AddGlobalContextEntry(const doc::Value& document);
  // Lists with the form of `apiCallResponses` and `globalContextEntries` of test files; `path` is
  // where the list stands.
  base::ErrorList AddApiCallResponses(const doc::Value& list, const std::string& path);
  base::ErrorList AddGlobalContextEntries(const doc::Value& list, const std::string& path);
  void AddImage(std::string_view image, const doc::Value& data);

  // ---- provider::KyvernoContext ----
  provider::Lookup GetResource(const provider::ResourceName& resource, std::string_view ns,
                               std::string_view name, base::Arena& arena) const override;
  provider::Lookup ListResources(const provider::ResourceName& resource, std::string_view ns,
                                 const doc::Value& labels, base::Arena& arena) const override;
  provider::Lookup PostResource(const provider::ResourceName& resource, std::string_view ns,
                                const doc::Value& payload, base::Arena& arena) const override;
  provider::Lookup ResourceOfKind(std::string_view group, std::string_view version,
                                  std::string_view kind, base::Arena& arena) const override;
  std::optional<bool> Namespaced(std::string_view api_version,
                                 std::string_view kind) const override;
  provider::Lookup Http(const provider::HttpCall& call, base::Arena& arena) const override;
  provider::Lookup GlobalReference(std::string_view name, std::string_view projection,
                                   base::Arena& arena) const override;
  provider::Lookup ImageData(std::string_view image, base::Arena& arena) const override;
  provider::Lookup ApiPath(std::string_view url_path, base::Arena& arena) const override;

 private:
  using ObjectName = std::pair<std::string, std::string>;  // namespace, name
  using Objects = std::map<ObjectName, doc::Value>;
  using KindKey = std::tuple<std::string, std::string, std::string>;  // group, version, kind

  struct Mock {
    doc::Value body;
    std::int64_t status = 200;
  };

  struct GlobalEntry {
    doc::Value data;  // the answer, unless it is a live list
    // A list of the objects given, made at every look-up.
    bool lists_objects = false;
    std::string group, version, resource, ns;
    std::vector<std::pair<std::string, std::string>> projections;  // name, JMESPath
    std::string problem;  // why it cannot be answered; empty: it can
  };

  // The kind that a resource serves, as the objects are filed.
  struct Target {
    KindKey key;
    const schema::Kind* kind = nullptr;  // null: not in the table
    const Objects* objects = nullptr;    // null: none given
  };
  Target Find(const provider::ResourceName& resource) const;
  bool IsIn(const Target& target, const std::string& own, std::string_view ns) const;
  const doc::Value* FindIn(const Target& target, std::string_view ns, std::string_view name) const;
  doc::Value Served(const Target& target, const doc::Value& object, base::Arena& arena) const;
  std::string OtherVersion(const Target& target) const;

  base::Result<doc::Value> Project(std::string_view expression, const doc::Value& data,
                                   base::Arena& arena) const;
  base::ErrorList AddObjects(const doc::Value* list, const std::string& path);
  void AddMock(const doc::Value& item, const std::string& path, base::ErrorList* errors);
  void AddEntry(const doc::Value& item, const std::string& path, base::ErrorList* errors);
  bool EntryData(const doc::Value& item, const std::string& path, doc::Value* data,
                 base::ErrorList* errors);

  const schema::TypeTable& types_;
  KyvernoContextOptions options_;
  base::Arena arena_;  // what is derived from the documents
  std::map<KindKey, Objects> objects_;
  std::map<std::string, doc::Value, std::less<>> images_;
  std::map<std::string, Mock, std::less<>> mocks_;  // by `METHOD:url` or url
  std::map<std::string, GlobalEntry, std::less<>> entries_;
};

// Whether an expression of this policy may look objects up: it names `resource` or `globalContext`
// and a function of it. Objects among the inputs need not be kept otherwise.
bool LooksUpObjects(const doc::Value& policy);

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_OFFLINE_KYVERNO_CONTEXT_H_
