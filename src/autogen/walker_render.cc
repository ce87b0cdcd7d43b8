#include <algorithm>

#include "autogen/pod_paths.h"
#include "autogen/walker.h"

namespace portcullis::autogen {

namespace {

bool Among(const std::vector<std::uint32_t>& origins, std::size_t place) {
  return std::find(origins.begin(), origins.end(), static_cast<std::uint32_t>(place)) !=
         origins.end();
}

}  // namespace

void Walker::CastVotes(const Shape& root) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    if (place.alias == nullptr || Among(root.origins, i)) continue;
    (place.wants_keep ? place.alias->use_kept : place.alias->use_moved) = true;
  }
}

// The definition of the variable in place of its use, where the use wants the other one.
std::optional<std::string> Walker::PasteAlias(const Place& place, bool kept) const {
  if (place.alias->defined_kept == kept) return std::nullopt;
  const std::string& text = kept ? place.alias->kept_text : place.alias->moved_text;
  if (place.optional_use) return "optional.of(" + text + ")";
  return place.alias->plain ? text : "(" + text + ")";
}

std::string Walker::Render(const Shape& root, bool kept, bool trimmed) {
  SourceEdits edits(ast_.source);
  bool collided = false;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    const bool keep = place.wants_keep || (kept && Among(root.origins, i));
    Edit edit = keep ? place.keep : place.move;
    if (place.alias != nullptr) {
      std::optional<std::string> pasted = PasteAlias(place, keep);
      if (!pasted) continue;
      if (place.shadowed) Refuse("`" + place.said + "` is used where a macro shadows a name");
      edit.text = *std::move(pasted);
    }
    if (!edit.text.empty() && !edits.Add(edit)) collided = true;
  }
  if (patches_ && !literals_.Apply(edits)) collided = true;
  if (collided) Refuse("two changes meet at one place");
  if (!trimmed) return edits.Render(0, static_cast<std::uint32_t>(ast_.source.size()));
  const cel::Expr& node = ast_.node(ast_.root);
  return edits.Render(node.begin, node.end);
}

std::string Walker::Reason() const {
  std::vector<std::string> parts;
  const auto add = [&](std::string part) {
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
      parts.push_back(std::move(part));
    }
  };
  for (const Place& place : places_) {
    if (place.wants_keep && place.kind == Kind::kSpec) {
      add("`" + place.said + "." + place.kept_for + "` is about controllers already");
    } else if (place.wants_keep) {
      add("`" + place.kept_for + "` stays with the workload");
    } else {
      add("`" + place.said + "` is read from the Pod template");
    }
  }
  for (const std::string& remark : remarks_) add(remark);
  if (patches_) {
    for (const std::string& remark : literals_.remarks()) add(remark);
  }
  if (parts.empty()) return "it reads nothing of the Pod that moves";
  std::string joined;
  for (const std::string& part : parts) {
    if (!joined.empty()) joined += "; ";
    joined += part;
  }
  return joined;
}

}  // namespace portcullis::autogen
