//===- GpuNames.cpp - The GPUs below --gpu-name in --help -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GpuNames.h"
#include "tileiras/Plugin/PluginLoader.h"

using namespace tileiras;

static void printValue(llvm::StringRef value, const llvm::Twine &meaning, size_t width) {
  constexpr llvm::StringLiteral indent = "    =";
  llvm::outs() << indent << value;
  llvm::cl::Option::printEnumValHelpStr(meaning.str(), width, indent.size() + value.size());
}

void GpuNameOption::printOptionInfo(size_t width) const {
  const_cast<GpuNameOption *>(this)->getParser().printOptionInfo(*this, width);
  PluginCatalogue plugins;
  llvm::consumeError(plugins.addDefaultDirectories()); // a folder that cannot be read has no GPUs
  for (auto [chip, plugin] : plugins.getChips())
    printValue(chip, "by plugin " + plugin->getName(), width);
  printValue("native", "the one that is there", width);
}
