//===- main.cpp - tileiras-generate: a random program and its launch ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Files.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;

namespace cl = llvm::cl;

static cl::OptionCategory group("tileiras-generate");
static cl::opt<uint64_t> seed("seed", cl::desc("which program"), cl::init(0), cl::cat(group));
static GeneratorFlags flags(group);
static cl::opt<std::string> launchFile("launch", cl::desc("where to write the launch description"), cl::cat(group));
static cl::opt<std::string> outputFile("o", cl::desc("where to write the module"), cl::init("-"), cl::cat(group));

static bool write(llvm::StringRef file, llvm::StringRef text) {
  llvm::Error error = tileiras::writeFile(file, text);
  bool isWritten = !error;
  llvm::logAllUnhandledErrors(std::move(error), llvm::errs(), "tileiras-generate: ");
  return isWritten;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(group);
  cl::ParseCommandLineOptions(argc, argv, "A random, well-defined cuda_tile module and its launch\n");
  GeneratorOptions options = flags.getOptions();
  options.seed = seed;
  GeneratedProgram program = generateProgram(options);
  bool isWritten = write(outputFile, program.text);
  if (!launchFile.empty())
    isWritten &= write(launchFile, program.launch.toJson());
  return isWritten ? 0 : 1;
}
