//===- PlaceAccumulators.cpp - Accumulators in tensor memory --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which values are one accumulator says AccumulatorWebs; this pass gives each web its columns, and moves tiles between
// them and registers where a web begins and ends.
//
//===----------------------------------------------------------------------===//

#include "AccumulatorWebs.h"
#include "ScaleColumns.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Pipeline/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASPLACEACCUMULATORS
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// PTX ISA, "Tensor Memory": 512 columns of 128 rows ("lanes") of 32 bits; 32 columns at least are taken at once.
constexpr int64_t kColumns = 512, kRows = 128, kLeastColumns = 32;

/// Row m of a tile is row m % 128, and each further 128 rows have columns of their own.
RankedTensorType getMemoryType(RankedTensorType tile) {
  SmallVector<int32_t> rows, columns;
  for (int32_t row = 1; row < std::min(kRows, tile.getDimSize(0)); row *= 2)
    rows.append({row, 0});
  for (int32_t column = 1; column < tile.getDimSize(1); column *= 2)
    columns.append({0, column});
  for (int32_t row = kRows; row < tile.getDimSize(0); row *= 2)
    columns.append({row, 0});
  return tile.cloneWithEncoding(as::TmemAttr::get(tile.getContext(), 2, rows, columns, /*unpacked=*/false));
}

int64_t countColumns(RankedTensorType tile) {
  return tile.getDimSize(1) * llvm::divideCeil(tile.getDimSize(0), kRows);
}

class KernelAccumulators {
public:
  KernelAccumulators(const LoweringContext &lowering, LLVM::LLVMFuncOp function)
      : lowering(lowering), function(function) {}

  LogicalResult place() {
    openProducts();
    if (products.empty())
      return success();
    AccumulatorWebs webs(function, products);
    while (std::optional<unsigned> tooMuch = findColumns(webs)) {
      if (!webs.keepInRegisters(*tooMuch))
        return products.front().emitError("the accumulators of '")
               << function.getSymName() << "' do not fit in the " << kColumns
               << " columns of tensor memory; use smaller tiles";
      remarkMissed(function, "TensorMemory", "memory")
          << "the " << std::to_string(kColumns)
          << " columns of tensor memory do not hold all accumulators of the kernel at once: sums that go round a loop "
             "pass through registers; use smaller tiles";
    }
    createMemory(webs);
    moveBetweenMemories(webs);
    commitStages();
    replaceWaits();
    scales.replaceProducts(memory.getBase(), [&](OpBuilder &builder, Operation *product) {
      emitWait(builder, product->getLoc(), product);
    });
    return success();
  }

private:
  /// All that are computed in tensor memory; those that end with their operation, too, as one that goes on and a wait.
  void openProducts() {
    auto isPlaced = [&](StringRef atom) {
      const MmaAtom *mma = lowering.atoms().findMma(atom);
      return mma && mma->kind == MmaKind::TensorMemory;
    };
    SmallVector<as::DotOp> closed;
    function.walk([&](as::DotOp product) {
      if (isPlaced(product.getAtom()))
        closed.push_back(product);
    });
    for (as::DotOp product : closed) {
      if (product.isBlockScaled()) {
        scales.open(product);
        continue;
      }
      OpBuilder builder(product);
      auto token = builder.getType<as::AsyncTokenType>();
      auto open =
          as::AsyncDotOp::create(builder, product.getLoc(), product.getType(), token, product.getA(), product.getB(),
                                 product.getC(), product.getAtomAttr(), product.getSignednessAAttr(),
                                 product.getSignednessBAttr(), product.getFastAccAttr(), product.getNegateAttr());
      auto wait = as::AsyncFutureWaitOp::create(builder, product.getLoc(), product.getType(), open.getToken(),
                                                ValueRange(open.getResult()));
      product.replaceAllUsesWith(wait.getResults().front());
      product.erase();
    }
    function.walk([&](as::AsyncDotOp product) {
      if (isPlaced(product.getAtom()))
        products.push_back(product);
    });
  }

  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  /// The columns of each web; else, the number of one that finds none.
  std::optional<unsigned> findColumns(const AccumulatorWebs &webs) {
    const ProgramOrder order(function.getBody());
    SharedArena arena; // Of columns.
    columns.clear();
    scales.allocate(arena, order.getWhole());
    for (auto [number, web] : llvm::enumerate(webs.getWebs())) {
      Lifetime lifetime = getLifetime(order, web.operations.front());
      for (Operation *op : web.operations) {
        const Lifetime other = getLifetime(order, op);
        lifetime = {std::min(lifetime.begin, other.begin), std::max(lifetime.end, other.end)};
      }
      const int64_t count = countColumns(web.type);
      columns.push_back(arena.allocate(count, count, lifetime));
      if (columns.back() + count > kColumns)
        return number;
    }
    numColumns = llvm::PowerOf2Ceil(std::max(arena.getBytes(), kLeastColumns));
    return std::nullopt;
  }

  /// Of what runs beside others, as long as they run.
  static Lifetime getLifetime(const ProgramOrder &order, Operation *op) {
    Operation *outermost = op;
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      if (isa<as::ExecutionScopeOpInterface>(around))
        outermost = around;
    return order.getLifetime(outermost);
  }

  void createMemory(const AccumulatorWebs &webs) {
    for (as::AsyncDotOp product : products)
      scopes.insert({getScopeRegion(product), Value()});
    const Location location = products.front().getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    const int64_t bytes = llvm::PowerOf2Ceil(as::AllocTensorMemoryOp::getMailboxBytes(scopes.size()));
    auto layout = as::SharedAttr::get(builder.getContext(), std::to_string(bytes) + ",1");
    mailbox = as::AllocTensorOp::create(builder, location, RankedTensorType::get({bytes}, builder.getI8Type(), layout),
                                        as::SlotAttr(), IntegerAttr());
    Value one = LLVM::ConstantOp::create(builder, location, builder.getI32Type(), builder.getI32IntegerAttr(1));
    Value zero = LLVM::ConstantOp::create(builder, location, builder.getI32Type(), builder.getI32IntegerAttr(0));
    for (auto &[scope, phase] : scopes) {
      phase = LLVM::AllocaOp::create(builder, location, LLVM::LLVMPointerType::get(builder.getContext()),
                                     builder.getI32Type(), one);
      LLVM::StoreOp::create(builder, location, zero, phase);
    }
    memory = as::AllocTensorMemoryOp::create(builder, location, mailbox, numColumns, scopes.size());
    for (auto [web, column] : llvm::zip_equal(webs.getWebs(), columns))
      tiles.push_back(
          as::TensorMemoryTileOp::create(builder, location, getMemoryType(web.type), memory.getBase(), column));
    function.walk([&](LLVM::ReturnOp end) {
      OpBuilder atEnd(end);
      as::FreeTensorMemoryOp::create(atEnd, end.getLoc(), memory.getBase(), mailbox, numColumns);
    });
  }

  //===--------------------------------------------------------------------===//
  // Between memories
  //===--------------------------------------------------------------------===//

  void emitWait(OpBuilder &builder, Location location, Operation *scopeOf) {
    Region *scope = getScopeRegion(scopeOf);
    const auto number = std::distance(scopes.begin(), scopes.find(scope));
    as::WaitProductsOp::create(builder, location, memory.getBarriers(), scopes.lookup(scope), int32_t(number));
  }

  /// The value in registers. Whether a product is still under way there is not known.
  Value copyOut(Value value) {
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(value);
    emitWait(builder, value.getLoc(), &*builder.getInsertionPoint());
    return as::CopyOp::create(builder, value.getLoc(), value.getType(), value, Value(), kLoad).getResult();
  }

  void moveBetweenMemories(const AccumulatorWebs &webs) {
    // Copies are made while all values still have the types of registers.
    llvm::DenseMap<Value, Value> copies;
    for (Value value : webs.getValues()) {
      SmallVector<OpOperand *> others;
      for (OpOperand &use : value.getUses())
        if (!webs.isPassedOn(use))
          others.push_back(&use);
      if (others.empty() && (!value.use_empty() || !value.getDefiningOp<as::AsyncDotOp>()))
        continue;
      Value copy = copyOut(value);
      for (OpOperand *use : others)
        use->set(copy);
    }
    for (auto [web, tile] : llvm::zip_equal(webs.getWebs(), tiles))
      for (OpOperand *entry : web.entries) {
        if (webs.contains(entry->get()) && webs.isPassedOn(*entry))
          continue;
        OpBuilder builder(entry->getOwner());
        as::CopyOp::create(builder, entry->getOwner()->getLoc(), Type(), entry->get(), tile, kStore);
        entry->set(tile);
      }
    for (auto [web, tile] : llvm::zip_equal(webs.getWebs(), tiles))
      for (Value value : web.values)
        value.setType(tile.getType());
  }

  //===--------------------------------------------------------------------===//
  // Stages
  //===--------------------------------------------------------------------===//

  /// The pipeline of the stage that is released; null if that is not known.
  static as::CreatePipelineOp findPipeline(Value token) {
    as::CreatePipelineOp found;
    llvm::SmallSetVector<Value, 4> sources;
    sources.insert(token);
    for (size_t i = 0; i < sources.size(); ++i) {
      Operation *maker = sources[i].getDefiningOp();
      SmallVector<Value> next = findSources(sources[i]);
      if (auto wait = dyn_cast_or_null<as::ConsumerWaitOp>(maker)) {
        auto create = wait.getPipeline().getDefiningOp<as::CreatePipelineOp>();
        if (!create || (found && found != create))
          return {};
        found = create;
      } else if (auto read = dyn_cast_or_null<as::ConsumerReadOp>(maker)) {
        next = {read.getToken()};
      } else if (!isa_and_nonnull<as::CreateNoneOp>(maker) && next.empty()) {
        return {};
      }
      sources.insert_range(next);
    }
    return found;
  }

  /// Nobody but products reads `memory`.
  bool isReadByProducts(Value memory) const {
    return llvm::all_of(memory.getUsers(), [&](Operation *user) {
      if (isa<as::PermuteOp, as::ViewOp>(user))
        return isReadByProducts(user->getResult(0));
      return llvm::is_contained(products, user);
    });
  }

  /// Stages that products alone read are released by the products; nobody waits for these.
  void commitStages() {
    llvm::MapVector<as::CreatePipelineOp, SmallVector<as::ConsumerReleaseOp>> releases;
    llvm::SmallPtrSet<Operation *, 4> others;
    bool isKnown = true;
    function.walk([&](Operation *op) {
      auto exclude = [&](as::CreatePipelineOp create) { others.insert(create); };
      if (auto release = dyn_cast<as::ConsumerReleaseOp>(op)) {
        as::CreatePipelineOp create = findPipeline(release.getToken());
        isKnown &= bool(create);
        releases[create].push_back(release);
      } else if (auto consume = dyn_cast<as::ConsumeOneOp>(op)) {
        exclude(consume.getPipeline().getDefiningOp<as::CreatePipelineOp>());
      } else if (auto read = dyn_cast<as::ConsumerReadOp>(op)) {
        as::CreatePipelineOp create = findPipeline(read.getToken());
        if (!llvm::all_of(read.getBody().getArguments(), [&](Value slot) { return isReadByProducts(slot); }))
          exclude(create);
      }
    });
    function.walk([&](as::CreatePipelineOp create) {
      if (create.getSharedCtas() != 0)
        others.insert(create);
    });
    allCommitted = isKnown && others.empty();
    if (!isKnown)
      return;
    for (auto &[create, ends] : releases) {
      if (others.contains(create))
        continue;
      create.setProductReleases(true);
      for (as::ConsumerReleaseOp release : ends) {
        OpBuilder builder(release);
        as::CommitProductsOp::create(builder, release.getLoc(), release.getToken());
      }
    }
  }

  /// Waits without tokens are for products, too.
  bool waitsForProducts(Operation *op) const {
    if (auto future = dyn_cast<as::AsyncFutureWaitOp>(op))
      return isOfProducts(future.getToken());
    auto wait = dyn_cast<as::AsyncWaitOp>(op);
    return wait && (wait.getTokens().empty() ||
                    llvm::any_of(wait.getTokens(), [&](Value token) { return isOfProducts(token); }));
  }

  /// What waits for products waits for all that have been started. Copies have waits of their own; where products
  /// release all stages, nobody else needs one.
  void replaceWaits() {
    SmallVector<Operation *> waits;
    function.walk([&](Operation *op) {
      if (waitsForProducts(op))
        waits.push_back(op);
    });
    for (Operation *wait : waits) {
      OpBuilder builder(wait);
      if (!allCommitted)
        emitWait(builder, wait->getLoc(), wait);
      if (auto future = dyn_cast<as::AsyncFutureWaitOp>(wait))
        future.replaceAllUsesWith(future.getValues());
      wait->erase();
    }
  }

  /// The token is that of a product of ours, perhaps of an iteration before.
  bool isOfProducts(Value token) const {
    llvm::SmallSetVector<Value, 4> sources;
    sources.insert(token);
    for (size_t i = 0; i < sources.size(); ++i) {
      if (auto product = sources[i].getDefiningOp<as::AsyncDotOp>())
        return llvm::is_contained(products, product);
      for (Value source : findSources(sources[i]))
        sources.insert(source);
    }
    return false;
  }

  static constexpr llvm::StringLiteral kLoad = "tcgen05.ld", kStore = "tcgen05.st";

  const LoweringContext &lowering;
  LLVM::LLVMFuncOp function;
  SmallVector<as::AsyncDotOp> products;
  ScaleColumns scales;
  SmallVector<int64_t> columns; ///< where each web starts
  int64_t numColumns = 0;
  bool allCommitted = false;               ///< products release the stages of all pipelines
  llvm::MapVector<Region *, Value> scopes; ///< those with products, and where their threads keep the parity
  Value mailbox;
  as::AllocTensorMemoryOp memory;
  SmallVector<Value> tiles; ///< of the webs
};

class PlaceAccumulatorsPass final : public impl::TileASPlaceAccumulatorsBase<PlaceAccumulatorsPass> {
  void runOnOperation() override {
    LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (!function.isExternal() && failed(KernelAccumulators(*lowering, function).place()))
        return signalPassFailure();
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
