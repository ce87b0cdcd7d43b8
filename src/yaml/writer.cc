#include "yaml/writer.h"

#include <algorithm>
#include <span>
#include <vector>

#include "doc/equal.h"
#include "json/writer.h"
#include "yaml/quote.h"

namespace portcullis::yaml {
namespace {

using doc::MapEntry;
using doc::Value;

// Deeper containers are written in flow style: indentation would make the output quadratic.
constexpr std::size_t kMaxBlockDepth = 100;
// Readers look for the colon of a simple key within 1,024 characters.
constexpr std::size_t kMaxSimpleKey = 1000;
constexpr int kStep = 2;

struct Frame {
  Value container;
  std::size_t indent = 0;
  std::uint32_t next = 0;
  bool is_flow = false;
  bool first_is_inline = false;      // the first line continues the parent's `- `
  std::vector<std::uint32_t> order;  // sorted entry numbers; empty = as stored
};

class Writer {
 public:
  Writer(std::string* out, const WriteOptions& options) : out_(*out), options_(options) {}

  void Run(const Value& root) {
    const auto indent = static_cast<std::size_t>(options_.indent);
    if (IsFilled(root)) {
      Push(root, indent, false);
    } else {
      out_.append(indent, ' ');
      Scalar(root, indent);
    }
    while (!frames_.empty()) {
      if (frames_.back().next == frames_.back().container.size()) {
        Pop();
      } else {
        Step();
      }
    }
  }

 private:
  static bool IsFilled(const Value& value) {
    return (value.is_map() || value.is_list()) && value.size() != 0;
  }

  void Push(const Value& container, std::size_t indent, bool first_is_inline) {
    Frame frame;
    frame.container = container;
    frame.indent = indent;
    frame.is_flow = frames_.size() >= kMaxBlockDepth;
    frame.first_is_inline = first_is_inline;
    if (container.is_map() && options_.sort_keys) frame.order = doc::KeyOrder(container);
    if (frame.is_flow) out_ += container.is_map() ? '{' : '[';
    frames_.push_back(std::move(frame));
  }

  void Pop() {
    const bool is_flow = frames_.back().is_flow;
    if (is_flow) out_ += frames_.back().container.is_map() ? '}' : ']';
    frames_.pop_back();
    if (is_flow && (frames_.empty() || !frames_.back().is_flow)) out_ += '\n';
  }

  // Writes the next member of the innermost container.
  void Step() {
    Frame& frame = frames_.back();
    const bool is_map = frame.container.is_map();
    const std::size_t indent = frame.indent;
    const bool is_flow = frame.is_flow;
    if (is_flow) {
      if (frame.next != 0) out_ += ", ";
    } else if (frame.next != 0 || !frame.first_is_inline) {
      out_.append(indent, ' ');
    }
    const std::uint32_t at = frame.order.empty() ? frame.next : frame.order[frame.next];
    ++frame.next;
    if (!is_map) {
      const Value& item = frame.container.as_list()[at];
      if (!is_flow) out_ += "- ";
      if (IsFilled(item)) {
        Push(item, indent + kStep, !is_flow);
      } else {
        Scalar(item, indent + kStep);
      }
      return;
    }
    const MapEntry& entry = frame.container.as_map()[at];
    Key(entry.key, indent, is_flow);
    if (!IsFilled(entry.value)) {
      out_ += ' ';
      Scalar(entry.value, indent + kStep);
      return;
    }
    if (is_flow || frames_.size() >= kMaxBlockDepth) {
      out_ += ' ';
    } else {
      out_ += '\n';
    }
    Push(entry.value, entry.value.is_list() ? indent : indent + kStep, false);
  }

  // The key with its colon.
  void Key(const Value& key, std::size_t indent, bool is_flow) {
    std::string text;
    if (!key.is_string()) {
      AppendDoubleQuoted(&text, json::ToString(key));
    } else if (is_flow) {
      AppendDoubleQuoted(&text, key.as_string());
    } else {
      AppendString(&text, key.as_string(), ChooseStyle(key.as_string(), false));
    }
    if (text.size() <= kMaxSimpleKey) {
      out_ += text;
    } else {
      out_ += "? ";
      out_ += text;
      if (is_flow) {
        out_ += ' ';
      } else {
        out_ += '\n';
        out_.append(indent, ' ');
      }
    }
    out_ += ':';
  }

  static void AppendString(std::string* out, std::string_view text, StringStyle style) {
    switch (style) {
      case StringStyle::kPlain:
        *out += text;
        return;
      case StringStyle::kSingleQuoted:
        AppendSingleQuoted(out, text);
        return;
      case StringStyle::kDoubleQuoted:
      case StringStyle::kLiteral:
        AppendDoubleQuoted(out, text);
        return;
    }
  }

  // A value that is no filled container, with the line feed that follows it in block style.
  void Scalar(const Value& value, std::size_t indent) {
    const bool is_flow = !frames_.empty() && frames_.back().is_flow;
    if (!value.is_string()) {
      json::Write(value, &out_);
    } else if (is_flow) {
      AppendDoubleQuoted(&out_, value.as_string());
    } else {
      const StringStyle style = ChooseStyle(value.as_string(), true);
      if (style == StringStyle::kLiteral) {
        // At the root the parent's indentation is unknown to readers: lines still need some.
        AppendLiteral(&out_, value.as_string(), std::max<std::size_t>(indent, kStep), kStep);
        return;
      }
      AppendString(&out_, value.as_string(), style);
    }
    if (!is_flow) out_ += '\n';
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

}  // namespace portcullis::yaml
