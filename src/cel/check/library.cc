#include "cel/check/library.h"

namespace portcullis::cel {

doc::Value CallContext::Error(std::string_view message) {
  return doc::Value::Error(arena.New<doc::ErrorRep>(arena.CopyString(message)));
}

}  // namespace portcullis::cel
