//===- AttachTmaDescriptors.cpp - Where tensor maps come from -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTensorMaps.h"
#include "TensorMaps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Dominance.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASATTACHTMADESCRIPTORS
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// In the order of the kernel.
using Descriptors = SmallVector<as::MakeTiledTmaDescOp>;

bool isForStores(as::MakeTiledTmaDescOp op) {
  return op.getAtom() != as::kTmaLoad;
}

bool isSameMap(as::MakeTiledTmaDescOp a, as::MakeTiledTmaDescOp b) {
  auto getFill = [](as::MakeTiledTmaDescOp op) { return op.getOobMode().value_or(aa::PaddingValue::Zero); };
  return a.getSource() == b.getSource() && a.getType() == b.getType() && getFill(a) == getFill(b) &&
         isForStores(a) == isForStores(b);
}

LogicalResult verifyPlace(as::MakeTiledTmaDescOp op, LLVM::LLVMFuncOp function) {
  if (!function->hasAttr("nvvm.kernel"))
    return op.emitOpError() << "stands in a function that is no kernel: tensor maps are built where a launch begins";
  if (!getTensorMapElement(op.getType().getElementType()))
    return op.emitOpError() << "describes elements that no tensor map has: " << op.getType().getElementType()
                            << "; load them without TMA";
  if (op.getOobMode() == aa::PaddingValue::NaN && op.getType().getElementType().getIntOrFloatBitWidth() < 16)
    return op.emitOpError() << "fills in NaNs of a type that tensor maps take for integers: "
                            << op.getType().getElementType() << "; load these without TMA";
  if (op->getBlock() != &function.getBody().front())
    return op.emitOpError() << "has to stand in the entry block of its kernel: tensor maps are built once";
  return success();
}

/// The claim stands where the last map was made: nobody may use one before.
LogicalResult verifyUses(as::MakeTiledTmaDescOp op, Operation *last) {
  for (Operation *user : op->getUsers())
    if (Operation *around = op->getBlock()->findAncestorOpInBlock(*user); around && around->isBeforeInBlock(last)) {
      InFlightDiagnostic diagnostic = user->emitOpError() << "uses a tensor map before the kernel's last one is made";
      diagnostic.attachNote(last->getLoc()) << "make them all before the first use";
      return diagnostic;
    }
  return success();
}

void createEmptyArrays(OpBuilder &builder, Location location) {
  SmallVector<int8_t> bytes(kNumEmptyArrays * kEmptyArrayBytes, 0);
  std::fill_n(bytes.begin() + kEmptyArrayOfNaN * kEmptyArrayBytes, kEmptyArrayBytes, -1);
  auto type = RankedTensorType::get({int64_t(bytes.size())}, builder.getI8Type());
  LLVM::GlobalOp::create(builder, location, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes.size()),
                         /*isConstant=*/false, LLVM::Linkage::Internal, getEmptyArraysName(),
                         DenseElementsAttr::get(type, ArrayRef<int8_t>(bytes)), kEmptyArrayBytes, kGlobalSpace);
}

void createZeros(OpBuilder &builder, Location location, Type type, const Twine &name, unsigned alignment) {
  auto global = LLVM::GlobalOp::create(builder, location, type, /*isConstant=*/false, LLVM::Linkage::Internal,
                                       name.str(), Attribute(), alignment, kGlobalSpace);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&global.getInitializerRegion());
  Value zero = LLVM::ZeroOp::create(builder, location, type);
  LLVM::ReturnOp::create(builder, location, zero);
}

/// Equal maps stand together, in the order of the first ones.
SmallVector<Descriptors> groupEqual(ArrayRef<as::MakeTiledTmaDescOp> descriptors) {
  SmallVector<Descriptors> groups;
  for (as::MakeTiledTmaDescOp op : descriptors) {
    auto *group = llvm::find_if(groups, [&](const Descriptors &other) { return isSameMap(other.front(), op); });
    if (group == groups.end())
      groups.push_back({op});
    else
      group->push_back(op);
  }
  return groups;
}

/// The maps that the host cannot build stay in `groups`.
void takeFromHost(LLVM::LLVMFuncOp kernel, SmallVector<Descriptors> &groups) {
  llvm::erase_if(groups, [&](const Descriptors &group) {
    as::MakeTiledTmaDescOp map = group.front();
    std::string reason = "the kernel's parameters have no room for it";
    DictionaryAttr description = hasRoomForHostMap(kernel) ? describeHostMap(map, reason) : DictionaryAttr();
    if (description)
      takeHostMap(kernel, description, group);
    else
      remarkMissed(map, "TensorMapOnDevice", "tma")
          << ("the host cannot build this tensor map, every tile block does: " + reason);
    return bool(description);
  });
}

class AttachTmaDescriptorsPass final : public impl::TileASAttachTmaDescriptorsBase<AttachTmaDescriptorsPass> {
public:
  using TileASAttachTmaDescriptorsBase::TileASAttachTmaDescriptorsBase;

private:
  void getDependentDialects(DialectRegistry &registry) const override {
    TileASAttachTmaDescriptorsBase::getDependentDialects(registry);
    registerEmittedDialects(registry);
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (failed(attach(function)))
        return signalPassFailure();
    if (!claims.empty())
      createSlots();
    markAnalysesPreserved<LoweringAnalysis>();
  }

  LogicalResult attach(LLVM::LLVMFuncOp function) {
    Descriptors all;
    function.walk([&](as::MakeTiledTmaDescOp op) { all.push_back(op); });
    for (as::MakeTiledTmaDescOp op : all)
      if (failed(verifyPlace(op, function)) || failed(verifyUses(op, all.back())))
        return failure();
    SmallVector<Descriptors> groups = groupEqual(all);
    if (descriptors == TmaDescriptors::Host)
      takeFromHost(function, groups);
    if (!groups.empty())
      buildOnDevice(function, groups);
    return success();
  }

  void buildOnDevice(LLVM::LLVMFuncOp function, ArrayRef<Descriptors> groups) {
    as::MakeTiledTmaDescOp last = groups.front().front();
    for (const Descriptors &group : groups)
      last = last->isBeforeInBlock(group.back()) ? group.back() : last;
    as::ClaimTensorMapsOp claim = createClaim(groups, last);
    for (auto [group, map] : llvm::zip_first(groups, claim.getDescs()))
      for (as::MakeTiledTmaDescOp op : group) {
        op.replaceAllUsesWith(map);
        op.erase();
      }
    releaseAtEnds(function, claim);
    claims.push_back(claim);
  }

  static as::ClaimTensorMapsOp createClaim(ArrayRef<Descriptors> groups, Operation *last) {
    OpBuilder builder(last);
    MLIRContext *context = builder.getContext();
    SmallVector<Value> sources;
    SmallVector<Type> results;
    SmallVector<bool> stores, fills;
    for (const Descriptors &group : groups) {
      as::MakeTiledTmaDescOp map = group.front();
      sources.push_back(map.getSource());
      results.push_back(map.getType());
      stores.push_back(isForStores(map));
      fills.push_back(map.getOobMode() == aa::PaddingValue::NaN);
    }
    results.push_back(builder.getI32Type());
    const int64_t bytes = kTensorMapBytes * llvm::PowerOf2Ceil(groups.size() + 1);
    auto layout = as::SharedAttr::get(context, std::to_string(bytes) + ",1");
    auto staging =
        as::AllocTensorOp::create(builder, last->getLoc(), RankedTensorType::get({bytes}, builder.getI8Type(), layout),
                                  as::SlotAttr(), IntegerAttr());
    return as::ClaimTensorMapsOp::create(builder, last->getLoc(), results, sources, staging, stores, fills,
                                         /*maps_per_slot=*/int32_t(groups.size()));
  }

  static void releaseAtEnds(LLVM::LLVMFuncOp function, as::ClaimTensorMapsOp claim) {
    const bool afterStores =
        function.walk([](as::AsyncTiledTmaStoreOp) { return WalkResult::interrupt(); }).wasInterrupted();
    function.walk([&](LLVM::ReturnOp end) {
      OpBuilder builder(end);
      as::ReleaseTensorMapsOp::create(builder, end.getLoc(), claim.getSlot(), afterStores);
    });
  }

  void createSlots() {
    uint32_t mapsPerSlot = 0;
    for (as::ClaimTensorMapsOp claim : claims)
      mapsPerSlot = std::max(mapsPerSlot, claim.getMapsPerSlot());
    for (as::ClaimTensorMapsOp claim : claims)
      claim.setMapsPerSlot(mapsPerSlot);
    auto builder = OpBuilder::atBlockBegin(getOperation().getBody());
    const Location location = getOperation().getLoc();
    const int64_t bytes = kSlotGroups * kSlotsPerGroup * mapsPerSlot * kTensorMapBytes;
    createZeros(builder, location, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes), getTensorMapsName(),
                kTensorMapBytes);
    createZeros(builder, location, LLVM::LLVMArrayType::get(builder.getI32Type(), kSlotGroups), getTensorMapSlotsName(),
                /*alignment=*/4);
    createEmptyArrays(builder, location);
    claims.clear();
  }

  SmallVector<as::ClaimTensorMapsOp> claims;
};

} // namespace
} // namespace tileiras
