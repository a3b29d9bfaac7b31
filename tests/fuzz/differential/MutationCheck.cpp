//===- MutationCheck.cpp - Is every planted bug found? --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MutationCheck.h"
#include "Sweep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;

namespace {

struct Catch {
  std::string program;
  Outcome outcome;
};

} // namespace

/// The programs to try: swept ones, then random ones.
static std::vector<Job> makeCandidates(const Mutation &mutation) {
  std::vector<Job> jobs;
  llvm::StringRef part(mutation.sweep);
  if (part.empty())
    return jobs;
  for (auto *sweep : {sweepPipelines, sweepValues, sweepTypes}) {
    for (SweptProgram &swept : sweep())
      if (llvm::StringRef(swept.name).contains(part))
        jobs.push_back({std::move(swept.name), std::move(swept.program.text), std::move(swept.program.launch)});
    // The tables have no names in common, and some are long.
    if (!jobs.empty())
      break;
  }
  return jobs;
}

namespace {

/// Which programs are compiled as they should be; those of a table are asked about again and again.
class SoundPrograms {
public:
  SoundPrograms(const CheckOptions &options, double deadlineSeconds)
      : options(options), deadlineSeconds(deadlineSeconds) {}
  bool contains(const Job &job) {
    auto [entry, isNew] = known.try_emplace(job.text, false);
    if (isNew)
      entry->second = checkIsolated(job, options, deadlineSeconds).verdict == Verdict::Agreement;
    return entry->second;
  }

private:
  const CheckOptions &options;
  double deadlineSeconds;
  llvm::StringMap<bool> known;
};

} // namespace

/// Tries programs until one shows the bug. `planted` counts those that contain it.
static std::optional<Catch> hunt(const Mutation &mutation, GeneratorOptions generator, CheckOptions options,
                                 double deadlineSeconds, uint64_t maxSeeds, SoundPrograms &sound, uint64_t &planted) {
  llvm::SmallVector<llvm::StringRef> weights;
  llvm::StringRef(mutation.features).split(weights, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef text : weights) {
    Weight weight = cantFail(parseWeight(text));
    generator.weights[weight.feature] = weight.weight;
  }
  std::vector<Job> swept = makeCandidates(mutation);
  for (uint64_t i = 0; i < swept.size() + maxSeeds; ++i) {
    Job job;
    if (i < swept.size()) {
      job = std::move(swept[i]);
    } else {
      generator.seed = i - swept.size();
      GeneratedProgram program = generateProgram(generator);
      job = {"seed " + std::to_string(generator.seed), std::move(program.text), std::move(program.launch)};
    }
    options.rewrite = [&](std::string &ptx) { return plant(mutation, ptx); };
    Outcome outcome = checkIsolated(job, options, deadlineSeconds);
    bool isPlanted = outcome.stage != kUnchangedStage && !llvm::StringRef(outcome.stage).starts_with("compile");
    planted += isPlanted;
    if (!isPlanted || !isFailure(outcome.verdict))
      continue;
    if (sound.contains(job))
      return Catch{job.name, outcome};
  }
  return std::nullopt;
}

size_t tileiras::fuzz::checkMutations(llvm::ArrayRef<Mutation> mutations, const GeneratorOptions &generator,
                                      const CheckOptions &options, double deadlineSeconds, uint64_t maxSeeds) {
  size_t missed = 0;
  SoundPrograms sound(options, deadlineSeconds);
  for (const Mutation &mutation : mutations) {
    uint64_t planted = 0;
    std::optional<Catch> caught = hunt(mutation, generator, options, deadlineSeconds, maxSeeds, sound, planted);
    llvm::outs() << llvm::format("%-24s ", mutation.name);
    if (caught) {
      llvm::StringRef message = llvm::StringRef(caught->outcome.message).split('\n').first;
      bool hasKind = caught->outcome.verdict == Verdict::EmulatorDiagnostic;
      llvm::outs() << llvm::format("%-20s %-24s %4llu ", describe(caught->outcome.verdict), caught->program.c_str(),
                                   static_cast<unsigned long long>(planted))
                   << (hasKind ? message.split(':').first : message.take_front(60)) << '\n';
    } else {
      ++missed;
      llvm::outs() << "NOT CAUGHT in " << planted << " programs: " << mutation.bug << '\n';
    }
    llvm::outs().flush();
  }
  llvm::outs() << mutations.size() - missed << " of " << mutations.size() << " planted bugs are caught\n";
  return missed;
}
