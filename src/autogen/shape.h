#ifndef PORTCULLIS_AUTOGEN_SHAPE_H_
#define PORTCULLIS_AUTOGEN_SHAPE_H_

// What is known of the value of a sub-expression: is it the Pod itself, or a part of it that may
// have to be read from the Pod template? Value types.

#include <cstdint>
#include <string>
#include <vector>

namespace portcullis::autogen {

struct Shape {
  enum class Kind : std::uint8_t {
    kOther,
    kNeutral,    // null, an empty literal: says nothing beside another shape
    kPod,        // the object of the request, or the old one
    kMaybePod,   // sometimes the Pod, sometimes something else
    kMetadata,   // its metadata
    kSpec,       // its spec
    kRequest,    // `request`
    kVariables,  // `variables`
  };
  Kind kind = Kind::kOther;
  bool list = false;                   // a list of such values
  bool optional = false;               // an optional of one
  std::vector<std::uint32_t> origins;  // kMetadata, kSpec: the places that read it

  bool is_pod() const { return kind == Kind::kPod || kind == Kind::kMaybePod; }
  bool is_part() const { return kind == Kind::kMetadata || kind == Kind::kSpec; }
};

// A policy variable whose value is the Pod or a part of it.
struct Alias {
  std::string name;
  Shape::Kind kind = Shape::Kind::kOther;
  bool list = false;
  bool optional = false;
  bool plain = false;      // the definition needs no parentheses as an operand
  std::string kept_text;   // the definition as a part of the workload
  std::string moved_text;  // and as a part of its template
  bool use_kept = false;   // some use wants the former
  bool use_moved = false;
  bool defined_kept = false;  // which of the two the variable will be
};

}  // namespace portcullis::autogen

#endif  // PORTCULLIS_AUTOGEN_SHAPE_H_
