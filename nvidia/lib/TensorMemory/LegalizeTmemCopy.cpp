//===- LegalizeTmemCopy.cpp - Copies to and from tensor memory ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/ModuleTarget.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/NVIDIA/Passes.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASLEGALIZETMEMCOPY
#include "tileiras/NVIDIA/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

class CopyLegalization {
public:
  explicit CopyLegalization(as::CopyOp copy) : copy(copy), builder(copy) {}

  LogicalResult run() {
    if (copy.getResult())
      return load();
    return as::isDistributedTensor(copy.getSource().getType()) ? store() : throughRegisters();
  }

private:
  /// The tile as warps move it to or from `memory`; null after a diagnostic.
  RankedTensorType inferRows(Value memory) {
    auto tile = cast<RankedTensorType>(memory.getType());
    std::optional<LinearLayout> layout = as::findRowLayout(tile, getExecutionScope(copy).numWarps);
    if (layout)
      return tile.cloneWithEncoding(as::LinearAttr::get(copy.getContext(), *layout));
    copy.emitOpError() << "failed to infer " << (memory == copy.getSource() ? "register" : "source")
                       << " layout from tmem layout: four warps move 128 rows, a lane each, or a multiple; got " << tile
                       << " and " << getExecutionScope(copy).numWarps << " warps";
    return {};
  }

  static bool areRows(RankedTensorType registers, Value memory) {
    return as::hasRowsOfWarps(as::getLinearLayout(registers),
                              as::getTensorMemoryLayout(cast<RankedTensorType>(memory.getType())));
  }

  LogicalResult load() {
    auto wanted = cast<RankedTensorType>(copy.getResult().getType());
    if (areRows(wanted, copy.getSource())) {
      copy.setAtomAttr(as::AtomAttr::get(copy.getContext(), as::kTensorMemoryLoad));
      return success();
    }
    RankedTensorType rows = inferRows(copy.getSource());
    if (!rows)
      return failure();
    Value loaded = emitCopy(rows, copy.getSource(), Value(), as::kTensorMemoryLoad);
    copy.getResult().replaceAllUsesWith(as::ConvertLayoutOp::create(builder, copy.getLoc(), wanted, loaded));
    copy.erase();
    return success();
  }

  LogicalResult store() {
    if (areRows(cast<RankedTensorType>(copy.getSource().getType()), copy.getDestination())) {
      copy.setAtomAttr(as::AtomAttr::get(copy.getContext(), as::kTensorMemoryStore));
      return success();
    }
    RankedTensorType rows = inferRows(copy.getDestination());
    if (!rows)
      return failure();
    Value converted = as::ConvertLayoutOp::create(builder, copy.getLoc(), rows, copy.getSource());
    emitCopy(Type(), converted, copy.getDestination(), as::kTensorMemoryStore);
    copy.erase();
    return success();
  }

  /// From memory to memory.
  LogicalResult throughRegisters() {
    Value source = copy.getSource(), destination = copy.getDestination();
    const bool loads = as::isTensorMemoryTensor(source.getType()),
               stores = as::isTensorMemoryTensor(destination.getType());
    RankedTensorType rows = inferRows(loads ? source : destination);
    if (!rows)
      return failure();
    Value loaded = emitCopy(rows, source, Value(), loads ? as::kTensorMemoryLoad : as::AtomAttr::kAnyCopy);
    emitCopy(Type(), loaded, destination, stores ? as::kTensorMemoryStore : as::AtomAttr::kAnyCopy);
    copy.erase();
    return success();
  }

  Value emitCopy(Type result, Value source, Value destination, StringRef atom) {
    auto made = as::CopyOp::create(builder, copy.getLoc(), result, source, destination,
                                   as::AtomAttr::get(copy.getContext(), atom));
    return made.getResult();
  }

  as::CopyOp copy;
  OpBuilder builder;
};

bool isOfTensorMemory(as::CopyOp copy) {
  return llvm::any_of(copy->getOperandTypes(), as::isTensorMemoryTensor);
}

struct LegalizeTmemCopyPass final : impl::TileASLegalizeTmemCopyBase<LegalizeTmemCopyPass> {
  void runOnOperation() override {
    SmallVector<as::CopyOp> copies;
    getOperation().walk([&](as::CopyOp copy) {
      if (isOfTensorMemory(copy))
        copies.push_back(copy);
    });
    if (copies.empty())
      return;
    const ChipTarget target = findModuleTarget(getOperation(), "");
    if (!target || !target.chip->features.tcgen05) {
      copies.front().emitOpError() << "is of tensor memory, which "
                                   << (target ? target.chip->name : std::string("the GPU that is not named"))
                                   << " does not have";
      return signalPassFailure();
    }
    bool failed = false;
    for (as::CopyOp copy : copies)
      failed |= mlir::failed(CopyLegalization(copy).run());
    if (failed)
      signalPassFailure();
  }
};

} // namespace
} // namespace tileiras
