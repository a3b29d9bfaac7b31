//===- DataSlice.h - What need not be computed to time a kernel -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_DATASLICE_H
#define PTX_EMULATOR_TIMING_DATASLICE_H

#include "StaticCode.h"
#include <vector>

namespace ptxemu::timing {

/// Which floating-point instructions and matrix products feed nothing but data. What control flow, addresses, barriers
/// and atomics of integers use is needed, through registers, whatever the path. Where that includes a float that a load
/// brings, whatever is stored is needed too. Integers that are loaded are taken to have been stored as integers, which
/// are always computed. Tensor memory is needed as a whole, or not at all.
class DataSlice {
public:
  explicit DataSlice(const StaticCode &);
  /// Whether a run may leave the results of the instruction undefined.
  bool isSkippable(uint32_t place) const { return skippable[place]; }

private:
  bool visit(uint32_t place);
  bool visitTensorMemory(const StaticInstruction &, const Inst &);
  bool computesData(uint32_t place) const;
  bool need(const Function &, const std::vector<RegisterIndex> &, size_t first, size_t last, bool asFloat);
  bool writesNeeded(const StaticInstruction &) const;
  bool writesNeededAsFloat(const StaticInstruction &) const;

  const StaticCode &code;
  std::vector<bool> needed, neededAsFloat; ///< registers
  bool memoryIsNeeded = false;             ///< for its floats
  bool tensorMemoryIsNeeded = false;
  std::vector<bool> skippable;
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_DATASLICE_H
