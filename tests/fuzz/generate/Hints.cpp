//===- Hints.cpp - Hints of kernels and of accesses -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hint changes no result and refuses no program, whatever its value is (the attribute's description in the dialect).
//
//===----------------------------------------------------------------------===//

#include "Hints.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;

namespace {

struct HintKind {
  const char *name;
  std::initializer_list<const char *> values;
};

} // namespace

/// What is no number, or none that a hint of numbers can be.
static const char *pickWrongValue(Random &random) {
  return random.pick({"0", "-1", "3", "33", "17", "100000", "2147483648", "9223372036854775807", "-9223372036854775808",
                      "true", "\"two\"", "2.5 : f32", "[2]"});
}

static std::string printHint(Random &random, const HintKind &kind) {
  const char *value =
      random.chance(20) ? pickWrongValue(random) : kind.values.begin()[random.below(kind.values.size())];
  return std::string(kind.name) + " = " + value;
}

/// "optimization_hints=<default = {…}, sm_90 = {…}>", of one to all of the kinds.
static std::string printHints(Random &random, llvm::ArrayRef<HintKind> kinds) {
  static constexpr const char *kArchitectures[] = {"default", "sm_80",  "sm_89",  "sm_90", "sm_90a",
                                                   "sm_100",  "sm_110", "sm_120", "sm_42"};
  auto printGroup = [&](const char *architecture) {
    llvm::SmallVector<std::string> hints;
    for (const HintKind &kind : kinds)
      if (random.chance(60))
        hints.push_back(printHint(random, kind));
    if (random.chance(5))
      hints.push_back("unheard_of = 1");
    return std::string(architecture) + " = {" + llvm::join(hints, ", ") + "}";
  };
  const bool isForAll = random.chance(70);
  std::string text = printGroup(isForAll ? "default" : kArchitectures[1 + random.below(5)]);
  if (random.chance(30))
    text += ", " + printGroup(kArchitectures[6 + random.below(3)]);
  return "optimization_hints=<" + text + ">";
}

std::string tileiras::fuzz::makeKernelHints(Random &random) {
  const HintKind kinds[] = {
      {"occupancy", {"1", "2", "2", "3", "4", "5", "6", "8", "10", "12", "16", "24", "32"}},
      {"num_worker_warps_per_cta", {"1", "2", "4", "4", "8", "8", "16"}},
      {"num_cta_in_cga", {"1", "1", "2", "2", "4", "8"}},
  };
  return printHints(random, kinds);
}

std::string tileiras::fuzz::makeAccessHints(Random &random) {
  const HintKind kinds[] = {{"latency", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}},
                            {"allow_tma", {"true", "false", "false"}}};
  return printHints(random, kinds);
}
