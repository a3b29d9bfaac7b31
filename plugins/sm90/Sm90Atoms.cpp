//===- Sm90Atoms.cpp - The hardware operations of Hopper ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sm90Target.h"
#include "Wgmma.h"
#include "tileiras/NVIDIA/CommonAtoms.h"
#include "tileiras/NVIDIA/MmaSync.h"

namespace tileiras::sm90 {

/// Multiply-adds that one of the four tensor cores of a multiprocessor retires per cycle. The data sheet's dense rates
/// (1024, 512, 256) are those of wgmma; mma.sync reaches 65 % of them: 2680 of 4096 FLOP a cycle for f16, one m16n8k16
/// every 6.3 cycles (arXiv 2402.13499, 2501.12084). f64: data sheet.
static constexpr unsigned kRate8 = 670, kRate16 = 335, kRate32 = 167, kRate64 = 32;

static void addMmaAtoms(std::vector<MmaAtom> &atoms) {
  addMmaSyncAtoms(atoms, {"f16"}, {"f16"}, {"f32", "f16"}, {16, 8}, kRate16);
  addMmaSyncAtoms(atoms, {"bf16"}, {"bf16"}, {"f32"}, {16, 8}, kRate16);
  addMmaSyncAtoms(atoms, {"tf32"}, {"tf32"}, {"f32"}, {8, 4}, kRate32);
  addMmaSyncAtoms(atoms, {"e4m3", "e5m2"}, {"e4m3", "e5m2"}, {"f32", "f16"}, {32, 16}, kRate8);
  addMmaSyncAtoms(atoms, {"s8", "u8"}, {"s8", "u8"}, {"s32"}, {32, 16}, kRate8);
  addMmaSyncAtoms(atoms, {"f64"}, {"f64"}, {"f64"}, {16, 8, 4}, kRate64);
}

AtomCatalogue makeAtoms(const ChipFeatures &features) {
  AtomCatalogue catalogue;
  catalogue.mma.reserve(256); // Moving atoms would take as long as making them.
  addWarpgroupMmaAtoms(catalogue.mma);
  addMmaAtoms(catalogue.mma);
  addCommonAtoms(catalogue, features);
  return catalogue;
}

} // namespace tileiras::sm90
