//===- ProcAddress.cpp - Functions by name and version -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include <cstring>

using namespace emudriver;

namespace emudriver {

/// A function as cuGetProcAddress knows it: its name without a suffix, and the CUDA version that brought this form.
struct VersionedFunction {
  const char *name;
  int since;
  void *address;
  bool isPerThread = false; ///< null is the calling thread's default stream
};

#define EMULATED_CUDA_ADDRESS(function) reinterpret_cast<void *>(&function)
static const VersionedFunction functions[] = {
    {"cuCtxCreate", 3020, EMULATED_CUDA_ADDRESS(cuCtxCreate_v2)},
    {"cuCtxDestroy", 4000, EMULATED_CUDA_ADDRESS(cuCtxDestroy_v2)},
    {"cuCtxGetApiVersion", 3020, EMULATED_CUDA_ADDRESS(cuCtxGetApiVersion)},
    {"cuCtxGetCurrent", 4000, EMULATED_CUDA_ADDRESS(cuCtxGetCurrent)},
    {"cuCtxGetDevice", 2000, EMULATED_CUDA_ADDRESS(cuCtxGetDevice)},
    {"cuCtxGetDevice", 13000, EMULATED_CUDA_ADDRESS(cuCtxGetDevice_v2)},
    {"cuCtxGetId", 12000, EMULATED_CUDA_ADDRESS(cuCtxGetId)},
    {"cuCtxPopCurrent", 4000, EMULATED_CUDA_ADDRESS(cuCtxPopCurrent_v2)},
    {"cuCtxPushCurrent", 4000, EMULATED_CUDA_ADDRESS(cuCtxPushCurrent_v2)},
    {"cuCtxSetCurrent", 4000, EMULATED_CUDA_ADDRESS(cuCtxSetCurrent)},
    {"cuCtxGetLimit", 3010, EMULATED_CUDA_ADDRESS(cuCtxGetLimit)},
    {"cuCtxSetLimit", 3010, EMULATED_CUDA_ADDRESS(cuCtxSetLimit)},
    {"cuCtxSynchronize", 2000, EMULATED_CUDA_ADDRESS(cuCtxSynchronize)},
    {"cuCtxSynchronize", 13000, EMULATED_CUDA_ADDRESS(cuCtxSynchronize_v2)},
    {"cuDeviceGet", 2000, EMULATED_CUDA_ADDRESS(cuDeviceGet)},
    {"cuDeviceGetAttribute", 2000, EMULATED_CUDA_ADDRESS(cuDeviceGetAttribute)},
    {"cuDeviceGetCount", 2000, EMULATED_CUDA_ADDRESS(cuDeviceGetCount)},
    {"cuDeviceGetName", 2000, EMULATED_CUDA_ADDRESS(cuDeviceGetName)},
    {"cuDevicePrimaryCtxGetState", 7000, EMULATED_CUDA_ADDRESS(cuDevicePrimaryCtxGetState)},
    {"cuDevicePrimaryCtxRelease", 11000, EMULATED_CUDA_ADDRESS(cuDevicePrimaryCtxRelease_v2)},
    {"cuDevicePrimaryCtxRetain", 7000, EMULATED_CUDA_ADDRESS(cuDevicePrimaryCtxRetain)},
    {"cuDeviceTotalMem", 3020, EMULATED_CUDA_ADDRESS(cuDeviceTotalMem_v2)},
    {"cuDriverGetVersion", 2020, EMULATED_CUDA_ADDRESS(cuDriverGetVersion)},
    {"cuEventCreate", 2000, EMULATED_CUDA_ADDRESS(cuEventCreate)},
    {"cuEventDestroy", 2000, EMULATED_CUDA_ADDRESS(cuEventDestroy)},
    {"cuEventDestroy", 4000, EMULATED_CUDA_ADDRESS(cuEventDestroy_v2)},
    {"cuEventElapsedTime", 2000, EMULATED_CUDA_ADDRESS(cuEventElapsedTime)},
    {"cuEventElapsedTime", 12080, EMULATED_CUDA_ADDRESS(cuEventElapsedTime_v2)},
    {"cuEventQuery", 2000, EMULATED_CUDA_ADDRESS(cuEventQuery)},
    {"cuEventRecord", 2000, EMULATED_CUDA_ADDRESS(cuEventRecord)},
    {"cuEventSynchronize", 2000, EMULATED_CUDA_ADDRESS(cuEventSynchronize)},
    {"cuFuncGetAttribute", 2020, EMULATED_CUDA_ADDRESS(cuFuncGetAttribute)},
    {"cuFuncGetModule", 11000, EMULATED_CUDA_ADDRESS(cuFuncGetModule)},
    {"cuFuncGetName", 12030, EMULATED_CUDA_ADDRESS(cuFuncGetName)},
    {"cuFuncSetAttribute", 9000, EMULATED_CUDA_ADDRESS(cuFuncSetAttribute)},
    {"cuGetErrorName", 6000, EMULATED_CUDA_ADDRESS(cuGetErrorName)},
    {"cuGetErrorString", 6000, EMULATED_CUDA_ADDRESS(cuGetErrorString)},
    {"cuGetProcAddress", 11030, EMULATED_CUDA_ADDRESS(cuGetProcAddress)},
    {"cuGetProcAddress", 12000, EMULATED_CUDA_ADDRESS(cuGetProcAddress_v2)},
    {"cuGraphAddEmptyNode", 10000, EMULATED_CUDA_ADDRESS(cuGraphAddEmptyNode)},
    {"cuGraphAddEventRecordNode", 11010, EMULATED_CUDA_ADDRESS(cuGraphAddEventRecordNode)},
    {"cuGraphAddEventWaitNode", 11010, EMULATED_CUDA_ADDRESS(cuGraphAddEventWaitNode)},
    {"cuGraphAddKernelNode", 10000, EMULATED_CUDA_ADDRESS(cuGraphAddKernelNode)},
    {"cuGraphAddKernelNode", 12000, EMULATED_CUDA_ADDRESS(cuGraphAddKernelNode_v2)},
    {"cuGraphAddMemAllocNode", 11040, EMULATED_CUDA_ADDRESS(cuGraphAddMemAllocNode)},
    {"cuGraphAddMemFreeNode", 11040, EMULATED_CUDA_ADDRESS(cuGraphAddMemFreeNode)},
    {"cuGraphAddMemsetNode", 10000, EMULATED_CUDA_ADDRESS(cuGraphAddMemsetNode)},
    {"cuGraphAddNode", 12020, EMULATED_CUDA_ADDRESS(cuGraphAddNode)},
    {"cuGraphAddNode", 12030, EMULATED_CUDA_ADDRESS(cuGraphAddNode_v2)},
    {"cuGraphCreate", 10000, EMULATED_CUDA_ADDRESS(cuGraphCreate)},
    {"cuGraphDestroy", 10000, EMULATED_CUDA_ADDRESS(cuGraphDestroy)},
    {"cuGraphExecDestroy", 10000, EMULATED_CUDA_ADDRESS(cuGraphExecDestroy)},
    {"cuGraphExecKernelNodeSetParams", 10010, EMULATED_CUDA_ADDRESS(cuGraphExecKernelNodeSetParams)},
    {"cuGraphExecKernelNodeSetParams", 12000, EMULATED_CUDA_ADDRESS(cuGraphExecKernelNodeSetParams_v2)},
    {"cuGraphExecNodeSetParams", 12020, EMULATED_CUDA_ADDRESS(cuGraphExecNodeSetParams)},
    {"cuGraphInstantiate", 11000, EMULATED_CUDA_ADDRESS(cuGraphInstantiate_v2)},
    {"cuGraphInstantiate", 12000, EMULATED_CUDA_ADDRESS(cuGraphInstantiateWithFlags)},
    {"cuGraphInstantiateWithFlags", 11040, EMULATED_CUDA_ADDRESS(cuGraphInstantiateWithFlags)},
    {"cuGraphKernelNodeGetParams", 10000, EMULATED_CUDA_ADDRESS(cuGraphKernelNodeGetParams)},
    {"cuGraphKernelNodeGetParams", 12000, EMULATED_CUDA_ADDRESS(cuGraphKernelNodeGetParams_v2)},
    {"cuGraphKernelNodeSetAttribute", 11000, EMULATED_CUDA_ADDRESS(cuGraphKernelNodeSetAttribute)},
    {"cuGraphKernelNodeSetParams", 10000, EMULATED_CUDA_ADDRESS(cuGraphKernelNodeSetParams)},
    {"cuGraphKernelNodeSetParams", 12000, EMULATED_CUDA_ADDRESS(cuGraphKernelNodeSetParams_v2)},
    {"cuGraphLaunch", 10000, EMULATED_CUDA_ADDRESS(cuGraphLaunch)},
    {"cuGraphLaunch", 10000, EMULATED_CUDA_ADDRESS(cuGraphLaunch_ptsz), true},
    {"cuGraphNodeSetParams", 12020, EMULATED_CUDA_ADDRESS(cuGraphNodeSetParams)},
    {"cuGraphUpload", 11010, EMULATED_CUDA_ADDRESS(cuGraphUpload)},
    {"cuInit", 2000, EMULATED_CUDA_ADDRESS(cuInit)},
    {"cuIpcCloseMemHandle", 4010, EMULATED_CUDA_ADDRESS(cuIpcCloseMemHandle)},
    {"cuIpcGetMemHandle", 4010, EMULATED_CUDA_ADDRESS(cuIpcGetMemHandle)},
    {"cuIpcOpenMemHandle", 4010, EMULATED_CUDA_ADDRESS(cuIpcOpenMemHandle)},
    {"cuIpcOpenMemHandle", 11000, EMULATED_CUDA_ADDRESS(cuIpcOpenMemHandle_v2)},
    {"cuKernelGetAttribute", 12000, EMULATED_CUDA_ADDRESS(cuKernelGetAttribute)},
    {"cuKernelGetFunction", 12000, EMULATED_CUDA_ADDRESS(cuKernelGetFunction)},
    {"cuKernelGetLibrary", 12050, EMULATED_CUDA_ADDRESS(cuKernelGetLibrary)},
    {"cuKernelGetName", 12030, EMULATED_CUDA_ADDRESS(cuKernelGetName)},
    {"cuKernelSetAttribute", 12000, EMULATED_CUDA_ADDRESS(cuKernelSetAttribute)},
    {"cuLaunchCooperativeKernel", 9000, EMULATED_CUDA_ADDRESS(cuLaunchCooperativeKernel)},
    {"cuLaunchKernel", 4000, EMULATED_CUDA_ADDRESS(cuLaunchKernel)},
    {"cuLaunchKernel", 7000, EMULATED_CUDA_ADDRESS(cuLaunchKernel_ptsz), true},
    {"cuLaunchKernelEx", 11060, EMULATED_CUDA_ADDRESS(cuLaunchKernelEx)},
    {"cuLaunchKernelEx", 11060, EMULATED_CUDA_ADDRESS(cuLaunchKernelEx_ptsz), true},
    {"cuLibraryGetGlobal", 12000, EMULATED_CUDA_ADDRESS(cuLibraryGetGlobal)},
    {"cuLibraryGetKernel", 12000, EMULATED_CUDA_ADDRESS(cuLibraryGetKernel)},
    {"cuLibraryGetKernelCount", 12040, EMULATED_CUDA_ADDRESS(cuLibraryGetKernelCount)},
    {"cuLibraryGetModule", 12000, EMULATED_CUDA_ADDRESS(cuLibraryGetModule)},
    {"cuLibraryLoadData", 12000, EMULATED_CUDA_ADDRESS(cuLibraryLoadData)},
    {"cuLibraryLoadFromFile", 12000, EMULATED_CUDA_ADDRESS(cuLibraryLoadFromFile)},
    {"cuLibraryUnload", 12000, EMULATED_CUDA_ADDRESS(cuLibraryUnload)},
    {"cuMemAlloc", 3020, EMULATED_CUDA_ADDRESS(cuMemAlloc_v2)},
    {"cuMemAllocHost", 3020, EMULATED_CUDA_ADDRESS(cuMemAllocHost_v2)},
    {"cuMemFree", 3020, EMULATED_CUDA_ADDRESS(cuMemFree_v2)},
    {"cuMemFreeHost", 2000, EMULATED_CUDA_ADDRESS(cuMemFreeHost)},
    {"cuMemGetAddressRange", 3020, EMULATED_CUDA_ADDRESS(cuMemGetAddressRange_v2)},
    {"cuMemGetInfo", 3020, EMULATED_CUDA_ADDRESS(cuMemGetInfo_v2)},
    {"cuMemHostAlloc", 2020, EMULATED_CUDA_ADDRESS(cuMemHostAlloc)},
    {"cuMemcpyDtoD", 3020, EMULATED_CUDA_ADDRESS(cuMemcpyDtoD_v2)},
    {"cuMemcpyDtoDAsync", 3020, EMULATED_CUDA_ADDRESS(cuMemcpyDtoDAsync_v2)},
    {"cuMemcpyDtoH", 3020, EMULATED_CUDA_ADDRESS(cuMemcpyDtoH_v2)},
    {"cuMemcpyDtoHAsync", 3020, EMULATED_CUDA_ADDRESS(cuMemcpyDtoHAsync_v2)},
    {"cuMemcpyHtoD", 3020, EMULATED_CUDA_ADDRESS(cuMemcpyHtoD_v2)},
    {"cuMemcpyHtoDAsync", 3020, EMULATED_CUDA_ADDRESS(cuMemcpyHtoDAsync_v2)},
    {"cuMemsetD16", 3020, EMULATED_CUDA_ADDRESS(cuMemsetD16_v2)},
    {"cuMemsetD16Async", 3020, EMULATED_CUDA_ADDRESS(cuMemsetD16Async)},
    {"cuMemsetD32", 3020, EMULATED_CUDA_ADDRESS(cuMemsetD32_v2)},
    {"cuMemsetD32Async", 3020, EMULATED_CUDA_ADDRESS(cuMemsetD32Async)},
    {"cuMemsetD8", 3020, EMULATED_CUDA_ADDRESS(cuMemsetD8_v2)},
    {"cuMemsetD8Async", 3020, EMULATED_CUDA_ADDRESS(cuMemsetD8Async)},
    {"cuModuleGetFunction", 2000, EMULATED_CUDA_ADDRESS(cuModuleGetFunction)},
    {"cuModuleGetGlobal", 3020, EMULATED_CUDA_ADDRESS(cuModuleGetGlobal_v2)},
    {"cuModuleLoad", 2000, EMULATED_CUDA_ADDRESS(cuModuleLoad)},
    {"cuModuleLoadData", 2000, EMULATED_CUDA_ADDRESS(cuModuleLoadData)},
    {"cuModuleLoadDataEx", 2010, EMULATED_CUDA_ADDRESS(cuModuleLoadDataEx)},
    {"cuModuleLoadFatBinary", 2000, EMULATED_CUDA_ADDRESS(cuModuleLoadFatBinary)},
    {"cuModuleUnload", 2000, EMULATED_CUDA_ADDRESS(cuModuleUnload)},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050,
     EMULATED_CUDA_ADDRESS(cuOccupancyMaxActiveBlocksPerMultiprocessor)},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 7000,
     EMULATED_CUDA_ADDRESS(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)},
    {"cuPointerGetAttribute", 4000, EMULATED_CUDA_ADDRESS(cuPointerGetAttribute)},
    {"cuStreamCreate", 2000, EMULATED_CUDA_ADDRESS(cuStreamCreate)},
    {"cuStreamCreateWithPriority", 5050, EMULATED_CUDA_ADDRESS(cuStreamCreateWithPriority)},
    {"cuStreamDestroy", 4000, EMULATED_CUDA_ADDRESS(cuStreamDestroy_v2)},
    {"cuStreamGetCtx", 9020, EMULATED_CUDA_ADDRESS(cuStreamGetCtx)},
    {"cuStreamGetFlags", 5050, EMULATED_CUDA_ADDRESS(cuStreamGetFlags)},
    {"cuStreamGetId", 12000, EMULATED_CUDA_ADDRESS(cuStreamGetId)},
    {"cuStreamIsCapturing", 10000, EMULATED_CUDA_ADDRESS(cuStreamIsCapturing)},
    {"cuStreamQuery", 2000, EMULATED_CUDA_ADDRESS(cuStreamQuery)},
    {"cuStreamSynchronize", 2000, EMULATED_CUDA_ADDRESS(cuStreamSynchronize)},
    {"cuStreamWaitEvent", 3020, EMULATED_CUDA_ADDRESS(cuStreamWaitEvent)},
    {"cuTensorMapEncodeTiled", 12000, EMULATED_CUDA_ADDRESS(cuTensorMapEncodeTiled)},
};
#undef EMULATED_CUDA_ADDRESS

/// The newest form that `version` has; null: none, and *status says why.
static void *findFunction(const char *name, int version, bool perThread, int &status) {
  const VersionedFunction *best = nullptr;
  status = kSymbolNotFound;
  for (const VersionedFunction &f : functions) {
    if (std::strcmp(f.name, name) != 0 || (f.isPerThread && !perThread))
      continue;
    if (f.since > version) {
      status = best ? status : kSymbolVersionNotSufficient;
    } else if (!best || (f.isPerThread && !best->isPerThread) ||
               (f.isPerThread == best->isPerThread && f.since > best->since)) {
      best = &f;
      status = kSymbolFound;
    }
  }
  return best ? best->address : nullptr;
}

} // namespace emudriver

// As the first version, which has no status: that it answers CUDA_ERROR_NOT_FOUND is known of drivers of CUDA 11.
EMULATED_CUDA_API cuGetProcAddress(const char *name, void **address, int version, uint64_t flags) {
  return callBeforeInit("cuGetProcAddress", [&] {
    int status = kSymbolFound;
    const Result result = cuGetProcAddress_v2(name, address, version, flags, &status);
    require(result == kSuccess, result, "see above");
    require(status == kSymbolFound, kNotFound, std::string("no function '") + name + "'");
  });
}

EMULATED_CUDA_API cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags, int *status) {
  return callBeforeInit("cuGetProcAddress", [&] {
    constexpr uint64_t kLegacy = 1, kPerThread = 2;
    require(name && address, kInvalidValue, "a null pointer");
    require(flags == 0 || flags == kLegacy || flags == kPerThread, kInvalidValue, "unknown flags");
    *address = nullptr;
    // CUDA driver API: a version beyond the driver's is an invalid value; a name it does not have is none.
    require(version <= Configuration::get().version, kInvalidValue,
            "CUDA " + std::to_string(version) + " is newer than the driver, " +
                std::to_string(Configuration::get().version));
    int found = kSymbolNotFound;
    *address = findFunction(name, version, flags == kPerThread, found);
    if (!*address && Configuration::get().verbose)
      say(std::string("cuGetProcAddress: the emulated driver has no '") + name + "' of CUDA " +
          std::to_string(version));
    if (status)
      *status = found;
  });
}
