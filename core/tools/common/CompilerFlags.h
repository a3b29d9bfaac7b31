//===- CompilerFlags.h - Options of every tool that compiles ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_COMMON_COMPILERFLAGS_H
#define TILEIRAS_TOOLS_COMMON_COMPILERFLAGS_H

#include "GpuNames.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace tileiras {

// How --help groups them.
extern llvm::cl::OptionCategory targetGroup, planGroup, pluginGroup, remarkGroup;

/// What the command line says of a compilation, whatever becomes of its product. An instance registers the options with
/// LLVM's command-line library; a tool has one, which lives as long as the process.
struct CompilerFlags {
  GpuNameOption gpuName{"gpu-name", llvm::cl::desc("The GPU, also its a and f variants; default: the profile's"),
                        llvm::cl::value_desc("sm_NN"), llvm::cl::cat(targetGroup)};
  llvm::cl::opt<unsigned> optLevel{"O",
                                   llvm::cl::desc("Optimisation level, 0 to 3; picks the profile o<level>"),
                                   llvm::cl::Prefix,
                                   llvm::cl::init(3),
                                   llvm::cl::value_desc("level"),
                                   llvm::cl::cat(targetGroup)};
  llvm::cl::alias optLevelLong{"opt-level", llvm::cl::desc("Same as -O"), llvm::cl::aliasopt(optLevel),
                               llvm::cl::NotHidden, llvm::cl::cat(targetGroup)};
  llvm::cl::opt<bool> lineInfo{"lineinfo", llvm::cl::desc("Emit line tables"), llvm::cl::cat(targetGroup)};
  llvm::cl::opt<bool> deviceDebug{"device-debug", llvm::cl::desc("Emit full debug information; only with -O0"),
                                  llvm::cl::cat(targetGroup)};
  llvm::cl::alias deviceDebugShort{"g", llvm::cl::desc("Same as --device-debug"), llvm::cl::aliasopt(deviceDebug),
                                   llvm::cl::NotHidden, llvm::cl::cat(targetGroup)};
  llvm::cl::opt<std::string> sanitize{"sanitize", llvm::cl::desc("Instrument device code: memcheck"),
                                      llvm::cl::value_desc("tool"), llvm::cl::cat(targetGroup)};
  llvm::cl::opt<std::string> hostArch{"host-arch", llvm::cl::desc("x86_64, aarch64 or arm64ec"),
                                      llvm::cl::value_desc("arch"), llvm::cl::cat(targetGroup)};
  llvm::cl::opt<std::string> hostOs{"host-os", llvm::cl::desc("linux or windows"), llvm::cl::value_desc("os"),
                                    llvm::cl::cat(targetGroup)};
  llvm::cl::opt<std::string> assembler{"assembler",
                                       llvm::cl::desc("What converts PTX into a cubin: ptxas (default) or nvjitlink"),
                                       llvm::cl::value_desc("name"), llvm::cl::cat(targetGroup)};
  llvm::cl::list<std::string> assemblerOptions{"Xptxas", llvm::cl::desc("An option for the assembler"),
                                               llvm::cl::value_desc("option"), llvm::cl::cat(targetGroup)};

  llvm::cl::opt<std::string> profile{"profile",
                                     llvm::cl::desc("The plan: a TOML file or the name of a shipped profile"),
                                     llvm::cl::value_desc("profile"), llvm::cl::cat(planGroup)};
  llvm::cl::list<std::string> settings{"set",
                                       llvm::cl::desc("Set a pipeline option, one of --help-options; may be repeated"),
                                       llvm::cl::value_desc("option=value"), llvm::cl::cat(planGroup)};
  llvm::cl::opt<std::string> passPipeline{"pass-pipeline",
                                          llvm::cl::desc("tileir{option=value,…} overrides the profile's options; "
                                                         "builtin.module(…) replaces its passes"),
                                          llvm::cl::value_desc("text"), llvm::cl::cat(planGroup)};

  llvm::cl::list<std::string> loadPlugin{"load-plugin", llvm::cl::desc("Load and activate a plugin; may be repeated"),
                                         llvm::cl::value_desc("file"), llvm::cl::cat(pluginGroup)};
  llvm::cl::list<std::string> pluginPath{
      "plugin-path", llvm::cl::desc("A folder of plugins (tileiras-*.so) to choose from; may be repeated"),
      llvm::cl::value_desc("folder"), llvm::cl::cat(pluginGroup)};

  llvm::cl::opt<std::string> remarks{"remarks",
                                     llvm::cl::desc("Which: all, or a list of passed, missed, failed, analysis"),
                                     llvm::cl::value_desc("kinds"), llvm::cl::cat(remarkGroup)};
  llvm::cl::opt<std::string> remarksAll{
      "remarks-filter",
      llvm::cl::desc("Only those whose category or name matches; without --remarks of every "
                     "kind. See --help-remarks"),
      llvm::cl::value_desc("regex"), llvm::cl::cat(remarkGroup)};
  llvm::cl::opt<std::string> remarksPassed{"remarks-filter-passed",
                                           llvm::cl::desc("Passed remarks whose category or name matches"),
                                           llvm::cl::value_desc("regex"), llvm::cl::cat(remarkGroup)};
  llvm::cl::opt<std::string> remarksMissed{"remarks-filter-missed",
                                           llvm::cl::desc("Missed remarks whose category or name matches"),
                                           llvm::cl::value_desc("regex"), llvm::cl::cat(remarkGroup)};
  llvm::cl::opt<std::string> remarksFailed{"remarks-filter-failed",
                                           llvm::cl::desc("Failed remarks whose category or name matches"),
                                           llvm::cl::value_desc("regex"), llvm::cl::cat(remarkGroup)};
  llvm::cl::opt<std::string> remarksAnalysis{"remarks-filter-analyse",
                                             llvm::cl::desc("Analysis remarks whose category or name matches"),
                                             llvm::cl::value_desc("regex"), llvm::cl::cat(remarkGroup)};

  /// Whether the values make sense, alone and together. The error is a usage error.
  llvm::Error check() const;
  /// The level that was asked for; nullopt: the profile's.
  std::optional<unsigned> getOptLevel() const;
  /// What --remarks and the filters say. The error is a usage error.
  llvm::Expected<mlir::remark::RemarkCategories> getRemarkFilters() const;
};

/// "error: …", with ExitCode::Usage.
llvm::Error usageError(const llvm::Twine &message);

/// Looks for options that nobody has registered, and says which they are like: by spelling, or because other compilers
/// call them so. The command-line library's own suggestion is any short name.
llvm::Error checkOptionNames(llvm::ArrayRef<const char *> arguments);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_COMMON_COMPILERFLAGS_H
