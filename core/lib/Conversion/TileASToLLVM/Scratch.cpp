//===- Scratch.cpp - What an operation takes of the scratch area ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "MemoryInstructions.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {

int64_t getScratchBytes(const LoweringContext &lowering, Operation *op) {
  auto isRacy = [](auto access) { return access.getMemSemantic() != aa::MemSemantic::Weak; };
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case<as::ConvertLayoutOp>([&](auto convert) {
        Type element = lowering.converter.convertElement(getElementTypeOrSelf(convert.getType()));
        return getConversionScratchBytes(lowering, element, getLayout(convert.getSource().getType()),
                                         getLayout(convert.getType()));
      })
      .Case<as::TiledLoadOp, as::LoadOp>(
          [&](auto load) { return isRacy(load) ? getHolderBroadcastBytes(lowering, load.getResult().getType()) : 0; })
      .Case<as::ReduceOp>([&](auto reduce) { return getReduceScratchBytes(lowering, reduce); })
      .Case<as::DotOp>([&](auto dot) { return getDotScratchBytes(lowering, dot); })
      .Case<as::ScanOp>([&](auto scan) { return getScanScratchBytes(lowering, scan); })
      .Case<as::ExtractSliceOp, as::InsertSliceOp>([&](auto slice) { return getSliceScratchBytes(lowering, slice); })
      .Case<as::AtomicRMWOp, as::AtomicCASOp, as::TiledAtomicRMWOp>(
          [&](auto atomic) { return getAtomicScratchBytes(lowering, atomic); })
      .Case<as::PrintOp>([&](auto print) { return getPrintScratchBytes(lowering, print); })
      .Default([](Operation *) { return 0; });
}

} // namespace tileiras
