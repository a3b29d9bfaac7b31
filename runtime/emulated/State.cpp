//===- State.cpp - Handles, contexts, and the order of work --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Capture.h"
#include <algorithm>
#include <cstdio>
#include <set>
#include <unistd.h>

namespace emudriver {

void refuse(Result code, const std::string &why) {
  throw Refusal{code, why};
}

void say(const std::string &text) {
  std::fprintf(stderr, "emulated driver: %s\n", text.c_str());
}

State &State::get() {
  static State &state = *new State;
  return state;
}

void State::add(std::shared_ptr<Object> object) {
  // Handles that look like pointers, and are none: who follows one crashes.
  constexpr uintptr_t kFirstHandle = 0x5e00'0000'0000, kDistance = 64;
  if (Configuration::get().reuseHandles && !freeHandles.empty()) {
    object->handle = freeHandles.back();
    freeHandles.pop_back();
  } else {
    object->handle = reinterpret_cast<void *>(kFirstHandle + kDistance * nextHandle++);
  }
  objects[object->handle] = std::move(object);
}

void State::remove(void *handle) {
  if (objects.erase(handle))
    freeHandles.push_back(handle);
}

Result runGuarded(const char *name, bool needsInit, const std::function<void()> &body) {
  State &state = State::get();
  std::lock_guard lock(state.mutex);
  try {
    if (needsInit) {
      require(state.isInitialized, kNotInitialized, "cuInit has not been called");
      // The driver does not work across fork (CUDA C++ programming guide).
      require(state.process == getpid(), kNotInitialized, "the process was forked after cuInit");
    }
    body();
    return kSuccess;
  } catch (const Refusal &refusal) {
    if (Configuration::get().verbose && refusal.code != kNotReady)
      say(std::string(name) + ": " + resultName(refusal.code) + ": " + refusal.why);
    return refusal.code;
  } catch (const std::exception &error) {
    say(std::string(name) + ": error of the emulator: " + error.what());
    return kUnknown;
  }
}

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

std::vector<std::shared_ptr<Context>> &contextStack() {
  thread_local std::vector<std::shared_ptr<Context>> stack;
  return stack;
}

void checkUsable(const Context &context) {
  require(!context.isDestroyed, kContextIsDestroyed, "the context has been destroyed");
  // Every call reports it until the process ends (CUDA driver API, of CUDA_ERROR_ILLEGAL_ADDRESS and its like).
  require(context.lost == kSuccess, context.lost, "the context is lost: " + context.why);
}

std::shared_ptr<Context> currentContext() {
  auto &stack = contextStack();
  require(!stack.empty() && stack.back(), kInvalidContext, "the calling thread has no current context");
  checkUsable(*stack.back());
  return stack.back();
}

static std::shared_ptr<Stream> makeStream(const std::shared_ptr<Context> &context) {
  auto stream = make<Stream>();
  stream->context = context;
  stream->id = ++State::get().nextId;
  return stream;
}

std::shared_ptr<Context> makeContext() {
  auto context = make<Context>();
  context->id = ++State::get().nextId;
  context->legacy = makeStream(context);
  return context;
}

static thread_local unsigned perThreadDepth = 0;
PerThreadScope::PerThreadScope() {
  ++perThreadDepth;
}
PerThreadScope::~PerThreadScope() {
  --perThreadDepth;
}
bool PerThreadScope::isActive() {
  return perThreadDepth != 0;
}

static std::shared_ptr<Stream> perThreadStream() {
  thread_local std::map<uint64_t, std::shared_ptr<Stream>> ofThread; // by context
  auto context = currentContext();
  auto &stream = ofThread[context->id];
  if (!stream)
    stream = makeStream(context);
  return stream;
}

std::shared_ptr<Stream> defaultStream() {
  return PerThreadScope::isActive() ? perThreadStream() : currentContext()->legacy;
}

std::shared_ptr<Stream> findStream(void *handle) {
  const uintptr_t value = reinterpret_cast<uintptr_t>(handle);
  if (!handle)
    return defaultStream();
  if (value == kPerThreadStream)
    return perThreadStream();
  if (value == kLegacyStream)
    return currentContext()->legacy;
  auto stream = find<Stream>(handle, "stream");
  checkUsable(*stream->context);
  return stream;
}

std::shared_ptr<Moment> makeMoment() {
  return std::make_shared<Moment>();
}

void setMoment(Moment &moment) {
  moment.here = std::chrono::steady_clock::now();
  moment.nanoseconds = State::get().gpuNanoseconds;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// What an operation on `stream` waits for besides events: the one before it, and the legacy default stream waits for
/// all blocking streams, and those for it.
static void addPredecessors(const Stream &stream, std::vector<std::shared_ptr<Operation>> &after) {
  if (stream.last)
    after.push_back(stream.last);
  const Stream &legacy = *stream.context->legacy;
  if (&stream != &legacy) {
    if (stream.isBlocking && legacy.last)
      after.push_back(legacy.last);
    return;
  }
  // What is older than the legacy stream's last operation is waited for by that.
  auto &pending = State::get().pending;
  for (auto it = pending.upper_bound(legacy.last ? legacy.last->number : 0); it != pending.end(); ++it)
    if (it->second->context == stream.context && it->second->isBlocking)
      after.push_back(it->second);
}

std::shared_ptr<Operation> enqueue(const std::shared_ptr<Stream> &stream, std::function<void()> work,
                                   GraphNodeType type) {
  State &state = State::get();
  auto operation = std::make_shared<Operation>();
  operation->context = stream->context;
  if (stream->capture) {
    captureWork(*stream, std::move(work), type);
    operation->isDone = true;
    return operation;
  }
  operation->number = ++state.nextNumber;
  operation->work = std::move(work);
  operation->isBlocking = stream->isBlocking;
  operation->after = std::move(stream->waits);
  stream->waits.clear();
  addPredecessors(*stream, operation->after);
  std::erase_if(operation->after, [](const auto &other) { return other->isDone; });
  state.pending[operation->number] = operation;
  stream->last = operation;
  return operation;
}

static void runOperation(Operation &operation) {
  State::get().pending.erase(operation.number);
  operation.isDone = true;
  operation.after.clear();
  // What follows a kernel that failed is not done.
  if (operation.context->lost == kSuccess)
    operation.work();
  operation.work = nullptr;
}

/// What is to be done, in an order that is allowed, up to and with `operation`.
static std::vector<std::shared_ptr<Operation>> plan(const std::shared_ptr<Operation> &operation) {
  std::map<uint64_t, std::shared_ptr<Operation>> needed;
  std::vector<std::shared_ptr<Operation>> open{operation};
  while (!open.empty()) {
    auto next = open.back();
    open.pop_back();
    if (next->isDone || !needed.emplace(next->number, next).second)
      continue;
    open.insert(open.end(), next->after.begin(), next->after.end());
  }
  std::vector<std::shared_ptr<Operation>> ordered;
  for (auto &[number, needs] : needed)
    ordered.push_back(needs);
  return ordered;
}

void complete(const std::shared_ptr<Operation> &operation) {
  if (!operation)
    return;
  for (auto &next : plan(operation))
    runOperation(*next);
  checkUsable(*operation->context);
}

bool advance(const std::shared_ptr<Operation> &operation) {
  if (!operation || operation->isDone)
    return true;
  runOperation(*plan(operation).front());
  return operation->isDone;
}

void completeContext(const std::shared_ptr<Context> &context) {
  std::vector<std::shared_ptr<Operation>> all;
  for (auto &[number, operation] : State::get().pending)
    if (operation->context == context)
      all.push_back(operation);
  for (auto &operation : all)
    if (!operation->isDone)
      complete(operation);
  checkUsable(*context);
}

} // namespace emudriver
