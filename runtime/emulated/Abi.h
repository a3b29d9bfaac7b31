//===- Abi.h - The CUDA driver's binary interface ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the emulated driver and its clients have to agree on, declared here so that both build without a toolkit. Where
// there is one, AbiTest.cpp compares sizes, offsets and values with its cuda.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_ABI_H
#define TILEIRAS_EMULATED_ABI_H

#include <cstddef>
#include <cstdint>

namespace emudriver {

using DevicePointer = unsigned long long;
using DeviceOrdinal = int;

enum Result : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kNoBinaryForGpu = 209,
  kUnsupportedLimit = 215,
  kInvalidPtx = 218,
  kUnsupportedPtxVersion = 222,
  kInvalidHandle = 400,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeout = 702,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kIllegalInstruction = 715,
  kMisalignedAddress = 716,
  kLaunchFailed = 719,
  kCooperativeLaunchTooLarge = 720,
  kPeerAccessUnsupported = 217,
  kFileNotFound = 301,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kNotPermitted = 800,
  kNotSupported = 801,
  kCaptureUnsupported = 900,
  kCaptureUnmatched = 903,
  kCaptureUnjoined = 904,
  kGraphExecUpdateFailure = 910,
  kInvalidClusterSize = 912,
  kUnknown = 999
};

enum FunctionAttribute : int {
  kMaxThreadsPerBlock = 0,
  kSharedBytes = 1,
  kConstBytes = 2,
  kLocalBytes = 3,
  kRegisters = 4,
  kPtxVersion = 5,
  kBinaryVersion = 6,
  kCacheModeCa = 7,
  kMaxDynamicSharedBytes = 8,
  kPreferredCarveout = 9,
  kClusterSizeMustBeSet = 10,
  kRequiredClusterWidth = 11,
  kRequiredClusterHeight = 12,
  kRequiredClusterDepth = 13,
  kNonPortableClusterSizeAllowed = 14,
  kClusterSchedulingPolicy = 15
};

enum DeviceAttribute : int {
  kDeviceMaxThreadsPerBlock = 1,
  kDeviceMaxBlockX = 2,
  kDeviceMaxBlockY = 3,
  kDeviceMaxBlockZ = 4,
  kDeviceMaxGridX = 5,
  kDeviceMaxGridY = 6,
  kDeviceMaxGridZ = 7,
  kDeviceSharedPerBlock = 8,
  kDeviceConstantBytes = 9,
  kDeviceWarpSize = 10,
  kDeviceMaxPitch = 11,
  kDeviceRegistersPerBlock = 12,
  kDeviceClockRate = 13,
  kDeviceTextureAlignment = 14,
  kDeviceMultiprocessors = 16,
  kDeviceMemoryClockRate = 36,
  kDeviceMemoryBusBits = 37,
  kDeviceL2CacheBytes = 38,
  kDeviceThreadsPerMultiprocessor = 39,
  kDeviceCanMapHostMemory = 19,
  kDeviceConcurrentKernels = 31,
  kDeviceUnifiedAddressing = 41,
  kDeviceManagedMemory = 83,
  kDeviceConcurrentManagedAccess = 89,
  kDeviceHostPointerForRegistered = 91,
  kDeviceHostRegister = 99,
  kDeviceMemoryPools = 115,
  kDeviceMajor = 75,
  kDeviceMinor = 76,
  kDeviceSharedPerMultiprocessor = 81,
  kDeviceRegistersPerMultiprocessor = 82,
  kDeviceCooperativeLaunch = 95,
  kDeviceSharedPerBlockOptIn = 97,
  kDeviceBlocksPerMultiprocessor = 106,
  kDeviceReservedSharedPerBlock = 111,
  kDeviceClusterLaunch = 120,
  kDeviceTensorMapAccess = 127
};

enum PointerAttribute : int {
  kPointerContext = 1,
  kPointerMemoryType = 2,
  kPointerDevicePointer = 3,
  kPointerHostPointer = 4,
  kPointerIsManaged = 8,
  kPointerDeviceOrdinal = 9,
  kPointerBufferId = 7,
  kPointerRangeStart = 11,
  kPointerRangeBytes = 12,
  kPointerIsMapped = 13,
  kPointerMemoryPool = 17
};
/// How many limits cuCtxSetLimit knows.
constexpr int kLimits = 7;
constexpr unsigned kMemoryTypeHost = 1, kMemoryTypeDevice = 2, kMemoryTypeArray = 3, kMemoryTypeUnified = 4;

/// The bits of the values of streams that are no handles.
constexpr uintptr_t kLegacyStream = 1, kPerThreadStream = 2;
constexpr unsigned kStreamNonBlocking = 1;
constexpr unsigned kEventDisableTiming = 2;

/// `extra` of a launch: key and value alternately.
constexpr uintptr_t kLaunchEnd = 0, kLaunchBufferPointer = 1, kLaunchBufferSize = 2;

enum LaunchAttributeId : int { kAttributeIgnore = 0, kAttributeCooperative = 2, kAttributeClusterDimension = 4 };

struct LaunchAttribute {
  int id = 0;
  char pad[4] = {};
  union {
    char bytes[64];
    unsigned dimensions[3];
    int cooperative;
    uint64_t align;
  } value = {};
};

struct LaunchConfig {
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  void *stream = nullptr;
  LaunchAttribute *attributes = nullptr;
  unsigned attributeCount = 0;
};

/// Of cuGraphAddKernelNode; the second version goes on with what is in KernelNodeParams.
struct KernelNodeParamsV1 {
  void *function = nullptr;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned sharedBytes = 0;
  void **kernelParams = nullptr;
  void **extra = nullptr;
};
struct KernelNodeParams : KernelNodeParamsV1 {
  void *kernel = nullptr; ///< where `function` is null
  void *context = nullptr;
};

struct MemsetNodeParams {
  DevicePointer destination = 0;
  size_t pitch = 0; ///< bytes
  unsigned value = 0;
  unsigned elementSize = 1; ///< bytes: 1, 2, 4
  size_t width = 0;         ///< elements
  size_t height = 0;        ///< rows
};

/// One side of a copy of rows.
struct CopySide2D {
  size_t x = 0, y = 0; ///< bytes, rows
  unsigned memoryType = 0;
  void *host = nullptr;
  DevicePointer device = 0;
  void *array = nullptr;
  size_t pitch = 0; ///< bytes
};
struct Copy2D {
  CopySide2D source, destination;
  size_t width = 0, height = 0; ///< bytes, rows
};
struct CopySide3D {
  size_t x = 0, y = 0, z = 0, level = 0;
  unsigned memoryType = 0;
  void *host = nullptr;
  DevicePointer device = 0;
  void *array = nullptr, *reserved = nullptr;
  size_t pitch = 0, height = 0; ///< bytes, rows
};
struct Copy3D {
  CopySide3D source, destination;
  size_t width = 0, height = 0, depth = 0; ///< bytes, rows, slices
};
struct HostNodeParams {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};
struct InstantiateParams {
  unsigned long long flags = 0;
  void *uploadStream = nullptr, *errorNode = nullptr;
  int result = 0; ///< 0: CUDA_GRAPH_INSTANTIATE_SUCCESS
};
struct UpdateResult {
  int result = 0; ///< 0: CU_GRAPH_EXEC_UPDATE_SUCCESS
  void *node = nullptr, *from = nullptr;
};
/// What managed memory is advised about.
struct MemoryLocation {
  int type = 0, id = 0;
};
struct Uuid {
  char bytes[16];
};

struct MemoryPoolProps {
  int allocationType = 1, handleTypes = 0;
  int locationType = 1, locationId = 0;
  void *win32SecurityAttributes = nullptr;
  size_t maxSize = 0;
  unsigned short usage = 0;
  unsigned char reserved[54] = {};
};
struct MemAllocNodeParams {
  MemoryPoolProps pool;
  const void *accessDescriptions = nullptr;
  size_t accessDescriptionCount = 0;
  size_t bytes = 0;
  DevicePointer pointer = 0; ///< out
};

enum GraphNodeType : int {
  kKernelNode = 0,
  kMemcpyNode = 1,
  kMemsetNode = 2,
  kHostNode = 3,
  kChildGraphNode = 4,
  kEmptyNode = 5,
  kWaitEventNode = 6,
  kEventRecordNode = 7,
  kMemAllocNode = 10,
  kMemFreeNode = 11
};
struct GraphNodeParams {
  int type = kKernelNode;
  int reserved[3] = {};
  union {
    KernelNodeParams kernel = {};
    long long words[29];
  };
  long long reserved2 = 0;
};

struct IpcMemHandle {
  char reserved[64];
};

struct alignas(64) TensorMapBits {
  uint64_t opaque[16];
};

enum ProcAddressStatus : int { kSymbolFound = 0, kSymbolNotFound = 1, kSymbolVersionNotSufficient = 2 };

} // namespace emudriver

#endif // TILEIRAS_EMULATED_ABI_H
