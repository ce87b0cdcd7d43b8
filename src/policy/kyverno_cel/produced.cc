#include "policy/kyverno_cel/produced.h"

#include "policy/kyverno_cel/load.h"

namespace portcullis::policy::kyverno_cel {

std::string DescribeObject(const doc::Value& object) {
  const match::GroupVersion version = match::SplitApiVersion(object.StringAt("apiVersion"));
  const doc::Value metadata = ObjectAt(object, "metadata");
  std::string out = match::ToString(
      match::GroupVersionKind{version.group, version.version, object.StringAt("kind")});
  out += " Name=";
  out += metadata.StringAt("name");
  out += " Namespace=";
  out += metadata.StringAt("namespace");
  return out;
}

void TellProduced(std::string_view property, const doc::Value& object, Evaluation& out) {
  const std::string text = DescribeObject(object);
  for (auto& [key, value] : out.properties) {
    if (key != property) continue;
    value += "; " + text;
    return;
  }
  out.properties.emplace_back(property, text);
}

}  // namespace portcullis::policy::kyverno_cel
