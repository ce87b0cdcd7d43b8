#ifndef PORTCULLIS_TESTS_CONFORMANCE_DIFFERENCES_H_
#define PORTCULLIS_TESTS_CONFORMANCE_DIFFERENCES_H_

// Deliberate differences from recorded answers: tests/differences.yaml.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace portcullis::conformance {

struct Difference {
  std::string id;
  std::string data;                // folder whose run must use the rule
  std::string answer;              // part of our answer
  std::vector<std::string> cases;  // patterns
  std::size_t used = 0;
};

class Differences {
 public:
  // The rules of one kind. False, with the problem printed, when the file is wrong: also when the
  // words of the specification that a rule names are not in it (checked where it can be read).
  bool Load(const std::string& file, std::string_view kind, const std::string& spec_folder);
  // Is this failure a deliberate difference? Counts the rule as used.
  bool Explains(std::string_view name, std::string_view actual);
  // Rules about the folder that was run which no case used.
  std::vector<std::string> Unused(std::string_view folder) const;

 private:
  std::vector<Difference> rules_;
};

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_DIFFERENCES_H_
