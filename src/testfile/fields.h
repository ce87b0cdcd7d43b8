#ifndef PORTCULLIS_TESTFILE_FIELDS_H_
#define PORTCULLIS_TESTFILE_FIELDS_H_

// Strict reading of one object as Go decodes it (spec/cli-and-server.md 2.1): names match without
// regard to letter case, null is absent, every other field than those asked for is an error. Ask
// for all fields, then call Finish. Borrows the object and the problems. One thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"
#include "testfile/problems.h"

namespace portcullis::testfile {

class Fields {
 public:
  // `object` may be anything: what is no map is reported and has no fields.
  Fields(const doc::Value& object, std::string path, Problems& problems);

  std::string Text(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  bool Flag(std::string_view name);
  std::optional<std::int64_t> Number(std::string_view name);
  // The value of any type; null when absent.
  doc::Value Any(std::string_view name);
  // A map, or null; a list, or an empty one.
  doc::Value Map(std::string_view name);
  std::vector<doc::Value> Items(std::string_view name);
  // A map of strings as pairs, in order.
  std::vector<std::pair<std::string, std::string>> TextMap(std::string_view name);
  // Whether the field is there and not null.
  bool Has(std::string_view name);

  // "path.name", "path.name[index]".
  std::string PathOf(std::string_view name) const;
  std::string PathOf(std::string_view name, std::size_t index) const;

  // Reports the fields that nobody asked for.
  void Finish();

 private:
  const doc::Value* Take(std::string_view name);
  void Mismatch(std::string_view name, std::string_view wanted, const doc::Value& value);

  doc::Value object_;
  std::string path_;
  Problems& problems_;
  std::vector<bool> used_;
  std::vector<std::string> known_;
};

}  // namespace portcullis::testfile

#endif  // PORTCULLIS_TESTFILE_FIELDS_H_
