//===- ToolVersion.cpp - What --version begins with -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ToolVersion.h"
#include "tileiras/Bytecode/Version.h"
#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Support/Version.h"

using namespace tileiras;

void tileiras::printToolVersion(llvm::raw_ostream &os, llvm::StringRef what) {
  const BytecodeVersion newest = BytecodeVersion::newest();
  os << what << "\n"
     << "version " << getVersion() << ", build " << getBuildId() << "\n"
     << "LLVM " << getLLVMVersion() << ", plugin ABI " << TILEIRAS_PLUGIN_ABI_VERSION << "\n"
     << "Tile IR " << BytecodeVersion::supported().front() << " to " << newest
     << ", as of\n"
     // cuTile's log of its cache and cuTile.jl take the version from a line like that of NVIDIA's tools.
     << "Cuda compilation tools, release " << newest << ", V" << newest << ".0\n";
}
