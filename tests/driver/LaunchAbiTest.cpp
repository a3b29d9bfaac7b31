//===- LaunchAbiTest.cpp - Abi.h says what the launch library says --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The launch library declares the driver's interface for itself. The emulated driver does not take it from there: both
// would be wrong in the same way. What both declare is the same; when this compiles, it passes. AbiTest.cpp compares
// with the toolkit.
//
//===----------------------------------------------------------------------===//

#include "Abi.h"
#include "Driver.h"

namespace ours = emudriver;
namespace theirs = tileiras::cuda;

#define SAME(ourName, theirName) static_assert(static_cast<int>(ours::ourName) == static_cast<int>(theirs::theirName))
#define SAME_NAME(name) SAME(name, name)
#define SAME_OFFSET(type, member) static_assert(offsetof(ours::type, member) == offsetof(theirs::type, member))

SAME_NAME(kInvalidValue);
SAME_NAME(kOutOfMemory);
SAME_NAME(kNotInitialized);
SAME_NAME(kDeinitialized);
SAME_NAME(kNoDevice);
SAME_NAME(kInvalidDevice);
SAME_NAME(kInvalidImage);
SAME_NAME(kInvalidContext);
SAME_NAME(kNoBinaryForGpu);
SAME_NAME(kInvalidHandle);
SAME_NAME(kNotFound);
SAME_NAME(kIllegalAddress);
SAME_NAME(kLaunchOutOfResources);
SAME_NAME(kLaunchTimeout);
SAME_NAME(kContextIsDestroyed);
SAME_NAME(kAssert);
SAME_NAME(kIllegalInstruction);
SAME_NAME(kMisalignedAddress);
SAME_NAME(kLaunchFailed);
SAME_NAME(kInvalidClusterSize);

SAME(kDeviceMaxThreadsPerBlock, kMaximumThreadsPerBlock);
SAME(kDeviceMaxGridX, kMaximumGridX);
SAME(kDeviceMaxGridY, kMaximumGridY);
SAME(kDeviceMaxGridZ, kMaximumGridZ);
SAME(kDeviceClockRate, kClockKilohertz);
SAME(kDeviceMultiprocessors, kMultiprocessorCount);
SAME(kDeviceL2CacheBytes, kL2CacheBytes);
SAME(kDeviceThreadsPerMultiprocessor, kMaximumThreadsPerMultiprocessor);
SAME(kDeviceMajor, kMajor);
SAME(kDeviceMinor, kMinor);
SAME(kDeviceSharedPerMultiprocessor, kMaximumSharedPerMultiprocessor);
SAME(kDeviceSharedPerBlockOptIn, kMaximumSharedPerBlockOptIn);

SAME(kMaxThreadsPerBlock, kFunctionMaximumThreads);
SAME(kSharedBytes, kStaticSharedBytes);
SAME_NAME(kLocalBytes);
SAME_NAME(kRegisters);
SAME_NAME(kBinaryVersion);
SAME(kMaxDynamicSharedBytes, kMaximumDynamicShared);
SAME(kNonPortableClusterSizeAllowed, kNonPortableClusterAllowed);

SAME(kAttributeClusterDimension, kClusterDimension);
static_assert(sizeof(ours::LaunchAttribute) == sizeof(theirs::LaunchAttribute));
SAME_OFFSET(LaunchAttribute, id);
SAME_OFFSET(LaunchAttribute, value);
static_assert(sizeof(ours::LaunchConfig) == sizeof(theirs::LaunchConfig));
SAME_OFFSET(LaunchConfig, grid);
SAME_OFFSET(LaunchConfig, block);
SAME_OFFSET(LaunchConfig, sharedBytes);
SAME_OFFSET(LaunchConfig, stream);
SAME_OFFSET(LaunchConfig, attributes);
SAME_OFFSET(LaunchConfig, attributeCount);
static_assert(sizeof(ours::TensorMapBits) == sizeof(theirs::TensorMap));
static_assert(alignof(ours::TensorMapBits) == alignof(theirs::TensorMap));
static_assert(sizeof(ours::DevicePointer) == sizeof(theirs::DevicePointer));
