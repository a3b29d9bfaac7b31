//===- VersionText.cpp - What --version says ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"
#include "tileiras/Bytecode/Version.h"
#include "tileiras/Compiler/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/Path.h"

using namespace tileiras;

/// The linker's hash of an object's contents, shortened.
static std::string getBuildId(llvm::StringRef path) {
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createObjectFile(path);
  if (!object) {
    llvm::consumeError(object.takeError());
    return "unknown";
  }
  llvm::object::BuildIDRef id = llvm::object::getBuildID(object->getBinary());
  return id.empty() ? "unknown" : llvm::toHex(id.take_front(8), /*LowerCase=*/true);
}

void tileiras::printVersion(llvm::raw_ostream &os) {
  os << "tileiras: an open compiler for CUDA Tile IR\n"
     << "version " << getVersion() << ", build " << getBuildId(getLibraryPath()) << "\n"
     << "LLVM " << getLLVMVersion() << ", plugin ABI " << TILEIRAS_PLUGIN_ABI_VERSION << "\n"
     << "Tile IR " << BytecodeVersion::supported().front() << " to " << BytecodeVersion::newest()
     << ", compatible with V13.3.0\n";
  PluginCatalogue plugins;
  llvm::consumeError(plugins.addDefaultDirectories());
  for (const DiscoveredPlugin &plugin : plugins.getPlugins())
    os << "plugin " << plugin.getName() << ' ' << plugin.info->version << ", build " << getBuildId(plugin.path) << '\n';
}

void tileiras::printVersions(llvm::raw_ostream &os) {
  for (BytecodeVersion version : BytecodeVersion::supported())
    os << version << '\n';
}
