//===- ProblemTest.cpp - Problems, their bounds and their text -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ErrorMessage.h"
#include "TestProblems.h"

using namespace tileiras;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

static std::string print(const ScheduleProblem &problem) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  problem.print(stream);
  return text;
}

static std::string parseError(llvm::StringRef text) {
  llvm::Expected<ScheduleProblem> problem = ScheduleProblem::parse(text, "p");
  REQUIRE(!problem);
  return llvm::toString(problem.takeError());
}

static constexpr const char *kPipeline = R"(unit tma capacity 1
unit mma capacity 1
op load uses tma 8 latency 20
op dot uses mma 8 uses tma +2 3 latency 16
edge load -> dot latency 20
edge dot -> dot latency 16 distance 1
buffer a bytes 8192 from load to dot
)";

TEST_CASE("the text form round-trips") {
  CHECK(print(parseProblem(kPipeline)) == kPipeline);
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::string text = print(makeRandomProblem(seed));
    CHECK(print(parseProblem(text)) == text);
  }
}

TEST_CASE("comments, commas and defaults") {
  ScheduleProblem problem = parseProblem("# nothing\n\nunit u # one\nop a latency 7\nop b\nedge a -> b\n");
  CHECK(problem.units[0].capacity == 1);
  CHECK(problem.dependences[0].latency == 7);
  CHECK(problem.operations[1].latency == 1);
}

TEST_CASE("errors name the line") {
  CHECK_THAT(parseError("unit u\nopp a"), StartsWith("p:2: expected 'unit', 'op', 'edge', 'pipe', 'mutex', "));
  CHECK_THAT(parseError("op a uses u 1"), StartsWith("p:1: no unit is called 'u'"));
  CHECK_THAT(parseError("op a\nedge a -> b"), StartsWith("p:2: no operation is called 'b'"));
  CHECK_THAT(parseError("op a latency x"), StartsWith("p:1: expected the latency, an integer"));
  CHECK_THAT(parseError("op a latency 99999999999"), StartsWith("p:1: expected the latency, an integer"));
  CHECK_THAT(parseError("op a b"), StartsWith("p:1: unexpected 'b'"));
  CHECK_THAT(parseError("op a\nop a"), Contains("operation 'a' is declared twice"));
  CHECK_THAT(parseError("unit u capacity 0"), Contains("unit 'u' has no capacity"));
  CHECK_THAT(parseError("op a\nop b\nedge a -> b\nedge b -> a"), Contains("depends on itself within one iteration"));
}

TEST_CASE("lower bounds") {
  ScheduleProblem problem = parseProblem(kPipeline);
  CHECK(problem.getResMII() == 11); // tma: 8 + 3
  CHECK(problem.getRecMII() == 16);
  CHECK(problem.getMinII() == 16);
  // Two operations, 30 cycles around, two iterations: 15.
  CHECK(parseProblem("op a\nop b\nedge a -> b latency 20\nedge b -> a latency 10 distance 2").getRecMII() == 15);
  CHECK(parseProblem("unit u capacity 2\nop a uses u 3\nop b uses u 4").getResMII() == 4);
  CHECK(parseProblem("op a").getMinII() == 1);
}

/// The definition of RecMII, by enumerating simple cycles.
static uint32_t bruteForceRecMII(const ScheduleProblem &problem) {
  uint32_t bound = 1;
  std::vector<bool> onPath(problem.operations.size());
  auto visit = [&](auto &self, unsigned start, unsigned at, uint32_t latency, uint32_t distance) -> void {
    for (const ScheduleDependence &edge : problem.dependences) {
      if (edge.source != at || (edge.target != start && (onPath[edge.target] || edge.target < start)))
        continue;
      uint32_t l = latency + edge.latency, d = distance + edge.distance;
      if (edge.target == start) {
        bound = std::max(bound, d ? (l + d - 1) / d : 1);
        continue;
      }
      onPath[edge.target] = true;
      self(self, start, edge.target, l, d);
      onPath[edge.target] = false;
    }
  };
  for (unsigned start = 0; start < problem.operations.size(); ++start)
    visit(visit, start, start, 0, 0);
  return bound;
}

TEST_CASE("RecMII is the largest ratio over all cycles") {
  for (unsigned seed = 0; seed < 300; ++seed) {
    ScheduleProblem problem = makeRandomProblem(seed);
    REQUIRE(messageOf(problem.check()) == "");
    CHECK(problem.getRecMII() == bruteForceRecMII(problem));
  }
}
