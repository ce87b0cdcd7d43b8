#ifndef PORTCULLIS_REPORT_FINDINGS_H_
#define PORTCULLIS_REPORT_FINDINGS_H_

// What the formats for other tools (SARIF, JUnit, GitHub, Markdown) say alike about results. Pure.

#include <string>
#include <string_view>

#include "report/results.h"

namespace portcullis::report {

// Fail, warn or error: what a reader must look at.
bool IsFinding(policy::Outcome outcome);

// "policy/rule" with the namespace of a namespaced policy in front; "request" for a refusal that
// belongs to no policy.
std::string RuleName(const Result& result);

// The message and, when known, the offending member with its value.
std::string FullMessage(const Result& result);

// "2 objects generated", "1 object mutated" and the like for people; empty if nothing was produced.
std::string ProducedText(const Produced& produced);

// "12 resources, 3 policies: pass: 4, fail: 1, warn: 0, error: 0, skip: 0".
std::string SummaryText(const Summary& summary);

// Escapes text for XML character data and attributes; characters that XML cannot carry become
// U+FFFD.
std::string XmlText(std::string_view text);

// Escapes text inside a cell of a Markdown table: nothing in it ends the cell, starts markup or a
// tag.
std::string MarkdownCell(std::string_view text);

// Prints to standard output, whole.
void Print(std::string_view text);

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_FINDINGS_H_
