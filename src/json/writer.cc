#include "json/writer.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "base/base64.h"
#include "base/gotext.h"
#include "doc/equal.h"

namespace portcullis::json {
namespace {

using doc::MapEntry;
using doc::Tag;
using doc::Value;

struct Frame {
  Value container;
  std::uint32_t next = 0;
  std::vector<std::uint32_t> order;  // sorted entry numbers; empty = as stored
};

class Writer {
 public:
  Writer(std::string* out, const WriteOptions& options) : out_(*out), options_(options) {}

  void Run(const Value& root) {
    Begin(root);
    while (!frames_.empty()) {
      Frame& frame = frames_.back();
      const bool is_map = frame.container.is_map();
      if (frame.next == frame.container.size()) {
        frames_.pop_back();
        NewLine();
        out_ += is_map ? '}' : ']';
        continue;
      }
      if (frame.next != 0) out_ += ',';
      NewLine();
      const std::uint32_t at = frame.order.empty() ? frame.next : frame.order[frame.next];
      ++frame.next;
      if (is_map) {
        const MapEntry& entry = frame.container.as_map()[at];
        WriteKey(entry.key);
        Begin(entry.value);
      } else {
        Begin(frame.container.as_list()[at]);
      }
    }
  }

 private:
  // Writes a scalar, or opens a container.
  void Begin(const Value& value) {
    if (value.is_list() || value.is_map()) {
      out_ += value.is_map() ? '{' : '[';
      if (value.size() == 0) {
        out_ += value.is_map() ? '}' : ']';
        return;
      }
      frames_.push_back({value, 0, {}});
      if (value.is_map() && options_.sort_keys) frames_.back().order = doc::KeyOrder(value);
      return;
    }
    WriteScalar(value);
  }

  void NewLine() {
    if (options_.indent <= 0) return;
    out_ += '\n';
    out_.append(frames_.size() * static_cast<std::size_t>(options_.indent), ' ');
  }

  void WriteKey(const Value& key) {
    if (key.is_string()) {
      WriteScalar(key);
    } else {
      out_ += '"';
      WriteScalar(key);
      out_ += '"';
    }
    out_ += options_.indent > 0 ? ": " : ":";
  }

  template <typename T>
  void WriteInteger(T number) {
    char buffer[24];
    const std::to_chars_result r = std::to_chars(buffer, buffer + sizeof buffer, number);
    out_.append(buffer, r.ptr);
  }

  void WriteScalar(const Value& value) {
    switch (value.tag()) {
      case Tag::kBool:
        out_ += value.as_bool() ? "true" : "false";
        return;
      case Tag::kInt:
        WriteInteger(value.as_int());
        return;
      case Tag::kUint:
        WriteInteger(value.as_uint());
        return;
      case Tag::kDouble:
        if (std::isfinite(value.as_double())) {
          base::AppendGoJsonFloat(out_, value.as_double());
        } else {
          out_ += "null";
        }
        return;
      case Tag::kString:
        base::AppendGoJsonString(out_, value.as_string(), options_.escape_html);
        return;
      case Tag::kBytes:
        base::AppendGoJsonString(out_, base::Base64Encode(value.as_string()), false);
        return;
      default:
        out_ += "null";
        return;
    }
  }

  std::string& out_;
  const WriteOptions& options_;
  std::vector<Frame> frames_;
};

}  // namespace

void Write(const Value& value, std::string* out, const WriteOptions& options) {
  Writer(out, options).Run(value);
}

std::string ToString(const Value& value, const WriteOptions& options) {
  std::string out;
  Write(value, &out, options);
  return out;
}

}  // namespace portcullis::json
