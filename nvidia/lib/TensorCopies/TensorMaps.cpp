//===- TensorMaps.cpp - Tensor maps in global memory ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first warp builds the maps in shared memory, in which tensormap.replace sets field by field what is zero before,
// and copies them to the set that its first lane has claimed. The copy publishes them to the proxy that reads tensor
// maps; the warp acquires them there for all that are ordered after it. What a map says of its array may be set later
// and again, in the same way: the shared memory keeps the rest. Where maps are a function of parameters, nothing is
// built if the warp finds them kept.
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"
#include "KeptTensorMaps.h"
#include "Patterns.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Lowering/ControlFlow.h"
#include "tileiras/Lowering/Mbarrier.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "tileiras/Lowering/ViewAddressing.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {

std::optional<TensorMapElement> getTensorMapElement(Type element) {
  if (element.isF16())
    return TensorMapElement::F16;
  if (element.isBF16())
    return TensorMapElement::BF16;
  if (element.isF32())
    return TensorMapElement::F32;
  if (element.isTF32())
    return TensorMapElement::TF32;
  if (element.isF64())
    return TensorMapElement::F64;
  switch (element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0) {
  case 8:
    return TensorMapElement::U8;
  case 16:
    return TensorMapElement::U16;
  case 32:
    return TensorMapElement::U32;
  case 64:
    return TensorMapElement::U64;
  default:
    return std::nullopt;
  }
}

Value emitAddressOf(Emitter &emit, const std::string &symbol) {
  return LLVM::AddressOfOp::create(emit.builder, emit.location, emit.ptrType(kGlobalSpace), symbol);
}

namespace {

//===----------------------------------------------------------------------===//
// One map
//===----------------------------------------------------------------------===//

/// Emits, in one thread, the fields of a map in shared memory: those that are set; others stay.
class TensorMapBuilder {
public:
  TensorMapBuilder(Emitter &emit, Value map, const LoweringContext &lowering)
      : emit(emit), ptx(emit), address(ptx.operand(map)), limits(lowering.machine().tensorCopy) {}

  /// What is the same for all arrays.
  void buildShape(as::TmaDescType type, bool nanFill) {
    const unsigned rank = type.getBox().size();
    set("rank", rank - 1);
    // Dimension 0 of a map is contiguous: the last of the memref.
    for (unsigned d = 0; d < rank; ++d) {
      set("box_dim", d, type.getBox()[rank - 1 - d]);
      set("element_stride", d, 1);
    }
    set("elemtype", static_cast<unsigned>(*getTensorMapElement(type.getElementType())));
    set("interleave_layout", 0);
    set("swizzle_mode", type.getSwizzle() == 0 ? 0 : llvm::Log2_64(type.getSwizzle() / 16));
    set("fill_mode", nanFill);
  }

  void buildArray(const MemRefParts &memref, as::TmaDescType type, bool stores, bool nanFill) {
    const int64_t elementBytes = getMemoryBits(type.getElementType()) / 8;
    const unsigned rank = type.getBox().size();
    Value isEmpty = emitIsEmpty(memref);
    Value empty = emit.gep(emit.intType(8), emitAddressOf(emit, getEmptyArraysName()),
                           (stores    ? kEmptyArrayToStore
                            : nanFill ? kEmptyArrayOfNaN
                                      : kEmptyArrayOfZero) *
                               kEmptyArrayBytes);
    set("global_address", emit.select(isEmpty, emitNumber(empty), emitNumber(memref.base)));
    for (unsigned d = 0; d < rank; ++d) {
      const unsigned dim = rank - 1 - d;
      Value size = emit.select(isEmpty, emit.i64(1), emit.minSigned(memref.sizes[dim], emit.i64(UINT32_MAX)));
      set("global_dim", d, emit.zeroExtendOrTruncate(size, 32));
      if (d != 0)
        set("global_stride", d - 1, emitStride(memref, dim, elementBytes));
    }
  }

  /// To be called once.
  void emitFields() { ptx.emit(llvm::join(fields, "\n"), PtxEffect::Memory); }

private:
  Value emitNumber(Value pointer) { return LLVM::PtrToIntOp::create(emit.builder, emit.location, emit.i64(), pointer); }
  Value emitIsEmpty(const MemRefParts &memref) {
    Value smallest = memref.sizes.front();
    for (Value size : ArrayRef(memref.sizes).drop_front())
      smallest = emit.minSigned(smallest, size);
    return emit.icmp(LLVM::ICmpPredicate::sle, smallest, emit.i64(0));
  }
  /// In bytes. The stride of a dimension of size 1 may be anything, and means nothing: the map gets one that is legal.
  Value emitStride(const MemRefParts &memref, unsigned dim, int64_t elementBytes) {
    const int64_t legal = limits.strideAlignment;
    Value bytes = emit.mul(memref.strides[dim], emit.i64(elementBytes));
    Value isOne = emit.icmp(LLVM::ICmpPredicate::sle, memref.sizes[dim], emit.i64(1));
    return emit.select(isOne, emit.i64(legal), bytes);
  }

  void add(StringRef field, unsigned bits, const Twine &value) {
    fields.push_back(("tensormap.replace.tile." + field + ".shared::cta.b1024.b" + Twine(bits) + " [" + address +
                      "], " + value + ";")
                         .str());
  }
  void add(StringRef field, const Twine &ordinal, Value value) {
    add(field, value.getType().getIntOrFloatBitWidth(), ordinal + ptx.operand(value));
  }
  void set(StringRef field, Value value) { add(field, "", value); }
  void set(StringRef field, unsigned ordinal, Value value) { add(field, Twine(ordinal) + ", ", value); }
  void set(StringRef field, int64_t value) { add(field, 32, Twine(value)); }
  void set(StringRef field, unsigned ordinal, int64_t value) { add(field, 32, Twine(ordinal) + ", " + Twine(value)); }

  Emitter &emit;
  PtxInstruction ptx;
  const std::string address;
  const TensorCopyLimits &limits;
  SmallVector<std::string> fields;
};

//===----------------------------------------------------------------------===//
// Sets of maps
//===----------------------------------------------------------------------===//

/// In one thread: takes a set that is free, as an i32. What was done to it before it was released is seen after.
Value emitClaim(Emitter &emit) {
  Value words = emitAddressOf(emit, getClaimedSetsName());
  PtxInstruction ptx(emit);
  const std::string set = ptx.result(emit.i32()), base = ptx.operand(words);
  const std::string groups = std::to_string(kSetGroups), sets = std::to_string(kSetsPerGroup);
  return ptx
      .emit("{\n"
            ".reg .pred again;\n"
            ".reg .b32 group, taken, bit, clear;\n"
            ".reg .b64 word;\n"
            "mov.u32 group, %smid;\n"
            // Mostly the first set is free: who looks first waits twice.
            "mov.u32 taken, 0;\n"
            "TRY:\n"
            "rem.u32 group, group, " +
                groups + ";\nmad.wide.u32 word, group, 4, " + base +
                ";\n"
                // The lowest clear bit; 0 where there is none.
                "add.u32 bit, taken, 1;\n"
                "not.b32 clear, taken;\n"
                "and.b32 bit, bit, clear;\n"
                "atom.acquire.gpu.global.or.b32 taken, [word], bit;\n"
                "setp.eq.u32 again, bit, 0;\n"
                "@again add.u32 group, group, 1;\n"
                "@again mov.u32 taken, 0;\n"
                "@again bra TRY;\n"
                "and.b32 clear, taken, bit;\n"
                "setp.ne.u32 again, clear, 0;\n"
                "@again bra TRY;\n"
                "bfind.u32 bit, bit;\n"
                "mad.lo.u32 " +
                set + ", group, " + sets + ", bit;\n}",
            PtxEffect::Memory)
      .front();
}

/// In one thread, after all uses.
void emitRelease(Emitter &emit, Value set) {
  Value words = emitAddressOf(emit, getClaimedSetsName());
  Value group = emit.lshr(set, llvm::Log2_64(kSetsPerGroup));
  Value index = emit.bitAnd(set, emit.i32(kSetsPerGroup - 1));
  Value bit = LLVM::ShlOp::create(emit.builder, emit.location, emit.i32(1), index);
  PtxInstruction ptx(emit);
  std::string address = ptx.operand(emit.gep(emit.i32(), words, group)), kept = ptx.operand(emit.bitNot(bit));
  ptx.emit("red.release.gpu.global.and.b32 [" + address + "], " + kept + ";", PtxEffect::Memory);
}

/// True in the first thread's warp, by its number alone: that thread starts copies.
Value emitBuildsMaps(Emitter &emit) {
  return emit.icmp(LLVM::ICmpPredicate::ult, emit.threadId(), emit.i32(kLanesPerWarp));
}

/// In one warp: copies a map to where the engine reads it, for whoever acquires it there.
void emitPublish(Emitter &emit, Value map, Value staged) {
  PtxInstruction copy(emit, PtxLanes::Aligned);
  std::string to = copy.operand(map), from = copy.operand(staged);
  copy.emit("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [" + to + "], [" +
                from + "], 128;",
            PtxEffect::Memory);
}

/// In one warp, for all that is ordered after.
void emitAcquire(Emitter &emit, Value map) {
  PtxInstruction acquire(emit);
  std::string address = acquire.operand(map);
  acquire.emit(acquire.fence("fence.proxy.tensormap::generic.acquire.gpu [" + address + "], 128;"), PtxEffect::Memory);
}

struct ClaimTensorMapsPattern final : TilePattern<as::ClaimTensorMapsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ClaimTensorMapsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t count = op.getDescs().size();
    auto at = [&](int64_t map) { return emit.gep(emit.intType(8), adaptor.getStaging(), map * kTensorMapBytes); };
    // Other warps learn the set from the place after the maps.
    Value announced = at(count);
    emitIf(emit, emitBuildsMaps(emit), [&] {
      if (op.getKey().empty())
        build(emit, op, adaptor.getSources(), at, [&] { emit.store(emitClaim(emit), announced, 4); });
      else
        findOrBuild(emit, op, adaptor, at);
      Value set = emit.load(emit.i32(), announced, 4);
      for (int64_t map = 0, known = op.getSources().size(); map < known; ++map)
        emitAcquire(emit, getAddress(emit, op, set, map));
    });
    emit.barrier();
    Value set = emit.load(emit.i32(), announced, 4);
    SmallVector<Value> results;
    for (int64_t map = 0; map < count; ++map)
      results.push_back(LLVM::PtrToIntOp::create(rewriter, op.getLoc(), emit.i64(), getAddress(emit, op, set, map)));
    results.push_back(set);
    rewriter.replaceOp(op, results);
    return success();
  }

private:
  using StagingAt = llvm::function_ref<Value(int64_t)>;

  /// In the first warp. `announce` runs in its first lane.
  void build(Emitter &emit, as::ClaimTensorMapsOp op, ValueRange sources, StagingAt at,
             llvm::function_ref<void()> announce) const {
    const int64_t count = op.getDescs().size();
    Value lane = emit.laneId();
    for (int64_t map = 0; map < count; ++map)
      emit.store(emit.i32(0), emit.gep(emit.i32(), at(map), lane), 4);
    emitSyncWarp(emit);
    emitIf(emit, emit.icmp(LLVM::ICmpPredicate::eq, lane, emit.i32(0)), [&] {
      for (int64_t map = 0; map < count; ++map)
        buildMap(emit, op, sources, map, at(map));
      announce();
    });
    emitSyncWarp(emit);
    Value set = emit.load(emit.i32(), at(count), 4);
    for (int64_t map = 0, known = op.getSources().size(); map < known; ++map)
      emitPublish(emit, getAddress(emit, op, set, map), at(map));
  }

  /// In the first warp: leaves the maps that are kept as they are.
  void findOrBuild(Emitter &emit, as::ClaimTensorMapsOp op, OpAdaptor adaptor, StagingAt at) const {
    Value keyWord = emitKeyWord(emit, adaptor.getKey(), op.getKernel());
    Value found = emitFindKept(emit, keyWord, lowering.tuning().placesOfKeptMaps), entry = emit.lshr(found, 1),
          announced = at(op.getDescs().size());
    auto compare = [&](LLVM::ICmpPredicate predicate, Value a, int64_t b) {
      return emit.icmp(predicate, a, emit.i32(b));
    };
    emitIf(emit, compare(LLVM::ICmpPredicate::eq, emit.laneId(), 0),
           [&] { emit.store(emit.add(entry, emit.i32(kSets)), announced, 4); });
    emitIf(emit, compare(LLVM::ICmpPredicate::ne, emit.bitAnd(found, emit.i32(1)), 0), [&] {
      Value isNowhere = compare(LLVM::ICmpPredicate::slt, found, 0);
      build(emit, op, adaptor.getSources(), at,
            [&] { emitIf(emit, isNowhere, [&] { emit.store(emitClaim(emit), announced, 4); }); });
      emitIf(emit, emit.bitNot(isNowhere), [&] { emitKeep(emit, entry, keyWord); });
    });
    emitSyncWarp(emit);
  }

  void buildMap(Emitter &emit, as::ClaimTensorMapsOp op, ValueRange sources, unsigned number, Value map) const {
    auto type = cast<as::TmaDescType>(op.getDescs()[number].getType());
    TensorMapBuilder builder(emit, map, lowering);
    builder.buildShape(type, op.getNanFill()[number]);
    if (number < sources.size())
      builder.buildArray(
          unpackMemRef(emit, cast<aa::TileMemRefType>(op.getSources()[number].getType()), sources[number]), type,
          op.getStores()[number], op.getNanFill()[number]);
    builder.emitFields();
  }

  static Value getAddress(Emitter &emit, as::ClaimTensorMapsOp op, Value set, int64_t map) {
    Value maps = emitAddressOf(emit, getTensorMapsName());
    Value offset = emit.mul(set, emit.i32(op.getMapsPerSet() * kTensorMapBytes));
    return emit.gep(emit.intType(8), emit.gep(emit.intType(8), maps, emit.zeroExtendOrTruncate(offset, 64)),
                    map * kTensorMapBytes);
  }
};

struct UpdateTensorMapsPattern final : TilePattern<as::UpdateTensorMapsOp> {
  using TilePattern::TilePattern;

  /// The thread that changes the maps starts all copies, and waits for all loads itself; the warp's other lanes help
  /// to publish. So nobody else has to be met.
  LogicalResult matchAndRewrite(as::UpdateTensorMapsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    const int64_t count = op.getMaps().size();
    auto at = [&](int64_t map) {
      return emit.gep(emit.intType(8), adaptor.getStaging(), (op.getFirst() + map) * kTensorMapBytes);
    };
    emitIf(emit, emitBuildsMaps(emit), [&] {
      emitIf(emit, emit.icmp(LLVM::ICmpPredicate::eq, emit.laneId(), emit.i32(0)), [&] {
        if (op.getAfterStores()) {
          PtxInstruction wait(emit);
          wait.emit(wait.fence("cp.async.bulk.wait_group 0;"), PtxEffect::Memory);
        }
        for (int64_t map = 0; map < count; ++map) {
          auto memref = cast<aa::TileMemRefType>(op.getSources()[map].getType());
          TensorMapBuilder builder(emit, at(map), lowering);
          builder.buildArray(unpackMemRef(emit, memref, adaptor.getSources()[map]),
                             cast<as::TmaDescType>(op.getDescs()[map].getType()), op.getStores()[map],
                             op.getNanFill()[map]);
          builder.emitFields();
        }
      });
      emitSyncWarp(emit);
      for (int64_t map = 0; map < count; ++map) {
        emitPublish(emit, adaptor.getMaps()[map], at(map));
        emitAcquire(emit, adaptor.getMaps()[map]);
      }
    });
    rewriter.replaceOp(op, adaptor.getMaps());
    return success();
  }
};

struct ReleaseTensorMapsPattern final : TilePattern<as::ReleaseTensorMapsOp> {
  using TilePattern::TilePattern;

  LogicalResult matchAndRewrite(as::ReleaseTensorMapsOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter emit(rewriter, op);
    // Maps that are kept need nobody's care.
    Value isClaimed = emit.icmp(LLVM::ICmpPredicate::ult, adaptor.getSet(), emit.i32(kSets));
    // What this CTA copies to others, they have waited for.
    if (emit.scope.numCtas > 1)
      emit.clusterBarrier();
    emitIf(emit, isClaimed, [&] {
      if (op.getAfterStores()) {
        PtxInstruction wait(emit);
        wait.emit(wait.fence("cp.async.bulk.wait_group 0;"), PtxEffect::Memory);
      }
      emit.barrier();
      emitIf(emit, emitIsFirstThread(emit), [&] { emitRelease(emit, adaptor.getSet()); });
    });
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void populateTensorMapPatterns(const LoweringContext &lowering, RewritePatternSet &patterns) {
  patterns.add<ClaimTensorMapsPattern, UpdateTensorMapsPattern, ReleaseTensorMapsPattern>(lowering);
}

} // namespace tileiras
