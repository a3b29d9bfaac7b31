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

#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "tileiras/Compiler/Dialects.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/Support/CommandLine.h"

using namespace tileiras;

/// Passes must be known before the command line is parsed, so plugins are looked for in the raw arguments.
static llvm::Error addPlugins(llvm::ArrayRef<const char *> arguments, PluginCatalogue &plugins) {
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    llvm::StringRef text = argument;
    text = text.ltrim('-');
    bool isFile = text.consume_front("load-plugin");
    if (!isFile && !text.consume_front("plugin-path"))
      continue;
    llvm::StringRef value = text;
    if (!value.consume_front("=") && value.empty() && index + 1 < arguments.size())
      value = arguments[index + 1];
    if (llvm::Error error = isFile ? plugins.addFile(value) : plugins.addDirectory(value))
      return error;
  }
  return plugins.addDefaultDirectories();
}

static llvm::Error fillRegistry(llvm::ArrayRef<const char *> arguments, Registry &registry) {
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = registry.addPass(std::move(entry)))
      return error;
  PluginCatalogue plugins;
  if (llvm::Error error = addPlugins(arguments, plugins))
    return error;
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    if (llvm::Error error = activatePlugin(plugin, registry))
      return error;
  if (llvm::Error error = registry.verifyTables())
    return error;
  return registry.publish();
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
  dialects.addExtension(+[](mlir::MLIRContext *context, mlir::BuiltinDialect *) { attachTargets(*context, registry); });
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tileiras-opt: run passes over Tile IR\n", dialects));
}
