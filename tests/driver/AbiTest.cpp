//===- AbiTest.cpp - Abi.h says what the toolkit's cuda.h says -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled where there is a toolkit. When it compiles, it passes.
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include <cuda.h>

// Ours derive from each other, or give members a first value.
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

#define SAME_OFFSET(ours, theirs, our, their) static_assert(offsetof(emudriver::ours, our) == offsetof(theirs, their))
#define SAME_VALUE(ours, theirs) static_assert(static_cast<int>(emudriver::ours) == static_cast<int>(theirs))

static_assert(sizeof(emudriver::LaunchAttribute) == sizeof(CUlaunchAttribute));
SAME_OFFSET(LaunchAttribute, CUlaunchAttribute, value, value);
static_assert(sizeof(emudriver::LaunchConfig) == sizeof(CUlaunchConfig));
SAME_OFFSET(LaunchConfig, CUlaunchConfig, stream, hStream);
SAME_OFFSET(LaunchConfig, CUlaunchConfig, attributes, attrs);
SAME_OFFSET(LaunchConfig, CUlaunchConfig, attributeCount, numAttrs);
static_assert(sizeof(emudriver::KernelNodeParamsV1) == sizeof(CUDA_KERNEL_NODE_PARAMS_v1));
static_assert(sizeof(emudriver::KernelNodeParams) == sizeof(CUDA_KERNEL_NODE_PARAMS_v2));
static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS_v2, kern) == sizeof(emudriver::KernelNodeParamsV1));
SAME_OFFSET(KernelNodeParamsV1, CUDA_KERNEL_NODE_PARAMS_v1, kernelParams, kernelParams);
static_assert(sizeof(emudriver::MemsetNodeParams) == sizeof(CUDA_MEMSET_NODE_PARAMS_v1));
SAME_OFFSET(MemsetNodeParams, CUDA_MEMSET_NODE_PARAMS_v1, width, width);
static_assert(sizeof(emudriver::Copy2D) == sizeof(CUDA_MEMCPY2D));
static_assert(offsetof(emudriver::Copy2D, destination.pitch) == offsetof(CUDA_MEMCPY2D, dstPitch));
SAME_OFFSET(Copy2D, CUDA_MEMCPY2D, width, WidthInBytes);
static_assert(sizeof(emudriver::Copy3D) == sizeof(CUDA_MEMCPY3D));
static_assert(offsetof(emudriver::Copy3D, source.pitch) == offsetof(CUDA_MEMCPY3D, srcPitch));
static_assert(offsetof(emudriver::Copy3D, destination.height) == offsetof(CUDA_MEMCPY3D, dstHeight));
SAME_OFFSET(Copy3D, CUDA_MEMCPY3D, depth, Depth);
static_assert(sizeof(emudriver::HostNodeParams) == sizeof(CUDA_HOST_NODE_PARAMS_v1));
static_assert(sizeof(emudriver::InstantiateParams) == sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS));
SAME_OFFSET(InstantiateParams, CUDA_GRAPH_INSTANTIATE_PARAMS, result, result_out);
static_assert(sizeof(emudriver::UpdateResult) == sizeof(CUgraphExecUpdateResultInfo));
SAME_OFFSET(UpdateResult, CUgraphExecUpdateResultInfo, from, errorFromNode);
static_assert(sizeof(emudriver::MemoryPoolProps) == sizeof(CUmemPoolProps));
SAME_OFFSET(MemoryPoolProps, CUmemPoolProps, locationType, location);
static_assert(sizeof(emudriver::MemoryLocation) == sizeof(CUmemLocation));
static_assert(sizeof(emudriver::Uuid) == sizeof(CUuuid));
static_assert(sizeof(emudriver::MemAllocNodeParams) == sizeof(CUDA_MEM_ALLOC_NODE_PARAMS_v1));
SAME_OFFSET(MemAllocNodeParams, CUDA_MEM_ALLOC_NODE_PARAMS_v1, pointer, dptr);
static_assert(sizeof(emudriver::GraphNodeParams) == sizeof(CUgraphNodeParams));
SAME_OFFSET(GraphNodeParams, CUgraphNodeParams, kernel, kernel);
static_assert(sizeof(emudriver::TensorMapBits) == sizeof(CUtensorMap));

SAME_VALUE(kInvalidImage, CUDA_ERROR_INVALID_IMAGE);
SAME_VALUE(kNoBinaryForGpu, CUDA_ERROR_NO_BINARY_FOR_GPU);
SAME_VALUE(kInvalidPtx, CUDA_ERROR_INVALID_PTX);
SAME_VALUE(kIllegalAddress, CUDA_ERROR_ILLEGAL_ADDRESS);
SAME_VALUE(kAssert, CUDA_ERROR_ASSERT);
SAME_VALUE(kLaunchFailed, CUDA_ERROR_LAUNCH_FAILED);
SAME_VALUE(kContextIsDestroyed, CUDA_ERROR_CONTEXT_IS_DESTROYED);
SAME_VALUE(kInvalidClusterSize, CUDA_ERROR_INVALID_CLUSTER_SIZE);
SAME_VALUE(kNotPermitted, CUDA_ERROR_NOT_PERMITTED);
SAME_VALUE(kCooperativeLaunchTooLarge, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
SAME_VALUE(kMaxDynamicSharedBytes, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(kRequiredClusterWidth, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
SAME_VALUE(kNonPortableClusterSizeAllowed, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
SAME_VALUE(kClusterSchedulingPolicy, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE);
SAME_VALUE(kPeerAccessUnsupported, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
SAME_VALUE(kFileNotFound, CUDA_ERROR_FILE_NOT_FOUND);
SAME_VALUE(kHostMemoryAlreadyRegistered, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
SAME_VALUE(kHostMemoryNotRegistered, CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
SAME_VALUE(kCaptureUnsupported, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
SAME_VALUE(kCaptureUnmatched, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
SAME_VALUE(kCaptureUnjoined, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
SAME_VALUE(kGraphExecUpdateFailure, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
SAME_VALUE(kDeviceConstantBytes, CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
SAME_VALUE(kDeviceMaxPitch, CU_DEVICE_ATTRIBUTE_MAX_PITCH);
SAME_VALUE(kDeviceTextureAlignment, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
SAME_VALUE(kDeviceCanMapHostMemory, CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
SAME_VALUE(kDeviceConcurrentKernels, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS);
SAME_VALUE(kDeviceMemoryClockRate, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
SAME_VALUE(kDeviceMemoryBusBits, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
SAME_VALUE(kDeviceManagedMemory, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY);
SAME_VALUE(kDeviceConcurrentManagedAccess, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS);
SAME_VALUE(kDeviceHostPointerForRegistered, CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM);
SAME_VALUE(kDeviceHostRegister, CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED);
SAME_VALUE(kDeviceMemoryPools, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED);
SAME_VALUE(kPointerBufferId, CU_POINTER_ATTRIBUTE_BUFFER_ID);
SAME_VALUE(kPointerIsMapped, CU_POINTER_ATTRIBUTE_MAPPED);
SAME_VALUE(kPointerMemoryPool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE);
SAME_VALUE(kMemcpyNode, CU_GRAPH_NODE_TYPE_MEMCPY);
SAME_VALUE(kHostNode, CU_GRAPH_NODE_TYPE_HOST);
SAME_VALUE(kChildGraphNode, CU_GRAPH_NODE_TYPE_GRAPH);
SAME_VALUE(kDeviceMajor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(kDeviceSharedPerBlockOptIn, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
SAME_VALUE(kDeviceReservedSharedPerBlock, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
SAME_VALUE(kDeviceBlocksPerMultiprocessor, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
SAME_VALUE(kDeviceClusterLaunch, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH);
SAME_VALUE(kDeviceTensorMapAccess, CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED);
SAME_VALUE(kPointerRangeBytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE);
SAME_VALUE(kAttributeClusterDimension, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME_VALUE(kAttributeCooperative, CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
SAME_VALUE(kMemsetNode, CU_GRAPH_NODE_TYPE_MEMSET);
SAME_VALUE(kMemFreeNode, CU_GRAPH_NODE_TYPE_MEM_FREE);
SAME_VALUE(kSymbolVersionNotSufficient, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
