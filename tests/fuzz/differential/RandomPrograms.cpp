//===- RandomPrograms.cpp - Random programs, one after the other ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomPrograms.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>

using namespace tileiras::fuzz;

static volatile std::sig_atomic_t isInterrupted = 0;

RandomPrograms::RandomPrograms(RandomOptions given, const CheckOptions &checks)
    : options(std::move(given)), checks(checks), rest(options.seeds) {
  struct sigaction action = {};
  action.sa_handler = [](int) { isInterrupted = 1; };
  action.sa_flags = SA_RESETHAND | SA_RESTART; // The second one ends the command as ever.
  if (rest.count > 0)
    for (int signal : {SIGINT, SIGTERM})
      ::sigaction(signal, &action, nullptr);
}

/// Neighbours are for different chips, so that any part of a range has all combinations about equally often.
CheckOptions RandomPrograms::pickTarget(uint64_t seed) const {
  CheckOptions target = checks;
  const size_t chips = checks.gpuNames.size();
  target.levels.clear();
  target.gpuNames = {checks.gpuNames[seed % chips]};
  target.profiles = {checks.profiles[seed / chips % checks.profiles.size()]};
  target.namesChip = true;
  return target;
}

bool RandomPrograms::isOver() const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return isInterrupted || (options.seconds > 0 && seconds > options.seconds);
}

/// From compute capability 10 on, scaled products are not refused.
static bool hasScaledProducts(llvm::StringRef gpuName) {
  unsigned number = 0;
  gpuName.consume_front("sm_");
  return !gpuName.consumeInteger(10, number) && number >= 100;
}

std::optional<Job> RandomPrograms::next() {
  if (rest.count == 0 || isOver())
    return std::nullopt;
  --rest.count;
  GeneratorOptions generator = options.generator;
  generator.seed = rest.first++;
  std::optional<CheckOptions> own;
  if (options.rotates) {
    own = pickTarget(generator.seed);
    if (hasScaledProducts(own->gpuNames.front()))
      generator.weights.try_emplace("scaled", 2);
  }
  if (generator.seed % options.assembleEvery != 0) {
    own = own ? own : checks;
    own->assembler.clear();
  }
  GeneratedProgram made = generateProgram(generator);
  return Job{"seed " + std::to_string(generator.seed),
             std::move(made.text),
             std::move(made.launch),
             nullptr,
             std::move(own),
             describe(made.shape)};
}

std::optional<std::string> RandomPrograms::getRest() const {
  if (rest.count == 0)
    return std::nullopt;
  return std::to_string(rest.first) + ".." + std::to_string(rest.first + rest.count - 1);
}
