//===- MbarrierState.h - mbarrier objects -----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_MBARRIERSTATE_H
#define PTX_EMULATOR_MBARRIERSTATE_H

#include "State.h"

namespace ptxemu {

/// The mbarrier at an address of a CTA's shared memory; throws Fault when none has been initialised there.
Mbarrier &mbarrierAt(Exec &, Cta &, uint64_t offset, unsigned lane);

/// Arrivals and transaction bytes; each may complete the phase.
void arriveOn(Machine &, Cta &, uint64_t offset, Mbarrier &, unsigned count, unsigned lane);
void expectTransactions(Mbarrier &, int64_t bytes, unsigned lane);
void completeTransactions(Machine &, Cta &, uint64_t offset, Mbarrier &, int64_t bytes);

/// The engine strand that stands for asynchronous work signalled through this mbarrier.
uint32_t engineOf(Cluster &, Mbarrier &);
/// A strand for some other queue of asynchronous work.
uint32_t newEngine(Cluster &);

} // namespace ptxemu

#endif // PTX_EMULATOR_MBARRIERSTATE_H
