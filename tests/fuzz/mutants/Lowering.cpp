//===- Lowering.cpp - The pipelines that mutants of inner IR go through ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "mlir/IR/Verifier.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include <cstdlib>

using namespace mlir;
using namespace tileiras;
using namespace tileiras::fuzz;

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static size_t countIn(llvm::ArrayRef<PipelineElement> elements) {
  size_t count = 0;
  for (const PipelineElement &element : elements)
    count += element.isGroup ? countIn(element.nested) : 1;
  return count;
}

static void dropIn(std::vector<PipelineElement> &elements, size_t &count) {
  std::vector<PipelineElement> left;
  for (PipelineElement &element : elements) {
    if (element.isGroup) {
      dropIn(element.nested, count);
      if (element.nested.empty())
        continue;
    } else if (count > 0) {
      --count;
      continue;
    }
    left.push_back(std::move(element));
  }
  elements = std::move(left);
}

static const PipelineElement *findIn(llvm::ArrayRef<PipelineElement> elements, llvm::StringRef pass, size_t &before) {
  for (const PipelineElement &element : elements) {
    if (element.isGroup) {
      if (const PipelineElement *found = findIn(element.nested, pass, before))
        return found;
    } else if (element.name == pass) {
      return &element;
    } else {
      ++before;
    }
  }
  return nullptr;
}

size_t Lowering::countPasses() const {
  return countIn(plan.elements);
}

PipelinePlan Lowering::dropFirst(size_t count) const {
  PipelinePlan rest = plan;
  dropIn(rest.elements, count);
  return rest;
}

size_t Lowering::findAfter(llvm::StringRef pass) const {
  size_t before = 0;
  return findIn(plan.elements, pass, before) ? before + 1 : 0;
}

llvm::Expected<Lowering> tileiras::fuzz::loadLowering(llvm::StringRef gpuName, llvm::StringRef profile) {
  CompilerOptions options;
  options.gpuName = gpuName.str();
  options.profile = profile.str();
  options.product = Product::LLVMDialect;
  CompilerSession session(std::move(options));
  using Step = llvm::Error (CompilerSession::*)();
  for (Step step : {&CompilerSession::discoverPlugins, &CompilerSession::resolveProfile,
                    &CompilerSession::activatePlugins, &CompilerSession::selectTarget, &CompilerSession::buildPipeline})
    if (llvm::Error error = (session.*step)())
      return std::move(error);
  llvm::Expected<PipelinePlan> plan = parsePipelineText(session.getPipelineText(), Origin::described("the profile"));
  if (!plan)
    return plan.takeError();
  if (plan->elements.size() == 1 && plan->elements.front().isGroup) // the module's
    plan->elements = std::vector(plan->elements.front().nested);
  return Lowering{gpuName.str(), profile.str(), std::move(*plan)};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {

ModuleOp findModule(Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  return module ? module : op->getParentOfType<ModuleOp>();
}

struct StepsInstrumentation final : PassInstrumentation {
  explicit StepsInstrumentation(llvm::function_ref<void(ModuleOp, size_t)> found) : found(found) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (!pass->getArgument().empty()) // adaptors of nested pipelines have none
      found(findModule(op), ++numPasses);
  }

  llvm::function_ref<void(ModuleOp, size_t)> found;
  size_t numPasses = 0;
};

struct VerifyingInstrumentation final : PassInstrumentation {
  VerifyingInstrumentation(llvm::function_ref<void(llvm::StringRef)> enter, llvm::StringRef broken)
      : enter(enter), broken(broken) {}

  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      enter(pass->getArgument());
  }

  void runAfterPass(Pass *pass, Operation *op) override {
    if (!broken.empty() && pass->getArgument() == broken)
      op->getRegion(0).push_back(new Block);
    std::string message;
    ScopedDiagnosticHandler keep(op->getContext(), [&](Diagnostic &diagnostic) {
      if (message.empty())
        message = diagnostic.str();
    });
    if (succeeded(verify(op)))
      return;
    llvm::errs() << "invalid IR after '" << pass->getArgument() << "': " << message << '\n';
    std::abort();
  }

  llvm::function_ref<void(llvm::StringRef)> enter;
  llvm::StringRef broken;
};

} // namespace

void tileiras::fuzz::runInSteps(const Lowering &lowering, const Registry &registry, ModuleOp module,
                                llvm::function_ref<void(ModuleOp, size_t)> found) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false);
  if (llvm::Error error = buildPipeline(lowering.plan, registry, manager)) {
    llvm::consumeError(std::move(error));
    return;
  }
  manager.addInstrumentation(std::make_unique<StepsInstrumentation>(found));
  (void)manager.run(module);
}

LogicalResult tileiras::fuzz::runChecked(const PipelinePlan &plan, const Registry &registry, ModuleOp module,
                                         llvm::function_ref<void(llvm::StringRef)> enter, llvm::StringRef broken) {
  PassManager manager(module.getContext(), ModuleOp::getOperationName());
  manager.enableVerifier(false);
  if (llvm::Error error = buildPipeline(plan, registry, manager)) {
    llvm::consumeError(std::move(error));
    return failure();
  }
  manager.addInstrumentation(std::make_unique<VerifyingInstrumentation>(enter, broken));
  return manager.run(module);
}

static bool canBuild(const PipelinePlan &plan, const Registry &registry, MLIRContext *context) {
  PassManager manager(context, ModuleOp::getOperationName());
  llvm::Error error = buildPipeline(plan, registry, manager);
  const bool isBuilt = !error;
  llvm::consumeError(std::move(error));
  return isBuilt;
}

std::optional<PipelinePlan> tileiras::fuzz::planPass(const PassEntry &pass, const Lowering &lowering,
                                                     const Registry &registry, MLIRContext *context, bool asPlanned) {
  size_t before = 0;
  const PipelineElement *planned = asPlanned ? findIn(lowering.plan.elements, pass.argument, before) : nullptr;
  PipelineElement element;
  element.name = pass.argument;
  for (const std::string &options : {planned ? planned->options : "gpu-name=" + lowering.gpuName, std::string()})
    for (bool isNested : {false, true}) {
      element.options = options;
      PipelineElement group;
      group.name = aa::FuncOp::getOperationName().str();
      group.isGroup = true;
      group.nested = {element};
      PipelinePlan plan;
      plan.elements = {isNested ? group : element};
      if (canBuild(plan, registry, context))
        return plan;
    }
  return std::nullopt;
}
