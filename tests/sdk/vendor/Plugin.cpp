//===- Plugin.cpp - A vendor's GPU with wgmma and TMA of its own limits -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU as a table: what it has less of, and more, than the one whose instructions it runs. Lowering is the other's.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Plugin.h"
#include "tileiras/Plugin/DerivedTarget.h"

using namespace tileiras;

static bool isMissing(const MmaAtom &atom) {
  return atom.kind == MmaKind::Warpgroup && (atom.n > 128 || atom.a.bits == 8); // narrower, and none of 8 bits
}

static llvm::Error activate(Registry &registry) {
  return addDerivedTarget(registry, "acme_h1", "sm_90", [](ChipDescription &chip) {
    chip.machine.sharedMemoryBytes = 128 * 1024;
    chip.machine.maxWarpsPerSM = 48;
    chip.machine.maxCTAsPerSM = 16;
    chip.machine.namedBarriers = 8;
    chip.machine.tensorCopy.mostDimensions = 4;  // of arrays that TMA copies,
    chip.machine.tensorCopy.mostBoxExtent = 128; // and of what it copies at once
    llvm::erase_if(chip.atoms.mma, isMissing);
    chip.info.features.stmatrix = false;   // no stmatrix,
    chip.info.features.redux = false;      // nor redux.sync
    chip.tuning.bytesInFlight = 16 * 1024; // of a slower memory
    chip.tuning.leastTmaStoreBytes = 8192;
    chip.tuning.rasterGroup = 4;
  });
}

static constexpr PluginContents contents[] = {{PluginContents::Requires, "sm90"}, {PluginContents::Target, "acme_h1"}};

TILEIRAS_PLUGIN("acme-h1", "1.0", "target", "example", contents, activate)
