// Filling DocumentKyvernoContext: strict reading of Context, ClusterResource, GlobalContextEntry
// and of the lists of test files (spec/cli-and-server.md 2.7, 2.8).

#include "doc/edit.h"
#include "engine/offline_kyverno_context.h"
#include "exceptions/fields.h"

namespace portcullis::engine {
namespace {

using base::Error;
using base::ErrorCode;
using base::ErrorList;
using doc::Value;
using exceptions::Field;
using enum exceptions::FieldType;

constexpr Field kImage[] = {
    {"image", kString},      {"resolvedImage", kString}, {"registry", kString},
    {"repository", kString}, {"tag", kString},           {"digest", kString},
    {"imageIndex", kAny},    {"manifest", kAny},         {"config", kAny},
};
constexpr Field kNamedPath[] = {{"name", kString}, {"path", kString}};
constexpr Field kEntry[] = {
    {"name", kString},           {"data", kAny},         {"resources", kAny},
    {"resourceFiles", kStrings}, {"fieldPath", kString}, {"projections", kObjects, kNamedPath},
};
constexpr Field kResponse[] = {{"statusCode", kInteger}, {"body", kAny}};
constexpr Field kMock[] = {
    {"url", kString},
    {"urlPath", kString},
    {"method", kString},
    {"response", kObject, kResponse},
};
constexpr Field kContext[] = {
    {"resources", kAny},
    {"images", kObjects, kImage},
    {"globalContextEntries", kObjects, kEntry},
    {"apiCallResponses", kObjects, kMock},
};
constexpr Field kClusterResource[] = {{"crds", kStrings}, {"resources", kAny}};

constexpr Field kKubernetesResource[] = {
    {"group", kString},
    {"version", kString},
    {"resource", kString},
    {"namespace", kString},
};
constexpr Field kProjection[] = {{"name", kString}, {"jmesPath", kString}};
constexpr Field kGlobalContextEntry[] = {
    {"kubernetesResource", kObject, kKubernetesResource},
    {"apiCall", kAny},
    {"projections", kObjects, kProjection},
};

ErrorList ReadFields(const Value& document, std::span<const Field> spec) {
  if (!document.is_map()) return {Error(ErrorCode::kInvalid, "an object is expected", {})};
  exceptions::FieldFindings findings = exceptions::CheckFields(document, spec);
  ErrorList errors = std::move(findings.errors);
  for (std::size_t i = 0; i < findings.unknown.size(); ++i) {
    const std::string& path = findings.unknown[i];
    errors.emplace_back(ErrorCode::kUnknownField, "unknown field \"" + path + "\"", path);
    if (!findings.hints[i].empty()) {
      errors.back().hint = "did you mean \"" + findings.hints[i] + "\"?";
    }
  }
  return errors;
}

// The same for a list of objects at `path`, as test files have it outside of a `spec`.
ErrorList ReadItems(const Value& list, std::span<const Field> item, const std::string& path,
                    base::Arena& arena) {
  constexpr std::string_view kPlace = "spec.list";
  doc::MapBuilder members;
  members.Set("list", list);
  doc::MapBuilder document;
  document.Set("spec", members.Build(arena));
  const Field field[] = {{"list", kObjects, item}};
  ErrorList errors = ReadFields(document.Build(arena), field);
  for (Error& error : errors) {
    error.path.replace(0, kPlace.size(), path);
    const std::size_t at = error.message.find(kPlace);
    if (at != std::string::npos) error.message.replace(at, kPlace.size(), path);
  }
  return errors;
}

std::string Item(const std::string& path, std::size_t i) {
  return path + "[" + std::to_string(i) + "]";
}

void Append(ErrorList more, ErrorList* errors) {
  errors->insert(errors->end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

// Whether the text has `variable` followed by a dot, on its own and not as a member.
bool Names(std::string_view text, std::string_view variable) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  };
  for (std::size_t at = text.find(variable); at != std::string_view::npos;
       at = text.find(variable, at + 1)) {
    if (at > 0 && is_part(text[at - 1])) continue;
    const std::size_t next = text.find_first_not_of(kBlank, at + variable.size());
    if (next != std::string_view::npos && text[next] == '.') return true;
  }
  return false;
}

// A member that is present and not null.
const Value* Given(const Value& object, std::string_view name) {
  const Value* member = object.Find(name);
  return member != nullptr && !member->is_null() ? member : nullptr;
}

}  // namespace

bool LooksUpObjects(const Value& policy) {
  std::vector<Value> pending{policy};
  while (!pending.empty()) {
    const Value value = pending.back();
    pending.pop_back();
    if (value.is_string() &&
        (Names(value.as_string(), "resource") || Names(value.as_string(), "globalContext"))) {
      return true;
    }
    if (value.is_list()) {
      pending.insert(pending.end(), value.as_list().begin(), value.as_list().end());
    } else if (value.is_map()) {
      // Targets of a mutation are found among the objects.
      if (value.Find("targetMatchConstraints") != nullptr) return true;
      for (const doc::MapEntry& entry : value.as_map()) pending.push_back(entry.value);
    }
  }
  return false;
}

void DocumentKyvernoContext::AddResource(const Value& object) {
  const std::string_view api_version = object.StringAt("apiVersion");
  const std::string_view kind = object.StringAt("kind");
  const Value* metadata = object.Find("metadata");
  if (api_version.empty() || kind.empty() || metadata == nullptr) return;
  const schema::GroupVersion version = schema::ParseApiVersion(api_version);
  objects_[{std::string(version.group), std::string(version.version), std::string(kind)}]
      .try_emplace(
          {std::string(metadata->StringAt("namespace")), std::string(metadata->StringAt("name"))},
          object);
}

ErrorList DocumentKyvernoContext::AddObjects(const Value* list, const std::string& path) {
  ErrorList errors;
  if (list == nullptr || list->is_null()) return errors;
  if (!list->is_list()) {
    errors.emplace_back(ErrorCode::kInvalid, "Invalid value: must be of type array", path);
    return errors;
  }
  for (std::size_t i = 0; i < list->as_list().size(); ++i) {
    const Value& object = list->as_list()[i];
    if (!object.is_map()) {
      errors.emplace_back(ErrorCode::kInvalid, "Invalid value: must be of type object",
                          Item(path, i));
      continue;
    }
    bool complete = true;
    for (const std::string_view member : {"apiVersion", "kind"}) {
      if (!object.StringAt(member).empty()) continue;
      complete = false;
      errors.emplace_back(ErrorCode::kRequired, "Required value: an API object has it",
                          Item(path, i) + "." + std::string(member));
    }
    const Value* name = doc::LookupKeys(object, {"metadata", "name"});
    if (name == nullptr || !name->is_string() || name->as_string().empty()) {
      complete = false;
      errors.emplace_back(ErrorCode::kRequired, "Required value: nothing can be looked up without",
                          Item(path, i) + ".metadata.name");
    }
    if (complete) AddResource(object);
  }
  return errors;
}

void DocumentKyvernoContext::AddImage(std::string_view image, const Value& data) {
  doc::MapBuilder known;
  for (const doc::MapEntry& entry : data.as_map()) {
    const bool empty =
        entry.value.is_null() || (entry.value.is_string() && entry.value.size() == 0);
    if (!empty) known.Set(entry.key, entry.value);
  }
  images_.try_emplace(std::string(image), known.Build(arena_));
}

ErrorList DocumentKyvernoContext::AddContext(const Value& document) {
  ErrorList errors = ReadFields(document, kContext);
  const Value* spec = document.Find("spec");
  if (!errors.empty() || spec == nullptr) return errors;
  Append(AddObjects(spec->Find("resources"), "spec.resources"), &errors);
  if (const Value* images = Given(*spec, "images")) {
    for (std::size_t i = 0; i < images->as_list().size(); ++i) {
      const Value& image = images->as_list()[i];
      const std::string path = Item("spec.images", i) + ".image";
      const std::string_view name = image.StringAt("image");
      if (name.empty()) {
        errors.emplace_back(ErrorCode::kRequired, "Required value: the image as policies name it",
                            path);
      } else if (images_.find(name) != images_.end()) {
        errors.emplace_back(ErrorCode::kDuplicate, "Duplicate value: \"" + std::string(name) + "\"",
                            path);
      } else {
        AddImage(name, image);
      }
    }
  }
  if (const Value* entries = Given(*spec, "globalContextEntries")) {
    Append(AddGlobalContextEntries(*entries, "spec.globalContextEntries"), &errors);
  }
  if (const Value* mocks = Given(*spec, "apiCallResponses")) {
    Append(AddApiCallResponses(*mocks, "spec.apiCallResponses"), &errors);
  }
  return errors;
}

ErrorList DocumentKyvernoContext::AddClusterResource(const Value& document) {
  ErrorList errors = ReadFields(document, kClusterResource);
  const Value* spec = document.Find("spec");
  if (errors.empty() && spec != nullptr) {
    errors = AddObjects(spec->Find("resources"), "spec.resources");
  }
  return errors;
}

std::vector<std::string> DocumentKyvernoContext::CrdFiles(const Value& cluster_resource) {
  std::vector<std::string> files;
  const Value* crds = doc::LookupKeys(cluster_resource, {"spec", "crds"});
  if (crds == nullptr || !crds->is_list()) return files;
  for (const Value& file : crds->as_list()) {
    if (file.is_string()) files.emplace_back(file.as_string());
  }
  return files;
}

ErrorList DocumentKyvernoContext::AddGlobalContextEntry(const Value& document) {
  ErrorList errors = ReadFields(document, kGlobalContextEntry);
  const Value* spec = document.Find("spec");
  const Value* name = doc::LookupKeys(document, {"metadata", "name"});
  if (!errors.empty() || spec == nullptr || name == nullptr || !name->is_string()) return errors;
  GlobalEntry entry;
  if (const Value* resource = Given(*spec, "kubernetesResource")) {
    entry.lists_objects = true;
    entry.group = resource->StringAt("group");
    entry.version = resource->StringAt("version");
    entry.resource = resource->StringAt("resource");
    entry.ns = resource->StringAt("namespace");
  } else {
    entry.problem = "global context entry \"" + std::string(name->as_string()) +
                    "\" comes from an API call, which is not available offline";
  }
  if (const Value* projections = Given(*spec, "projections")) {
    for (const Value& projection : projections->as_list()) {
      entry.projections.emplace_back(projection.StringAt("name"), projection.StringAt("jmesPath"));
    }
  }
  entries_.try_emplace(std::string(name->as_string()), std::move(entry));
  return errors;
}

// ---- mocked responses -----------------------------------------------------------------------

namespace {

// Why the address of a mock is wrong; empty: it is not.
std::string AddressProblem(const Value& mock) {
  const std::string_view url = mock.StringAt("url");
  const std::string_view path = mock.StringAt("urlPath");
  if (url.empty() && path.empty()) return "either url or urlPath is required";
  if (!url.empty() && !path.empty()) return "url and urlPath are mutually exclusive";
  if (url.empty()) return path.front() == '/' ? "" : "must be an absolute path starting with '/'";
  const std::size_t scheme = url.find("://");
  const std::string_view name = url.substr(0, scheme);
  if (scheme == std::string_view::npos || (name != "http" && name != "https")) {
    return "must be an absolute https/http URL";
  }
  const std::string_view rest = url.substr(scheme + 3);
  return rest.empty() || rest.find_first_of("/?#") == 0 ? "has scheme but no host" : "";
}

}  // namespace

void DocumentKyvernoContext::AddMock(const Value& item, const std::string& path,
                                     ErrorList* errors) {
  const auto fail = [&](std::string_view text, std::string_view member, ErrorCode code) {
    errors->emplace_back(code, path + std::string(text), path + std::string(member));
  };
  const std::string problem = AddressProblem(item);
  const std::string_view address = item.StringAt("url", item.StringAt("urlPath"));
  const std::string_view method = item.StringAt("method");
  if (!problem.empty()) {
    const bool about_value = problem.front() == 'm' || problem.front() == 'h';
    const std::string_view member = item.StringAt("url").empty() ? ".urlPath" : ".url";
    if (about_value) {
      fail(std::string(member) + " " + problem, member, ErrorCode::kInvalid);
    } else {
      fail(": " + problem, {}, ErrorCode::kInvalid);
    }
    return;
  }
  if (!method.empty() && method != "GET" && method != "POST") {
    fail(".method must be GET or POST", ".method", ErrorCode::kUnsupported);
    return;
  }
  const Value* response = Given(item, "response");
  const Value* body = response != nullptr ? Given(*response, "body") : nullptr;
  if (body == nullptr) {
    fail(".response.body is required", ".response.body", ErrorCode::kRequired);
    return;
  }
  if (!body->is_map()) {
    fail(".response.body must be a JSON object", ".response.body", ErrorCode::kInvalid);
    return;
  }
  Mock mock{*body};
  if (const Value* status = Given(*response, "statusCode")) {
    mock.status = status->is_int() ? status->as_int() : 0;
    if (mock.status < 100 || mock.status > 599) {
      fail(".response.statusCode " + std::to_string(mock.status) + " must be between 100 and 599",
           ".response.statusCode", ErrorCode::kInvalid);
      return;
    }
  }
  std::string key(method);
  if (!key.empty()) key += ':';
  key += address;
  if (mocks_.try_emplace(key, mock).second) return;
  errors->emplace_back(ErrorCode::kDuplicate,
                       "apiCallResponses: duplicate entry for \"" + std::string(address) +
                           "\" (key \"" + key +
                           "\") \u2014 each method+url combination must be unique",
                       path);
}

ErrorList DocumentKyvernoContext::AddApiCallResponses(const Value& list, const std::string& path) {
  ErrorList errors = ReadItems(list, kMock, path, arena_);
  if (!errors.empty() || !list.is_list()) return errors;
  for (std::size_t i = 0; i < list.as_list().size(); ++i) {
    AddMock(list.as_list()[i], Item(path, i), &errors);
  }
  return errors;
}

// ---- global context entries -----------------------------------------------------------------

bool DocumentKyvernoContext::EntryData(const Value& item, const std::string& path, Value* data,
                                       ErrorList* errors) {
  const Value* inline_data = Given(item, "data");
  const Value* resources = Given(item, "resources");
  const Value* files = Given(item, "resourceFiles");
  const int given = (inline_data != nullptr ? 1 : 0) + (resources != nullptr ? 1 : 0) +
                    (files != nullptr ? 1 : 0);
  if (given != 1) {
    errors->emplace_back(ErrorCode::kInvalid,
                         "exactly one of data, resources and resourceFiles is required", path);
    return false;
  }
  if (inline_data != nullptr) {
    *data = *inline_data;
    return true;
  }
  if (resources != nullptr) {
    if (!resources->is_list()) {
      errors->emplace_back(ErrorCode::kInvalid, "Invalid value: must be of type array",
                           path + ".resources");
      return false;
    }
    *data = *resources;
    return true;
  }
  if (files == nullptr || !files->is_list()) {
    errors->emplace_back(ErrorCode::kInvalid, "Invalid value: must be of type array",
                         path + ".resourceFiles");
    return false;
  }
  std::vector<Value> objects;
  for (std::size_t i = 0; i < files->as_list().size(); ++i) {
    const Value& file = files->as_list()[i];
    if (!file.is_string() || !options_.read_file) {
      errors->emplace_back(ErrorCode::kUnsupported, "files cannot be read here",
                           Item(path + ".resourceFiles", i));
      return false;
    }
    auto read = options_.read_file(std::string(file.as_string()));
    if (!read.ok()) {
      errors->emplace_back(ErrorCode::kIo, read.error().message, Item(path + ".resourceFiles", i));
      return false;
    }
    objects.insert(objects.end(), read->begin(), read->end());
  }
  *data = doc::MakeList(arena_, objects);
  return true;
}

void DocumentKyvernoContext::AddEntry(const Value& item, const std::string& path,
                                      ErrorList* errors) {
  const std::string_view name = item.StringAt("name");
  if (name.empty()) {
    errors->emplace_back(ErrorCode::kRequired, "Required value: the entry's name", path + ".name");
    return;
  }
  GlobalEntry entry;
  if (!EntryData(item, path, &entry.data, errors)) return;
  const auto project = [&](std::string_view expression, const std::string& at, Value* out) {
    base::Result<Value> projected = Project(expression, entry.data, arena_);
    if (projected.ok()) {
      *out = *projected;
      return true;
    }
    Error error = projected.TakeError();
    error.path = at;
    errors->push_back(std::move(error));
    return false;
  };
  if (const std::string_view field = item.StringAt("fieldPath"); !field.empty()) {
    if (!project(field, path + ".fieldPath", &entry.data)) return;
  }
  // With projections the stored value is the object of their results.
  if (const Value* projections = Given(item, "projections");
      projections != nullptr && projections->is_list() && projections->size() != 0) {
    doc::MapBuilder projected;
    for (std::size_t i = 0; i < projections->as_list().size(); ++i) {
      const Value& projection = projections->as_list()[i];
      Value result;
      if (!project(projection.StringAt("path"), Item(path + ".projections", i) + ".path",
                   &result)) {
        return;
      }
      projected.Set(projection.StringAt("name"), result);
    }
    entry.data = projected.Build(arena_);
  }
  if (!entries_.try_emplace(std::string(name), std::move(entry)).second) {
    errors->emplace_back(ErrorCode::kDuplicate, "Duplicate value: \"" + std::string(name) + "\"",
                         path + ".name");
  }
}

ErrorList DocumentKyvernoContext::AddGlobalContextEntries(const Value& list,
                                                          const std::string& path) {
  ErrorList errors = ReadItems(list, kEntry, path, arena_);
  if (!errors.empty() || !list.is_list()) return errors;
  for (std::size_t i = 0; i < list.as_list().size(); ++i) {
    AddEntry(list.as_list()[i], Item(path, i), &errors);
  }
  return errors;
}

}  // namespace portcullis::engine
