//===- AccumulatorMemory.cpp - A kernel's tensor memory -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccumulatorMemory.h"
#include "ProductGroups.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedBytes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

AccumulatorMemory createMemory(const KernelProducts &products, ArrayRef<as::AllocTensorOp> rings,
                               const AccumulatorWebs &webs, const ColumnPlan &columns,
                               const LoweringContext &lowering) {
  LLVM::LLVMFuncOp kernel = products.kernel;
  const Location location = products.all.front()->getLoc();
  AccumulatorMemory memory{{}, {}, AccumulatorBarriers(webs, products.all, products.scopes.size()), {}};
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  // Before it is known whether products are divided.
  const int64_t mostGroups = products.scopes.size() == 1 ? countMostGroups(products.all.front(), lowering) : 1;
  const int64_t numBarriers = (products.scopes.size() + memory.barriers.getCount()) * mostGroups,
                bytes = llvm::PowerOf2Ceil(as::AllocTensorMemoryOp::getMailboxBytes(numBarriers));
  Value mailbox = createSharedBytes(builder, location, bytes);
  for (Region *scope : products.scopes)
    memory.phases[scope] = createParity(builder, location, /*first=*/0);
  memory.barriers.createPhases(builder, location);
  const bool isOfPair = llvm::any_of(products.all, [](as::AsyncDotOp product) { return product.getCtaPair(); });
  memory.op = as::AllocTensorMemoryOp::create(builder, location, mailbox, columns.total, numBarriers, isOfPair);
  for (auto [web, range] : llvm::zip_equal(webs.getWebs(), columns.webs))
    memory.tiles.push_back(createTile(builder, location, web.type,
                                      cast<as::DotOperandAttr>(web.type.getEncoding()).getAtom(), as::OperandAxis::C,
                                      range.first, memory, lowering));
  for (auto [ring, range] : llvm::zip_equal(rings, columns.rings)) {
    as::AllocTensorOp alloc = ring;
    alloc.replaceAllUsesWith(
        as::TensorMemoryTileOp::create(builder, alloc.getLoc(), alloc.getType(), memory.getBase(), int32_t(range.first))
            .getResult());
    alloc.erase();
  }
  kernel.walk([&](LLVM::ReturnOp end) {
    OpBuilder atEnd(end);
    as::FreeTensorMemoryOp::create(atEnd, end.getLoc(), memory.getBase(), mailbox, columns.total, isOfPair);
  });
  return memory;
}

Value createTile(OpBuilder &builder, Location location, RankedTensorType tile, as::AtomAttr atom, as::OperandAxis axis,
                 int64_t column, const AccumulatorMemory &memory, const LoweringContext &lowering) {
  return as::TensorMemoryTileOp::create(builder, location,
                                        as::getTensorMemoryType(tile, *atom.findMma(lowering.atoms()), axis),
                                        memory.getBase(), int32_t(column));
}

void emitWait(OpBuilder &builder, Location location, Operation *user, const AccumulatorMemory &memory) {
  Region *scope = getScopeRegion(user);
  const auto number = std::distance(memory.phases.begin(), memory.phases.find(scope));
  as::WaitProductsOp::create(builder, location, memory.getBarriers(), memory.phases.lookup(scope), int32_t(number));
}

void emitWait(OpBuilder &builder, Location location, Operation *user, unsigned web, const AccumulatorMemory &memory,
              const LoweringContext &lowering) {
  if (!memory.barriers.emitWait(builder, location, web, memory.getBarriers(), lowering))
    emitWait(builder, location, user, memory);
}

} // namespace tileiras
