//===- main.cpp - tileiras-lsp-server: editors understand Tile IR ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's language server with our dialects, and those of any plugin (--load-plugin, --plugin-path): errors while one
// types, definitions, uses, types and names of operations under the pointer. It speaks on standard input and output.
//
//===----------------------------------------------------------------------===//

#include "NamedPlugins.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Plugin/ContextRegistry.h"
#include "tileiras/Plugin/Dialects.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace tileiras;

/// Plugins have dialects, and say what their atoms are, which operations are verified with.
static llvm::Error fillRegistry(llvm::ArrayRef<const char *> arguments, Registry &registry) {
  PluginCatalogue plugins;
  if (llvm::Error error = addNamedPlugins(arguments, plugins))
    return error;
  return activateAll(plugins, registry);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  static Registry registry; // contexts point to it
  if (llvm::Error error = fillRegistry(llvm::ArrayRef(argv, argc).drop_front(), registry)) {
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
    return 2;
  }
  // Read above; declared so that the parser knows them.
  static llvm::cl::OptionCategory group("Plugins");
  static llvm::cl::list<std::string> loadPlugin("load-plugin", llvm::cl::desc("Load a plugin's dialects"),
                                                llvm::cl::value_desc("file"), llvm::cl::cat(group));
  static llvm::cl::list<std::string> pluginPath("plugin-path", llvm::cl::desc("Load every plugin of a folder"),
                                                llvm::cl::value_desc("folder"), llvm::cl::cat(group));
  llvm::cl::HideUnrelatedOptions(group); // of LLVM; the server's own are declared later
  mlir::DialectRegistry dialects;
  registerDialects(dialects);
  registry.fillDialects(dialects);
  dialects.addExtension(
      +[](mlir::MLIRContext *context, mlir::BuiltinDialect *) { attachRegistry(*context, registry); });
  return failed(mlir::MlirLspServerMain(argc, argv, dialects));
}
