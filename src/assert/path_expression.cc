#include "assert/path_expression.h"

#include <cstdint>
#include <optional>
#include <string>

#include "doc/equal.h"
#include "json/reader.h"

namespace portcullis::assertion {
namespace {

using doc::Value;

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Reads one expression from left to right; nothing nests, so nothing recurses.
class Reader {
 public:
  Reader(std::string_view text, const Value& subject, base::Arena& arena)
      : text_(text), subject_(subject), arena_(arena) {}

  std::optional<Value> Run() {
    const std::optional<Value> left = Operand();
    if (!left) return std::nullopt;
    SkipBlanks();
    if (at_ == text_.size()) return left;
    if (IsOr()) return Alternatives(*left);
    const std::string_view op = Operator();
    if (op.empty()) return std::nullopt;
    const std::optional<Value> right = Operand();
    SkipBlanks();
    if (!right || at_ != text_.size()) return std::nullopt;
    return Compare(op, *left, *right);
  }

 private:
  bool IsOr() const { return text_.substr(at_).starts_with("||"); }

  // JMESPath's idea of nothing: null, false and whatever is empty.
  static bool IsFalse(const Value& value) {
    if (value.is_bool()) return !value.as_bool();
    return value.is_null() ||
           ((value.is_string() || value.is_list() || value.is_map()) && value.size() == 0);
  }

  // `a || b || ...`: the first that is something, else the last.
  std::optional<Value> Alternatives(Value value) {
    while (IsOr()) {
      at_ += 2;
      const std::optional<Value> next = Operand();
      if (!next) return std::nullopt;
      if (IsFalse(value)) value = *next;
      SkipBlanks();
    }
    if (at_ != text_.size()) return std::nullopt;  // comparisons bind tighter
    return value;
  }

  void SkipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) {
      ++at_;
    }
  }
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  std::string_view Operator() {
    for (const std::string_view op : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (text_.substr(at_).starts_with(op)) {
        at_ += op.size();
        return op;
      }
    }
    return {};
  }

  // Text up to a closing quote; a backslash keeps the next character.
  std::optional<std::string> Quoted(char quote) {
    std::string out;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return out;
      }
      if (text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] == quote) ++at_;
      out += text_[at_];
    }
    return std::nullopt;
  }

  std::optional<Value> Operand() {
    SkipBlanks();
    const char c = Peek();
    if (c == '\'') {
      const auto raw = Quoted('\'');
      if (!raw) return std::nullopt;
      return doc::MakeString(arena_, *raw);
    }
    if (c == '`') {
      const auto literal = Quoted('`');
      if (!literal) return std::nullopt;
      const auto parsed = json::Parse(*literal, arena_);
      if (!parsed.ok()) return std::nullopt;
      return *parsed;
    }
    return Path();
  }

  std::optional<Value> Path() {
    Value current = subject_;
    if (Peek() == '@') {
      ++at_;
    } else if (!Step(current)) {
      return std::nullopt;
    }
    while (true) {
      if (Peek() == '.') {
        ++at_;
        if (!Step(current)) return std::nullopt;
      } else if (Peek() == '[') {
        if (!Index(current)) return std::nullopt;
      } else {
        return current;
      }
    }
  }

  bool Step(Value& current) {
    std::string name;
    if (Peek() == '"') {
      const auto quoted = Quoted('"');
      if (!quoted) return false;
      name = *quoted;
    } else {
      if (!IsNameStart(Peek())) return false;
      while (IsNameStart(Peek()) || IsDigit(Peek())) name += text_[at_++];
      if (Peek() == '(') return false;  // a function
    }
    const Value* member = current.Find(name);
    current = member == nullptr ? Value::Null() : *member;
    return true;
  }

  bool Index(Value& current) {
    ++at_;
    const bool from_end = Peek() == '-';
    if (from_end) ++at_;
    std::size_t index = 0;
    int digits = 0;
    for (; IsDigit(Peek()) && digits < 9; ++digits) {
      index = index * 10 + static_cast<std::size_t>(text_[at_++] - '0');
    }
    if (digits == 0 || Peek() != ']') return false;
    ++at_;
    if (!current.is_list()) {
      current = Value::Null();
      return true;
    }
    const auto items = current.as_list();
    if (from_end) index = index == 0 || index > items.size() ? items.size() : items.size() - index;
    current = index < items.size() ? items[index] : Value::Null();
    return true;
  }

  static Value Compare(std::string_view op, const Value& left, const Value& right) {
    if (op == "==") return Value::Bool(doc::DataEqual(left, right));
    if (op == "!=") return Value::Bool(!doc::DataEqual(left, right));
    if (!left.is_number() || !right.is_number()) return Value::Null();
    const int order = doc::CompareNumbers(left, right);
    if (order == 2) return Value::Bool(false);
    if (op == "<") return Value::Bool(order < 0);
    if (op == "<=") return Value::Bool(order <= 0);
    if (op == ">") return Value::Bool(order > 0);
    return Value::Bool(order >= 0);
  }

  std::string_view text_;
  Value subject_;
  base::Arena& arena_;
  std::size_t at_ = 0;
};

}  // namespace

base::Result<Value> EvaluateSimple(std::string_view text, const Value& subject,
                                   base::Arena& arena) {
  if (const auto value = Reader(text, subject, arena).Run()) return *value;
  return base::Error(base::ErrorCode::kUnsupported,
                     "the expression (" + std::string(text) +
                         ") needs JMESPath, which this version does not evaluate here: only paths, "
                         "alternatives (a || b) and comparisons of two of them are read");
}

}  // namespace portcullis::assertion
