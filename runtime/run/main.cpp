//===- main.cpp - tileiras-run: runs a kernel, and says whether it is right -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "Files.h"
#include "LaunchError.h"
#include "LaunchFile.h"
#include "NewLaunch.h"
#include "Page.h"
#include "Places.h"
#include "Progress.h"
#include "Report.h"
#include "RunError.h"
#include "Runners.h"
#include "tileiras/Compiler/NativeGpu.h"
#include "llvm/ADT/STLExtras.h"

using namespace tileiras;
using namespace tileiras::run;

static LaunchDescription readDescription(const RunOptions &options) {
  return options.launchFile.empty() ? readCase(options.caseDirectory) : readLaunchFile(options.launchFile);
}

static std::string findNative(const Places &places) {
  if (places.gpu)
    return places.gpu->gpuName;
  llvm::Expected<std::string> name = findNativeGpu();
  if (!name)
    throw RunError(Exit::Usage, llvm::toString(name.takeError()));
  return *name;
}

/// For the GPU that was asked for, or is there, or else the one that most people have who compile for none.
static void compileFor(const Places &places, const RunOptions &options, Kernel &kernel, Progress &progress) {
  constexpr const char *kDefaultGpu = "sm_90";
  if (!kernel.isTileIR() || places.chosen == std::vector{Place::Interpreter})
    return;
  std::string gpuName = options.compiler->gpuName;
  if (gpuName == kNativeGpu.str())
    gpuName = findNative(places);
  if (gpuName.empty() && !places.gpu && !options.isQuiet)
    llvm::errs() << "compiling for " << kDefaultGpu << ": there is no --gpu-name\n";
  if (gpuName.empty())
    gpuName = places.gpu ? places.gpu->gpuName : kDefaultGpu;
  compileKernel(kernel, options, gpuName, /*needsCubin=*/places.gpu != nullptr, progress);
}

static Outcome runIn(Place place, const Request &request, const Gpu *gpu) {
  switch (place) {
  case Place::Gpu:
    return runOnGpu(request, *gpu);
  case Place::Emulator:
    return runOnEmulator(request);
  case Place::Interpreter:
    return runOnInterpreter(request);
  }
  llvm_unreachable("all places are handled");
}

static void writeReport(const Report &report, const RunOptions &options) {
  llvm::outs().flush();
  report.printMistakes(llvm::errs());
  if (!options.isQuiet)
    report.print(options.jsonFile == "-" ? llvm::errs() : llvm::outs());
  if (options.jsonFile.empty())
    return;
  std::string text;
  llvm::raw_string_ostream os(text);
  report.writeJson(os);
  if (llvm::Error error = writeFile(options.jsonFile, text))
    throw RunError(Exit::BadInput, llvm::toString(std::move(error)));
}

static Exit runKernel(const RunOptions &options) {
  if (options.writesNewLaunch) {
    const std::string text = makeNewLaunch(readKernel(options), options.emulator->entryName);
    if (llvm::Error error = writeFile("-", text))
      throw RunError(Exit::BadInput, llvm::toString(std::move(error)));
    return Exit::Clean;
  }
  Progress progress(!options.isQuiet);
  const LaunchDescription description = readDescription(options);
  Kernel kernel = readKernel(options);
  Places places = choosePlaces(options, kernel);
  if (!places.choice.empty() && !options.isQuiet)
    llvm::errs() << places.choice << '\n';
  compileFor(places, options, kernel, progress);
  checkDescription(kernel, description, options);

  const std::string &asked = options.emulator->entryName;
  Report report{kernel, description, asked.empty() ? description.entry : asked, std::move(places.skipped), {}, {}};
  for (Place place : places.chosen) {
    const bool writesResults = report.outcomes.empty();
    report.outcomes.push_back(runIn(place, {options, kernel, description, writesResults, progress}, places.gpu.get()));
  }
  report.comparisons = compareOutcomes(description, report.outcomes);
  writeReport(report, options);
  if (!options.reportFile.empty())
    writePage(report, options);
  return report.isGood() ? Exit::Clean : Exit::Failed;
}

int main(int argc, char **argv) {
  Exit code = Exit::BadInput;
  std::string message;
  try {
    return static_cast<int>(runKernel(run::parseCommandLine(argc, argv)));
  } catch (const RunError &error) {
    message = error.what();
    code = error.code;
  } catch (const std::bad_alloc &) {
    message = "the system gives this run no more memory: its buffers may be too large";
  } catch (const std::exception &error) {
    message = error.what();
  }
  llvm::outs().flush();
  if (!message.empty())
    llvm::errs() << "tileiras-run: " << message << '\n';
  return static_cast<int>(code);
}
