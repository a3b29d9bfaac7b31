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
  unsigned lane = 0, column = 0;
  TensorAddress() = default;
  explicit TensorAddress(uint64_t raw) : lane(raw >> 16 & 0xffff), column(raw & 0xffff) {}
};

/// Faults unless the lanes and columns lie in one live allocation of the CTA; gives their region.
TensorRegion tensorRegion(Cta &, TensorAddress, unsigned lanes, unsigned columns, bool half = false);

/// One operation of the tensor core: checks of what it touches while it is issued, then the work itself.
class TensorIssue {
public:
  /// Faults unless one thread issues it; takes the CTAs it works on (`pair`: both of the pair).
  TensorIssue(Exec &, const char *what, bool pair);

  const std::vector<Cta *> &ctas() const { return targets; }
  unsigned lane() const { return thread; }
  /// An operand in tensor memory of one of the CTAs.
  void touch(Cta &, const TensorRegion &, bool writes, TensorPart);
  /// Some of the 16 bytes of shared memory at an address.
  void readShared(Cta &, const std::string &what, uint32_t address, unsigned bytes = 16);
  /// Appends the work to the queue of the issuing CTA; it runs some time later, in order.
  void enqueue(const char *name, std::function<void()> work);

private:
  Exec &x;
  unsigned thread;
  std::vector<Cta *> targets;
  std::vector<std::pair<Cta *, TensorRegion>> written;
  uint32_t engine, clock;
};

/// The tensor core's strand of the CTA.
uint32_t tensorEngine(Cta &);
/// The other CTA of the pair; faults when there is none.
Cta &peerOf(Cta &);
/// All tcgen05 instructions of a kernel name the same number of CTAs.
void useGroup(Cta &, bool pair);

// Parts of instructions.
bool readGroup(OpReader &); ///< true for .cta_group::2
void syncAligned(OpReader &);

// One a file.
void decodeTensorAllocation(OpReader &);     ///< alloc, dealloc, relinquish_alloc_permit
void decodeTensorLoad(OpReader &);           ///< ld, ld.red
void decodeTensorStore(OpReader &);          ///< st
void decodeTensorWait(OpReader &);           ///< wait::ld, wait::st
void decodeTensorMma(OpReader &);            ///< mma
void decodeTensorCopyFromShared(OpReader &); ///< cp
void decodeTensorShift(OpReader &);          ///< shift

} // namespace ptxemu

#endif // PTX_EMULATOR_TCGEN05_H
