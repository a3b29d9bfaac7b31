//===- RegisterEstimate.cpp - Registers that tiles need -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/RegisterEstimate.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Analysis/ElementwiseChains.h"
#include "tileiras/Dialect/TileAS/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/FutureAccumulators.h"
#include "tileiras/Dialect/TileAS/KnownSlices.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/SharedExchange.h"
#include "tileiras/Target/MmaSelection.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::as {

static int64_t getCopies(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && isDistributedTensor(tensor) ? getNumRegisters(tensor) : 1;
}

/// The registers of the result are those of the operand, perhaps repeated.
static bool repeatsOperand(Operation *op) {
  if (!isa<ShapeLayoutOpInterface>(op) || op->getNumOperands() != 1)
    return false;
  Type source = op->getOperand(0).getType(), result = op->getResult(0).getType();
  return getElementTypeOrSelf(source) == getElementTypeOrSelf(result) && getCopies(result) >= getCopies(source);
}

/// Compilers extend numbers where they are used; elements of tiles if that is one place.
static bool extendsOperand(Operation *op) {
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) &&
         (op->hasOneUse() || !isa<RankedTensorType>(op->getResult(0).getType()));
}

static bool isUsedAfter(Value value, Operation *op) {
  return llvm::any_of(value.getUsers(),
                      [&](Operation *user) { return user->getBlock() == op->getBlock() && op->isBeforeInBlock(user); });
}

static bool isUsedByOne(Operation *op) {
  return OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) && op->hasOneUse();
}

/// Registers hold it, or what it is computed from, beyond `op`. What is repeated for many elements takes few.
static bool isThereAnyway(Value value, Operation *op) {
  if (isUsedAfter(value, op) || isRematerializable(value))
    return true;
  Operation *definition = value.getDefiningOp();
  if (!definition || definition->getBlock() != op->getBlock())
    return false;
  if (repeatsOperand(definition) && getCopies(definition->getOperand(0).getType()) < getCopies(value.getType()))
    return true;
  return (repeatsOperand(definition) || isUsedByOne(definition)) &&
         llvm::all_of(definition->getOperands(), [&](Value operand) { return isThereAnyway(operand, op); });
}

/// An element of the result may be computed where it is used: what it is computed from is there anyway.
static bool waitsForUse(Operation *op) {
  if (!isUsedByOne(op))
    return false;
  Operation *user = *op->user_begin();
  return user->getBlock() == op->getBlock() &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return isThereAnyway(operand, user); });
}

/// What ptxas takes for itself and for the values within one operation.
static constexpr int64_t kRegistersOfInstructions = 18;
static constexpr int64_t kAddressRegisters = 2;

/// Predicates that stay are packed, some into each byte of a register.
static int64_t countRegistersOf(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && isDistributedTensor(tile)
             ? llvm::divideCeil(getNumRegisters(tile) * std::max(8u, as::getRegisterBits(tile.getElementType())), 32)
             : 0;
}

/// None for a tile that is made anew for each use.
static int64_t countOfTile(Value value, RankedTensorType tile) {
  return isRematerializable(value) ? 0 : countRegistersOf(tile);
}

/// Instructions read what a kernel is launched with from constant memory, as they read constants.
static bool isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// Predicates have registers of their own, constants are in instructions, and where a block is in its grid is read
/// again from special registers.
static int64_t countOfScalar(Value value) {
  Type type = value.getType();
  if (isArgument(value) || type.isInteger(1) ||
      isa_and_nonnull<arith::ConstantOp, aa::GetProgramIdOp, aa::GetNumProgramsOp>(value.getDefiningOp()))
    return 0;
  if (type.isIntOrFloat())
    return llvm::divideCeil(type.getIntOrFloatBitWidth(), 32);
  if (isa<IndexType, aa::PtrType, LLVM::LLVMPointerType, TmaDescType>(type))
    return kAddressRegisters;
  if (isa<IteratorType>(type)) // a stage and its round
    return 2;
  return 0;
}

/// Threads add a number of their own to rows of an array whose stride is not known before; compilers compute all of
/// these before the loop, step them from turn to turn beside what is the thread's own, and keep how much is left where
/// that is checked.
static int64_t countAddresses(TiledLoadOp load) {
  auto tile = dyn_cast<RankedTensorType>(load.getResult().getType());
  if (!tile || !isDistributedTensor(tile))
    return 0;
  TiledViewType view = load.getView().getType();
  int64_t addresses = 1;
  const LinearLayout layout = getLinearLayout(tile).removeRegisterReplicas();
  for (const LinearLayout::Basis &basis : layout.getBases(LayoutDim::Register)) {
    auto isFar = [&](unsigned dim) {
      return basis[dim] != 0 && ShapedType::isDynamic(view.getSource().getStrides()[view.getDimMap()[dim]]);
    };
    if (llvm::any_of(llvm::seq<unsigned>(0, basis.size()), isFar))
      addresses *= 2;
  }
  const bool isChecked = llvm::is_contained(load.getInBounds(), false);
  return (addresses == 1 ? 1 : addresses + 1 + isChecked) * kAddressRegisters;
}

/// Where swizzles mix bits of the thread with bits of the register, each combination is an address of its own.
static int64_t countAddresses(CopyOp copy) {
  RankedTensorType registers = copy.getSource().getType(),
                   memory = copy.getDestination() ? copy.getDestination().getType() : RankedTensorType();
  if (!memory || !isSharedTensor(memory) || !isDistributedTensor(registers))
    return 0;
  llvm::Expected<LinearLayout> layout = getSharedLayout(memory);
  if (!layout)
    return llvm::consumeError(layout.takeError()), 0;
  const VectorAccessPlan plan = planSharedAccess(getLinearLayout(registers), *layout,
                                                 getSharedBits(memory.getElementType()), /*allowMatrix=*/false)
                                    .vector;
  int64_t ofThreads = 0;
  for (int64_t bit : llvm::concat<const int64_t>(plan.offset.lane, plan.offset.warp))
    ofThreads |= bit;
  llvm::SmallDenseSet<int64_t> mixed;
  for (const VectorAccess &access : plan.accesses)
    mixed.insert(access.offset & ofThreads);
  return mixed.size();
}

/// Registers of what matrix instructions load to exchange its bytes, and of the bytes exchanged.
static int64_t countMixedWords(CopyOp copy) {
  RankedTensorType memory = copy.getSource().getType();
  constexpr unsigned kBitsOfMixed = 8; // the only elements whose bytes are exchanged
  if (!copy.getResult() || !isSharedTensor(memory) || getSharedBits(memory.getElementType()) != kBitsOfMixed)
    return 0;
  auto registers = cast<RankedTensorType>(copy.getResult().getType());
  if (!isDistributedTensor(registers))
    return 0;
  llvm::Expected<LinearLayout> layout = getSharedLayout(memory);
  if (!layout)
    return llvm::consumeError(layout.takeError()), 0;
  const SharedAccess access = planSharedAccess(getLinearLayout(registers).removeRegisterReplicas(), *layout,
                                               kBitsOfMixed, /*allowMatrix=*/true);
  return access.matrix && access.matrix->mixed ? 2 * countRegistersOf(registers) : 0;
}

/// Whose instructions go between those of elementwise operations: it neither waits nor moves anything.
static bool isTransparent(Operation *op) {
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  auto slice = dyn_cast<ExtractSliceOp>(op);
  return repeatsOperand(op) || (slice && findSliceRegisters(slice)) || llvm::all_of(op->getResults(), [](Value result) {
           return !isa<RankedTensorType>(result.getType()) || isRematerializable(result);
         });
}

/// What a chain of operations starts from that nobody needs beyond `op`.
static void collectRoots(Value value, Operation *op, llvm::SetVector<Value> &roots) {
  Operation *definition = value.getDefiningOp();
  if (isUsedAfter(value, op) || isRematerializable(value))
    return;
  const bool isOfChain =
      definition && definition->getBlock() == op->getBlock() && (repeatsOperand(definition) || isUsedByOne(definition));
  if (!isOfChain)
    return void(roots.insert(value));
  for (Value operand : definition->getOperands())
    collectRoots(operand, op, roots);
}

/// Threads wait for nobody between the operation and its user, and what it is computed from takes less until then, as
/// floats of 16 bits do.
static bool isSmallerBefore(Operation *op) {
  if (!isUsedByOne(op) || !isa<RankedTensorType>(op->getResult(0).getType()))
    return false;
  Operation *user = *op->user_begin();
  if (user->getBlock() != op->getBlock())
    return false;
  for (Operation &between : llvm::make_range(op->getIterator(), user->getIterator()))
    if (!OpTrait::hasElementwiseMappableTraits(&between) && !isTransparent(&between) &&
        !isa<TiledLoadOp, LoadOp>(between))
      return false;
  llvm::SetVector<Value> roots;
  for (Value operand : op->getOperands())
    collectRoots(operand, user, roots);
  return llvm::sum_of(llvm::map_range(roots, [](Value root) { return countRegistersOf(root.getType()); }), int64_t(0)) <
         countRegistersOf(op->getResult(0).getType());
}

namespace {

class RegisterModel final : public PressureModel {
public:
  RegisterModel(const AtomCatalogue *atoms, bool isTight) : atoms(atoms), isTight(isTight), accumulators(atoms) {}

  int64_t getCost(Value value) const override {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (tile && (chains.isInPassing(value) || isForCopies(value) || accumulators.isInTensorMemory(value)))
      return 0;
    return tile ? llvm::divideCeil(countOfTile(value, tile), getRun(value)) : countOfScalar(value);
  }

  int64_t getCost(Operation *op) const override {
    if (auto product = dyn_cast<DotOp>(op))
      return countParts(product);
    if (auto product = dyn_cast<AsyncDotOp>(op))
      return countParts(product);
    if (auto copy = dyn_cast<CopyOp>(op))
      return countMixedWords(copy);
    if (isa<ScanOp>(op)) // keeps what it has been given until it knows what comes before
      return llvm::sum_of(llvm::map_range(op->getResultTypes(), countRegistersOf), int64_t(0));
    return isa<LoopLikeOpInterface>(op) ? countAddressesInLoop(op) : 0;
  }

  /// Views are what they are made from, the maps of a kernel lie one behind the other, and an iterator is advanced when
  /// the one before is not needed any more.
  void collectHolders(Value value, SmallVectorImpl<Holder> &holders) const override {
    Operation *op = value.getDefiningOp();
    if (!op)
      holders.push_back({value});
    else if (isa<aa::AssumeOp, aa::MakeMemRefOp, MakeTiledViewOp, UnrealizedConversionCastOp, IncIterOp>(op) ||
             repeatsOperand(op) || extendsOperand(op) || (isTight && isLate(op)))
      for (Value operand : op->getOperands())
        collectHolders(operand, holders);
    else if (auto slice = dyn_cast<ExtractSliceOp>(op))
      collectHolders(slice, holders);
    else if (isa<ClaimTensorMapsOp>(op))
      holders.push_back({op->getResult(0)});
    else if (auto update = dyn_cast<UpdateTensorMapsOp>(op))
      collectHolders(update.getOperand(0), holders);
    else
      holders.push_back({value});
  }

private:
  /// A slice that threads have is a part of the tile that holds it.
  void collectHolders(ExtractSliceOp slice, SmallVectorImpl<Holder> &holders) const {
    const std::optional<SmallVector<unsigned>> registers = findSliceRegisters(slice);
    if (!registers)
      return holders.push_back({slice.getResult()});
    const int64_t all = getCopies(slice.getSource().getType());
    const size_t before = holders.size();
    collectHolders(slice.getSource(), holders);
    for (Holder &holder : llvm::drop_begin(holders, before))
      if (holder.numParts == 1 && getCopies(holder.value.getType()) == all)
        holder = {holder.value, *llvm::min_element(*registers), all / int64_t(registers->size())};
  }

  bool isLate(Operation *op) const {
    auto [known, isNew] = late.try_emplace(op, false);
    if (isNew)
      known->second = waitsForUse(op) || isSmallerBefore(op);
    return known->second;
  }

  /// Copies start one after the other, and each computes its address and mask just before.
  bool isForCopies(Value value) const {
    auto [known, isNew] = forCopies.try_emplace(value, false);
    Operation *op = value.getDefiningOp();
    if (!isNew || !op || value.use_empty() || !computesElements(op))
      return known->second;
    const bool all = llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user->getBlock() == op->getBlock() &&
             (isa<AsyncLoadOp>(user) || (computesElements(user) && isForCopies(user->getResult(0))));
    });
    return forCopies[value] = all;
  }

  static bool computesElements(Operation *op) {
    return op->getNumResults() == 1 && isMemoryEffectFree(op) &&
           (OpTrait::hasElementwiseMappableTraits(op) || isa<aa::AddPtrOp>(op) || repeatsOperand(op));
  }

  /// Of so many elements of `value` one is used: an access computes with the first of neighbouring addresses, whose
  /// masks are equal. They are some steps of a computation away.
  int64_t getRun(Value value, unsigned steps = kMostSteps) const {
    auto [known, isNew] = runs.try_emplace(value, 1);
    if (!isNew)
      return known->second;
    const bool isNoAddress = isa<FloatType>(getElementTypeOrSelf(value)) || value.use_empty() || steps == 0;
    int64_t run = isNoAddress ? 1 : kLongestRun;
    for (OpOperand &use : value.getUses())
      run = run == 1 ? 1 : std::min(run, getRun(use, steps - 1));
    return runs[value] = run;
  }

  int64_t getRun(OpOperand &use, unsigned steps) const {
    Operation *user = use.getOwner();
    if (user->getNumResults() == 1 && (OpTrait::hasElementwiseMappableTraits(user) || isa<aa::AddPtrOp>(user)))
      return getRun(user->getResult(0), steps);
    if (repeatsOperand(user)) { // along other dimensions than neighbours are, if it has all of these
      const int64_t run = getRun(user->getResult(0), steps);
      return getCopies(use.get().getType()) % run == 0 ? run : 1;
    }
    return llvm::TypeSwitch<Operation *, int64_t>(user)
        .Case<LoadOp, StoreOp, AsyncLoadOp>([&](auto access) {
          const bool isOfGroup = use.get() == access.getPointer() || use.get() == access.getMask();
          return isOfGroup && access.getContiguity() ? llvm::product_of(*access.getContiguity(), int64_t(1)) : 1;
        })
        .Default(int64_t(1));
  }

  /// What an instruction sums up on its own, to be added to the accumulator from time to time.
  template <typename Product>
  int64_t countParts(Product product) const {
    const MmaAtom *atom = atoms ? atoms->findMma(product.getAtom()) : nullptr;
    return atom && sumsInParts(*atom, product.getFastAcc()) ? atom->getAccumulatorRegisters() : 0;
  }

  /// Loads of the same array in the same layout have one address, and copies between the same layouts; what is between
  /// them is in the instructions.
  static int64_t countAddressesInLoop(Operation *loop) {
    int64_t count = 0;
    DenseSet<std::pair<Value, Type>> counted;
    DenseSet<std::pair<Type, Type>> copied;
    for (Region &region : loop->getRegions())
      region.walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (isa<LoopLikeOpInterface>(op))
          return WalkResult::skip();
        if (auto load = dyn_cast<TiledLoadOp>(op)) {
          if (counted.insert({getArray(load), load.getResult().getType()}).second)
            count += countAddresses(load);
        } else if (auto copy = dyn_cast<CopyOp>(op)) {
          if (auto to = copy.getDestination(); to && copied.insert({copy.getSource().getType(), to.getType()}).second)
            count += countAddresses(copy);
        }
        return WalkResult::advance();
      });
    return count;
  }

  static Value getArray(TiledLoadOp load) {
    auto view = load.getView().getDefiningOp<MakeTiledViewOp>();
    return view ? view.getOperand() : load.getView();
  }

  static constexpr int64_t kLongestRun = 16; // bytes of an access
  static constexpr unsigned kMostSteps = 32;
  const AtomCatalogue *atoms;
  const bool isTight;
  mutable FutureAccumulators accumulators;
  mutable llvm::DenseMap<Value, int64_t> runs;
  mutable llvm::DenseMap<Value, bool> forCopies;
  mutable llvm::DenseMap<Operation *, bool> late;
  ElementwiseChains chains{isTransparent};
};

} // namespace

RegisterPressure estimateRegisters(Region &body, const AtomCatalogue *atoms, bool isTight) {
  RegisterPressure pressure = measureRegisterPressure(body, RegisterModel(atoms, isTight));
  pressure.cost += kRegistersOfInstructions;
  return pressure;
}

} // namespace tileiras::as
