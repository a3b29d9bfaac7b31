//===- Streams.cpp - Streams and events ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include <algorithm>
#include <cstring>

using namespace emudriver;

namespace emudriver {

static std::shared_ptr<Stream> createStream(unsigned flags, int priority) {
  auto context = currentContext();
  auto stream = make<Stream>();
  stream->context = context;
  stream->isBlocking = !(flags & kStreamNonBlocking);
  stream->priority = priority;
  stream->id = ++State::get().nextId;
  return stream;
}

} // namespace emudriver

EMULATED_CUDA_API cuStreamCreate(void **handle, unsigned flags) {
  return call("cuStreamCreate", [&] {
    require(handle, kInvalidValue, "a null pointer");
    require((flags & ~kStreamNonBlocking) == 0, kInvalidValue, "unknown flags");
    *handle = createStream(flags, 0)->handle;
  });
}

EMULATED_CUDA_API cuStreamCreateWithPriority(void **handle, unsigned flags, int priority) {
  return call("cuStreamCreateWithPriority", [&] {
    require(handle, kInvalidValue, "a null pointer");
    require((flags & ~kStreamNonBlocking) == 0, kInvalidValue, "unknown flags");
    *handle = createStream(flags, std::clamp(priority, kHighestPriority, 0))->handle;
  });
}

EMULATED_CUDA_API cuStreamGetPriority(void *handle, int *priority) {
  return call("cuStreamGetPriority", [&] {
    require(priority, kInvalidValue, "a null pointer");
    *priority = findStream(handle)->priority;
  });
}

// Work that is left is done all the same (CUDA driver API).
EMULATED_CUDA_API cuStreamDestroy_v2(void *handle) {
  return call("cuStreamDestroy", [&] {
    auto stream = find<Stream>(handle, "stream");
    require(stream != stream->context->legacy, kInvalidHandle, "the default stream is not destroyed");
    State::get().remove(handle);
  });
}

EMULATED_CUDA_API cuStreamSynchronize(void *handle) {
  return call("cuStreamSynchronize", [&] {
    auto stream = findStream(handle);
    refuseCaptured(*stream);
    // The legacy stream's work comes after that of the others.
    if (stream == stream->context->legacy)
      complete(enqueue(stream, [] {}));
    else
      complete(stream->last);
    checkUsable(*stream->context);
  });
}

EMULATED_CUDA_API cuStreamQuery(void *handle) {
  return call("cuStreamQuery", [&] {
    auto stream = findStream(handle);
    refuseCaptured(*stream);
    const bool isDone = advance(stream->last);
    checkUsable(*stream->context);
    require(isDone, kNotReady, "there is work left");
  });
}

EMULATED_CUDA_API cuStreamWaitEvent(void *handle, void *eventHandle, unsigned flags) {
  return call("cuStreamWaitEvent", [&] {
    auto stream = findStream(handle);
    auto event = find<Event>(eventHandle, "event");
    if (auto capture = event->capture.lock())
      return joinCapture(*stream, capture, event->frontier);
    if (event->record && !event->record->isDone)
      stream->waits.push_back(event->record);
    enqueue(stream, [] {}); // so that a wait for the stream is one for the event
  });
}

EMULATED_CUDA_API cuStreamGetCtx(void *handle, void **context) {
  return call("cuStreamGetCtx", [&] {
    require(context, kInvalidValue, "a null pointer");
    *context = findStream(handle)->context->handle;
  });
}

// There are no green contexts.
EMULATED_CUDA_API cuStreamGetCtx_v2(void *handle, void **context, void **greenContext) {
  if (greenContext)
    *greenContext = nullptr;
  return cuStreamGetCtx(handle, context);
}

EMULATED_CUDA_API cuStreamGetId(void *handle, unsigned long long *id) {
  return call("cuStreamGetId", [&] {
    require(id, kInvalidValue, "a null pointer");
    *id = findStream(handle)->id;
  });
}

EMULATED_CUDA_API cuStreamGetFlags(void *handle, unsigned *flags) {
  return call("cuStreamGetFlags", [&] {
    require(flags, kInvalidValue, "a null pointer");
    *flags = findStream(handle)->isBlocking ? 0 : kStreamNonBlocking;
  });
}

EMULATED_CUDA_API cuStreamGetDevice(void *handle, DeviceOrdinal *device) {
  return call("cuStreamGetDevice", [&] {
    require(device, kInvalidValue, "a null pointer");
    findStream(handle);
    *device = 0;
  });
}

/// The program's functions are called with the driver's lock held: they may not call it anyhow (CUDA driver API).
EMULATED_CUDA_API cuLaunchHostFunc(void *handle, void (*function)(void *), void *data) {
  return call("cuLaunchHostFunc", [&] {
    require(function, kInvalidValue, "a null function");
    enqueueNow(findStream(handle), [function, data] { function(data); });
  });
}

EMULATED_CUDA_API cuStreamAddCallback(void *handle, void (*function)(void *, Result, void *), void *data,
                                      unsigned flags) {
  return call("cuStreamAddCallback", [&] {
    require(function && flags == 0, kInvalidValue, "a null function, or flags");
    enqueueNow(findStream(handle), [handle, function, data] { function(handle, kSuccess, data); });
  });
}

// They say how fast, not what: which of the memory stays in the cache, for example.
EMULATED_CUDA_API cuStreamSetAttribute(void *handle, int attribute, const void *value) {
  return call("cuStreamSetAttribute", [&] {
    require(value, kInvalidValue, "a null pointer");
    findStream(handle);
  });
}
EMULATED_CUDA_API cuStreamGetAttribute(void *handle, int attribute, void *value) {
  return call("cuStreamGetAttribute", [&] {
    require(value, kInvalidValue, "a null pointer");
    findStream(handle);
    std::memset(value, 0, sizeof(LaunchAttribute::value));
  });
}

// All memory is attached to all streams.
EMULATED_CUDA_API cuStreamAttachMemAsync(void *handle, DevicePointer pointer, size_t bytes, unsigned flags) {
  return call("cuStreamAttachMemAsync", [&] { findStream(handle); });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

EMULATED_CUDA_API cuEventCreate(void **handle, unsigned flags) {
  return call("cuEventCreate", [&] {
    require(handle, kInvalidValue, "a null pointer");
    auto context = currentContext();
    auto event = make<Event>();
    event->context = context;
    event->hasTiming = !(flags & kEventDisableTiming);
    *handle = event->handle;
  });
}

EMULATED_CUDA_API cuEventDestroy_v2(void *handle) {
  return call("cuEventDestroy", [&] {
    find<Event>(handle, "event");
    State::get().remove(handle);
  });
}

EMULATED_CUDA_API cuEventDestroy(void *handle) {
  return cuEventDestroy_v2(handle);
}

EMULATED_CUDA_API cuEventRecord(void *handle, void *streamHandle) {
  return call("cuEventRecord", [&] {
    auto event = find<Event>(handle, "event");
    auto stream = findStream(streamHandle);
    // CUDA driver API, of cuEventRecord: both must be from the same context.
    require(event->context == stream->context, kInvalidHandle, "event and stream are of different contexts");
    event->capture = stream->capture;
    event->frontier = stream->frontier;
    if (stream->capture)
      return;
    event->time = makeMoment();
    event->record = enqueue(stream, [time = event->time] { setMoment(*time); });
  });
}

EMULATED_CUDA_API cuEventRecordWithFlags(void *handle, void *streamHandle, unsigned flags) {
  return cuEventRecord(handle, streamHandle);
}

EMULATED_CUDA_API cuEventQuery(void *handle) {
  return call("cuEventQuery", [&] {
    auto event = find<Event>(handle, "event");
    const bool isDone = advance(event->record);
    checkUsable(*event->context);
    require(isDone, kNotReady, "the event has not happened");
  });
}

EMULATED_CUDA_API cuEventSynchronize(void *handle) {
  return call("cuEventSynchronize", [&] {
    auto event = find<Event>(handle, "event");
    complete(event->record);
    checkUsable(*event->context);
  });
}

EMULATED_CUDA_API cuEventElapsedTime_v2(float *milliseconds, void *startHandle, void *endHandle) {
  return call("cuEventElapsedTime", [&] {
    require(milliseconds, kInvalidValue, "a null pointer");
    auto start = find<Event>(startHandle, "event"), end = find<Event>(endHandle, "event");
    require(start->record && end->record && start->hasTiming && end->hasTiming, kInvalidHandle,
            "an event was never recorded, or takes no time");
    require(start->record->isDone && end->record->isDone, kNotReady, "an event has not happened");
    constexpr double kNanoseconds = 1e6; // of a millisecond
    if (!Configuration::get().machine.empty())
      *milliseconds = static_cast<float>((end->time->nanoseconds - start->time->nanoseconds) / kNanoseconds);
    else
      *milliseconds = std::chrono::duration<float, std::milli>(end->time->here - start->time->here).count();
  });
}

EMULATED_CUDA_API cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}
