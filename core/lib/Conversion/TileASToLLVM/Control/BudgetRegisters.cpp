//===- BudgetRegisters.cpp - Tiles that do not fit in registers -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Arithmetic/RecomputeTiles.h"
#include "Conversion/TileASToLLVM/Patterns.h"
#include "RegisterEstimate.h"
#include "tileiras/Analysis/RegisterEstimate.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Work/WorkInterface.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASBUDGETREGISTERS
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {

int64_t getRegisterLimit(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel) {
  if (auto limit = kernel->getAttrOfType<IntegerAttr>("nvvm.maxnreg"))
    return limit.getInt();
  return lowering.machine().getRegistersPerThread(getExecutionScope(kernel).getNumThreads(), /*ctas=*/1);
}

RegisterEstimate estimateRegisters(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel) {
  const RegisterPressure pressure = as::estimateRegisters(kernel.getBody(), lowering.getChipTarget());
  int64_t limit = getRegisterLimit(lowering, kernel);
  kernel.walk([&](as::ExecutionScopeOpInterface scopes) {
    for (unsigned region = 0; scopes.hasWarps() && region < scopes->getNumRegions(); ++region)
      limit = std::max(limit, scopes.getRegisters(region));
  });
  return {pressure.cost, limit, pressure.peak};
}

/// Of the arena that shared memory was laid out in.
static int64_t getArenaBytes(LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
  if (auto bytes = kernel->getAttrOfType<IntegerAttr>(kDynamicSharedBytesAttr))
    return bytes.getInt();
  auto arena = symbols.lookup<LLVM::GlobalOp>(getArenaName(kernel));
  return arena ? DataLayout::closest(kernel).getTypeSize(arena.getType()).getFixedValue() : 0;
}

int64_t countResidentCtas(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
  const RegisterEstimate registers = estimateRegisters(lowering, kernel);
  return lowering.machine().countResidentCTAs(
      getExecutionScope(kernel).numWarps, std::min(registers.needed, registers.limit), getArenaBytes(kernel, symbols));
}

/// Functions that are called share the registers, and the assembler's view of shared memory ends at them.
static bool callsFunctions(LLVM::LLVMFuncOp function) {
  auto isCall = [](Operation *op) {
    auto exchange = dyn_cast<as::ExchangeOpInterface>(op);
    auto alloca = dyn_cast<aa::AllocaOp>(op);
    bool calls = (exchange && exchange.callsFunctions()) || (alloca && isOnHeap(alloca)) || isa<CallOpInterface>(op);
    return calls ? WalkResult::interrupt() : WalkResult::advance();
  };
  return function.walk(isCall).wasInterrupted();
}

/// What it takes its time for is memory, and how it spends registers is left open.
static bool isStream(LLVM::LLVMFuncOp kernel) {
  auto isOther = [](Operation *op) {
    return isa<as::ProductOpInterface, as::ExecutionScopeOpInterface>(op) ? WalkResult::interrupt()
                                                                          : WalkResult::advance();
  };
  return !kernel->hasAttr("nvvm.maxnreg") && !callsFunctions(kernel) && !kernel.walk(isOther).wasInterrupted();
}

/// What an assembler needs for arithmetic, beside the values that the estimate knows.
struct Arithmetic {
  bool hasSequences = false; ///< long ones, whose registers nobody has counted
  int64_t divisors = 0;      ///< of a thread, each of which has a reciprocal
  int64_t sums = 0;          ///< that one reduction leaves a thread
  bool isInPairs = false;    ///< of registers, not every one of which will do
};

/// Those that stay, as they are repeated for many elements; others are computed one after the other.
static int64_t countDivisors(Operation *division) {
  Value tile = division->getNumOperands() ? division->getOperands().back() : Value();
  if (!tile || !tile.getDefiningOp<as::BroadcastOp>())
    return 1;
  while (Operation *op = tile.getDefiningOp<as::BroadcastOp>())
    tile = op->getOperand(0);
  return getNumRegisters(cast<RankedTensorType>(tile.getType()));
}

static Arithmetic findArithmetic(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel) {
  Arithmetic result;
  result.isInPairs = lowering.features().f32x2;
  kernel.walk([&](Operation *op) {
    auto tile = op->getNumResults() ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
    if (!tile)
      return;
    if (isa<as::ReduceOp>(op))
      result.sums = std::max<int64_t>(result.sums, getNumRegisters(tile));
    const bool isWide = tile.getElementType().isF64();
    const std::optional<ElementWork> work = getElementWork(op);
    if (work == ElementWork::Division && !isWide)
      result.divisors = std::max(result.divisors, countDivisors(op));
    result.hasSequences |= isWide || work == ElementWork::Sequence;
  });
  return result;
}

/// What an assembler gets by with. `tight`: the estimate for it. Of large tiles it folds a part or computes it again;
/// where it divides it calls a function for unusual operands, which has registers of its own; while it combines few
/// sums it does not need all that the estimate has for the values within one operation.
static int64_t squeezeRegisters(int64_t needed, int64_t tight, const Arithmetic &arithmetic,
                                const TuningModel &tuning) {
  auto save = [](int64_t registers, int64_t least, int64_t oneOf) -> int64_t {
    const int64_t more = std::max<int64_t>(registers - least, 0);
    return least + more - llvm::divideCeil(more, oneOf);
  };
  if (arithmetic.hasSequences)
    return save(needed, tuning.leastSequenceRegisters, tuning.sequenceSaving);
  if (arithmetic.divisors > 0)
    return std::max(tuning.leastTightRegisters,
                    tight + tight / tuning.divisionPart + (arithmetic.divisors - 1) * tuning.divisorRegisters);
  const bool hasFewSums = arithmetic.sums <= tuning.mostTightSums && !arithmetic.isInPairs;
  const int64_t spare = hasFewSums ? tuning.tightInstructionSaving : 0;
  return std::max(tuning.leastTightRegisters,
                  std::min(tight - spare, save(tight, tuning.leastTightRegisters, tuning.tightSaving)));
}

/// Tile blocks on a multiprocessor if the assembler is told to get by with few registers.
static int64_t countTightCtas(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
  const int64_t needed = estimateRegisters(lowering, kernel).needed,
                tight = as::estimateRegisters(kernel.getBody(), lowering.getChipTarget(), /*isTight=*/true).cost;
  const int64_t squeezed = squeezeRegisters(needed, tight, findArithmetic(lowering, kernel), lowering.tuning());
  return lowering.machine().countResidentCTAs(getExecutionScope(kernel).numWarps, squeezed,
                                              getArenaBytes(kernel, symbols));
}

static void limitRegisters(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
  int64_t blocks = countTightCtas(lowering, kernel, symbols);
  RecomputedTiles recomputed(kernel, lowering.tuning());
  if (!recomputed.empty()) {
    if (const int64_t more = countTightCtas(lowering, kernel, symbols); more > blocks)
      blocks = more;
    else
      recomputed.undo();
  }
  const int64_t limit = lowering.machine().getRegistersPerThread(getExecutionScope(kernel).getNumThreads(), blocks);
  if (limit >= int64_t(lowering.machine().maxRegistersPerThread))
    return;
  kernel->setAttr("nvvm.maxnreg", Builder(kernel).getI32IntegerAttr(limit));
  remarkOn(kernel, Analysis::Occupancy)
      << llvm::formatv("limited to {0} registers per thread: {1} tile blocks are resident on a multiprocessor", limit,
                       blocks)
             .str();
}

namespace {

class BudgetRegistersPass final : public impl::TileASBudgetRegistersBase<BudgetRegistersPass> {
public:
  using TileASBudgetRegistersBase::TileASBudgetRegistersBase;

private:
  void getDependentDialects(DialectRegistry &registry) const override {
    TileASBudgetRegistersBase::getDependentDialects(registry);
    registerEmittedDialects(registry);
  }

  void runOnOperation() override {
    const LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    const SymbolTable symbols(getOperation());
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (function->hasAttr("nvvm.kernel"))
        checkKernel(*lowering, function, symbols);
    markAnalysesPreserved<LoweringAnalysis>();
  }

  void checkKernel(const LoweringContext &lowering, LLVM::LLVMFuncOp kernel, const SymbolTable &symbols) {
    const auto [needed, limit, peak] = estimateRegisters(lowering, kernel);
    if (kernel.walk([](aa::GetNumResidentProgramsOp) { return WalkResult::interrupt(); }).wasInterrupted())
      kernel->setAttr(kResidentCtasAttr,
                      Builder(kernel).getI32IntegerAttr(countResidentCtas(lowering, kernel, symbols)));
    auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    Emitter emit(builder, kernel);
    if (kernel->removeAttr(kOnlyResidentBeginAttr))
      emitLeaveBeyondResident(emit, kernel);
    remarkOn(kernel, Analysis::RegisterEstimate)
        << llvm::formatv("estimated {0} registers per thread, of {1}", needed, limit).str();
    if (needed <= limit) {
      if (raiseOccupancy && !deviceDebug && isStream(kernel))
        limitRegisters(lowering, kernel, symbols);
      return;
    }
    // ptxas keeps spills in what static arrays leave of shared memory; it refuses to next to a dynamic array, where
    // functions are called, and in code for a debugger.
    bool isShared = !deviceDebug && !kernel->hasAttr(kDynamicSharedBytesAttr) &&
                    lowering.features().enableSmemSpilling && !callsFunctions(kernel);
    std::string where = isShared ? "shared memory first, then to local memory" : "local memory";
    remarkOn(peak, Missed::RegisterPressure)
        << llvm::formatv("about {0} registers per thread are needed here, of {1}: tiles are spilled to {2}; smaller "
                         "tiles need fewer",
                         needed, limit, where)
               .str();
    if (!isShared)
      return;
    PtxInstruction(emit).emit(".pragma \"enable_smem_spilling\";", PtxEffect::Convergent);
  }
};

} // namespace
} // namespace tileiras
