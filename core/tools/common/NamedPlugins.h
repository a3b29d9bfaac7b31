//===- NamedPlugins.h - Plugins that a command line names -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR checks the names of passes while it parses the command line. What names them has to be known before.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TOOLS_COMMON_NAMEDPLUGINS_H
#define TILEIRAS_TOOLS_COMMON_NAMEDPLUGINS_H

#include "tileiras/Plugin/PluginLoader.h"

namespace tileiras {

/// The values of `--option=value` and `--option value` in `arguments`, in their order.
std::vector<std::string> findOptionValues(llvm::ArrayRef<const char *> arguments, llvm::StringRef option);

/// Adds what --load-plugin, --plugin-path, the environment and the installation offer.
llvm::Error addNamedPlugins(llvm::ArrayRef<const char *> arguments, PluginCatalogue &plugins);

} // namespace tileiras

#endif // TILEIRAS_TOOLS_COMMON_NAMEDPLUGINS_H
