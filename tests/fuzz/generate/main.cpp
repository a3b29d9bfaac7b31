//===- main.cpp - tileiras-generate: a random program and its launch ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras::fuzz;

namespace cl = llvm::cl;

static cl::OptionCategory group("tileiras-generate");
static cl::opt<uint64_t> seed("seed", cl::desc("which program"), cl::init(0), cl::cat(group));
static cl::opt<unsigned> size("size", cl::desc("about how many steps"), cl::init(24), cl::cat(group));
static cl::opt<int64_t> maxElements("max-elements", cl::desc("of a tile"), cl::init(512), cl::cat(group));
static cl::list<std::string> features("features", cl::CommaSeparated,
                                      cl::desc("weights of features, NAME=WEIGHT (0: never); \"list\" shows them"),
                                      cl::cat(group));
static cl::opt<std::string> launchFile("launch", cl::desc("where to write the launch description"), cl::cat(group));
static cl::opt<std::string> outputFile("o", cl::desc("where to write the module"), cl::init("-"), cl::cat(group));

static bool writeFile(llvm::StringRef path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os << text;
    os.close();
    error = os.error();
  }
  if (error)
    llvm::errs() << "tileiras-generate: cannot write " << path << ": " << error.message() << '\n';
  return !error;
}

int main(int argc, char **argv) {
  cl::HideUnrelatedOptions(group);
  cl::ParseCommandLineOptions(argc, argv, "A random, well-defined cuda_tile module and its launch\n");
  GeneratorOptions options;
  options.seed = seed;
  options.size = size;
  options.maxElements = maxElements;
  for (const std::string &text : features) {
    auto [name, number] = llvm::StringRef(text).split('=');
    unsigned weight = 0;
    bool isKnown = llvm::any_of(getFeatures(), [&](const Feature &feature) { return name == feature.name; });
    if (!isKnown || number.getAsInteger(10, weight)) {
      for (const Feature &feature : getFeatures())
        llvm::errs() << "  " << feature.name << "=" << feature.weight << "  " << feature.summary << '\n';
      return name == "list" ? 0 : 1;
    }
    options.weights[name] = weight;
  }
  GeneratedProgram program = generateProgram(options);
  bool written = writeFile(outputFile, program.text);
  if (!launchFile.empty())
    written &= writeFile(launchFile, program.launch.toJson());
  return written ? 0 : 1;
}
