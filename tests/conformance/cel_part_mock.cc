#include "cel_part_mock.h"

#include <fstream>
#include <sstream>
#include <vector>

#include "json/reader.h"
#include "schema/type_table.h"

namespace portcullis::conformance {
namespace {

using doc::Value;
using provider::Lookup;
using provider::ResourceName;

bool IsOf(const Value& object, const ResourceName& resource) {
  const schema::Kind* kind = schema::TypeTable::Builtin().FindKindOf(object);
  return kind != nullptr && kind->group == resource.group && kind->version == resource.version &&
         kind->plural == resource.resource;
}

std::string_view Metadata(const Value& object, std::string_view member) {
  const Value* metadata = object.Find("metadata");
  return metadata != nullptr ? metadata->StringAt(member) : std::string_view();
}

}  // namespace

MockContext::MockContext(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return;
  std::stringstream buffer;
  buffer << stream.rdbuf();
  text_ = buffer.str();
  auto root = json::Parse(text_, arena_);
  if (root.ok()) root_ = *root;
}

const Value* MockContext::Member(std::string_view section, std::string_view name) const {
  const Value* members = root_.Find(section);
  return members != nullptr ? members->Find(name) : nullptr;
}

Lookup MockContext::GetResource(const ResourceName& resource, std::string_view ns,
                                std::string_view name, base::Arena&) const {
  const Value* objects = root_.Find("resources");
  if (objects == nullptr) return Lookup::NotFound();
  for (const Value& object : objects->as_list()) {
    if (IsOf(object, resource) && Metadata(object, "namespace") == ns &&
        Metadata(object, "name") == name) {
      return Lookup::Found(object);
    }
  }
  return Lookup::NotFound();
}

Lookup MockContext::ListResources(const ResourceName& resource, std::string_view ns, const Value&,
                                  base::Arena& arena) const {
  bool known = false;
  std::vector<Value> items;
  if (const Value* objects = root_.Find("resources")) {
    for (const Value& object : objects->as_list()) {
      if (!IsOf(object, resource)) continue;
      known = true;
      if (Metadata(object, "namespace") == ns) items.push_back(object);
    }
  }
  if (!known) return Lookup::Failed(std::string(resource.resource) + " resource not found");
  const doc::MapEntry entries[] = {{Value::String("items"), doc::MakeList(arena, items)}};
  return Lookup::Found(doc::MakeMap(arena, entries));
}

Lookup MockContext::PostResource(const ResourceName&, std::string_view, const Value&,
                                 base::Arena&) const {
  return Lookup::Failed("resource.post is not available offline");
}

// The recorder's own text.
Lookup MockContext::ResourceOfKind(std::string_view, std::string_view, std::string_view,
                                   base::Arena&) const {
  return Lookup::Failed("not available offline");
}

std::optional<bool> MockContext::Namespaced(std::string_view, std::string_view) const {
  return std::nullopt;
}

Lookup MockContext::Http(const provider::HttpCall& call, base::Arena&) const {
  const Value* answer = Member("http", std::string(call.method) + ":" + std::string(call.url));
  if (answer == nullptr) answer = Member("http", call.url);
  return answer != nullptr ? Lookup::Found(*answer) : Lookup::Unknown();
}

Lookup MockContext::GlobalReference(std::string_view name, std::string_view projection,
                                    base::Arena&) const {
  const Value* entry = Member("globalContext", name);
  if (entry == nullptr) return Lookup::NotFound();
  if (projection.empty()) return Lookup::Found(*entry);
  if (const Value* member = entry->Find(projection)) return Lookup::Found(*member);
  std::string text = "projection \"" + std::string(projection) +
                     "\" not found in global context entry \"" + std::string(name) + "\"";
  if (!entry->is_map()) text += ": stored value is not an object";
  return Lookup::Failed(std::move(text));
}

Lookup MockContext::ImageData(std::string_view image, base::Arena&) const {
  const Value* data = Member("images", image);
  return data != nullptr ? Lookup::Found(*data) : Lookup::Unknown();
}

}  // namespace portcullis::conformance
