#ifndef PORTCULLIS_ENGINE_WARNING_LIST_H_
#define PORTCULLIS_ENGINE_WARNING_LIST_H_

// What the warnings of all kinds have in common (object_warnings.h): a list under construction, a
// value with its field path, and the checks that several kinds share. Everything lives for one
// call; a Field refers to the document.

#include <string>
#include <string_view>
#include <vector>

#include "doc/value.h"

namespace portcullis::engine {

// A member of a document, which may be absent, and where it stands.
class Field {
 public:
  Field(const doc::Value* value, std::string path) : value_(value), path_(std::move(path)) {}

  // Absent counts as null; so does a member that is null.
  bool present() const { return value_ != nullptr && !value_->is_null(); }
  const doc::Value& value() const { return *value_; }
  const std::string& path() const { return path_; }

  // `a.b`; absent below anything that is no map.
  Field At(std::string_view name) const;
  // `a[key]`
  Field Key(std::string_view key) const;
  // The text of a string member, else "".
  std::string_view Text(std::string_view name) const;
  // The number of an integer member, else 0.
  std::int64_t Number(std::string_view name) const;
  // The items of a list; none for anything else.
  std::vector<Field> Items() const;
  // The entries of a map by name; none for anything else.
  std::vector<std::pair<std::string_view, Field>> Entries() const;

 private:
  const doc::Value* value_;
  std::string path_;
};

class WarningList {
 public:
  void Add(std::string text) { texts_.push_back(std::move(text)); }
  void Add(const std::string& path, std::string_view text) {
    texts_.push_back(path + ": " + std::string(text));
  }
  std::vector<std::string> Take() { return std::move(texts_); }

  // A string that is an IP address in a form that is better written otherwise.
  void Address(const Field& field);
  void Cidr(const Field& field);
  // A quantity of bytes with a fraction.
  void Fraction(const Field& field);
  // The match expressions of a node selector term; `values` checks the values, too.
  void NodeSelectorTerm(const Field& term, bool values);

 private:
  std::vector<std::string> texts_;
};

// What to say about a node label that has been replaced; empty for any other.
std::string_view OldNodeLabel(std::string_view key);

// Warnings of a Pod or a pod template: `top` holds metadata and spec.
void WarnAboutPod(const Field& top, bool is_template, WarningList& out);
void WarnAboutVolumes(const Field& spec, WarningList& out);
void WarnAboutContainers(const Field& top, bool is_template, WarningList& out);
// The server says this of Pods before all else, for it copies the annotations into fields.
void WarnAboutPodAppArmor(const Field& pod, WarningList& out);

}  // namespace portcullis::engine

#endif  // PORTCULLIS_ENGINE_WARNING_LIST_H_
