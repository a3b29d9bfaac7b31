//===- Api.h - The entry points of the emulated driver ----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under the names that the real library exports. Handles are void pointers: the emulated driver looks each up.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_API_H
#define TILEIRAS_EMULATED_API_H

#include "Abi.h"

#define EMULATED_CUDA_API extern "C" __attribute__((visibility("default"))) emudriver::Result

using emudriver::DeviceOrdinal;
using emudriver::DevicePointer;

//===----------------------------------------------------------------------===//
// Initialisation, devices, contexts
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuInit(unsigned flags);
EMULATED_CUDA_API cuDriverGetVersion(int *version);
EMULATED_CUDA_API cuGetErrorName(emudriver::Result result, const char **text);
EMULATED_CUDA_API cuGetErrorString(emudriver::Result result, const char **text);
EMULATED_CUDA_API cuDeviceGetCount(int *count);
EMULATED_CUDA_API cuDeviceGet(DeviceOrdinal *device, int ordinal);
EMULATED_CUDA_API cuDeviceGetName(char *name, int length, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceGetAttribute(int *value, int attribute, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceTotalMem_v2(size_t *bytes, DeviceOrdinal device);
EMULATED_CUDA_API cuDevicePrimaryCtxRetain(void **context, DeviceOrdinal device);
EMULATED_CUDA_API cuDevicePrimaryCtxRelease_v2(DeviceOrdinal device);
EMULATED_CUDA_API cuDevicePrimaryCtxGetState(DeviceOrdinal device, unsigned *flags, int *active);
EMULATED_CUDA_API cuCtxCreate_v2(void **context, unsigned flags, DeviceOrdinal device);
EMULATED_CUDA_API cuCtxDestroy_v2(void *handle);
EMULATED_CUDA_API cuCtxGetCurrent(void **context);
EMULATED_CUDA_API cuCtxSetCurrent(void *handle);
EMULATED_CUDA_API cuCtxPushCurrent_v2(void *handle);
EMULATED_CUDA_API cuCtxPopCurrent_v2(void **handle);
EMULATED_CUDA_API cuCtxGetDevice(DeviceOrdinal *device);
EMULATED_CUDA_API cuCtxGetDevice_v2(DeviceOrdinal *device, void *context);
EMULATED_CUDA_API cuCtxGetId(void *handle, unsigned long long *id);
EMULATED_CUDA_API cuCtxGetApiVersion(void *handle, unsigned *version);
EMULATED_CUDA_API cuCtxSetLimit(int limit, size_t value);
EMULATED_CUDA_API cuCtxGetLimit(size_t *value, int limit);
EMULATED_CUDA_API cuCtxSynchronize();
EMULATED_CUDA_API cuCtxSynchronize_v2(void *context);
EMULATED_CUDA_API cuDeviceGetUuid_v2(emudriver::Uuid *uuid, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceGetUuid(emudriver::Uuid *uuid, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceComputeCapability(int *major, int *minor, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceGetPCIBusId(char *id, int length, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceGetByPCIBusId(DeviceOrdinal *device, const char *id);
EMULATED_CUDA_API cuDeviceCanAccessPeer(int *can, DeviceOrdinal device, DeviceOrdinal peer);
EMULATED_CUDA_API cuProfilerStart();
EMULATED_CUDA_API cuProfilerStop();
EMULATED_CUDA_API cuCtxCreate_v3(void **context, const void *affinities, int count, unsigned flags,
                                 DeviceOrdinal device);
EMULATED_CUDA_API cuCtxCreate_v4(void **context, const void *params, unsigned flags, DeviceOrdinal device);
EMULATED_CUDA_API cuDevicePrimaryCtxSetFlags_v2(DeviceOrdinal device, unsigned flags);
EMULATED_CUDA_API cuCtxGetFlags(unsigned *flags);
EMULATED_CUDA_API cuCtxSetFlags(unsigned flags);
EMULATED_CUDA_API cuCtxGetCacheConfig(int *config);
EMULATED_CUDA_API cuCtxSetCacheConfig(int config);
EMULATED_CUDA_API cuCtxResetPersistingL2Cache();
EMULATED_CUDA_API cuCtxGetStreamPriorityRange(int *least, int *greatest);
EMULATED_CUDA_API cuDevicePrimaryCtxReset_v2(DeviceOrdinal device);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuMemAlloc_v2(DevicePointer *pointer, size_t bytes);
EMULATED_CUDA_API cuMemFree_v2(DevicePointer pointer);
EMULATED_CUDA_API cuMemGetInfo_v2(size_t *available, size_t *total);
EMULATED_CUDA_API cuMemGetAddressRange_v2(DevicePointer *base, size_t *bytes, DevicePointer pointer);
EMULATED_CUDA_API cuMemAllocHost_v2(void **pointer, size_t bytes);
EMULATED_CUDA_API cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags);
EMULATED_CUDA_API cuMemFreeHost(void *pointer);
EMULATED_CUDA_API cuPointerGetAttribute(void *data, int attribute, DevicePointer pointer);
EMULATED_CUDA_API cuIpcGetMemHandle(void *, DevicePointer);
EMULATED_CUDA_API cuIpcOpenMemHandle_v2(DevicePointer *, emudriver::IpcMemHandle, unsigned);
EMULATED_CUDA_API cuIpcOpenMemHandle(DevicePointer *, emudriver::IpcMemHandle, unsigned);
EMULATED_CUDA_API cuIpcCloseMemHandle(DevicePointer);
EMULATED_CUDA_API cuMemcpyHtoD_v2(DevicePointer to, const void *from, size_t bytes);
EMULATED_CUDA_API cuMemcpyDtoH_v2(void *to, DevicePointer from, size_t bytes);
EMULATED_CUDA_API cuMemcpyDtoD_v2(DevicePointer to, DevicePointer from, size_t bytes);
EMULATED_CUDA_API cuMemcpyHtoDAsync_v2(DevicePointer to, const void *from, size_t bytes, void *stream);
EMULATED_CUDA_API cuMemcpyDtoHAsync_v2(void *to, DevicePointer from, size_t bytes, void *stream);
EMULATED_CUDA_API cuMemcpyDtoDAsync_v2(DevicePointer to, DevicePointer from, size_t bytes, void *stream);
EMULATED_CUDA_API cuMemsetD8_v2(DevicePointer to, unsigned char value, size_t count);
EMULATED_CUDA_API cuMemsetD16_v2(DevicePointer to, unsigned short value, size_t count);
EMULATED_CUDA_API cuMemsetD32_v2(DevicePointer to, unsigned value, size_t count);
EMULATED_CUDA_API cuMemsetD8Async(DevicePointer to, unsigned char value, size_t count, void *stream);
EMULATED_CUDA_API cuMemsetD16Async(DevicePointer to, unsigned short value, size_t count, void *stream);
EMULATED_CUDA_API cuMemsetD32Async(DevicePointer to, unsigned value, size_t count, void *stream);
EMULATED_CUDA_API cuMemAllocManaged(DevicePointer *pointer, size_t bytes, unsigned flags);
EMULATED_CUDA_API cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags);
EMULATED_CUDA_API cuMemHostUnregister(void *pointer);
EMULATED_CUDA_API cuMemHostGetDevicePointer_v2(DevicePointer *device, void *pointer, unsigned flags);
EMULATED_CUDA_API cuMemHostGetFlags(unsigned *flags, void *pointer);
EMULATED_CUDA_API cuMemAdvise(DevicePointer pointer, size_t bytes, int advice, DeviceOrdinal device);
EMULATED_CUDA_API cuMemAdvise_v2(DevicePointer pointer, size_t bytes, int advice, emudriver::MemoryLocation where);
EMULATED_CUDA_API cuMemPrefetchAsync(DevicePointer pointer, size_t bytes, DeviceOrdinal device, void *stream);
EMULATED_CUDA_API cuMemPrefetchAsync_v2(DevicePointer pointer, size_t bytes, emudriver::MemoryLocation where,
                                        unsigned flags, void *stream);
EMULATED_CUDA_API cuPointerGetAttributes(unsigned count, int *attributes, void **data, DevicePointer pointer);
EMULATED_CUDA_API cuMemcpy(DevicePointer to, DevicePointer from, size_t bytes);
EMULATED_CUDA_API cuMemcpyAsync(DevicePointer to, DevicePointer from, size_t bytes, void *stream);
EMULATED_CUDA_API cuMemcpyPeer(DevicePointer to, void *toContext, DevicePointer from, void *fromContext, size_t bytes);
EMULATED_CUDA_API cuMemcpyPeerAsync(DevicePointer to, void *toContext, DevicePointer from, void *fromContext,
                                    size_t bytes, void *stream);
EMULATED_CUDA_API cuMemsetD2D8_v2(DevicePointer to, size_t pitch, unsigned char value, size_t width, size_t height);
EMULATED_CUDA_API cuMemsetD2D16_v2(DevicePointer to, size_t pitch, unsigned short value, size_t width, size_t height);
EMULATED_CUDA_API cuMemsetD2D32_v2(DevicePointer to, size_t pitch, unsigned value, size_t width, size_t height);
EMULATED_CUDA_API cuMemsetD2D8Async(DevicePointer to, size_t pitch, unsigned char value, size_t width, size_t height,
                                    void *stream);
EMULATED_CUDA_API cuMemsetD2D16Async(DevicePointer to, size_t pitch, unsigned short value, size_t width, size_t height,
                                     void *stream);
EMULATED_CUDA_API cuMemsetD2D32Async(DevicePointer to, size_t pitch, unsigned value, size_t width, size_t height,
                                     void *stream);
EMULATED_CUDA_API cuMemcpy2D_v2(const emudriver::Copy2D *params);
EMULATED_CUDA_API cuMemcpy2DUnaligned_v2(const emudriver::Copy2D *params);
EMULATED_CUDA_API cuMemcpy2DAsync_v2(const emudriver::Copy2D *params, void *stream);
EMULATED_CUDA_API cuMemcpy3D_v2(const emudriver::Copy3D *params);
EMULATED_CUDA_API cuMemcpy3DAsync_v2(const emudriver::Copy3D *params, void *stream);
EMULATED_CUDA_API cuMemAllocAsync(DevicePointer *pointer, size_t bytes, void *stream);
EMULATED_CUDA_API cuMemAllocFromPoolAsync(DevicePointer *pointer, size_t bytes, void *pool, void *stream);
EMULATED_CUDA_API cuMemFreeAsync(DevicePointer pointer, void *stream);
EMULATED_CUDA_API cuDeviceGetDefaultMemPool(void **pool, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceGetMemPool(void **pool, DeviceOrdinal device);
EMULATED_CUDA_API cuDeviceSetMemPool(DeviceOrdinal device, void *pool);
EMULATED_CUDA_API cuMemPoolCreate(void **pool, const emudriver::MemoryPoolProps *props);
EMULATED_CUDA_API cuMemPoolDestroy(void *pool);
EMULATED_CUDA_API cuMemPoolGetAttribute(void *pool, int attribute, void *value);
EMULATED_CUDA_API cuMemPoolSetAttribute(void *pool, int attribute, void *value);
EMULATED_CUDA_API cuMemPoolTrimTo(void *pool, size_t bytes);
EMULATED_CUDA_API cuMemPoolSetAccess(void *pool, const void *descriptions, size_t count);
EMULATED_CUDA_API cuMemPoolGetAccess(int *flags, void *pool, emudriver::MemoryLocation *where);
EMULATED_CUDA_API cuMemGetDefaultMemPool(void **pool, const emudriver::MemoryLocation *where, int type);
EMULATED_CUDA_API cuMemGetMemPool(void **pool, const emudriver::MemoryLocation *where, int type);
EMULATED_CUDA_API cuMemSetMemPool(const emudriver::MemoryLocation *where, int type, void *pool);

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuStreamCreate(void **handle, unsigned flags);
EMULATED_CUDA_API cuStreamCreateWithPriority(void **handle, unsigned flags, int priority);
EMULATED_CUDA_API cuStreamDestroy_v2(void *handle);
EMULATED_CUDA_API cuStreamSynchronize(void *handle);
EMULATED_CUDA_API cuStreamQuery(void *handle);
EMULATED_CUDA_API cuStreamWaitEvent(void *handle, void *eventHandle, unsigned flags);
EMULATED_CUDA_API cuStreamGetCtx(void *handle, void **context);
EMULATED_CUDA_API cuStreamGetId(void *handle, unsigned long long *id);
EMULATED_CUDA_API cuStreamGetFlags(void *handle, unsigned *flags);
EMULATED_CUDA_API cuStreamIsCapturing(void *handle, int *status);
EMULATED_CUDA_API cuEventCreate(void **handle, unsigned flags);
EMULATED_CUDA_API cuEventDestroy_v2(void *handle);
EMULATED_CUDA_API cuEventDestroy(void *handle);
EMULATED_CUDA_API cuEventRecord(void *handle, void *streamHandle);
EMULATED_CUDA_API cuEventQuery(void *handle);
EMULATED_CUDA_API cuEventSynchronize(void *handle);
EMULATED_CUDA_API cuEventElapsedTime_v2(float *milliseconds, void *startHandle, void *endHandle);
EMULATED_CUDA_API cuEventElapsedTime(float *milliseconds, void *start, void *end);
EMULATED_CUDA_API cuStreamGetPriority(void *handle, int *priority);
EMULATED_CUDA_API cuStreamGetDevice(void *handle, DeviceOrdinal *device);
EMULATED_CUDA_API cuLaunchHostFunc(void *handle, void (*function)(void *), void *data);
EMULATED_CUDA_API cuStreamAddCallback(void *handle, void (*function)(void *, emudriver::Result, void *), void *data,
                                      unsigned flags);
EMULATED_CUDA_API cuStreamAttachMemAsync(void *handle, DevicePointer pointer, size_t bytes, unsigned flags);
EMULATED_CUDA_API cuEventRecordWithFlags(void *handle, void *streamHandle, unsigned flags);
EMULATED_CUDA_API cuStreamBeginCapture_v2(void *handle, int mode);
EMULATED_CUDA_API cuStreamEndCapture(void *handle, void **graph);
EMULATED_CUDA_API cuStreamGetCaptureInfo_v2(void *handle, int *status, unsigned long long *id, void **graph,
                                            void ***dependencies, size_t *count);
EMULATED_CUDA_API cuStreamGetCaptureInfo_v3(void *handle, int *status, unsigned long long *id, void **graph,
                                            void ***dependencies, const void **edges, size_t *count);
EMULATED_CUDA_API cuThreadExchangeStreamCaptureMode(int *mode);
EMULATED_CUDA_API cuStreamBeginCaptureToGraph(void *handle, void *graph, void **dependencies, const void *edges,
                                              size_t count, int mode);
EMULATED_CUDA_API cuStreamUpdateCaptureDependencies(void *handle, void **dependencies, size_t count, unsigned flags);
EMULATED_CUDA_API cuStreamUpdateCaptureDependencies_v2(void *handle, void **dependencies, const void *edges,
                                                       size_t count, unsigned flags);
EMULATED_CUDA_API cuStreamSetAttribute(void *handle, int attribute, const void *value);
EMULATED_CUDA_API cuStreamGetAttribute(void *handle, int attribute, void *value);
EMULATED_CUDA_API cuStreamGetCtx_v2(void *handle, void **context, void **greenContext);

//===----------------------------------------------------------------------===//
// Modules, libraries, functions, kernels
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuModuleLoadData(void **module, const void *code);
EMULATED_CUDA_API cuModuleLoadDataEx(void **module, const void *code, unsigned, int *, void **);
EMULATED_CUDA_API cuModuleLoadFatBinary(void **module, const void *code);
EMULATED_CUDA_API cuModuleLoad(void **module, const char *path);
EMULATED_CUDA_API cuModuleUnload(void *handle);
EMULATED_CUDA_API cuModuleGetFunction(void **function, void *module, const char *name);
EMULATED_CUDA_API cuModuleGetGlobal_v2(DevicePointer *pointer, size_t *bytes, void *module, const char *name);
EMULATED_CUDA_API cuLibraryLoadData(void **library, const void *code, int *, void **, unsigned, int *, void **,
                                    unsigned);
EMULATED_CUDA_API cuLibraryLoadFromFile(void **library, const char *path, int *, void **, unsigned, int *, void **,
                                        unsigned);
EMULATED_CUDA_API cuLibraryUnload(void *handle);
EMULATED_CUDA_API cuLibraryGetKernel(void **handle, void *libraryHandle, const char *name);
EMULATED_CUDA_API cuLibraryGetModule(void **module, void *library);
EMULATED_CUDA_API cuLibraryGetGlobal(DevicePointer *pointer, size_t *bytes, void *library, const char *name);
EMULATED_CUDA_API cuLibraryGetKernelCount(unsigned *count, void *library);
EMULATED_CUDA_API cuKernelGetFunction(void **function, void *kernel);
EMULATED_CUDA_API cuKernelGetAttribute(int *value, int attribute, void *kernel, DeviceOrdinal device);
EMULATED_CUDA_API cuKernelSetAttribute(int attribute, int value, void *handle, DeviceOrdinal device);
EMULATED_CUDA_API cuKernelGetName(const char **name, void *kernel);
EMULATED_CUDA_API cuKernelGetLibrary(void **library, void *kernel);
EMULATED_CUDA_API cuFuncGetAttribute(int *value, int attribute, void *function);
EMULATED_CUDA_API cuFuncSetAttribute(void *function, int attribute, int value);
EMULATED_CUDA_API cuFuncGetModule(void **module, void *function);
EMULATED_CUDA_API cuFuncGetName(const char **name, void *function);
EMULATED_CUDA_API cuModuleGetFunctionCount(unsigned *count, void *module);
EMULATED_CUDA_API cuModuleEnumerateFunctions(void **functions, unsigned count, void *handle);
EMULATED_CUDA_API cuModuleGetLoadingMode(int *mode);
EMULATED_CUDA_API cuLibraryEnumerateKernels(void **kernels, unsigned count, void *handle);
EMULATED_CUDA_API cuFuncSetCacheConfig(void *function, int config);
EMULATED_CUDA_API cuFuncSetSharedMemConfig(void *function, int config);
EMULATED_CUDA_API cuKernelSetCacheConfig(void *kernel, int config, DeviceOrdinal device);
EMULATED_CUDA_API cuFuncIsLoaded(int *state, void *function);
EMULATED_CUDA_API cuFuncLoad(void *function);
EMULATED_CUDA_API cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes);
EMULATED_CUDA_API cuKernelGetParamInfo(void *kernel, size_t index, size_t *offset, size_t *bytes);

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                 unsigned bz, unsigned sharedBytes, void *stream, void **params, void **extra);
EMULATED_CUDA_API cuLaunchKernel_ptsz(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                      unsigned bz, unsigned sharedBytes, void *stream, void **params, void **extra);
EMULATED_CUDA_API cuLaunchCooperativeKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                                            unsigned by, unsigned bz, unsigned sharedBytes, void *stream,
                                            void **params);
EMULATED_CUDA_API cuLaunchKernelEx(const emudriver::LaunchConfig *config, void *function, void **params, void **extra);
EMULATED_CUDA_API cuLaunchKernelEx_ptsz(const emudriver::LaunchConfig *config, void *function, void **params,
                                        void **extra);
EMULATED_CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *handle, int threads,
                                                              size_t dynamicShared);
EMULATED_CUDA_API cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function, int threads,
                                                                       size_t dynamicShared, unsigned flags);
EMULATED_CUDA_API cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *handle, size_t (*sharedOf)(int),
                                                   size_t dynamicShared, int limit);
EMULATED_CUDA_API cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, void *function,
                                                            size_t (*sharedOf)(int), size_t dynamicShared, int limit,
                                                            unsigned flags);
EMULATED_CUDA_API cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void *handle, int blocks, int threads);
EMULATED_CUDA_API cuOccupancyMaxActiveClusters(int *clusters, void *handle, const emudriver::LaunchConfig *config);
EMULATED_CUDA_API cuOccupancyMaxPotentialClusterSize(int *size, void *handle, const emudriver::LaunchConfig *config);

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuGraphCreate(void **graph, unsigned flags);
EMULATED_CUDA_API cuGraphDestroy(void *handle);
EMULATED_CUDA_API cuGraphAddKernelNode(void **node, void *graph, void **dependencies, size_t count,
                                       const emudriver::KernelNodeParamsV1 *params);
EMULATED_CUDA_API cuGraphAddKernelNode_v2(void **node, void *graph, void **dependencies, size_t count,
                                          const emudriver::KernelNodeParams *params);
EMULATED_CUDA_API cuGraphAddNode_v2(void **node, void *graph, void **dependencies, const void *edges, size_t count,
                                    emudriver::GraphNodeParams *params);
EMULATED_CUDA_API cuGraphAddNode(void **node, void *graph, void **dependencies, size_t count,
                                 emudriver::GraphNodeParams *params);
EMULATED_CUDA_API cuGraphAddEmptyNode(void **node, void *graph, void **dependencies, size_t count);
EMULATED_CUDA_API cuGraphAddMemsetNode(void **node, void *graph, void **dependencies, size_t count,
                                       const emudriver::MemsetNodeParams *params, void *context);
EMULATED_CUDA_API cuGraphAddEventRecordNode(void **node, void *graph, void **dependencies, size_t count, void *event);
EMULATED_CUDA_API cuGraphAddEventWaitNode(void **node, void *graph, void **dependencies, size_t count, void *event);
EMULATED_CUDA_API cuGraphAddMemAllocNode(void **node, void *graph, void **dependencies, size_t count,
                                         emudriver::MemAllocNodeParams *params);
EMULATED_CUDA_API cuGraphAddMemFreeNode(void **node, void *graph, void **dependencies, size_t count,
                                        DevicePointer pointer);
EMULATED_CUDA_API cuGraphKernelNodeSetParams(void *node, const emudriver::KernelNodeParamsV1 *params);
EMULATED_CUDA_API cuGraphKernelNodeSetParams_v2(void *node, const emudriver::KernelNodeParams *params);
EMULATED_CUDA_API cuGraphNodeSetParams(void *node, emudriver::GraphNodeParams *params);
EMULATED_CUDA_API cuGraphKernelNodeGetParams(void *node, emudriver::KernelNodeParamsV1 *params);
EMULATED_CUDA_API cuGraphKernelNodeGetParams_v2(void *node, emudriver::KernelNodeParams *params);
EMULATED_CUDA_API cuGraphKernelNodeSetAttribute(void *handle, int attribute, const void *value);
EMULATED_CUDA_API cuGraphInstantiateWithFlags(void **handle, void *graphHandle, unsigned long long flags);
EMULATED_CUDA_API cuGraphInstantiate_v2(void **exec, void *graph, void **errorNode, char *log, size_t logBytes);
EMULATED_CUDA_API cuGraphExecDestroy(void *handle);
EMULATED_CUDA_API cuGraphExecKernelNodeSetParams(void *exec, void *node, const emudriver::KernelNodeParamsV1 *params);
EMULATED_CUDA_API cuGraphExecKernelNodeSetParams_v2(void *exec, void *node, const emudriver::KernelNodeParams *params);
EMULATED_CUDA_API cuGraphExecNodeSetParams(void *exec, void *node, emudriver::GraphNodeParams *params);
EMULATED_CUDA_API cuGraphLaunch(void *exec, void *stream);
EMULATED_CUDA_API cuGraphLaunch_ptsz(void *exec, void *stream);
EMULATED_CUDA_API cuGraphUpload(void *exec, void *stream);
EMULATED_CUDA_API cuGraphAddMemcpyNode(void **node, void *graph, void **dependencies, size_t count,
                                       const emudriver::Copy3D *params, void *context);
EMULATED_CUDA_API cuGraphAddHostNode(void **node, void *graph, void **dependencies, size_t count,
                                     const emudriver::HostNodeParams *params);
EMULATED_CUDA_API cuGraphAddChildGraphNode(void **node, void *graph, void **dependencies, size_t count, void *child);
EMULATED_CUDA_API cuGraphAddDependencies(void *graphHandle, void **from, void **to, size_t count);
EMULATED_CUDA_API cuGraphAddDependencies_v2(void *graph, void **from, void **to, const void *edges, size_t count);
EMULATED_CUDA_API cuGraphGetNodes(void *graph, void **nodes, size_t *count);
EMULATED_CUDA_API cuGraphGetRootNodes(void *graph, void **nodes, size_t *count);
EMULATED_CUDA_API cuGraphNodeGetDependencies(void *node, void **nodes, size_t *count);
EMULATED_CUDA_API cuGraphNodeGetType(void *node, int *type);
EMULATED_CUDA_API cuGraphInstantiateWithParams(void **exec, void *graph, emudriver::InstantiateParams *params);
EMULATED_CUDA_API cuGraphExecUpdate_v2(void *execHandle, void *graphHandle, emudriver::UpdateResult *info);
EMULATED_CUDA_API cuUserObjectCreate(void **handle, void *data, void (*destroy)(void *), unsigned count,
                                     unsigned flags);
EMULATED_CUDA_API cuUserObjectRetain(void *handle, unsigned count);
EMULATED_CUDA_API cuUserObjectRelease(void *handle, unsigned count);
EMULATED_CUDA_API cuGraphRetainUserObject(void *graph, void *handle, unsigned count, unsigned flags);
EMULATED_CUDA_API cuGraphReleaseUserObject(void *graph, void *handle, unsigned count);
EMULATED_CUDA_API cuGraphNodeGetDependencies_v2(void *node, void **nodes, void *edges, size_t *count);
EMULATED_CUDA_API cuGraphNodeGetDependentNodes(void *node, void **nodes, size_t *count);
EMULATED_CUDA_API cuGraphNodeGetDependentNodes_v2(void *node, void **nodes, void *edges, size_t *count);
EMULATED_CUDA_API cuGraphGetEdges(void *graph, void **from, void **to, size_t *count);
EMULATED_CUDA_API cuGraphGetEdges_v2(void *graph, void **from, void **to, void *edges, size_t *count);
EMULATED_CUDA_API cuGraphDebugDotPrint(void *graph, const char *path, unsigned flags);

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuTensorMapEncodeTiled(emudriver::TensorMapBits *bits, unsigned element, uint32_t rank, void *address,
                                         const uint64_t *size, const uint64_t *stride, const uint32_t *box,
                                         const uint32_t *elementStride, unsigned interleave, unsigned swizzle,
                                         unsigned promotion, unsigned fill);

//===----------------------------------------------------------------------===//
// Functions by name
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuGetProcAddress(const char *name, void **address, int version, uint64_t flags);
EMULATED_CUDA_API cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *status);

#endif // TILEIRAS_EMULATED_API_H
