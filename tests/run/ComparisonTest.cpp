//===- ComparisonTest.cpp - When two places agree -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace tileiras;
using namespace tileiras::run;

namespace {

std::vector<uint8_t> toBytes(const std::vector<float> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Outcome makeOutcome(Place place, const std::vector<float> &values) {
  Outcome outcome;
  outcome.place = place;
  outcome.ranClean = outcome.agrees = true;
  outcome.buffers["o"] = toBytes(values);
  return outcome;
}

/// A launch with one buffer of floats, of which nothing is expected yet.
LaunchDescription makeDescription(size_t count) {
  LaunchDescription description;
  description.buffers.push_back({"o", count * sizeof(float), {}, 0});
  return description;
}

void expect(LaunchDescription &description, const std::vector<float> &values, double relative, double absolute) {
  description.expectations.push_back(
      {"o", ScalarType::find("f32"), toBytes(values), relative, absolute, /*isWarning=*/false});
}

Comparison compareTwo(const LaunchDescription &description, const Outcome &first, const Outcome &second) {
  const std::vector<Comparison> comparisons = compareOutcomes(description, {first, second});
  REQUIRE(comparisons.size() == 1);
  return comparisons.front();
}

} // namespace

TEST_CASE("Without a tolerance bits have to be the same, but for NaN") {
  LaunchDescription description = makeDescription(2);
  expect(description, {1, 2}, 0, 0);
  const float nan = std::nanf(""), otherNan = -std::nanf("1");
  const Outcome gpu = makeOutcome(Place::Gpu, {1, nan});
  CHECK(compareTwo(description, gpu, makeOutcome(Place::Emulator, {1, otherNan})).agrees);
  const Comparison differs = compareTwo(description, gpu, makeOutcome(Place::Emulator, {1.5, nan}));
  CHECK_FALSE(differs.agrees);
  CHECK(differs.elements == 2);
  CHECK(differs.report.find(
            "buffer 'o': 1 of 2 f32 elements differ between gpu and emulator; the first is [0]: gpu 1") == 0);
  CHECK_FALSE(
      compareTwo(description, makeOutcome(Place::Gpu, {0, 0}), makeOutcome(Place::Emulator, {-0.0F, 0})).agrees);
}

TEST_CASE("Two results may be on either side of what is expected") {
  LaunchDescription description = makeDescription(1);
  expect(description, {100}, 0.01, 0.5);
  auto agree = [&](float a, float b) {
    return compareTwo(description, makeOutcome(Place::Gpu, {a}), makeOutcome(Place::Emulator, {b})).agrees;
  };
  CHECK(agree(98.6F, 101.4F));
  CHECK_FALSE(agree(98.4F, 101.6F));
}

TEST_CASE("The interpreter's bound counts where it takes part") {
  LaunchDescription description = makeDescription(2);
  description.compared.push_back({"o", "f32"});
  Outcome interpreter = makeOutcome(Place::Interpreter, {1, 1});
  const Outcome emulator = makeOutcome(Place::Emulator, {1, 1.25});
  CHECK_FALSE(compareTwo(description, emulator, interpreter).agrees);
  double bound = 0.25;
  interpreter.getBound = [&](const std::string &, uint64_t offset) { return offset == sizeof(float) ? bound : 0; };
  CHECK(compareTwo(description, emulator, interpreter).agrees);
  bound = 0.125;
  CHECK_FALSE(compareTwo(description, emulator, interpreter).agrees);
  bound = INFINITY; // nothing is known
  CHECK(compareTwo(description, emulator, interpreter).agrees);
}

TEST_CASE("Elements of other formats, and what is only written, are compared as bytes") {
  LaunchDescription description = makeDescription(1);
  const Outcome gpu = makeOutcome(Place::Gpu, {1}), emulator = makeOutcome(Place::Emulator, {2});
  CHECK(compareTwo(description, gpu, emulator).elements == 0);
  description.results.push_back({"o", sizeof(float), "o.bin"});
  const Comparison written = compareTwo(description, gpu, emulator);
  CHECK((written.agrees && written.warns));
  CHECK(written.report.find("warning: buffer 'o': 2 of 4 bytes differ") == 0);
  description.compared.push_back({"o", "f8E4M3FN"});
  const Comparison compared = compareTwo(description, gpu, emulator);
  CHECK_FALSE(compared.agrees);
  CHECK(compared.elements == sizeof(float));
}

TEST_CASE("What did not run clean is compared with nothing") {
  LaunchDescription description = makeDescription(1);
  expect(description, {1}, 0, 0);
  Outcome gpu = makeOutcome(Place::Gpu, {1});
  gpu.ranClean = false;
  const Outcome emulator = makeOutcome(Place::Emulator, {1}), interpreter = makeOutcome(Place::Interpreter, {1});
  const std::vector<Comparison> comparisons = compareOutcomes(description, {gpu, emulator, interpreter});
  REQUIRE(comparisons.size() == 1);
  CHECK(comparisons[0].first == Place::Emulator);
  CHECK(comparisons[0].second == Place::Interpreter);
  CHECK(compareOutcomes(description, {gpu, emulator}).empty());
}

TEST_CASE("Times of launches") {
  const Timing timing{{5, 1, 3, 10}, false};
  CHECK(timing.median() == 4);
  CHECK(timing.best() == 1);
  CHECK(Timing{{5, 1, 3}, false}.median() == 3);
}
