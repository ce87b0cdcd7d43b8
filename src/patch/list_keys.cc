#include "patch/list_keys.h"

#include <algorithm>

#include "base/gotext.h"
#include "doc/equal.h"
#include "json/reader.h"
#include "json/writer.h"

namespace portcullis::patch {
namespace {

// The default of a key field that an item leaves out: the declared one, or the zero value of a
// field that the server always writes.
bool KeyDefault(const Atom& list, std::string_view name, doc::Value& out, base::Arena& arena) {
  const schema::Schema* element = list.node->element;
  const schema::Field* field = element != nullptr ? element->FindField(name) : nullptr;
  if (field == nullptr) return false;
  if (field->schema->default_value != nullptr) {
    out = *field->schema->default_value;
    return true;
  }
  if (field->default_text != nullptr) {
    auto parsed = json::Parse(field->default_text, arena);
    if (!parsed.ok()) return false;
    out = *parsed;
    return true;
  }
  if (element->origin != schema::Origin::kBuiltin || !field->always()) return false;
  switch (field->schema->kind) {
    case schema::NodeKind::kString:
      out = doc::Value::String("");
      return true;
    case schema::NodeKind::kInteger:
      out = doc::Value::Int(0);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool operator==(const ItemKey& a, const ItemKey& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const auto& x, const auto& y) {
                      return x.first == y.first && doc::DataEqual(x.second, y.second);
                    });
}

std::string ItemKey::ToString() const {
  std::string out = "[";
  for (const auto& [name, value] : fields) {
    if (out.size() > 1) out += ',';
    out += name;
    out += '=';
    out += json::ToString(value);
  }
  return out + "]";
}

std::uint32_t ItemKey::Hash() const {
  std::uint32_t hash = 0;
  for (const auto& [name, value] : fields) {
    hash = hash * 31 + (value.is_list() || value.is_map() ? 1U : doc::HashKey(value));
  }
  return hash;
}

bool KeyIndex::Add(ItemKey key) {
  const std::size_t first = Find(key);
  if (first != kNone) {
    repeated_[first] = true;
  } else {
    first_.emplace(key.Hash(), keys_.size());
  }
  keys_.push_back(std::move(key));
  repeated_.push_back(false);
  return first == kNone;
}

std::size_t KeyIndex::Find(const ItemKey& key) const {
  const auto [begin, end] = first_.equal_range(key.Hash());
  for (auto it = begin; it != end; ++it) {
    if (keys_[it->second] == key) return it->second;
  }
  return kNone;
}

bool KeyOfItem(const Atom& list, const doc::Value& item, ItemKey& key, std::string& why,
               base::Arena& arena) {
  key.fields.clear();
  if (list.list == ListRelation::kSet || list.keys().empty()) {
    if (item.is_map()) {
      why = "associative list without keys has an element that's a map type";
    } else if (item.is_list()) {
      why = "not supported: associative list with lists as elements";
    } else if (item.is_null()) {
      why = "associative list without keys has an element that's an explicit null";
    } else {
      key.fields.emplace_back(std::string_view(), item);
      return true;
    }
    return false;
  }
  if (item.is_null()) {
    why = "associative list with keys may not have a null element";
    return false;
  }
  if (!item.is_map()) {
    why = "associative list with keys may not have non-map elements";
    return false;
  }
  for (const std::string_view name : list.keys()) {
    doc::Value value;
    if (const doc::Value* found = item.Find(name)) {
      value = *found;
    } else if (!KeyDefault(list, name, value, arena)) {
      continue;  // the keys that are there make an item of its own
    }
    key.fields.emplace_back(name, value);
  }
  if (key.fields.empty()) {
    why = "associative list with keys has an element that omits all key fields [";
    for (const std::string_view name : list.keys()) {
      if (why.back() != '[') why += ' ';
      why += base::GoQuote(name);
    }
    why += "] (and doesn't have default values for any key fields)";
    return false;
  }
  std::sort(key.fields.begin(), key.fields.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return true;
}

}  // namespace portcullis::patch
