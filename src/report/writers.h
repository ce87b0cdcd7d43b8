#ifndef PORTCULLIS_REPORT_WRITERS_H_
#define PORTCULLIS_REPORT_WRITERS_H_

// The formats behind MakeWriter, one file each.

#include <memory>

#include "report/results.h"

namespace portcullis::report {

std::unique_ptr<Writer> MakeTextWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeTableWriter(const WriterOptions& options);
std::unique_ptr<Writer> MakeJsonWriter();
std::unique_ptr<Writer> MakeYamlWriter();

}  // namespace portcullis::report

#endif  // PORTCULLIS_REPORT_WRITERS_H_
