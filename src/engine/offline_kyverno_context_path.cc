// Reads of the Kubernetes API by their path, for `context.apiCall` of classic policies.

#include "base/url.h"
#include "doc/edit.h"
#include "engine/offline_kyverno_context.h"

namespace portcullis::engine {
namespace {

using doc::Value;
using provider::Lookup;
using provider::ResourceName;

// `a=b,c==d` as a map of strings; false for every other kind of selector.
bool ReadEqualities(std::string_view selector, base::Arena& arena, Value* labels) {
  doc::MapBuilder out;
  while (!selector.empty()) {
    const std::size_t comma = selector.find(',');
    const std::string_view term = selector.substr(0, comma);
    selector = comma == std::string_view::npos ? std::string_view() : selector.substr(comma + 1);
    const std::size_t equals = term.find('=');
    if (equals == std::string_view::npos || term.find_first_of("!() ") != std::string_view::npos) {
      return false;
    }
    const std::size_t value = term.substr(equals).starts_with("==") ? equals + 2 : equals + 1;
    out.Set(doc::MakeString(arena, term.substr(0, equals)),
            doc::MakeString(arena, term.substr(value)));
  }
  *labels = out.Build(arena);
  return true;
}

// The query of a list; the error text, or empty.
std::string ReadQuery(std::string_view query, base::Arena& arena, Value* labels) {
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view part = query.substr(0, end);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const auto value = base::QueryUnescape(
        equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1));
    if (name != "labelSelector" || !value.ok() || !ReadEqualities(*value, arena, labels)) {
      return std::string("the query ").append(part).append(" is not available offline");
    }
  }
  return {};
}

struct ApiName {
  ResourceName resource;
  std::string_view ns;
  std::string_view name;
};

// /api/VERSION/... or /apis/GROUP/VERSION/..., then [namespaces/NS/]RESOURCE[/NAME[/SUBRESOURCE]].
bool ReadPath(std::string_view path, ApiName* out) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    if (slash != 0) parts.push_back(path.substr(0, slash));
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  std::size_t at = 0;
  if (parts.size() > 2 && parts[0] == "api") {
    out->resource.version = parts[1];
    at = 2;
  } else if (parts.size() > 3 && parts[0] == "apis") {
    out->resource.group = parts[1];
    out->resource.version = parts[2];
    at = 3;
  } else {
    return false;
  }
  const bool in_namespace = parts[at] == "namespaces" && parts.size() > at + 2 &&
                            parts[at + 2] != "status" && parts[at + 2] != "finalize";
  if (in_namespace) {
    out->ns = parts[at + 1];
    at += 2;
  }
  out->resource.resource = parts[at];
  if (parts.size() > at + 1) out->name = parts[at + 1];
  if (parts.size() > at + 2) out->resource.subresource = parts[at + 2];
  return parts.size() <= at + 3;
}

}  // namespace

Lookup DocumentKyvernoContext::ApiPath(std::string_view url_path, base::Arena& arena) const {
  auto mock = mocks_.find(std::string("GET:").append(url_path));
  if (mock == mocks_.end()) mock = mocks_.find(url_path);
  if (mock != mocks_.end()) return Lookup::Found(mock->second.body);
  const std::size_t question = url_path.find('?');
  ApiName name;
  if (!ReadPath(url_path.substr(0, question), &name)) {
    return Lookup::Failed(std::string("no mock for GET ").append(url_path).append(" (offline)"));
  }
  Value labels;
  if (question != std::string_view::npos) {
    std::string problem = ReadQuery(url_path.substr(question + 1), arena, &labels);
    if (!problem.empty()) return Lookup::Failed(std::move(problem));
  }
  if (name.name.empty()) return ListResources(name.resource, name.ns, labels, arena);
  Lookup answer = GetResource(name.resource, name.ns, name.name, arena);
  if (answer.state != Lookup::State::kNotFound) return answer;
  std::string text(name.resource.resource);
  if (!name.resource.group.empty()) text.append(".").append(name.resource.group);
  return Lookup::Failed(text.append(" \"").append(name.name).append("\" not found"));
}

}  // namespace portcullis::engine
