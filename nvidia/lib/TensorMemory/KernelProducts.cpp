//===- KernelProducts.cpp - MMAs in tensor memory -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelProducts.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"

using namespace mlir;

namespace tileiras {

KernelProducts openProducts(LLVM::LLVMFuncOp kernel, const LoweringContext &lowering, ScaleColumns &scales) {
  auto isPlaced = [&](as::AtomAttr atom) {
    const MmaAtom *mma = atom.findMma(lowering.atoms());
    return mma && mma->kind == MmaKind::TensorMemory;
  };
  SmallVector<as::DotOp> closed;
  kernel.walk([&](as::DotOp product) {
    if (isPlaced(product.getAtom()))
      closed.push_back(product);
  });
  for (as::DotOp product : closed) {
    if (product.isBlockScaled() && !product.hasScalesInMemory())
      scales.open(product);
    else
      as::startProduct(product);
  }
  KernelProducts products{kernel, {}, {}};
  kernel.walk([&](as::AsyncDotOp product) {
    if (isPlaced(product.getAtom())) {
      products.all.push_back(product);
      products.scopes.insert(getScopeRegion(product));
    }
    if (product.isBlockScaled())
      scales.add(product);
  });
  return products;
}

} // namespace tileiras
