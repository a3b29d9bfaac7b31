//===- ShareOperands.cpp - tileas-share-operands --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "Remarks.h"
#include "SlotRewriter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Analysis/WarpgroupProducts.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::layout {
#define GEN_PASS_DEF_TILEASSHAREOPERANDS
#include "Passes.h.inc"

namespace {

bool takesRegisters(as::DotOp product) {
  return !as::isMemoryTensor(product.getA().getType());
}

struct TileASShareOperands : impl::TileASShareOperandsBase<TileASShareOperands> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TileASShareOperands)
  using TileASShareOperandsBase::TileASShareOperandsBase;

  void runOnOperation() override {
    target = findModuleTarget(getOperation(), gpuName);
    if (!target || !(hasWarpgroupProducts(target) || target.chip->features.fillsByGroups()))
      return;
    llvm::MapVector<scf::ForOp, SmallVector<as::DotOp>> loops;
    SmallVector<as::DotOp> all;
    getOperation()->walk([&](as::DotOp product) {
      const MmaAtom *atom = product.getAtom().findMma(target.atoms());
      if (!atom || (hasWarpgroupProducts(target) && !as::isWarpgroupAtom(*atom)))
        return;
      all.push_back(product);
      if (auto loop = product->getParentOfType<scf::ForOp>())
        loops[loop].push_back(product);
    });
    if (all.empty())
      return;
    ctas = countCTAs(loops);
    sharedMemory.emplace(getOperation(), target, ctas);
    buffers.clear();
    if (hasWarpgroupProducts(target))
      for (as::DotOp product : all)
        separate(product, all);
    for (auto &[loop, products] : loops)
      relieve(loop, products);
  }

  //===--------------------------------------------------------------------===//
  // Operands beside others
  //===--------------------------------------------------------------------===//

  /// It is the same in all iterations, or becomes it when what it is computed from leaves the loop.
  static bool isInvariant(Value value, LoopLikeOpInterface loop) {
    llvm::SetVector<Value> values;
    values.insert(value);
    for (size_t i = 0; i < values.size(); ++i) {
      if (loop.isDefinedOutsideOfLoop(values[i]))
        continue;
      Operation *op = values[i].getDefiningOp();
      if (!op || !isPure(op) || op->getNumRegions() != 0 || llvm::any_of(op->getOperandTypes(), as::isMemoryTensor))
        return false;
      values.insert_range(op->getOperands());
    }
    return true;
  }

  static void hoist(Value value, LoopLikeOpInterface loop) {
    if (loop.isDefinedOutsideOfLoop(value))
      return;
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      hoist(operand, loop);
    loop.moveOutOfLoop(op);
  }

  /// Moves the operand that `product` has in registers to shared memory where a loop does not change it, but has
  /// products with other operands in registers. Where there is no room, the lowering takes care of it
  /// (ReusedOperands.cpp, which says what happens else).
  void separate(as::DotOp product, ArrayRef<as::DotOp> all) {
    if (!takesRegisters(product))
      return;
    Value operand = as::skipConversions(product.getA());
    auto isOther = [&](as::DotOp other) {
      return takesRegisters(other) && as::skipConversions(other.getA()) != operand;
    };
    LoopLikeOpInterface outermost;
    bool isBesideOthers = false;
    for (auto loop = product->getParentOfType<LoopLikeOpInterface>(); loop && isInvariant(operand, loop);
         loop = loop->getParentOfType<LoopLikeOpInterface>()) {
      outermost = loop;
      isBesideOthers |=
          llvm::any_of(all, [&](as::DotOp other) { return loop->isProperAncestor(other) && isOther(other); });
    }
    if (!isBesideOthers)
      return;
    hoist(operand, outermost);
    (void)share(operand, all, "another MMA of the loop has its left operand in registers");
  }

  //===--------------------------------------------------------------------===//
  // Operands that take too many registers
  //===--------------------------------------------------------------------===//

  /// 32-bit registers of a thread for a tile that all threads hold together.
  static int64_t countRegisters(Value tile, int64_t threads) {
    auto type = cast<RankedTensorType>(tile.getType());
    return tileiras::countRegisters(type.getNumElements(), type.getElementType(), threads);
  }

  /// Tiles of the products of a loop, and those that they read from registers and that come from before the loop.
  struct ProductTiles {
    llvm::SetVector<Value> all, operands;
  };
  static ProductTiles findTiles(scf::ForOp loop, ArrayRef<as::DotOp> products) {
    ProductTiles tiles;
    for (as::DotOp product : products) {
      tiles.all.insert(product.getResult());
      if (!takesRegisters(product))
        continue;
      Value a = as::skipConversions(product.getA());
      tiles.all.insert(a);
      if (loop.isDefinedOutsideOfLoop(a))
        tiles.operands.insert(a);
    }
    return tiles;
  }

  static int64_t countRegisters(const ProductTiles &tiles, int64_t threads) {
    int64_t needed = 0;
    for (Value tile : tiles.all)
      needed += countRegisters(tile, threads);
    return needed;
  }

  /// As many as are wanted and have registers for the tiles of their products: `tileas-relax-occupancy` will not let
  /// there be more.
  int64_t countCTAs(const llvm::MapVector<scf::ForOp, SmallVector<as::DotOp>> &loops) {
    int64_t count = getWantedCTAs(getOperation());
    for (auto &[loop, products] : loops) {
      const int64_t threads = getExecutionScope(loop).getNumThreads();
      const int64_t needed = countRegisters(findTiles(loop, products), threads);
      while (count > 1 && needed > target.machine().getRegistersPerThread(threads, count))
        --count;
    }
    return count;
  }

  /// The largest operand first, until the tiles of the products leave a quarter of the registers to everything else.
  void relieve(scf::ForOp loop, ArrayRef<as::DotOp> products) {
    const int64_t threads = getExecutionScope(loop).getNumThreads();
    const int64_t limit = target.machine().getRegistersPerThread(threads, ctas);
    ProductTiles tiles = findTiles(loop, products);
    int64_t needed = countRegisters(tiles, threads);
    SmallVector<Value> order = tiles.operands.takeVector();
    llvm::stable_sort(
        order, [&](Value lhs, Value rhs) { return countRegisters(lhs, threads) > countRegisters(rhs, threads); });
    for (Value operand : order) {
      if (4 * needed <= 3 * limit)
        return;
      if (succeeded(share(operand, products, "registers are short")))
        needed -= countRegisters(operand, threads);
    }
  }

  //===--------------------------------------------------------------------===//
  // Shared memory
  //===--------------------------------------------------------------------===//

  /// All of `products` that take `operand` from registers read it in shared memory, or none does. `reason`: why they
  /// should.
  LogicalResult share(Value operand, ArrayRef<as::DotOp> products, StringRef reason) {
    SmallVector<as::DotOp> readers;
    for (as::DotOp product : products)
      if (takesRegisters(product) && as::skipConversions(product.getA()) == operand)
        readers.push_back(product);
    RankedTensorType type = as::chooseOperandMemory(cast<RankedTensorType>(operand.getType()), /*contiguous=*/1);
    return hasWarpgroupProducts(target) ? shareWithWarpgroups(operand, type, readers, reason)
                                        : shareWithWarps(operand, type, readers, reason);
  }

  /// Warps read the fragments that they need where they multiply.
  LogicalResult shareWithWarps(Value operand, RankedTensorType type, MutableArrayRef<as::DotOp> readers,
                               StringRef reason) {
    Value buffer = type ? getBuffer(operand, type, readers.front(), reason) : Value();
    if (!buffer)
      return failure();
    for (as::DotOp reader : readers) {
      OpBuilder builder(reader);
      auto read = as::CopyOp::create(builder, reader.getLoc(), operand.getType(), buffer, Value(),
                                     as::AtomAttr::getAnyCopy(builder.getContext()));
      reader.getAMutable().set(
          as::ConvertLayoutOp::create(builder, reader.getLoc(), reader.getA().getType(), read.getResult()));
    }
    return success();
  }

  LogicalResult shareWithWarpgroups(Value operand, RankedTensorType type, MutableArrayRef<as::DotOp> readers,
                                    StringRef reason) {
    const int64_t numWarps = getExecutionScope(readers.front()).numWarps;
    SmallVector<WarpgroupProduct> chosen;
    for (as::DotOp reader : readers) {
      chosen.push_back(findWarpgroupProduct(reader, target, numWarps, as::OperandPlace::KMajor));
      if (!type || !chosen.back().atom)
        return failure();
      auto fits = as::getWarpgroupTiling(*chosen.back().atom, type, reader.getB().getType(),
                                         reader.getType().cloneWithEncoding(chosen.back().c));
      if (!fits) {
        llvm::consumeError(fits.takeError());
        return failure();
      }
    }
    Value buffer = getBuffer(operand, type, readers.front(), reason);
    if (!buffer)
      return failure();
    for (auto [reader, product] : llvm::zip_equal(readers, chosen)) {
      reader.getAMutable().set(buffer);
      reader.setAtomAttr(as::AtomAttr::get(reader.getContext(), product.atom->name));
      as::setAccumulator(reader, product.c);
    }
    return success();
  }

  /// The copy of `operand` in shared memory, from where it is computed on; null where there is no room.
  Value getBuffer(Value operand, RankedTensorType type, as::DotOp reader, StringRef reason) {
    Value &buffer = buffers[operand];
    if (!buffer)
      buffer = allocate(operand, type, reader, reason);
    return buffer;
  }

  Value allocate(Value operand, RankedTensorType type, as::DotOp reader, StringRef reason) {
    const int64_t bytes = as::getStageBytes(type);
    if (!sharedMemory->take(bytes, sharedMemory->getOrder().getWhole())) {
      remarkOn(reader, Missed::SharedOperand)
          << llvm::formatv(
                 "its left operand stays in registers, although {0}: it takes {1} bytes of shared memory, and "
                 "what else is there leaves {2}",
                 reason, bytes, sharedMemory->getFree(sharedMemory->getOrder().getWhole()))
                 .str();
      return {};
    }
    OpBuilder builder(&getContext());
    builder.setInsertionPointAfterValue(operand);
    Value buffer = as::copyToMemory(builder, operand.getLoc(), operand, type);
    if (Operation *op = operand.getDefiningOp())
      remarkOn(op, Analysis::SharedOperand)
          << llvm::formatv("MMAs of a loop read it in {0} bytes of shared memory: {1}", bytes, reason).str();
    return buffer;
  }

  ChipTarget target;
  int64_t ctas = 1; ///< on a multiprocessor at once
  std::optional<SharedBudget> sharedMemory;
  llvm::DenseMap<Value, Value> buffers;
};

} // namespace
} // namespace tileiras::layout
