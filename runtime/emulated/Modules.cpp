//===- Modules.cpp - Modules, libraries, functions, kernels --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Modules.h"
#include "Ast.h"
#include "Program.h"
#include <algorithm>
#include <fstream>
#include <iterator>

using namespace emudriver;

namespace emudriver {

static std::shared_ptr<Module> loadModule(Image image, const std::shared_ptr<Context> &context) {
  ptxemu::Module parsed = image.parse();
  auto module = make<Module>();
  module->context = context;
  module->image = std::move(image);
  module->parsed = std::move(parsed);
  return module;
}

static void unloadModule(Module &module) {
  State &state = State::get();
  for (uint64_t address : module.variables)
    state.allocations.erase(address);
  for (auto &[name, function] : module.functions)
    state.remove(function->handle);
  state.device.unload(module.parsed);
  state.remove(module.handle);
}

std::shared_ptr<Function> Module::find(const std::string &name) {
  auto &function = functions[name];
  if (function)
    return function;
  const auto &tree = parsed.ast();
  auto it = tree.functionByName.find(name);
  if (it == tree.functionByName.end() || !tree.functions[it->second].isEntry) {
    functions.erase(name);
    refuse(kNotFound, "the image has no kernel '" + name + "'");
  }
  std::shared_ptr<const ptxemu::Program> program;
  try {
    program = State::get().device.load(parsed, name);
  } catch (const ptxemu::InputError &error) {
    functions.erase(name);
    say(std::string("error: the emulator does not take the kernel: ") + error.what());
    refuse(kInvalidImage, "the emulator does not take the kernel");
  }
  function = make<Function>();
  function->module = std::static_pointer_cast<Module>(State::get().objects.at(handle));
  function->name = name;
  function->entry = &tree.functions[it->second];
  function->staticShared = program->staticShared - ptxemu::kReservedShared;
  for (const ptxemu::ast::Variable &p : function->entry->parameters) {
    const uint32_t bytes = static_cast<uint32_t>(p.size());
    const uint32_t alignment = std::max(p.alignment, std::min(bytes, ptxemu::byteSize(p.type)));
    const uint32_t offset = (function->parametersEnd + alignment - 1) / alignment * alignment;
    function->parameterBytes.push_back(bytes);
    function->parameterOffsets.push_back(offset);
    function->parametersEnd = offset + bytes;
  }
  return function;
}

std::shared_ptr<Module> Library::moduleIn(const std::shared_ptr<Context> &context) {
  auto &module = modules[context->id];
  if (!module) {
    module = loadModule(image, context);
    module->isOfLibrary = true;
  }
  return module;
}

std::shared_ptr<Function> functionIn(const Kernel &kernel, const std::shared_ptr<Context> &context) {
  auto library = kernel.library.lock();
  require(library != nullptr, kInvalidHandle, "the kernel's library is unloaded");
  auto function = library->moduleIn(context)->find(kernel.name);
  // What was set for the kernel before its function in this context existed.
  FunctionSettings merged = kernel.settings;
  FunctionSettings &own = function->settings;
  if (!own.maxDynamicShared)
    own.maxDynamicShared = merged.maxDynamicShared;
  if (!own.nonPortableCluster)
    own.nonPortableCluster = merged.nonPortableCluster;
  for (unsigned d = 0; d < 3; ++d)
    if (!own.requiredCluster[d])
      own.requiredCluster[d] = merged.requiredCluster[d];
  return function;
}

bool isLoaded(const Function &function) {
  auto &objects = State::get().objects;
  auto it = objects.find(function.handle);
  return it != objects.end() && it->second.get() == &function;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static unsigned threadsOf(const std::array<unsigned, 3> &d) {
  return d[0] * d[1] * d[2];
}

static int getClusterAttribute(const Function &function, unsigned dimension) {
  if (function.entry->requiredCluster[0])
    return static_cast<int>(function.entry->requiredCluster[dimension]);
  return function.settings.requiredCluster[dimension].value_or(0);
}

int getAttribute(const Function &f, int attribute) {
  auto module = f.module.lock();
  require(module != nullptr, kInvalidHandle, "the function's module is unloaded");
  const ptxemu::ast::Module &tree = module->parsed.ast();
  switch (attribute) {
  case kMaxThreadsPerBlock: {
    const unsigned most = f.entry->requiredThreads[0]  ? threadsOf(f.entry->requiredThreads)
                          : f.entry->maximumThreads[0] ? threadsOf(f.entry->maximumThreads)
                                                       : 1024;
    return static_cast<int>(std::min(most, 1024u));
  }
  case kSharedBytes:
    return static_cast<int>(f.staticShared);
  case kMaxDynamicSharedBytes:
    return f.settings.maxDynamicShared.value_or(
        static_cast<int>(kSharedPerBlock - std::min(f.staticShared, kSharedPerBlock)));
  case kRegisters: {
    auto it = module->image.registers.find(f.name);
    return it == module->image.registers.end() ? 32 : it->second;
  }
  case kPtxVersion:
    return static_cast<int>(10 * tree.versionMajor + tree.versionMinor);
  case kBinaryVersion:
    return module->image.computeCapability;
  case kClusterSizeMustBeSet:
    return f.entry->explicitCluster;
  case kRequiredClusterWidth:
  case kRequiredClusterHeight:
  case kRequiredClusterDepth:
    return getClusterAttribute(f, static_cast<unsigned>(attribute - kRequiredClusterWidth));
  case kNonPortableClusterSizeAllowed:
    return f.settings.nonPortableCluster.value_or(0);
  case kPreferredCarveout:
    return f.settings.preferredCarveout.value_or(-1);
  case kClusterSchedulingPolicy:
    return f.settings.schedulingPolicy.value_or(0);
  case kConstBytes:
  case kLocalBytes: // the emulator has no spills
  case kCacheModeCa:
    return 0;
  default:
    refuse(kInvalidValue, "no function attribute " + std::to_string(attribute));
  }
}

/// CUDA driver API, of cuFuncSetAttribute.
void setAttribute(Function &f, int attribute, int value) {
  switch (attribute) {
  case kMaxDynamicSharedBytes: {
    const uint32_t most = Configuration::get().sharedPerBlockOptIn();
    require(value >= 0 && uint64_t(value) + f.staticShared <= most, kInvalidValue,
            std::to_string(value) + " bytes of dynamic and " + std::to_string(f.staticShared) +
                " of static shared memory are more than the device's " + std::to_string(most));
    f.settings.maxDynamicShared = value;
    return;
  }
  case kPreferredCarveout:
    require(value >= -1 && value <= 100, kInvalidValue, "a carveout is -1, or 0 to 100 percent");
    f.settings.preferredCarveout = value;
    return;
  case kRequiredClusterWidth:
  case kRequiredClusterHeight:
  case kRequiredClusterDepth:
    require(!f.entry->requiredCluster[0], kNotPermitted, "the image itself requires a cluster size");
    require(value >= 0, kInvalidValue, "a negative cluster size");
    f.settings.requiredCluster[attribute - kRequiredClusterWidth] = value;
    return;
  case kNonPortableClusterSizeAllowed:
    require(value == 0 || value == 1, kInvalidValue, "neither 0 nor 1");
    f.settings.nonPortableCluster = value;
    return;
  case kClusterSchedulingPolicy:
    f.settings.schedulingPolicy = value;
    return;
  default:
    refuse(kInvalidValue, "function attribute " + std::to_string(attribute) + " cannot be set");
  }
}

static std::string readImageFile(const char *path) {
  require(path, kInvalidValue, "a null pointer");
  std::ifstream in(path, std::ios::binary);
  require(in.is_open(), kFileNotFound, std::string("cannot open ") + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

static void checkName(const void *where, const char *name) {
  require(where && name, kInvalidValue, "a null pointer");
}

} // namespace emudriver

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuModuleLoadData(void **module, const void *code) {
  return call("cuModuleLoadData", [&] {
    require(module, kInvalidValue, "a null pointer");
    auto context = currentContext();
    *module = loadModule(Image::read(code), context)->handle;
  });
}

EMULATED_CUDA_API cuModuleLoadDataEx(void **module, const void *code, unsigned, int *, void **) {
  return cuModuleLoadData(module, code);
}

EMULATED_CUDA_API cuModuleLoadFatBinary(void **module, const void *code) {
  return cuModuleLoadData(module, code);
}

EMULATED_CUDA_API cuModuleLoad(void **module, const char *path) {
  return call("cuModuleLoad", [&] {
    require(module, kInvalidValue, "a null pointer");
    auto context = currentContext();
    *module = loadModule(Image::read(readImageFile(path).c_str()), context)->handle;
  });
}

EMULATED_CUDA_API cuModuleUnload(void *handle) {
  return call("cuModuleUnload", [&] {
    auto module = find<Module>(handle, "module");
    require(!module->isOfLibrary, kNotPermitted, "the module is a library's");
    completeContext(currentContext());
    unloadModule(*module);
  });
}

EMULATED_CUDA_API cuModuleGetFunction(void **function, void *module, const char *name) {
  return call("cuModuleGetFunction", [&] {
    checkName(function, name);
    *function = find<Module>(module, "module")->find(name)->handle;
  });
}

EMULATED_CUDA_API cuModuleGetFunctionCount(unsigned *count, void *module) {
  return call("cuModuleGetFunctionCount", [&] {
    require(count, kInvalidValue, "a null pointer");
    *count = static_cast<unsigned>(find<Module>(module, "module")->parsed.entries().size());
  });
}

EMULATED_CUDA_API cuModuleEnumerateFunctions(void **functions, unsigned count, void *handle) {
  return call("cuModuleEnumerateFunctions", [&] {
    require(functions || !count, kInvalidValue, "a null pointer");
    auto module = find<Module>(handle, "module");
    for (const std::string &name : module->parsed.entries())
      if (count-- > 0)
        *functions++ = module->find(name)->handle;
      else
        return;
  });
}

// All of a module is loaded at once.
EMULATED_CUDA_API cuModuleGetLoadingMode(int *mode) {
  return call("cuModuleGetLoadingMode", [&] {
    require(mode, kInvalidValue, "a null pointer");
    constexpr int kEager = 1;
    *mode = kEager;
  });
}

static void answerGlobal(Module &module, const char *name, DevicePointer *pointer, size_t *bytes) {
  require(name, kInvalidValue, "a null pointer");
  const auto range = State::get().device.findVariable(module.parsed, name);
  require(range.size, kNotFound, std::string("the image has no variable '") + name + "'");
  // Copies reach it like any other memory.
  State::get().allocations.try_emplace(range.address,
                                       Allocation{range.address, range.size, module.context, MemoryKind::Variable});
  module.variables.insert(range.address);
  if (pointer)
    *pointer = range.address;
  if (bytes)
    *bytes = range.size;
}

EMULATED_CUDA_API cuModuleGetGlobal_v2(DevicePointer *pointer, size_t *bytes, void *module, const char *name) {
  return call("cuModuleGetGlobal", [&] { answerGlobal(*find<Module>(module, "module"), name, pointer, bytes); });
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

static void loadLibrary(void **handle, const void *code) {
  require(handle, kInvalidValue, "a null pointer");
  Image image = Image::read(code);
  const auto names = image.parse().entries();
  auto library = make<Library>();
  library->image = std::move(image);
  library->entries = {names.begin(), names.end()};
  *handle = library->handle;
}

EMULATED_CUDA_API cuLibraryLoadData(void **library, const void *code, int *, void **, unsigned, int *, void **,
                                    unsigned) {
  return call("cuLibraryLoadData", [&] { loadLibrary(library, code); });
}

EMULATED_CUDA_API cuLibraryLoadFromFile(void **library, const char *path, int *, void **, unsigned, int *, void **,
                                        unsigned) {
  return call("cuLibraryLoadFromFile", [&] { loadLibrary(library, readImageFile(path).c_str()); });
}

EMULATED_CUDA_API cuLibraryUnload(void *handle) {
  return call("cuLibraryUnload", [&] {
    auto library = find<Library>(handle, "library");
    for (auto &[context, module] : library->modules) {
      if (!module->context->isDestroyed && module->context->lost == kSuccess)
        completeContext(module->context);
      unloadModule(*module);
    }
    for (auto &[name, kernel] : library->kernels)
      State::get().remove(kernel->handle);
    State::get().remove(handle);
  });
}

namespace emudriver {

static std::shared_ptr<Kernel> kernelOf(const std::shared_ptr<Library> &library, const std::string &name) {
  require(library->entries.count(name), kNotFound, "the image has no kernel '" + name + "'");
  auto &kernel = library->kernels[name];
  if (!kernel) {
    kernel = make<Kernel>();
    kernel->library = library;
    kernel->name = name;
  }
  return kernel;
}

} // namespace emudriver

EMULATED_CUDA_API cuLibraryGetKernel(void **handle, void *libraryHandle, const char *name) {
  return call("cuLibraryGetKernel", [&] {
    checkName(handle, name);
    *handle = kernelOf(find<Library>(libraryHandle, "library"), name)->handle;
  });
}

EMULATED_CUDA_API cuLibraryEnumerateKernels(void **kernels, unsigned count, void *handle) {
  return call("cuLibraryEnumerateKernels", [&] {
    require(kernels || !count, kInvalidValue, "a null pointer");
    auto library = find<Library>(handle, "library");
    for (const std::string &name : library->entries)
      if (count-- > 0)
        *kernels++ = kernelOf(library, name)->handle;
      else
        return;
  });
}

EMULATED_CUDA_API cuLibraryGetModule(void **module, void *library) {
  return call("cuLibraryGetModule", [&] {
    require(module, kInvalidValue, "a null pointer");
    *module = find<Library>(library, "library")->moduleIn(currentContext())->handle;
  });
}

EMULATED_CUDA_API cuLibraryGetGlobal(DevicePointer *pointer, size_t *bytes, void *library, const char *name) {
  return call("cuLibraryGetGlobal", [&] {
    auto found = find<Library>(library, "library");
    answerGlobal(*found->moduleIn(currentContext()), name, pointer, bytes);
  });
}

EMULATED_CUDA_API cuLibraryGetKernelCount(unsigned *count, void *library) {
  return call("cuLibraryGetKernelCount", [&] {
    require(count, kInvalidValue, "a null pointer");
    *count = static_cast<unsigned>(find<Library>(library, "library")->entries.size());
  });
}

//===----------------------------------------------------------------------===//
// Functions and kernels
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuKernelGetFunction(void **function, void *kernel) {
  return call("cuKernelGetFunction", [&] {
    require(function, kInvalidValue, "a null pointer");
    *function = functionIn(*find<Kernel>(kernel, "kernel"), currentContext())->handle;
  });
}

static void checkOrdinal(DeviceOrdinal device) {
  require(device == 0, kInvalidDevice, "there is no device " + std::to_string(device));
}

/// Kernels have attributes for a device, whatever context is current; without one there is nothing to ask.
static std::shared_ptr<Function> functionOfKernel(void *kernel) {
  auto &stack = contextStack();
  auto context = stack.empty() ? State::get().primary : stack.back();
  require(context != nullptr, kInvalidContext, "there is no context");
  return functionIn(*find<Kernel>(kernel, "kernel"), context);
}

EMULATED_CUDA_API cuKernelGetAttribute(int *value, int attribute, void *kernel, DeviceOrdinal device) {
  return call("cuKernelGetAttribute", [&] {
    require(value, kInvalidValue, "a null pointer");
    checkOrdinal(device);
    *value = getAttribute(*functionOfKernel(kernel), attribute);
  });
}

EMULATED_CUDA_API cuKernelSetAttribute(int attribute, int value, void *handle, DeviceOrdinal device) {
  return call("cuKernelSetAttribute", [&] {
    checkOrdinal(device);
    auto kernel = find<Kernel>(handle, "kernel");
    auto function = functionOfKernel(handle);
    setAttribute(*function, attribute, value);
    kernel->settings = function->settings;
    for (auto &[context, module] : kernel->library.lock()->modules)
      setAttribute(*module->find(kernel->name), attribute, value);
  });
}

EMULATED_CUDA_API cuKernelGetName(const char **name, void *kernel) {
  return call("cuKernelGetName", [&] {
    require(name, kInvalidValue, "a null pointer");
    *name = find<Kernel>(kernel, "kernel")->name.c_str();
  });
}

EMULATED_CUDA_API cuKernelGetLibrary(void **library, void *kernel) {
  return call("cuKernelGetLibrary", [&] {
    require(library, kInvalidValue, "a null pointer");
    *library = find<Kernel>(kernel, "kernel")->library.lock()->handle;
  });
}

// The attributes and the module of a kernel are asked for by functions of its own; that these refuse one is assumed.
EMULATED_CUDA_API cuFuncGetAttribute(int *value, int attribute, void *function) {
  return call("cuFuncGetAttribute", [&] {
    require(value, kInvalidValue, "a null pointer");
    *value = getAttribute(*find<Function>(function, "function"), attribute);
  });
}

EMULATED_CUDA_API cuFuncSetAttribute(void *function, int attribute, int value) {
  return call("cuFuncSetAttribute", [&] { setAttribute(*find<Function>(function, "function"), attribute, value); });
}

EMULATED_CUDA_API cuFuncGetModule(void **module, void *function) {
  return call("cuFuncGetModule", [&] {
    require(module, kInvalidValue, "a null pointer");
    *module = find<Function>(function, "function")->module.lock()->handle;
  });
}

EMULATED_CUDA_API cuFuncGetName(const char **name, void *function) {
  return call("cuFuncGetName", [&] {
    require(name, kInvalidValue, "a null pointer");
    *name = find<Function>(function, "function")->name.c_str();
  });
}

// Of caches and banks nothing is emulated.
EMULATED_CUDA_API cuFuncSetCacheConfig(void *function, int config) {
  return call("cuFuncSetCacheConfig", [&] { find<Function>(function, "function"); });
}
EMULATED_CUDA_API cuFuncSetSharedMemConfig(void *function, int config) {
  return call("cuFuncSetSharedMemConfig", [&] { find<Function>(function, "function"); });
}
EMULATED_CUDA_API cuKernelSetCacheConfig(void *kernel, int config, DeviceOrdinal device) {
  return call("cuKernelSetCacheConfig", [&] {
    checkOrdinal(device);
    find<Kernel>(kernel, "kernel");
  });
}

EMULATED_CUDA_API cuFuncIsLoaded(int *state, void *function) {
  return call("cuFuncIsLoaded", [&] {
    require(state, kInvalidValue, "a null pointer");
    find<Function>(function, "function");
    constexpr int kLoaded = 1;
    *state = kLoaded;
  });
}
EMULATED_CUDA_API cuFuncLoad(void *function) {
  return call("cuFuncLoad", [&] { find<Function>(function, "function"); });
}

static void answerParameter(const Function &f, size_t index, size_t *offset, size_t *bytes) {
  require(offset && index < f.parameterBytes.size(), kInvalidValue, "a null pointer, or no such parameter");
  *offset = f.parameterOffsets[index];
  if (bytes)
    *bytes = f.parameterBytes[index];
}

EMULATED_CUDA_API cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes) {
  return call("cuFuncGetParamInfo",
              [&] { answerParameter(*find<Function>(function, "function"), index, offset, bytes); });
}
EMULATED_CUDA_API cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *bytes) {
  return call("cuKernelGetParamInfo", [&] { answerParameter(*functionOfKernel(kernel), index, offset, bytes); });
}
