//===- AnalysisContract.cpp - Analyses that passes hand on ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/AnalysisContract.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <mutex>

using namespace tileiras;

/// What an analysis is for, in words: who makes it and who uses it.
static std::string describeInterval(llvm::StringRef analysis) {
  if (analysis == "ScheduleAnalysis")
    return "between schedule generation and materialization";
  return ("between the producer and the consumer of " + analysis).str();
}

namespace {
/// An analysis that a pass has published, and the first pass that ended it, if any.
struct Published {
  const PlacedPass *producer;
  const PlacedPass *offender = nullptr;
};
} // namespace

static llvm::Error describeBreach(llvm::StringRef analysis, const Published &published) {
  const PlacedPass &offender = *published.offender, &producer = *published.producer;
  std::string message =
      "pass '" + offender.entry->argument + "' " + describeInterval(analysis) + " does not preserve " + analysis.str();
  if (offender.group != producer.group)
    message += ": it runs on '" + offender.anchor + "', and an analysis does not outlive the group of passes on '" +
               producer.anchor + "' that makes it";
  return configError(offender.origin, message);
}

llvm::Error tileiras::checkAnalysisContract(llvm::ArrayRef<PlacedPass> passes) {
  llvm::StringMap<Published> live;
  for (const PlacedPass &pass : passes) {
    const PassEntry &entry = *pass.entry;
    for (auto &item : live) {
      bool isKept =
          pass.group == item.second.producer->group && (llvm::is_contained(entry.preservedAnalyses, item.first()) ||
                                                        llvm::is_contained(entry.requiredAnalyses, item.first()));
      if (!item.second.offender && !isKept)
        item.second.offender = &pass;
    }
    for (const std::string &analysis : entry.requiredAnalyses) {
      auto it = live.find(analysis);
      if (it == live.end())
        return configError(pass.origin, "pass '" + entry.argument + "' needs " + analysis +
                                            ", which no earlier pass of the pipeline produces");
      if (it->second.offender == &pass)
        return configError(pass.origin, "pass '" + entry.argument + "' needs " + analysis +
                                            ", which does not outlive the group of passes on '" +
                                            it->second.producer->anchor + "' that makes it");
      if (it->second.offender)
        return describeBreach(analysis, it->second);
    }
    for (const std::string &analysis : entry.producedAnalyses)
      live[analysis] = {&pass};
  }
  return llvm::Error::success();
}

static llvm::Error describeOrder(const PlacedPass &first, const PlacedPass &second) {
  return configError(first.origin, "pass '" + first.entry->argument + "' has to run before '" + second.entry->argument +
                                       "', but stands after it; move it in front of that pass");
}

llvm::Error tileiras::checkPassOrder(llvm::ArrayRef<PlacedPass> passes) {
  // Of each pass, the first place; and for each pass that another one must follow, who said so first.
  llvm::StringMap<const PlacedPass *> placed, followers;
  for (const PlacedPass &pass : passes) {
    if (const PlacedPass *follower = followers.lookup(pass.entry->argument))
      return describeOrder(pass, *follower);
    for (const std::string &later : pass.entry->mustPrecede)
      if (const PlacedPass *earlier = placed.lookup(later))
        return describeOrder(pass, *earlier);
    for (const std::string &earlier : pass.entry->mustFollow)
      followers.insert({earlier, &pass});
    placed.insert({pass.entry->argument, &pass});
  }
  return llvm::Error::success();
}

namespace {

/// Follows one run. The name of an analysis is that of its class without namespaces.
class ContractInstrumentation : public mlir::PassInstrumentation {
public:
  explicit ContractInstrumentation(const Registry &registry) {
    for (const PassEntry *pass : registry.getPasses()) {
      for (const std::string &analysis : pass->producedAnalyses)
        producers[pass->argument].insert(analysis);
      for (const std::string &analysis : pass->requiredAnalyses)
        consumers[pass->argument].insert(analysis);
    }
  }

  void runBeforePass(mlir::Pass *pass, mlir::Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    running[op].push_back(pass);
  }
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override { leave(op); }
  void runAfterPassFailed(mlir::Pass *pass, mlir::Operation *op) override { leave(op); }

  void runBeforeAnalysis(llvm::StringRef name, mlir::TypeID id, mlir::Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    mlir::Pass *pass = findRunningPass(op);
    llvm::StringRef analysis = stripNamespaces(name);
    if (!pass || !isDeclared(consumers, pass, analysis) || !published.contains({op, id}))
      return;
    op->emitError("cleanup pass invalidated ") << analysis << "; rerun constraint generation or remove the pass";
    signalPassFailure(pass);
  }

  void runAfterAnalysis(llvm::StringRef name, mlir::TypeID id, mlir::Operation *op) override {
    std::lock_guard<std::mutex> lock(mutex);
    mlir::Pass *pass = findRunningPass(op);
    if (pass && isDeclared(producers, pass, stripNamespaces(name)))
      published.insert({op, id});
  }

private:
  using Declarations = llvm::StringMap<llvm::StringSet<>>;

  static llvm::StringRef stripNamespaces(llvm::StringRef name) {
    size_t separator = name.rfind("::");
    return separator == llvm::StringRef::npos ? name : name.drop_front(separator + 2);
  }

  static bool isDeclared(const Declarations &declarations, mlir::Pass *pass, llvm::StringRef analysis) {
    auto it = declarations.find(pass->getArgument());
    return it != declarations.end() && it->second.contains(analysis);
  }

  /// The pass that asks for an analysis of `op`: it runs on `op` or on an operation around it.
  mlir::Pass *findRunningPass(mlir::Operation *op) {
    for (; op; op = op->getParentOp())
      if (auto it = running.find(op); it != running.end() && !it->second.empty())
        if (!it->second.back()->getArgument().empty()) // not the adaptor that runs a nested group
          return it->second.back();
    return nullptr;
  }

  void leave(mlir::Operation *op) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = running.find(op);
    if (it != running.end() && !it->second.empty())
      it->second.pop_back();
  }

  Declarations producers, consumers;
  std::mutex mutex;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Pass *, 2>> running;
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::TypeID>> published;
};

} // namespace

std::unique_ptr<mlir::PassInstrumentation> tileiras::createAnalysisContractInstrumentation(const Registry &registry) {
  return std::make_unique<ContractInstrumentation>(registry);
}
