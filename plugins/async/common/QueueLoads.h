//===- QueueLoads.h - Loads that may run ahead of their loop ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether a load of a loop may be done before its iteration begins: where it reads follows from the induction variable,
// nothing orders it after a store of the loop, and who reads the tile is known.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_QUEUELOADS_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_QUEUELOADS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Target/TensorCopyRule.h"
#include "llvm/ADT/SetVector.h"
#include <string>
#include <vector>

namespace tileiras::async {

/// A load directly in the body of a loop, and what belongs to it. All operations are in that body, too.
struct QueueLoad {
  mlir::Operation *load; ///< a `tiled_load`, or a `load` through pointers
  /// What computes the address and what conversions need beside the tile, as far as it is not known before the loop.
  llvm::SetVector<mlir::Operation *> address;
  /// Tokens from before the loop that the load comes after.
  llvm::SetVector<mlir::Value> tokens;
  /// What gives the elements another shape or type on their way to the products, behind the entry of the queue.
  llvm::SetVector<mlir::Operation *> between;
  /// The first of them, one behind the other, if they run where the tile is loaded.
  std::vector<mlir::Operation *> conversions;
  /// Other loads of which conversions and the address depend. They are part of `address`.
  std::vector<QueueLoad> beside;
  bool isStored = false; ///< threads store what products read
  /// Matrix products with the tile as an operand, but not as the accumulator; empty for a load whose tile goes
  /// elsewhere as a whole.
  llvm::SetVector<mlir::Operation *> products;
  /// Where the tile goes otherwise; null if nowhere.
  mlir::Operation *otherReader = nullptr;

  mlir::Value getTile() const { return load->getResult(0); }
  /// What the queue holds: the tile, or what conversions make of it.
  mlir::Value getEntry() const { return conversions.empty() ? getTile() : conversions.back()->getResult(0); }
  mlir::Value getToken() const;       ///< that the load comes after; null: none
  mlir::Value getResultToken() const; ///< null: none
};

/// Follows the tile of a load to its readers. Scales are operands of products where `readsScales` (null: never) holds
/// for these.
QueueLoad findReaders(mlir::Operation *load, llvm::function_ref<bool(aa::MmaBlockScaleOp)> readsScales = nullptr);

/// The operations after the load, in program order, up to a value that all ways to products pass: the last that
/// computes. Fails where another one computes from the elements before they reach a product, or one takes
/// operands that cannot be had where the tile is loaded: from the variable of `loop`, what is outside of it, and other
/// loads. Who else reads what is between keeps the load.
mlir::FailureOr<llvm::SmallVector<mlir::Operation *>> findConversions(const QueueLoad &entry, mlir::scf::ForOp loop);

/// What `findConversions` has found runs where the tile is loaded.
void setConversions(QueueLoad &entry, llvm::ArrayRef<mlir::Operation *> conversions, mlir::scf::ForOp loop);

/// Conversions that the copy engine can do come right behind loads: what gives elements another place follows them.
void convertAtLoads(mlir::Operation *func);

/// The tile's conversions become what the copy engine does while it loads the tile: nothing if it cannot load it, or
/// somebody reads it as it is.
void convertByEngine(const TensorCopyRule &rule, QueueLoad &entry);

/// A tile whose elements get another type goes through registers of the threads that fill its stage: they compute what
/// becomes of it, once for all warps that read it. What computes with elements of the same type stays with who reads
/// them, and so does what a single warp reads.
void convertByThreads(QueueLoad &entry, mlir::scf::ForOp loop);

/// A load that has no order with accesses of other tile blocks.
bool isWeakLoad(mlir::Operation *op);

/// An operation of the loop that no load passes: it orders all accesses behind it after something that others do, or
/// perhaps does. Null if there is none.
mlir::Operation *findBarrier(mlir::scf::ForOp loop);

/// Finds out what `entry` needs to run ahead of `loop`, whose barrier is given. Otherwise says why it cannot, as the
/// end of a sentence whose subject is the load.
std::optional<std::string> findObstacle(QueueLoad &entry, mlir::scf::ForOp loop, mlir::Operation *barrier);

/// The user of the load's token, other than loads and joins, that stands before `position`, an operation of the same
/// block: null if there is none.
mlir::Operation *findTokenUserBefore(const QueueLoad &entry, mlir::Operation *position);

/// Whether there is such an operation in the body.
template <typename... Ops>
bool holdsAny(mlir::scf::ForOp loop) {
  auto isOne = [](mlir::Operation *op) {
    return mlir::isa<Ops...>(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  };
  return loop.getBody()->walk(isOne).wasInterrupted();
}

/// `count`, or the iterations of the loop if it has fewer.
int32_t limitByTrips(mlir::scf::ForOp loop, int32_t count);

/// What computes the addresses of the loads, in program order.
llvm::SmallVector<mlir::Operation *> collectAddresses(llvm::ArrayRef<QueueLoad> loads);

/// Erases, from the last to the first, what nobody uses any more of operations in program order, and loads whose tiles
/// nobody reads.
void eraseUnused(llvm::ArrayRef<mlir::Operation *> ops);

/// Maps the token of the load, and of those beside it, to what a copy outside of the loop's order comes after.
void mapTokens(mlir::OpBuilder &builder, const QueueLoad &entry, mlir::IRMapping &mapping);

/// Removes a load that another has replaced, and its conversions, unless somebody reads them: its token is that of what
/// it came after.
void eraseLoad(const QueueLoad &entry);

/// Name and source position of an operation, for remarks.
std::string nameOperation(mlir::Operation *op);

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_QUEUELOADS_H
