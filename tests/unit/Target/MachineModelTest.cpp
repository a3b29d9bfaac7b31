//===- MachineModelTest.cpp - What fits on a multiprocessor ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/MachineModel.h"
#include <catch2/catch.hpp>

using namespace tileiras;

TEST_CASE("the scarcest resource says how many CTAs are resident") {
  MachineModel machine;
  machine.sharedMemoryBytes = 227 * 1024;
  machine.registersPerSM = 65536;
  machine.maxWarpsPerSM = 64;
  machine.maxCTAsPerSM = 32;
  CHECK(machine.countResidentCTAs(1, 32, 0) == 32);
  CHECK(machine.countResidentCTAs(4, 32, 0) == 16);
  CHECK(machine.countResidentCTAs(4, 64, 0) == 8);
  CHECK(machine.countResidentCTAs(4, 65, 0) == 7);         // 72 registers
  CHECK(machine.countResidentCTAs(4, 32, 56 * 1024) == 4); // 57 KiB of 228
  CHECK(machine.countResidentCTAs(4, 32, 57 * 1024) == 3);
  CHECK(machine.countResidentCTAs(32, 255, 0) == 1); // More than there is.
}

TEST_CASE("what is not known limits nothing") {
  MachineModel machine;
  machine.sharedMemoryBytes = 227 * 1024;
  machine.registersPerSM = 65536;
  CHECK(machine.countResidentCTAs(1, 64, 0) == 32);
}
