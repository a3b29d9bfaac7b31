/*===- tileiras-launch.h - Loading and launching compiled kernels --*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * From a cubin to a launch:
 *
 *   TileirasModule *module;
 *   const TileirasKernel *kernel;
 *   const uint32_t grid[3] = {64, 1, 1};     // tile blocks
 *   const void *arguments[] = {&x, &y, &n};  // device pointers and numbers, as the entry declares them
 *   if (tileirasModuleLoad(&module, cubin, cubinSize, NULL) == TILEIRAS_LAUNCH_SUCCESS &&
 *       tileirasModuleGetKernel(module, NULL, &kernel) == TILEIRAS_LAUNCH_SUCCESS)
 *     tileirasLaunch(kernel, grid, arguments, 3, stream);
 *   tileirasModuleUnload(module);
 *
 * The library knows from the compiler's metadata what the driver has to be told: threads of a block, cluster, dynamic
 * shared memory and the function attribute that allows it. The compiler puts the metadata into the cubin; the JSON text
 * of --metadata may be given instead.
 *
 * The CUDA driver (libcuda.so.1) is opened by the first function that needs it. A module is loaded into the calling
 * thread's current context; where there is none, the primary context of device 0 becomes current, and is kept until the
 * process ends. A thread without a context that launches gets the module's.
 *
 * A kernel that was compiled with tma-descriptors=host takes tensor maps behind the program's parameters.
 * tileirasLaunch builds them; tileirasTensorMapsEncode does for programs that launch by themselves.
 *
 * All functions may be called from several threads at once; a module must not be unloaded while another thread uses it
 * or its kernels. Launches are asynchronous, and errors of a kernel that runs are the driver's to report, by whoever
 * waits for the stream; where one of an earlier kernel comes up in a function below, its text says so.
 */

#ifndef TILEIRAS_LAUNCH_TILEIRAS_LAUNCH_H
#define TILEIRAS_LAUNCH_TILEIRAS_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileirasLaunchStatus {
  TILEIRAS_LAUNCH_SUCCESS = 0,
  TILEIRAS_LAUNCH_ERROR_INVALID_ARGUMENT = 1, /* a null pointer, an empty grid, another number of arguments */
  TILEIRAS_LAUNCH_ERROR_NO_DRIVER = 2,        /* there is no CUDA driver, or no GPU */
  TILEIRAS_LAUNCH_ERROR_BAD_IMAGE = 3,        /* no cubin, or its metadata is missing or malformed */
  TILEIRAS_LAUNCH_ERROR_WRONG_DEVICE = 4,     /* the cubin is for another GPU than the context's */
  TILEIRAS_LAUNCH_ERROR_NOT_FOUND = 5,        /* no kernel of that name, or no name where there are several */
  TILEIRAS_LAUNCH_ERROR_DRIVER = 6,           /* the driver refused: tileirasLaunchGetDriverResult */
  TILEIRAS_LAUNCH_ERROR_ALLOCATION = 7
} TileirasLaunchStatus;

typedef struct TileirasModule TileirasModule;
/* Belongs to its module: valid until that is unloaded. */
typedef struct TileirasKernel TileirasKernel;

/* Strings and arrays are valid until the module is unloaded. */
typedef struct TileirasKernelInfo {
  size_t structSize; /* sizeof(TileirasKernelInfo) of the caller, who sets it */
  const char *name;
  uint32_t parameterCount;          /* of the program: tensor maps that the launch builds are none of them */
  const uint32_t *parameterBytes;   /* of each parameter */
  uint32_t blockSize[3];            /* threads of a CTA */
  uint32_t clusterSize[3];          /* CTAs of a cluster; 1, 1, 1 without clusters */
  uint32_t launchBlockSize[3];      /* what the driver is told: blockSize, or 1, 1, 1 where the image itself says it */
  uint32_t dynamicSharedBytes;      /* of a CTA */
  uint32_t staticSharedBytes;       /* of a CTA; as the driver says, like the following ones */
  uint32_t registers;               /* of a thread */
  uint32_t localBytes;              /* of a thread: stack and spills */
  uint32_t blocksPerMultiprocessor; /* CTAs that fit on one multiprocessor at a time; 0: the driver does not say */
  uint32_t waitsForGrids;           /* 1: waits itself for the grids before it, and may start before they have ended */
  uint32_t launchesGrids;           /* 1: lets those after it start before it ends */
} TileirasKernelInfo;

/* clang-format off */
#define TILEIRAS_KERNEL_INFO_INIT                                                                                      \
  {sizeof(TileirasKernelInfo), NULL, 0, NULL, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0}
/* clang-format on */

/* Loads `cubin`, which is read during the call only. `metadata`: the null-terminated text of --metadata; null: what the
 * cubin holds. On error *module is null. */
TileirasLaunchStatus tileirasModuleLoad(TileirasModule **module, const void *cubin, size_t cubinSize,
                                        const char *metadata);
/* Kernels that still run finish first, and the module is gone whatever the status, which may be of an earlier kernel.
 * Null is allowed. */
TileirasLaunchStatus tileirasModuleUnload(TileirasModule *module);

/* In the order of the metadata. `names` has room for *count names, or is null; *count becomes the number of kernels. */
TileirasLaunchStatus tileirasModuleGetKernelNames(const TileirasModule *module, const char **names, size_t *count);
/* `name` may be null when there is one kernel. On error *kernel is null. */
TileirasLaunchStatus tileirasModuleGetKernel(TileirasModule *module, const char *name, const TileirasKernel **kernel);
/* Fills in as much of *info as its structSize says. */
TileirasLaunchStatus tileirasKernelGetInfo(const TileirasKernel *kernel, TileirasKernelInfo *info);

/* Launches `grid` tile blocks (x, y, z; each at least 1) on `stream`, a CUstream; null is the default stream.
 * `arguments` has a pointer to the value of each parameter, which is read during the call, as many bytes as the
 * parameter has. */
TileirasLaunchStatus tileirasLaunch(const TileirasKernel *kernel, const uint32_t grid[3], const void *const *arguments,
                                    size_t argumentCount, void *stream);

typedef struct TileirasLaunchOptions {
  size_t structSize; /* sizeof(TileirasLaunchOptions) of the caller, who sets it */
  void *stream;      /* a CUstream; null is the default stream */
  uint32_t
      overlaps; /* 1: programmatic stream serialisation. The kernel starts when the one before it on the stream lets
                 * it, or ends. Refused for kernels that do not wait for the grids before them (waitsForGrids). */
} TileirasLaunchOptions;

#define TILEIRAS_LAUNCH_OPTIONS_INIT                                                                                   \
  { sizeof(TileirasLaunchOptions), NULL, 0 }

/* The same with options, of which as much is read as its structSize says; null: none. */
TileirasLaunchStatus tileirasLaunchWithOptions(const TileirasKernel *kernel, const uint32_t grid[3],
                                               const void *const *arguments, size_t argumentCount,
                                               const TileirasLaunchOptions *options);

/* cuTensorMapEncodeTiled of the driver interface, CUDA 12.0 and later, with int for its enumerations and its result. */
typedef int (*TileirasEncodeTiled)(void *tensorMap, int tensorDataType, uint32_t tensorRank, void *globalAddress,
                                   const uint64_t *globalDim, const uint64_t *globalStrides, const uint32_t *boxDim,
                                   const uint32_t *elementStrides, int interleave, int swizzle, int l2Promotion,
                                   int oobFill);

/* Device memory that maps of arrays without elements refer to: so many bytes of it, at a multiple of 16. The second 16
 * bytes are 0xff, the others zero. Kernels may write to the last 16. */
#define TILEIRAS_EMPTY_ARRAYS_BYTES 48

/* Builds the tensor maps that a kernel takes behind the program's parameters, in their order. The library opens no
 * driver for that. `metadata`: the null-terminated text of --metadata, or what tileirasImageGetMetadata finds.
 * `kernel` may be null when there is one. `arguments` are those of the program, as for tileirasLaunch. `emptyArrays`:
 * the address of TILEIRAS_EMPTY_ARRAYS_BYTES; 0: there are none, and arrays without elements are refused. `maps`: at a
 * multiple of 64, room for *count maps of 128 bytes, or null; *count becomes the number of maps, 0 for kernels that
 * take none. A launch passes the address of each. */
TileirasLaunchStatus tileirasTensorMapsEncode(const char *metadata, const char *kernel, const void *const *arguments,
                                              size_t argumentCount, uint64_t emptyArrays, TileirasEncodeTiled encode,
                                              void *maps, size_t *count);

/* Of the last call on this thread: what went wrong, why, and what to do; empty after a success. Valid until this thread
 * calls another function of the library. */
const char *tileirasLaunchGetErrorText(void);
/* The CUresult behind the last call's status; 0 when there is none. */
int tileirasLaunchGetDriverResult(void);

/* The metadata in a cubin, without a driver: a JSON text that is not null-terminated, a part of `cubin`. */
TileirasLaunchStatus tileirasImageGetMetadata(const void *cubin, size_t cubinSize, const char **metadata,
                                              size_t *metadataSize);

#ifdef __cplusplus
}
#endif

#endif /* TILEIRAS_LAUNCH_TILEIRAS_LAUNCH_H */
