#include "patch/json_patch.h"

#include "patch/measure.h"
#include "patch/overlay.h"
#include "patch/pointer.h"

namespace portcullis::patch {
namespace {

constexpr std::string_view kMissing = "missing value";
constexpr std::string_view kInvalidIndex = "invalid index referenced";

class Applier {
 public:
  Applier(base::Arena& arena, const doc::Value& document, const JsonPatchLimits& limits)
      : arena_(arena), document_(arena, document), limits_(limits) {}

  // Each returns false and fills the error.
  bool Apply(const Operation& operation) {
    if (limits_.interrupt != nullptr && limits_.interrupt->load(std::memory_order_relaxed)) {
      return Fail("operation interrupted");
    }
    const std::string_view op = operation.op.value_or("unknown");
    if (op == "add") return Add(operation);
    if (op == "remove") return Remove(operation);
    if (op == "replace") return Replace(operation);
    if (op == "move") return Move(operation);
    if (op == "copy") return Copy(operation);
    if (op == "test") return Test(operation);
    return Fail("Unexpected kind: " + std::string(op));
  }

  bool Finish(doc::Value& out) {
    return (document_.Freeze(document_.root(), limits_.depth, out) &&
            DepthOf(out, limits_.depth) <= limits_.depth) ||
           Fail("exceeded max depth");
  }
  JsonPatchResult Failure() { return {{}, std::move(error_), test_failed_}; }

 private:
  bool Fail(std::string text) {
    error_ = std::move(text);
    return false;
  }
  // "CONTEXT: CAUSE", the way the library wraps errors.
  bool Fail(std::string context, std::string_view cause) {
    context += ": ";
    context += cause;
    return Fail(std::move(context));
  }
  static std::string InvalidIndex(std::int64_t index) {
    return "Unable to access invalid index: " + std::to_string(index) + ": " +
           std::string(kInvalidIndex);
  }
  static std::string Quoted(std::string_view path, char quote = '"') {
    return quote + std::string(path) + quote;
  }

  bool Add(const Operation& operation) {
    if (!operation.path) return Fail("add operation failed to decode path", kMissing);
    Location place;
    if (!Locate(arena_, document_, *operation.path, place)) {
      return Fail("add operation does not apply: doc is missing path: " + Quoted(*operation.path),
                  kMissing);
    }
    std::string why;
    if (!AddAt(place, document_.New(operation.value), why)) {
      return Fail("error in add for path: " + Quoted(*operation.path, '\''), why);
    }
    return true;
  }

  bool Remove(const Operation& operation) {
    if (!operation.path) return Fail("remove operation failed to decode path", kMissing);
    Location place;
    if (!Locate(arena_, document_, *operation.path, place)) {
      return Fail(
          "remove operation does not apply: doc is missing path: " + Quoted(*operation.path),
          kMissing);
    }
    std::string why;
    if (!RemoveAt(place, why)) {
      return Fail("error in remove for path: " + Quoted(*operation.path, '\''), why);
    }
    return true;
  }

  bool Replace(const Operation& operation) {
    if (!operation.path) {
      return Fail("replace operation failed to decode path: operation missing path field",
                  kMissing);
    }
    const std::string_view path = *operation.path;
    if (path.empty()) {
      if (!operation.value.is_map() && !operation.value.is_list()) {
        return Fail("replace operation value must be object or array: %!w(<nil>)");
      }
      document_.SetRoot(document_.New(operation.value));
      return true;
    }
    Location place;
    if (!Locate(arena_, document_, path, place)) {
      return Fail("replace operation does not apply: doc is missing path: " + std::string(path),
                  kMissing);
    }
    const Overlay::Ref value = document_.New(operation.value);
    if (document_.IsMap(place.container)) {
      document_.Set(place.container, place.key, value);
      return true;
    }
    std::size_t index = 0;
    std::string why;
    if (!ExistingIndex(place, index, why)) {
      return Fail("replace operation does not apply: doc is missing key: " + std::string(path),
                  kMissing);
    }
    document_.SetItem(place.container, index, value);
    return true;
  }

  bool Move(const Operation& operation) {
    Overlay::Ref value = Overlay::kNone;
    Location place;
    if (!Source(operation, "move", place)) return false;
    std::string why;
    if (!Get(place, value, why) || !RemoveAt(place, why)) {
      return Fail("error in move for path: " + Quoted(place.key, '\''), why);
    }
    if (!operation.path) {
      return Fail("move operation failed to decode path: operation missing path field", kMissing);
    }
    const std::string_view path = *operation.path;
    if (!Locate(arena_, document_, path, place)) {
      return Fail(
          "move operation does not apply: doc is missing destination path: " + std::string(path),
          kMissing);
    }
    if (!AddAt(place, value, why))
      return Fail("error in move for path: " + Quoted(path, '\''), why);
    return true;
  }

  bool Copy(const Operation& operation) {
    Overlay::Ref value = Overlay::kNone;
    Location place;
    if (!Source(operation, "copy", place)) return false;
    std::string why;
    if (!Get(place, value, why)) {
      return Fail("error in copy for from: " + Quoted(*operation.from, '\''), why);
    }
    if (!operation.path) return Fail("copy operation failed to decode path", kMissing);
    if (!Locate(arena_, document_, *operation.path, place)) {
      return Fail("copy operation does not apply: doc is missing destination path: " +
                      std::string(*operation.path),
                  kMissing);
    }
    copied_ += document_.JsonSize(value, limits_.copied_bytes);
    if (copied_ > limits_.copied_bytes) {
      return Fail("Unable to complete the copy, the accumulated size increase of copy is " +
                  std::to_string(copied_) + ", exceeding the limit " +
                  std::to_string(limits_.copied_bytes));
    }
    doc::Value copy;
    if (!document_.Freeze(value, limits_.depth, copy)) return Fail("exceeded max depth");
    if (!AddAt(place, document_.New(copy), why)) {
      return Fail("error while adding value during copy", why);
    }
    return true;
  }

  bool Test(const Operation& operation) {
    if (!operation.path) {
      return Fail("test operation failed to decode path: operation missing path field", kMissing);
    }
    const std::string_view path = *operation.path;
    if (path.empty()) {
      return (operation.has_value && document_.Equals(document_.root(), operation.value)) ||
             TestFailed(path);
    }
    Location place;
    if (!Locate(arena_, document_, path, place)) {
      return Fail("test operation does not apply: is missing path: " + std::string(path), kMissing);
    }
    Overlay::Ref held = Overlay::kNone;
    std::string why;
    if (!Get(place, held, why)) {
      return Fail("error in test for path: " + Quoted(path, '\''), why);
    }
    const bool expects_nothing =
        !operation.has_value || (operation.value.is_null() && !operation.null_is_value);
    if (document_.IsNull(held)) return expects_nothing || TestFailed(path);
    return (operation.has_value && document_.Equals(held, operation.value)) || TestFailed(path);
  }

  bool TestFailed(std::string_view path) {
    test_failed_ = true;
    return Fail("testing value " + std::string(path) + " failed: test failed");
  }

  // `from` of move and copy.
  bool Source(const Operation& operation, std::string_view name, Location& place) {
    const std::string verb(name);
    if (!operation.from) {
      return Fail(verb + " operation failed to decode from: operation, missing from field",
                  kMissing);
    }
    if (!Locate(arena_, document_, *operation.from, place)) {
      return Fail(verb + " operation does not apply: doc is missing from path: " +
                      std::string(*operation.from),
                  kMissing);
    }
    return true;
  }

  // The value at a place; null for an absent key of a map.
  bool Get(const Location& place, Overlay::Ref& out, std::string& why) {
    if (document_.IsMap(place.container)) {
      out = document_.Find(place.container, place.key);
      if (out == Overlay::kNone) out = document_.New(doc::Value::Null());
      return true;
    }
    std::size_t index = 0;
    if (!ExistingIndex(place, index, why)) return false;
    out = document_.Item(place.container, index);
    return true;
  }

  // Of a place in a list.
  bool ExistingIndex(const Location& place, std::size_t& out, std::string& why) {
    std::int64_t index = 0;
    if (!ParseIndex(place.key, index, why)) return false;
    const auto size = static_cast<std::int64_t>(document_.Size(place.container));
    if (index >= size || index < -size) {
      why = InvalidIndex(index);
      return false;
    }
    out = static_cast<std::size_t>(index < 0 ? index + size : index);
    return true;
  }

  bool AddAt(const Location& place, Overlay::Ref value, std::string& why) {
    if (document_.IsMap(place.container)) {
      document_.Set(place.container, place.key, value);
      return true;
    }
    const auto slots = static_cast<std::int64_t>(document_.Size(place.container)) + 1;
    std::int64_t index = slots - 1;
    if (place.key != "-") {
      if (!ParseIndex(place.key, index, why)) {
        why = "value was not a proper array index: '" + std::string(place.key) + "': " + why;
        return false;
      }
      if (index >= slots || index < -slots) {
        why = InvalidIndex(index);
        return false;
      }
      if (index < 0) index += slots;
    }
    document_.Insert(place.container, static_cast<std::size_t>(index), value);
    return true;
  }

  bool RemoveAt(const Location& place, std::string& why) {
    if (document_.IsMap(place.container)) {
      if (document_.Find(place.container, place.key) == Overlay::kNone) {
        why = "Unable to remove nonexistent key: " + std::string(place.key) + ": " +
              std::string(kMissing);
        return false;
      }
      document_.Erase(place.container, place.key);
      return true;
    }
    std::size_t index = 0;
    if (!ExistingIndex(place, index, why)) return false;
    document_.EraseItem(place.container, index);
    return true;
  }

  base::Arena& arena_;
  Overlay document_;
  JsonPatchLimits limits_;
  std::size_t copied_ = 0;
  std::string error_;
  bool test_failed_ = false;
};

std::optional<std::string_view> StringMember(const doc::Value& object, std::string_view name) {
  const doc::Value* member = object.Find(name);
  if (member == nullptr || !member->is_string()) return std::nullopt;
  return member->as_string();
}

std::string_view JsonTypeName(const doc::Value& value) {
  if (value.is_list()) return "array";
  if (value.is_map()) return "object";
  if (value.is_string()) return "string";
  return value.is_bool() ? "bool" : "number";
}

}  // namespace

base::Result<std::vector<Operation>> DecodeJsonPatch(const doc::Value& patch) {
  std::vector<Operation> operations;
  if (patch.is_null()) return operations;
  if (!patch.is_list()) {
    return base::Error(base::ErrorCode::kSyntax, "json: cannot unmarshal " +
                                                     std::string(JsonTypeName(patch)) +
                                                     " into Go value of type jsonpatch.Patch");
  }
  operations.reserve(patch.size());
  for (const doc::Value& item : patch.as_list()) {
    Operation& operation = operations.emplace_back();
    if (item.is_null()) continue;
    if (!item.is_map()) {
      return base::Error(base::ErrorCode::kSyntax,
                         "json: cannot unmarshal " + std::string(JsonTypeName(item)) +
                             " into Go value of type jsonpatch.Operation");
    }
    operation.op = StringMember(item, "op");
    operation.path = StringMember(item, "path");
    operation.from = StringMember(item, "from");
    if (const doc::Value* value = item.Find("value")) {
      operation.has_value = true;
      operation.value = *value;
    }
  }
  return operations;
}

JsonPatchResult ApplyJsonPatch(base::Arena& arena, const doc::Value& document,
                               std::span<const Operation> operations,
                               const JsonPatchLimits& limits) {
  Applier applier(arena, document, limits);
  for (const Operation& operation : operations) {
    if (!applier.Apply(operation)) return applier.Failure();
  }
  JsonPatchResult result;
  if (!applier.Finish(result.value)) return applier.Failure();
  return result;
}

}  // namespace portcullis::patch
