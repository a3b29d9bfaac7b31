//===- Reduce.cpp - Smaller programs that fail in the same way ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "ParseProgram.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tileiras::fuzz;
namespace ct = tileiras::cuda_tile;
using OwningModule = OwningOpRef<ct::ModuleOp>;

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

/// A value that stands for any other of the type; null for types that have none (pointers, views).
static Value makeStandIn(OpBuilder &builder, Location loc, mlir::Type type) {
  if (isa<ct::TokenType>(type))
    return ct::MakeTokenOp::create(builder, loc, type);
  auto tile = dyn_cast<ct::TileType>(type);
  if (!tile || isa<ct::PointerType>(tile.getElementType()))
    return {};
  mlir::Type element = tile.getElementType();
  Attribute zero;
  if (auto number = dyn_cast<FloatType>(element))
    zero = FloatAttr::get(number, isa<Float8E8M0FNUType>(number) ? 1.0 : 0.0);
  else
    zero = IntegerAttr::get(element, 0);
  auto splat = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, zero));
  return ct::ConstantOp::create(builder, loc, tile, splat);
}

/// Takes an operation out; what used its results uses an operand of the type instead, or a constant. False if there
/// is neither.
static bool eraseOperation(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  OpBuilder builder(op);
  SmallVector<Value> replacements;
  for (Value result : op->getResults()) {
    Value replacement;
    if (result.use_empty()) {
      replacements.push_back(replacement);
      continue;
    }
    if (!isa<ct::ConstantOp, ct::MakeTokenOp>(op))
      replacement = makeStandIn(builder, op->getLoc(), result.getType());
    if (!replacement)
      for (Value operand : op->getOperands())
        if (operand.getType() == result.getType())
          replacement = operand;
    if (!replacement)
      return false;
    replacements.push_back(replacement);
  }
  for (auto [result, replacement] : llvm::zip(op->getResults(), replacements))
    if (replacement)
      result.replaceAllUsesWith(replacement);
  op->erase();
  return true;
}

/// Moves what is in `block` in front of `op`, whose results become the operands of the terminator.
static void inlineBlock(Operation *op, Block &block, ValueRange arguments) {
  Operation *terminator = block.getTerminator();
  for (auto [argument, value] : llvm::zip(block.getArguments(), arguments))
    argument.replaceAllUsesWith(value);
  op->getBlock()->getOperations().splice(op->getIterator(), block.getOperations(), block.begin(),
                                         terminator->getIterator());
  op->replaceAllUsesWith(terminator->getOperands());
  op->erase();
}

/// A branch becomes its then (or else) side, a loop its first turn. False where the region is left from its middle.
static bool flattenOperation(Operation *op, bool second) {
  bool jumps = false;
  op->walk([&](Operation *inner) {
    bool leavesHere = inner->getParentOp() == op && inner == inner->getBlock()->getTerminator();
    jumps |= isa<ct::BreakOp, ct::ContinueOp>(inner) && !leavesHere && inner->getParentOfType<ct::LoopOp>() != nullptr;
    jumps |= isa<ct::ReturnOp>(inner);
    jumps |= isa<ct::ContinueOp>(inner) && !leavesHere && isa<ct::ForOp>(op);
  });
  if (jumps)
    return false;
  if (auto branch = dyn_cast<ct::IfOp>(op)) {
    Region &region = second ? branch.getElseRegion() : branch.getThenRegion();
    if (region.empty() || !isa<ct::YieldOp>(region.front().getTerminator()))
      return false;
    inlineBlock(op, region.front(), {});
    return true;
  }
  if (auto loop = dyn_cast<ct::ForOp>(op); loop && !second) {
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitValues());
    inlineBlock(op, *loop.getBody(), arguments);
    return true;
  }
  return false;
}

/// Erases what nobody needs; false if there is nothing.
static bool eraseDead(ct::ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  return succeeded(runRegionDCE(rewriter, module->getRegions()));
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

namespace {

class Reducer {
public:
  Reducer(const Job &job, const std::string &signature, const CheckOptions &checkOptions, double deadlineSeconds,
          const ReduceOptions &options)
      : best(job), signature(signature), checkOptions(checkOptions), deadlineSeconds(deadlineSeconds), options(options),
        context(MLIRContext::Threading::DISABLED), silence(&context, [](Diagnostic &) { return success(); }) {
    module = parseProgram(best.text, &context);
  }

  Job run();

private:
  bool accept(OwningModule candidate, const LaunchCase &launch);
  bool eraseInChunks();
  bool flatten();
  bool eraseParameters();
  bool shrinkGrid();
  void takeAllSteps();
  bool stillTrying() const { return tries < options.maxTries; }

  /// The operations that can go, in the order of the program.
  static SmallVector<Operation *> collect(ct::ModuleOp module) {
    SmallVector<Operation *> operations;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ct::ModuleOp, ct::EntryOp>(op) && !op->hasTrait<OpTrait::IsTerminator>())
        operations.push_back(op);
    });
    return operations;
  }

  Job best;
  std::string signature;
  const CheckOptions &checkOptions;
  double deadlineSeconds;
  const ReduceOptions &options;
  MLIRContext context;
  ScopedDiagnosticHandler silence;
  OwningModule module;
  unsigned tries = 0;
  bool erasesDead = true; ///< a candidate loses what nobody needs before it is tried
};

} // namespace

/// Whether the candidate fails in the same way; then it is the best.
bool Reducer::accept(OwningModule candidate, const LaunchCase &launch) {
  if (erasesDead)
    eraseDead(*candidate);
  if (failed(verify(*candidate)))
    return false;
  Job job{best.name, {}, launch};
  llvm::raw_string_ostream os(job.text);
  candidate->print(os, OpPrintingFlags().useLocalScope());
  os << '\n';
  if (job.text == best.text && launch.grid == best.launch.grid && launch.buffers.size() == best.launch.buffers.size())
    return false;
  ++tries;
  if (checkIsolated(job, checkOptions, deadlineSeconds).signature() != signature)
    return false;
  best = std::move(job);
  module = std::move(candidate);
  if (options.progress)
    options.progress(collect(*module).size(), tries);
  return true;
}

/// ddmin: chunks of half of the operations, then of a quarter, … Later ones first: their operands fall with them.
bool Reducer::eraseInChunks() {
  bool progress = false;
  for (size_t chunk = std::max<size_t>(collect(*module).size() / 2, 1); chunk > 0 && stillTrying(); chunk /= 2) {
    for (size_t end = collect(*module).size(); end > 0 && stillTrying();) {
      size_t begin = end > chunk ? end - chunk : 0;
      OwningModule candidate = module->clone();
      SmallVector<Operation *> operations = collect(*candidate);
      size_t erased = 0;
      // From the end: an operation goes before those it contains or uses.
      for (size_t i = std::min(end, operations.size()); i > begin; --i)
        erased += eraseOperation(operations[i - 1]);
      if (erased > 0 && accept(std::move(candidate), best.launch))
        progress = true;
      end = std::min(begin, collect(*module).size());
    }
  }
  return progress;
}

bool Reducer::flatten() {
  bool progress = false;
  for (bool second : {false, true})
    for (size_t i = 0; i < collect(*module).size() && stillTrying();) {
      OwningModule candidate = module->clone();
      Operation *op = collect(*candidate)[i];
      bool isFlat = op->getNumRegions() > 0 && flattenOperation(op, second);
      if (isFlat && accept(std::move(candidate), best.launch))
        progress = true;
      else
        ++i;
    }
  return progress;
}

/// All parameters that are not used, with buffers that nobody else refers to.
bool Reducer::eraseParameters() {
  OwningModule candidate = module->clone();
  ct::EntryOp entry = *candidate->getOps<ct::EntryOp>().begin();
  Block &body = entry.getBody().front();
  LaunchCase launch = best.launch;
  if (launch.parameters.size() != body.getNumArguments())
    return false;
  llvm::BitVector unused(body.getNumArguments());
  for (BlockArgument argument : body.getArguments())
    if (argument.use_empty())
      unused.set(argument.getArgNumber());
  if (unused.none())
    return false;
  for (size_t i = launch.parameters.size(); i > 0; --i)
    if (unused.test(static_cast<unsigned>(i - 1)))
      launch.parameters.erase(launch.parameters.begin() + static_cast<ptrdiff_t>(i - 1));
  llvm::erase_if(launch.buffers, [&](const Buffer &buffer) {
    return llvm::none_of(launch.parameters,
                         [&](const Parameter &parameter) { return parameter.buffer == buffer.name; });
  });
  if (failed(entry.eraseArguments(unused)))
    return false;
  return accept(std::move(candidate), launch);
}

bool Reducer::shrinkGrid() {
  if (best.launch.grid == std::array<unsigned, 3>{1, 1, 1})
    return false;
  LaunchCase launch = best.launch;
  launch.grid = {1, 1, 1};
  return accept(OwningModule(module->clone()), launch);
}

void Reducer::takeAllSteps() {
  bool progress = true;
  while (progress && stillTrying()) {
    progress = shrinkGrid();
    progress |= eraseInChunks();
    progress |= flatten();
    progress |= eraseParameters();
  }
}

Job Reducer::run() {
  if (!module)
    return best;
  OwningModule candidate = module->clone();
  bool needsDead = eraseDead(*candidate) && !accept(std::move(candidate), best.launch);
  if (!needsDead)
    takeAllSteps();
  // The failure may be in an operation whose result nobody uses, or would be if its user went.
  erasesDead = false;
  takeAllSteps();
  return best;
}

Job tileiras::fuzz::reduceProgram(const Job &job, const std::string &signature, const CheckOptions &checkOptions,
                                  double deadlineSeconds, const ReduceOptions &options) {
  return Reducer(job, signature, checkOptions, deadlineSeconds, options).run();
}
