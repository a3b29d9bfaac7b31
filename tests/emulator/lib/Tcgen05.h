//===- Tcgen05.h - Shared between the tcgen05 families ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TCGEN05_H
#define PTX_EMULATOR_TCGEN05_H

#include "Decoder.h"
#include "Machine.h"

namespace ptxemu {

/// A tensor-memory address: lane in the upper half, column in the lower.
struct TensorAddress {
  unsigned lane, column;
  explicit TensorAddress(uint64_t raw) : lane(raw >> 16 & 0xffff), column(raw & 0xffff) {}
};

/// Faults unless lanes × columns from the address lie in one live allocation of the CTA.
void checkTensorRange(Cta &, TensorAddress, unsigned lanes, unsigned columns, int lane);
/// Marks an access of whole columns by the tensor core, for race checking.
void checkTensorEngine(Exec &, Cta &, TensorAddress, unsigned lanes, unsigned columns, bool isWrite, uint32_t clock);
/// Appends work to the CTA's tensor core; it runs some time later, in order.
void enqueueTensorWork(Machine &, Cta &, std::function<void()>);
/// The tensor core's strand of the CTA.
uint32_t tensorEngine(Cta &);

void decodeTensorMma(OpReader &);
void decodeTensorCopyFromShared(OpReader &); ///< tcgen05.cp

/// Checks 16 bytes of shared memory the tensor core reads.
void readByTensorCore(Exec &, Cta &, const char *what, uint32_t address, uint32_t engine, uint32_t clock);

} // namespace ptxemu

#endif // PTX_EMULATOR_TCGEN05_H
