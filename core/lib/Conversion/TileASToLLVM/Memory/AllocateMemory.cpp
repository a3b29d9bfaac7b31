//===- AllocateMemory.cpp - Lay out the shared memory of kernels ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One arena a kernel. Tiles in shared memory and allocas take their places first, as their lifetimes allow; then each
// operation that exchanges data gets a scratch area among those that are alive with it, at most what static shared
// memory leaves. Exchanges of one execution scope may lie in one place, those of others never do. Small ones alternate
// between two places: threads write the next one without waiting for those that still read the last one.
//
//===----------------------------------------------------------------------===//

#include "DeviceHeap.h"
#include "SliceMemory.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASALLOCATEMEMORY
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

constexpr int64_t kScratchAlignment = 128;
/// What shared memory as a whole is aligned to: no more can be had of a part of it.
constexpr int64_t kMaxAlignment = as::kTileAlignment;
/// "Amount of local memory per thread" (CUDA C++ Programming Guide, technical specifications per compute capability).
constexpr int64_t kMaxLocalBytes = 512 * 1024;

class KernelMemory {
public:
  KernelMemory(LoweringContext &lowering, LLVM::LLVMFuncOp function)
      : lowering(lowering), machine(lowering.machine()), function(function), order(function.getBody()) {}

  LogicalResult allocate() {
    if (failed(placeTiles()))
      return failure();
    remarkSharing();
    placeAllocas();
    if (failed(placeSlices()))
      return failure();
    lowering.setScratchLimit(getScratchLimit());
    if (failed(placeScratch()))
      return failure();
    return createArray();
  }

private:
  as::MemoryRangeAttr makeRange(int64_t offset, int64_t bytes) {
    return as::MemoryRangeAttr::get(function.getContext(), offset, bytes);
  }

  as::MemoryRangeAttr place(int64_t bytes, int64_t wanted, Lifetime lifetime) {
    alignment = std::max(alignment, wanted);
    return makeRange(arena.allocate(bytes, wanted, lifetime), bytes);
  }

  /// Tiles that have a range already keep it: somebody before has thought about them.
  LogicalResult placeTiles() {
    SmallVector<as::AllocTensorOp> unplaced;
    WalkResult walk = function.walk([&](as::AllocTensorOp op) {
      if (!as::isSharedTensor(op.getType())) {
        op.emitOpError("is in a memory that nothing allocates: ") << op.getType();
        return WalkResult::interrupt();
      }
      if (!op.getRange()) {
        unplaced.push_back(op);
        return WalkResult::advance();
      }
      alignment = kMaxAlignment;
      arena.take(op.getRange()->getOffset(), op.getRange()->getBytes(), order.getLifetime(op.getResult()));
      return WalkResult::advance();
    });
    for (as::AllocTensorOp op : unplaced) {
      const int64_t bytes = getTileBytes(op);
      op.setRangeAttr(place(bytes, as::getTileAlignment(op.getType()), order.getLifetime(op.getResult())));
    }
    return failure(walk.wasInterrupted());
  }

  /// Who has the memory of a pipeline's stages besides, and which pipelines could have it if barriers were given back.
  void remarkSharing() {
    SmallVector<as::AllocTensorOp> tiles;
    SmallVector<std::pair<as::AllocTensorOp, Lifetime>> rings; // from the first use of the pipeline
    function.walk([&](as::AllocTensorOp tile) {
      tiles.push_back(tile);
      for (Operation *user : tile->getUsers())
        if (auto create = dyn_cast<as::CreatePipelineOp>(user);
            create && !create.getBuffers().empty() && create.getBuffers().front() == tile.getResult())
          rings.push_back({tile, getUses(create)});
    });
    SmallVector<int64_t> begins, ends; // of ranges
    for (as::AllocTensorOp tile : tiles) {
      begins.push_back(tile.getRange()->getOffset());
      ends.push_back(tile.getRange()->getEnd());
    }
    llvm::sort(begins);
    llvm::sort(ends);
    Lifetime before{INT64_MIN, INT64_MAX}; // the last of the beginnings, and the first of the ends
    for (auto [ring, uses] : rings) {
      const auto numBegun = llvm::lower_bound(begins, ring.getRange()->getEnd()) - begins.begin(),
                 numEnded = llvm::upper_bound(ends, ring.getRange()->getOffset()) - ends.begin();
      if (numBegun - numEnded > 1) // One is its own.
        remarkOn(ring, Analysis::SharedBuffer)
            << "share pipeline buffer: other tiles lie in it when its last stage has been read";
      const bool isApart = before.end < uses.begin || uses.end < before.begin;
      before = {std::max(before.begin, uses.begin), std::min(before.end, uses.end)};
      if (isApart)
        remarkOn(ring, Missed::SharedBuffer) << "mbarrier has wait-like users, cannot share pipeline buffer. "
                                                "Another pipeline ends before this one begins";
    }
  }

  Lifetime getUses(as::CreatePipelineOp create) const {
    Lifetime uses = order.getLifetime(create.getPipeline());
    uses.begin = uses.end;
    for (Operation *user : create->getUsers())
      uses.begin = std::min(uses.begin, order.getLifetime(user).begin);
    return uses;
  }

  void placeAllocas() {
    const int64_t limit = machine.staticSharedMemoryBytes - kHeapAddressBytes;
    DeviceHeapBlock heap(function);
    function.walk([&](aa::AllocaOp op) {
      const int64_t bytes = std::max<int64_t>(op.getBytes(), 1), wanted = op.getAlignment();
      int64_t end = arena.find(bytes, wanted, order.getWhole()) + bytes;
      if (op.getGlobal() || end > limit || wanted > kMaxAlignment)
        heap.add(op);
      else
        op.setSharedOffset(place(bytes, wanted, order.getWhole()).getOffset());
    });
    if (!heap.empty())
      heap.emit(place(kHeapAddressBytes, 8, order.getWhole()).getOffset());
  }

  /// Slices that shared memory has room for besides exchanges lie there, small ones first: more of them are used
  /// without going to local memory, which takes the others.
  LogicalResult placeSlices() {
    SmallVector<as::AllocSlicesOp> allocations;
    function.walk([&](as::AllocSlicesOp op) { allocations.push_back(op); });
    auto getBytes = [&](as::AllocSlicesOp op) { return getThreadBytes(lowering, op.getType()); };
    llvm::stable_sort(allocations, [&](as::AllocSlicesOp a, as::AllocSlicesOp b) { return getBytes(a) < getBytes(b); });
    const int64_t limit = machine.sharedMemoryBytes - machine.staticSharedMemoryBytes;
    SharedArena local;
    SmallVector<as::AllocSlicesOp> inLocal;
    for (as::AllocSlicesOp op : allocations) {
      const int64_t bytes = getBytes(op), ofAll = bytes * getExecutionScope(op).getNumThreads();
      // As long as the kernel: no barrier has to keep it apart from what would come after it.
      if (arena.find(ofAll, kScratchAlignment, order.getWhole()) + ofAll <= limit) {
        op.getResult().setType(
            as::SlicesType::get(op.getContext(), op.getType().getGrid(), op.getType().getSlice(), kSharedSpace));
        op.setRangeAttr(place(ofAll, kScratchAlignment, order.getWhole()));
        continue;
      }
      op.setRangeAttr(makeRange(local.allocate(bytes, kSliceVectorBytes, order.getLifetime(op.getResult())), bytes));
      inLocal.push_back(op);
    }
    if (local.getBytes() == 0)
      return success();
    if (local.getBytes() > kMaxLocalBytes)
      return function.emitError("'") << function.getSymName() << "' needs " << local.getBytes()
                                     << " bytes of local memory for each thread, of " << kMaxLocalBytes
                                     << "; use smaller tiles or more warps";
    Value memory = createLocalArena(function, local.getBytes());
    for (as::AllocSlicesOp op : inLocal)
      op.getMemoryMutable().assign(memory);
    remarkOn(function, Missed::TilesInMemory)
        << llvm::formatv("tiles too large for registers are kept in {0} bytes of local memory for each thread",
                         local.getBytes())
               .str();
    return success();
  }

  /// Assemblers take static arrays of all that a CTA has in code for one GPU alone (`a`, PTX ISA, ".target"), and
  /// elsewhere of as much as on every GPU.
  bool isForOneGpu() const { return StringRef(lowering.chip.ptxasArch).ends_with("a"); }

  bool isStatic(int64_t bytes) const {
    // A launch that counts clusters provides none where it can be done without.
    return bytes <= machine.staticSharedMemoryBytes || (function->hasAttr(kBlocksAreClustersAttr) && isForOneGpu());
  }

  /// Bytes that one exchange may take: a launch should not have to provide shared memory because of it. Otherwise all
  /// of a tile at once: it needs no more of a multiprocessor's shared memory than of its registers, of which pieces
  /// take more.
  int64_t getScratchLimit() const {
    const int64_t taken = arena.getBytes(), whole = machine.sharedMemoryBytes;
    const int64_t limit = isStatic(taken) && !isStatic(whole) ? machine.staticSharedMemoryBytes : whole;
    auto getRest = [&](int64_t all) -> int64_t {
      return llvm::alignDown(std::max<int64_t>(all - taken, 0), kScratchAlignment);
    };
    return std::max(getRest(limit), std::clamp(getRest(whole), kLeastScratch, lowering.tuning().smallestScratch));
  }

  /// Barriers can be placed around what `op` does: it stands in control flow.
  bool isInControlFlow(Operation *op) {
    Operation *parent = op->getParentOp();
    for (; parent != function; parent = parent->getParentOp())
      if (!isa<RegionBranchOpInterface, as::ExecutionScopeOpInterface>(parent))
        return false;
    return true;
  }

  struct Exchange {
    Operation *op; ///< an ExchangeOpInterface
    int64_t bytes;
  };

  /// It is soon read.
  bool isSmall(const Exchange &exchange) const { return exchange.bytes <= lowering.tuning().smallExchangeBytes; }

  /// Of one execution scope. Small ones have two places alternately, those of a CTA and those of a cluster, so that one
  /// has been read when the threads have met in the next and come to the one after it. Returns their end.
  int64_t placeExchanges(ArrayRef<Exchange> exchanges) {
    int64_t firstBytes = 0, end = 0;
    for (const Exchange &exchange : exchanges)
      if (isSmall(exchange))
        firstBytes = std::max(firstBytes, exchange.bytes);
    firstBytes = llvm::alignTo(firstBytes, kScratchAlignment);
    unsigned numOfCta = 0, numOfCluster = 0;
    for (const Exchange &exchange : exchanges) {
      const Lifetime lifetime = order.besideOthers(exchange.op, order.getLifetime(exchange.op));
      int64_t offset = arena.find(exchange.bytes, kScratchAlignment, lifetime);
      const bool isOfCluster = isa<as::ClusterExchangeOp>(exchange.op);
      unsigned number = 0;
      if (isSmall(exchange))
        number = isOfCluster ? 2 + numOfCluster++ % 2 : numOfCta++ % 2;
      if (number != 0) {
        const int64_t before = number * firstBytes;
        const int64_t later = before + arena.find(before + exchange.bytes, kScratchAlignment, lifetime);
        if (later + exchange.bytes <= std::max(arena.getBytes(), lowering.tuning().smallArenaBytes)) // costs nothing
          offset = later;
      }
      cast<as::ExchangeOpInterface>(exchange.op).setScratchAttr(makeRange(offset, exchange.bytes));
      end = std::max(end, offset + exchange.bytes);
    }
    return end;
  }

  LogicalResult placeScratch() {
    llvm::MapVector<Region *, SmallVector<Exchange>> scopes;
    WalkResult walk = function.walk([&](as::ExchangeOpInterface op) {
      int64_t bytes = lowering.getScratchBytes(op);
      if (bytes == 0)
        return WalkResult::advance();
      if (!isInControlFlow(op)) {
        op.emitOpError("exchanges data between threads in the body of '")
            << op->getParentOp()->getName() << "', where they do not meet";
        return WalkResult::interrupt();
      }
      scopes[getScopeRegion(op)].push_back({op, bytes});
      return WalkResult::advance();
    });
    if (walk.wasInterrupted())
      return failure();
    for (auto &[scope, exchanges] : scopes) {
      const int64_t end = placeExchanges(exchanges);
      alignment = std::max(alignment, kScratchAlignment);
      scratchEnd = std::max(scratchEnd, end);
      if (scopes.size() > 1) // The others run at the same time.
        arena.take(0, end, order.getWhole());
    }
    return success();
  }

  LogicalResult createArray() {
    const int64_t bytes = std::max(arena.getBytes(), scratchEnd);
    if (bytes > machine.sharedMemoryBytes)
      return function.emitError("'") << function.getSymName() << "' uses too much shared data (0x"
                                     << llvm::utohexstr(bytes, /*LowerCase=*/true) << " bytes, 0x"
                                     << llvm::utohexstr(machine.sharedMemoryBytes, /*LowerCase=*/true)
                                     << " max); use smaller tiles";
    if (bytes == 0)
      return success();
    const std::string name = getArenaName(function);
    if (SymbolTable::lookupNearestSymbolFrom(function->getParentOp(), StringAttr::get(function.getContext(), name)))
      return function.emitError("there is a '") << name << "' already, which holds the shared memory of '"
                                                << function.getSymName() << "'; memory is allocated once";
    const bool fits = isStatic(bytes); // arrays of the size 0 are as large as the launch says
    OpBuilder builder(function);
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), fits ? bytes : 0);
    auto array = LLVM::GlobalOp::create(builder, function.getLoc(), type, /*isConstant=*/false,
                                        fits ? LLVM::Linkage::Internal : LLVM::Linkage::External, name, Attribute(),
                                        alignment, kSharedSpace);
    if (fits) {
      builder.createBlock(&array.getInitializerRegion()); // Shared memory cannot be initialised.
      Value poison = LLVM::PoisonOp::create(builder, function.getLoc(), type);
      LLVM::ReturnOp::create(builder, function.getLoc(), poison);
      return success();
    }
    function->setAttr(kDynamicSharedBytesAttr, builder.getI64IntegerAttr(bytes));
    remarkOn(function, Missed::StaticSharedMemory)
        << "the launch has to provide " << std::to_string(bytes)
        << " bytes of dynamic shared memory: static arrays end at " << std::to_string(machine.staticSharedMemoryBytes);
    return success();
  }

  LoweringContext &lowering;
  const MachineModel &machine;
  LLVM::LLVMFuncOp function;
  ProgramOrder order;
  SharedArena arena;
  int64_t alignment = 1, scratchEnd = 0;
};

class AllocateMemoryPass final : public impl::TileASAllocateMemoryBase<AllocateMemoryPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    TileASAllocateMemoryBase::getDependentDialects(registry);
    registerEmittedDialects(registry);
  }

  void runOnOperation() override {
    LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<LLVM::LLVMFuncOp>()))
      if (!function.isExternal() && failed(KernelMemory(*lowering, function).allocate()))
        return signalPassFailure();
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
