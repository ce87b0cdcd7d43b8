#include "testfile/fields.h"

#include <algorithm>

#include "base/suggest.h"
#include "doc/path.h"

namespace portcullis::testfile {
namespace {

using doc::Value;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool SameFolded(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return Lower(x) == Lower(y); });
}

std::string_view KindOf(const Value& value) {
  if (value.is_map()) return "an object";
  if (value.is_list()) return "a list";
  if (value.is_string()) return "a string";
  if (value.is_bool()) return "a boolean";
  return value.is_null() ? "null" : "a number";
}

}  // namespace

Fields::Fields(const Value& object, std::string path, Problems& problems)
    : object_(object), path_(std::move(path)), problems_(problems) {
  if (!object.is_map()) {
    if (!object.is_null()) {
      problems_.Error(base::ErrorCode::kInvalid,
                      "an object is expected, not " + std::string(KindOf(object)), path_);
    }
    object_ = Value::EmptyMap();
  }
  used_.resize(object_.size());
}

std::string Fields::PathOf(std::string_view name) const {
  std::string out = path_;
  doc::AppendStep(&out, doc::PathStep(std::string(name)));
  return out;
}

std::string Fields::PathOf(std::string_view name, std::size_t index) const {
  std::string out = PathOf(name);
  doc::AppendStep(&out, doc::PathStep(static_cast<std::int64_t>(index)));
  return out;
}

const Value* Fields::Take(std::string_view name) {
  known_.emplace_back(name);
  const auto entries = object_.as_map();
  const Value* found = nullptr;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const std::string_view key = entries[i].key.as_string();
    if (used_[i] || !SameFolded(key, name)) continue;
    // The spelling of the schema wins over others that Go would take as well.
    if (found == nullptr || key == name) found = &entries[i].value;
    used_[i] = true;
  }
  return found == nullptr || found->is_null() ? nullptr : found;
}

void Fields::Mismatch(std::string_view name, std::string_view wanted, const Value& value) {
  problems_.Error(
      base::ErrorCode::kInvalid,
      std::string(name) + " must be " + std::string(wanted) + ", not " + std::string(KindOf(value)),
      PathOf(name));
}

std::string Fields::Text(std::string_view name) {
  const Value* value = Take(name);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    Mismatch(name, "a string", *value);
    return {};
  }
  return std::string(value->as_string());
}

std::vector<std::string> Fields::Texts(std::string_view name) {
  std::vector<std::string> out;
  const Value* value = Take(name);
  if (value == nullptr) return out;
  if (!value->is_list()) {
    Mismatch(name, "a list of strings", *value);
    return out;
  }
  const auto items = value->as_list();
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_string()) {
      out.emplace_back(items[i].as_string());
    } else if (!items[i].is_null()) {
      problems_.Error(
          base::ErrorCode::kInvalid,
          std::string(name) + " must be a list of strings, not of " + std::string(KindOf(items[i])),
          PathOf(name, i));
    }
  }
  return out;
}

bool Fields::Flag(std::string_view name) {
  const Value* value = Take(name);
  if (value == nullptr) return false;
  if (!value->is_bool()) {
    Mismatch(name, "true or false", *value);
    return false;
  }
  return value->as_bool();
}

std::optional<std::int64_t> Fields::Number(std::string_view name) {
  const Value* value = Take(name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_int()) {
    Mismatch(name, "an integer", *value);
    return std::nullopt;
  }
  return value->as_int();
}

Value Fields::Any(std::string_view name) {
  const Value* value = Take(name);
  return value == nullptr ? Value::Null() : *value;
}

Value Fields::Map(std::string_view name) {
  const Value* value = Take(name);
  if (value == nullptr) return Value::Null();
  if (!value->is_map()) {
    Mismatch(name, "an object", *value);
    return Value::Null();
  }
  return *value;
}

std::vector<Value> Fields::Items(std::string_view name) {
  const Value* value = Take(name);
  if (value == nullptr) return {};
  if (!value->is_list()) {
    Mismatch(name, "a list", *value);
    return {};
  }
  return {value->as_list().begin(), value->as_list().end()};
}

std::vector<std::pair<std::string, std::string>> Fields::TextMap(std::string_view name) {
  std::vector<std::pair<std::string, std::string>> out;
  const Value* value = Take(name);
  if (value == nullptr) return out;
  if (!value->is_map()) {
    Mismatch(name, "an object of strings", *value);
    return out;
  }
  for (const doc::MapEntry& entry : value->as_map()) {
    if (entry.value.is_string()) {
      out.emplace_back(entry.key.as_string(), entry.value.as_string());
      continue;
    }
    std::string path = PathOf(name);
    doc::AppendStep(&path, doc::PathStep(std::string(entry.key.as_string())));
    problems_.Error(base::ErrorCode::kInvalid,
                    "a string is expected, not " + std::string(KindOf(entry.value)),
                    std::move(path), "put it in quotes");
  }
  return out;
}

bool Fields::Has(std::string_view name) {
  const auto entries = object_.as_map();
  return std::any_of(entries.begin(), entries.end(), [&](const doc::MapEntry& entry) {
    return SameFolded(entry.key.as_string(), name) && !entry.value.is_null();
  });
}

void Fields::Finish() {
  const auto entries = object_.as_map();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (used_[i]) continue;
    const std::string name(entries[i].key.as_string());
    const std::string_view near = base::ClosestName(name, known_);
    problems_.Error(base::ErrorCode::kUnknownField, "unknown field \"" + name + "\"", PathOf(name),
                    near.empty() ? "" : "did you mean \"" + std::string(near) + "\"?");
  }
}

}  // namespace portcullis::testfile
