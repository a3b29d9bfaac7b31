//===- TensorReference.h - Tensor copies straight from the ISA's text -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TENSORREFERENCE_H
#define PTX_EMULATOR_TENSORREFERENCE_H

#include "TestSupport.h"

namespace ptxemu::testing {

/// The operands of a tensor copy.
struct TensorOperands {
  std::string mode;             ///< ".im2col" …; "" for a tile
  std::vector<int> coordinates; ///< gather4, scatter4: the column and four rows
  std::vector<int> info;        ///< im2col offsets, or wHalo and wOffset
};

/// A kernel that fills `sharedBytes` of shared memory with 0xcc, loads the box to `sharedOffset` in it, waits for
/// `transactionBytes`, and copies everything to its second parameter; the first is the map.
std::string loadKernel(const TensorMap &, const TensorOperands &, unsigned transactionBytes, unsigned sharedBytes,
                       unsigned sharedOffset = 0);

/// Runs a copy and compares every byte with what nested loops over the ISA's description say, but for the ends
/// of rows that are stored, which are hardware's. The map's address is
/// filled in. `sharedOffset`: where the box starts, from a multiple of 1024.
void checkLoad(TensorMap, const TensorOperands &, unsigned sharedOffset = 0);
void checkStore(const TensorMap &, const TensorOperands &, unsigned sharedOffset = 0);
void checkReduction(const TensorMap &, const TensorOperands &, const std::string &operation);
/// The tensor after a store, or a reduction, of the box that lies at `sharedOffset` of `data`, all of which is copied
/// to shared memory first: a multiple of 128 bytes. The map's address is filled in.
std::vector<uint8_t> storeInto(const std::vector<uint8_t> &tensor, TensorMap, const TensorOperands &,
                               const std::string &reduction, const std::vector<uint8_t> &data,
                               unsigned sharedOffset = 0);
/// The verdict on a store, or a reduction, of what threads have written, with or without a proxy fence between.
std::string storeVerdict(TensorMap, const TensorOperands &, const std::string &reduction, bool fence, uint64_t seed);

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_TENSORREFERENCE_H
