#include "testfile/compare.h"

#include "doc/edit.h"
#include "doc/equal.h"
#include "doc/path.h"
#include "json/writer.h"

namespace portcullis::testfile {
namespace {

using doc::Value;

constexpr int kMaxDepth = 200;
constexpr std::size_t kMaxLines = 12;

bool IsEmpty(const Value& value) {
  return value.is_null() || ((value.is_map() || value.is_list()) && value.size() == 0);
}

Value Tidy(const Value& value, base::Arena& arena, int depth) {
  if (depth > kMaxDepth) return value;
  if (value.is_map()) {
    doc::MapBuilder out;
    for (const doc::MapEntry& entry : value.as_map()) {
      const Value member = Tidy(entry.value, arena, depth + 1);
      if (!IsEmpty(member)) out.Set(entry.key, member);
    }
    return out.Build(arena);
  }
  if (value.is_list()) {
    std::vector<Value> items;
    for (const Value& item : value.as_list()) {
      const Value tidied = Tidy(item, arena, depth + 1);
      if (!IsEmpty(tidied)) items.push_back(tidied);
    }
    return doc::MakeList(arena, items);
  }
  return value;
}

// Generated objects carry labels that an author does not write down, and an object without a
// namespace is in the default one.
Value WithoutImplied(const Value& object, base::Arena& arena) {
  constexpr std::string_view kManagedBy = "app.kubernetes.io/managed-by";
  const Value* metadata = object.Find("metadata");
  if (metadata == nullptr || !metadata->is_map()) return object;
  doc::MapBuilder out(*metadata);
  if (metadata->StringAt("namespace") == "default") out.Remove("namespace");
  const Value* labels = metadata->Find("labels");
  if (labels != nullptr && labels->is_map()) {
    doc::MapBuilder kept;
    for (const doc::MapEntry& entry : labels->as_map()) {
      const std::string_view name = entry.key.as_string();
      if (!name.starts_with("generate.kyverno.io/") && name != kManagedBy) {
        kept.Set(entry.key, entry.value);
      }
    }
    out.Set("labels", kept.Build(arena));
  }
  return doc::WithEntry(arena, object, "metadata", out.Build(arena));
}

std::string Shown(const Value* value) {
  constexpr std::size_t kMax = 120;
  if (value == nullptr) return "nothing";
  std::string text = json::ToString(*value, {.sort_keys = true});
  if (text.size() > kMax) text = text.substr(0, kMax) + "...";
  return text;
}

class Comparison {
 public:
  void Compare(const Value* expected, const Value* actual, const std::string& path, int depth) {
    if (expected != nullptr && actual != nullptr) {
      if (doc::DataEqual(*expected, *actual)) return;
      if (depth < kMaxDepth && expected->is_map() && actual->is_map()) {
        CompareMaps(*expected, *actual, path, depth);
        return;
      }
      if (depth < kMaxDepth && expected->is_list() && actual->is_list()) {
        CompareLists(*expected, *actual, path, depth);
        return;
      }
    }
    lines_.push_back((path.empty() ? "the object" : path) + ": expected " + Shown(expected) +
                     ", got " + Shown(actual));
  }

  std::vector<std::string> Take() {
    if (lines_.size() > kMaxLines) {
      const std::size_t more = lines_.size() - kMaxLines;
      lines_.resize(kMaxLines);
      lines_.push_back("and " + std::to_string(more) + " more");
    }
    return std::move(lines_);
  }

 private:
  static std::string Child(std::string path, const doc::PathStep& step) {
    doc::AppendStep(&path, step);
    return path;
  }

  void CompareMaps(const Value& expected, const Value& actual, const std::string& path, int depth) {
    for (const doc::MapEntry& entry : expected.as_map()) {
      const std::string name(entry.key.as_string());
      Compare(&entry.value, actual.Find(name), Child(path, doc::PathStep(name)), depth + 1);
    }
    for (const doc::MapEntry& entry : actual.as_map()) {
      const std::string name(entry.key.as_string());
      if (expected.Find(name) == nullptr) {
        Compare(nullptr, &entry.value, Child(path, doc::PathStep(name)), depth + 1);
      }
    }
  }

  void CompareLists(const Value& expected, const Value& actual, const std::string& path,
                    int depth) {
    const auto left = expected.as_list();
    const auto right = actual.as_list();
    for (std::size_t i = 0; i < left.size() || i < right.size(); ++i) {
      Compare(i < left.size() ? &left[i] : nullptr, i < right.size() ? &right[i] : nullptr,
              Child(path, doc::PathStep(static_cast<std::int64_t>(i))), depth + 1);
    }
  }

  std::vector<std::string> lines_;
};

}  // namespace

Value Tidied(const Value& object, base::Arena& arena) {
  if (!object.is_map()) return object;
  return Tidy(WithoutImplied(object, arena), arena, 0);
}

std::vector<std::string> Differences(const Value& expected, const Value& actual,
                                     base::Arena& arena) {
  const Value left = Tidied(expected, arena);
  const Value right = Tidied(actual, arena);
  Comparison comparison;
  comparison.Compare(&left, &right, "", 0);
  return comparison.Take();
}

}  // namespace portcullis::testfile
