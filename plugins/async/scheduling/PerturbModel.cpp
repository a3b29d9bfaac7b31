//===- PerturbModel.cpp - Wrong figures on purpose ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PerturbModel.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

namespace tileiras::async {

void perturbFigures(ScheduleProblem &problem, uint32_t seed) {
  // Twice or half, in half cycles.
  auto perturb = [&](uint32_t cycles, llvm::StringRef kind, llvm::StringRef figure) {
    const std::string name = (kind + " " + figure + " " + llvm::Twine(seed)).str();
    return llvm::SaturatingMultiply<uint32_t>(cycles, llvm::xxh3_64bits(name) & 1 ? 4 : 1);
  };
  // Names are kinds with a number.
  auto getKind = [&](unsigned operation) {
    return llvm::StringRef(problem.operations[operation].name).rsplit('.').first;
  };
  for (unsigned i = 0; i < problem.operations.size(); ++i) {
    ScheduleOperation &operation = problem.operations[i];
    operation.latency = perturb(operation.latency, getKind(i), "latency");
    for (ResourceUse &use : operation.uses) {
      use.offset = perturb(use.offset, getKind(i), "units");
      use.duration = perturb(use.duration, getKind(i), "units");
    }
  }
  for (ScheduleDependence &edge : problem.dependences)
    edge.latency = perturb(edge.latency, getKind(edge.source), "latency");
}

} // namespace tileiras::async
