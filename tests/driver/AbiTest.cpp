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
