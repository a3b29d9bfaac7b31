//===- PipelineBuilder.cpp - From a plan to a pass manager ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "tileiras/Pipeline/AnalysisContract.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tileiras;
using llvm::StringRef;

namespace {

class PipelineBuilder {
public:
  PipelineBuilder(const Registry &registry, mlir::MLIRContext *context) : registry(registry), context(context) {}

  /// `group` is that of the passes among `elements`.
  llvm::Error addElements(llvm::ArrayRef<PipelineElement> elements, mlir::OpPassManager &manager, unsigned group = 0);

  /// Every pass in the order they run.
  std::vector<PlacedPass> order;

private:
  llvm::Error addPass(const PipelineElement &element, mlir::OpPassManager &manager, unsigned group);
  llvm::Error addGroup(const PipelineElement &element, mlir::OpPassManager &manager, unsigned group);
  llvm::Error describeUnknownPass(const PipelineElement &element) const;

  const Registry &registry;
  mlir::MLIRContext *context;
  unsigned lastGroup = 0;
};

} // namespace

llvm::Error PipelineBuilder::addElements(llvm::ArrayRef<PipelineElement> elements, mlir::OpPassManager &manager,
                                         unsigned group) {
  const PipelineElement *previous = nullptr;
  for (const PipelineElement &element : elements) {
    if (element.isGroup && !(previous && previous->isGroup && previous->name == element.name))
      ++lastGroup;
    if (llvm::Error error = element.isGroup ? addGroup(element, manager, lastGroup) : addPass(element, manager, group))
      return error;
    previous = &element;
  }
  return llvm::Error::success();
}

llvm::Error PipelineBuilder::describeUnknownPass(const PipelineElement &element) const {
  std::vector<std::string> names;
  for (const PassEntry *pass : registry.getPasses())
    names.push_back(pass->argument);
  std::string suggestion = suggestName(element.name, names);
  if (suggestion.empty())
    suggestion = "; if a plugin provides it, the profile must require that plugin";
  return configError(element.origin, "unknown pass '" + element.name + "'" + suggestion);
}

/// The names of a pass's options, from the text it prints of itself: MLIR keeps the list to itself.
static std::vector<std::string> getOptionNames(mlir::Pass &pass) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pass.printAsTextualPipeline(os);
  StringRef rest = StringRef(text).split('{').second;
  std::vector<std::string> names;
  for (StringRef assignment : llvm::split(rest, ' '))
    if (assignment.contains('='))
      names.push_back(assignment.split('=').first.str());
  return names;
}

/// MLIR's message without its preamble, with the nearest option when a name is unknown.
static llvm::Error describeBadOptions(const PipelineElement &element, mlir::Pass &pass, StringRef message) {
  std::vector<std::string> names = getOptionNames(pass);
  std::string suggestion;
  for (StringRef assignment : llvm::split(element.options, ' ')) {
    std::string name = assignment.split('=').first.str();
    if (!name.empty() && !llvm::is_contained(names, name)) {
      suggestion = suggestName(name, names);
      break;
    }
  }
  StringRef reason = message.trim();
  reason.consume_front("<Pass-Options-Parser>: ");
  return configError(element.origin, "wrong options '" + element.options + "' for pass '" + element.name + "'" +
                                         (reason.empty() ? "" : ": ") + reason + suggestion);
}

/// MLIR asks only when the pipeline runs, and keeps the question to its own classes.
static bool canScheduleOn(const mlir::Pass &pass, mlir::RegisteredOperationName name) {
  struct Access : mlir::Pass {
    static bool ask(const mlir::Pass &pass, mlir::RegisteredOperationName name) {
      bool (mlir::Pass::*question)(mlir::RegisteredOperationName) const = &Access::canScheduleOn;
      return (pass.*question)(name);
    }
  };
  return Access::ask(pass, name);
}

llvm::Error PipelineBuilder::addPass(const PipelineElement &element, mlir::OpPassManager &manager, unsigned group) {
  const PassEntry *entry = registry.findPass(element.name);
  if (!entry)
    return describeUnknownPass(element);
  std::unique_ptr<mlir::Pass> pass = entry->create();

  std::string problem;
  auto report = [&](const llvm::Twine &message) {
    problem = message.str();
    return mlir::failure();
  };
  if (mlir::failed(pass->initializeOptions(element.options, report)))
    return describeBadOptions(element, *pass, problem);

  if (std::optional<StringRef> anchor = pass->getOpName(); anchor && *anchor != manager.getOpAnchorName())
    return configError(element.origin, "pass '" + element.name + "' anchored on '" + *anchor +
                                           "' added to pipeline anchored on '" + manager.getOpAnchorName() + "'");
  if (std::optional<mlir::OperationName> name = manager.getOpName(*context);
      name && name->isRegistered() && !canScheduleOn(*pass, *name->getRegisteredInfo()))
    return configError(element.origin, "pass '" + element.name + "' cannot run on '" + manager.getOpAnchorName() +
                                           "', the anchor of its pipeline");
  order.push_back({entry, element.origin, manager.getOpAnchorName().str(), group});
  manager.addPass(std::move(pass));
  return llvm::Error::success();
}

llvm::Error PipelineBuilder::addGroup(const PipelineElement &element, mlir::OpPassManager &manager, unsigned group) {
  if (element.name == mlir::OpPassManager::getAnyOpAnchorName())
    return addElements(element.nested, manager.nestAny(), group);
  // The dialect of an anchor may not be loaded yet: look it up so that the operation is known.
  StringRef dialect = StringRef(element.name).split('.').first;
  if (!context->getOrLoadDialect(dialect))
    return configError(element.origin,
                       "unknown dialect '" + dialect + "' of the pipeline anchor '" + element.name + "'");
  mlir::OperationName name(element.name, context);
  if (!name.isRegistered())
    return configError(element.origin, "unknown operation '" + element.name + "' as a pipeline anchor");
  if (!name.hasTrait<mlir::OpTrait::IsIsolatedFromAbove>())
    return configError(element.origin,
                       "nested pipeline anchor must be IsolatedFromAbove: '" + element.name + "' is not");
  return addElements(element.nested, manager.nest(name), group);
}

llvm::Error tileiras::buildPipeline(const PipelinePlan &plan, const Registry &registry, mlir::PassManager &manager) {
  PipelineBuilder builder(registry, manager.getContext());
  if (llvm::Error error = builder.addElements(plan.elements, manager))
    return error;
  if (llvm::Error error = checkPassOrder(builder.order))
    return error;
  if (llvm::Error error = checkAnalysisContract(builder.order))
    return error;
  manager.addInstrumentation(createAnalysisContractInstrumentation(registry));
  return llvm::Error::success();
}

std::string tileiras::printPipeline(const mlir::OpPassManager &manager, bool onePassALine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  manager.printAsTextualPipeline(os, /*pretty=*/onePassALine);
  return text;
}
