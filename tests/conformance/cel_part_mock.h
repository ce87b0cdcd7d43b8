#ifndef PORTCULLIS_TESTS_CONFORMANCE_CEL_PART_MOCK_H_
#define PORTCULLIS_TESTS_CONFORMANCE_CEL_PART_MOCK_H_

// The outside of Kyverno's context functions as the recorded answers saw it: the fake context of
// Kyverno's CLI, filled from mock-context.json (README of the corpus cel-kyverno). It differs from
// what Portcullis does offline: lists ignore labels, and HTTP answers come back as they are.

#include <string>

#include "base/arena.h"
#include "cel/eval/host.h"
#include "doc/value.h"
#include "provider/kyverno_context.h"

namespace portcullis::conformance {

class MockContext final : public provider::KyvernoContext {
 public:
  // `file` may be missing: then nothing is known.
  explicit MockContext(const std::string& file);

  provider::Lookup GetResource(const provider::ResourceName& resource, std::string_view ns,
                               std::string_view name, base::Arena& arena) const override;
  provider::Lookup ListResources(const provider::ResourceName& resource, std::string_view ns,
                                 const doc::Value& labels, base::Arena& arena) const override;
  provider::Lookup PostResource(const provider::ResourceName& resource, std::string_view ns,
                                const doc::Value& payload, base::Arena& arena) const override;
  provider::Lookup ResourceOfKind(std::string_view group, std::string_view version,
                                  std::string_view kind, base::Arena& arena) const override;
  std::optional<bool> Namespaced(std::string_view api_version,
                                 std::string_view kind) const override;
  provider::Lookup Http(const provider::HttpCall& call, base::Arena& arena) const override;
  provider::Lookup GlobalReference(std::string_view name, std::string_view projection,
                                   base::Arena& arena) const override;
  provider::Lookup ImageData(std::string_view image, base::Arena& arena) const override;

 private:
  const doc::Value* Member(std::string_view section, std::string_view name) const;

  std::string text_;
  base::Arena arena_;
  doc::Value root_;
};

class MockHost final : public cel::EvalHost {
 public:
  explicit MockHost(const provider::KyvernoContext& context) : context_(context) {}
  const provider::KyvernoContext* kyverno() override { return &context_; }
  bool AddGenerated(const doc::Value& /*object*/) override { return true; }

 private:
  const provider::KyvernoContext& context_;
};

}  // namespace portcullis::conformance

#endif  // PORTCULLIS_TESTS_CONFORMANCE_CEL_PART_MOCK_H_
