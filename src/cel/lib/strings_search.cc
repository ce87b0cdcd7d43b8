// charAt, indexOf, lastIndexOf and substring of the strings extension.

#include <string>

#include "base/utf8.h"
#include "cel/eval/value_ops.h"
#include "cel/lib/strings_functions.h"

namespace portcullis::cel::strings {

using doc::Value;

namespace {

Value OutOfRange(CallContext& context, std::int64_t index) {
  return context.Error("index out of range: " + std::to_string(index));
}

std::int64_t Length(const Value& text) { return static_cast<std::int64_t>(CodePoints(text)); }

// Byte offset of a code point index in 0..Length(text).
std::size_t Offset(const Value& text, std::int64_t index) {
  if (Length(text) == static_cast<std::int64_t>(text.size()))
    return static_cast<std::size_t>(index);
  return base::CodePointOffset(text.as_string(), static_cast<std::size_t>(index));
}

// Code point index of a byte offset.
Value IndexAt(const Value& text, std::size_t offset) {
  return Value::Int(
      static_cast<std::int64_t>(base::CountCodePoints(text.as_string().substr(0, offset))));
}

}  // namespace

Value CharAt(CallContext& context, Args args) noexcept {
  const Value& text = args[0];
  const std::int64_t index = args[1].as_int();
  const std::int64_t length = Length(text);
  if (index < 0 || index > length) return OutOfRange(context, index);
  if (index == length) return Value::String("", Value::kAscii);
  const std::size_t begin = Offset(text, index);
  return Slice(text,
               text.as_string().substr(begin, base::DecodeRune(text.as_string(), begin).size));
}

Value IndexOf(CallContext& context, Args args) noexcept {
  const Value& text = args[0];
  const std::string_view wanted = args[1].as_string();
  const std::int64_t from = args.size() > 2 ? args[2].as_int() : 0;
  const std::int64_t length = Length(text);
  if (from < 0) return OutOfRange(context, from);
  if (wanted.empty()) return Value::Int(std::min(from, length));
  if (from >= length) return Value::Int(-1);
  const std::size_t found = text.as_string().find(wanted, Offset(text, from));
  return found == std::string_view::npos ? Value::Int(-1) : IndexAt(text, found);
}

Value LastIndexOf(CallContext& context, Args args) noexcept {
  const Value& text = args[0];
  const std::string_view wanted = args[1].as_string();
  const std::int64_t length = Length(text);
  const std::int64_t from = args.size() > 2 ? args[2].as_int() : length;
  if (from < 0) return OutOfRange(context, from);
  if (wanted.empty()) return Value::Int(std::min(from, length));
  if (args.size() > 2 && from >= length) return Value::Int(-1);
  const std::size_t found = text.as_string().rfind(wanted, Offset(text, std::min(from, length)));
  return found == std::string_view::npos ? Value::Int(-1) : IndexAt(text, found);
}

Value Substring(CallContext& context, Args args) noexcept {
  const Value& text = args[0];
  const std::int64_t length = Length(text);
  const std::int64_t start = args[1].as_int();
  const std::int64_t end = args.size() > 2 ? args[2].as_int() : length;
  if (args.size() > 2 && start > end) {
    return context.Error("invalid substring range. start: " + std::to_string(start) +
                         ", end: " + std::to_string(end));
  }
  if (start < 0 || start > length) return OutOfRange(context, start);
  if (end < 0 || end > length) return OutOfRange(context, end);
  const std::size_t begin = Offset(text, start);
  return Slice(text, text.as_string().substr(begin, Offset(text, end) - begin));
}

}  // namespace portcullis::cel::strings
