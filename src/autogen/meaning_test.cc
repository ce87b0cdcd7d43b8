// What a moved expression says about a workload is what the expression says about the Pod that the
// workload makes: checked by evaluating both, over expressions made at random.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "autogen/autogen.h"
#include "cel/eval/program.h"
#include "cel/kyverno/environments.h"
#include "cel/lib/value_text.h"
#include "yaml/reader.h"

namespace portcullis::autogen {
namespace {

using doc::Value;

constexpr std::string_view kPod = R"yaml(
apiVersion: v1
metadata: {name: shop, namespace: ns, labels: {a: inner}, annotations: {k: v}}
spec:
  hostNetwork: true
  nodeName: n1
  containers: [{name: c1, image: 'x:1'}, {name: c2, image: 'y:2'}]
)yaml";
constexpr std::string_view kDeployment = R"yaml(
apiVersion: v1
metadata: {name: shop, namespace: ns, labels: {a: outer}}
spec:
  nodeName: wrong
  template:
    metadata: {labels: {a: inner}, annotations: {k: v}}
    spec:
      hostNetwork: true
      nodeName: n1
      containers: [{name: c1, image: 'x:1'}, {name: c2, image: 'y:2'}]
)yaml";
constexpr std::string_view kCronJob = R"yaml(
apiVersion: v1
metadata: {name: shop, namespace: ns, annotations: {k: outer}}
spec:
  hostNetwork: false
  jobTemplate:
    metadata: {labels: {a: middle}}
    spec:
      template:
        metadata: {labels: {a: inner}, annotations: {k: v}}
        spec:
          hostNetwork: true
          nodeName: n1
          containers: [{name: c1, image: 'x:1'}, {name: c2, image: 'y:2'}]
)yaml";
// Has the form of a Pod, but is none.
constexpr const char* kOther =
    "{'metadata': dyn({'name': dyn('o'), 'labels': dyn({'a': 'other'}), "
    "'annotations': dyn({'k': 'w'})}), 'spec': dyn({'hostNetwork': dyn(false), "
    "'nodeName': dyn('n2'), 'containers': dyn([{'name': 'c3', 'image': 'z:3'}])})}";

// Expressions that read a Pod in all the ways that the rewriter follows.
class Generator {
 public:
  explicit Generator(std::uint32_t seed) : state_(seed) {}

  // A boolean expression about the object.
  std::string Condition(int depth) {
    switch (depth <= 0 ? 0 : Pick(9)) {
      case 1:
        return "(" + Condition(depth - 1) + " && " + Condition(depth - 1) + ")";
      case 2:
        return "(" + Condition(depth - 1) + " ? " + Condition(depth - 1) + " : " +
               Condition(depth - 1) + ")";
      case 3: {
        const std::string name = NewName();
        return "cel.bind(" + name + ", " + Root() + ", " + With(name, depth) + ")";
      }
      case 4: {
        const std::string name = NewName();
        return "[" + Root() + ", " + Root() + "].all(" + name + ", " + With(name, depth) + ")";
      }
      case 5: {
        const std::string name = NewName();
        return "optional.of(" + Root() + ").optMap(" + name + ", " + With(name, depth) +
               ").value()";
      }
      case 6: {
        // The name of the object means something else inside.
        const std::vector<std::string> outer = roots_;
        roots_ = {"object"};
        const std::string inner = Condition(depth - 1);
        roots_ = outer;
        return "[dyn(" + std::string(kOther) + ")].exists(object, " + inner + ")";
      }
      case 7: {
        const std::string name = NewName();
        return Spec(Root()) + ".containers.exists(" + name + ", " + name + ".name == 'c1' && " +
               Condition(depth - 1) + ")";
      }
      case 8: {
        const std::string name = NewName();
        return "[" + Root() + "].map(" + name + ", " + Spec(name) + ")[0].nodeName == 'n1'";
      }
      default:
        return Leaf();
    }
  }

 private:
  std::uint32_t Pick(std::uint32_t n) {
    state_ = state_ * 1664525U + 1013904223U;
    return (state_ >> 16) % n;
  }
  std::string NewName() { return "v" + std::to_string(names_++); }

  std::string With(const std::string& name, int depth) {
    roots_.push_back(name);
    std::string inner = Condition(depth - 1);
    roots_.pop_back();
    return inner;
  }

  std::string Root() {
    const std::string root = roots_[Pick(static_cast<std::uint32_t>(roots_.size()))];
    switch (Pick(9)) {
      case 0:
        return "(" + root + ")";
      case 1:
        return "dyn(" + root + ")";
      case 2:
        return "(" + root + " != null ? " + root + " : " + root + ")";
      case 3:
        return "optional.of(" + root + ").orValue(" + root + ")";
      case 4:
        return "[" + root + ", " + root + "].filter(f, f != null)[1]";
      case 5:
        return root + " // object.spec\n";
      default:
        return root;
    }
  }

  std::string Member(const std::string& of, const std::string& name) {
    switch (Pick(6)) {
      case 0:
        return of + "['" + name + "']";
      case 1:
        return of + ".?" + name + ".value()";
      case 2:
        return of + "[?\"" + name + "\"].orValue({})";
      case 3:
        return of + "\n  ." + name;
      default:
        return of + "." + name;
    }
  }
  std::string Spec(const std::string& root) { return Member(root, "spec"); }

  std::string Leaf() {
    const std::string root = Root();
    const std::string metadata = Member(root, "metadata");
    switch (Pick(14)) {
      case 0:
        return Spec(root) + ".hostNetwork";
      case 1:
        return "has(" + root + ".spec.nodeName)";
      case 2:
        return "has(" + root + ".spec.hostPID)";
      case 3:
        return root + ".?spec.?nodeName.orValue('') == 'n1'";
      case 4:
        return metadata + ".labels.a == 'inner'";
      case 5:
        return metadata + "['labels']['a'] == 'inner'";
      case 6:
        return metadata + ".name == 'shop'";
      case 7:
        return "has(" + root + ".metadata.annotations)";
      case 8:
        return root + ".?metadata.?annotations[?'k'].orValue('') == 'v'";
      case 9:
        return "'name' in " + metadata;
      case 10:
        return "'labels' in " + metadata;
      case 11:
        return Spec(root) + ".containers.map(c, c.image) == ['x:1', 'y:2']";
      case 12:
        return root + ".metadata.?uid.hasValue()";
      default:
        return root + ".apiVersion == 'v1'";
    }
  }

  std::uint32_t state_;
  int names_ = 0;
  std::vector<std::string> roots_ = {"object", "oldObject", "request.object"};
};

class Meaning {
 public:
  Value Parse(std::string_view yaml) {
    auto parsed = yaml::Parse(yaml, arena_);
    EXPECT_TRUE(parsed.ok());
    return *parsed;
  }

  std::string Of(const std::string& expression, const Value& object) {
    cel::CompileFailure failure;
    const auto program =
        cel::Compile(cel::KyvernoEnvironmentByName("kyverno-vpol"), expression, failure);
    if (program == nullptr) return "does not compile: " + failure.message;
    const std::array<doc::MapEntry, 2> request = {
        doc::MapEntry{Value::String("object"), object},
        doc::MapEntry{Value::String("oldObject"), object}};
    cel::MapActivation variables;
    variables.Bind("object", object);
    variables.Bind("oldObject", object);
    variables.Bind("request", doc::MakeMap(arena_, request));
    const cel::EvalResult result = cel::Evaluate(*program, variables, arena_);
    return result.value.is_error() ? "error" : cel::ValueText(result.value);
  }

 private:
  base::Arena arena_;
};

TEST(MeaningOfMovedExpressions, IsThatOfTheOriginal) {
  Meaning meaning;
  const Value pod = meaning.Parse(kPod);
  const Value deployment = meaning.Parse(kDeployment);
  const Value cron_job = meaning.Parse(kCronJob);
  constexpr std::uint32_t kExpressions = 1500;
  std::set<std::string> seen;
  std::size_t moved = 0;
  for (std::uint32_t seed = 0; seed < kExpressions; ++seed) {
    const std::string expression = Generator(seed * 7919).Condition(3);
    if (!seen.insert(expression).second) continue;
    const std::string wanted = meaning.Of(expression, pod);
    ASSERT_NE(wanted.substr(0, 8), "does not") << expression << "\n" << wanted;
    const auto for_deployment = RewriteExpression(expression, Group::kDefaults);
    const auto for_cron_job = RewriteExpression(expression, Group::kCronJobs);
    ASSERT_EQ(for_deployment.ok(), for_cron_job.ok()) << expression;
    // Names bound to metadata may be wanted for both; nothing else here may be refused.
    ASSERT_TRUE(for_deployment.ok()) << expression << "\n" << for_deployment.error().message;
    EXPECT_EQ(meaning.Of(*for_deployment, deployment), wanted) << expression << "\n->\n"
                                                               << *for_deployment;
    EXPECT_EQ(meaning.Of(*for_cron_job, cron_job), wanted) << expression << "\n->\n"
                                                           << *for_cron_job;
    if (*for_deployment != expression) ++moved;
  }
  EXPECT_GT(moved, seen.size() / 2);
}

}  // namespace
}  // namespace portcullis::autogen
