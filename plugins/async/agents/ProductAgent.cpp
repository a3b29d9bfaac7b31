//===- ProductAgent.cpp - Products with an agent of their own -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductAgent.h"
#include "common/AgentWarps.h"
#include "common/ConsumerSteps.h"
#include "common/DeferredWaits.h"
#include "common/IteratorPropagation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "tileiras/Dialect/TileAS/ScaledProducts.h"
#include "tileiras/Dialect/TileAS/TensorMemory.h"
#include "tileiras/Lowering/SharedArena.h"
#include "tileiras/Lowering/SharedBudget.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

//===----------------------------------------------------------------------===//
// Which loops
//===----------------------------------------------------------------------===//

namespace {

class ProductLoopFinder {
public:
  ProductLoopFinder(FunctionOpInterface function, const ChipTarget &target, bool allowsPairs)
      : function(function), target(target), allowsPairs(allowsPairs) {}

  ProductLoops run() {
    function->walk([&](as::DotOp product) {
      if (isInTensorMemory(product.getAtom()))
        refuse(product, "an MMA is complete with its operation");
    });
    function->walk([&](as::AsyncDotOp product) {
      if (isInTensorMemory(product.getAtom()))
        addProduct(product);
    });
    for (auto &[op, loop] : loops)
      addLoop(loop);
    if (!found.obstacle.op && !found.loops.empty()) {
      checkOtherConsumers();
      if (isShared && allowsPairs)
        found.pairs = findCtaPairs(function, found.loops, target);
      chooseStages();
    }
    found.followEachOther = llvm::all_of(found.loops, [](const ProductLoop &each) {
      return bool(scf::ForOp(each.loop)->getParentOfType<LoopLikeOpInterface>());
    });
    return std::move(found);
  }

private:
  void refuse(Operation *op, const Twine &reason) {
    if (!found.obstacle.op)
      found.obstacle = {op, reason.str()};
  }

  const MmaAtom *findAtom(as::AtomAttr atom) const { return atom.findMma(target.atoms()); }

  bool isInTensorMemory(as::AtomAttr name) const {
    const MmaAtom *atom = findAtom(name);
    return atom && atom->kind == MmaKind::TensorMemory;
  }

  void addProduct(as::AsyncDotOp product) {
    auto consume = dyn_cast<as::ConsumeOneOp>(product->getParentOp());
    auto loop = consume ? dyn_cast<scf::ForOp>(consume->getParentOp()) : scf::ForOp();
    if (!loop)
      return refuse(product, "an MMA reads no stage of a pipeline in a loop, or waits for other work on it");
    ProductLoop &entry = loops[loop];
    entry.loop = loop;
    if (!llvm::is_contained(entry.consumers, consume))
      entry.consumers.push_back(consume);
  }

  void addLoop(ProductLoop &entry) {
    for (Operation *around = entry.loop->getParentOp(); around != function; around = around->getParentOp())
      if (!isa<scf::ForOp, scf::IfOp, scf::WhileOp>(around))
        return refuse(around, "MMAs stand in '" + around->getName().getStringRef() + "'");
    for (as::ConsumeOneOp consume : entry.consumers) {
      checkPipeline(consume);
      checkBody(consume);
      if (!canDeferWaits(entry.loop, consume))
        refuse(consume, "MMAs need each other, or their loop uses an accumulator");
      if (found.obstacle.op)
        return;
      for (as::AsyncDotOp product : getProducts(consume))
        if (auto sum = dyn_cast<BlockArgument>(product.getC()))
          addSum(entry, product, sum.getArgNumber() - 1);
    }
    found.loops.push_back(entry);
  }

  void checkPipeline(as::ConsumeOneOp consume) {
    auto create = consume.getPipeline().getDefiningOp<as::CreatePipelineOp>();
    if (!create)
      refuse(consume, "nobody knows the pipeline of a stage");
    else if (!isFilledByOneWarp(create, target.tuning()))
      refuse(create, "threads fill stages, which takes a warpgroup");
    else
      isShared |= create.getSharedCtas() != 0;
  }

  /// Nothing but products, which all end in sums.
  void checkBody(as::ConsumeOneOp consume) {
    for (Operation &op : consume.getBody().front().without_terminator()) {
      auto product = dyn_cast<as::AsyncDotOp>(op);
      const bool isProduct = product && isInTensorMemory(product.getAtom()) && getWait(product);
      const bool isScalar =
          isPure(&op) && op.getNumRegions() == 0 && llvm::none_of(op.getResultTypes(), llvm::IsaPred<RankedTensorType>);
      if (!isProduct && !isScalar && !isa<as::AsyncFutureWaitOp, ViewLikeOpInterface>(op))
        refuse(&op, "a stage is read by '" + op.getName().getStringRef() + "' as well");
    }
    for (Value value : consume.getBody().front().getTerminator()->getOperands())
      if (!value.getDefiningOp<as::AsyncFutureWaitOp>())
        refuse(consume, "a stage is used after its MMAs");
  }

  void addSum(ProductLoop &entry, as::AsyncDotOp product, unsigned number) {
    if (!as::isZeroTile(entry.loop.getInitArgs()[number]))
      return refuse(entry.loop, "an accumulator does not start at zero");
    entry.sums.push_back(number);
    entry.payloads.push_back(as::getTensorMemoryType(product.getC().getType(), *findAtom(product.getAtom())));
  }

  /// All of a pipeline's consumers are in one agent.
  void checkOtherConsumers() {
    llvm::SmallPtrSet<Operation *, 4> ofProducts;
    for (const ProductLoop &each : found.loops)
      ofProducts.insert(each.consumers.begin(), each.consumers.end());
    for (const ProductLoop &each : found.loops)
      for (as::ConsumeOneOp consume : each.consumers)
        for (Operation *user : consume.getPipeline().getUsers())
          if (isa<as::ConsumeOneOp, as::ConsumerWaitOp>(user) && !ofProducts.contains(user))
            refuse(user, "stages that MMAs read are also read elsewhere");
  }

  int64_t countSets(as::AsyncDotOp product, as::ConsumeOneOp consume) const {
    return found.pairs.areThere() ? found.pairs.countStages(consume.getPipeline().getDefiningOp<as::CreatePipelineOp>())
                                  : as::countScaleSets(product);
  }

  /// As tileas-place-accumulators will lay them out.
  int64_t countColumns(int64_t stages) const {
    SharedArena arena;
    for (const ProductLoop &each : found.loops)
      for (as::ConsumeOneOp consume : each.consumers)
        for (as::AsyncDotOp product : getProducts(consume))
          if (product.isBlockScaled())
            arena.allocate(as::countScaleColumns(product) * countSets(product, consume), as::kScaleAlignment, {0, 0});
    for (const ProductLoop &each : found.loops)
      for (RankedTensorType payload : each.payloads) {
        const int64_t count = as::countTensorMemoryColumns(payload);
        arena.allocate(count * stages, count, {0, 0});
      }
    return llvm::PowerOf2Ceil(arena.getBytes());
  }

  void chooseStages() {
    const int64_t limit = target.machine().tensorMemoryColumns / getWantedCTAs(function);
    const int64_t most = target.tuning().mostAccumulatorStages;
    found.stages = countColumns(most) <= limit ? most : 1;
    found.columns = countColumns(found.stages);
    if (found.columns > limit)
      refuse(found.loops.front().loop,
             llvm::formatv("accumulators take {0} columns of tensor memory, of {1}", found.columns, limit));
  }

  FunctionOpInterface function;
  const ChipTarget &target;
  const bool allowsPairs;
  bool isShared = false; ///< CTAs fill stages for each other
  llvm::MapVector<Operation *, ProductLoop> loops;
  ProductLoops found;
};

} // namespace

ProductLoops findProductLoops(FunctionOpInterface function, const ChipTarget &target, bool allowsPairs) {
  return ProductLoopFinder(function, target, allowsPairs).run();
}

//===----------------------------------------------------------------------===//
// Accumulators in stages
//===----------------------------------------------------------------------===//

namespace {

class ProductSeparation {
public:
  explicit ProductSeparation(FunctionOpInterface function) : function(function), rewriter(function.getContext()) {}

  llvm::SetVector<Operation *> run(const ProductLoops &products) {
    for (const ProductLoop &each : products.loops)
      separate(each, products);
    propagation.run(function.getFunctionBody());
    return std::move(operations);
  }

private:
  /// The pipeline, with memory, and the iterators with which both ends begin.
  struct Accumulators {
    as::PipelineType type;
    Value pipeline, producer, consumer;
  };

  Accumulators createPipeline(const ProductLoop &products, int64_t count, bool isOfPair) {
    const Location location = scf::ForOp(products.loop).getLoc();
    rewriter.setInsertionPoint(as::ConsumeOneOp(products.consumers.front()).getPipeline().getDefiningOp());
    const SmallVector<Type> payload(products.payloads.begin(), products.payloads.end());
    const IntegerAttr stages = rewriter.getI64IntegerAttr(count);
    auto createRing = [&](Type type) {
      return as::AllocTensorOp::create(rewriter, location, type, as::MemoryRangeAttr(), stages).getResult();
    };
    const SmallVector<Value> rings = llvm::map_to_vector(payload, [&](Type type) -> Value { return createRing(type); });
    Value barriers = createRing(as::getStageBarriersType(rewriter.getContext()));
    auto pipeline =
        as::CreatePipelineOp::create(rewriter, location, as::PipelineType::get(rewriter.getContext(), count, payload));
    pipeline.getBuffersMutable().assign(rings);
    pipeline.getBarriersMutable().assign(barriers);
    pipeline.setProducerKind(as::ProducerKind::Mma);
    pipeline.setCtaPair(isOfPair);
    auto createIterator = [&] {
      return as::CreateIteratorOp::create(rewriter, location, as::IteratorType::get(pipeline.getType()), pipeline)
          .getResult();
    };
    return {pipeline.getType(), pipeline, createIterator(), createIterator()};
  }

  void separate(const ProductLoop &products, const ProductLoops &all) {
    scf::ForOp loop = products.loop;
    const Accumulators accumulators = createPipeline(products, all.stages, all.pairs.areThere());
    guardLoop(rewriter, loop);
    SmallVector<Type> registerTypes;
    for (unsigned sum : products.sums)
      registerTypes.push_back(loop.getResult(sum).getType());

    rewriter.setInsertionPoint(loop);
    const Location location = loop.getLoc();
    Value pipeline = accumulators.pipeline, producer = accumulators.producer;
    auto acquire = as::ProducerAcquireOp::create(rewriter, location, as::ProducerTokenType::get(accumulators.type),
                                                 pipeline, producer, as::ProducerKindAttr());
    addStep(acquire, producer);
    for (auto [index, sum, type] : llvm::enumerate(products.sums, products.payloads)) {
      auto slot = as::SlotOp::create(rewriter, location, type, pipeline, producer, index);
      propagation.addStage(slot, producer);
      loop.getInitArgsMutable()[sum].assign(slot);
    }
    rewriter.setInsertionPointAfter(loop);
    operations.insert(as::ProducerCommitOp::create(rewriter, location, acquire.getToken(), IntegerAttr(), false));
    propagation.addStage(as::IncIterOp::create(rewriter, location, producer.getType(), producer), producer);
    consume(accumulators, products, registerTypes);
    addInPlace(products);
  }

  void addStep(Operation *op, Value iterator) {
    operations.insert(op);
    propagation.addStage(op, iterator);
  }

  /// Behind the loop: the sums in registers.
  void consume(const Accumulators &accumulators, const ProductLoop &products, ArrayRef<Type> types) {
    scf::ForOp loop = products.loop;
    const Location location = loop.getLoc();
    auto stage = as::ConsumeOneOp::create(rewriter, location, types, accumulators.consumer.getType(),
                                          accumulators.pipeline, accumulators.consumer, uint32_t(0));
    propagation.addStage(stage, accumulators.consumer);
    OpBuilder::InsertionGuard guard(rewriter);
    Block *body = rewriter.createBlock(&stage.getBody());
    SmallVector<Value> loaded;
    for (auto [payload, type] : llvm::zip_equal(products.payloads, types))
      loaded.push_back(as::CopyOp::create(rewriter, location, type, body->addArgument(payload, location), Value(),
                                          as::AtomAttr::getAnyCopy(rewriter.getContext()))
                           .getResult());
    as::PipelineYieldOp::create(rewriter, location, loaded);
    for (auto [sum, value] : llvm::zip_equal(products.sums, stage.getValues()))
      rewriter.replaceAllUsesWith(loop.getResult(sum), value);
  }

  /// The products add to the slots; the first ones do not look at what is there. What they read is released by them.
  void addInPlace(const ProductLoop &products) {
    scf::ForOp loop = products.loop;
    rewriter.setInsertionPointToStart(loop.getBody());
    Value isFirst = arith::CmpIOp::create(rewriter, loop.getLoc(), arith::CmpIPredicate::eq, loop.getInductionVar(),
                                          loop.getLowerBound());
    for (auto [sum, type] : llvm::zip_equal(products.sums, products.payloads)) {
      loop.getRegionIterArg(sum).setType(type);
      loop.getResult(sum).setType(type);
    }
    for (as::ConsumeOneOp consumer : products.consumers)
      split(consumer, isFirst);
  }

  void split(as::ConsumeOneOp consumer, Value isFirst) {
    const SmallVector<as::AsyncDotOp> started = getProducts(consumer);
    as::ConsumerReadOp read = as::splitConsumer(rewriter, consumer, removeWaits(rewriter, started));
    for (as::AsyncDotOp product : started) {
      if (isa<BlockArgument>(product.getC()))
        product.getOverwritesMutable().assign(isFirst);
      product.getResult().setType(product.getC().getType());
    }
    for (auto [result, value] : llvm::zip(read.getValues(), read.getBody().front().getTerminator()->getOperands()))
      result.setType(value.getType());
    rewriter.setInsertionPointAfter(read);
    operations.insert(read.getToken().getDefiningOp());
    operations.insert(read);
    operations.insert(as::ConsumerReleaseOp::create(rewriter, read.getLoc(), read.getDone()));
  }

  FunctionOpInterface function;
  IRRewriter rewriter;
  IteratorPropagation propagation;
  llvm::SetVector<Operation *> operations;
};

} // namespace

llvm::SetVector<Operation *> separateProducts(FunctionOpInterface function, const ProductLoops &products) {
  return ProductSeparation(function).run(products);
}

} // namespace tileiras::async
