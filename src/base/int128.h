#ifndef PORTCULLIS_BASE_INT128_H_
#define PORTCULLIS_BASE_INT128_H_

// 128-bit integers: a compiler extension, named once so that -Wpedantic stays on elsewhere.

namespace portcullis::base {

__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

}  // namespace portcullis::base

#endif  // PORTCULLIS_BASE_INT128_H_
