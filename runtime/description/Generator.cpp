//===- Generator.cpp - Contents that are computed -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tileiras {

namespace {

struct GeneratorKind {
  llvm::StringRef name;
  bool isRandom, takesRange, needsFloats;
};
constexpr GeneratorKind kKinds[] = {{"iota", false, true, false},
                                    {"integers", true, true, false},
                                    {"uniform", true, true, true},
                                    {"normal", true, false, true}};

/// Whole numbers between two, both included.
struct WholeRange {
  int64_t least = 0, most = 0;

  /// Of their count; 0: all 2^64.
  uint64_t count() const { return static_cast<uint64_t>(most) - static_cast<uint64_t>(least) + 1; }
  int64_t at(uint64_t index) const {
    return static_cast<int64_t>(static_cast<uint64_t>(least) + (count() ? index % count() : index));
  }
};

} // namespace

static const GeneratorKind &findKind(const JsonNode &values) {
  const std::string name = values.string();
  const auto *found = llvm::find_if(kKinds, [&](const GeneratorKind &kind) { return kind.name == name; });
  if (found != std::end(kKinds))
    return *found;
  std::vector<llvm::StringRef> names;
  for (const GeneratorKind &kind : kKinds)
    names.push_back(kind.name);
  values.fail("unknown generator '" + name + "'" + suggest(name, names) +
              "; besides there are a list of values, and a number for all elements");
}

/// The whole numbers that the type holds without a gap from 0 on, at most 63 bits.
static WholeRange getLimits(const ScalarType &type) {
  if (type.isFloat()) {
    const int64_t most = int64_t(1) << llvm::APFloat::semanticsPrecision(type.semantics());
    return {-most, most};
  }
  const unsigned bits = 8 * type.bytes;
  return {type.isSigned ? llvm::minIntN(bits) : 0,
          type.isSigned || bits == 64 ? llvm::maxIntN(bits) : static_cast<int64_t>(llvm::maxUIntN(bits))};
}

static WholeRange readWholeRange(const JsonNode &contents, const GeneratorKind &kind, const ScalarType &type) {
  const WholeRange limits = getLimits(type);
  std::optional<JsonNode> range = contents.find("range");
  if (!range) {
    if (kind.isRandom)
      contents.fail("generator 'integers' needs a 'range': [least, most]");
    return {0, limits.most};
  }
  const std::vector<JsonNode> bounds = range->list(2, 2);
  const WholeRange whole{bounds[0].signedInteger(limits.least, limits.most),
                         bounds[1].signedInteger(limits.least, limits.most)};
  if (whole.least > whole.most)
    range->fail("the range of the generator ends before it begins");
  return whole;
}

/// The upper 53 bits of a random number, as a number from 0 to below 1.
static double toUnit(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

/// By the transform of Box and Muller: two of `random` for one.
static double makeNormal(std::mt19937_64 &random) {
  const double radius = std::sqrt(-2 * std::log(1 - toUnit(random())));
  return radius * std::cos(2 * llvm::numbers::pi * toUnit(random()));
}

static std::function<uint64_t(uint64_t)> makeReals(const JsonNode &contents, const GeneratorKind &kind,
                                                   const ScalarType &type, std::mt19937_64 &random) {
  if (kind.name == "normal")
    return [&](uint64_t) { return type.encode(makeNormal(random)); };
  double least = 0, most = 1;
  if (std::optional<JsonNode> range = contents.find("range")) {
    const std::vector<JsonNode> bounds = range->list(2, 2);
    least = bounds[0].number();
    most = bounds[1].number();
    if (!std::isfinite(least) || !std::isfinite(most - least) || least > most)
      range->fail("the range of the generator is [least, most], two finite numbers in this order");
  }
  return [&random, &type, least, most](uint64_t) { return type.encode(least + (most - least) * toUnit(random())); };
}

void refuseGeneratorKeys(const JsonNode &contents) {
  for (llvm::StringRef key : {"seed", "range"})
    if (std::optional<JsonNode> found = contents.find(key))
      found->fail("belongs to a generator, which 'values' names");
}

std::vector<uint8_t> generateContents(const JsonNode &contents, const ScalarType &type, uint64_t bytes) {
  const JsonNode values = contents.get("values");
  std::mt19937_64 random;
  std::function<uint64_t(uint64_t)> makeElement;
  if (values.isString()) {
    const GeneratorKind &kind = findKind(values);
    if (kind.needsFloats && !type.isFloat())
      values.fail("generator '" + kind.name + "' makes fractions, which " + type.name +
                  " does not hold; 'integers' makes whole numbers");
    if (std::optional<JsonNode> seed = contents.find("seed")) {
      if (!kind.isRandom)
        seed->fail("generator '" + kind.name + "' makes no random numbers");
      random.seed(seed->unsignedInteger(0, std::numeric_limits<int64_t>::max()));
    }
    if (!kind.takesRange)
      if (std::optional<JsonNode> range = contents.find("range"))
        range->fail("generator '" + kind.name + "' takes no range");
    if (kind.needsFloats)
      makeElement = makeReals(contents, kind, type, random);
    else
      makeElement = [&type, &random, isRandom = kind.isRandom, range = readWholeRange(contents, kind, type)](
                        uint64_t i) { return type.encode(range.at(isRandom ? random() : i)); };
  } else {
    refuseGeneratorKeys(contents);
    makeElement = [word = type.encode(values)](uint64_t) { return word; };
  }
  if (bytes % type.bytes)
    contents.fail("the contents have " + std::to_string(bytes) + " bytes, which is no multiple of " + type.name);
  std::vector<uint8_t> data;
  data.reserve(bytes);
  for (uint64_t i = 0; i < bytes / type.bytes; ++i)
    appendWord(data, makeElement(i), type.bytes);
  return data;
}

} // namespace tileiras
