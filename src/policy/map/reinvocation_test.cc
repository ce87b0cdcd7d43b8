#include "policy/map/reinvocation.h"

#include <gtest/gtest.h>

namespace portcullis::policy {
namespace {

TEST(Reinvocation, OnlyWhatRanBeforeAChangeIsMarked) {
  ReinvocationState state;
  const InvocationKey first{"a", "b", ""};
  const InvocationKey second{"c", "d", "ns/p"};
  state.Keep(first);
  EXPECT_FALSE(state.Marked(first));
  state.MarkPrevious();
  state.Keep(second);
  EXPECT_TRUE(state.Marked(first));
  EXPECT_FALSE(state.Marked(second));
  state.MarkPrevious();
  EXPECT_TRUE(state.Marked(second));
}

TEST(Reinvocation, ComparesTheOutput) {
  ReinvocationState state;
  EXPECT_FALSE(state.OutputChanged(doc::Value::Int(1)));
  state.SetOutput(doc::Value::Int(1));
  EXPECT_FALSE(state.OutputChanged(doc::Value::Int(1)));
  EXPECT_TRUE(state.OutputChanged(doc::Value::Int(2)));
}

}  // namespace
}  // namespace portcullis::policy
