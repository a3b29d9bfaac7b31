//===- RecordingDriver.cpp - A driver that only writes down what it is told ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RecordingDriver.h"
#include "Functions.h"
#include <cstring>
#include <map>
#include <mutex>
#include <string>

using namespace tileiras;
using namespace tileiras::cutile;

namespace {

/// Modules and libraries, with the handles of what is in them.
class Handles {
public:
  Handle load() {
    std::lock_guard lock(mutex);
    Handle module = take();
    modules[module];
    return module;
  }

  void unload(Handle module) {
    std::lock_guard lock(mutex);
    for (auto &[name, handle] : modules[module])
      free.push_back(handle);
    modules.erase(module);
    free.push_back(module);
  }

  Handle get(Handle module, const std::string &name) {
    std::lock_guard lock(mutex);
    Handle &handle = modules[module][name];
    return handle ? handle : handle = take();
  }

  /// Names of what a module has been asked for, with their handles.
  std::vector<std::pair<const char *, Handle>> getAll(Handle module) {
    std::lock_guard lock(mutex);
    std::vector<std::pair<const char *, Handle>> all;
    for (auto &[name, handle] : modules[module])
      all.push_back({name.c_str(), handle});
    return all;
  }

  /// Null: it is none of theirs.
  const char *getName(Handle wanted) {
    std::lock_guard lock(mutex);
    for (auto &[module, handles] : modules)
      for (auto &[name, handle] : handles)
        if (handle == wanted)
          return name.c_str();
    return nullptr;
  }

  /// What belongs to the library of a kernel.
  Handle getOfKernel(Handle kernel, const std::string &name) {
    std::unique_lock lock(mutex);
    for (auto &[module, handles] : modules)
      for (auto &[other, handle] : handles)
        if (handle == kernel) {
          lock.unlock();
          return get(module, name);
        }
    return nullptr;
  }

private:
  Handle take() {
    if (free.empty())
      return reinterpret_cast<Handle>(next += 16);
    Handle handle = free.back();
    free.pop_back();
    return handle;
  }

  std::mutex mutex;
  std::map<Handle, std::map<std::string, Handle>> modules;
  std::vector<Handle> free;
  uintptr_t next = 0x10000;
};

} // namespace

static Handles handles;
static thread_local std::vector<RecordedCall> calls;
static thread_local std::vector<Handle> contexts;
static int currentDevice = 0;
static bool recordsNothing = false;

TILEIRAS_CUTILE_EXPORT std::vector<RecordedCall> *recordedCalls() {
  return &calls;
}
TILEIRAS_CUTILE_EXPORT void setDevice(int device) {
  currentDevice = device;
}
TILEIRAS_CUTILE_EXPORT void recordNothing() {
  recordsNothing = true;
}
TILEIRAS_CUTILE_EXPORT void *ownLaunchKernel() {
  return reinterpret_cast<void *>(&cuLaunchKernel);
}
TILEIRAS_CUTILE_EXPORT void *ownLaunchKernelEx() {
  return reinterpret_cast<void *>(&cuLaunchKernelEx);
}

static int recordLaunch(const char *name, Handle function, const unsigned (&grid)[3], const unsigned (&block)[3],
                        unsigned sharedBytes, void *stream, void *parameters, void *extra,
                        const void *structure = nullptr) {
  if (recordsNothing)
    return 0;
  calls.push_back({name,
                   function,
                   {grid[0], grid[1], grid[2]},
                   {block[0], block[1], block[2]},
                   sharedBytes,
                   stream,
                   parameters,
                   extra,
                   structure,
                   0,
                   0,
                   0});
  return 0;
}

static int recordAttribute(const char *name, Handle handle, int attribute, int value, int device) {
  calls.push_back({name, handle, {}, {}, 0, nullptr, nullptr, nullptr, nullptr, attribute, value, device});
  return 0;
}

static Handle launched(const KernelNodeParams1 &params) {
  return params.function;
}
static Handle launched(const KernelNodeParams2 &params) {
  return params.function ? params.function : params.kernel;
}

template <typename Params>
static int recordNode(const char *name, const Params *params) {
  return recordLaunch(name, launched(*params), params->grid, params->block, params->sharedBytes, nullptr,
                      params->parameters, params->extra, params);
}

#define LAUNCH_ARGUMENTS                                                                                               \
  function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes, stream, static_cast<void *>(parameters)

int cuLaunchKernel(TILEIRAS_LAUNCH_PARAMETERS, void **extra) {
  return recordLaunch("cuLaunchKernel", LAUNCH_ARGUMENTS, extra);
}
int cuLaunchKernel_ptsz(TILEIRAS_LAUNCH_PARAMETERS, void **extra) {
  return recordLaunch("cuLaunchKernel_ptsz", LAUNCH_ARGUMENTS, extra);
}
int cuLaunchCooperativeKernel(TILEIRAS_LAUNCH_PARAMETERS) {
  return recordLaunch("cuLaunchCooperativeKernel", LAUNCH_ARGUMENTS, nullptr);
}
int cuLaunchCooperativeKernel_ptsz(TILEIRAS_LAUNCH_PARAMETERS) {
  return recordLaunch("cuLaunchCooperativeKernel_ptsz", LAUNCH_ARGUMENTS, nullptr);
}
int cuLaunchKernelEx(const cuda::LaunchConfig *config, Handle function, void **parameters, void **extra) {
  return recordLaunch("cuLaunchKernelEx", function, config->grid, config->block, config->sharedBytes, config->stream,
                      parameters, extra, config);
}
int cuLaunchKernelEx_ptsz(const cuda::LaunchConfig *config, Handle function, void **parameters, void **extra) {
  return recordLaunch("cuLaunchKernelEx_ptsz", function, config->grid, config->block, config->sharedBytes,
                      config->stream, parameters, extra, config);
}

int cuGraphAddKernelNode(TILEIRAS_NODE_PARAMETERS, size_t, const KernelNodeParams1 *params) {
  return recordNode("cuGraphAddKernelNode", params);
}
int cuGraphAddKernelNode_v2(TILEIRAS_NODE_PARAMETERS, size_t, const KernelNodeParams2 *params) {
  return recordNode("cuGraphAddKernelNode_v2", params);
}
int cuGraphKernelNodeSetParams(Handle, const KernelNodeParams1 *params) {
  return recordNode("cuGraphKernelNodeSetParams", params);
}
int cuGraphKernelNodeSetParams_v2(Handle, const KernelNodeParams2 *params) {
  return recordNode("cuGraphKernelNodeSetParams_v2", params);
}
int cuGraphExecKernelNodeSetParams(Handle, Handle, const KernelNodeParams1 *params) {
  return recordNode("cuGraphExecKernelNodeSetParams", params);
}
int cuGraphExecKernelNodeSetParams_v2(Handle, Handle, const KernelNodeParams2 *params) {
  return recordNode("cuGraphExecKernelNodeSetParams_v2", params);
}

static int recordGraphNode(const char *name, const GraphNodeParams *params) {
  const KernelNodeParams2 &kernel = params->kernel;
  return recordLaunch(name, launched(kernel), kernel.grid, kernel.block, kernel.sharedBytes, nullptr, kernel.parameters,
                      kernel.extra, params);
}

int cuGraphAddNode(TILEIRAS_NODE_PARAMETERS, size_t, GraphNodeParams *params) {
  return recordGraphNode("cuGraphAddNode", params);
}
int cuGraphAddNode_v2(TILEIRAS_NODE_PARAMETERS, const void *, size_t, GraphNodeParams *params) {
  return recordGraphNode("cuGraphAddNode_v2", params);
}
int cuGraphNodeSetParams(Handle, GraphNodeParams *params) {
  return recordGraphNode("cuGraphNodeSetParams", params);
}
int cuGraphExecNodeSetParams(Handle, Handle, GraphNodeParams *params) {
  return recordGraphNode("cuGraphExecNodeSetParams", params);
}

static int load(Handle *module) {
  *module = handles.load();
  return 0;
}
int cuModuleLoad(Handle *module, const char *) {
  return load(module);
}
int cuModuleLoadData(Handle *module, const void *) {
  return load(module);
}
int cuModuleLoadDataEx(Handle *module, const void *, unsigned, int *, void **) {
  return load(module);
}
int cuModuleLoadFatBinary(Handle *module, const void *) {
  return load(module);
}
int cuLibraryLoadData(Handle *library, const void *, int *, void **, unsigned, int *, void **, unsigned) {
  return load(library);
}
int cuLibraryLoadFromFile(Handle *library, const char *, int *, void **, unsigned, int *, void **, unsigned) {
  return load(library);
}

int cuModuleUnload(Handle module) {
  handles.unload(module);
  return 0;
}
int cuLibraryUnload(Handle library) {
  handles.unload(library);
  return 0;
}
TILEIRAS_CUTILE_EXPORT Handle getBehindTheBack(Handle module, const char *name) {
  return handles.get(module, name);
}
TILEIRAS_CUTILE_EXPORT int destroyBehindTheBack(Handle module) {
  handles.unload(module);
  return 0;
}

static int give(Handle *result, Handle handle) {
  *result = handle;
  return handle ? 0 : cuda::kInvalidHandle;
}
int cuModuleGetFunction(Handle *function, Handle module, const char *name) {
  return give(function, handles.get(module, name));
}
int cuLibraryGetKernel(Handle *kernel, Handle library, const char *name) {
  return give(kernel, handles.get(library, name));
}
int cuLibraryGetModule(Handle *module, Handle library) {
  return give(module, handles.get(library, "its module"));
}
int cuKernelGetFunction(Handle *function, Handle kernel) {
  return give(function, handles.getOfKernel(kernel, "the function of " + std::to_string(uintptr_t(kernel))));
}

int cuModuleEnumerateFunctions(Handle *functions, unsigned count, Handle module) {
  auto all = handles.getAll(module);
  for (unsigned i = 0; i < count && i < all.size(); ++i)
    functions[i] = all[i].second;
  return 0;
}
int cuLibraryEnumerateKernels(Handle *kernels, unsigned count, Handle library) {
  return cuModuleEnumerateFunctions(kernels, count, library);
}
TILEIRAS_CUTILE_EXPORT int cuModuleGetFunctionCount(unsigned *count, Handle module) {
  *count = static_cast<unsigned>(handles.getAll(module).size());
  return 0;
}
TILEIRAS_CUTILE_EXPORT int cuLibraryGetKernelCount(unsigned *count, Handle library) {
  return cuModuleGetFunctionCount(count, library);
}
TILEIRAS_CUTILE_EXPORT int cuFuncGetName(const char **name, Handle function) {
  *name = handles.getName(function);
  return *name ? 0 : cuda::kInvalidHandle;
}
TILEIRAS_CUTILE_EXPORT int cuKernelGetName(const char **name, Handle kernel) {
  return cuFuncGetName(name, kernel);
}

TILEIRAS_CUTILE_EXPORT int cuFuncSetAttribute(Handle function, int attribute, int value) {
  return recordAttribute("cuFuncSetAttribute", function, attribute, value, -1);
}
TILEIRAS_CUTILE_EXPORT int cuKernelSetAttribute(int attribute, int value, Handle kernel, int device) {
  return recordAttribute("cuKernelSetAttribute", kernel, attribute, value, device);
}
TILEIRAS_CUTILE_EXPORT int cuCtxGetDevice(int *device) {
  *device = contexts.empty() ? currentDevice : static_cast<int>(reinterpret_cast<uintptr_t>(contexts.back()));
  return 0;
}
TILEIRAS_CUTILE_EXPORT int cuCtxPushCurrent_v2(Handle context) {
  contexts.push_back(context);
  return 0;
}
TILEIRAS_CUTILE_EXPORT int cuCtxPopCurrent_v2(Handle *context) {
  *context = contexts.back();
  contexts.pop_back();
  return 0;
}

// A driver may answer cuGetProcAddress with others of its functions than those that it exports.
static int privateAddNode(TILEIRAS_NODE_PARAMETERS, size_t count, const KernelNodeParams1 *params) {
  return recordNode("cuGraphAddKernelNode", params);
}
static int privateAddNode2(TILEIRAS_NODE_PARAMETERS, size_t count, const KernelNodeParams2 *params) {
  return recordNode("cuGraphAddKernelNode_v2", params);
}
static int privateLaunch(TILEIRAS_LAUNCH_PARAMETERS, void **extra) {
  return recordLaunch("cuLaunchCooperativeKernel", LAUNCH_ARGUMENTS, nullptr);
}
static int privateLaunchPerThread(TILEIRAS_LAUNCH_PARAMETERS, void **extra) {
  return recordLaunch("cuLaunchCooperativeKernel_ptsz", LAUNCH_ARGUMENTS, nullptr);
}

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
  std::string wanted = name;
  bool second = version >= (wanted == "cuGraphAddNode" ? 12030 : 12000);
  void *found = nullptr;
  if (wanted == "cuGraphAddKernelNode")
    found = second ? reinterpret_cast<void *>(&privateAddNode2) : reinterpret_cast<void *>(&privateAddNode);
  else if (wanted == "cuLaunchCooperativeKernel")
    found = flags & 2 ? reinterpret_cast<void *>(&privateLaunchPerThread) : reinterpret_cast<void *>(&privateLaunch);
  else
    for (const char *suffix : {second ? "_v2" : "", flags & 2 ? "_ptsz" : "", ""})
      if (!found)
        found = dlsym(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), (wanted + suffix).c_str());
  *function = found;
  if (status)
    *status = found ? 0 : 1;
  return found ? 0 : cuda::kNotFound;
}

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
