//===- main.cpp - tileiras, a compiler for CUDA Tile IR -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The story of a compilation is told once, in Compilation::compile(). What it calls is in the library (Session.h) or a
// few lines below.
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "Limits.h"
#include "OutputFile.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/resource.h>

using namespace tileiras;
using llvm::Error;

namespace {

using Session = CompilerSession;

/// One run of the tool. The first step that fails is the last one that runs.
class Compilation {
public:
  explicit Compilation(CommandLine commandLine);

  Error compile();
  Error answer();
  void report();

private:
  using SessionStep = Error (Session::*)();
  using OwnStep = Error (Compilation::*)();
  void step(SessionStep work, llvm::StringRef timer = "");
  void step(OwnStep work);

  Error openInput();
  Error writeOutputs();
  Error printAnswers();

  CommandLine line;
  mlir::DefaultTimingManager timing;
  mlir::TimingScope total;
  Session session;
  Error failure = Error::success();
};

} // namespace

Error Compilation::compile() {
  step(&Session::discoverPlugins, "Discover plugins");
  step(&Session::resolveProfile, "Resolve profile");
  step(&Session::activatePlugins, "Activate plugins");
  step(&Compilation::openInput);
  step(&Session::readInput, "Read input");
  step(&Session::verifyInput, "Verify input");
  step(&Session::selectTarget);
  step(&Session::buildPipeline, "Build pipeline");
  step(&Session::runPipeline);  // timed as CompileNVVM
  step(&Session::generateCode); // timed as SerializeGPUModule
  step(&Compilation::writeOutputs);
  return std::move(failure);
}

/// --list-plugins, --print-profile and the like: the same story, without an input.
Error Compilation::answer() {
  step(&Session::discoverPlugins);
  if (line.printProfile || line.printPipeline)
    step(&Session::resolveProfile);
  if (line.printPipeline) {
    step(&Session::activatePlugins);
    step(&Session::selectTarget);
    step(&Session::buildPipeline);
  }
  step(&Compilation::printAnswers);
  return std::move(failure);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static CompilerOptions withTiming(CompilerOptions options, mlir::TimingScope &total) {
  if (total)
    options.timing = &total;
  return options;
}

static mlir::TimingScope startTiming(mlir::DefaultTimingManager &timing, const CommandLine &line) {
  mlir::applyDefaultTimingManagerCLOptions(timing);
  if (line.timing)
    timing.setEnabled(true);
  return timing.getRootScope();
}

Compilation::Compilation(CommandLine commandLine)
    : line(std::move(commandLine)), total(startTiming(timing, line)), session(withTiming(line.compiler, total)) {}

void Compilation::step(SessionStep work, llvm::StringRef timer) {
  if (failure)
    return;
  mlir::TimingScope scope = timer.empty() ? mlir::TimingScope() : total.nest(timer);
  failure = (session.*work)();
}

void Compilation::step(OwnStep work) {
  if (!failure)
    failure = (this->*work)();
}

Error Compilation::openInput() {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = llvm::MemoryBuffer::getFileOrSTDIN(line.inputFile);
  if (!buffer)
    return llvm::make_error<CompileError>(ExitCode::InputOutput, "error: cannot read '" + line.inputFile +
                                                                     "': " + buffer.getError().message());
  session.setInput(std::move(*buffer));
  return Error::success();
}

/// All files are complete before the first one takes its place.
Error Compilation::writeOutputs() {
  mlir::TimingScope scope = total.nest("Write outputs");
  llvm::Expected<OutputFile> product =
      OutputFile::create(line.outputFile, [&](llvm::raw_ostream &os) { os << session.getOutput(); });
  if (!product)
    return product.takeError();
  if (line.metadataFile.empty())
    return product->commit();
  llvm::Expected<OutputFile> metadata =
      OutputFile::create(line.metadataFile, [&](llvm::raw_ostream &os) { session.writeMetadata(os); });
  if (!metadata)
    return metadata.takeError();
  if (Error error = product->commit())
    return error;
  return metadata->commit();
}

Error Compilation::printAnswers() {
  llvm::raw_ostream &os = llvm::outs();
  if (line.listVersions)
    printVersions(os);
  if (line.listPlugins)
    session.getPlugins().printTable(os);
  if (line.helpOptions) {
    llvm::Expected<std::shared_ptr<const OptionTable>> table = session.getPlugins().collectOptions();
    if (!table)
      return CompileError::wrap(ExitCode::Configuration, table.takeError());
    (*table)->print(os);
  }
  if (!line.printPluginInfo.empty()) {
    const DiscoveredPlugin *plugin = session.getPlugins().find(line.printPluginInfo);
    if (!plugin)
      return session.describeUnknownPlugin(line.printPluginInfo, Origin());
    session.getPlugins().printInfo(*plugin, os);
  }
  if (line.printProfile)
    session.getProfile().print(os);
  if (line.printPipeline)
    os << session.getPipelineText() << '\n';
  return flushStandardOutput();
}

void Compilation::report() {
  total.stop();
  if (!line.reportMemory)
    return;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  llvm::errs() << "peak memory: " << usage.ru_maxrss / 1024 << " MiB\n";
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

namespace {
/// A fatal error of LLVM, which would end the process with an exit code of its own.
struct FatalError {
  std::string reason;
};
} // namespace

static void throwFatalError(void *, const char *reason, bool) {
  throw FatalError{reason};
}

/// Prints what is not printed yet.
static ExitCode toExitCode(Error error) {
  ExitCode code = ExitCode::Success;
  llvm::handleAllErrors(
      std::move(error),
      [&](const CompileError &failure) {
        code = failure.getExitCode();
        if (!failure.message().empty())
          llvm::errs() << failure.message() << '\n';
      },
      [&](const llvm::ErrorInfoBase &failure) {
        code = ExitCode::Internal;
        llvm::errs() << "error: " << failure.message() << '\n';
      });
  return code;
}

static ExitCode runTool(int argc, char **argv) {
  llvm::Expected<CommandLine> line = parseCommandLine(argc, argv);
  if (!line)
    return toExitCode(line.takeError());
  std::optional<TimeLimit> timeLimit;
  if (line->timeLimit.count() != 0)
    line->compiler.deadline = timeLimit.emplace(line->timeLimit).getDeadline();
  if (line->memoryLimit != 0)
    limitMemory(line->memoryLimit);
  bool isQuestion = line->isQuestion();
  Compilation compilation(std::move(*line));
  ExitCode code = toExitCode(isQuestion ? compilation.answer() : compilation.compile());
  compilation.report();
  return code;
}

int main(int argc, char **argv) {
  llvm::install_fatal_error_handler(throwFatalError);
  std::string reason;
  try {
    return static_cast<int>(runTool(argc, argv));
  } catch (const FatalError &failure) {
    reason = failure.reason;
  } catch (const std::exception &failure) {
    reason = failure.what();
  }
  llvm::errs() << "error: internal error: " << reason << "\nnote: please report it with the input and the options\n";
  return static_cast<int>(ExitCode::Internal);
}
