//===- QueueLoads.cpp - Loads that may run ahead of their loop ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QueueLoads.h"
#include "TmaEligibility.h"
#include "tileiras/Dialect/TileAA/Queues.h"
#include "tileiras/Dialect/TileAS/AsyncCopies.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tileiras::async {

std::string nameOperation(Operation *op) {
  std::string name = ("'" + op->getName().getStringRef() + "'").str();
  if (FileLineColLoc place = op->getLoc()->findInstanceOf<FileLineColLoc>())
    name += llvm::formatv(" at {0}:{1}:{2}", place.getFilename().strref(), place.getLine(), place.getColumn()).str();
  return name;
}

//===----------------------------------------------------------------------===//
// Readers
//===----------------------------------------------------------------------===//

/// Whether `use` is an operand of a matrix product that the tensor cores can read from memory.
static bool isProductOperand(OpOperand &use, llvm::function_ref<bool(aa::MmaBlockScaleOp)> readsScales) {
  auto isAOrB = [&](auto product) { return use == product.getAMutable() || use == product.getBMutable(); };
  return llvm::TypeSwitch<Operation *, bool>(use.getOwner())
      .Case([&](aa::DotOp product) { return isAOrB(product); })
      .Case([&](aa::MmaBlockScaleOp product) {
        return isAOrB(product) || (use.get() != product.getC() && readsScales && readsScales(product));
      })
      .Default(false);
}

/// Whether the operation stands between a tile and its products as well as the tile itself.
static bool isOnTheWay(Operation *op) {
  return isa<ViewLikeOpInterface, aa::CatOp, aa::UnpackOp>(op) ||
         (OpTrait::hasElementwiseMappableTraits(op) && op->getNumResults() == 1 && isMemoryEffectFree(op));
}

Value QueueLoad::getToken() const {
  if (auto tiled = dyn_cast<aa::TiledLoadOp>(load))
    return tiled.getToken();
  return cast<aa::LoadOp>(load).getToken();
}

Value QueueLoad::getResultToken() const {
  if (auto tiled = dyn_cast<aa::TiledLoadOp>(load))
    return tiled.getResultToken();
  return cast<aa::LoadOp>(load).getResultToken();
}

/// Keeps what leads to products of what has been found on the way: the rest reads the tile for others.
static void keepWaysToProducts(QueueLoad &entry) {
  llvm::SetVector<Operation *> kept;
  SmallVector<Operation *> work(entry.products.getArrayRef());
  while (!work.empty())
    for (Value operand : work.pop_back_val()->getOperands())
      if (Operation *maker = operand.getDefiningOp(); entry.between.contains(maker) && kept.insert(maker))
        work.push_back(maker);
  entry.between.remove_if([&](Operation *op) { return !kept.contains(op); });
}

QueueLoad findReaders(Operation *load, llvm::function_ref<bool(aa::MmaBlockScaleOp)> readsScales) {
  QueueLoad entry;
  entry.load = load;
  SmallVector<Value> tiles = {entry.getTile()};
  while (!tiles.empty()) {
    for (OpOperand &use : tiles.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (user->getBlock() == load->getBlock() && isProductOperand(use, readsScales)) {
        entry.products.insert(user);
      } else if (user->getBlock() == load->getBlock() && isOnTheWay(user)) {
        if (entry.between.insert(user))
          tiles.push_back(user->getResult(0));
      } else if (!entry.otherReader) {
        entry.otherReader = user;
      }
    }
  }
  if (!entry.products.empty())
    keepWaysToProducts(entry);
  return entry;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The number that says which memory is accessed: accesses with different ones do not overlap.
static IntegerAttr getAliasScope(Operation *access) {
  for (Value operand : access->getOperands())
    if (auto view = operand.getDefiningOp<aa::BlockTileOp>())
      if (auto memref = view.getSource().getDefiningOp<aa::MakeMemRefOp>())
        return memref.getAliasScopeAttr();
  return {};
}

static bool mayAlias(Operation *lhs, Operation *rhs) {
  IntegerAttr left = getAliasScope(lhs), right = getAliasScope(rhs);
  return !left || !right || left == right;
}

bool isWeakLoad(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<aa::TiledLoadOp, aa::LoadOp>([](auto load) { return load.getMemSemantic() == aa::MemSemantic::Weak; })
      .Default(false);
}

static bool isWrite(Operation *op) {
  return isa<aa::StoreOp, aa::TiledStoreOp, aa::AtomicCASOp, aa::AtomicRMWOp, aa::TiledAtomicRMWOp>(op);
}

/// The tokens that the result `token` of an operation of the loop stands for.
static void appendSources(Value token, SmallVectorImpl<Value> &sources) {
  Operation *op = token.getDefiningOp();
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    return branch.getPredecessorValues(RegionSuccessor(op, op->getResults()), cast<OpResult>(token).getResultNumber(),
                                       sources);
  llvm::copy_if(op->getOperands(), std::back_inserter(sources),
                [&](Value operand) { return operand.getType() == token.getType(); });
}

/// The write of the loop that `entry` comes after and may overlap with, in this iteration or in one before; null if
/// there is none. Then `entry.tokens` is complete.
static Operation *findWriteBefore(QueueLoad &entry, scf::ForOp loop) {
  if (!entry.getToken())
    return nullptr;
  SmallVector<Value> work = {entry.getToken()};
  llvm::SmallPtrSet<Value, 8> visited;
  while (!work.empty()) {
    Value token = work.pop_back_val();
    if (!visited.insert(token).second)
      continue;
    if (loop.isDefinedOutsideOfLoop(token)) {
      entry.tokens.insert(token);
    } else if (auto argument = dyn_cast<BlockArgument>(token)) {
      OpOperand *init = loop.getTiedLoopInit(argument);
      if (!init)
        return argument.getOwner()->getParentOp();
      work.push_back(init->get());
      work.push_back(loop.getTiedLoopYieldedValue(argument)->get());
    } else {
      Operation *op = token.getDefiningOp();
      if (isWrite(op) && mayAlias(op, entry.load))
        return op;
      appendSources(token, work);
    }
  }
  return nullptr;
}

/// Whether all accesses behind `op` come after something that others do, or perhaps do.
static bool isBarrier(Operation *op) {
  if (auto semantic = op->getAttrOfType<aa::MemSemanticAttr>("mem_semantic"))
    return semantic.getValue() == aa::MemSemantic::Acquire || semantic.getValue() == aa::MemSemantic::AcqRel;
  if (isa<aa::FenceAliasOp, aa::GdcWaitOp, aa::QueuePutOp, aa::QueueGetOp, aa::AgentLikeOpInterface>(op))
    return true;
  const bool isOurs = isa_and_nonnull<aa::TileAADialect, as::TileASDialect, scf::SCFDialect>(op->getDialect());
  return !isOurs && !isMemoryEffectFree(op);
}

Operation *findBarrier(scf::ForOp loop) {
  Operation *barrier = nullptr;
  loop.getBody()->walk([&](Operation *op) {
    if (!isBarrier(op))
      return WalkResult::advance();
    barrier = op;
    return WalkResult::interrupt();
  });
  return barrier;
}

Operation *findTokenUserBefore(const QueueLoad &entry, Operation *position) {
  if (!entry.getResultToken())
    return nullptr;
  Block *block = entry.load->getBlock();
  SmallVector<Value> tokens = {entry.getResultToken()};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!tokens.empty())
    for (Operation *user : tokens.pop_back_val().getUsers()) {
      Operation *ancestor = block->findAncestorOpInBlock(*user);
      if (!ancestor || !ancestor->isBeforeInBlock(position) || !seen.insert(user).second)
        continue;
      if (ancestor != user || !(isa<aa::JoinMemTokenOp>(user) || isWeakLoad(user)))
        return user;
      tokens.append(user->result_begin() + (user->getNumResults() - 1), user->result_end());
    }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Address
//===----------------------------------------------------------------------===//

/// Why `value`, which the loop gives, is known in its iteration only; nothing if `op` computes it from other values.
static std::optional<std::string> describeLate(Value value, scf::ForOp loop) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return "its address depends on a loop-carried value, argument " +
           std::to_string(cast<BlockArgument>(value).getArgNumber() - loop.getNumInductionVars()) +
           "; compute it from the induction variable";
  if (op->getBlock() != loop.getBody() || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return "its address depends on the result of " + nameOperation(op) + ", which is known in its iteration only";
  return std::nullopt;
}

/// What is computed ahead for a load, and other loads that this needs.
struct KnownAhead {
  llvm::SetVector<Operation *> ops;
  std::vector<QueueLoad> loads;

  /// Collects what computes `values` from the variable of the loop, from what is outside of it, and from other loads of
  /// which that is known, too. Otherwise says why it is not.
  std::optional<std::string> collect(SmallVector<Value> values, scf::ForOp loop) {
    while (!values.empty()) {
      Value value = values.pop_back_val();
      if (loop.isDefinedOutsideOfLoop(value) || value == loop.getInductionVar())
        continue;
      std::optional<std::string> late = describeLate(value, loop);
      if (late && !collectLoad(value.getDefiningOp(), loop))
        return late;
      if (!late && ops.insert(value.getDefiningOp()))
        llvm::append_range(values, value.getDefiningOp()->getOperands());
    }
    return std::nullopt;
  }

private:
  bool collectLoad(Operation *op, scf::ForOp loop);
};

/// Collects what computes the operands of the load, but for its token.
static std::optional<std::string> collectAddress(QueueLoad &entry, scf::ForOp loop) {
  SmallVector<Value> operands(entry.load->getOperands());
  llvm::erase(operands, entry.getToken());
  KnownAhead known;
  if (std::optional<std::string> late = known.collect(operands, loop))
    return late;
  entry.address.insert_range(known.ops);
  llvm::move(known.loads, std::back_inserter(entry.beside));
  return std::nullopt;
}

bool KnownAhead::collectLoad(Operation *op, scf::ForOp loop) {
  if (ops.contains(op))
    return true;
  QueueLoad other;
  other.load = op;
  // What no load passes is in the way of the load that needs this one as well.
  if (!op || op->getBlock() != loop.getBody() || findObstacle(other, loop, /*barrier=*/nullptr))
    return false;
  ops.insert(op);
  ops.insert_range(other.address);
  llvm::move(other.beside, std::back_inserter(loads));
  other.beside.clear();
  loads.push_back(std::move(other));
  return true;
}

std::optional<std::string> findObstacle(QueueLoad &entry, scf::ForOp loop, Operation *barrier) {
  if (!isWeakLoad(entry.load))
    return "it is ordered with accesses of other tile blocks";
  if (std::optional<std::string> obstacle = collectAddress(entry, loop))
    return obstacle;
  if (Operation *write = findWriteBefore(entry, loop))
    return "it comes after " + nameOperation(write) + " of the same loop, which may write what it reads";
  if (barrier)
    return "it must not pass " + nameOperation(barrier) + " of the same loop";
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

void convertByEngine(const TensorCopyRule &rule, QueueLoad &entry) {
  auto tiled = dyn_cast<aa::TiledLoadOp>(entry.load);
  if (!tiled || !entry.getTile().hasOneUse())
    return;
  auto conversion = dyn_cast<aa::FpToFpOp>(*entry.getTile().user_begin());
  std::string reason;
  if (conversion && entry.between.contains(conversion) && as::canTensorCopyConvert(conversion) &&
      canEngineLoad(rule, tiled, reason))
    entry.conversions = {conversion};
}

void convertAtLoads(Operation *func) {
  func->walk([](aa::FpToFpOp conversion) {
    if (!as::canTensorCopyConvert(conversion))
      return;
    auto withElement = [&](Value value) {
      return cast<RankedTensorType>(value.getType()).clone(getElementTypeOrSelf(conversion.getResult()));
    };
    for (Operation *before = conversion.getSource().getDefiningOp();
         before && isa<ViewLikeOpInterface>(before) && before->hasOneUse();
         before = conversion.getSource().getDefiningOp()) {
      Value source = before->getOperand(0), result = before->getResult(0);
      conversion.getResult().replaceAllUsesWith(result);
      conversion.getSourceMutable().set(source);
      conversion.getResult().setType(withElement(source));
      before->moveAfter(conversion);
      before->setOperand(0, conversion.getResult());
      result.setType(withElement(result));
    }
  });
}

/// Whether all that `op` needs beside the tile and what `made` makes of it can be had where the tile is loaded.
static bool isKnownAhead(Operation *op, const QueueLoad &entry, const llvm::SetVector<Operation *> &made,
                         scf::ForOp loop) {
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return operand == entry.getTile() || made.contains(operand.getDefiningOp()) ||
           !KnownAhead().collect({operand}, loop);
  });
}

/// What the tile becomes on its way to products, in program order, up to the last value that all ways pass, as far as
/// all else that this needs can be had where the tile is loaded.
static SmallVector<Operation *> findChain(const QueueLoad &entry, scf::ForOp loop) {
  SmallVector<Operation *> between(entry.between.getArrayRef());
  llvm::sort(between, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  auto isOnWay = [&](Operation *user) { return entry.between.contains(user) || entry.products.contains(user); };
  llvm::SetVector<Operation *> made;
  llvm::SmallPtrSet<Operation *, 8> open = {entry.load}; // read by some operation that comes later
  size_t length = 0;
  for (Operation *op : between) {
    if (!isKnownAhead(op, entry, made, loop))
      break;
    made.insert(op);
    open.insert(op);
    for (Value operand : op->getOperands())
      if (Operation *maker = operand.getDefiningOp(); maker && llvm::none_of(operand.getUsers(), [&](Operation *user) {
                                                        return isOnWay(user) && !made.contains(user);
                                                      }))
        open.erase(maker);
    if (open.size() == 1)
      length = made.size();
  }
  return SmallVector<Operation *>(made.getArrayRef().take_front(length));
}

/// The chain up to the last operation that computes.
static SmallVector<Operation *> findComputations(const QueueLoad &entry, scf::ForOp loop) {
  SmallVector<Operation *> chain = findChain(entry, loop);
  while (!chain.empty() && isa<ViewLikeOpInterface>(chain.back()))
    chain.pop_back();
  return chain;
}

void setConversions(QueueLoad &entry, ArrayRef<Operation *> conversions, scf::ForOp loop) {
  KnownAhead known;
  for (Operation *op : conversions)
    for (Value operand : op->getOperands())
      if (operand != entry.getTile() && !llvm::is_contained(conversions, operand.getDefiningOp()))
        (void)known.collect({operand}, loop);
  entry.address.insert_range(known.ops);
  llvm::move(known.loads, std::back_inserter(entry.beside));
  entry.conversions = conversions.vec();
}

/// Whether several warps of a product of single warps read the same elements of the tile: those of other rows, or of
/// other columns. An MMA has no fewer rows than that.
static bool isReadByWarps(const QueueLoad &entry) {
  // Warps would exchange what these make.
  if (llvm::any_of(entry.between, llvm::IsaPred<aa::CatOp, aa::UnpackOp>))
    return true;
  return llvm::any_of(entry.products, [&](Operation *op) {
    auto product = dyn_cast<aa::DotOp>(op);
    if (!product)
      return true;
    ArrayRef<int64_t> shape = product.getType().getShape();
    Operation *maker = product.getA().getDefiningOp();
    const bool isA = maker == entry.load || entry.between.contains(maker);
    return shape[shape.size() - (isA ? 1 : 2)] > 16;
  });
}

void convertByThreads(QueueLoad &entry, scf::ForOp loop) {
  if (!isReadByWarps(entry))
    return;
  SmallVector<Operation *> chain = findComputations(entry, loop);
  const Type element = getElementTypeOrSelf(entry.getTile());
  // Otherwise who reads what is between would load the tile once more.
  auto isReadInside = [&](Value value) {
    return llvm::all_of(value.getUsers(), [&](Operation *user) { return llvm::is_contained(chain, user); });
  };
  if (!isReadInside(entry.getTile()) ||
      !llvm::all_of(llvm::drop_end(chain), [&](Operation *op) { return isReadInside(op->getResult(0)); }))
    return;
  if (llvm::any_of(chain, [&](Operation *op) { return getElementTypeOrSelf(op->getResult(0)) != element; }))
    setConversions(entry, chain, loop);
}

FailureOr<SmallVector<Operation *>> findConversions(const QueueLoad &entry, scf::ForOp loop) {
  SmallVector<Operation *> chain = findComputations(entry, loop);
  for (Operation *op : entry.between)
    if (!isa<ViewLikeOpInterface>(op) && !llvm::is_contained(chain, op))
      return failure();
  return chain;
}

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

int32_t limitByTrips(scf::ForOp loop, int32_t count) {
  const std::optional<APInt> trips = loop.getStaticTripCount();
  return trips ? trips->getLimitedValue(count) : count;
}

SmallVector<Operation *> collectAddresses(ArrayRef<QueueLoad> loads) {
  llvm::SetVector<Operation *> needed;
  for (const QueueLoad &entry : loads)
    needed.insert_range(entry.address);
  SmallVector<Operation *> ordered = needed.takeVector();
  llvm::sort(ordered, [](Operation *lhs, Operation *rhs) { return lhs->isBeforeInBlock(rhs); });
  return ordered;
}

/// The token that a copy of the load outside of the loop's order comes after; null if there is none.
static Value joinTokens(OpBuilder &builder, const QueueLoad &entry) {
  SmallVector<Value> tokens(entry.tokens.getArrayRef());
  if (tokens.size() <= 1)
    return tokens.empty() ? Value() : tokens.front();
  return aa::JoinMemTokenOp::create(builder, entry.load->getLoc(), tokens);
}

void mapTokens(OpBuilder &builder, const QueueLoad &entry, IRMapping &mapping) {
  if (Value token = entry.getToken())
    mapping.map(token, joinTokens(builder, entry));
  for (const QueueLoad &beside : entry.beside)
    mapTokens(builder, beside, mapping);
}

/// Nothing has to be ordered after a load that is known to be complete.
static void eraseWithToken(const QueueLoad &entry) {
  if (Value token = entry.getResultToken())
    token.replaceAllUsesWith(entry.getToken());
  entry.load->erase();
}

void eraseUnused(ArrayRef<Operation *> ops) {
  for (Operation *op : llvm::reverse(ops)) {
    QueueLoad entry;
    entry.load = op;
    if (isWeakLoad(op) && entry.getTile().use_empty())
      eraseWithToken(entry);
    else if (isOpTriviallyDead(op))
      op->erase();
  }
}

void eraseLoad(const QueueLoad &entry) {
  for (Operation *op : llvm::reverse(entry.conversions))
    if (op->use_empty())
      op->erase();
  if (entry.getTile().use_empty())
    eraseWithToken(entry);
}

} // namespace tileiras::async
