//===- AcmeTarget.cpp - A toy target ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU without tensor cores, whose code runs on an NVIDIA GPU. It needs no lowering of its own: the core's general one
// emits plain PTX for it.
//
//===----------------------------------------------------------------------===//

#include "Acme.h"
#include "tileiras/Target/CommonAtoms.h"

namespace {

tileiras::ChipDescription describeToy() {
  tileiras::ChipDescription toy;
  toy.info = {"acme_1", "sm_86", "sm_86", /*ptxVersion=*/80, /*computeCapability=*/86};
  toy.info.features.loadMatrix = true;
  tileiras::addCommonAtoms(toy.atoms, toy.info.features);
  using enum tileiras::WorkKind;
  toy.machine.units = {
      {"alu", 1, 4, {{Integer, 64, 4}, {Float, 64, 4}, {Double, 2, 8}, {Special, 16, 18}, {Conversion, 16, 18}}},
      {"lsu",
       1,
       1,
       {{SharedRead, 128, 30},
        {SharedWrite, 128, 8},
        {GlobalRead, 32, 400},
        {GlobalWrite, 32, 8},
        {Atomic, 8, 400},
        {Shuffle, 32, 24},
        {Barrier, 1, 25}}},
  };
  toy.machine.sharedMemoryBytes = 101376;
  toy.machine.staticSharedMemoryBytes = 49152;
  toy.machine.registersPerSM = 65536;
  toy.machine.maxRegistersPerThread = 255;
  toy.machine.maxWarpsPerCTA = 32;
  return toy;
}

} // namespace

std::shared_ptr<const tileiras::Target> acme::createToyTarget() {
  return std::make_shared<tileiras::DescribedTarget>("acme-toy", std::vector{describeToy()});
}
