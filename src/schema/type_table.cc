#include "schema/type_table.h"

#include <algorithm>

#include "base/suggest.h"

namespace portcullis::schema {

namespace {

// All entries of one kind name stand together, in groups by API group, preferred version first.
std::span<const Kind> BuiltinNamed(std::string_view kind) {
  const auto first =
      std::lower_bound(kBuiltinKinds.begin(), kBuiltinKinds.end(), kind,
                       [](const Kind& a, std::string_view name) { return a.kind < name; });
  auto last = first;
  while (last != kBuiltinKinds.end() && last->kind == kind) ++last;
  return kBuiltinKinds.subspan(static_cast<std::size_t>(first - kBuiltinKinds.begin()),
                               static_cast<std::size_t>(last - first));
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

bool HasShortName(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    if (EqualsIgnoringCase(names.substr(0, comma), name)) return true;
    if (comma == std::string_view::npos) return false;
    names.remove_prefix(comma + 1);
  }
  return false;
}

bool IsCalled(const Kind& kind, std::string_view name) {
  return !kind.plural.empty() &&
         (EqualsIgnoringCase(kind.plural, name) || EqualsIgnoringCase(kind.kind, name) ||
          EqualsIgnoringCase(kind.singular, name) || HasShortName(kind.short_names, name));
}

}  // namespace

GroupVersion ParseApiVersion(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {{}, api_version};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

const TypeTable& TypeTable::Builtin() {
  static const TypeTable table;
  return table;
}

template <typename F>
void TypeTable::ForEach(F&& visit) const {
  for (const Kind& kind : kBuiltinKinds) visit(kind);
  for (const Kind* kind : custom_) visit(*kind);
}

// The matching kind of the best rank; the core group and then built-in kinds win ties.
template <typename F>
const Kind* TypeTable::FindIf(F&& matches) const {
  const Kind* best = nullptr;
  ForEach([&](const Kind& kind) {
    if (!matches(kind)) return;
    if (best == nullptr || (kind.group == best->group && kind.rank < best->rank) ||
        (kind.group.empty() && !best->group.empty())) {
      best = &kind;
    }
  });
  return best;
}

const Kind* TypeTable::FindKind(std::string_view group, std::string_view version,
                                std::string_view kind) const {
  for (const Kind& candidate : BuiltinNamed(kind)) {
    if (candidate.group == group && candidate.version == version) return &candidate;
  }
  for (const Kind* candidate : custom_) {
    if (candidate->kind == kind && candidate->group == group && candidate->version == version) {
      return candidate;
    }
  }
  return nullptr;
}

const Kind* TypeTable::FindKind(std::string_view api_version, std::string_view kind) const {
  const GroupVersion gv = ParseApiVersion(api_version);
  return FindKind(gv.group, gv.version, kind);
}

const Kind* TypeTable::FindKindOf(const doc::Value& object) const {
  if (!object.is_map()) return nullptr;
  return FindKind(object.StringAt("apiVersion"), object.StringAt("kind"));
}

const Kind* TypeTable::FindResource(std::string_view group, std::string_view version,
                                    std::string_view plural) const {
  if (plural.empty()) return nullptr;
  return FindIf([&](const Kind& kind) {
    return kind.plural == plural && kind.group == group && kind.version == version;
  });
}

const Kind* TypeTable::FindByName(std::string_view name) const {
  if (const Kind* found = FindIf([&](const Kind& kind) { return IsCalled(kind, name); })) {
    return found;
  }
  const std::size_t dot = name.find('.');
  if (dot == std::string_view::npos) return nullptr;
  const std::string_view head = name.substr(0, dot);
  const std::string_view tail = name.substr(dot + 1);
  const std::size_t second = tail.find('.');
  const std::string_view version = tail.substr(0, second);
  const std::string_view group =
      second == std::string_view::npos ? std::string_view{} : tail.substr(second + 1);
  return FindIf([&](const Kind& kind) {
    return IsCalled(kind, head) &&
           (kind.group == tail || (kind.version == version && kind.group == group));
  });
}

const Kind* TypeTable::PreferredKind(std::string_view group, std::string_view kind) const {
  return FindIf([&](const Kind& k) { return k.kind == kind && k.group == group; });
}

const Kind* TypeTable::PreferredResource(std::string_view group, std::string_view plural) const {
  if (plural.empty()) return nullptr;
  return FindIf([&](const Kind& k) { return k.plural == plural && k.group == group; });
}

std::vector<const Kind*> TypeTable::Versions(std::string_view group, std::string_view kind) const {
  std::vector<const Kind*> found;
  ForEach([&](const Kind& k) {
    if (k.kind == kind && k.group == group && !k.plural.empty()) found.push_back(&k);
  });
  return found;
}

std::vector<const Kind*> TypeTable::ResourceVersions(std::string_view group,
                                                     std::string_view plural) const {
  const Kind* kind = PreferredResource(group, plural);
  return kind == nullptr ? std::vector<const Kind*>{} : Versions(group, kind->kind);
}

std::vector<const Kind*> TypeTable::KindsNamed(std::string_view kind) const {
  std::vector<const Kind*> found;
  ForEach([&](const Kind& k) {
    if (k.kind == kind && (found.empty() || found.back()->group != k.group)) found.push_back(&k);
  });
  return found;
}

std::vector<const Kind*> TypeTable::All() const {
  std::vector<const Kind*> found;
  ForEach([&](const Kind& k) {
    if (!k.plural.empty()) found.push_back(&k);
  });
  return found;
}

bool TypeTable::HasGroupVersion(std::string_view group, std::string_view version) const {
  return FindIf([&](const Kind& k) { return k.group == group && k.version == version; }) != nullptr;
}

std::string_view TypeTable::ClosestKind(std::string_view kind, std::string_view api_version) const {
  const GroupVersion gv = ParseApiVersion(api_version);
  const bool narrowed = !api_version.empty() && HasGroupVersion(gv.group, gv.version);
  std::vector<std::string_view> names;
  ForEach([&](const Kind& k) {
    if (k.plural.empty() || (narrowed && (k.group != gv.group || k.version != gv.version))) return;
    names.push_back(k.kind);
  });
  for (const std::string_view name : names) {
    if (EqualsIgnoringCase(name, kind)) return name;
  }
  return base::ClosestName(kind, names);
}

std::string TypeTable::ClosestApiVersion(std::string_view api_version,
                                         std::string_view kind) const {
  const GroupVersion gv = ParseApiVersion(api_version);
  const Kind* found = PreferredKind(gv.group, kind);
  if (found == nullptr) {
    const std::vector<const Kind*> kinds = KindsNamed(kind);
    if (kinds.empty()) return {};
    found = kinds.front();
  }
  std::string text(found->group);
  if (!text.empty()) text += '/';
  return text += found->version;
}

}  // namespace portcullis::schema
