#include "cel/check/type.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"

namespace portcullis::cel {

namespace types {
namespace {
constinit const std::array<const Type*, 2> kDynParams = {&kDyn, &kDyn};
}  // namespace

constinit const Type kDyn{TypeKind::kDyn, {}, {}};
constinit const Type kAny{TypeKind::kAny, {}, {}};
constinit const Type kError{TypeKind::kError, {}, {}};
constinit const Type kNull{TypeKind::kNull, {}, {}};
constinit const Type kBool{TypeKind::kBool, {}, {}};
constinit const Type kInt{TypeKind::kInt, {}, {}};
constinit const Type kUint{TypeKind::kUint, {}, {}};
constinit const Type kDouble{TypeKind::kDouble, {}, {}};
constinit const Type kString{TypeKind::kString, {}, {}};
constinit const Type kBytes{TypeKind::kBytes, {}, {}};
constinit const Type kDuration{TypeKind::kDuration, {}, {}};
constinit const Type kTimestamp{TypeKind::kTimestamp, {}, {}};
constinit const Type kType{TypeKind::kType, {}, {}};
constinit const Type kList{TypeKind::kList, {}, {kDynParams.data(), 1}};
constinit const Type kMap{TypeKind::kMap, {}, {kDynParams.data(), 2}};
constinit const Type kOptional{TypeKind::kOptional, {}, {kDynParams.data(), 1}};
constinit const Type kUnspecified{TypeKind::kUnspecified, {}, {}};
}  // namespace types

namespace {

// Small pools are the rule (one per expression), so that blocks start small and double.
constexpr std::size_t kFirstBlock = 512;
constexpr std::size_t kLargestBlock = std::size_t{32} * 1024;
constexpr int kMaxSignatureDepth = 32;
// A variable can stand twice in a literal, so that nested macros double the size of a type at each
// level. A type of more parts than this is dyn.
constexpr std::size_t kMaxTypeParts = 4096;

// Takes the parts of `type` off `budget`; false when they are too many.
bool FitsBudget(const Type& type, std::size_t& budget) {
  if (budget == 0) return false;
  --budget;
  for (const Type* param : type.params) {
    if (!FitsBudget(*param, budget)) return false;
  }
  return true;
}

struct NamedType {
  std::string_view name;
  const Type* type;
};

constexpr std::array kNamedTypes = {
    NamedType{"dyn", &types::kDyn},
    NamedType{"any", &types::kAny},
    NamedType{"null", &types::kNull},
    NamedType{"null_type", &types::kNull},
    NamedType{"bool", &types::kBool},
    NamedType{"int", &types::kInt},
    NamedType{"uint", &types::kUint},
    NamedType{"double", &types::kDouble},
    NamedType{"string", &types::kString},
    NamedType{"bytes", &types::kBytes},
    NamedType{"duration", &types::kDuration},
    NamedType{"timestamp", &types::kTimestamp},
    NamedType{"google.protobuf.Duration", &types::kDuration},
    NamedType{"google.protobuf.Timestamp", &types::kTimestamp},
    NamedType{"google.protobuf.Any", &types::kAny},
    NamedType{"type", &types::kType},
    NamedType{"list", &types::kList},
    NamedType{"map", &types::kMap},
    NamedType{"optional", &types::kOptional},
    NamedType{"optional_type", &types::kOptional},
};

}  // namespace

struct TypePool::Impl {
  std::vector<std::unique_ptr<std::byte[]>> blocks;
  std::size_t block_size = 0;
  std::size_t used = 0;
  absl::flat_hash_map<std::string_view, const Type*> parsed;

  void* Allocate(std::size_t size) {
    size = (size + 7) & ~std::size_t{7};
    if (blocks.empty() || used + size > block_size) {
      std::size_t next = block_size == 0 ? kFirstBlock : std::min(block_size * 2, kLargestBlock);
      next = std::max(next, size);
      blocks.push_back(std::unique_ptr<std::byte[]>(new std::byte[next]));
      block_size = next;
      used = 0;
    }
    void* out = blocks.back().get() + used;
    used += size;
    return out;
  }

  std::string_view Copy(std::string_view text) {
    if (text.empty()) return {};
    char* out = static_cast<char*>(Allocate(text.size()));
    std::memcpy(out, text.data(), text.size());
    return {out, text.size()};
  }

  const Type* Make(TypeKind kind, std::string_view name, std::span<const Type* const> params) {
    const Type** copy = nullptr;
    if (!params.empty()) {
      std::size_t budget = kMaxTypeParts;
      for (const Type* param : params) {
        if (!FitsBudget(*param, budget)) return &types::kDyn;
      }
      copy = static_cast<const Type**>(Allocate(params.size() * sizeof(const Type*)));
      std::memcpy(copy, params.data(), params.size() * sizeof(const Type*));
    }
    return new (Allocate(sizeof(Type))) Type{kind, Copy(name), {copy, params.size()}};
  }

  const Type* ParseType(std::string_view& text, int depth);
  const Type* MakeNamed(std::string_view name, std::span<const Type* const> params);
};

TypePool::TypePool() : impl_(std::make_unique<Impl>()) {}
TypePool::~TypePool() = default;
TypePool::TypePool(TypePool&&) noexcept = default;
TypePool& TypePool::operator=(TypePool&&) noexcept = default;

const Type* TypePool::List(const Type* element) {
  if (element == &types::kDyn) return &types::kList;
  return impl_->Make(TypeKind::kList, {}, {&element, 1});
}

const Type* TypePool::Map(const Type* key, const Type* value) {
  const std::array<const Type*, 2> params = {key, value};
  return impl_->Make(TypeKind::kMap, {}, params);
}

const Type* TypePool::Optional(const Type* inner) {
  if (inner == &types::kDyn) return &types::kOptional;
  return impl_->Make(TypeKind::kOptional, {}, {&inner, 1});
}

const Type* TypePool::TypeOf(const Type* type) {
  return impl_->Make(TypeKind::kType, {}, {&type, 1});
}

const Type* TypePool::Wrapper(const Type* primitive) {
  return impl_->Make(TypeKind::kWrapper, {}, {&primitive, 1});
}

const Type* TypePool::Opaque(std::string_view name, std::span<const Type* const> params) {
  return impl_->Make(TypeKind::kOpaque, name, params);
}

const Type* TypePool::Struct(std::string_view name) {
  return impl_->Make(TypeKind::kStruct, name, {});
}

const Type* TypePool::Param(std::string_view name) {
  return impl_->Make(TypeKind::kParam, name, {});
}

namespace {

void SkipBlanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

}  // namespace

const Type* TypePool::Impl::MakeNamed(std::string_view name, std::span<const Type* const> params) {
  constexpr std::string_view kStructPrefix = "struct:";
  if (name.substr(0, kStructPrefix.size()) == kStructPrefix) {
    return Make(TypeKind::kStruct, name.substr(kStructPrefix.size()), {});
  }
  if (params.empty()) {
    for (const NamedType& named : kNamedTypes) {
      if (named.name == name) return named.type;
    }
    if (name.size() == 1 && name[0] >= 'A' && name[0] <= 'Z') {
      return Make(TypeKind::kParam, name, {});
    }
  } else {
    if (name == "list") return Make(TypeKind::kList, {}, params);
    if (name == "map") return Make(TypeKind::kMap, {}, params);
    if (name == "type") return Make(TypeKind::kType, {}, params);
    if (name == "wrapper") return Make(TypeKind::kWrapper, {}, params);
    if (name == "optional" || name == "optional_type") {
      return Make(TypeKind::kOptional, {}, params);
    }
  }
  PC_CHECK(!params.empty() || name.find('.') != std::string_view::npos);
  // The libraries of Kubernetes declare object types (without fields), not opaque ones; the
  // checker words its errors differently for the two.
  constexpr std::string_view kKubernetes = "kubernetes.";
  if (params.empty() && name.substr(0, kKubernetes.size()) == kKubernetes) {
    return Make(TypeKind::kStruct, name, {});
  }
  if (name.front() == '.') name.remove_prefix(1);
  return Make(TypeKind::kOpaque, name, params);
}

const Type* TypePool::Impl::ParseType(std::string_view& text, int depth) {
  PC_CHECK(depth < kMaxSignatureDepth);
  SkipBlanks(text);
  const std::size_t end = std::min(text.find_first_of("(), "), text.size());
  PC_CHECK(end != 0);
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(end);
  std::vector<const Type*> params;
  if (!text.empty() && text.front() == '(') {
    do {
      text.remove_prefix(1);
      params.push_back(ParseType(text, depth + 1));
      SkipBlanks(text);
    } while (!text.empty() && text.front() == ',');
    PC_CHECK(!text.empty() && text.front() == ')');
    text.remove_prefix(1);
  }
  return MakeNamed(name, params);
}

const Type* TypePool::Parse(std::string_view text) {
  const auto found = impl_->parsed.find(text);
  if (found != impl_->parsed.end()) return found->second;
  std::string_view rest = text;
  const Type* type = impl_->ParseType(rest, 0);
  SkipBlanks(rest);
  PC_CHECK(rest.empty());
  impl_->parsed.emplace(impl_->Copy(text), type);
  return type;
}

}  // namespace portcullis::cel
