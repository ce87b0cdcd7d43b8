#include "policy/kyverno_cel/image_extract.h"

#include <algorithm>
#include <array>

#include "doc/edit.h"
#include "policy/admission/decode.h"

namespace portcullis::policy::kyverno_cel {
namespace {

constexpr std::array<std::string_view, 3> kCategories = {"containers", "initContainers",
                                                         "ephemeralContainers"};

// Where a kind keeps its pod spec.
struct PodBearer {
  std::string_view group, resource;
  std::array<std::string_view, 5> path;
};
constexpr PodBearer kPodBearers[] = {
    {"", "pods", {"spec"}},
    {"apps", "deployments", {"spec", "template", "spec"}},
    {"apps", "statefulsets", {"spec", "template", "spec"}},
    {"apps", "daemonsets", {"spec", "template", "spec"}},
    {"apps", "replicasets", {"spec", "template", "spec"}},
    {"batch", "jobs", {"spec", "template", "spec"}},
    {"batch", "cronjobs", {"spec", "jobTemplate", "spec", "template", "spec"}},
};

const PodBearer* BearerOf(const match::AdmissionRequest& request) {
  for (const PodBearer& bearer : kPodBearers) {
    if (request.resource.group == bearer.group && request.resource.resource == bearer.resource &&
        request.resource.version == "v1") {
      return &bearer;
    }
  }
  return nullptr;
}

// The binding of the one variable of matchImageReferences.
class Reference final : public cel::Activation {
 public:
  explicit Reference(std::string_view image) : image_(image) {}
  bool Resolve(std::string_view name, doc::Value& out) override {
    if (name != "ref") return false;
    out = doc::Value::String(image_);
    return true;
  }

 private:
  std::string_view image_;
};

class Extraction {
 public:
  Extraction(const ImageValidatingPolicy& policy, Activation& activation, RequestContext& context)
      : policy_(policy), activation_(activation), context_(context) {}

  ExtractedImages Run() {
    if (policy_.mode != Mode::kJson) FromContainers();
    for (const Variable& extractor : policy_.extractors) {
      if (out_.error.empty()) FromExpression(extractor);
    }
    if (!out_.error.empty()) return std::move(out_);
    std::vector<doc::MapEntry> entries;
    for (const Category& category : categories_) {
      std::vector<doc::Value> kept;
      for (const ExtractedImage& image : category.images) {
        if (!IsAbout(policy_, image.image, context_.arena, out_.error)) continue;
        kept.push_back(doc::Value::String(image.image));
        out_.matched.push_back(image);
      }
      entries.push_back({doc::Value::String(category.name), doc::MakeList(context_.arena, kept)});
    }
    out_.images = doc::MakeMap(context_.arena, entries);
    return std::move(out_);
  }

 private:
  struct Category {
    std::string_view name;
    std::vector<ExtractedImage> images;
  };

  // A later extractor of a name replaces the earlier one.
  std::vector<ExtractedImage>& Replace(std::string_view name) {
    for (Category& category : categories_) {
      if (category.name != name) continue;
      category.images.clear();
      return category.images;
    }
    return categories_.emplace_back(Category{name, {}}).images;
  }

  void FromContainers() {
    const match::AdmissionRequest& request = context_.request;
    const PodBearer* bearer = BearerOf(request);
    if (bearer == nullptr) return;
    doc::Value spec = request.object.is_map() ? request.object : request.old_object;
    doc::Path path;
    for (const std::string_view step : bearer->path) {
      if (step.empty()) break;
      spec = ObjectAt(spec, step);
      path.emplace_back(std::string(step));
    }
    for (const std::string_view name : kCategories) {
      std::vector<ExtractedImage>& images = Replace(name);
      const auto containers = Items(spec, name);
      for (std::size_t i = 0; i < containers.size(); ++i) {
        const std::string_view image = containers[i].StringAt("image");
        if (image.empty()) {
          out_.error = std::string(name) + "[" + std::to_string(i) + "] has no image";
          return;
        }
        ExtractedImage& extracted = images.emplace_back(ExtractedImage{image, path});
        extracted.path.emplace_back(std::string(name));
        extracted.path.emplace_back(static_cast<std::int64_t>(i));
        extracted.path.emplace_back(std::string("image"));
      }
    }
  }

  void FromExpression(const Variable& extractor) {
    std::vector<ExtractedImage>& images = Replace(extractor.name);
    const doc::Value value = cel::Evaluate(*extractor.expression.program, activation_,
                                           context_.arena, activation_.options())
                                 .value;
    if (value.is_error()) {
      out_.error = cel::ErrorMessage(value);
      return;
    }
    if (!value.is_list()) {
      out_.error = "images." + extractor.name + " is no list";
      return;
    }
    for (const doc::Value& item : value.as_list()) {
      if (!item.is_string()) {
        out_.error = "images." + extractor.name + " holds a value that is no string";
        return;
      }
      images.push_back({item.as_string(), {}});
    }
  }

  const ImageValidatingPolicy& policy_;
  Activation& activation_;
  RequestContext& context_;
  std::vector<Category> categories_;
  ExtractedImages out_;
};

}  // namespace

bool IsAbout(const ImageValidatingPolicy& policy, std::string_view image, base::Arena& arena,
             std::string& error) {
  if (policy.references.empty()) return true;
  for (const ImageReferenceMatch& match : policy.references) {
    if (match.glob != nullptr) {
      if (match.glob->FullMatch(image)) return true;
      continue;
    }
    Reference reference(image);
    const doc::Value value = cel::Evaluate(*match.expression.program, reference, arena, {}).value;
    if (value.is_error()) {
      if (error.empty()) error = cel::ErrorMessage(value);
    } else if (value.is_bool() && value.as_bool()) {
      return true;
    }
  }
  return false;
}

ExtractedImages ExtractImages(const ImageValidatingPolicy& policy, Activation& activation,
                              RequestContext& context) {
  return Extraction(policy, activation, context).Run();
}

}  // namespace portcullis::policy::kyverno_cel
