// gzip.compress and gzip.decompress (spec/kyverno-cel-policies.md 10.13).

#include <string>

#include "base/compress.h"
#include "cel/kyverno/convert.h"
#include "cel/kyverno/libraries.h"
#include "cel/lib/call_support.h"

namespace portcullis::cel {
namespace {

using doc::Value;

Value Compress(CallContext& context, Args args) noexcept {
  std::string_view text;
  std::string error;
  if (!kyverno::NativeString(context.arena, args[0], text, error)) return context.Error(error);
  return Value::Bytes(context.arena.CopyString(base::GzipCompress(text)));
}

Value Decompress(CallContext& context, Args args) noexcept {
  const auto text = base::GzipDecompress(args[0].as_string(), kMaxResultBytes);
  return text.ok() ? context.String(*text) : context.Error(text.error().message);
}

constexpr Overload kOverloads[] = {
    {"decompress_bytes_string", "gzip.decompress", "(bytes) -> string", Decompress},
    {"compress_any_bytes", "gzip.compress", "(dyn) -> bytes", Compress},
};

constexpr Library kLibrary{"kyverno.gzip", kOverloads};

}  // namespace

const Library& KyvernoGzipLibrary() { return kLibrary; }

}  // namespace portcullis::cel
