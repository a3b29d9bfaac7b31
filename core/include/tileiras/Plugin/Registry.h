//===- Registry.h - What plugins add to a compiler session ------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGIN_REGISTRY_H
#define TILEIRAS_PLUGIN_REGISTRY_H

#include "mlir/Pass/Pass.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tileiras {

class Scheduler;
struct ChipInfo;
class Target;

/// A pass and its place in the analysis contract: which analyses it needs, publishes and keeps valid. Analyses are
/// named by their class ("ScheduleAnalysis").
struct PassEntry {
  std::string argument = {}; ///< command-line name; the pass's own when empty, else possibly an alias
  std::string owner = {};    ///< plugin that added it, "core" for the core's own; set by Registry::addPass
  std::function<std::unique_ptr<mlir::Pass>()> create;
  std::vector<std::string> requiredAnalyses = {};
  std::vector<std::string> producedAnalyses = {};
  std::vector<std::string> preservedAnalyses = {};
  /// A pass that no profile has to name: where its plugin is active, it stands behind this one, in the lowering of
  /// functions say, with its default options. Profiles that do name it decide themselves.
  std::string runsAfter = {};
  /// Passes that must not stand in front of this one, and passes that must not stand behind it, where a pipeline has
  /// them at all.
  std::vector<std::string> mustPrecede = {};
  std::vector<std::string> mustFollow = {};
  /// Passes without which this one does not get what it takes, and passes without which nobody can lower what it makes:
  /// a profile that runs this one runs them, too, before it and, if it goes on to LLVM, after it.
  std::vector<std::string> needsBefore = {};
  std::vector<std::string> needsAfter = {};
  /// Passes whose work this one does in their stead, where others need it.
  std::vector<std::string> standsFor = {};
};

struct SchedulerEntry {
  std::string name, description;
  std::function<std::unique_ptr<Scheduler>()> create;
  std::string owner = {}; ///< set by Registry::addScheduler
};

/// What a plugin adds to the dialect registry of a context: a dialect, and extensions, such as interfaces for
/// operations of other dialects.
struct DialectEntry {
  std::string name; ///< namespace of the dialect; of extensions alone: any name
  std::function<void(mlir::DialectRegistry &)> fill;
  std::string owner = {}; ///< set by Registry::addDialect
};

/// The passes, schedulers, targets and dialects of one compiler session. Filled by the core, then by the plugins the
/// session activates; read-only afterwards. A second registration of a name is an error that names both owners; it
/// leaves the registry as it was.
class Registry {
public:
  /// Registrations that follow belong to `owner`.
  void setCurrentOwner(llvm::StringRef owner) { currentOwner = owner.str(); }

  llvm::Error addPass(PassEntry entry);
  llvm::Error addScheduler(SchedulerEntry entry);
  /// Reads no tables: verifyTables does, of the chips that somebody needs.
  llvm::Error addTarget(std::shared_ptr<const Target> target);
  /// The namespace of one of the core's dialects, or of those it uses, is taken like any other name.
  llvm::Error addDialect(DialectEntry entry);

  const PassEntry *findPass(llvm::StringRef argument) const;
  const SchedulerEntry *findScheduler(llvm::StringRef name) const;
  /// The target that serves `gpuName`, or null.
  const Target *findTargetForChip(llvm::StringRef gpuName) const;
  /// The same, for targets that are made of it.
  std::shared_ptr<const Target> shareTarget(llvm::StringRef gpuName) const;

  std::vector<const PassEntry *> getPasses() const;          ///< by name
  std::vector<const SchedulerEntry *> getSchedulers() const; ///< by name
  std::vector<const Target *> getTargets() const;            ///< by name
  std::vector<const DialectEntry *> getDialects() const;     ///< by name
  llvm::StringRef getTargetOwner(const Target *target) const;

  /// An error when a number of the chip's tables is 0 that others divide by, or a limit is beyond what the ISA fixes
  /// (IsaLimits.h, TensorCopyLimits.h). To be asked before passes run.
  llvm::Error verifyTables(const Target &target, const ChipInfo &chip) const;
  llvm::Error verifyTables() const; ///< of all chips of all targets

  /// Adds all dialects and extensions to the registry of a context.
  void fillDialects(mlir::DialectRegistry &registry) const;
  /// Makes the passes known to MLIR's pass registry, so that pipeline text can name them. Publishing the same passes
  /// again does nothing; a pass that another owner has published under the same name is an error, and nothing is
  /// published. Thread-safe.
  llvm::Error publish() const;

private:
  struct TargetEntry {
    std::shared_ptr<const Target> target;
    std::string owner;
  };
  /// The target with a chip of that very name, or null.
  const Target *findTargetByName(llvm::StringRef gpuName) const;

  std::string currentOwner = "core";
  std::map<std::string, PassEntry> passes;
  std::map<std::string, SchedulerEntry> schedulers;
  std::map<std::string, TargetEntry> targets;
  std::map<std::string, DialectEntry> dialects;
};

} // namespace tileiras

#endif // TILEIRAS_PLUGIN_REGISTRY_H
