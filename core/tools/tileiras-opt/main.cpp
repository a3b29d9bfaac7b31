//===- main.cpp - tileiras-opt: run passes over a module ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt with our dialects, the core's passes, and the passes and dialects of any plugin: --load-plugin=FILE,
// --plugin-path=DIR (every plugin of a folder), and what TILEIRAS_PLUGIN_PATH and the installation offer.
//
//===----------------------------------------------------------------------===//

#include "NamedPlugins.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Plugin/ContextRegistry.h"
#include "tileiras/Plugin/Dialects.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tileiras;

static llvm::Error fillRegistry(llvm::ArrayRef<const char *> arguments, Registry &registry) {
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = registry.addPass(std::move(entry)))
      return error;
  PluginCatalogue plugins;
  if (llvm::Error error = addNamedPlugins(arguments, plugins))
    return error;
  if (llvm::Error error = activateAll(plugins, registry))
    return error;
  if (llvm::Error error = registry.verifyTables())
    return error;
  return registry.publish();
}

/// As mlir-opt does, but an input without an end is an error.
static llvm::LogicalResult process(llvm::StringRef input, llvm::StringRef output, mlir::DialectRegistry &dialects,
                                   const mlir::MlirOptMainConfig &config) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInputFileOrStdin(input);
  std::string message = buffer ? "" : ("cannot read '" + input + "': " + buffer.getError().message()).str();
  std::unique_ptr<llvm::ToolOutputFile> file = buffer ? mlir::openOutputFile(output, &message) : nullptr;
  if (!file) {
    llvm::errs() << "error: " << message << '\n';
    return llvm::failure();
  }
  if (failed(mlir::MlirOptMain(file->os(), std::move(*buffer), dialects, config)))
    return llvm::failure();
  file->keep();
  return llvm::success();
}

int main(int argc, char **argv) {
  static Registry registry; // contexts point to it
  if (llvm::Error error = fillRegistry(llvm::ArrayRef(argv, argc).drop_front(), registry)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 2;
  }
  // Read above; declared so that the parser knows them.
  static llvm::cl::list<std::string> loadPlugin("load-plugin", llvm::cl::desc("Load a plugin's passes"),
                                                llvm::cl::value_desc("file"));
  static llvm::cl::list<std::string> pluginPath("plugin-path", llvm::cl::desc("Load every plugin of a folder"),
                                                llvm::cl::value_desc("folder"));

  mlir::DialectRegistry dialects;
  registerDialects(dialects);
  registry.fillDialects(dialects);
  dialects.addExtension(
      +[](mlir::MLIRContext *context, mlir::BuiltinDialect *) { attachRegistry(*context, registry); });
  auto [input, output] =
      mlir::registerAndParseCLIOptions(argc, argv, "tileiras-opt: run passes over Tile IR\n", dialects);
  const auto config = mlir::MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses() || config.shouldShowDialects())
    return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, input, output, dialects));
  llvm::InitLLVM init(argc, argv);
  return mlir::asMainReturnCode(process(input, output, dialects, config));
}
