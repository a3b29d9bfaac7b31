//===- Registry.cpp - What plugins add to a compiler session --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/Registry.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "tileiras/Plugin/Dialects.h"
#include "tileiras/Schedule/Scheduler.h"
#include "tileiras/Target/Target.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <mutex>

using namespace tileiras;

static llvm::Error takenName(const char *what, llvm::StringRef name, llvm::StringRef first, llvm::StringRef second) {
  return llvm::createStringError(llvm::Twine(what) + " '" + name + "' is registered by both '" + first + "' and '" +
                                 second + "'");
}

template <typename Map>
static auto sortedEntries(const Map &map) {
  std::vector<const typename Map::mapped_type *> entries;
  for (const auto &item : map)
    entries.push_back(&item.second);
  return entries;
}

llvm::Error Registry::addPass(PassEntry entry) {
  if (entry.argument.empty())
    entry.argument = entry.create()->getArgument().str();
  entry.owner = currentOwner;
  auto [it, inserted] = passes.try_emplace(entry.argument, entry);
  if (!inserted)
    return takenName("pass", entry.argument, it->second.owner, currentOwner);
  return llvm::Error::success();
}

llvm::Error Registry::addScheduler(SchedulerEntry entry) {
  entry.owner = currentOwner;
  auto [it, inserted] = schedulers.try_emplace(entry.name, entry);
  if (!inserted)
    return takenName("scheduler", entry.name, it->second.owner, currentOwner);
  return llvm::Error::success();
}

llvm::Error Registry::addTarget(std::shared_ptr<const Target> target) {
  auto name = target->getName().str();
  if (auto it = targets.find(name); it != targets.end())
    return takenName("target", name, it->second.owner, currentOwner);
  for (const ChipInfo &chip : target->chips())
    if (const Target *other = findTargetByName(chip.name))
      return takenName("GPU", chip.name, getTargetOwner(other), currentOwner);
  targets.emplace(name, TargetEntry{std::move(target), currentOwner});
  return llvm::Error::success();
}

/// Why `value` is no limit that shapes, whose extents are powers of two, can be divided by; empty: it is one.
static std::string explainLimit(llvm::StringRef name, uint64_t value, uint64_t least, uint64_t most) {
  if (llvm::isPowerOf2_64(value) && value >= least && value <= most)
    return "";
  return llvm::formatv("{0} is {1}; expects a power of two in {2}..{3}", name, value, least, most);
}

/// A number of `machine` that others divide by is 0, or a limit is not within what the ISA fixes; empty: none.
static std::string findMachineMistake(const MachineModel &machine) {
  constexpr uint64_t mostWarps = 32, mostAlignment = 128; // Of a CTA; in bytes, that of boxes.
  constexpr TensorCopyLimits ofIsa;
  const TensorCopyLimits &copy = machine.tensorCopy;
  if (machine.registerAllocationUnit == 0)
    return "registerAllocationUnit is 0";
  if (machine.namedBarriers < 1 || machine.namedBarriers > IsaLimits::kNamedBarriers)
    return llvm::formatv("namedBarriers is {0}; expects 1 to {1}", machine.namedBarriers, IsaLimits::kNamedBarriers);
  if (copy.mostDimensions < 1 || copy.mostDimensions > ofIsa.mostDimensions)
    return llvm::formatv("tensorCopy.mostDimensions is {0}; expects 1 to {1}", copy.mostDimensions,
                         ofIsa.mostDimensions);
  if ((copy.elementBytes & ~ofIsa.elementBytes) != 0)
    return llvm::formatv("tensorCopy.elementBytes is {0}; expects a set of 1, 2, 4 and 8", copy.elementBytes);
  for (auto [name, value, least, most] :
       {std::tuple("warpGranularity", machine.warpGranularity, IsaLimits::kWarpsOfWarpgroup, mostWarps),
        {"tensorMemoryColumns", machine.tensorMemoryColumns, IsaLimits::kLeastTensorMemoryColumns,
         IsaLimits::kTensorMemoryColumns},
        {"tensorMemoryLanes", machine.tensorMemoryLanes, 1, IsaLimits::kTensorMemoryLanes},
        {"tensorCopy.mostBoxExtent", copy.mostBoxExtent, 1, ofIsa.mostBoxExtent},
        {"tensorCopy.baseAlignment", copy.baseAlignment, ofIsa.baseAlignment, mostAlignment},
        {"tensorCopy.strideAlignment", copy.strideAlignment, ofIsa.strideAlignment, mostAlignment},
        {"tensorCopy.rowAlignment", copy.rowAlignment, ofIsa.rowAlignment, mostAlignment}})
    if (std::string reason = explainLimit(name, value, least, most); !reason.empty())
      return reason;
  return "";
}

llvm::Error Registry::verifyTables(const Target &target, const ChipInfo &chip) const {
  auto refuse = [&](const llvm::Twine &reason) {
    return llvm::createStringError("target '" + target.getName() + "' describes '" + chip.name +
                                   "' wrongly: " + reason);
  };
  for (const MmaAtom &atom : target.atoms(chip).mma)
    if (atom.m == 0 || atom.n == 0 || atom.k == 0)
      return refuse("atom '" + atom.name + "' has an extent of 0");
  if (std::string reason = findMachineMistake(target.machine(chip)); !reason.empty())
    return refuse(reason);
  return llvm::Error::success();
}

llvm::Error Registry::verifyTables() const {
  for (const Target *target : getTargets())
    for (const ChipInfo &chip : target->chips())
      if (llvm::Error error = verifyTables(*target, chip))
        return error;
  return llvm::Error::success();
}

/// MLIR ends the process when two dialects share a namespace.
llvm::Error Registry::addDialect(DialectEntry entry) {
  static const std::vector<std::string> ours = [] {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    llvm::SmallVector<llvm::StringRef> names = llvm::to_vector(registry.getDialectNames());
    return std::vector<std::string>(names.begin(), names.end());
  }();
  if (llvm::is_contained(ours, entry.name))
    return takenName("dialect", entry.name, "core", currentOwner);
  entry.owner = currentOwner;
  auto [it, inserted] = dialects.try_emplace(entry.name, entry);
  if (!inserted)
    return takenName("dialect", entry.name, it->second.owner, currentOwner);
  return llvm::Error::success();
}

void Registry::fillDialects(mlir::DialectRegistry &registry) const {
  for (const auto &item : dialects)
    item.second.fill(registry);
}

const PassEntry *Registry::findPass(llvm::StringRef argument) const {
  auto it = passes.find(argument.str());
  return it == passes.end() ? nullptr : &it->second;
}

const SchedulerEntry *Registry::findScheduler(llvm::StringRef name) const {
  auto it = schedulers.find(name.str());
  return it == schedulers.end() ? nullptr : &it->second;
}

const Target *Registry::findTargetByName(llvm::StringRef gpuName) const {
  for (const auto &item : targets)
    if (llvm::any_of(item.second.target->chips(), [&](const ChipInfo &chip) { return chip.name == gpuName; }))
      return item.second.target.get();
  return nullptr;
}

const Target *Registry::findTargetForChip(llvm::StringRef gpuName) const {
  // Whose chip is called so comes before whose chip is a variant of that architecture.
  if (const Target *target = findTargetByName(gpuName))
    return target;
  for (const auto &item : targets)
    if (item.second.target->findChip(gpuName))
      return item.second.target.get();
  return nullptr;
}

std::shared_ptr<const Target> Registry::shareTarget(llvm::StringRef gpuName) const {
  const Target *target = findTargetForChip(gpuName);
  return target ? targets.at(target->getName().str()).target : nullptr;
}

std::vector<const PassEntry *> Registry::getPasses() const {
  return sortedEntries(passes);
}
std::vector<const SchedulerEntry *> Registry::getSchedulers() const {
  return sortedEntries(schedulers);
}

std::vector<const DialectEntry *> Registry::getDialects() const {
  return sortedEntries(dialects);
}

std::vector<const Target *> Registry::getTargets() const {
  std::vector<const Target *> result;
  for (const auto &item : targets)
    result.push_back(item.second.target.get());
  return result;
}

llvm::StringRef Registry::getTargetOwner(const Target *target) const {
  auto it = targets.find(target->getName().str());
  return it == targets.end() ? llvm::StringRef() : llvm::StringRef(it->second.owner);
}

//===----------------------------------------------------------------------===//
// MLIR's pass registry
//===----------------------------------------------------------------------===//

/// An entry whose name is not the pass's own is an alias: MLIR knows it as a pipeline of that one pass.
static void registerWithMlir(const PassEntry &entry) {
  if (mlir::PassInfo::lookup(entry.argument) || mlir::PassPipelineInfo::lookup(entry.argument))
    return;
  std::unique_ptr<mlir::Pass> pass = entry.create();
  if (pass->getArgument() == entry.argument)
    return mlir::registerPass(entry.create);
  auto build = [create = entry.create](mlir::OpPassManager &manager, llvm::StringRef options,
                                       llvm::function_ref<mlir::LogicalResult(const llvm::Twine &)> emitError) {
    std::unique_ptr<mlir::Pass> pass = create();
    if (mlir::failed(pass->initializeOptions(options, emitError)))
      return mlir::failure();
    manager.addPass(std::move(pass));
    return mlir::success();
  };
  mlir::registerPassPipeline(entry.argument, pass->getDescription(), build, [](auto) {});
}

llvm::Error Registry::publish() const {
  // MLIR's registry is global, hence this is. Leaked: our users may outlive static destruction.
  static auto *mutex = new std::mutex;
  static auto *owners = new std::map<std::string, std::string>;
  std::lock_guard<std::mutex> lock(*mutex);
  for (const auto &[name, entry] : passes)
    if (auto it = owners->find(name); it != owners->end() && it->second != entry.owner)
      return takenName("pass", name, it->second, entry.owner);
  for (const auto &[name, entry] : passes)
    if (owners->emplace(name, entry.owner).second)
      registerWithMlir(entry);
  return llvm::Error::success();
}
