//===- VersionText.cpp - What --version says ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tileiras/Bytecode/Version.h"
#include "tileiras/Support/Version.h"

using namespace tileiras;

void tileiras::printVersion(llvm::raw_ostream &os) {
  os << "tileiras: an open compiler for CUDA Tile IR\n"
     << "version " << getVersion() << ", build " << getBuildId() << "\n"
     << "LLVM " << getLLVMVersion() << ", plugin ABI " << TILEIRAS_PLUGIN_ABI_VERSION << "\n"
     << "Tile IR " << BytecodeVersion::supported().front() << " to " << BytecodeVersion::newest()
     << ", compatible with V13.3.0\n";
  // Other cubins, for clients that keep them by this text.
  if (readKeepPtx() != KeepPtx::No)
    os << "cubins carry their PTX (TILEIRAS_KEEP_PTX)\n";
  PluginCatalogue plugins;
  llvm::consumeError(plugins.addDefaultDirectories());
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    os << "plugin " << plugin.getName() << ' ' << plugin.info->version << ", build " << getBuildId(plugin.info) << '\n';
}

void tileiras::printVersions(llvm::raw_ostream &os) {
  for (BytecodeVersion version : BytecodeVersion::supported())
    os << version << '\n';
}
