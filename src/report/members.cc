#include "report/members.h"

namespace portcullis::report {

using doc::Value;

Value TextList(base::Arena& arena, const std::vector<std::string>& texts) {
  std::vector<Value> items;
  items.reserve(texts.size());
  for (const std::string& text : texts) items.push_back(Value::String(text));
  return doc::MakeList(arena, items);
}

Value SummaryDocument(base::Arena& arena, const Summary& summary) {
  Members out;
  const auto number = [](std::size_t n) { return Value::Int(static_cast<std::int64_t>(n)); };
  out.Add("pass", number(summary.pass));
  out.Add("fail", number(summary.fail));
  out.Add("warn", number(summary.warn));
  out.Add("error", number(summary.error));
  out.Add("skip", number(summary.skip));
  return out.Build(arena);
}

}  // namespace portcullis::report
