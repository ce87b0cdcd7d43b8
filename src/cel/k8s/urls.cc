// url, isURL and the getters of kubernetes.URL (spec/cel.md 16.2).

#include <string>

#include "base/url.h"
#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

// All texts live in the arena.
struct UrlRep : doc::HostRep {
  std::string_view text;
  std::string_view scheme;
  std::string_view host;
  std::string_view hostname;
  std::string_view port;
  std::string_view escaped_path;
  std::string_view raw_query;
};

Value EqualUrls(CallContext& context, const Value& a, const Value& b);
std::string UrlText(const Value& value) { return std::string(k8s::RepOf<UrlRep>(value).text); }

constexpr Type kUrlType{TypeKind::kOpaque, "kubernetes.URL", {}};
constexpr CelHostType kUrlHost = k8s::MakeHostType(kUrlType, EqualUrls, UrlText);

Value EqualUrls(CallContext& context, const Value& a, const Value& b) {
  if (!IsHost(b, kUrlHost)) return context.NoSuchOverload();
  return Value::Bool(k8s::RepOf<UrlRep>(a).text == k8s::RepOf<UrlRep>(b).text);
}

// A request URI, read again as a general one so that it may have a fragment and an authority.
base::Result<base::Url> Parse(std::string_view text) {
  PC_TRY(base::ParseRequestUri(text));
  return base::ParseUrl(text);
}

Value MakeUrl(CallContext& context, Args args) noexcept {
  const base::Result<base::Url> url = Parse(args[0].as_string());
  if (!url.ok()) {
    return context.Error("URL parse error during conversion from string: " + url.error().message);
  }
  base::Arena& arena = context.arena;
  return k8s::NewHost<UrlRep>(
      arena, kUrlHost, arena.CopyString(url->ToString()), arena.CopyString(url->scheme),
      arena.CopyString(url->host), arena.CopyString(url->Hostname()), arena.CopyString(url->Port()),
      arena.CopyString(url->EscapedPath()), arena.CopyString(url->raw_query));
}

Value IsUrl(CallContext&, Args args) noexcept {
  return Value::Bool(Parse(args[0].as_string()).ok());
}

template <std::string_view UrlRep::* kField>
Value Get(CallContext&, Args args) noexcept {
  return Value::String(k8s::RepOf<UrlRep>(args[0]).*kField);
}

// name -> values in order of appearance, names sorted by first appearance.
Value GetQuery(CallContext& context, Args args) noexcept {
  const auto pairs = base::ParseQuery(k8s::RepOf<UrlRep>(args[0]).raw_query);
  std::vector<doc::MapEntry> entries;
  std::vector<std::vector<Value>> lists;
  for (const auto& [name, value] : pairs) {
    std::size_t at = 0;
    while (at < entries.size() && entries[at].key.as_string() != name) ++at;
    if (at == entries.size()) {
      entries.push_back({context.String(name), Value()});
      lists.emplace_back();
    }
    lists[at].push_back(context.String(value));
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].value = doc::MakeList(context.arena, lists[i]);
  }
  return doc::MakeMap(context.arena, entries);
}

constexpr Overload kOverloads[] = {
    {"string_to_url", "url", "(string) -> kubernetes.URL", MakeUrl},
    {"is_url_string", "isURL", "(string) -> bool", IsUrl},
    {"url_get_scheme", "getScheme", "(kubernetes.URL) -> string", Get<&UrlRep::scheme>, kMember},
    {"url_get_host", "getHost", "(kubernetes.URL) -> string", Get<&UrlRep::host>, kMember},
    {"url_get_hostname", "getHostname", "(kubernetes.URL) -> string", Get<&UrlRep::hostname>,
     kMember},
    {"url_get_port", "getPort", "(kubernetes.URL) -> string", Get<&UrlRep::port>, kMember},
    {"url_get_escaped_path", "getEscapedPath", "(kubernetes.URL) -> string",
     Get<&UrlRep::escaped_path>, kMember},
    {"url_get_query", "getQuery", "(kubernetes.URL) -> map(string, list(string))", GetQuery,
     kMember},
};

constexpr FunctionCost kCosts[] = {{"url", k8s::TenthOfFirst}};

constexpr Library kLibrary{"k8s.urls", kOverloads, kCosts};

}  // namespace

const Library& KubernetesUrlsLibrary() { return kLibrary; }

}  // namespace portcullis::cel
