//===- InnerMutants.cpp - Mutants of the two inner dialects ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InnerMutants.h"
#include "Inputs.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Pipeline/CorePasses.h"
#include "tileiras/Plugin/ContextRegistry.h"
#include "tileiras/Plugin/Dialects.h"
#include "tileiras/Plugin/PluginLoader.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::fuzz;

static constexpr uint64_t kMaxBytes = 1 << 20;
/// They write to standard error or files, and change nothing.
static constexpr llvm::StringLiteral kPrinting[] = {"print-ir", "print-op-stats", "snapshot-op-locations",
                                                    "tileir-print-snapshot"};

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<InnerMutants>> InnerMutants::load(InnerOptions options) {
  std::unique_ptr<InnerMutants> mutants(new InnerMutants(std::move(options)));
  if (llvm::Error error = mutants->loadRegistry())
    return std::move(error);
  if (llvm::Error error = mutants->loadLowerings())
    return std::move(error);
  ScopedDiagnosticHandler ignore(mutants->context.get(), [](Diagnostic &) { return success(); });
  for (const std::string &path : mutants->options.paths) {
    llvm::Expected<std::vector<std::string>> files = listFiles(path);
    if (!files)
      return files.takeError();
    for (const std::string &file : *files)
      mutants->loadFile(file);
  }
  if (mutants->inputs.empty())
    return llvm::createStringError("nothing to change: --inputs has no IR of nv_tileaa or nv_tileas, and no program");
  mutants->pool.addEdges(mutants->context.get());
  return mutants;
}

llvm::Error InnerMutants::loadRegistry() {
  for (PassEntry &entry : getCorePasses())
    if (llvm::Error error = registry.addPass(std::move(entry)))
      return error;
  PluginCatalogue plugins;
  if (llvm::Error error = plugins.addDefaultDirectories())
    return error;
  if (llvm::Error error = activateAll(plugins, registry))
    return error;
  if (llvm::Error error = registry.publish())
    return error;
  DialectRegistry dialects;
  registerDialects(dialects);
  registry.fillDialects(dialects);
  context = std::make_unique<MLIRContext>(dialects, MLIRContext::Threading::DISABLED);
  attachRegistry(*context, registry);
  context->loadAllAvailableDialects();
  return llvm::Error::success();
}

llvm::Error InnerMutants::loadLowerings() {
  for (const std::string &gpuName : options.gpuNames)
    for (const std::string &profile : options.profiles) {
      llvm::Expected<Lowering> lowering = loadLowering(gpuName, profile);
      if (!lowering)
        return lowering.takeError();
      lowerings.push_back(std::move(*lowering));
    }
  return llvm::Error::success();
}

void InnerMutants::loadFile(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer || (*buffer)->getBufferSize() > kMaxBytes)
    return;
  if (isTileIRBytecode((*buffer)->getMemBufferRef())) {
    auto program = readBytecode((*buffer)->getMemBufferRef(), context.get());
    if (!program)
      return;
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(context.get()));
    module->push_back(program.release());
    return addSnapshots(file, *module);
  }
  SmallVector<StringRef> parts;
  (*buffer)->getBuffer().split(parts, "// -----");
  for (auto [i, part] : llvm::enumerate(parts))
    addText(parts.size() == 1 ? file : file + "#" + std::to_string(i + 1), part);
}

void InnerMutants::addText(const std::string &name, StringRef text) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
  if (!module)
    return;
  bool isInner = false, hasLayouts = false;
  module->walk([&](Operation *op) {
    isInner |= llvm::is_contained({"nv_tileaa", "nv_tileas"}, op->getName().getDialectNamespace());
    hasLayouts |= op->getName().getDialectNamespace() == "nv_tileas";
  });
  if (!isInner)
    return addSnapshots(name, *module);
  // Whatever stands behind the conversion to its dialect is still to come.
  const size_t index = inputs.size() % lowerings.size();
  addInput(name, std::move(module), index,
           lowerings[index].findAfter(hasLayouts ? "convert-tileaa-to-tileas" : "convert-cudatile-to-tileaa"));
}

void InnerMutants::addSnapshots(const std::string &name, ModuleOp program) {
  if (program.getOps<cuda_tile::ModuleOp>().empty())
    return;
  const size_t index = inputs.size() % lowerings.size();
  const Lowering &lowering = lowerings[index];
  Random random(inputs.size());
  const size_t first = lowering.findAfter("convert-cudatile-to-tileaa"), count = lowering.countPasses();
  llvm::SmallDenseSet<size_t> wanted;
  for (unsigned i = 0; i < options.snapshots; ++i)
    wanted.insert(first + random.below(count - first));
  runInSteps(lowering, registry, program, [&](ModuleOp module, size_t passes) {
    if (wanted.erase(passes))
      addInput(name + " after " + std::to_string(passes) + " passes of " + lowering.profile, module.clone(), index,
               passes);
  });
}

void InnerMutants::addInput(const std::string &name, OwningOpRef<ModuleOp> module, size_t lowering, size_t passes) {
  size_t operations = 0;
  module->walk([&](Operation *) { ++operations; });
  if (operations > options.maxOperations)
    return;
  pool.add(*module);
  inputs.push_back({name, std::move(module), lowering, passes});
}

//===----------------------------------------------------------------------===//
// Mutants
//===----------------------------------------------------------------------===//

std::string InnerMutants::makeMutant(uint64_t seed, std::vector<std::string> &notes) const {
  Random random(seed);
  const Input &input = inputs[random.below(inputs.size())];
  OwningOpRef<ModuleOp> module = (*input.module).clone();
  SmallVector<StringRef> changes;
  std::string text = mutateIR(*module, pool, random, options.maxChanges, changes);
  notes.push_back("mutants");
  for (StringRef change : changes)
    if (std::string note = "change " + change.str(); !llvm::is_contained(notes, note))
      notes.push_back(note);
  return "// Mutant " + std::to_string(seed) + " of " + input.name + ": " + llvm::join(changes, ", ") + "\n" + text;
}

Outcome InnerMutants::check(uint64_t seed, StringRef text, llvm::function_ref<void(StringRef)> enter) const {
  Random random(seed);
  const Input &input = inputs[random.below(inputs.size())];
  const Lowering &lowering = lowerings[input.lowering];
  Outcome outcome;
  std::string message; // the last one
  ScopedDiagnosticHandler keep(context.get(), [&](Diagnostic &diagnostic) { message = diagnostic.str(); });
  enter("parse");
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, ParserConfig(context.get()));
  if (!module)
    return outcome;
  // A module is a graph: there values are made of each other, which no pass that follows them has to expect.
  for (Operation &op : *module->getBody())
    if (!isa<SymbolOpInterface>(op) && op.getName().getDialectNamespace() != "cuda_tile")
      return outcome;
  outcome.notes.push_back("verified");
  enter("print");
  std::string printed;
  llvm::raw_string_ostream(printed) << *module;
  if (options.planted)
    options.planted(printed);
  enter("parse what is printed");
  // The verifiers of MLIR's LLVM dialect take operations whose text says less than their types.
  if (module->getOps<LLVM::LLVMFuncOp>().empty() &&
      !parseSourceString<ModuleOp>(printed, ParserConfig(context.get()))) {
    outcome.verdict = Verdict::RoundTrip;
    outcome.message = "what is printed does not parse: " + message;
    return outcome;
  }
  // Options and choices belong to the number of the mutant, not to the change: a reduced mutant fails in the same way.
  Random choices(~seed);
  std::vector<const PassEntry *> passes = registry.getPasses();
  llvm::erase_if(passes, [](const PassEntry *pass) { return llvm::is_contained(kPrinting, pass->argument); });
  for (unsigned i = 0; i < options.passes; ++i) {
    const PassEntry *pass = choices.pick(ArrayRef(passes));
    std::optional<PipelinePlan> plan = planPass(*pass, lowering, registry, context.get(), choices.chance(60));
    if (!plan)
      continue;
    OwningOpRef<ModuleOp> copy = module->clone();
    if (succeeded(runChecked(*plan, registry, *copy, enter, options.broken)))
      outcome.notes.push_back("passes that succeeded");
  }
  if (succeeded(runChecked(
          lowering.dropFirst(input.passes), registry, *module,
          [&](StringRef pass) { enter("pipeline, " + pass.str()); }, options.broken)))
    outcome.notes.push_back("lowered");
  return outcome;
}

Job InnerMutants::makeJob(uint64_t seed) const {
  Job job;
  job.name = "inner mutant " + std::to_string(seed);
  job.kind = "inner";
  job.prepare = [this, seed](std::vector<std::string> &notes, LaunchCase &) { return makeMutant(seed, notes); };
  job.check = [this, seed](StringRef text, llvm::function_ref<void(StringRef)> enter) {
    return check(seed, text, enter);
  };
  return job;
}
