#ifndef PORTCULLIS_CEL_KYVERNO_LIBRARIES_H_
#define PORTCULLIS_CEL_KYVERNO_LIBRARIES_H_

// The function libraries of Kyverno that ask nothing of the outside (spec/kyverno-cel-policies.md
// 10.5 to 10.14): constant tables for Env::AddLibrary, immutable and living forever.

#include <string_view>

#include "cel/check/library.h"
#include "doc/value.h"

namespace portcullis::cel {

const Library& KyvernoHashLibrary();         // sha1, sha256, md5
const Library& KyvernoTransformLibrary();    // listObjToMap
const Library& KyvernoUserLibrary();         // parseServiceAccount
const Library& KyvernoTimeLibrary();         // time.now, truncate, toCron
const Library& KyvernoRandomLibrary();       // random
const Library& KyvernoGzipLibrary();         // gzip.compress, decompress
const Library& KyvernoImageLibrary();        // image, parseImageReference, isImage and accessors
const Library& KyvernoJsonLibrary();         // json.marshal, unmarshal
const Library& KyvernoYamlLibrary();         // yaml.parse
const Library& KyvernoX509Library();         // x509.decode
const Library& KyvernoImageVerifyLibrary();  // verifyImageSignatures and the like

// The values of the variables `json` and `yaml` and of the constant `mylib_version`; false for any
// other name.
bool KyvernoLibraryValue(std::string_view name, doc::Value& out);

}  // namespace portcullis::cel

#endif  // PORTCULLIS_CEL_KYVERNO_LIBRARIES_H_
