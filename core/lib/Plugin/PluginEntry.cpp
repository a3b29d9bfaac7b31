//===- PluginEntry.cpp - The core's half of TILEIRAS_PLUGIN ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectRegistry.h"
#include "tileiras/Plugin/Plugin.h"
#include "llvm/Support/raw_ostream.h"
#include <exception>

using namespace tileiras;

const char *detail::runActivation(llvm::Error (*activate)(Registry &), Registry &registry) {
  static thread_local std::string message;
  try {
    llvm::Error error = activate(registry);
    if (!error)
      return nullptr;
    message = llvm::toString(std::move(error));
  } catch (const std::exception &exception) {
    message = std::string("it threw: ") + exception.what();
  } catch (...) {
    message = "it threw something that is not an exception";
  }
  return message.c_str();
}

/// What mlir-opt's loaders cannot return is printed.
static bool activateAlone(llvm::Error (*activate)(Registry &), Registry &registry) {
  const char *message = detail::runActivation(activate, registry);
  if (message)
    llvm::errs() << "error: a tileiras plugin could not be activated: " << message << "\n";
  return !message;
}

void detail::registerDialectsWithMlir(llvm::Error (*activate)(Registry &), mlir::DialectRegistry &dialects) {
  Registry registry;
  if (activateAlone(activate, registry))
    registry.fillDialects(dialects);
}

void detail::registerPassesWithMlir(llvm::Error (*activate)(Registry &)) {
  Registry registry;
  if (!activateAlone(activate, registry))
    return;
  if (llvm::Error error = registry.publish())
    llvm::errs() << "error: " << llvm::toString(std::move(error)) << "\n";
}
