//===- AttachTmaDescriptors.cpp - Where tensor maps come from -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostTensorMaps.h"
#include "TensorMaps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/Emitter.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedBytes.h"
#include "tileiras/NVIDIA/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASATTACHTMADESCRIPTORS
#include "tileiras/NVIDIA/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// In the order of the program; of those that are built together, the last one says where.
using MapGroup = SmallVector<as::MakeTiledTmaDescOp, 4>;

bool isForStores(as::MakeTiledTmaDescOp op) {
  return op.getAtom().getName() != as::kTmaLoad;
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
  for (Operation *around = op->getParentOp(); around != function; around = around->getParentOp())
    if (!isa<RegionBranchOpInterface, as::ExecutionScopeOpInterface>(around) ||
        isa<as::PipelineRegionOpInterface>(around))
      return op.emitOpError() << "stands in '" << around->getName()
                              << "', which not all threads run: make tensor maps in front of it";
  return success();
}

/// Nothing uses the maps of `group` before `op`, which stands in their block.
bool areUnusedBefore(const MapGroup &group, Operation *op) {
  return llvm::all_of(group, [&](as::MakeTiledTmaDescOp map) {
    return llvm::all_of(map->getUsers(), [&](Operation *user) {
      Operation *around = op->getBlock()->findAncestorOpInBlock(*user);
      return !around || !around->isBeforeInBlock(op);
    });
  });
}

/// `descriptors` in program order.
SmallVector<MapGroup> groupMaps(ArrayRef<as::MakeTiledTmaDescOp> descriptors) {
  SmallVector<MapGroup> groups;
  for (as::MakeTiledTmaDescOp op : descriptors) {
    if (groups.empty() || groups.back().front()->getBlock() != op->getBlock() || !areUnusedBefore(groups.back(), op))
      groups.emplace_back();
    groups.back().push_back(op);
  }
  return groups;
}

/// What the operations that build maps are told of them.
struct MapList {
  SmallVector<as::MakeTiledTmaDescOp> maps;
  SmallVector<Value> sources;
  SmallVector<Type> types;
  SmallVector<bool> stores, fills;

  void add(as::MakeTiledTmaDescOp map) {
    maps.push_back(map);
    sources.push_back(map.getSource());
    types.push_back(map.getType());
    stores.push_back(isForStores(map));
    fills.push_back(map.getOobMode() == aa::PaddingValue::NaN);
  }
  /// Each once.
  explicit MapList(const MapGroup &group) {
    for (as::MakeTiledTmaDescOp op : group)
      if (llvm::none_of(maps, [&](as::MakeTiledTmaDescOp map) { return isSameMap(map, op); }))
        add(op);
  }
  void replace(const MapGroup &group, ValueRange built) const {
    for (as::MakeTiledTmaDescOp op : group) {
      auto map = llvm::find_if(maps, [&](as::MakeTiledTmaDescOp other) { return isSameMap(other, op); });
      op.replaceAllUsesWith(built[map - maps.begin()]);
    }
    for (as::MakeTiledTmaDescOp op : group)
      op.erase();
  }
};

/// The parameters that `sources` are made of, and of nothing else but constants; none where that is not so, or where
/// they do not fit a key.
SmallVector<Value> getKey(LLVM::LLVMFuncOp kernel, ValueRange sources) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  for (Value source : sources)
    if (failed(getBackwardSlice(source, &slice, options)))
      return {};
  SetVector<Value> leaves;
  for (Operation *op : slice) {
    if (!isMemoryEffectFree(op) || op->getNumRegions() != 0 ||
        (op->getNumOperands() == 0 && !op->hasTrait<OpTrait::ConstantLike>()))
      return {};
    for (Value operand : op->getOperands())
      if (isa<BlockArgument>(operand))
        leaves.insert(operand);
  }
  unsigned words = 0;
  for (Value leaf : leaves) {
    std::optional<unsigned> count = getNumKeyWords(leaf.getType());
    if (!count || leaf.getParentBlock() != &kernel.getBody().front())
      return {};
    words += *count;
  }
  return words < kKeyWords ? SmallVector<Value>(leaves.getArrayRef()) : SmallVector<Value>();
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

/// The maps that the host cannot build stay in `maps`.
void takeFromHost(LLVM::LLVMFuncOp kernel, MapGroup &maps) {
  for (as::MakeTiledTmaDescOp map : MapList(maps).maps) {
    std::string reason = "the kernel's parameters have no room for it";
    DictionaryAttr description = hasRoomForHostMap(kernel) ? describeHostMap(map, reason) : DictionaryAttr();
    if (!description) {
      remarkOn(map, Missed::TensorMapOnDevice)
          << ("the host cannot build this tensor map, every tile block does: " + reason);
      continue;
    }
    MapGroup equal;
    llvm::copy_if(maps, std::back_inserter(equal), [&](as::MakeTiledTmaDescOp op) { return isSameMap(op, map); });
    llvm::erase_if(maps, [&](as::MakeTiledTmaDescOp op) { return llvm::is_contained(equal, op); });
    takeHostMap(kernel, description, equal);
  }
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
      createSets();
    markAnalysesPreserved<LoweringAnalysis>();
  }

  LogicalResult attach(LLVM::LLVMFuncOp function) {
    MapGroup maps;
    function.walk([&](as::MakeTiledTmaDescOp op) { maps.push_back(op); });
    for (as::MakeTiledTmaDescOp op : maps)
      if (failed(verifyPlace(op, function)))
        return failure();
    if (descriptors == TmaDescriptors::Host)
      takeFromHost(function, maps);
    if (!maps.empty())
      buildOnDevice(function, maps);
    return success();
  }

  void buildOnDevice(LLVM::LLVMFuncOp function, const MapGroup &maps) {
    const Location location = maps.front()->getLoc();
    SmallVector<MapGroup> groups = groupMaps(maps);
    // What is made where the kernel starts is built with the claim.
    Block &entry = function.getBody().front();
    OpBuilder builder = OpBuilder::atBlockBegin(&entry);
    MapGroup first;
    if (groups.front().front()->getBlock() == &entry) {
      first = groups.front();
      builder.setInsertionPoint(first.back());
      groups.erase(groups.begin());
    }
    as::ClaimTensorMapsOp claim = createClaim(builder, location, first, groups);
    if (groups.empty()) // nobody changes them
      claim.getKeyMutable().assign(getKey(function, claim.getSources()));
    int64_t built = claim.getSources().size();
    for (const MapGroup &group : groups)
      built += update(group, claim, built);
    releaseAtEnds(function, claim);
    claims.push_back(claim);
  }

  static as::ClaimTensorMapsOp createClaim(OpBuilder &builder, Location location, const MapGroup &first,
                                           ArrayRef<MapGroup> others) {
    MapList maps(first);
    const SmallVector<Value> sources = maps.sources;
    for (const MapGroup &group : others)
      for (as::MakeTiledTmaDescOp map : MapList(group).maps)
        maps.add(map);
    const size_t count = maps.maps.size();
    const int64_t bytes = kTensorMapBytes * llvm::PowerOf2Ceil(count + 1);
    auto staging = createSharedBytes(builder, location, bytes);
    SmallVector<Type> results = maps.types;
    results.push_back(builder.getI32Type());
    auto claim = as::ClaimTensorMapsOp::create(builder, location, results, sources, staging, /*key=*/ValueRange(),
                                               maps.stores, maps.fills, /*maps_per_set=*/int32_t(count));
    maps.replace(first, claim.getDescs());
    return claim;
  }

  /// Returns how many maps there are.
  static size_t update(const MapGroup &group, as::ClaimTensorMapsOp claim, int64_t number) {
    const MapList maps(group);
    as::MakeTiledTmaDescOp last = group.back();
    OpBuilder builder(last);
    auto update = as::UpdateTensorMapsOp::create(
        builder, last.getLoc(), maps.types, claim.getDescs().slice(number, maps.maps.size()), maps.sources,
        claim.getStaging(), maps.stores, maps.fills, /*first=*/int32_t(number), llvm::is_contained(maps.stores, true));
    maps.replace(group, update.getDescs());
    return maps.maps.size();
  }

  static void releaseAtEnds(LLVM::LLVMFuncOp function, as::ClaimTensorMapsOp claim) {
    auto findStore = [](Operation *op) {
      return WalkResult(failure(isa<as::AsyncTiledTmaStoreOp, as::AsyncScatterTmaStoreOp>(op)));
    };
    const bool afterStores = function.walk(findStore).wasInterrupted();
    function.walk([&](LLVM::ReturnOp end) {
      OpBuilder builder(end);
      as::ReleaseTensorMapsOp::create(builder, end.getLoc(), claim.getSet(), afterStores);
    });
  }

  void createSets() {
    uint32_t mapsPerSet = 0;
    for (as::ClaimTensorMapsOp claim : claims)
      mapsPerSet = std::max(mapsPerSet, claim.getMapsPerSet());
    for (auto [number, claim] : llvm::enumerate(claims)) {
      claim.setMapsPerSet(mapsPerSet);
      if (!claim.getKey().empty())
        claim.setKernel(number);
    }
    const bool keeps = llvm::any_of(claims, [](as::ClaimTensorMapsOp claim) { return !claim.getKey().empty(); });
    auto builder = OpBuilder::atBlockBegin(getOperation().getBody());
    const Location location = getOperation().getLoc();
    const int64_t bytes = (kSets + (keeps ? kKeptMaps : 0)) * mapsPerSet * kTensorMapBytes;
    createZeros(builder, location, LLVM::LLVMArrayType::get(builder.getI8Type(), bytes), getTensorMapsName(),
                kTensorMapBytes);
    createZeros(builder, location, LLVM::LLVMArrayType::get(builder.getI32Type(), kSetGroups), getClaimedSetsName(),
                /*alignment=*/4);
    if (keeps)
      createZeros(builder, location, LLVM::LLVMArrayType::get(builder.getI32Type(), kKeptMaps * kKeyWords),
                  getTensorMapKeysName(), /*alignment=*/4 * kKeyWords);
    createEmptyArrays(builder, location);
    claims.clear();
  }

  SmallVector<as::ClaimTensorMapsOp> claims;
};

} // namespace
} // namespace tileiras
