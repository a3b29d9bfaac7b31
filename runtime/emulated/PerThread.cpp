//===- PerThread.cpp - Functions for which null is the calling thread's stream -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Api.h"
#include "EntryPoints.h"
#include "State.h"
#include <cstring>

namespace emudriver {

namespace {

/// `function` with another meaning of null.
template <auto function>
struct PerThread;
template <class... Arguments, Result (*function)(Arguments...)>
struct PerThread<function> {
  static Result run(Arguments... arguments) {
    PerThreadScope scope;
    return function(arguments...);
  }
};

struct Form {
  const char *symbol; ///< without _ptds and _ptsz
  void *address;
};

} // namespace

#define EMULATED_CUDA_FORM(function)                                                                                   \
  { #function, reinterpret_cast < void *>(&PerThread <&function>::run) }
static const Form forms[] = {
    EMULATED_CUDA_FORM(cuEventRecord),
    EMULATED_CUDA_FORM(cuEventRecordWithFlags),
    EMULATED_CUDA_FORM(cuGraphUpload),
    EMULATED_CUDA_FORM(cuLaunchCooperativeKernel),
    EMULATED_CUDA_FORM(cuLaunchHostFunc),
    EMULATED_CUDA_FORM(cuMemAllocAsync),
    EMULATED_CUDA_FORM(cuMemAllocFromPoolAsync),
    EMULATED_CUDA_FORM(cuMemFreeAsync),
    EMULATED_CUDA_FORM(cuMemPrefetchAsync),
    EMULATED_CUDA_FORM(cuMemPrefetchAsync_v2),
    EMULATED_CUDA_FORM(cuMemcpy),
    EMULATED_CUDA_FORM(cuMemcpy2DAsync_v2),
    EMULATED_CUDA_FORM(cuMemcpy2DUnaligned_v2),
    EMULATED_CUDA_FORM(cuMemcpy2D_v2),
    EMULATED_CUDA_FORM(cuMemcpy3DAsync_v2),
    EMULATED_CUDA_FORM(cuMemcpy3D_v2),
    EMULATED_CUDA_FORM(cuMemcpyAsync),
    EMULATED_CUDA_FORM(cuMemcpyDtoDAsync_v2),
    EMULATED_CUDA_FORM(cuMemcpyDtoD_v2),
    EMULATED_CUDA_FORM(cuMemcpyDtoHAsync_v2),
    EMULATED_CUDA_FORM(cuMemcpyDtoH_v2),
    EMULATED_CUDA_FORM(cuMemcpyHtoDAsync_v2),
    EMULATED_CUDA_FORM(cuMemcpyHtoD_v2),
    EMULATED_CUDA_FORM(cuMemcpyPeer),
    EMULATED_CUDA_FORM(cuMemcpyPeerAsync),
    EMULATED_CUDA_FORM(cuMemsetD16Async),
    EMULATED_CUDA_FORM(cuMemsetD16_v2),
    EMULATED_CUDA_FORM(cuMemsetD2D16Async),
    EMULATED_CUDA_FORM(cuMemsetD2D16_v2),
    EMULATED_CUDA_FORM(cuMemsetD2D32Async),
    EMULATED_CUDA_FORM(cuMemsetD2D32_v2),
    EMULATED_CUDA_FORM(cuMemsetD2D8Async),
    EMULATED_CUDA_FORM(cuMemsetD2D8_v2),
    EMULATED_CUDA_FORM(cuMemsetD32Async),
    EMULATED_CUDA_FORM(cuMemsetD32_v2),
    EMULATED_CUDA_FORM(cuMemsetD8Async),
    EMULATED_CUDA_FORM(cuMemsetD8_v2),
    EMULATED_CUDA_FORM(cuStreamAddCallback),
    EMULATED_CUDA_FORM(cuStreamAttachMemAsync),
    EMULATED_CUDA_FORM(cuStreamBeginCapture_v2),
    EMULATED_CUDA_FORM(cuStreamEndCapture),
    EMULATED_CUDA_FORM(cuStreamGetCaptureInfo_v2),
    EMULATED_CUDA_FORM(cuStreamGetCaptureInfo_v3),
    EMULATED_CUDA_FORM(cuStreamGetCtx),
    EMULATED_CUDA_FORM(cuStreamGetCtx_v2),
    EMULATED_CUDA_FORM(cuStreamBeginCaptureToGraph),
    EMULATED_CUDA_FORM(cuStreamUpdateCaptureDependencies),
    EMULATED_CUDA_FORM(cuStreamUpdateCaptureDependencies_v2),
    EMULATED_CUDA_FORM(cuStreamSetAttribute),
    EMULATED_CUDA_FORM(cuStreamGetAttribute),
    EMULATED_CUDA_FORM(cuStreamGetDevice),
    EMULATED_CUDA_FORM(cuStreamGetFlags),
    EMULATED_CUDA_FORM(cuStreamGetId),
    EMULATED_CUDA_FORM(cuStreamGetPriority),
    EMULATED_CUDA_FORM(cuStreamIsCapturing),
    EMULATED_CUDA_FORM(cuStreamQuery),
    EMULATED_CUDA_FORM(cuStreamSynchronize),
    EMULATED_CUDA_FORM(cuStreamWaitEvent),
};
#undef EMULATED_CUDA_FORM

void *perThreadForm(const char *symbol) {
  const char *suffix = std::strstr(symbol, "_pt");
  for (const Form &form : forms)
    if (suffix && std::strlen(form.symbol) == static_cast<size_t>(suffix - symbol) &&
        std::strncmp(form.symbol, symbol, static_cast<size_t>(suffix - symbol)) == 0)
      return form.address;
  return nullptr;
}

} // namespace emudriver
