//===- CommandLine.h - The options of tileiras ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_TILEIRAS_COMMANDLINE_H
#define TILEIRAS_TOOLS_TILEIRAS_COMMANDLINE_H

#include "Watchdog.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras {

/// What the user asked for.
struct CommandLine {
  CompilerOptions compiler;

  std::string inputFile;    ///< "-": standard input
  std::string outputFile;   ///< "-": standard output
  std::string metadataFile; ///< empty: none
  std::string reportFile;   ///< empty: none
  std::string reportFolder; ///< for pages of others (ReportPage.h); empty: none
  std::string remarksFile;  ///< empty: remarks are diagnostics, or not wanted
  bool reportMemory = false;
  bool timing = false; ///< besides MLIR's own option
  Limits limits;

  // Many compilations instead of one.
  std::string batchFile;                   ///< "-": standard input
  std::string batchLog;                    ///< empty: none
  std::optional<unsigned> jobs;            ///< none: as many as make's jobserver allows, else one for each core
  std::vector<const char *> commonOptions; ///< of all compilations, behind the tool's name

  // Questions that are answered instead of compiling.
  bool listVersions = false, listPlugins = false, helpOptions = false, printProfile = false, printPipeline = false;
  bool helpRemarks = false, printReference = false, printSchema = false;
  std::string printPluginInfo;

  bool isBatch() const { return !batchFile.empty(); }
  bool isQuestion() const {
    return listVersions || listPlugins || helpOptions || helpRemarks || printReference || printSchema || printProfile ||
           printPipeline || !printPluginInfo.empty();
  }
};

/// Reads the command line. Answers --help and --version itself, and ends the process then. The error is a usage error;
/// it is empty when the command-line library has already reported it.
llvm::Expected<CommandLine> parseCommandLine(int argc, char **argv);

/// Reads one line of the batch that `batch` asks for, as a command line of its own: its words stand behind the options
/// that all have. The error is a usage error; what is wrong in other ways is said to `messages`. Not thread-safe.
llvm::Expected<CommandLine> parseBatchLine(const CommandLine &batch, llvm::StringRef text, llvm::raw_ostream &messages);

/// What the environment's TILEIRAS_KEEP_PTX asks for; warns of what it cannot.
KeepPtx readKeepPtx(llvm::raw_ostream &messages = llvm::errs());

/// The text of --version. Clients use all of it as a cache key: it changes whenever a binary changes.
void printVersion(llvm::raw_ostream &os);
/// The text of --list-versions: bytecode versions, oldest first, one a line.
void printVersions(llvm::raw_ostream &os);
/// --help-remarks: the remarks of the core and of `plugins`, by category; what each means, and what to do about it.
void printRemarks(const PluginCatalogue &plugins, llvm::raw_ostream &os);
/// --print-reference: exit codes, GPUs, plugins, options and remarks, as JSON.
void printReference(const PluginCatalogue &plugins, const OptionTable &options, llvm::raw_ostream &os);

/// --print-profile-schema: what a profile may say, as a schema of JSON for editors of TOML.
void printProfileSchema(const PluginCatalogue &plugins, const OptionTable &options,
                        llvm::ArrayRef<std::string> profiles, llvm::raw_ostream &os);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_TILEIRAS_COMMANDLINE_H
