//===- Pipeline.h - From a profile to a pass manager ------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline is first a plan (names and option texts, as a tree), then a pass manager. Plans come from a profile and
// its options, or from pipeline text; both are built by the same function, which makes the same checks. Building
// finishes before any IR is touched, and nothing later decides which passes run.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PIPELINE_PIPELINE_H
#define TILEIRAS_PIPELINE_PIPELINE_H

#include "mlir/Pass/PassManager.h"
#include "tileiras/Plugin/Registry.h"
#include "tileiras/Profile/Profile.h"
#include "llvm/ADT/StringSet.h"

namespace tileiras {

/// A pass, or a group of passes nested on one kind of operation.
struct PipelineElement {
  std::string name;    ///< the pass's argument; the anchor of a group
  std::string options; ///< of a pass: "a=1 b=two", without braces
  bool isGroup = false;
  std::vector<PipelineElement> nested;
  Origin origin;
};

/// The passes of a compilation, anchored on builtin.module.
struct PipelinePlan {
  std::vector<PipelineElement> elements;
};

/// What `profile` and its options say has to run to bring a module from `input` to `level`. Depends on nothing else:
/// the target and the optimisation levels are options by now. `directories` has the shipped profiles, from which the
/// error takes which stage is missing. A module of nv_tileas or below is compiled as it is written: it goes through the
/// stages that resume (Stage::resumes), and those below it.
llvm::Expected<PipelinePlan> planPipeline(const Profile &profile, IRLevel level,
                                          llvm::ArrayRef<std::string> directories = {},
                                          IRLevel input = IRLevel::CudaTile);

/// Options that planning alone has asked for, and without which the plan would be the same, are unread again
/// (OptionSet::getUnread), but for those of `except`: others have read them, or nobody wants to know. Each of the rest
/// takes one more planning.
void forgetIdleOptions(const PipelinePlan &plan, const Profile &profile, IRLevel level, IRLevel input,
                       const llvm::StringSet<> &except);

/// An error when a pass of `plan`, made of `profile` to bring a module from cuda_tile to `level`, needs another one
/// (PassEntry::needsBefore, needsAfter) that is not there: which, and which stage of which profile has it.
llvm::Error checkNeededPasses(const PipelinePlan &plan, const Registry &registry, const Profile &profile, IRLevel level,
                              llvm::ArrayRef<std::string> directories);

/// Puts the passes of `registry` that say which one they run after (PassEntry::runsAfter) behind it, by name where
/// there are several. To be done with plans that come from profiles.
void insertPhases(PipelinePlan &plan, const Registry &registry);

/// Reads MLIR's pipeline text, "builtin.module(a{x=1},f(b,c))".
llvm::Expected<PipelinePlan> parsePipelineText(llvm::StringRef text, const Origin &origin);

/// Passes that `plan` calls by old names get those of today; `options` remembers which.
void renameOldPasses(PipelinePlan &plan, OptionSet &options);

/// The argument of --pass-pipeline: `tileir{k=v,…}` overrides options, anything else is a pipeline of its own.
bool isOptionOverride(llvm::StringRef pipelineText);
/// Applies `tileir{k=v,…}` (separated by commas or blanks) to `options`.
llvm::Error applyOptionOverride(llvm::StringRef pipelineText, OptionSet &options);

/// Adds the passes of `plan` to `manager`, which is empty and anchored on builtin.module. Checked: every pass exists
/// and takes its options, anchors fit, and the analysis contract (AnalysisContract.h) holds.
llvm::Error buildPipeline(const PipelinePlan &plan, const Registry &registry, mlir::PassManager &manager);

/// The text that builds the same pipeline again: a line, or a line for each pass.
std::string printPipeline(const mlir::OpPassManager &manager, bool onePassALine = false);

} // namespace tileiras

#endif // TILEIRAS_PIPELINE_PIPELINE_H
