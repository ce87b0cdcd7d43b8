#ifndef PORTCULLIS_REPORT_MEMBERS_H_
#define PORTCULLIS_REPORT_MEMBERS_H_

// Small documents for the machine formats. Texts are borrowed: they live until the document is
// written.

#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "doc/value.h"
#include "report/results.h"

namespace portcullis::report {

// Collects the members of a map in order.
class Members {
 public:
  void Add(std::string_view name, const doc::Value& value) {
    entries_.push_back({doc::Value::String(name), value});
  }
  void Add(std::string_view name, std::string_view text) { Add(name, doc::Value::String(text)); }
  doc::Value Build(base::Arena& arena) const { return doc::MakeMap(arena, entries_); }

 private:
  std::vector<doc::MapEntry> entries_;
};

doc::Value TextList(base::Arena& arena, const std::vector<std::string>& texts);

// The five counters: {"pass": N, "fail": N, "warn": N, "error": N, "skip": N}.
doc::Value SummaryDocument(base::Arena& arena, const Summary& summary);

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_MEMBERS_H_
