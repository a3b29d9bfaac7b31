//===- ProductWaits.cpp - Waits for MMAs in tensor memory -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductWaits.h"
#include "PendingProducts.h"
#include "ProductGroups.h"
#include "ReusedMemory.h"
#include "TensorMemoryBarriers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras {

/// Divides the products of the kernel's only scope among its warpgroups, if it has one and no accumulator is a stage.
/// Each group has barriers of its own then, of `numBarriers` in all. Returns how many groups there are.
static int64_t divideAmongGroups(const KernelProducts &products, const ColumnPlan &columns, AccumulatorMemory &memory,
                                 int64_t numBarriers, const LoweringContext &lowering) {
  const bool mayDivide = products.scopes.size() == 1 && columns.rings.empty();
  const int64_t groups = mayDivide ? divideProducts(*products.scopes.front(), lowering) : 1;
  memory.op.setScopes(numBarriers * groups);
  LLVM::LLVMFuncOp(products.kernel).walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<as::WaitProductsOp, as::WaitAccumulatorOp, as::CommitAccumulatorOp>(
        [&](auto user) { user.setScope(user.getScope() * groups); });
  });
  return groups;
}

namespace {

/// An operation that writes tensor memory, and where.
struct ColumnWriter {
  Operation *op;
  ColumnRange written;
};

} // namespace

/// Places waits for all products before those `writers` at which a product may be under way that uses columns with
/// which theirs are in conflict.
static void awaitConflicts(const KernelProducts &products, const AccumulatorWebs &webs, const ColumnPlan &columns,
                           const AccumulatorMemory &memory, bool ofAllGroups, ArrayRef<ColumnWriter> writers,
                           llvm::function_ref<bool(ColumnRange written, ColumnRange used)> conflicts) {
  const PendingProducts pending(products.kernel, ofAllGroups,
                                llvm::map_to_vector(writers, [](const ColumnWriter &writer) { return writer.op; }));
  for (const ColumnWriter &writer : writers) {
    auto isInTheWay = [&](Operation *op) {
      if (isa<as::CommitProductsOp>(op))
        return false;
      auto product = dyn_cast<as::AsyncDotOp>(op); // Those with scales use what is not known here.
      return !product || llvm::any_of(findUsed(product, webs, columns),
                                      [&](ColumnRange used) { return conflicts(writer.written, used); });
    };
    if (!llvm::any_of(pending.getBefore(writer.op), isInTheWay))
      continue;
    OpBuilder builder(writer.op);
    emitWait(builder, writer.op->getLoc(), writer.op, memory);
  }
}

/// Stores have waited for products that use the same tile, but not for others in these columns. Groups know nothing of
/// each other's products: these use other columns where they use the same tile, and perhaps the same ones where they do
/// not.
static void awaitOthers(const KernelProducts &products, const AccumulatorWebs &webs, const ColumnPlan &columns,
                        const AccumulatorMemory &memory, int64_t groups) {
  SmallVector<ColumnWriter> writers;
  LLVM::LLVMFuncOp(products.kernel).walk([&](Operation *op) {
    for (ColumnRange written : findWritten(op, webs, columns))
      writers.push_back({op, written});
  });
  auto isStore = [](const ColumnWriter &writer) { return isa<as::CopyOp>(writer.op); };
  awaitConflicts(products, webs, columns, memory, /*ofAllGroups=*/false, llvm::filter_to_vector(writers, isStore),
                 [](ColumnRange written, ColumnRange used) { return written.overlaps(used); });
  if (groups > 1)
    awaitConflicts(products, webs, columns, memory, /*ofAllGroups=*/true, writers,
                   [](ColumnRange written, ColumnRange used) { return written != used && written.overlaps(used); });
}

/// The loads of accumulators are waited for where these are used or overwritten.
static void postponeLoads(Operation *kernel, const AccumulatorWebs &webs, const ColumnPlan &columns) {
  postponeCompletion(kernel, [&](Operation *writer, Value tile) {
    if (!webs.contains(tile)) // A stage of a pipeline.
      return true;
    const ColumnRange loaded = columns.webs[webs.getNumber(tile)];
    return llvm::any_of(findWritten(writer, webs, columns),
                        [&](ColumnRange written) { return written.overlaps(loaded); });
  });
}

void placeProductWaits(const KernelProducts &products, const AccumulatorWebs &webs, const ColumnPlan &columns,
                       AccumulatorMemory &memory, const llvm::SmallPtrSetImpl<Operation *> &apart,
                       const LoweringContext &lowering) {
  LLVM::LLVMFuncOp kernel = products.kernel;
  auto emitBefore = [&](OpBuilder &builder, Operation *user) { emitWait(builder, user->getLoc(), user, memory); };
  const unsigned numAlone = memory.barriers.dropAmbiguous(kernel, emitBefore);
  const int64_t groups = divideAmongGroups(products, columns, memory, products.scopes.size() + numAlone, lowering);
  awaitOthers(products, webs, columns, memory, groups);
  // What takes an accumulator from a pipeline waits for its products.
  auto isWatched = [&](Operation *pending) {
    auto product = dyn_cast<as::AsyncDotOp>(pending);
    return product ? webs.contains(product.getResult()) : columns.rings.empty();
  };
  awaitBeforeReuse(kernel, lowering, isWatched, emitBefore);
  dropRepeatedWaits(kernel.getBody());
  auto areApart = [&](Operation *op) { return groups > 1 && apart.contains(op); };
  if (groups > 1)
    addExclusiveSections(*products.scopes.front(), lowering, groups, areApart);
  postponeLoads(kernel, webs, columns);
  placeTensorMemoryBarriers(
      kernel, [&](Operation *op) { return areApart(op) ? getGroupBarrier(*products.scopes.front()) : IntegerAttr(); });
}

} // namespace tileiras
