//===- Reduce.cpp - Smaller programs that fail in the same way ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reduce.h"
#include "Edits.h"
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
      : best{job.name, job.text, job.launch, nullptr, job.options}, signature(signature), checkOptions(checkOptions),
        deadlineSeconds(deadlineSeconds), options(options), context(MLIRContext::Threading::DISABLED),
        silence(&context, [](Diagnostic &) { return success(); }) {
    module = parseProgram(best.text, &context);
  }

  Job run();

private:
  bool accept(OwningModule candidate, const LaunchCase &launch);
  bool eraseInChunks();
  bool flatten();
  bool eraseParameters();
  bool eraseOtherKernels();
  bool shrinkGrid();
  void takeAllSteps();
  bool stillTrying() const { return tries < options.maxTries; }

  /// The operations that can go, in the order of the program.
  static SmallVector<Operation *> collect(ct::ModuleOp module) {
    SmallVector<Operation *> operations;
    module->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != module && !op->hasTrait<OpTrait::IsTerminator>())
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
  Job job = best;
  job.text.clear();
  job.launch = launch;
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

static void eraseFromLaunch(LaunchCase &launch, const llvm::BitVector &unused) {
  for (size_t i = launch.parameters.size(); i > 0; --i)
    if (unused.test(static_cast<unsigned>(i - 1)))
      launch.parameters.erase(launch.parameters.begin() + static_cast<ptrdiff_t>(i - 1));
  llvm::erase_if(launch.buffers, [&](const Buffer &buffer) {
    return llvm::none_of(launch.parameters,
                         [&](const Parameter &parameter) { return parameter.buffer == buffer.name; });
  });
}

/// All parameters that are not used, of a kernel; with buffers that nobody else refers to, if it is the one launched.
bool Reducer::eraseParameters() {
  bool progress = false;
  for (size_t kernel = 0; kernel < static_cast<size_t>(llvm::range_size(module->getOps<ct::EntryOp>())); ++kernel) {
    OwningModule candidate = module->clone();
    ct::EntryOp entry = *std::next(candidate->getOps<ct::EntryOp>().begin(), static_cast<ptrdiff_t>(kernel));
    Block &body = entry.getBody().front();
    LaunchCase launch = best.launch;
    const bool isLaunched = entry.getSymName() == launch.entry;
    if (isLaunched && launch.parameters.size() != body.getNumArguments())
      continue;
    llvm::BitVector unused(body.getNumArguments());
    for (BlockArgument argument : body.getArguments())
      if (argument.use_empty())
        unused.set(argument.getArgNumber());
    if (unused.none())
      continue;
    if (isLaunched)
      eraseFromLaunch(launch, unused);
    if (succeeded(entry.eraseArguments(unused)))
      progress |= accept(std::move(candidate), launch);
  }
  return progress;
}

bool Reducer::eraseOtherKernels() {
  if (llvm::hasSingleElement(module->getOps<ct::EntryOp>()))
    return false;
  OwningModule candidate = module->clone();
  for (ct::EntryOp entry : llvm::make_early_inc_range(candidate->getOps<ct::EntryOp>()))
    if (entry.getSymName() != best.launch.entry)
      entry.erase();
  return accept(std::move(candidate), best.launch);
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
  eraseOtherKernels();
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
