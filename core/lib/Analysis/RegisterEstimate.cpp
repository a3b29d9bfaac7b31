//===- RegisterEstimate.cpp - Registers that tiles need -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Analysis/RegisterEstimate.h"
#include "LateValues.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Analysis/ElementwiseChains.h"
#include "tileiras/Analysis/FutureAccumulators.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/KnownSlices.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Layout/SharedExchange.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tileiras::as {

/// Compilers extend numbers where they are used; elements of tiles if that is one place.
static bool extendsOperand(Operation *op) {
  return isa<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) &&
         (op->hasOneUse() || !isa<RankedTensorType>(op->getResult(0).getType()));
}

static constexpr int64_t kAddressRegisters = 2;

/// None for a tile that is made anew for each use.
static int64_t countOfTile(Value value, RankedTensorType tile) {
  return isRematerializable(value) ? 0 : countTileRegisters(tile);
}

/// Instructions read what a kernel is launched with from constant memory, as they read constants.
static bool isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
}

/// The assembler knows where the local memory is that slices lie in.
static bool isMemoryOfSlices(Value value) {
  return value.getDefiningOp<LLVM::AllocaOp>() && !value.use_empty() &&
         llvm::all_of(value.getUsers(), llvm::IsaPred<AllocSlicesOp>);
}

/// Predicates have registers of their own, constants are in instructions, and where a block is in its grid is read
/// again from special registers.
static int64_t countOfScalar(Value value) {
  Type type = value.getType();
  if (isArgument(value) || type.isInteger(1) || isMemoryOfSlices(value) ||
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
/// these before the loop, step them from iteration to iteration beside what is the thread's own, and keep how much is
/// left where that is checked.
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
  const LinearLayout own = getLinearLayout(registers).removeRegisterReplicas().within(memory.getShape());
  const SharedAccess access = planSharedAccess(own, *layout, kBitsOfMixed, /*allowMatrix=*/true);
  return access.matrix && access.matrix->mixed ? 2 * countTileRegisters(registers) : 0;
}

namespace {

class RegisterModel final : public PressureModel {
public:
  RegisterModel(const AtomCatalogue *atoms, bool isTight) : atoms(atoms), isTight(isTight), accumulators(atoms) {}

  int64_t getCost(Value value) const override {
    auto [known, isNew] = costs.try_emplace(value, 0);
    if (isNew)
      known->second = computeCost(value);
    return known->second;
  }

  int64_t getCost(Operation *op) const override {
    if (auto product = dyn_cast<DotOp>(op))
      return countParts(product);
    if (auto product = dyn_cast<AsyncDotOp>(op))
      return countParts(product);
    if (auto copy = dyn_cast<CopyOp>(op))
      return countMixedWords(copy);
    if (isa<ScanOp>(op)) // keeps what it has been given until it knows what comes before
      return llvm::sum_of(llvm::map_range(op->getResultTypes(), countTileRegisters), int64_t(0));
    return isa<LoopLikeOpInterface>(op) ? countAddressesInLoop(op) : 0;
  }

  /// Views are what they are made from, the maps of a kernel lie one after the other, and an iterator is advanced when
  /// the one before is not needed any more. A slice that threads have is a part of the tile that holds it.
  std::optional<ValueName> getName(Value value) const override {
    Operation *op = value.getDefiningOp();
    if (!op)
      return std::nullopt;
    if (isa<aa::AssumeOp, aa::MakeMemRefOp, MakeTiledViewOp, UnrealizedConversionCastOp, IncIterOp>(op) ||
        repeatsOperand(op) || extendsOperand(op) || (isTight && lateValues.isLate(op)))
      return ValueName{op->getOperands(), std::nullopt};
    if (auto slice = dyn_cast<ExtractSliceOp>(op)) {
      const std::optional<SmallVector<unsigned>> registers = findSliceRegisters(slice);
      if (!registers)
        return std::nullopt;
      const int64_t all = getCopies(slice.getSource().getType());
      return ValueName{op->getOperands().take_front(1),
                       ValuePart{*llvm::min_element(*registers), all / int64_t(registers->size()), all}};
    }
    if (isa<ClaimTensorMapsOp>(op) && value != op->getResult(0))
      return ValueName{op->getResults().take_front(1), std::nullopt};
    if (isa<UpdateTensorMapsOp>(op))
      return ValueName{op->getOperands().take_front(1), std::nullopt};
    return std::nullopt;
  }

  int64_t getSize(Value value) const override { return getCopies(value.getType()); }

private:
  int64_t computeCost(Value value) const {
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (tile && (chains.isInPassing(value) || isForCopies(value) || accumulators.isInTensorMemory(value)))
      return 0;
    return tile ? llvm::divideCeil(countOfTile(value, tile), getRun(value)) : countOfScalar(value);
  }

  /// Copies start one after the other, and each computes its address and mask just before.
  bool isForCopies(Value value, unsigned steps = kMostSteps) const {
    auto [known, isNew] = forCopies.try_emplace(value, false);
    Operation *op = value.getDefiningOp();
    if (!isNew || !op || value.use_empty() || !computesElements(op) || steps == 0)
      return known->second;
    const bool all = llvm::all_of(value.getUsers(), [&](Operation *user) {
      return user->getBlock() == op->getBlock() &&
             (isa<AsyncLoadOp>(user) || (computesElements(user) && isForCopies(user->getResult(0), steps - 1)));
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
    const MmaAtom *atom = atoms ? product.getAtom().findMma(*atoms) : nullptr;
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
  mutable llvm::DenseMap<Value, int64_t> costs;
  LateValues lateValues;
  ElementwiseChains chains{isTransparent};
};

} // namespace

RegisterPressure estimateRegisters(Region &body, const ChipTarget &target, bool isTight) {
  const RegisterModel model(target ? &target.atoms() : nullptr, isTight);
  RegisterPressure pressure = measureRegisterPressure(body, model);
  pressure.cost += target.tuning().registersOfInstructions;
  return pressure;
}

ValueRegisters::ValueRegisters(const ChipTarget &target)
    : model(std::make_unique<RegisterModel>(target ? &target.atoms() : nullptr, /*isTight=*/false)) {}

int64_t ValueRegisters::count(Value value) const {
  return model->getName(value) ? 0 : model->getCost(value);
}

} // namespace tileiras::as
