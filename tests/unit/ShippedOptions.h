//===- ShippedOptions.h - The options of all shipped plugins ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_TESTS_UNIT_SHIPPEDOPTIONS_H
#define TILEIRAS_TESTS_UNIT_SHIPPEDOPTIONS_H

#include "tileiras/Plugin/PluginLoader.h"
#include <catch2/catch.hpp>

namespace tileiras {

/// The core's options and those of the plugins beside the library, as a compilation sees them.
inline std::shared_ptr<const OptionTable> getShippedOptions() {
  PluginCatalogue plugins;
  if (llvm::Error error = plugins.addDirectory(getInstalledPluginDirectory()))
    FAIL(llvm::toString(std::move(error)));
  llvm::Expected<std::shared_ptr<const OptionTable>> table = plugins.collectOptions();
  if (!table)
    FAIL(llvm::toString(table.takeError()));
  return *table;
}

} // namespace tileiras

#endif // TILEIRAS_TESTS_UNIT_SHIPPEDOPTIONS_H
