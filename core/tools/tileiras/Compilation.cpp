//===- Compilation.cpp - One run of the tool ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "LastResorts.h"
#include "OutputFile.h"
#include "ReportPage.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/Support/Path.h"

using namespace tileiras;
using llvm::Error;

Error Compilation::compile() {
  step(&Session::discoverPlugins, "Discover plugins");
  step(&Session::resolveProfile, "Resolve profile");
  step(&Compilation::openInput);
  step(&Session::findResult, "Look in the cache");
  step(&Session::activatePlugins, "Activate plugins");
  step(&Session::readInput, "Read input");
  step(&Session::verifyInput, "Verify input");
  step(&Session::selectTarget);
  step(&Session::buildPipeline, "Build pipeline");
  step(&Session::runPipeline);  // timed as CompileNVVM
  step(&Session::generateCode); // timed as SerializeGPUModule
  step(&Compilation::writeOutputs);
  step(&Compilation::noteDefaultGpu);
  return std::move(failure);
}

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

Compilation::Compilation(CommandLine commandLine, const Surroundings &surroundings)
    : line(std::move(commandLine)), surroundings(surroundings), total(startTiming(timing, line)),
      session(withTiming(line.compiler, total), surroundings.pool) {}

void Compilation::step(SessionStep work, llvm::StringRef timer) {
  if (failure || session.hasProduct())
    return;
  mlir::TimingScope scope = timer.empty() ? mlir::TimingScope() : total.nest(timer);
  failure = (session.*work)();
  if (session.isStopped()) {
    llvm::consumeError(std::move(failure)); // of what was cut short
    failure = llvm::make_error<CompileError>(ExitCode::CompilationFailed, *session.getStopReason());
  }
}

void Compilation::step(OwnStep work) {
  if (!failure)
    failure = (this->*work)();
}

Error Compilation::openInput() {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInputFileOrStdin(line.inputFile);
  if (!buffer)
    return llvm::make_error<CompileError>(ExitCode::InputOutput, "error: cannot read '" + line.inputFile +
                                                                     "': " + buffer.getError().message());
  session.setInput(std::move(*buffer));
  return Error::success();
}

/// All files are complete before the first one takes its place.
Error Compilation::writeOutputs() {
  isCompiled = true;
  mlir::TimingScope scope = total.nest("Write outputs");
  std::vector<OutputFile> files;
  auto add = [&](const std::string &path, OutputFile::Writer write) -> Error {
    if (path.empty())
      return Error::success();
    llvm::Expected<OutputFile> file = OutputFile::create(path, write);
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
    return Error::success();
  };
  if (Error error = add(line.outputFile, [&](llvm::raw_ostream &os) { os << session.getOutput(); }))
    return error;
  if (Error error = add(line.metadataFile, [&](llvm::raw_ostream &os) { session.writeMetadata(os); }))
    return error;
  if (Error error = add(line.remarksFile, [&](llvm::raw_ostream &os) { os << session.finishRemarks(); }))
    return error;
  const std::string report = line.compiler.collectReport ? session.takeReport() : "";
  if (Error error = add(line.reportFile, [&](llvm::raw_ostream &os) {
        const std::string title = llvm::sys::path::filename(line.inputFile).str();
        os << report::makePage(title, {{.title = title, .compilation = report}});
      }))
    return error;
  if (!line.reportFolder.empty())
    if (Error error = add(report::findDataFile(line.reportFolder, session.getPtx()),
                          [&](llvm::raw_ostream &os) { os << report; }))
      return error;
  if (surroundings.endsWatch)
    if (Error error = surroundings.watchdog.finish())
      return error;
  return OutputFile::commit(files);
}

/// Nobody should take code for one GPU for code for theirs. A compilation that fails says so in its error.
Error Compilation::noteDefaultGpu() {
  if (std::string gpu = session.describeDefaultGpu(); !gpu.empty())
    surroundings.messages << "note: no --gpu-name is given: compiled for " << gpu
                          << "; --gpu-name native takes the GPU that is there\n";
  return Error::success();
}

Error Compilation::writeReports() {
  if (isCompiled) // its outputs could not be written
    return Error::success();
  std::vector<OutputFile> files;
  for (auto [path, text] : {std::pair(&line.remarksFile, session.finishRemarks()),
                            std::pair(&line.compiler.reproducerFile, session.getReproducer())}) {
    if (path->empty() || text.empty())
      continue;
    llvm::Expected<OutputFile> file = OutputFile::create(*path, [&](llvm::raw_ostream &os) { os << text; });
    if (!file)
      return file.takeError();
    files.push_back(std::move(*file));
  }
  if (Error error = OutputFile::commit(files))
    return error;
  if (!session.getReproducer().empty())
    surroundings.messages << "note: tileiras-opt --run-reproducer " << line.compiler.reproducerFile << " replays it\n";
  return Error::success();
}

Error Compilation::printAnswers() {
  llvm::raw_ostream &os = llvm::outs();
  if (line.listVersions)
    printVersions(os);
  if (line.listPlugins)
    session.getPlugins().printTable(os);
  if (line.helpOptions || line.printReference || line.printSchema) {
    llvm::Expected<std::shared_ptr<const OptionTable>> table = session.getPlugins().collectOptions();
    if (!table)
      return CompileError::wrap(ExitCode::Configuration, table.takeError());
    if (line.helpOptions)
      (*table)->print(os);
    if (line.printReference)
      printReference(session.getPlugins(), **table, os);
    if (line.printSchema)
      printProfileSchema(session.getPlugins(), **table, listProfiles(line.compiler.profileDirectories), os);
  }
  if (line.helpRemarks)
    printRemarks(session.getPlugins(), os);
  if (!line.printPluginInfo.empty()) {
    const DiscoveredPlugin *plugin = session.getPlugins().find(line.printPluginInfo);
    if (!plugin)
      return session.describeUnknownPlugin(line.printPluginInfo, Origin());
    session.getPlugins().printInfo(*plugin, os);
  }
  if (line.printProfile)
    session.getProfile().print(os);
  if (line.printPipeline)
    os << session.getPipelineText(/*onePassALine=*/true) << '\n';
  return flushStandardOutput();
}

void Compilation::report() {
  total.stop();
  timing.print();
  if (!line.reportMemory)
    return;
  llvm::errs() << "peak memory: " << getPeakMemory() << " MiB\n";
}

ExitCode tileiras::toExitCode(Error error, llvm::raw_ostream &messages) {
  ExitCode code = ExitCode::Success;
  llvm::handleAllErrors(
      std::move(error),
      [&](const CompileError &failure) {
        code = failure.getExitCode();
        if (!failure.message().empty() && !hasBrokenPipe())
          messages << failure.message() << '\n';
      },
      [&](const llvm::ErrorInfoBase &failure) {
        code = ExitCode::Internal;
        messages << "error: " << failure.message() << '\n';
      });
  return code;
}
