//===- Streams.cpp - Streams and events ----------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "State.h"

using namespace emudriver;

EMULATED_CUDA_API cuStreamCreate(void **handle, unsigned flags) {
  return call("cuStreamCreate", [&] {
    require(handle, kInvalidValue, "a null pointer");
    require((flags & ~kStreamNonBlocking) == 0, kInvalidValue, "unknown flags");
    auto context = currentContext();
    auto stream = make<Stream>();
    stream->context = context;
    stream->isBlocking = !(flags & kStreamNonBlocking);
    stream->id = ++State::get().nextId;
    *handle = stream->handle;
  });
}

EMULATED_CUDA_API cuStreamCreateWithPriority(void **handle, unsigned flags, int priority) {
  return cuStreamCreate(handle, flags);
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
    const bool isDone = advance(stream->last);
    checkUsable(*stream->context);
    require(isDone, kNotReady, "there is work left");
  });
}

EMULATED_CUDA_API cuStreamWaitEvent(void *handle, void *eventHandle, unsigned flags) {
  return call("cuStreamWaitEvent", [&] {
    auto stream = findStream(handle);
    auto event = find<Event>(eventHandle, "event");
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

// Capture is not emulated.
EMULATED_CUDA_API cuStreamIsCapturing(void *handle, int *status) {
  return call("cuStreamIsCapturing", [&] {
    require(status, kInvalidValue, "a null pointer");
    findStream(handle);
    *status = 0;
  });
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
    event->time = std::make_shared<std::chrono::steady_clock::time_point>();
    event->record = enqueue(stream, [time = event->time] { *time = std::chrono::steady_clock::now(); });
  });
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
    *milliseconds = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
  });
}

EMULATED_CUDA_API cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}
