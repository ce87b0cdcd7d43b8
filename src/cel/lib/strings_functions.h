#ifndef PORTCULLIS_CEL_LIB_STRINGS_FUNCTIONS_H_
#define PORTCULLIS_CEL_LIB_STRINGS_FUNCTIONS_H_

// Implementations behind StringsLibrary() (spec/cel.md 14.1). All indices are code points.
// Internal to cel/lib.

#include "cel/lib/call_support.h"

namespace portcullis::cel::strings {

// strings_search.cc
doc::Value CharAt(CallContext& context, Args args) noexcept;
doc::Value IndexOf(CallContext& context, Args args) noexcept;
doc::Value LastIndexOf(CallContext& context, Args args) noexcept;
doc::Value Substring(CallContext& context, Args args) noexcept;

// strings_change.cc
doc::Value Join(CallContext& context, Args args) noexcept;
doc::Value LowerAscii(CallContext& context, Args args) noexcept;
doc::Value UpperAscii(CallContext& context, Args args) noexcept;
doc::Value Replace(CallContext& context, Args args) noexcept;
doc::Value Split(CallContext& context, Args args) noexcept;
doc::Value Trim(CallContext& context, Args args) noexcept;
doc::Value Quote(CallContext& context, Args args) noexcept;
doc::Value Reverse(CallContext& context, Args args) noexcept;

}  // namespace portcullis::cel::strings

#endif  // PORTCULLIS_CEL_LIB_STRINGS_FUNCTIONS_H_
