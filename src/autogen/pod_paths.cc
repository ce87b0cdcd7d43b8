#include "autogen/pod_paths.h"

#include <algorithm>
#include <array>

namespace portcullis::autogen {

std::span<const std::string_view> TemplateSteps(Group group) {
  static constexpr std::array<std::string_view, 2> kDefaults{"spec", "template"};
  static constexpr std::array<std::string_view, 4> kCronJobs{"spec", "jobTemplate", "spec",
                                                             "template"};
  switch (group) {
    case Group::kDefaults:
      return kDefaults;
    case Group::kCronJobs:
      return kCronJobs;
    case Group::kExtract:
      break;
  }
  return {};
}

bool StaysWithWorkload(std::string_view metadata_field) {
  static constexpr std::array<std::string_view, 13> kFields{
      "name",
      "namespace",
      "generateName",
      "uid",
      "resourceVersion",
      "generation",
      "creationTimestamp",
      "deletionTimestamp",
      "deletionGracePeriodSeconds",
      "ownerReferences",
      "finalizers",
      "managedFields",
      "selfLink",
  };
  return std::find(kFields.begin(), kFields.end(), metadata_field) != kFields.end();
}

bool IsControllerField(std::string_view spec_field) {
  return spec_field == "template" || spec_field == "jobTemplate";
}

std::string JoinSteps(Group group, std::string_view separator) {
  std::string joined;
  for (const std::string_view step : TemplateSteps(group)) {
    joined += step;
    joined += separator;
  }
  return joined;
}

std::string MovePointer(std::string_view pointer, Group group) {
  const auto begins_with = [&](std::string_view steps) {
    return pointer.substr(0, steps.size()) == steps &&
           (pointer.size() == steps.size() || pointer[steps.size()] == '/');
  };
  const bool of_controller = begins_with("/spec/template") || begins_with("/spec/jobTemplate");
  const bool moves = (begins_with("/spec") && !of_controller) || begins_with("/metadata/labels") ||
                     begins_with("/metadata/annotations");
  std::string moved;
  if (moves) {
    for (const std::string_view step : TemplateSteps(group)) {
      moved += '/';
      moved += step;
    }
  }
  moved += pointer;
  return moved;
}

}  // namespace portcullis::autogen
