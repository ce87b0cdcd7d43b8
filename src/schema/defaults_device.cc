#include "schema/rules.h"

namespace portcullis::schema {

namespace {

void DefaultCount(Fields& fields) {
  fields.DefaultString("allocationMode", "ExactCount");
  if (fields.GetString("allocationMode") == "ExactCount") fields.DefaultInt("count", 1);
}

// v1beta1 has one type for requests and lists of alternatives; the latter have no class.
void DefaultCountOfClass(Fields& fields) {
  if (!fields.GetString("deviceClassName").empty()) DefaultCount(fields);
}

constexpr std::string_view kNowField = "timeAdded";

void StampTaint(Fields& fields) {
  const std::string_view now = fields.workspace().now;
  if (!now.empty() && !fields.Has(kNowField)) {
    fields.Set(kNowField, doc::MakeString(fields.arena(), now));
  }
}

constexpr LiteralRule kLiterals[] = {
    {"resource.v1beta1.Device", "basic", "{}"},
};

constexpr HookRule kHooks[] = {
    {"resource.v1.ExactDeviceRequest", DefaultCount},
    {"resource.v1.DeviceSubRequest", DefaultCount},
    {"resource.v1beta2.ExactDeviceRequest", DefaultCount},
    {"resource.v1beta2.DeviceSubRequest", DefaultCount},
    {"resource.v1.DeviceTaint", StampTaint},
    {"resource.v1beta2.DeviceTaint", StampTaint},
    {"resource.v1beta1.DeviceTaint", StampTaint},
    {"resource.v1alpha3.DeviceTaint", StampTaint},
    {"resource.v1beta1.DeviceRequest", DefaultCountOfClass},
    {"resource.v1beta1.DeviceSubRequest", DefaultCount},
};

}  // namespace

RuleGroup DeviceRules() { return {kLiterals, kHooks}; }

}  // namespace portcullis::schema
