//===- KernelSpec.cpp - How many warps a kernel gets ---------------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hints.h"
#include "Patterns.h"
#include "tileiras/Analysis/RegisterPressure.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

constexpr unsigned kMaxWarps = 16;
/// Operands of a product with fewer rows are exchanged, where it is computed by warpgroups of so many.
constexpr int64_t kWarpgroupRows = 64;
/// More warps do not have more registers: a multiprocessor has 64 Ki.
constexpr unsigned kWarpsWithAllRegisters = 8;

//===----------------------------------------------------------------------===//
// Choice by the program
//===----------------------------------------------------------------------===//

/// A tile that is made anew where it is used takes no room.
static bool isMadeAnew(Operation *op) {
  return isa_and_nonnull<cuda_tile::ConstantOp, cuda_tile::BroadcastOp, cuda_tile::IotaOp>(op);
}

/// 32-bit registers that a tile takes over all threads.
static int64_t countRegisters(Value value) {
  auto tile = dyn_cast<cuda_tile::TileType>(value.getType());
  if (!tile || isMadeAnew(value.getDefiningOp()))
    return 0;
  return countRegisters(tile.getNumElements(), tile.getElementType(), /*threads=*/1);
}

/// What loads the operand where the product stands; null if nothing does. `mayConvert`: its elements may get another
/// type on the way.
static Operation *findLoad(Operation *product, Value operand, bool mayConvert = false) {
  Operation *op = operand.getDefiningOp();
  while (isa_and_nonnull<cuda_tile::PermuteOp, cuda_tile::ReshapeOp>(op) ||
         (mayConvert && isa_and_nonnull<cuda_tile::FToFOp, cuda_tile::IToFOp>(op)))
    op = op->getOperand(0).getDefiningOp();
  const bool isLoad = isa_and_nonnull<cuda_tile::LoadPtrTkoOp, cuda_tile::LoadViewTkoOp>(op);
  return isLoad && op->getBlock() == product->getBlock() ? op : nullptr;
}

/// The operands of a product with few rows are exchanged where both are loaded and only the next iteration adds to its
/// result.
static bool isExchanged(Operation *product) {
  return findLoad(product, product->getOperand(0)) && findLoad(product, product->getOperand(1)) &&
         product->hasOneUse() && isa<cuda_tile::ContinueOp>(*product->user_begin());
}

/// Instructions that read operands in shared memory compute the product. Those that take scales have the most rows, and
/// read these in tensor memory: there are none where no instruction has more rows than a warpgroup's.
static bool isWarpgroupProduct(Operation *op, const KernelOptions &options) {
  const bool isScaled = isa<cuda_tile::MmaFScaledOp>(op);
  const int64_t instructionRows = isScaled ? options.mostWarpgroupRows : options.warpgroupRows;
  if (isScaled ? instructionRows <= kWarpgroupRows
               : instructionRows == 0 || !isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp>(op))
    return false;
  auto result = cast<cuda_tile::TileType>(op->getResult(0).getType());
  auto operand = cast<cuda_tile::TileType>(op->getOperand(0).getType());
  Type element = operand.getElementType();
  const bool hasInstruction = element.getIntOrFloatBitWidth() <= 16 || isa<FloatTF32Type>(element);
  if (result.getRank() != 2 || !hasInstruction)
    return false;
  const int64_t rows = result.getShape()[0], columns = result.getShape()[1];
  return rows % instructionRows == 0 ||
         (instructionRows == kWarpgroupRows && columns % kWarpgroupRows == 0 && isExchanged(op));
}

/// The operand comes to shared memory while the product of the iteration before runs, by copies, or through registers
/// of threads that convert it; of what warps read there, they need a step's fragments at a time.
static bool isStagedOperand(Operation *op, unsigned number, const KernelOptions &options) {
  return options.fillsByGroups && isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp>(op) && number < 2 &&
         isa<cuda_tile::ForOp, cuda_tile::LoopOp>(op->getParentOp()) &&
         findLoad(op, op->getOperand(number), /*mayConvert=*/true);
}

/// A left operand that is the same in all iterations, which a pass may keep in shared memory.
static bool isInvariantOperand(Operation *op, unsigned number) {
  auto loop = op->getParentOfType<cuda_tile::ForOp>();
  return loop && number == 0 && isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp>(op) &&
         op->getOperand(0).getParentRegion()->isProperAncestor(&loop.getRegion());
}

/// Bytes of what MMAs have in shared memory: a stage of what is loaded for them, and operands that loops do not change.
static int64_t countOperandBytes(cuda_tile::EntryOp entry, const KernelOptions &options) {
  llvm::SetVector<Value> operands;
  entry->walk([&](Operation *op) {
    for (unsigned number : {0, 1})
      if (isStagedOperand(op, number, options) || isInvariantOperand(op, number))
        operands.insert(op->getOperand(number));
  });
  int64_t bits = 0;
  for (Value operand : operands) {
    auto tile = cast<cuda_tile::TileType>(operand.getType());
    bits += tile.getNumElements() * tile.getElementType().getIntOrFloatBitWidth();
  }
  return llvm::divideCeil(bits, 8);
}

/// Sums of 8-bit floats are made in parts, which take registers of their own.
static bool sumsInParts(Operation *op) {
  auto product = dyn_cast<cuda_tile::MmaFOp>(op);
  return product && !product.getFastAcc() &&
         cast<cuda_tile::TileType>(product.getLhs().getType()).getElementType().getIntOrFloatBitWidth() == 8 &&
         cast<cuda_tile::TileType>(product.getType()).getElementType().isF32();
}

/// What the program promises to divide the number or address, and what follows for products of a few factors; no more
/// than `most`.
static int64_t getPromisedDivisor(Value value, int64_t most, unsigned depth = 0) {
  constexpr unsigned mostDepth = 6; // The walk may visit 2^depth products.
  int64_t divisor = 1;
  while (auto assume = value.getDefiningOp<cuda_tile::AssumeOp>()) {
    if (auto promise = dyn_cast<cuda_tile::DivByAttr>(assume.getPredicate()))
      divisor = std::max<int64_t>(divisor, std::min<uint64_t>(promise.getDivisor(), most));
    value = assume.getOperand();
  }
  if (auto product = value.getDefiningOp<cuda_tile::MulIOp>(); product && depth < mostDepth)
    divisor = std::max(divisor, getPromisedDivisor(product.getLhs(), most, depth + 1) *
                                    getPromisedDivisor(product.getRhs(), most, depth + 1));
  return std::min(divisor, most);
}

/// The operand is computed from what is loaded where the product stands, element by element, but not from products.
static bool isComputedFromLoad(Operation *product, Value operand) {
  const int64_t elements = cast<cuda_tile::TileType>(operand.getType()).getNumElements();
  llvm::SetVector<Value> values;
  values.insert(operand);
  for (size_t index = 0; index < values.size(); ++index) {
    Operation *op = values[index].getDefiningOp();
    auto tile = dyn_cast<cuda_tile::TileType>(values[index].getType());
    if (!op || op->getBlock() != product->getBlock() || !tile || tile.getNumElements() != elements)
      continue;
    if (isa<cuda_tile::LoadPtrTkoOp, cuda_tile::LoadViewTkoOp>(op))
      return true;
    if (!isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op) && op->getNumRegions() == 0)
      values.insert_range(op->getOperands());
  }
  return false;
}

/// Whether threads themselves have to load the operand, an iteration ahead: then a thread needs registers for
/// addresses, or for what it loads. Of what tensor copies ask, alignments are what programs promise; the rest is known
/// later.
static bool isLoadedByThreads(Operation *product, Value operand, const KernelOptions &options) {
  const TensorCopyRule &rule = options.tensorCopies;
  const bool hasTensorMemory = options.mostWarpgroupRows > kWarpgroupRows;
  // The copy engine rounds to tf32 on the way.
  const bool rounds = isa<FloatTF32Type>(cast<cuda_tile::TileType>(operand.getType()).getElementType());
  Operation *op = findLoad(product, operand, /*mayConvert=*/rounds);
  if (!op) // Accumulators in tensor memory leave threads their registers.
    return !hasTensorMemory && isComputedFromLoad(product, operand);
  auto load = dyn_cast<cuda_tile::LoadViewTkoOp>(op);
  if (!load)
    return true;
  Operation *tiles = load.getView().getDefiningOp();
  auto array = tiles ? tiles->getOperand(0).getDefiningOp<cuda_tile::MakeTensorViewOp>() : nullptr;
  if (!array)
    return false;
  auto view = cast<cuda_tile::TensorViewType>(array.getType());
  const int64_t bytes = std::max(1u, view.getElementType().getIntOrFloatBitWidth() / 8);
  const int64_t most = rule.getMostAlignment();
  SmallVector<int64_t> divisors;
  ValueRange dynamics = array.getDynamicStrides();
  for (int64_t stride : view.getStrides())
    if (ShapedType::isDynamic(stride)) {
      divisors.push_back(getPromisedDivisor(dynamics.front(), most));
      dynamics = dynamics.drop_front();
    } else {
      divisors.push_back(stride == 1 ? 0 : stride); // Neighbours may lie along any of those.
    }
  return !rule.explainBase(getPromisedDivisor(array.getBase(), most)).empty() ||
         !rule.explainStrides(divisors, bytes).empty();
}

/// The tile is read by products only, which find it in shared memory.
/// `sharesInvariant`: operands that a loop does not change are there, too.
static bool isOperandInMemory(Value value, const KernelOptions &options, bool sharesInvariant) {
  return !value.use_empty() && llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<cuda_tile::PermuteOp>(user) || (options.fillsByGroups && isa<cuda_tile::ReshapeOp>(user)))
      return isOperandInMemory(user->getResult(0), options, sharesInvariant);
    return (isWarpgroupProduct(user, options) && use.getOperandNumber() < 2) ||
           isStagedOperand(user, use.getOperandNumber(), options) ||
           (sharesInvariant && isInvariantOperand(user, use.getOperandNumber()));
  });
}

/// For the part of each tile that one of `ctas` has, about.
static unsigned chooseWarps(cuda_tile::EntryOp entry, const KernelOptions &options, unsigned ctas) {
  int64_t largest = 1, elements = 1, accumulator = 0, withParts = 0, rows = 0, elementsOfB = 0;
  bool byThreads = false, hasProducts = false;
  const bool sharesInvariant = options.fillsByGroups && countOperandBytes(entry, options) <= options.sharedBytes;
  auto count = [&](Value value) {
    return isOperandInMemory(value, options, sharesInvariant) ? 0 : countRegisters(value);
  };
  entry->walk([&](Operation *op) {
    for (Value result : op->getResults())
      if (auto tile = dyn_cast<cuda_tile::TileType>(result.getType())) {
        largest = std::max(largest, count(result));
        elements = std::max(elements, tile.getNumElements());
      }
    hasProducts |= isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op);
    if (isStagedOperand(op, 0, options) || isStagedOperand(op, 1, options))
      accumulator = std::max(accumulator, countRegisters(op->getResult(0)));
    if (!isWarpgroupProduct(op, options))
      return;
    accumulator = std::max(accumulator, countRegisters(op->getResult(0)));
    // CTAs that have rows of their own all read it.
    elementsOfB = std::max(elementsOfB, cast<cuda_tile::TileType>(op->getOperand(1).getType()).getNumElements());
    rows = std::max(rows, cast<cuda_tile::TileType>(op->getResult(0).getType()).getShape()[0]);
    byThreads |= isLoadedByThreads(op, op->getOperand(0), options) || isLoadedByThreads(op, op->getOperand(1), options);
    if (sumsInParts(op))
      withParts = std::max(withParts, 2 * countRegisters(op->getResult(0)));
  });
  const TuningModel &tuning = options.tuning;
  const int64_t limit =
      largest == accumulator && !byThreads ? tuning.accumulatorRegisters : tuning.largestTileRegisters;
  int64_t alive = measureRegisterPressure(entry.getBody(), count).cost;
  for (int64_t *total : {&largest, &elements, &withParts, &rows, &alive})
    *total = llvm::divideCeil(*total, ctas);
  unsigned warps = aa::FuncOp::kDefaultWarps;
  while (warps < kMaxWarps && largest > limit * kLanesPerWarp * warps)
    warps *= 2;
  while (warps < kWarpsWithAllRegisters && withParts > tuning.accumulatorRegisters * kLanesPerWarp * warps)
    warps *= 2;
  const int64_t mostAlive = hasProducts ? tuning.aliveRegisters : tuning.streamRegisters;
  while (warps < kWarpsWithAllRegisters && alive > mostAlive * kLanesPerWarp * warps)
    warps *= 2;
  const bool hasTensorMemory = options.mostWarpgroupRows > kWarpgroupRows;
  while (hasTensorMemory && warps < kWarpsWithAllRegisters &&
         elementsOfB > kMaxElementsPerThread * kLanesPerWarp * warps)
    warps *= 2;
  const auto mostWarps = unsigned(std::min<int64_t>(tuning.warpsOfProducts, kMaxWarps));
  while (rows != 0 && warps < mostWarps && rows >= options.mostWarpgroupRows * 2 * warps / aa::FuncOp::kDefaultWarps)
    warps *= 2;
  while (warps > 1 && elements < kLanesPerWarp * warps)
    warps /= 2;
  return warps;
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

/// The hint `name`, when it is a number that `accepts`; 0 otherwise.
static unsigned readHint(cuda_tile::EntryOp entry, StringRef chip, StringRef name, function_ref<bool(int64_t)> accepts,
                         StringRef expected) {
  cuda_tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  Attribute hint = hints ? hints.getHint(chip, name) : Attribute();
  if (!hint)
    return 0;
  if (std::optional<int64_t> number = getHintNumber(hint); number && accepts(*number))
    return *number;
  warnOfInvalidHint(entry, name, hint, expected);
  remarkIgnoredHint(entry, name, "expected " + expected);
  return 0;
}

static void remarkUnknownHints(cuda_tile::EntryOp entry, StringRef chip) {
  cuda_tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
  if (!hints)
    return;
  for (DictionaryAttr group : hints.getGroups(chip))
    for (NamedAttribute hint : group)
      if (!llvm::is_contained({"num_cta_in_cga", "occupancy", "num_worker_warps_per_cta"}, hint.getName().strref()))
        remarkIgnoredHint(entry, hint.getName(), "unknown for a kernel");
}

/// The registers of so few warps do not hold the largest accumulator, where products have it in registers: nobody can
/// want that.
static unsigned relaxWarps(cuda_tile::EntryOp entry, const KernelOptions &options, unsigned hinted, unsigned ctas) {
  const bool hasTensorMemory = options.mostWarpgroupRows > kWarpgroupRows;
  int64_t accumulator = 0;
  entry->walk([&](Operation *op) {
    if (isa<cuda_tile::MmaFOp, cuda_tile::MmaIOp, cuda_tile::MmaFScaledOp>(op) &&
        !(hasTensorMemory && isWarpgroupProduct(op, options)))
      accumulator = std::max<int64_t>(accumulator, llvm::divideCeil(countRegisters(op->getResult(0)), ctas));
  });
  unsigned warps = hinted;
  while (warps < kMaxWarps && accumulator > options.mostRegisters * kLanesPerWarp * warps)
    warps *= 2;
  if (warps != hinted)
    remarkIgnoredHint(
        entry, "num_worker_warps_per_cta",
        llvm::formatv("an accumulator takes {0} registers of each thread of {1} warps; there are {2} warps",
                      accumulator / (kLanesPerWarp * hinted), hinted, warps)
            .str());
  return warps;
}

aa::KernelSpecAttr cuda_tile_to_aa::chooseKernelSpec(cuda_tile::EntryOp entry, const KernelOptions &options) {
  auto isWarpCount = [](int64_t n) { return n > 0 && n <= kMaxWarps && llvm::isPowerOf2_64(n); };
  unsigned warps = readHint(entry, options.chip, "num_worker_warps_per_cta", isWarpCount, "a power of two in 1..16");
  unsigned ctas = readHint(entry, options.chip, "num_cta_in_cga", isWarpCount, "a power of two in 1..16");
  unsigned occupancy = readHint(
      entry, options.chip, "occupancy", [](int64_t n) { return n > 0 && n <= 32; }, "a number in 1..32");
  remarkUnknownHints(entry, options.chip);
  const StringRef asker = options.numCtas ? "option 'num-ctas'" : "hint 'num_cta_in_cga'";
  if (options.numCtas)
    ctas = options.numCtas;
  if (ctas > 1 && options.obstacleToClusters) {
    if (!options.numCtas)
      remarkIgnoredHint(entry, "num_cta_in_cga", "a tile block runs in one thread block");
    entry.emitWarning(asker) << " = " << ctas << " has no effect: a tile block runs in one thread block, as "
                             << options.obstacleToClusters;
    ctas = 1;
  }
  ctas = std::max(ctas, 1u);
  if (options.numWarps)
    warps = options.numWarps;
  else if (warps)
    warps = relaxWarps(entry, options, warps, ctas);
  if (!warps)
    warps = chooseWarps(entry, options, ctas);
  return aa::KernelSpecAttr::get(entry.getContext(), warps, ctas, occupancy);
}
