//===- TileBlock.cpp - A tile block and where it stands -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBlock.h"
#include "Bounds.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

const RuntimeValue &Evaluation::get(Value value) const {
  auto it = values.find(value);
  assert(it != values.end() && "a verified program defines values before it uses them");
  return it->second;
}

static void attachTileBlock(InFlightDiagnostic &diagnostic, const TileBlock &tileBlock) {
  diagnostic.attachNote() << "in tile block (" << tileBlock.id[0] << ", " << tileBlock.id[1] << ", " << tileBlock.id[2]
                          << ")";
}

InFlightDiagnostic Evaluation::undefined(Operation *op) const {
  InFlightDiagnostic diagnostic = emitError(getSourceLocation(op))
                                  << "undefined behaviour in " << op->getName() << ": ";
  attachTileBlock(diagnostic, tileBlock);
  return diagnostic;
}

InFlightDiagnostic Evaluation::undefined(const Tile::Doubt &doubt, Operation *user) const {
  InFlightDiagnostic diagnostic = undefined(doubt.assumption);
  diagnostic << "the assumption is false: " << doubt.why;
  diagnostic.attachNote(getSourceLocation(user))
      << user->getName() << " depends on it, and not only as the stride of a dimension of size 1";
  return diagnostic;
}

const Tile::Doubt *Evaluation::getDoubt(Value value) const {
  const Tile *tile = std::get_if<Tile>(&get(value));
  return tile ? tile->doubt.get() : nullptr;
}

InFlightDiagnostic Evaluation::error(Operation *op) const {
  InFlightDiagnostic diagnostic = emitError(getSourceLocation(op)) << op->getName() << ": ";
  attachTileBlock(diagnostic, tileBlock);
  return diagnostic;
}

//===----------------------------------------------------------------------===//
// Stepping
//===----------------------------------------------------------------------===//

void TileBlock::enter(EntryOp entry, ArrayRef<Tile> arguments) {
  for (auto [parameter, argument] : llvm::zip_equal(entry.getBody().getArguments(), arguments))
    values[parameter] = argument;
  push(entry, entry.getBody().front());
}

LogicalResult TileBlock::step() {
  Operation *op = &*frames.back().next++;
  ++grid.operations;
  lastMaySpin = false;
  const bool isStructure = op->getNumRegions() != 0 || op->hasTrait<OpTrait::IsTerminator>();
  if (isStructure && !isa<ReduceOp, ScanOp>(op))
    return executeStructure(op);
  if (failed(evaluate(op)))
    return failure();
  observe(op);
  return success();
}

/// Accesses whose order other tile blocks can rely on.
static bool isOrderedAccess(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadPtrTkoOp, LoadViewTkoOp>(
          [](auto load) { return load.getMemoryOrderingSemantics() != MemoryOrderingSemantics::WEAK; })
      .Case<AtomicCASTkoOp, AtomicRMWTkoOp>([](auto) { return true; })
      .Default(false);
}

/// Reports false assumptions about what the operation computes with. Assumptions pass values on; a tensor view looks
/// itself which of its strides matter.
LogicalResult TileBlock::checkDoubts(Operation *op, ValueRange used) {
  Evaluation evaluation(*this, values, grid.memory, grid.options);
  if (!isa<AssumeOp, MakeTensorViewOp>(op))
    for (Value value : used)
      if (const Tile::Doubt *doubt = evaluation.getDoubt(value))
        return evaluation.undefined(*doubt, op);
  return success();
}

LogicalResult TileBlock::evaluate(Operation *op) {
  const OperationEntry *entry = OperationTable::get().find(op->getName().getTypeID());
  Evaluation evaluation(*this, values, grid.memory, grid.options);
  if (!entry || !entry->evaluate)
    return evaluation.error(op) << "is not an operation the interpreter executes here";
  lastMaySpin = isOrderedAccess(op);
  if (failed(checkDoubts(op, op->getOperands())) || failed(entry->evaluate(op, evaluation)))
    return failure();
  if (grid.options.computeBounds)
    propagateBounds(op, *entry, evaluation);
  return success();
}

LogicalResult TileBlock::executeStructure(Operation *op) {
  // Values that only pass through may be in doubt; bounds and conditions may not.
  const unsigned decisive = isa<ForOp>(op) ? 3 : isa<IfOp>(op) ? 1 : 0;
  if (failed(checkDoubts(op, op->getOperands().take_front(decisive))))
    return failure();
  // Terminators are shown before their operands' frame goes away.
  if (op->hasTrait<OpTrait::IsTerminator>())
    observe(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<IfOp, ForOp, LoopOp, BreakOp, ContinueOp, ReturnOp, YieldOp>(
          [&](auto concrete) { return execute(concrete); })
      .Default([&](Operation *other) {
        Evaluation evaluation(*this, values, grid.memory, grid.options);
        return evaluation.error(other) << "is not an operation the interpreter executes here";
      });
}

void TileBlock::observe(Operation *op) {
  Observer *observer = grid.options.observer;
  if (!observer)
    return;
  SmallVector<const RuntimeValue *> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(&values.find(operand)->second);
  for (Value result : op->getResults())
    results.push_back(&values.find(result)->second);
  observer->executed(op, id, operands, results);
}

FailureOr<SmallVector<Tile>> TileBlock::runRegion(Block &block, SmallVectorImpl<Tile> &arguments) {
  for (auto [parameter, argument] : llvm::zip_equal(block.getArguments(), arguments))
    values[parameter] = std::move(argument);
  const size_t depth = frames.size();
  push(block.getParentOp(), block);
  while (frames.size() > depth)
    if (failed(step()))
      return failure();
  SmallVector<Tile> results;
  for (RuntimeValue &value : yielded)
    results.push_back(std::get<Tile>(std::move(value)));
  return results;
}

//===----------------------------------------------------------------------===//
// Frames
//===----------------------------------------------------------------------===//

uint64_t TileBlock::allocate(uint64_t bytes, uint64_t alignment, StringRef name) {
  // The branches of an `if` are no allocation scopes.
  Frame *scope = &frames.back();
  while (isa<IfOp>(scope->owner))
    --scope;
  return scope->allocations.emplace_back(grid.memory.allocate(bytes, name, alignment));
}

void TileBlock::releaseAllocations(Frame &frame) {
  for (uint64_t address : frame.allocations)
    grid.memory.release(address);
  frame.allocations.clear();
}

void TileBlock::pop() {
  releaseAllocations(frames.back());
  frames.pop_back();
}

SmallVector<RuntimeValue> TileBlock::getValues(ValueRange range) const {
  return llvm::map_to_vector(range, [&](Value value) { return values.find(value)->second; });
}

void TileBlock::setValues(ValueRange range, MutableArrayRef<RuntimeValue> results) {
  for (auto [value, result] : llvm::zip_equal(range, results))
    values[value] = std::move(result);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult TileBlock::execute(BreakOp op) {
  SmallVector<RuntimeValue> results = getValues(op.getOperands());
  while (!isa<LoopOp>(frames.back().owner))
    pop();
  setValues(frames.back().owner->getResults(), results);
  pop();
  return success();
}

LogicalResult TileBlock::execute(ContinueOp op) {
  SmallVector<RuntimeValue> carried = getValues(op.getOperands());
  while (!isa<ForOp, LoopOp>(frames.back().owner))
    pop();
  Frame &frame = frames.back();
  releaseAllocations(frame);
  if (auto loop = dyn_cast<LoopOp>(frame.owner)) {
    setValues(loop.getRegionIterValues(), carried);
    frame.next = loop.getRegion().front().begin();
    return success();
  }
  auto loop = cast<ForOp>(frame.owner);
  const Tile &induction = std::get<Tile>(values[loop.getInductionVar()]);
  const Tile &step = std::get<Tile>(values[loop.getStep()]);
  // A value past the largest number is past the upper bound, too.
  const unsigned width = induction.width();
  const bool isUnsigned = loop.getUnsignedCmp();
  const __int128 next =
      isUnsigned ? __int128(induction[0]) + step[0] : __int128(induction.getSigned(0)) + step.getSigned(0);
  const __int128 largest = (__int128(1) << (width - !isUnsigned)) - 1;
  if (next > largest) {
    setValues(loop.getResults(), carried);
    pop();
    return success();
  }
  beginIteration(loop, truncate(static_cast<uint64_t>(next), width), carried);
  return success();
}

/// Starts the iteration of an induction value, or ends the loop. The loop's frame is the innermost.
void TileBlock::beginIteration(ForOp op, uint64_t inductionValue, MutableArrayRef<RuntimeValue> carried) {
  const Tile &bound = std::get<Tile>(values[op.getUpperBound()]);
  const unsigned width = bound.width();
  const bool isInside =
      op.getUnsignedCmp() ? inductionValue < bound[0] : signExtend(inductionValue, width) < bound.getSigned(0);
  if (!isInside) {
    setValues(op.getResults(), carried);
    pop();
    return;
  }
  Type element = bound.elementType;
  values[op.getInductionVar()] = Tile::scalar(element, inductionValue);
  setValues(op.getRegionIterValues(), carried);
  frames.back().next = op.getRegion().front().begin();
}

LogicalResult TileBlock::execute(ForOp op) {
  const Tile &step = std::get<Tile>(values[op.getStep()]);
  if (op.getUnsignedCmp() ? step[0] == 0 : step.getSigned(0) <= 0) {
    Evaluation evaluation(*this, values, grid.memory, grid.options);
    return evaluation.undefined(op) << "the step is " << step.getSigned(0) << ", not positive";
  }
  SmallVector<RuntimeValue> carried = getValues(op.getInitValues());
  const uint64_t first = std::get<Tile>(values[op.getLowerBound()])[0];
  push(op, op.getRegion().front());
  beginIteration(op, first, carried);
  return success();
}

LogicalResult TileBlock::execute(IfOp op) {
  const bool condition = std::get<Tile>(values[op.getCondition()])[0];
  Region &branch = condition ? op.getThenRegion() : op.getElseRegion();
  if (!branch.empty())
    push(op, branch.front());
  return success();
}

LogicalResult TileBlock::execute(LoopOp op) {
  SmallVector<RuntimeValue> carried = getValues(op.getInitValues());
  setValues(op.getRegionIterValues(), carried);
  push(op, op.getRegion().front());
  return success();
}

LogicalResult TileBlock::execute(ReturnOp op) {
  while (!frames.empty())
    pop();
  values.clear();
  return success();
}

LogicalResult TileBlock::execute(YieldOp op) {
  yielded = getValues(op.getOperands());
  if (auto branch = dyn_cast<IfOp>(frames.back().owner))
    setValues(branch.getResults(), yielded);
  pop();
  return success();
}

} // namespace tileiras::interpreter
