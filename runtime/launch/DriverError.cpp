//===- DriverError.cpp - What the driver's errors mean --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DriverError.h"

using namespace tileiras::cuda;

bool tileiras::cuda::isSticky(Result result) {
  switch (result) {
  case kIllegalAddress:
  case kLaunchTimeout:
  case kAssert:
  case kHardwareStackError:
  case kIllegalInstruction:
  case kMisalignedAddress:
  case kInvalidAddressSpace:
  case kInvalidProgramCounter:
  case kLaunchFailed:
  case kTensorMemoryLeak:
    return true;
  default:
    return false;
  }
}

static const char *causeOfFailure(Result result) {
  switch (result) {
  case kIllegalAddress:
    return "read or wrote an address that no allocation has";
  case kLaunchTimeout:
    return "ran longer than the display's watchdog allows";
  case kAssert:
    return "failed an assertion, whose text is on the program's standard output";
  case kIllegalInstruction:
    return "met an illegal instruction, as a trap of its own is";
  case kMisalignedAddress:
    return "used an address that is not aligned";
  case kTensorMemoryLeak:
    return "ended without freeing its tensor memory";
  default:
    return "failed on the GPU";
  }
}

std::string tileiras::cuda::explain(Result result) {
  if (isSticky(result))
    return std::string("a kernel that was launched earlier ") + causeOfFailure(result) +
           ". The context is lost: every call fails from now on, only a new process (or cuDevicePrimaryCtxReset) "
           "helps. "
           "To find the kernel, wait after each launch (CUDA_LAUNCH_BLOCKING=1); compute-sanitizer, or the emulator "
           "(tileiras-run --on emulator), says where it goes wrong";
  switch (result) {
  case kOutOfMemory:
    return "the GPU has too little free memory: free buffers, or unload modules, before; nvidia-smi shows who else "
           "uses "
           "it";
  case kNoDevice:
    return "the driver sees no GPU: nvidia-smi lists them; CUDA_VISIBLE_DEVICES, or a container without its GPUs, "
           "hides "
           "them";
  case kDeinitialized:
    return "the driver has been shut down, because the process ends: finish work on the GPU before main returns";
  case kInvalidImage:
    return "the driver cannot read the image: it is damaged, or made by a toolkit that is newer than the driver";
  case kInvalidContext:
  case kContextIsDestroyed:
    return "the context is gone, or is not the one in which the module was loaded";
  case kInvalidHandle:
    return "stream and module belong to different contexts, or one of them is gone";
  case kLaunchOutOfResources:
    return "a block takes more registers or shared memory than the GPU has: compile with fewer warps or smaller tiles";
  case kInvalidClusterSize:
    return "the GPU cannot run clusters of this size: compile with a smaller cluster size";
  case kStreamCaptureUnsupported:
    return "a stream is being captured, and what was asked for has to wait for the GPU: end the capture before";
  default:
    return "";
  }
}
