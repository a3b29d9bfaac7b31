//===- CudaTileToTileAA.cpp - The pass convert-cudatile-to-tileaa --------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Conversion/CudaTileToTileAA/CudaTileToTileAA.h"
#include "Patterns.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Transforms/RegionUtils.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/ProgramForm.h"
#include "tileiras/Dialect/TileAS/MmaSelection.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Target/ContextTargets.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTCUDATILETOTILEAA
#include "tileiras/Conversion/CudaTileToTileAA/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;
using namespace tileiras::cuda_tile_to_aa;

//===----------------------------------------------------------------------===//
// Before the conversion
//===----------------------------------------------------------------------===//

static LogicalResult checkAlignment(Operation *op, uint64_t alignment) {
  if (alignment <= uint64_t(aa::kMaxAlignment))
    return success();
  return op->emitError("memory cannot be aligned to ")
         << alignment << " bytes; use an alignment of at most " << aa::kMaxAlignment;
}

static LogicalResult checkAlloca(cuda_tile::AllocaOp op) {
  constexpr uint64_t maxElements = uint64_t(1) << 32; // far above what a tile block gets
  if (op.getNumElem() > maxElements)
    return op.emitError("'cuda_tile.alloca' of ")
           << op.getNumElem() << " elements is more than a tile block has; use a smaller one";
  return checkAlignment(op, op.getAlignment());
}

/// One clear message for what the conversion cannot do.
static LogicalResult checkSupported(Operation *op) {
  if (auto alloca = dyn_cast<cuda_tile::AllocaOp>(op))
    return checkAlloca(alloca);
  if (auto global = dyn_cast<cuda_tile::GlobalOp>(op))
    return checkAlignment(op, global.getAlignment());
  if (auto entry = dyn_cast<cuda_tile::EntryOp>(op))
    for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
      if (!isa<cuda_tile::TileType>(type))
        return op->emitError("parameter ") << index << " of the kernel has type " << type
                                           << ", which cannot be passed at a launch; pass pointers and scalars";
  return success();
}

/// A body combines two elements in one thread, which has the scalars of the kernel but only a part of each tile.
static LogicalResult checkBody(Operation *op) {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegion(0), captured);
  for (Value value : captured) {
    auto tile = dyn_cast<cuda_tile::TileType>(value.getType());
    if (tile && tile.getRank() == 0)
      continue;
    InFlightDiagnostic diagnostic = op->emitError("the body uses a value from outside of type ") << value.getType();
    diagnostic << ", but can use scalars only; make the tile another operand";
    diagnostic.attachNote(value.getLoc()) << "the value is defined here";
    return diagnostic;
  }
  return success();
}

/// Checks and prepares everything below `module`; leaves for, loop and if in scf. Entries get their launch shapes.
static LogicalResult prepare(cuda_tile::ModuleOp module, const KernelOptions &options, KernelSpecs &kernelSpecs) {
  WalkResult result = module.walk([&](Operation *op) {
    if (failed(checkSupported(op)))
      return WalkResult::interrupt();
    if (isa<cuda_tile::ReduceOp, cuda_tile::ScanOp>(op) && failed(checkBody(op)))
      return WalkResult::interrupt();
    keepAccessHints(op, options);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto entry : module.getBody().front().getOps<cuda_tile::EntryOp>()) {
    kernelSpecs[entry] = chooseKernelSpec(entry, options);
    setArithmeticModes(entry, options.flushes, options.approximates);
    if (options.checksAssumes)
      checkAssumptions(entry);
    if (failed(structureControlFlow(entry)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct ConvertCudaTileToTileAAPass : tileiras::impl::ConvertCudaTileToTileAABase<ConvertCudaTileToTileAAPass> {
  using ConvertCudaTileToTileAABase::ConvertCudaTileToTileAABase;

  void runOnOperation() override {
    if (failed(setTarget()) || failed(checkOptions()) || failed(unwrapModules()) || failed(convert()))
      signalPassFailure();
  }

private:
  LogicalResult setTarget();
  LogicalResult checkOptions();
  LogicalResult unwrapModules();
  LogicalResult convert();

  KernelOptions kernelOptions;
  KernelSpecs kernelSpecs;
};

} // namespace

/// The options and the module's own target_spec together say what is compiled for; options win.
LogicalResult ConvertCudaTileToTileAAPass::setTarget() {
  mlir::ModuleOp module = getOperation();
  auto given = module->getAttrOfType<aa::TargetSpecAttr>(aa::TileAADialect::getTargetSpecAttrName());
  unsigned capability = computeCapability ? computeCapability : given ? given.getComputeCapability() : 0;
  kernelOptions.chip = !chip.empty() ? chip.getValue() : given ? given.getChip().str() : std::string();
  if (capability < 10)
    return module.emitError("invalid or missing --compute-capability option");
  module->setAttr(aa::TileAADialect::getTargetSpecAttrName(),
                  aa::TargetSpecAttr::get(&getContext(), capability, kernelOptions.chip));
  return success();
}

LogicalResult ConvertCudaTileToTileAAPass::checkOptions() {
  auto isCount = [](unsigned n) { return n == 0 || (n <= 16 && llvm::isPowerOf2_32(n)); };
  if (!isCount(numWarps))
    return getOperation().emitError("invalid --num-warps option: expected a power of two in 1..16, but got ")
           << numWarps.getValue();
  if (!isCount(numCtas))
    return getOperation().emitError("invalid --num-ctas option: expected a power of two in 1..16, but got ")
           << unsigned(numCtas);
  kernelOptions.numWarps = numWarps;
  kernelOptions.numCtas = numCtas;
  kernelOptions.checksAssumes = checkAssumes;
  kernelOptions.flushes = ftz;
  kernelOptions.approximates = approx;
  const ChipTarget target = findChipTarget(getContext(), kernelOptions.chip);
  kernelOptions.tuning = target.tuning();
  kernelOptions.tensorCopies = TensorCopyRule(target);
  kernelOptions.warpgroupRows = warpgroupProducts ? getRowsOfWarpgroup(target) : 0;
  kernelOptions.mostWarpgroupRows = warpgroupProducts ? getMostRowsOfWarpgroup(target) : 0;
  if (target)
    kernelOptions.mostRegisters = target.machine().getRegistersPerThread(kLanesPerWarp, /*ctas=*/1);
  kernelOptions.pipelinesLoops = warpgroupProducts && target;
  kernelOptions.fillsByGroups = kernelOptions.pipelinesLoops && target.chip->features.fillsByGroups() &&
                                target.chip->features.copiesAsynchronously();
  if (kernelOptions.fillsByGroups)
    kernelOptions.sharedBytes = target.machine().getSharedBytesPerCTA(target.tuning().ctasOfGroups);
  if (!clusters)
    kernelOptions.obstacleToClusters = "no pass of this profile spreads it over a cluster";
  else if (!target || !target.chip->features.cluster)
    kernelOptions.obstacleToClusters = "the GPU has no clusters";
  return success();
}

/// Lifts kernels and globals out of their cuda_tile.module, prepared for conversion.
LogicalResult ConvertCudaTileToTileAAPass::unwrapModules() {
  kernelSpecs.clear();
  Block *block = getOperation().getBody();
  WalkResult walk = getOperation().walk([&](cuda_tile::ModuleOp module) {
    if (module->getParentOp() == getOperation())
      return WalkResult::skip();
    module.emitError("'cuda_tile.module' is in a module within the module that is compiled; put it directly into that");
    return WalkResult::interrupt();
  });
  if (walk.wasInterrupted())
    return failure();
  llvm::DenseMap<StringAttr, Operation *> symbols;
  for (auto symbol : getOperation().getOps<SymbolOpInterface>())
    symbols[symbol.getNameAttr()] = symbol;
  for (auto module : llvm::make_early_inc_range(getOperation().getOps<cuda_tile::ModuleOp>())) {
    if (failed(prepare(module, kernelOptions, kernelSpecs)))
      return failure();
    // A kernel may have the name of its module: that one goes first.
    auto position = std::next(Block::iterator(module));
    module->remove();
    if (auto symbol = dyn_cast<SymbolOpInterface>(module.getOperation()); symbol && symbol.getNameAttr())
      symbols.erase(symbol.getNameAttr());
    OwningOpRef<cuda_tile::ModuleOp> owner(module);
    for (Operation &op : llvm::make_early_inc_range(module.getBody().front())) {
      auto symbol = dyn_cast<SymbolOpInterface>(op);
      if (symbol)
        if (auto [other, isNew] = symbols.try_emplace(symbol.getNameAttr(), &op); !isNew) {
          op.emitError("redefinition of symbol named '")
                  .append(symbol.getName(), "'")
                  .attachNote(other->second->getLoc())
              << "the other definition is in another cuda_tile.module";
          return failure();
        }
      op.moveBefore(block, position);
    }
  }
  return success();
}

LogicalResult ConvertCudaTileToTileAAPass::convert() {
  MLIRContext *context = &getContext();
  auto isOwn = [](cuda_tile::AllocaOp op) { return op.getGlobal() ? WalkResult::advance() : WalkResult::interrupt(); };
  bool hasOwnMemory = getOperation().walk(isOwn).wasInterrupted();
  TileTypeConverter converter(/*addressSpace=*/hasOwnMemory ? 0 : 1);
  RewritePatternSet patterns(context);
  populateArithmeticPatterns(converter, patterns);
  populateFloatingPointPatterns(converter, patterns);
  populateMemoryPatterns(converter, patterns);
  populateProgramPatterns(converter, kernelSpecs, patterns);
  populateShapePatterns(converter, patterns);
  populateViewPatterns(converter, patterns);

  ConversionTarget target(*context);
  target.addLegalDialect<arith::ArithDialect, math::MathDialect, scf::SCFDialect, aa::TileAADialect>();
  target.addIllegalDialect<cuda_tile::CudaTileDialect>();
  target.addDynamicallyLegalOp<UnrealizedConversionCastOp>(
      [&](UnrealizedConversionCastOp op) { return converter.isLegal(op); });
  scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);

  if (succeeded(applyPartialConversion(getOperation(), target, std::move(patterns))))
    return success();
  return getOperation().emitError("failed to convert cuda_tile to nv_tileaa");
}
