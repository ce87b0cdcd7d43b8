// What the API server's warning recorder does to warnings (spec/kubernetes-admission.md 4.7).

#include <algorithm>

#include "engine/admit.h"

namespace portcullis::engine {
namespace {

constexpr std::size_t kTotalLimit = 4096;    // code points of all warnings
constexpr std::size_t kTruncatedSize = 256;  // of each, once the total is exceeded

struct Decoded {
  bool printable = true;  // valid UTF-8 without control characters
  std::size_t runes = 0;
  std::size_t cut = 0;  // bytes of the first kTruncatedSize code points
};

Decoded Inspect(std::string_view text) {
  Decoded out;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto lead = static_cast<unsigned char>(text[at]);
    std::size_t size = 1;
    if (lead < 0x20 || lead == 0x7F) {
      out.printable = false;
    } else if (lead >= 0x80) {
      size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
      if (lead < 0xC2 || lead > 0xF4 || at + size > text.size()) out.printable = false;
      for (std::size_t i = 1; i < size && at + i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[at + i]) & 0xC0U) != 0x80) out.printable = false;
      }
    }
    at = std::min(at + size, text.size());
    ++out.runes;
    if (out.runes == kTruncatedSize) out.cut = at;
  }
  if (out.runes < kTruncatedSize) out.cut = text.size();
  return out;
}

}  // namespace

std::vector<std::string> RecordWarnings(const std::vector<std::string>& texts) {
  std::vector<std::string> all;
  std::vector<std::string> out;
  std::size_t total = 0;
  bool truncating = false;
  for (const std::string& text : texts) {
    const Decoded info = Inspect(text);
    if (text.empty() || !info.printable) continue;
    if (std::find(all.begin(), all.end(), text) != all.end()) continue;
    all.push_back(text);
    if (!truncating && total + info.runes > kTotalLimit) {
      // Everything recorded so far is sent in its short form.
      truncating = true;
      total = 0;
      for (std::string& kept : out) {
        const Decoded kept_info = Inspect(kept);
        kept.resize(kept_info.cut);
        total += std::min(kept_info.runes, kTruncatedSize);
      }
    }
    if (!truncating) {
      out.push_back(text);
      total += info.runes;
      continue;
    }
    const std::size_t size = std::min(info.runes, kTruncatedSize);
    if (total + size > kTotalLimit) continue;
    out.push_back(text.substr(0, info.cut));
    total += size;
  }
  return out;
}

}  // namespace portcullis::engine
