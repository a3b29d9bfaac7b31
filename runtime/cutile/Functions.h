//===- Functions.h - The driver's functions that the library stands in for -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each of them is exported under the driver's own name, so that programs that link the driver come here; those that
// look functions up get the same ones (SymbolHooks.cpp). They take and return what the driver's do.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_FUNCTIONS_H
#define TILEIRAS_CUTILE_FUNCTIONS_H

#include "Driver.h"
#include <atomic>
#include <cstddef>
#include <span>

#define TILEIRAS_CUTILE_EXPORT extern "C" __attribute__((visibility("default")))

namespace tileiras::cutile {

using cuda::Result;
using Handle = void *; ///< any of the driver's

struct KernelNodeParams1 {
  cuda::Function function;
  unsigned grid[3], block[3];
  unsigned sharedBytes; ///< dynamic, of a CTA
  void **parameters, **extra;
};

struct KernelNodeParams2 {
  cuda::Function function;
  unsigned grid[3], block[3];
  unsigned sharedBytes;
  void **parameters, **extra;
  Handle kernel;         ///< instead of a function, where that is null
  cuda::Context context; ///< for a kernel; null: the current one
};

struct GraphNodeParams {
  int type; ///< 0: a kernel
  int reserved[3];
  union {
    KernelNodeParams2 kernel;
    long long words[29];
  };
  long long reserved2;
};

static_assert(sizeof(void *) != 8 || (sizeof(KernelNodeParams1) == 56 && sizeof(KernelNodeParams2) == 72 &&
                                      sizeof(GraphNodeParams) == 256 && sizeof(cuda::LaunchConfig) == 56),
              "as in cuda.h");

/// A function that the library stands in for.
struct Function {
  const char *name;              ///< as the driver exports it
  void *hook;                    ///< ours
  std::atomic<void *> *original; ///< null: not looked for yet
};

std::span<const Function> functions();
/// Null: `name` is none of them.
const Function *findFunction(const char *name) noexcept;

/// A function of the driver that is loaded; null where none is, or it has no such function. Never loads one.
void *findInDriver(const char *name) noexcept;

/// What a program that is linked with the driver would have called without us. Null: nothing.
void *findOriginal(const Function &function) noexcept;
void *findOriginal(void *hook) noexcept;

template <auto *Hook>
inline std::atomic<void *> originalOf{nullptr};

/// Calls what `Hook` stands in for.
template <auto *Hook, typename... Arguments>
Result callOriginal(Arguments... arguments) {
  void *original = originalOf<Hook>.load(std::memory_order_acquire);
  if (!original)
    original = findOriginal(reinterpret_cast<void *>(Hook));
  // A program that gets here without a driver has not initialised one.
  return original ? reinterpret_cast<decltype(Hook)>(original)(arguments...) : cuda::kNotInitialized;
}

/// A function of the driver that only we need; null where the driver has none.
template <typename Type>
Type driverFunction(const char *name, std::atomic<void *> &known) noexcept {
  void *found = known.load(std::memory_order_acquire);
  if (!found && (found = findInDriver(name)))
    known.store(found, std::memory_order_release);
  return reinterpret_cast<Type>(found);
}
#define TILEIRAS_DRIVER_FUNCTION(NAME, ...)                                                                            \
  driverFunction<Result (*)(__VA_ARGS__)>(#NAME, []() -> std::atomic<void *> & {                                       \
    static constinit std::atomic<void *> known{nullptr};                                                               \
    return known;                                                                                                      \
  }())

} // namespace tileiras::cutile

#define TILEIRAS_LAUNCH_PARAMETERS                                                                                     \
  tileiras::cutile::Handle function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, \
      unsigned blockZ, unsigned sharedBytes, tileiras::cutile::Handle stream, void **parameters
#define TILEIRAS_NODE_PARAMETERS                                                                                       \
  tileiras::cutile::Handle *node, tileiras::cutile::Handle graph, const tileiras::cutile::Handle *dependencies

TILEIRAS_CUTILE_EXPORT int cuLaunchKernel(TILEIRAS_LAUNCH_PARAMETERS, void **extra);
TILEIRAS_CUTILE_EXPORT int cuLaunchKernel_ptsz(TILEIRAS_LAUNCH_PARAMETERS, void **extra);
TILEIRAS_CUTILE_EXPORT int cuLaunchCooperativeKernel(TILEIRAS_LAUNCH_PARAMETERS);
TILEIRAS_CUTILE_EXPORT int cuLaunchCooperativeKernel_ptsz(TILEIRAS_LAUNCH_PARAMETERS);
TILEIRAS_CUTILE_EXPORT int cuLaunchKernelEx(const tileiras::cuda::LaunchConfig *config,
                                            tileiras::cutile::Handle function, void **parameters, void **extra);
TILEIRAS_CUTILE_EXPORT int cuLaunchKernelEx_ptsz(const tileiras::cuda::LaunchConfig *config,
                                                 tileiras::cutile::Handle function, void **parameters, void **extra);

TILEIRAS_CUTILE_EXPORT int cuGraphAddKernelNode(TILEIRAS_NODE_PARAMETERS, size_t dependencyCount,
                                                const tileiras::cutile::KernelNodeParams1 *params);
TILEIRAS_CUTILE_EXPORT int cuGraphAddKernelNode_v2(TILEIRAS_NODE_PARAMETERS, size_t dependencyCount,
                                                   const tileiras::cutile::KernelNodeParams2 *params);
TILEIRAS_CUTILE_EXPORT int cuGraphAddNode(TILEIRAS_NODE_PARAMETERS, size_t dependencyCount,
                                          tileiras::cutile::GraphNodeParams *params);
TILEIRAS_CUTILE_EXPORT int cuGraphAddNode_v2(TILEIRAS_NODE_PARAMETERS, const void *edges, size_t dependencyCount,
                                             tileiras::cutile::GraphNodeParams *params);
TILEIRAS_CUTILE_EXPORT int cuGraphKernelNodeSetParams(tileiras::cutile::Handle node,
                                                      const tileiras::cutile::KernelNodeParams1 *params);
TILEIRAS_CUTILE_EXPORT int cuGraphKernelNodeSetParams_v2(tileiras::cutile::Handle node,
                                                         const tileiras::cutile::KernelNodeParams2 *params);
TILEIRAS_CUTILE_EXPORT int cuGraphExecKernelNodeSetParams(tileiras::cutile::Handle graph, tileiras::cutile::Handle node,
                                                          const tileiras::cutile::KernelNodeParams1 *params);
TILEIRAS_CUTILE_EXPORT int cuGraphExecKernelNodeSetParams_v2(tileiras::cutile::Handle graph,
                                                             tileiras::cutile::Handle node,
                                                             const tileiras::cutile::KernelNodeParams2 *params);
TILEIRAS_CUTILE_EXPORT int cuGraphNodeSetParams(tileiras::cutile::Handle node,
                                                tileiras::cutile::GraphNodeParams *params);
TILEIRAS_CUTILE_EXPORT int cuGraphExecNodeSetParams(tileiras::cutile::Handle graph, tileiras::cutile::Handle node,
                                                    tileiras::cutile::GraphNodeParams *params);

TILEIRAS_CUTILE_EXPORT int cuModuleLoad(tileiras::cutile::Handle *module, const char *file);
TILEIRAS_CUTILE_EXPORT int cuModuleLoadData(tileiras::cutile::Handle *module, const void *image);
TILEIRAS_CUTILE_EXPORT int cuModuleLoadDataEx(tileiras::cutile::Handle *module, const void *image, unsigned count,
                                              int *options, void **values);
TILEIRAS_CUTILE_EXPORT int cuModuleLoadFatBinary(tileiras::cutile::Handle *module, const void *image);
TILEIRAS_CUTILE_EXPORT int cuModuleUnload(tileiras::cutile::Handle module);
TILEIRAS_CUTILE_EXPORT int cuModuleGetFunction(tileiras::cutile::Handle *function, tileiras::cutile::Handle module,
                                               const char *name);
TILEIRAS_CUTILE_EXPORT int cuModuleEnumerateFunctions(tileiras::cutile::Handle *functions, unsigned count,
                                                      tileiras::cutile::Handle module);
TILEIRAS_CUTILE_EXPORT int cuLibraryEnumerateKernels(tileiras::cutile::Handle *kernels, unsigned count,
                                                     tileiras::cutile::Handle library);
TILEIRAS_CUTILE_EXPORT int cuLibraryLoadData(tileiras::cutile::Handle *library, const void *image, int *jitOptions,
                                             void **jitValues, unsigned jitCount, int *options, void **values,
                                             unsigned count);
TILEIRAS_CUTILE_EXPORT int cuLibraryLoadFromFile(tileiras::cutile::Handle *library, const char *file, int *jitOptions,
                                                 void **jitValues, unsigned jitCount, int *options, void **values,
                                                 unsigned count);
TILEIRAS_CUTILE_EXPORT int cuLibraryUnload(tileiras::cutile::Handle library);
TILEIRAS_CUTILE_EXPORT int cuLibraryGetKernel(tileiras::cutile::Handle *kernel, tileiras::cutile::Handle library,
                                              const char *name);
TILEIRAS_CUTILE_EXPORT int cuLibraryGetModule(tileiras::cutile::Handle *module, tileiras::cutile::Handle library);
TILEIRAS_CUTILE_EXPORT int cuKernelGetFunction(tileiras::cutile::Handle *function, tileiras::cutile::Handle kernel);

TILEIRAS_CUTILE_EXPORT int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags);
TILEIRAS_CUTILE_EXPORT int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags,
                                               int *status);

#endif // TILEIRAS_CUTILE_FUNCTIONS_H
