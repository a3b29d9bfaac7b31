//===- Profile.h - The plan of a compilation --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A profile is a TOML file: which plugins a compilation needs, the values of its options, and its passes in stages.
//
//   name = "mine"
//   description = "What it is for."
//   inherits = "o3"                      # a shipped profile, or a file (…/x.toml) relative to this one
//   plugins.require = ["family", { plugin = "f", when = "ftz" }]   # in addition to the parent's
//   options.num-warps = 8                # Options.h
//   scheduler.name = "greedy"            # the option scheduler.name
//
//   [[stage]]
//   name = "schedule"                    # replaces the parent's stage of this name, in its place
//   produces = "tileas"                  # the IR after it: tileaa, tileas or llvm-dialect; default: as before
//   anchor = "nv_tileaa.func"            # what the passes are nested on; default: builtin.module
//   resumes = true                       # runs on a module that is given in what the stage produces, too
//   when = "opt-level >= 2"              # default: always
//   passes = ["cse", { pass = "p", options = { stages = "${num-warps}" }, when = "ftz" }]
//   before = "lower"                     # a new stage goes to the end, unless this (or `after`) names another
//
//   [[stage]]                            # without `passes`: edits the parent's stage in place
//   name = "frontend"
//   remove = ["canonicalize"]            # every occurrence
//   before = { cse = ["my-pass"] }       # and `after`: beside the one occurrence of `cse`
//
// `${option}` in a pass option is replaced by the value of a pipeline option when the pipeline is built.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PROFILE_PROFILE_H
#define TILEIRAS_PROFILE_PROFILE_H

#include "tileiras/Profile/Condition.h"
#include <optional>

namespace tileiras {

/// The languages a module speaks on its way down, in order.
enum class IRLevel : uint8_t { CudaTile, TileAA, TileAS, LLVMDialect };
/// "cuda_tile", "tileaa", "tileas", "llvm-dialect".
llvm::StringRef stringifyIRLevel(IRLevel level);
std::optional<IRLevel> parseIRLevel(llvm::StringRef text);

/// One pass as a profile names it.
struct PassStep {
  std::string pass;
  std::vector<std::pair<std::string, OptionValue>> options; ///< strings may be "${option}"
  Condition when;
  Origin origin;
};

struct Stage {
  std::string name;
  std::optional<IRLevel> produces;
  std::string anchor; ///< empty: builtin.module
  /// Modules that come in as what the stage produces, or lower, have been through the others.
  bool resumes = false;
  Condition when;
  std::vector<PassStep> passes;
  Origin origin;
};

struct Profile {
  struct Requirement {
    std::string plugin;
    Condition when;
    Origin origin;
  };

  std::string name, description;
  std::string file;                 ///< empty for a profile that was not read from a file
  std::optional<int64_t> tier;      ///< the opt-level of the tier that its stages are on top of; none: it is on none
  std::vector<std::string> lineage; ///< names of the profiles it inherits from, nearest first
  std::vector<Requirement> plugins;
  OptionSet options;
  std::vector<Stage> stages;

  explicit Profile(std::shared_ptr<const OptionTable> table = getCoreOptions()) : options(std::move(table)) {}

  /// Whether it is the shipped profile of an opt-level itself.
  bool isTier() const;
  const Stage *findStage(llvm::StringRef name) const;
  /// The merged profile as TOML that reads back as the same profile; every value carries its origin as a comment.
  void print(llvm::raw_ostream &os) const;
};

/// The folders shipped profiles are looked for in: TILEIRAS_CONFIG_PATH (separated by ':'), then the one beside this
/// library.
std::vector<std::string> getProfileDirectories();
/// The names of the shipped profiles, sorted.
std::vector<std::string> listProfiles(llvm::ArrayRef<std::string> directories);

/// A stage of a shipped profile.
struct StageHome {
  std::string profile, stage;
};
/// The first stage that `matches` in the profiles that `profile` inherits from, nearest first, else in any shipped one.
std::optional<StageHome> findStageHome(const Profile &profile, llvm::ArrayRef<std::string> directories,
                                       llvm::function_ref<bool(const Stage &)> matches);

/// "o2", the shipped profile of an opt-level: a tier.
std::string getTierName(int64_t level);

/// Reads a profile and everything it inherits from. `nameOrFile` is a file when it contains a slash or ends in ".toml",
/// else the name of a shipped profile. `table` has the options it may mention. Passes, plugins and schedulers are not
/// looked up: that needs a registry.
llvm::Expected<Profile> loadProfile(llvm::StringRef nameOrFile, llvm::ArrayRef<std::string> directories,
                                    std::shared_ptr<const OptionTable> table = getCoreOptions());
/// The same profile, on top of the tier of another opt-level. What it says of stages and passes that this tier does not
/// have is left out: `profile` has been read without a mistake.
llvm::Expected<Profile> loadForTier(const Profile &profile, int64_t level, llvm::ArrayRef<std::string> directories);
/// The same for text that is not in a file. `bufferName` stands in for the file in messages.
llvm::Expected<Profile> parseProfile(llvm::StringRef text, llvm::StringRef bufferName,
                                     llvm::ArrayRef<std::string> directories,
                                     std::shared_ptr<const OptionTable> table = getCoreOptions());

/// A profile mentions an unknown option and requires a plugin that the option table does not know: no wonder.
class MissingPluginError : public llvm::ErrorInfo<MissingPluginError, ConfigError> {
public:
  static char ID;
  MissingPluginError(const Profile::Requirement &requirement, const UnknownOptionError &option)
      : ErrorInfo(requirement.origin, "plugin '" + requirement.plugin + "' was not found"), plugin(requirement.plugin),
        option(option.getName()), use(option.getOrigin()) {}

  llvm::StringRef getPlugin() const { return plugin; }
  llvm::StringRef getOption() const { return option; }
  const Origin &getUse() const { return use; } ///< where the option is mentioned

private:
  std::string plugin, option;
  Origin use;
};

} // namespace tileiras

#endif // TILEIRAS_PROFILE_PROFILE_H
