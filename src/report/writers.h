#ifndef PORTCULLIS_REPORT_WRITERS_H_
#define PORTCULLIS_REPORT_WRITERS_H_

// The formats behind MakeWriter, one file each.

#include <memory>

#include "report/results.h"

namespace portcullis::report {

std::unique_ptr<Writer> MakeTextWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeTableWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeJsonWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeYamlWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeReportWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeSarifWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeJunitWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeGithubWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeMarkdownWriter(const WriterOptions& options);

// Kyverno's `-i`: the mutated and generated objects alone on standard output, to be piped into
// another command; findings go to standard error.
std::unique_ptr<Writer> MakeObjectsWriter(const WriterOptions& options);

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_WRITERS_H_
