#include "autogen_part_classes.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <vector>

#include "cel/syntax/lexer.h"

namespace portcullis::conformance {

namespace {

using Words = std::vector<std::string>;

Words Split(std::string_view text) {
  Words words;
  cel::Lexer lexer(text);
  for (cel::Token token = lexer.NextVisible(); token.type != cel::TokenType::kEof;
       token = lexer.NextVisible()) {
    words.emplace_back(token.Text(text));
  }
  return words;
}

bool IsText(const std::string& word) {
  return !word.empty() && (word.back() == '\'' || word.back() == '"');
}

// What a rewriting did at each token of the source: words put before it, and another text.
struct Change {
  Words before;
  std::string text;

  bool operator==(const Change&) const = default;
};

// One change for each token of the source, and one for its end. Empty if the rewriting did more
// than insert words and change texts.
std::vector<Change> Align(const Words& source, const Words& changed) {
  std::vector<Change> changes;
  std::size_t at = 0;
  for (const std::string& word : source) {
    Change change;
    const auto rest = changed.begin() + static_cast<std::ptrdiff_t>(at);
    const bool other_text = IsText(word) && at < changed.size() && IsText(changed[at]) &&
                            std::find(rest, changed.end(), word) == changed.end();
    while (at < changed.size() && changed[at] != word && !other_text) {
      change.before.push_back(changed[at++]);
    }
    if (at == changed.size()) return {};
    change.text = changed[at++];
    changes.push_back(std::move(change));
  }
  changes.push_back({Words(changed.begin() + static_cast<std::ptrdiff_t>(at), changed.end()), ""});
  return changes;
}

bool StaysWithWorkload(std::string_view field) {
  static constexpr std::array<std::string_view, 12> kFields{
      "name",       "generateName",      "uid",
      "generation", "resourceVersion",   "creationTimestamp",
      "finalizers", "deletionTimestamp", "deletionGracePeriodSeconds",
      "selfLink",   "ownerReferences",   "managedFields"};
  return std::find(kFields.begin(), kFields.end(), field) != kFields.end();
}

// Is a member of identity read from the metadata at word `i`, in whatever form?
bool ReadsIdentity(const Words& words, std::size_t i) {
  std::size_t at = i + 2;
  if (at < words.size() && words[at] == "?") ++at;
  if (at >= words.size()) return false;
  std::string field = words[at];
  if (field.size() > 2 && IsText(field)) field = field.substr(1, field.size() - 2);
  return StaysWithWorkload(field);
}

bool AreSteps(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](std::string word) {
    if (word.size() > 2 && IsText(word)) word = word.substr(1, word.size() - 2);
    static constexpr std::array<std::string_view, 13> kKnown{
        "spec", "template", "jobTemplate", "metadata", ".",      "?", "[",
        "]",    "{",        "}",           ":",        "Object", ","};
    return std::find(kKnown.begin(), kKnown.end(), word) != kKnown.end();
  });
}

bool Contains(const Words& words, std::initializer_list<std::string_view> sequence) {
  return std::search(words.begin(), words.end(), sequence.begin(), sequence.end()) != words.end();
}

// Is what stands before word `i` no access to the object that a rule for controllers would move?
bool IsOtherAccess(const Words& words, std::size_t i) {
  const auto word = [&](std::size_t at) { return at < words.size() ? words[at] : std::string(); };
  if (word(i).starts_with("spec") && word(i) != "spec") return true;
  if (word(i).starts_with("metadata") && word(i) != "metadata") return true;
  // A variable that is the whole metadata may stay.
  if (word(i) == "metadata" && word(i + 1) != ".") return true;
  // The access was moved by hand, or the name is one of a macro.
  if (Contains(words, {".", "template"}) || Contains(words, {"(", "object", ","})) return true;
  for (const std::size_t back : {std::size_t{3}, std::size_t{4}}) {
    if (i < back) break;
    const std::string& name = words[i - back];
    if (name.ends_with("object") && name != "object") return true;
  }
  return false;
}

}  // namespace

bool Classify(std::string_view source, std::string_view wanted, std::string_view ours,
              bool mutation, std::set<std::string>& kinds) {
  const Words words = Split(source);
  const std::vector<Change> theirs = Align(words, Split(wanted));
  const std::vector<Change> changes = Align(words, Split(ours));
  if (theirs.empty()) return false;
  if (changes.empty()) {
    // The definition of a variable in place of its name; a literal taken apart.
    const bool pasted = Contains(words, {"variables", "."}) || Contains(words, {"variables", "["});
    if (!pasted && !(mutation && Contains(words, {"Object"}))) return false;
    kinds.insert(mutation ? "patches move" : "accesses are parsed");
    return true;
  }
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (theirs[i] == changes[i]) continue;
    const bool we_kept = changes[i].before.empty() && changes[i].text == word(i);
    const bool they_kept = theirs[i].before.empty() && theirs[i].text == word(i);
    if (we_kept && IsText(word(i))) {
      kinds.insert("texts stay");
    } else if (we_kept && word(i) == "metadata" && ReadsIdentity(words, i)) {
      kinds.insert("workload metadata stays");
    } else if (we_kept && AreSteps(theirs[i].before) && IsOtherAccess(words, i)) {
      kinds.insert("accesses are parsed");
    } else if (they_kept && IsText(word(i)) && changes[i].before.empty()) {
      kinds.insert("patches move");
    } else if (they_kept && AreSteps(changes[i].before)) {
      kinds.insert(mutation ? "patches move" : "accesses are parsed");
    } else if (mutation && AreSteps(changes[i].before) && AreSteps(theirs[i].before)) {
      kinds.insert("patches move");
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace portcullis::conformance
