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

#include "AccumulatorBarriers.h"
#include "AccumulatorStages.h"
#include "AccumulatorWebs.h"
#include "CarriedTiles.h"
#include "Exponentials.h"
#include "PendingProducts.h"
#include "ProductGroups.h"
#include "ReusedMemory.h"
#include "ScaleColumns.h"
#include "TensorMemoryBarriers.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "tileiras/Analysis/FutureAccumulators.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAS/CarriedValues.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Lowering/SharedBytes.h"
#include "tileiras/NVIDIA/Passes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <utility>

namespace tileiras {
#define GEN_PASS_DEF_TILEASPLACEACCUMULATORS
#include "tileiras/NVIDIA/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

class KernelAccumulators {
public:
  KernelAccumulators(const LoweringContext &lowering, LLVM::LLVMFuncOp function)
      : lowering(lowering), function(function) {}

  LogicalResult place() {
    openProducts();
    if (products.empty())
      return success();
    const SmallVector<OpResult> inRegisters = arrangeLoops();
    for (as::AsyncDotOp product : products)
      scopes.insert({getScopeRegion(product), Value()});
    rings = findAccumulatorRings(function);
    // Others are in stages of pipelines already.
    AccumulatorWebs webs(
        function,
        llvm::filter_to_vector(
            products, [](as::AsyncDotOp product) { return !as::isTensorMemoryTensor(product.getC().getType()); }),
        inRegisters);
    if (failed(fitColumns(webs)))
      return failure();
    barriers.emplace(webs, products, scopes.size());
    llvm::SmallPtrSet<Operation *, 4> apart; // While the webs' operations are those of the program.
    function.walk([&](Operation *op) {
      if (isa<LoopLikeOpInterface, as::ExecutionScopeOpInterface>(op) && isApart(webs, op))
        apart.insert(op);
    });
    createMemory(webs);
    moveOperands(); // First: registers that hold operands are free before sums are scaled.
    moveBetweenMemories(webs);
    barriers->commitProducts(memory.getBarriers());
    handOverAccumulators(function);
    commitStages();
    replaceWaits();
    scales.replaceProducts(memory.getBase(), [&](OpBuilder &builder, Operation *product) {
      emitWait(builder, product->getLoc(), product);
    });
    placeWaits(webs, [&](Operation *op) { return apart.contains(op); });
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
      if (product.isBlockScaled() && !product.hasScalesInMemory())
        scales.open(product);
      else
        as::startProduct(product);
    }
    function.walk([&](as::AsyncDotOp product) {
      if (isPlaced(product.getAtom()))
        products.push_back(product);
      if (product.isBlockScaled())
        scales.add(product);
    });
  }

  /// Returns results of loops that carry no accumulators.
  SmallVector<OpResult> arrangeLoops() {
    llvm::SetVector<scf::ForOp> loops;
    for (as::AsyncDotOp product : products)
      if (auto loop = product->getParentOfType<scf::ForOp>())
        loops.insert(loop);
    for (scf::ForOp loop : loops)
      carryComputedTiles(loop, lowering);
    SmallVector<OpResult> inRegisters;
    function.walk([&](scf::ForOp loop) {
      llvm::append_range(inRegisters, overlapExponentials(loop, lowering, countRegisters(loop)));
    });
    return inRegisters;
  }

  /// Those that a thread has, at most.
  int64_t countRegisters(Operation *op) const {
    Region *scope = getScopeRegion(op);
    auto agents = dyn_cast<as::AgentSwitchOp>(scope->getParentOp());
    const int64_t ofAgent = agents ? agents.getRegisters(scope->getRegionNumber()) : 0;
    return ofAgent != 0 ? ofAgent
                        : lowering.machine().getRegistersPerThread(getExecutionScope(function).getNumThreads(), 1);
  }

  //===--------------------------------------------------------------------===//
  // Columns
  //===--------------------------------------------------------------------===//

  /// The first column and the number of columns of a tile.
  using Columns = std::pair<int64_t, int64_t>;

  static bool overlap(Columns a, Columns b) { return a.first < b.first + b.second && b.first < a.first + a.second; }

  /// Finds columns for all webs, which become smaller ones until they fit.
  LogicalResult fitColumns(AccumulatorWebs &webs) {
    const ProgramOrder order(function.getBody());
    bool isSaid = false;
    while (!findColumns(webs, order)) {
      if (scales.shareSets()) {
        remarkOn(function, Missed::TensorMemory)
            << llvm::formatv("the {0} columns of tensor memory do not hold the scales of all stages: an MMA with "
                             "scales waits for the one before; use smaller tiles, or fewer stages",
                             as::kTensorMemoryColumns)
                   .str();
        continue;
      }
      if (webs.separateScaled())
        continue;
      if (!webs.keepInRegisters())
        return products.front().emitError("the accumulators of '")
               << function.getSymName() << "' do not fit in the " << as::kTensorMemoryColumns
               << " columns of tensor memory; use smaller tiles";
      if (std::exchange(isSaid, true))
        continue;
      remarkOn(function, Missed::TensorMemory)
          << llvm::formatv("the {0} columns of tensor memory do not hold all accumulators of the kernel at once: "
                           "loop-carried ones pass through registers; use smaller tiles",
                           as::kTensorMemoryColumns)
                 .str();
    }
    return success();
  }

  /// The columns of each web and operand; false if there are not enough. Where that takes no more of them, tiles of a
  /// loop have columns of their own: what is done to one need not wait for the others.
  bool findColumns(const AccumulatorWebs &webs, const ProgramOrder &order) {
    if (!findColumns(webs, order, /*forLoops=*/false))
      return false;
    const int64_t least = numColumns;
    if (!findColumns(webs, order, /*forLoops=*/true) || numColumns > least)
      findColumns(webs, order, /*forLoops=*/false);
    return true;
  }

  /// `forLoops`: a tile that is used in a loop has its columns as long as the loop.
  bool findColumns(const AccumulatorWebs &webs, const ProgramOrder &order, bool forLoops) {
    auto getLifetime = [&](Operation *op) {
      auto loop = op->getParentOfType<LoopLikeOpInterface>();
      const bool isOfLoop = forLoops && loop && getScopeRegion(loop) == getScopeRegion(op);
      return this->getLifetime(order, isOfLoop ? loop.getOperation() : op);
    };
    SharedArena arena; // Of columns.
    columns.clear();
    operandColumns.clear();
    ringColumns.clear();
    for (as::AllocTensorOp ring : rings) {
      const int64_t count = as::countTensorMemoryColumns(ring.getType());
      ringColumns.push_back(arena.allocate(count * ring.getStages().value_or(1), count, order.getWhole()));
    }
    scales.allocate(arena, order.getWhole());
    for (const AccumulatorWebs::Web &web : webs.getWebs()) {
      Lifetime lifetime = getLifetime(web.operations.front());
      for (Operation *op : web.operations) {
        const Lifetime other = getLifetime(op);
        lifetime = {std::min(lifetime.begin, other.begin), std::max(lifetime.end, other.end)};
      }
      const int64_t count = as::countTensorMemoryColumns(web.type);
      columns.push_back(arena.allocate(count, count, lifetime));
    }
    // A later product may overwrite what one that is still under way reads: they are executed in order.
    for (as::AsyncDotOp product : products)
      if (as::takesOperandInTensorMemory(&lowering.atoms(), product)) {
        const int64_t count = as::countTensorMemoryColumns(product.getA().getType());
        operandColumns[product] = arena.allocate(count, count, getLifetime(product));
      }
    numColumns = llvm::PowerOf2Ceil(std::max(arena.getBytes(), as::kLeastTensorMemoryColumns));
    return arena.getBytes() <= as::kTensorMemoryColumns;
  }

  /// Of what runs beside others that have products, too, as long as they run.
  Lifetime getLifetime(const ProgramOrder &order, Operation *op) const {
    if (scopes.size() == 1)
      return order.getLifetime(op);
    Operation *outermost = op;
    for (Operation *around = op->getParentOp(); around; around = around->getParentOp())
      if (isa<as::ExecutionScopeOpInterface>(around))
        outermost = around;
    return order.getLifetime(outermost);
  }

  void createMemory(const AccumulatorWebs &webs) {
    const Location location = products.front().getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    const int64_t numBarriers = (scopes.size() + barriers->getCount()) * countMostGroups(),
                  bytes = llvm::PowerOf2Ceil(as::AllocTensorMemoryOp::getMailboxBytes(numBarriers));
    mailbox = createSharedBytes(builder, location, bytes);
    for (auto &[scope, phase] : scopes)
      phase = createParity(builder, location, /*first=*/0);
    barriers->createPhases(builder, location);
    const bool isOfPair = llvm::any_of(products, [](as::AsyncDotOp product) { return product.getCtaPair(); });
    memory = as::AllocTensorMemoryOp::create(builder, location, mailbox, numColumns, numBarriers, isOfPair);
    for (auto [web, column] : llvm::zip_equal(webs.getWebs(), columns))
      tiles.push_back(createTile(builder, location, web.type,
                                 cast<as::DotOperandAttr>(web.type.getEncoding()).getAtom(), as::OperandAxis::C,
                                 column));
    for (auto [ring, column] : llvm::zip_equal(rings, ringColumns)) {
      ring.replaceAllUsesWith(
          as::TensorMemoryTileOp::create(builder, ring.getLoc(), ring.getType(), memory.getBase(), int32_t(column))
              .getResult());
      ring.erase();
    }
    function.walk([&](LLVM::ReturnOp end) {
      OpBuilder atEnd(end);
      as::FreeTensorMemoryOp::create(atEnd, end.getLoc(), memory.getBase(), mailbox, numColumns, isOfPair);
    });
  }

  /// Where the tile, operand `axis` of a product by `atom`, is from `column` on.
  Value createTile(OpBuilder &builder, Location location, RankedTensorType tile, StringRef atom, as::OperandAxis axis,
                   int64_t column) {
    return as::TensorMemoryTileOp::create(builder, location,
                                          as::getTensorMemoryType(tile, *lowering.atoms().findMma(atom), axis),
                                          memory.getBase(), int32_t(column));
  }

  //===--------------------------------------------------------------------===//
  // Groups
  //===--------------------------------------------------------------------===//

  /// Before it is known whether products are divided.
  int64_t countMostGroups() const {
    constexpr int64_t warpsPerGroup = 4;
    return scopes.size() == 1 ? std::max<int64_t>(getExecutionScope(products.front()).numWarps / warpsPerGroup, 1) : 1;
  }

  /// Gives each group barriers of its own where products are divided, of `numBarriers` in all. Returns the groups.
  int64_t divideProducts(int64_t numBarriers) {
    const int64_t groups =
        scopes.size() == 1 && rings.empty() ? tileiras::divideProducts(*scopes.front().first, lowering) : 1;
    memory.setScopes(numBarriers * groups);
    function.walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op).Case<as::WaitProductsOp, as::WaitAccumulatorOp, as::CommitAccumulatorOp>(
          [&](auto user) { user.setScope(user.getScope() * groups); });
    });
    return groups;
  }

  /// What threads wait for, and where they meet, as each tile of `webs` is where it stays; groups meet alone in
  /// operations for which `areApart` holds.
  void placeWaits(const AccumulatorWebs &webs, llvm::function_ref<bool(Operation *)> areApart) {
    const unsigned numAlone = barriers->dropAmbiguous(
        function, [&](OpBuilder &builder, Operation *wait) { emitWait(builder, wait->getLoc(), wait); });
    const int64_t groups = divideProducts(scopes.size() + numAlone);
    awaitOthers(webs, groups);
    // Who takes an accumulator from a pipeline waits for its products.
    awaitBeforeReuse(
        function, lowering,
        [&](Operation *pending) {
          auto product = dyn_cast<as::AsyncDotOp>(pending);
          return product ? webs.contains(product.getResult()) : rings.empty();
        },
        [&](OpBuilder &builder, Operation *user) { emitWait(builder, user->getLoc(), user); });
    dropRepeatedWaits(function.getBody());
    if (groups > 1)
      takeTurns(*scopes.front().first, lowering, groups, areApart);
    postponeCompletion(function, [&](Operation *writer, Value tile) {
      if (!webs.contains(tile)) // A stage of a pipeline.
        return true;
      const unsigned web = webs.getNumber(tile);
      const Columns loaded = {columns[web], as::countTensorMemoryColumns(webs.getWebs()[web].type)};
      return llvm::any_of(findWritten(webs, writer), [&](Columns written) { return overlap(written, loaded); });
    });
    placeTensorMemoryBarriers(function, [&](Operation *op) {
      return groups > 1 && areApart(op) ? getGroupBarrier(*scopes.front().first) : IntegerAttr();
    });
  }

  /// Tiles that are used in `op` have the same columns, or none that another has: what a group does in its rows of one
  /// is nothing to the other groups.
  bool isApart(const AccumulatorWebs &webs, Operation *op) const {
    SmallVector<Columns> ranges;
    for (auto [web, column] : llvm::zip_equal(webs.getWebs(), columns))
      if (llvm::any_of(web.operations, [&](Operation *user) { return op->isAncestor(user); }))
        ranges.push_back({column, as::countTensorMemoryColumns(web.type)});
    for (auto [product, column] : operandColumns)
      if (op->isAncestor(product))
        ranges.push_back({column, as::countTensorMemoryColumns(product.getA().getType())});
    return llvm::all_of(ranges, [&](Columns range) {
      return llvm::all_of(ranges, [&](Columns other) { return range == other || !overlap(range, other); });
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

  /// For the products of `web`, where they are waited for alone.
  void emitWait(OpBuilder &builder, Location location, Operation *scopeOf, unsigned web) {
    if (!barriers->emitWait(builder, location, web, memory.getBarriers(), lowering))
      emitWait(builder, location, scopeOf);
  }

  /// What the product adds to and reads in tensor memory; stages of pipelines, which nothing else lies in, are left
  /// out.
  SmallVector<Columns> getColumns(const AccumulatorWebs &webs, as::AsyncDotOp product) const {
    SmallVector<Columns> used;
    Value sum = product.getResult();
    if (webs.contains(sum))
      used.push_back({columns[webs.getNumber(sum)], as::countTensorMemoryColumns(product.getC().getType())});
    if (auto operand = operandColumns.find(product); operand != operandColumns.end())
      used.push_back({operand->second, as::countTensorMemoryColumns(product.getA().getType())});
    return used;
  }

  /// What `op` writes in tensor memory, but to stages of pipelines.
  SmallVector<Columns> findWritten(const AccumulatorWebs &webs, Operation *op) const {
    if (auto product = dyn_cast<as::AsyncDotOp>(op))
      return getColumns(webs, product);
    Value tile;
    if (auto scale = dyn_cast<as::ScaleTensorMemoryOp>(op))
      tile = scale.getTile();
    else if (auto copy = dyn_cast<as::CopyOp>(op))
      tile = copy.getDestination();
    auto place = tile ? tile.getDefiningOp<as::TensorMemoryTileOp>() : nullptr;
    return place ? SmallVector<Columns>{{place.getColumn(), as::countTensorMemoryColumns(place.getType())}}
                 : SmallVector<Columns>();
  }

  /// Waits for all products at writers of tensor memory where `conflicts` holds for columns that they write and those
  /// that a product which is under way there may use.
  void awaitConflicts(const AccumulatorWebs &webs, bool ofAllGroups, ArrayRef<std::pair<Operation *, Columns>> writers,
                      llvm::function_ref<bool(Columns, Columns)> conflicts) {
    const PendingProducts pending(function, ofAllGroups, llvm::to_vector(llvm::make_first_range(writers)));
    for (auto [writer, written] : writers) {
      auto isInTheWay = [&, written = written](Operation *op) {
        if (isa<as::CommitProductsOp>(op))
          return false;
        auto product = dyn_cast<as::AsyncDotOp>(op); // Those with scales use what is not known here.
        return !product ||
               llvm::any_of(getColumns(webs, product), [&](Columns used) { return conflicts(written, used); });
      };
      if (!llvm::any_of(pending.getBefore(writer), isInTheWay))
        continue;
      OpBuilder builder(writer);
      emitWait(builder, writer->getLoc(), writer);
    }
  }

  /// What is stored has waited for products that use the same tile. Groups know nothing of each other's products: these
  /// use other columns where they use the same tile, and perhaps the same ones where they do not.
  void awaitOthers(const AccumulatorWebs &webs, int64_t groups) {
    SmallVector<std::pair<Operation *, Columns>> writers;
    function.walk([&](Operation *op) {
      for (Columns written : findWritten(webs, op))
        writers.push_back({op, written});
    });
    auto isStore = [](const auto &writer) { return isa<as::CopyOp>(writer.first); };
    awaitConflicts(webs, /*ofAllGroups=*/false, llvm::filter_to_vector(writers, isStore), overlap);
    if (groups > 1)
      awaitConflicts(webs, /*ofAllGroups=*/true, writers,
                     [](Columns written, Columns used) { return written != used && overlap(written, used); });
  }

  /// The value in registers. Whether a product is still under way there is not known.
  Value copyOut(const AccumulatorWebs &webs, Value value) {
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfterValue(value);
    emitWait(builder, value.getLoc(), &*builder.getInsertionPoint(), webs.getNumber(value));
    return as::CopyOp::create(builder, value.getLoc(), value.getType(), value, Value(), as::kTensorMemoryLoad)
        .getResult();
  }

  /// To a place that a product of `web`, or any, may still use.
  void store(OpBuilder &builder, Operation *user, Value tile, Value place, std::optional<unsigned> web) {
    if (web)
      emitWait(builder, user->getLoc(), user, *web);
    else
      emitWait(builder, user->getLoc(), user);
    as::CopyOp::create(builder, user->getLoc(), Type(), tile, place, as::kTensorMemoryStore);
  }

  /// What the load of `value` is multiplied by to be `tile`.
  static Value findScale(Value value, Value tile) {
    for (Value factor : tile.getDefiningOp()->getOperands())
      if (auto load = factor.getDefiningOp<as::CopyOp>(); load && load.getSource() == value)
        return AccumulatorWebs::findScale(factor, tile);
    return {};
  }

  /// Instead of a load, a product and a store.
  void scaleInPlace(OpBuilder &builder, Operation *user, Operation *product, Value scale, Value place, unsigned web) {
    Operation *load = product->getOperand(product->getOperand(0) == scale ? 1 : 0).getDefiningOp();
    emitWait(builder, user->getLoc(), user, web);
    as::ScaleTensorMemoryOp::create(builder, user->getLoc(), place, scale);
    user->replaceUsesOfWith(product->getResult(0), place);
    product->erase();
    load->erase();
  }

  void moveOperands() {
    for (auto [product, column] : operandColumns) {
      OpBuilder builder(product);
      Value tile = createTile(builder, product.getLoc(), product.getA().getType(), product.getAtom(),
                              as::OperandAxis::A, column);
      store(builder, product, product.getA(), tile, barriers->findWeb(product));
      product.getAMutable().assign(tile);
    }
  }

  void moveBetweenMemories(const AccumulatorWebs &webs) {
    const llvm::MapVector<OpOperand *, Value> scaled = webs.findScaledEntries();
    // Copies are made while all values still have the types of registers.
    for (Value value : webs.getValues()) {
      SmallVector<OpOperand *> others;
      for (OpOperand &use : value.getUses())
        if (!webs.isPassedOn(use))
          others.push_back(&use);
      if (others.empty() && (!value.use_empty() || !value.getDefiningOp<as::AsyncDotOp>()))
        continue;
      Value copy = copyOut(webs, value);
      for (OpOperand *use : others)
        use->set(copy);
    }
    for (auto [number, web, tile] : llvm::enumerate(webs.getWebs(), tiles))
      for (OpOperand *entry : web.entries) {
        if (webs.contains(entry->get()) && webs.isPassedOn(*entry))
          continue;
        OpBuilder builder(entry->getOwner());
        auto product = dyn_cast<as::AsyncDotOp>(entry->getOwner());
        const bool overwrites =
            product && product.getToken() && as::isZeroTile(entry->get()); // Products with scales have none.
        Value scaledHere = scaled.lookup(entry), scale = scaledHere ? findScale(scaledHere, entry->get()) : Value();
        if (scale)
          scaleInPlace(builder, entry->getOwner(), entry->get().getDefiningOp(), scale, tile, number);
        else if (!overwrites)
          store(builder, entry->getOwner(), entry->get(), tile, number);
        entry->set(tile);
        if (overwrites) // Which moves the operands.
          product.getOverwritesMutable().assign(
              LLVM::ConstantOp::create(builder, product.getLoc(), builder.getI1Type(), builder.getBoolAttr(true)));
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
      SmallVector<Value> next = as::findSources(sources[i]);
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
      if (isa<ViewLikeOpInterface>(user))
        return isReadByProducts(user->getResult(0));
      return llvm::is_contained(products, user);
    });
  }

  struct StageUses {
    SmallVector<as::ConsumerReadOp> reads;
    SmallVector<as::ConsumerReleaseOp> releases;
  };

  /// Each stage is read once, by the products that are started there, behind the wait for it.
  static bool isReadOnce(const StageUses &uses) {
    llvm::SmallPtrSet<Operation *, 4> waits;
    return llvm::all_of(uses.reads, [&](as::ConsumerReadOp read) {
      auto wait = read.getToken().getDefiningOp<as::ConsumerWaitOp>();
      return wait && wait->getBlock() == read->getBlock() && waits.insert(wait).second;
    });
  }

  /// Products release the stage, and nobody waits for them: where it is read, if that is known, for the sooner they are
  /// committed, the fewer others come with them.
  static void commitStages(as::CreatePipelineOp create, const StageUses &uses) {
    create.setProductReleases(true);
    const bool isEarly = isReadOnce(uses);
    for (as::ConsumerReleaseOp release : uses.releases) {
      OpBuilder builder(release);
      if (!isEarly)
        as::CommitProductsOp::create(builder, release.getLoc(), release.getToken(), create.getCtaPair(),
                                     create.getSharedCtas());
      if (isEarly || isOfOneWarp(release))
        release.erase();
    }
    if (!isEarly)
      return;
    for (as::ConsumerReadOp read : uses.reads) {
      OpBuilder builder(read->getContext());
      builder.setInsertionPointAfter(read);
      Value none = as::CreateNoneOp::create(builder, read.getLoc(), read.getDone().getType());
      read.getDone().replaceAllUsesWith(none);
      as::CommitProductsOp::create(builder, read.getLoc(), read.getDone(), create.getCtaPair(), create.getSharedCtas());
      if (!isOfOneWarp(read))
        as::ConsumerReleaseOp::create(builder, read.getLoc(), read.getDone());
    }
  }

  /// Which no longer waits for a stage when it has started products that read it.
  static bool isOfOneWarp(Operation *op) { return getExecutionScope(op).numWarps == 1; }

  /// Stages that products alone read are released by the products.
  void commitStages() {
    llvm::MapVector<as::CreatePipelineOp, StageUses> pipelines;
    llvm::SmallPtrSet<Operation *, 4> others;
    bool isKnown = true;
    function.walk([&](Operation *op) {
      auto exclude = [&](as::CreatePipelineOp create) {
        if (!create || !isFilledByProducts(create))
          others.insert(create);
      };
      if (auto release = dyn_cast<as::ConsumerReleaseOp>(op)) {
        as::CreatePipelineOp create = findPipeline(release.getToken());
        isKnown &= bool(create);
        if (!create || !isFilledByProducts(create))
          pipelines[create].releases.push_back(release);
      } else if (auto consume = dyn_cast<as::ConsumeOneOp>(op)) {
        exclude(consume.getPipeline().getDefiningOp<as::CreatePipelineOp>());
      } else if (auto read = dyn_cast<as::ConsumerReadOp>(op)) {
        as::CreatePipelineOp create = findPipeline(read.getToken());
        isKnown &= bool(create);
        pipelines[create].reads.push_back(read);
        if (!llvm::all_of(read.getBody().getArguments(), [&](Value slot) { return isReadByProducts(slot); }))
          exclude(create);
      }
    });
    allCommitted = isKnown && others.empty();
    for (auto &[create, uses] : pipelines)
      if (isKnown && !others.contains(create))
        commitStages(create, uses);
      else
        llvm::for_each(uses.releases, [&](as::ConsumerReleaseOp release) { completeBefore(release); });
  }

  /// Products whose accumulator was in tensor memory before are waited for by whoever takes what they read.
  void completeBefore(as::ConsumerReleaseOp release) {
    const Region *scope = getScopeRegion(release);
    auto isOfScope = [&](as::AsyncDotOp product) { return getScopeRegion(product) == scope; };
    if (rings.empty() || llvm::none_of(products, isOfScope))
      return;
    OpBuilder builder(release);
    emitWait(builder, release.getLoc(), release);
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
      for (Value source : as::findSources(sources[i]))
        sources.insert(source);
    }
    return false;
  }

  const LoweringContext &lowering;
  LLVM::LLVMFuncOp function;
  SmallVector<as::AsyncDotOp> products;
  ScaleColumns scales;
  SmallVector<as::AllocTensorOp> rings;                    ///< of pipelines whose stages are accumulators
  SmallVector<int64_t> columns, ringColumns;               ///< where each web and ring starts
  llvm::MapVector<as::AsyncDotOp, int64_t> operandColumns; ///< where the operand A of each product starts that has one
  int64_t numColumns = 0;
  bool allCommitted = false;               ///< products release the stages of all pipelines
  llvm::MapVector<Region *, Value> scopes; ///< those with products, and where their threads keep the parity
  Value mailbox;
  as::AllocTensorMemoryOp memory;
  std::optional<AccumulatorBarriers> barriers;
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
