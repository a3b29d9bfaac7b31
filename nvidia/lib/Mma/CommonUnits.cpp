//===- CommonUnits.cpp - Execution units most chips have ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/CommonUnits.h"

namespace tileiras {

MachineUnit makeIssueUnit(std::string name, uint32_t schedulers) {
  using enum WorkKind;
  const uint32_t lanes = 32 * schedulers, accessBytes = 16 * lanes;
  MachineUnit unit{std::move(name), /*capacity=*/1, /*partitions=*/schedulers};
  for (WorkKind kind : {Integer, Float, Double, Special, Conversion, Shuffle, Atomic})
    unit.work.push_back({kind, lanes});
  unit.work.push_back({Narrowing, 2 * lanes});
  for (WorkKind kind : {SharedRead, SharedWrite, GlobalRead, GlobalWrite})
    unit.work.push_back({kind, accessBytes});
  return unit;
}

MachineUnit makeMemoryPort(std::string name, uint32_t shuffleLatency) {
  using enum WorkKind;
  return {std::move(name),
          /*capacity=*/1,
          /*partitions=*/1,
          {{SharedRead, 128, 29},
           {SharedWrite, 128, 8},
           {GlobalRead, 128},
           {GlobalWrite, 128},
           {Shuffle, 32, shuffleLatency},
           {Atomic, 32},
           {Barrier, 1, 25}}};
}

} // namespace tileiras
