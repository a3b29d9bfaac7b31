//===- Plugin.cpp - Registers acme_90b ------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Plugin/DerivedTarget.h"

using namespace tileiras;

static llvm::Error activate(Registry &registry) {
  return addDerivedTarget(registry, "acme_90b", "sm_90", [](ChipDescription &chip) {
    chip.machine.sharedMemoryBytes = 98304;                           // a smaller shared memory,
    chip.info.features.wgmma = chip.info.features.setmaxnreg = false; // no wgmma, no setmaxnreg
    llvm::erase_if(chip.atoms.mma, [](const MmaAtom &atom) { return atom.kind == MmaKind::Warpgroup; });
  });
}

static constexpr PluginContents contents[] = {{PluginContents::Requires, "sm90"}, {PluginContents::Target, "acme_90b"}};

TILEIRAS_PLUGIN("acme-90b", "1.0", "target", "example", contents, activate)
