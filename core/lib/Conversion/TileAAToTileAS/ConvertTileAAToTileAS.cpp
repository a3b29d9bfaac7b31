//===- ConvertTileAAToTileAS.cpp - convert-tileaa-to-tileas ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockScale.h"
#include "NarrowProducts.h"
#include "Patterns.h"
#include "QueueEntries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Conversion/TileAAToTileAS/Passes.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/BlockScale.h"
#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAA/ProgramForm.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/AnchorLayouts.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTTILEAATOTILEAS
#include "tileiras/Conversion/TileAAToTileAS/Passes.h.inc"
} // namespace tileiras

using namespace mlir;
using namespace tileiras;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static as::TiledViewType convertView(aa::TiledViewType view) {
  SmallVector<int64_t> steps;
  SmallVector<int32_t> dimMap(view.getDimMap());
  for (int32_t d = 0; d < view.getRank(); ++d) {
    steps.push_back(view.getStep(d));
    if (view.getDimMap().empty())
      dimMap.push_back(d);
  }
  return as::TiledViewType::get(view.getContext(), view.getTileShape(), view.getSource(), steps, dimMap,
                                view.getSparseDim());
}

TileASTypeConverter::TileASTypeConverter(int64_t numWarps) {
  addConversion([](Type type) { return type; });
  addConversion([](aa::TiledViewType view) { return convertView(view); });
  addConversion([](aa::MemTokenType token) { return as::MemTokenType::get(token.getContext()); });
  addConversion([this](aa::QueueType queue) -> Type {
    SmallVector<Type> types;
    if (failed(convertTypes(queue.getTypes(), types)))
      return {};
    return aa::QueueType::get(queue.getContext(), types, queue.getIsolated());
  });
  addConversion([numWarps](RankedTensorType tile) {
    return tile.getEncoding() ? tile : tile.cloneWithEncoding(as::getDefaultLayout(tile, numWarps));
  });
  addConversion([numWarps](as::SlicesType slices) {
    RankedTensorType slice = slices.getSlice();
    return slice.getEncoding() ? slices : slices.cloneWithEncoding(as::getDefaultLayout(slice, numWarps));
  });
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

namespace {

/// Every tile in the default layout of its shape, products in the fragments of their atom.
class DefaultLayouts final : public as::LayoutChoice {
public:
  DefaultLayouts(MLIRContext *context, int64_t numWarps) : LayoutChoice(context), numWarps(numWarps) {}

  LogicalResult chooseAtoms(aa::FuncOp func, const ChipTarget &target) {
    WalkResult result = func.walk([&](as::ProductOpInterface product) -> WalkResult {
      FailureOr<const MmaAtom *> atom = as::findWarpAtom(product, target);
      if (failed(atom))
        return WalkResult::interrupt();
      if (*atom) {
        atoms[product] = *atom;
        product.setAtomAttr(as::AtomAttr::get(product.getContext(), (*atom)->name));
      } else if (!product.getScaleOperandNumbers()) {
        remarkOn(product, Missed::TensorCore)
            << "MMA without a tensor core instruction for its element types and extents";
      }
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  Attribute getLayout(Value tile) override {
    return as::getDefaultLayout(cast<RankedTensorType>(tile.getType()), numWarps);
  }

  void choose(Operation *op, as::OpLayouts &layouts) override {
    if (const MmaAtom *atom = atoms.lookup(op)) {
      ArrayRef<int64_t> shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
      as::setProductLayouts(cast<as::ProductOpInterface>(op),
                            as::getProductLayouts(op->getContext(), *atom, shape, numWarps, /*preferRows=*/false),
                            layouts);
    }
  }

private:
  int64_t numWarps;
  DenseMap<Operation *, const MmaAtom *> atoms;
};

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Elements of a tile that a thread may hold. More than the register file by far: the rest is spilled. But LLVM and the
/// assembler have to see each of them.
constexpr int64_t kMaxElementsPerThread = 8192;

LogicalResult verifyTileSizes(aa::FuncOp func, int64_t numWarps) {
  const uint64_t threads = 32 * numWarps, most = threads * kMaxElementsPerThread;
  WalkResult result = func.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      uint64_t elements = 1;
      if (auto tile = dyn_cast<RankedTensorType>(type))
        for (int64_t extent : tile.getShape())
          elements = llvm::SaturatingMultiply(elements, uint64_t(extent));
      if (elements <= most)
        continue;
      op->emitError("a tile of ") << elements << " elements does not fit into " << threads << " threads: at most "
                                  << most << " are supported; use smaller tiles";
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifySignature(aa::FuncOp func) {
  for (Type type : func.getArgumentTypes())
    if (isa<TensorType>(type))
      return func.emitOpError() << "takes a tile: only scalars and pointers can be passed to a function";
  return success();
}

struct ConvertTileAAToTileAS : tileiras::impl::ConvertTileAAToTileASBase<ConvertTileAAToTileAS> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(aa::verifyInFunctions(getOperation())))
      return signalPassFailure();
    WalkResult result = getOperation().walk(
        [&](aa::FuncOp func) { return failed(convert(func)) ? WalkResult::interrupt() : WalkResult::skip(); });
    if (result.wasInterrupted()) {
      getOperation().emitError("failed to convert nv_tileaa to nv_tileas");
      signalPassFailure();
    }
  }

  /// Pipelines come from queues; what is in one has its layout, and so have MMAs.
  static LogicalResult refusePipelines(aa::FuncOp func) {
    WalkResult result = func.walk([](Operation *op) -> WalkResult {
      if (isa<as::PipelineRegionOpInterface, as::AgentSwitchOp, as::DotOp, as::AsyncDotOp>(op))
        return op->emitOpError()
               << "stands in a function that is not nv_tileas yet; use queues and agents of nv_tileaa";
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  LogicalResult convert(aa::FuncOp func) {
    if (func.isExternal())
      return success();
    const ChipTarget target = findModuleTarget(func, gpuName);
    int64_t numWarps = getExecutionScope(func).numWarps;
    if (failed(aa::verifyElementTypes(func)) || failed(verifySignature(func)) || failed(refusePipelines(func)) ||
        failed(as::verifyTileShapes(func)) || failed(verifyTileSizes(func, numWarps)))
      return failure();
    if (failed(expandBlockScales(func, target, blockScale == "emulate")) || failed(widenNarrowProducts(func, target)))
      return failure();
    storeQueueEntriesAsTiles(func);
    DefaultLayouts layouts(&getContext(), numWarps);
    if (failed(convertOperations(func, target && target.chip->features.redVectors, numWarps)) ||
        failed(layouts.chooseAtoms(func, target)))
      return failure();
    if (failed(as::applyLayouts(func, layouts)))
      return failure();
    if (positiveScales)
      func->walk([](as::DotOp product) { product.setPositiveScales(product.isBlockScaled()); });
    return success();
  }

  LogicalResult convertOperations(aa::FuncOp func, bool addsVectors, int64_t numWarps) {
    TileASTypeConverter types(numWarps);
    PointerContiguity contiguity = findPointerContiguity(func, /*ofSums=*/addsVectors);
    RewritePatternSet patterns(&getContext());
    populateStructurePatterns(types, patterns);
    populateMemoryPatterns(types, contiguity, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<aa::FuncOp>(patterns, types);
    scf::populateSCFStructuralTypeConversions(types, patterns);

    // What has a counterpart in nv_tileas is replaced, all else stays once its types are right.
    llvm::DenseSet<OperationName> replaced;
    for (const std::unique_ptr<RewritePattern> &pattern : patterns.getNativePatterns())
      if (std::optional<OperationName> root = pattern->getRootKind())
        if (root->getDialectNamespace() == aa::TileAADialect::getDialectNamespace())
          replaced.insert(*root);
    auto isConverted = [&](Operation *op) {
      if (auto function = dyn_cast<aa::FuncOp>(op))
        return types.isSignatureLegal(cast<FunctionType>(function.getFunctionType()));
      bool stays =
          !replaced.contains(op->getName()) ||
          isa<aa::FenceAliasOp, aa::GdcWaitOp, aa::GdcLaunchDependentsOp, aa::QueuePutOp, aa::QueueGetOp>(op) ||
          (isa<aa::YieldOp>(op) && isa<aa::ExecuteOp>(op->getParentOp()));
      return stays && types.isLegal(op);
    };
    ConversionTarget target(getContext());
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return isConverted(op) ? std::optional<bool>(true) : std::nullopt; });

    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    config.allowPatternRollback = false;
    if (failed(applyPartialConversion(func, target, std::move(patterns), config)))
      return failure();
    // Partial, so that it is us who say what is left.
    WalkResult result = func.walk([&](Operation *op) -> WalkResult {
      if (isConverted(op))
        return WalkResult::advance();
      return op->emitOpError() << "cannot be converted to nv_tileas";
    });
    return failure(result.wasInterrupted());
  }
};

} // namespace
