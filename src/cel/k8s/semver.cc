// Semantic versions (spec/cel.md 16.5).

#include <string>

#include "base/semver.h"
#include "cel/k8s/libraries.h"
#include "cel/k8s/support.h"

namespace portcullis::cel {
namespace {

using base::Semver;
using doc::Value;

struct SemverRep : doc::HostRep {
  Semver value;
};

Value EqualVersions(CallContext& context, const Value& a, const Value& b);

const Semver& ValueOf(const Value& value) { return k8s::RepOf<SemverRep>(value).value; }
std::string VersionText(const Value& value) { return ValueOf(value).ToString(); }

constexpr Type kSemverType{TypeKind::kOpaque, "kubernetes.Semver", {}};
constexpr CelHostType kSemverHost = k8s::MakeHostType(kSemverType, EqualVersions, VersionText);

Value EqualVersions(CallContext& context, const Value& a, const Value& b) {
  if (!IsHost(b, kSemverHost)) return context.NoSuchOverload();
  return Value::Bool(ValueOf(a).Compare(ValueOf(b)) == 0);
}

Value Parse(CallContext& context, std::string_view text, bool normalize) {
  if (normalize) {
    const base::Result<std::string> normal = base::NormalizeSemver(text);
    if (!normal.ok()) return context.Error(normal.error().message);
    text = context.arena.CopyString(*normal);
  }
  const base::Result<Semver> parsed = base::ParseSemver(text);
  if (!parsed.ok()) return context.Error(parsed.error().message);
  return k8s::NewHost<SemverRep>(context.arena, kSemverHost, *parsed);
}

bool IsValid(std::string_view text, bool normalize) {
  if (!normalize) return base::ParseSemver(text).ok();
  const base::Result<std::string> normal = base::NormalizeSemver(text);
  return normal.ok() && base::ParseSemver(*normal).ok();
}

Value MakeSemver(CallContext& context, Args args) noexcept {
  return Parse(context, args[0].as_string(), args.size() > 1 && args[1].as_bool());
}
Value IsSemver(CallContext&, Args args) noexcept {
  return Value::Bool(IsValid(args[0].as_string(), args.size() > 1 && args[1].as_bool()));
}

Value IsGreaterThan(CallContext&, Args args) noexcept {
  return Value::Bool(ValueOf(args[0]).Compare(ValueOf(args[1])) > 0);
}
Value IsLessThan(CallContext&, Args args) noexcept {
  return Value::Bool(ValueOf(args[0]).Compare(ValueOf(args[1])) < 0);
}
Value CompareTo(CallContext&, Args args) noexcept {
  return Value::Int(ValueOf(args[0]).Compare(ValueOf(args[1])));
}

template <std::uint64_t Semver::* kPart>
Value Part(CallContext&, Args args) noexcept {
  return Value::Int(static_cast<std::int64_t>(ValueOf(args[0]).*kPart));
}

#define PC_SEMVER "kubernetes.Semver"

constexpr Overload kOverloads[] = {
    {"string_to_semver", "semver", "(string) -> " PC_SEMVER, MakeSemver},
    {"string_bool_to_semver", "semver", "(string, bool) -> " PC_SEMVER, MakeSemver},
    {"is_semver_string", "isSemver", "(string) -> bool", IsSemver},
    {"is_semver_string_bool", "isSemver", "(string, bool) -> bool", IsSemver},
    {"semver_is_greater_than", "isGreaterThan", "(" PC_SEMVER ", " PC_SEMVER ") -> bool",
     IsGreaterThan, kMember},
    {"semver_is_less_than", "isLessThan", "(" PC_SEMVER ", " PC_SEMVER ") -> bool", IsLessThan,
     kMember},
    {"semver_compare_to", "compareTo", "(" PC_SEMVER ", " PC_SEMVER ") -> int", CompareTo, kMember},
    {"semver_major", "major", "(" PC_SEMVER ") -> int", Part<&Semver::major>, kMember},
    {"semver_minor", "minor", "(" PC_SEMVER ") -> int", Part<&Semver::minor>, kMember},
    {"semver_patch", "patch", "(" PC_SEMVER ") -> int", Part<&Semver::patch>, kMember},
};

#undef PC_SEMVER

constexpr FunctionCost kCosts[] = {
    {"semver", k8s::TenthOfFirst},
    {"isSemver", k8s::TenthOfFirst},
};

constexpr Library kLibrary{"k8s.semver", kOverloads, kCosts};

}  // namespace

const Library& KubernetesSemverLibrary() { return kLibrary; }

}  // namespace portcullis::cel
