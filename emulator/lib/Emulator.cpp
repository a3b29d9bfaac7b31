//===- Emulator.cpp - Modules, devices, launches -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx-emulator/Emulator.h"
#include "Decoder.h"
#include "Launch.h"
#include "Parser.h"
#include "RaceChecker.h"
#include "Random.h"
#include <cstring>

namespace ptxemu {

Module Module::parse(std::string_view text, std::string name) {
  Module m;
  m.tree = std::make_shared<ast::Module>(parseModule(text));
  m.moduleName = std::move(name);
  return m;
}

std::vector<std::string> Module::entries() const {
  std::vector<std::string> names;
  for (const ast::Function &f : tree->functions)
    if (f.isEntry && f.hasBody)
      names.push_back(f.name);
  return names;
}

const std::string &Module::target() const {
  return tree->target;
}

struct Device::LoadedModule {
  Module module;
  VariableAddresses addresses;
  std::unordered_map<std::string, std::shared_ptr<const Program>> programs;
};

Device::Device() : globalMemory(std::make_unique<GlobalMemory>()) {}
Device::~Device() = default;

uint64_t Device::allocate(uint64_t bytes, const std::string &name, uint64_t alignment) {
  return globalMemory->allocate(bytes, alignment, name).base;
}

void Device::free(uint64_t address) {
  Allocation *a = globalMemory->find(address, 0);
  if (!a || a->base != address)
    throw InputError(0, "free of an address that is not a live allocation's");
  a->freed = true;
  // What is kept is where it was, for reports.
  a->bytes.reset();
  a->shadow.resize(0);
}

void Device::adopt(void *host, uint64_t bytes, const std::string &name) {
  if (!globalMemory->adopt(static_cast<uint8_t *>(host), bytes, name))
    throw InputError(0, "the host's memory lies where the device has other memory");
}

void Device::release(const void *host) {
  const Allocation *a = globalMemory->find(reinterpret_cast<uintptr_t>(host), 0);
  if (!a || a->base != reinterpret_cast<uintptr_t>(host))
    throw InputError(0, "release of memory that was not adopted");
  globalMemory->forget(*a);
}

void Device::write(uint64_t address, const void *data, uint64_t bytes) {
  if (bytes == 0)
    return;
  Allocation *a = globalMemory->find(address, bytes);
  if (!a)
    throw InputError(0, "write outside an allocation: " + globalMemory->explain(address, bytes));
  std::memcpy(a->bytes.get() + (address - a->base), data, bytes);
}

void Device::read(uint64_t address, void *data, uint64_t bytes) const {
  if (bytes == 0)
    return;
  Allocation *a = globalMemory->find(address, bytes);
  if (!a)
    throw InputError(0, "read outside an allocation: " + globalMemory->explain(address, bytes));
  std::memcpy(data, a->bytes.get() + (address - a->base), bytes);
}

namespace {

/// The address of a variable or function that an initial value names.
uint64_t addressOf(const ast::Module &module, const ast::Variable &v, const std::string &name,
                   const VariableAddresses &addresses) {
  if (auto it = addresses.find(name); it != addresses.end())
    return it->second;
  auto alias = module.aliases.find(name);
  auto function = module.functionByName.find(alias == module.aliases.end() ? name : alias->second);
  if (function == module.functionByName.end())
    throw InputError(v.line, "initial value names '" + name + "', which is neither a global variable nor a function");
  return functionAddress(function->second);
}

void initialize(Allocation &a, const ast::Module &module, const ast::Variable &v, const VariableAddresses &addresses) {
  unsigned bytes = byteSize(v.type);
  for (size_t i = 0; i < v.initial.size(); ++i) {
    const ast::InitialValue &value = v.initial[i];
    uint64_t bits = value.bits;
    if (!value.symbol.empty())
      bits += addressOf(module, v, value.symbol, addresses);
    std::memcpy(a.bytes.get() + i * bytes, &bits, std::min(bytes, 8u));
  }
}

} // namespace

/// More in one variable is a mistake, or an attack on the host's memory.
constexpr uint64_t kMostVariable = 1 << 30;

Device::LoadedModule &Device::loadVariables(const Module &module) {
  for (auto &l : loaded)
    if (&l->module.ast() == &module.ast())
      return *l;
  auto fresh = std::make_unique<LoadedModule>();
  fresh->module = module;
  std::vector<std::pair<Allocation *, const ast::Variable *>> variables;
  for (const ast::Variable &v : module.ast().variables) {
    if (v.space != Space::Global && v.space != Space::Const)
      continue;
    if (v.size() > kMostVariable)
      throw InputError(v.line, "variable '" + v.name + "' is larger than 1 GiB");
    Allocation &a = globalMemory->allocate(std::max<uint64_t>(v.size(), 1), v.alignment, v.name);
    a.constant = v.space == Space::Const;
    fresh->addresses[v.name] = a.base;
    variables.push_back({&a, &v});
  }
  for (auto [a, v] : variables)
    initialize(*a, module.ast(), *v, fresh->addresses);
  loaded.push_back(std::move(fresh));
  return *loaded.back();
}

std::shared_ptr<const Program> Device::load(const Module &module, const std::string &entry) {
  LoadedModule &found = loadVariables(module);
  auto &program = found.programs[entry];
  if (!program)
    program = linkEntry(module.ast(), entry, found.addresses);
  return program;
}

Device::VariableRange Device::findVariable(const Module &module, const std::string &name) {
  for (const ast::Variable &v : module.ast().variables)
    if (v.name == name && (v.space == Space::Global || v.space == Space::Const))
      return {loadVariables(module).addresses.at(name), std::max<uint64_t>(v.size(), 1)};
  return {};
}

void Device::unload(const Module &module) {
  std::erase_if(loaded, [&](const auto &l) {
    if (&l->module.ast() != &module.ast())
      return false;
    for (const auto &[name, address] : l->addresses)
      free(address);
    return true;
  });
}

/// The program of the entry that a launch names; the only one where it names none.
static std::shared_ptr<const Program> loadEntry(Device &device, const Module &module, const LaunchOptions &options) {
  std::string entry = options.entry;
  if (entry.empty()) {
    auto names = module.entries();
    if (names.size() != 1)
      throw InputError(0, "the module has " + std::to_string(names.size()) + " entries: name the one to launch");
    entry = names[0];
  }
  if (!module.ast().functionByName.count(entry))
    throw InputError(0, "the module has no entry '" + entry + "'");
  return device.load(module, entry);
}

struct Device::GridBefore {
  std::shared_ptr<RaceChecker> races;
  std::shared_ptr<const SyncPoint> end;
  unsigned number = 1; ///< in a chain of launches that overlap
};

/// The launch alone, or behind the one that it overlaps with.
static LaunchResult run(Device &device, std::shared_ptr<const Program> program, const LaunchOptions &options) {
  const std::shared_ptr<Device::GridBefore> before = options.overlaps ? std::move(device.gridBefore) : nullptr;
  device.gridBefore.reset();
  const bool overlaps = before && before->races->isEnabled() == options.checkRaces;
  const unsigned number = overlaps ? before->number + 1 : 1;
  std::unique_ptr<Launch> launch;
  if (overlaps) {
    launch = std::make_unique<Launch>(device, std::move(program), options, number, before->races);
    launch->follow(before->end);
  } else {
    device.memory().resetShadow();
    launch = std::make_unique<Launch>(device, std::move(program), options);
  }
  LaunchResult result = launch->run();
  if (!launch->hasStopped())
    device.gridBefore = std::make_shared<Device::GridBefore>(launch->sharedRaces(), launch->takeEnd(), number);
  return result;
}

LaunchResult launch(Device &device, const Module &module, const LaunchOptions &options) {
  auto program = loadEntry(device, module, options);
  if (options.threads <= 1 || options.trace || options.observer || options.overlaps)
    return run(device, program, options);
  // Where clusters race for global memory, what several host threads make of it is a matter of luck. One thread decides
  // what is reported.
  GlobalMemory::Snapshot before = device.memory().snapshot();
  LaunchOptions quiet = options;
  quiet.print = nullptr;
  LaunchResult result = run(device, program, quiet);
  bool interrupted = options.interrupt && *options.interrupt;
  if ((!result.ok() || !result.warnings.empty()) && !interrupted) {
    device.memory().restore(before);
    quiet.threads = 1;
    if (LaunchResult again = run(device, program, quiet); !again.ok() || result.ok())
      result = std::move(again);
  }
  if (options.print) {
    options.print(result.output);
    result.output.clear();
  }
  return result;
}

std::vector<LaunchResult> launchTogether(Device &device, const Module &module,
                                         const std::vector<LaunchOptions> &options) {
  std::vector<std::unique_ptr<Launch>> launches;
  std::shared_ptr<RaceChecker> races;
  for (LaunchOptions one : options) {
    if (!races)
      races = std::make_shared<RaceChecker>(one.checkRaces);
    one.threads = 1;
    one.trace = nullptr;
    launches.push_back(std::make_unique<Launch>(device, loadEntry(device, module, one), one,
                                                static_cast<unsigned>(launches.size() + 1), races));
  }
  device.memory().resetShadow();
  Random order(options.empty() ? 0 : options[0].seed, 0);
  std::vector<Launch *> running;
  for (auto &launch : launches)
    running.push_back(launch.get());
  bool hasStopped = false;
  while (!running.empty() && !hasStopped) {
    // Not one round each: a launch may come far before another begins.
    size_t chosen = order.below(static_cast<uint32_t>(running.size()));
    bool goesOn = running[chosen]->advance(/*alone=*/running.size() == 1);
    hasStopped = running[chosen]->hasStopped();
    if (!goesOn)
      running.erase(running.begin() + static_cast<ptrdiff_t>(chosen));
  }
  std::vector<LaunchResult> results;
  for (auto &launch : launches)
    results.push_back(launch->takeResult());
  return results;
}

} // namespace ptxemu
