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

static llvm::cl::opt<uint64_t> seed("seed", llvm::cl::desc("which program"), llvm::cl::init(0));
static llvm::cl::opt<unsigned> size("size", llvm::cl::desc("about how many steps"), llvm::cl::init(24));
static llvm::cl::opt<int64_t> maxElements("max-elements", llvm::cl::desc("of a tile"), llvm::cl::init(512));
static llvm::cl::list<std::string>
    features("features", llvm::cl::CommaSeparated,
             llvm::cl::desc("weights of features, NAME=WEIGHT (0: never); \"list\" shows them"));
static llvm::cl::opt<std::string> launchFile("launch", llvm::cl::desc("where to write the launch description"));
static llvm::cl::opt<std::string> outputFile("o", llvm::cl::desc("where to write the module"), llvm::cl::init("-"));

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
  llvm::cl::ParseCommandLineOptions(argc, argv, "A random, well-defined cuda_tile module and its launch\n");
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
