// base64.encode and base64.decode (spec/cel.md 14.5).

#include "base/base64.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/call_support.h"
#include "cel/lib/libraries.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value Encode(CallContext& context, Args args) noexcept {
  if (args[0].size() > kMaxResultBytes) return TooLarge(context, "base64.encode");
  return context.String(base::Base64Encode(args[0].as_string())).WithFlags(Value::kAscii);
}

// Padded text first; text that is corrupt for that is tried as unpadded.
Value Decode(CallContext& context, Args args) noexcept {
  auto decoded = base::Base64Decode(args[0].as_string(), base::Base64::kStd);
  if (!decoded.ok()) decoded = base::Base64Decode(args[0].as_string(), base::Base64::kRawStd);
  if (!decoded.ok()) return context.Error(decoded.error().message);
  return Value::Bytes(context.arena.CopyString(*decoded));
}

std::uint64_t OneAndTenth(Args args, const Value&) noexcept {
  return 1 + CostTenth(CostSize(args[0]));
}

constexpr Overload kOverloads[] = {
    {"base64_decode_string", "base64.decode", "(string) -> bytes", Decode, kTracked, OneAndTenth},
    {"base64_encode_bytes", "base64.encode", "(bytes) -> string", Encode, kTracked, OneAndTenth},
};

constexpr Library kLibrary{"cel.lib.ext.encoders", kOverloads};

}  // namespace

const Library& EncodersLibrary() { return kLibrary; }

}  // namespace portcullis::cel
