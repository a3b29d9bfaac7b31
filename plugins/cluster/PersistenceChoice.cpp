//===- PersistenceChoice.cpp - Whether persistence pays -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PersistenceChoice.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Analysis/ElementwiseChains.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras::cluster {
namespace {

constexpr int64_t kRegisterBits = 32, kLanes = 32;

/// What the products of the loops of a kernel take, of a whole tile block.
struct ProductNeeds {
  int64_t stageBytes = 0;      ///< of the loop where it is most
  int64_t accumulatorBits = 0; ///< of the largest product
  int64_t resultBytes = 0;     ///< of the largest tile that is stored
  int64_t partBytes = 0;       ///< of what is stored of it at once, where memory is short
  int64_t tilesBehind = 1;     ///< of the accumulator's size that one operation after the loop combines
};

bool isNumbers(Value value) {
  auto tile = dyn_cast<RankedTensorType>(value.getType());
  return tile && tile.getElementType().isIntOrFloat();
}

/// Of a tile of numbers.
int64_t countBits(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  return type.getNumElements() * type.getElementTypeBitWidth();
}

/// Behind each other, on their way to the copy engine, which takes none that are stored through pointers.
int64_t countStoreParts(Operation *store, Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  const int64_t columns = isa<aa::TiledStoreOp>(store) ? type.getShape().back() : 1;
  return std::clamp<int64_t>(columns * type.getElementTypeBitWidth() / 8 / as::kLeastPartRowBytes, 1,
                             as::kMostStoreParts);
}

bool isRepeated(Value tile) {
  return tile.getDefiningOp<aa::BroadcastOp>() || tile.getDefiningOp<aa::SplatOp>() || matchPattern(tile, m_Constant());
}

/// Tiles of `bits` that an operation outside of loops needs at once, but for those that repeat a row or an element.
int64_t countTilesBehind(aa::FuncOp kernel, int64_t bits) {
  const ElementwiseChains chains([](Operation *op) {
    return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
           llvm::none_of(op->getResults(), [](Value result) { return isNumbers(result) && !isRepeated(result); });
  });
  int64_t most = 1;
  for (Operation &op : kernel.getBody().front()) {
    if (!OpTrait::hasElementwiseMappableTraits(&op))
      continue;
    llvm::SmallPtrSet<Value, 4> tiles;
    for (Value operand : op.getOperands())
      if (isNumbers(operand) && countBits(operand) == bits && !isRepeated(operand) && !chains.isInPassing(operand))
        tiles.insert(operand);
    most = std::max<int64_t>(most, tiles.size());
  }
  return most;
}

ProductNeeds measureProducts(aa::FuncOp kernel) {
  ProductNeeds needs;
  kernel.walk([&](Operation *op) {
    if (!isa<aa::StoreOp, aa::TiledStoreOp>(op))
      return;
    for (Value operand : op->getOperands())
      if (isNumbers(operand)) {
        needs.resultBytes = std::max(needs.resultBytes, countBits(operand) / 8);
        needs.partBytes = std::max(needs.partBytes, countBits(operand) / 8 / countStoreParts(op, operand));
      }
  });
  kernel.walk([&](scf::ForOp loop) {
    llvm::SetVector<Value> operands;
    for (Operation &op : *loop.getBody()) {
      if (!isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
        continue;
      // Those from before the loop stay where they are.
      for (Value operand : op.getOperands().take_front(2))
        if (!loop.isDefinedOutsideOfLoop(operand))
          operands.insert(operand);
      needs.accumulatorBits = std::max(needs.accumulatorBits, countBits(op.getResult(0)));
    }
    int64_t bits = 0;
    for (Value operand : operands)
      bits += countBits(operand);
    needs.stageBytes = std::max(needs.stageBytes, bits / 8);
  });
  needs.tilesBehind = countTilesBehind(kernel, needs.accumulatorBits);
  return needs;
}

/// What may ask again and again what another tile block has done.
Operation *findWaiting(aa::FuncOp kernel) {
  Operation *found = nullptr;
  kernel.walk([&](Operation *op) {
    if (!op->getParentOfType<scf::WhileOp>())
      return WalkResult::advance();
    auto isOrdered = [](auto load) { return load.getMemSemantic() != aa::MemSemantic::Weak; };
    auto load = dyn_cast<aa::LoadOp>(op);
    auto tiledLoad = dyn_cast<aa::TiledLoadOp>(op);
    if (isa<aa::AtomicCASOp, aa::AtomicRMWOp, aa::TiledAtomicRMWOp>(op) || (load && isOrdered(load)) ||
        (tiledLoad && isOrdered(tiledLoad)))
      found = op;
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// Whether `value` is the same in all tile blocks of a launch, as far as can be seen.
bool isSameForAll(Value value) {
  llvm::SetVector<Value> values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (!op && isa<aa::FuncOp>(cast<BlockArgument>(values[i]).getOwner()->getParentOp()))
      continue;
    if (!op || !isPure(op) || isa<aa::GetProgramIdOp>(op))
      return false;
    values.insert_range(op->getOperands());
  }
  return true;
}

/// Of the operand `tile` of a product, whose dimension `reduced` is summed over: whether neighbours along it are
/// neighbours in memory. Nothing where no copy engine may load the operand.
std::optional<bool> isContiguousAlong(Value tile, unsigned reduced) {
  auto getType = [&] { return cast<RankedTensorType>(tile.getType()); };
  int64_t behind = getType().getRank() - 1 - reduced; // dimensions, of which views add and drop those in front
  while (Operation *op = tile.getDefiningOp()) {
    if (isa<aa::TiledLoadOp>(op))
      return behind == 0;
    auto permute = dyn_cast<aa::PermuteOp>(op);
    auto conversion = dyn_cast<aa::FpToFpOp>(op);
    if (!permute && !isa<aa::ViewOp>(op) && !(conversion && as::canTensorCopyConvert(conversion)))
      return std::nullopt;
    if (permute)
      behind = getType().getRank() - 1 - permute.getPermutation()[getType().getRank() - 1 - behind];
    tile = op->getOperand(0);
  }
  return std::nullopt;
}

/// Whether copy engines may load both operands: elements of 16 bits however they lie, others if one operand has
/// neighbours along K. The other one is multiplied from registers.
bool isLoadedByEngine(Operation *product) {
  constexpr unsigned kAnyOrderBits = 16;
  const std::optional<bool> a = isContiguousAlong(product->getOperand(0), /*reduced=*/1),
                            b = isContiguousAlong(product->getOperand(1), /*reduced=*/0);
  const bool takesAnyOrder = getElementTypeOrSelf(product->getOperand(0)).getIntOrFloatBitWidth() == kAnyOrderBits;
  return a && b && (takesAnyOrder || *a || *b);
}

/// Why a stride over the grid gains nothing; empty: it does.
std::string findReasonAgainstStride(aa::FuncOp kernel) {
  SmallVector<Operation *> products;
  kernel.walk([&](Operation *op) {
    if (isa<aa::DotOp, aa::MmaBlockScaleOp>(op))
      products.push_back(op);
  });
  if (products.size() != 1)
    return "it has several MMAs, and what is computed between them takes the registers";
  auto loop = dyn_cast<scf::ForOp>(products.front()->getParentOp());
  if (!loop || loop->getParentOp() != kernel)
    return "its MMA is in " + products.front()->getParentOp()->getParentOp()->getName().getStringRef().str() +
           ", not in a loop of the kernel";
  if (!isLoadedByEngine(products.front()))
    return "threads load operands of its MMA, which the same warps would do";
  if (!isSameForAll(loop.getLowerBound()) || !isSameForAll(loop.getUpperBound()) || !isSameForAll(loop.getStep()))
    return "how often its MMA runs may differ between tile blocks, and a stride would not balance that";
  return "";
}

/// Products of a loop, of more rows than a warpgroup of a CTA has, one of which needs what another's sums became:
/// warpgroups are apart in them, and ping-pong at what is between, where no loop is around.
bool hasWarpgroupsApart(aa::FuncOp kernel, const MachineModel &machine, int64_t ctas) {
  return kernel
      .walk([&](aa::DotOp product) {
        auto loop = dyn_cast<scf::ForOp>(product->getParentOp());
        auto sums = cast<RankedTensorType>(product.getType());
        if (!loop || sums.getDimSize(sums.getRank() - 2) <= machine.tensorMemoryLanes * ctas)
          return WalkResult::advance();
        llvm::SetVector<Operation *> slice;
        BackwardSliceOptions options;
        options.filter = [&](Operation *op) { return op->getBlock() == loop.getBody(); };
        (void)getBackwardSlice(product.getOperation(), &slice, options);
        return llvm::any_of(slice, llvm::IsaPred<aa::DotOp>) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

} // namespace

PersistenceChoice choosePersistence(aa::FuncOp kernel, const ChipTarget &target, int64_t stages, bool hasAgents) {
  const bool isHandedOut = target && target.chip->features.clusterlaunchcontrol;
  if (!isHandedOut && !(target && hasAgents && target.chip->features.tma))
    return {};
  const ProductNeeds needs = measureProducts(kernel);
  if (needs.stageBytes == 0)
    return {};
  auto refuse = [](auto &&...text) { return PersistenceChoice{false, llvm::formatv(text...).str()}; };
  if (Operation *waiting = findWaiting(kernel))
    return refuse("{0} in a loop may wait for another tile block, and that could be the next of its own",
                  waiting->getName().getStringRef());
  if (std::string reason = isHandedOut ? "" : findReasonAgainstStride(kernel); !reason.empty())
    return refuse("{0}", reason);
  const aa::KernelSpecAttr spec = kernel.getKernelSpecAttr();
  if (isHandedOut && hasWarpgroupsApart(kernel, target.machine(), spec.getNumCtas()))
    return refuse("its warpgroups ping-pong at what is computed between its MMAs, which a loop around would prevent");
  if (spec.getOccupancy() > 1)
    return refuse("hint 'occupancy' asks for {0} tile blocks on a multiprocessor", spec.getOccupancy());
  const MachineModel &machine = target.machine();
  const int64_t ctas = spec.getNumCtas(), threads = spec.getNumWarps() * kLanes;
  const int64_t bytes = (stages * needs.stageBytes + needs.resultBytes) / ctas,
                least = (stages * needs.stageBytes + needs.partBytes) / ctas;
  if (isHandedOut && least > machine.sharedMemoryBytes)
    return refuse(
        "{0} stages and results on their way take {1} bytes of shared memory, of {2}: there would be fewer stages, "
        "which results cannot lie in while the next ones are filled",
        stages, least, machine.sharedMemoryBytes);
  const int64_t accumulators = llvm::divideCeil(needs.accumulatorBits, kRegisterBits * threads * ctas);
  const int64_t most = machine.getRegistersPerThread(threads, /*ctas=*/1);
  const int64_t others = target.tuning().registersBesideAccumulators;
  // Loops of slices, which such tiles are cut into, would have another one around them.
  if (accumulators + others > most)
    return refuse("its MMAs take {0} registers a thread, of {1}: they are computed in slices", accumulators + others,
                  most);
  if (const int64_t behind = needs.tilesBehind * accumulators + others; !isHandedOut && behind > most)
    return refuse("its MMAs and what is computed after them take {0} registers a thread, of {1}: nothing would go on "
                  "while results are stored",
                  behind, most);
  const int64_t registers = std::min<int64_t>(accumulators + others, machine.maxRegistersPerThread);
  const int64_t blocks =
      machine.countResidentCTAs(spec.getNumWarps(), registers, std::min<int64_t>(bytes, machine.sharedMemoryBytes));
  const std::string figures =
      llvm::formatv("{0} stages and a tile of results take {1} bytes of shared memory, accumulators {2} registers a "
                    "thread: {3} tile block{4} on a multiprocessor",
                    stages, bytes, accumulators, blocks, blocks == 1 ? "" : "s");
  return {blocks == 1, figures};
}

} // namespace tileiras::cluster
