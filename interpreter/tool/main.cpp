//===- main.cpp - tileiras-interpret: runs a kernel as specified ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "DescribedLaunch.h"
#include "LaunchFile.h"
#include "Watcher.h"
#include "mlir/IR/MLIRContext.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <csignal>

namespace cl = llvm::cl;
using namespace tileiras;
using namespace tileiras::interpreter;

namespace {

//===----------------------------------------------------------------------===//
// Command line
//===----------------------------------------------------------------------===//

cl::OptionCategory launchOptions("What to run");
cl::OptionCategory lookOptions("What to look at");
cl::OptionCategory checkOptions("How to compare with expected data");
cl::OptionCategory limitOptions("Limits");

cl::opt<std::string> inputFile(cl::Positional, cl::desc("FILE"), cl::value_desc("bytecode or text"),
                               cl::cat(launchOptions));
cl::opt<std::string>
    launchFile("launch", cl::value_desc("launch.json"),
               cl::desc("The launch: entry, grid, buffers, parameters, expected results (the format of "
                        "the PTX emulator; see its README)"),
               cl::cat(launchOptions));
cl::opt<std::string> caseDirectory("case", cl::value_desc("DIR"),
                                   cl::desc("A folder with launch.txt and buf_*.bin; what launch.txt says to read is "
                                            "written there, and buffers are compared as compare.txt and exp_*.bin say"),
                                   cl::cat(launchOptions));
cl::opt<std::string> entryName("entry", cl::value_desc("NAME"),
                               cl::desc("Run this entry instead of the one the launch names"), cl::cat(launchOptions));

cl::opt<bool> printValues("print-values", cl::desc("Show shape and values of every result"), cl::cat(lookOptions));
cl::list<std::string> breakAt("break-at", cl::value_desc("file:line[:column]"),
                              cl::desc("Show operands and results of the operations of this place in the source"),
                              cl::cat(lookOptions));
cl::opt<std::string> onlyTileBlock("tile-block", cl::value_desc("X,Y,Z"),
                                   cl::desc("Show only what this tile block does"), cl::cat(lookOptions));
cl::opt<bool> quiet("quiet", cl::desc("No progress, no summary"), cl::cat(lookOptions));

cl::opt<bool>
    exactOnly("exact",
              cl::desc("Do not accept what is within the bounds of a conforming implementation (sums in another "
                       "order, approximate functions), as --launch does"),
              cl::cat(checkOptions));
cl::opt<bool> noCheck("no-check", cl::desc("Do not compare"), cl::cat(checkOptions));

cl::opt<uint64_t> maxOperations("max-operations", cl::init(0), cl::value_desc("N"),
                                cl::desc("Give up after N operations of all tile blocks together"),
                                cl::cat(limitOptions));
cl::opt<bool> listOperations("list-operations",
                             cl::desc("List the operations of the language: name, whether it is interpreted, how exact "
                                      "its results are; then exit"),
                             cl::cat(lookOptions));

constexpr const char *kOverview =
    R"(Runs a kernel of the tile language on the CPU, straight from the specification.

Undefined behaviour is an error with its place in the source. Exit status: 0 the kernel ran clean and agrees with the
expected data, 1 it did not, 2 usage, 3 the input cannot be run.
)";

enum ExitCode { Clean = 0, Failed = 1, Usage = 2, BadInput = 3 };

std::atomic<bool> interrupted{false};

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// The launch, and what becomes of its results.
class Description {
public:
  Description() : launch(launchFile.empty() ? readCase(caseDirectory) : readLaunchFile(launchFile)) {}

  Launch prepare(Memory &memory) { return prepareLaunch(launch, entryName, memory, addresses); }

  /// Writes results and compares them with what is expected.
  bool finish(Memory &memory) const {
    launch.writeResults(PlacedMemory(memory), addresses);
    if (noCheck)
      return true;
    std::string report;
    // A case has tolerances of its own, which are the emulator's too.
    const bool agrees = compareResults(launch, memory, addresses, !exactOnly && !launchFile.empty(), &report);
    llvm::errs() << report;
    return agrees;
  }

private:
  const LaunchDescription launch;
  LaunchDescription::Addresses addresses;
};

/// The value of --tile-block; nothing if it is malformed.
std::optional<std::array<uint32_t, 3>> parseTileBlock(llvm::StringRef text) {
  std::array<uint32_t, 3> id{};
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > id.size())
    return std::nullopt;
  for (auto [part, number] : llvm::zip(parts, id))
    if (part.getAsInteger(10, number))
      return std::nullopt;
  return id;
}

/// Fills in what the command line says; false if that makes no sense.
bool configure(Watcher &watcher) {
  auto fail = [](const llvm::Twine &message) {
    llvm::errs() << "tileiras-interpret: " << message << '\n';
    return false;
  };
  if (inputFile.empty())
    return fail("needs a file to run; --help tells more");
  if (launchFile.empty() == caseDirectory.empty())
    return fail(launchFile.empty() ? "needs either --launch or --case" : "takes either --launch or --case, not both");
  for (const std::string &text : breakAt) {
    std::optional<BreakPoint> point = BreakPoint::parse(text);
    if (!point)
      return fail("--break-at takes file:line or file:line:column, not '" + text + "'");
    watcher.breakPoints.push_back(*point);
  }
  if (!onlyTileBlock.empty() && !(watcher.tileBlock = parseTileBlock(onlyTileBlock)))
    return fail("--tile-block takes X,Y,Z, not '" + onlyTileBlock + "'");
  watcher.printsValues = printValues;
  watcher.showsProgress = !quiet;
  return true;
}

ExitCode runKernel(cuda_tile::ModuleOp module, Watcher &watcher) {
  Description description;
  const bool compares = !noCheck;
  Memory memory(/*tracksWriters=*/compares);
  InterpreterOptions options;
  options.maxOperations = maxOperations;
  options.computeBounds = compares && !exactOnly && !launchFile.empty();
  options.interrupt = &interrupted;
  options.observer = watcher.watchesOperations() || !quiet ? &watcher : nullptr;
  Interpreter interpreter(module, memory, options);
  const Launch launch = description.prepare(memory);
  if (failed(interpreter.verify(launch)))
    return BadInput;
  const auto begin = std::chrono::steady_clock::now();
  const bool ranClean = llvm::succeeded(interpreter.run(launch));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  for (const BreakPoint &point : watcher.getUnreached())
    llvm::errs() << "warning: no operation at " << point.file << ':' << point.line << " was executed\n";
  const bool agrees = ranClean && description.finish(memory);
  if (!quiet)
    llvm::errs() << (!ranClean ? "FAILED"
                     : agrees  ? "clean"
                               : "DIFFERS")
                 << ", " << interpreter.getNumOperations() << " operations, " << llvm::format("%.2f", seconds.count())
                 << " s\n";
  return agrees ? Clean : Failed;
}

void printOperations(mlir::MLIRContext &context) {
  for (mlir::RegisteredOperationName op : context.getRegisteredOperationsByDialect("cuda_tile"))
    llvm::outs() << op.stripDialect() << '\t' << (isInterpreted(op) ? "yes" : "no") << '\t' << getExactness(op) << '\n';
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions({&launchOptions, &lookOptions, &checkOptions, &limitOptions});
  if (!cl::ParseCommandLineOptions(argc, argv, kOverview, &llvm::errs()))
    return Usage;
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false); // it would be a whole module at times
  context.loadDialect<cuda_tile::CudaTileDialect>();
  if (listOperations) {
    printOperations(context);
    return Clean;
  }
  Watcher watcher;
  if (!configure(watcher))
    return Usage;

  auto file = readInputFileOrStdin(inputFile);
  if (std::error_code error = file.getError()) {
    llvm::errs() << "tileiras-interpret: cannot read " << inputFile << ": " << error.message() << '\n';
    return BadInput;
  }
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  const KernelModule kernel = readKernelModule(sources, context);
  if (!kernel.program)
    return BadInput;
  std::signal(SIGINT, [](int) { interrupted = true; });
  try {
    return runKernel(kernel.program, watcher);
  } catch (const ptxemu::InputError &error) {
    llvm::errs() << error.what() << '\n';
  } catch (const std::bad_alloc &) {
    llvm::errs() << "tileiras-interpret: the system gives this run no more memory: its buffers may be too large\n";
  }
  return BadInput;
}
