#include "autogen_part_classes.h"

#include <algorithm>
#include <array>
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
    while (at < changed.size() && changed[at] != word &&
           !(IsText(word) && IsText(changed[at]) && change.before.empty())) {
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

bool AreSteps(const Words& words) {
  return std::all_of(words.begin(), words.end(), [](std::string word) {
    if (word.size() > 2 && IsText(word)) word = word.substr(1, word.size() - 2);
    static constexpr std::array<std::string_view, 13> kKnown{
        "spec", "template", "jobTemplate", "metadata", ".",      "?", "[",
        "]",    "{",        "}",           ":",        "Object", ","};
    return std::find(kKnown.begin(), kKnown.end(), word) != kKnown.end();
  });
}

}  // namespace

bool Classify(std::string_view source, std::string_view wanted, std::string_view ours,
              bool mutation, std::set<std::string>& kinds) {
  const Words words = Split(source);
  const std::vector<Change> theirs = Align(words, Split(wanted));
  const std::vector<Change> changes = Align(words, Split(ours));
  if (theirs.size() != changes.size() || theirs.empty()) return false;
  const auto word = [&](std::size_t i) { return i < words.size() ? words[i] : std::string(); };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (theirs[i] == changes[i]) continue;
    const bool we_kept = changes[i].before.empty() && changes[i].text == word(i);
    const bool they_kept = theirs[i].before.empty() && theirs[i].text == word(i);
    if (we_kept && IsText(word(i))) {
      kinds.insert("texts stay");
    } else if (we_kept && word(i) == "metadata" && StaysWithWorkload(word(i + 2))) {
      kinds.insert("workload metadata stays");
    } else if (we_kept &&
               (word(i).starts_with("spec") || word(i).starts_with("metadata") ||
                (i >= 4 && word(i - 4).ends_with("object")) || (i >= 4 && word(i - 4) == "spec"))) {
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
