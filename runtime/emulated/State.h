//===- State.h - What the emulated driver keeps: handles, streams, memory -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One lock guards everything: an entry point holds it from beginning to end (call()). What a stream is asked to do is
// kept, and done when somebody waits for it, as late as possible; so programs that do not wait where they have to get
// wrong results every time, not once a week.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_STATE_H
#define TILEIRAS_EMULATED_STATE_H

#include "Api.h"
#include "Configuration.h"
#include "ptx-emulator/Emulator.h"
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace emudriver {

/// Why an entry point does not do what it was asked for.
struct Refusal {
  Result code;
  std::string why;
};
[[noreturn]] void refuse(Result code, const std::string &why);
inline void require(bool holds, Result code, const std::string &why) {
  if (!holds)
    refuse(code, why);
}
/// A line on standard error, with the driver's name before it.
void say(const std::string &text);
/// From now on resultText() of this result ends with `why`.
void explainResult(Result, const std::string &why);
const char *resultName(Result); ///< null: no such result
const char *resultText(Result);

/// Of a stream; 0 is the lowest. Priorities have no effect.
constexpr int kHighestPriority = -5;

/// What a handle stands for.
struct Object {
  virtual ~Object() = default;
  void *handle = nullptr;
};

struct Context;
struct Capture;

/// Something that a stream was asked to do.
struct Operation {
  uint64_t number = 0; ///< in the order in which they were asked for: whatever it waits for has a smaller one
  std::shared_ptr<Context> context;
  std::vector<std::shared_ptr<Operation>> after;
  std::function<void()> work;
  bool isBlocking = true; ///< its stream is
  bool isDone = false;
};

struct Stream : Object {
  std::shared_ptr<Context> context;
  bool isBlocking = true; ///< waits for the legacy default stream, and that for it
  uint64_t id = 0;
  int priority = 0;
  std::shared_ptr<Operation> last;
  std::vector<std::shared_ptr<Operation>> waits; ///< events that its next operation waits for
  std::shared_ptr<Capture> capture;              ///< null: what it is asked to do is done
  std::vector<void *> frontier;                  ///< of the capture: nodes that its next node follows
};

/// When something happened: here, and by the clock of the GPU whose times are estimated.
struct Moment {
  std::chrono::steady_clock::time_point here;
  double nanoseconds = 0;
};

struct Event : Object {
  std::shared_ptr<Context> context;
  bool hasTiming = true;
  std::shared_ptr<Operation> record; ///< null: never recorded
  std::shared_ptr<Moment> time;
  std::weak_ptr<Capture> capture; ///< in which it was recorded last
  std::vector<void *> frontier;   ///< of that: the nodes before it
};

struct Context : Object {
  uint64_t id = 0;
  bool isPrimary = false;
  unsigned retained = 0;
  bool isDestroyed = false;
  Result lost = kSuccess; ///< the error of a kernel, after which nothing works any more
  std::string why;        ///< it was lost
  std::shared_ptr<Stream> legacy;
  size_t limits[kLimits] = {1 << 10, 1 << 20, 8 << 20, 2, 2048, 128, 0}; ///< as the real driver starts with
};

enum class MemoryKind {
  Device,
  Variable, ///< of a module, which frees it
  Host,     ///< page-locked
  Managed,
  Registered ///< page-locked, the program's own
};

/// Memory that the device reaches. That of the host has the same address there.
struct Allocation {
  uint64_t base = 0, bytes = 0;
  std::shared_ptr<Context> context;
  MemoryKind kind = MemoryKind::Device;
  unsigned flags = 0; ///< that the program gave
  void *pool = nullptr;

  bool isOfHost() const { return kind == MemoryKind::Host || kind == MemoryKind::Registered; }
};

/// Everything. It is never destroyed: programs call the driver until they are gone.
struct State {
  std::recursive_mutex mutex;
  bool isInitialized = false;
  int process = 0; ///< that initialised it
  ptxemu::Device device;
  std::shared_ptr<Context> primary;
  std::map<void *, std::shared_ptr<Object>> objects;
  std::vector<void *> freeHandles;
  std::map<uint64_t, Allocation> allocations;             ///< by base
  std::map<uint64_t, std::shared_ptr<Operation>> pending; ///< by number
  uint64_t nextHandle = 0, nextNumber = 0, nextId = 0;
  uint64_t allocated = 0;    ///< bytes
  double gpuNanoseconds = 0; ///< that launches have taken so far, where they are estimated

  static State &get();
  void add(std::shared_ptr<Object>);
  void remove(void *handle);
};

/// The live object of a handle; refuses others with `code`.
template <class T>
std::shared_ptr<T> find(const void *handle, const char *what, Result code = kInvalidHandle) {
  auto &objects = State::get().objects;
  auto it = objects.find(const_cast<void *>(handle));
  auto object = it == objects.end() ? nullptr : std::dynamic_pointer_cast<T>(it->second);
  require(object != nullptr, code,
          std::string(handle ? "the handle is no " : "a null handle is no ") + what +
              (handle ? ": it was never made, or is destroyed or unloaded" : ""));
  return object;
}

template <class T>
std::shared_ptr<T> make() {
  auto object = std::make_shared<T>();
  State::get().add(object);
  return object;
}

//===----------------------------------------------------------------------===//
// Contexts and streams
//===----------------------------------------------------------------------===//

/// The calling thread's; refuses where there is none, or a kernel has lost it.
std::shared_ptr<Context> currentContext();
std::vector<std::shared_ptr<Context>> &contextStack(); ///< of the calling thread
void checkUsable(const Context &);
std::shared_ptr<Context> makeContext();
/// Of a handle, the values of the two default streams included.
std::shared_ptr<Stream> findStream(void *handle);
/// What null stands for.
std::shared_ptr<Stream> defaultStream();
/// While it lives, null is the calling thread's own stream.
class PerThreadScope {
public:
  PerThreadScope();
  ~PerThreadScope();
  static bool isActive();
};
std::shared_ptr<Moment> makeMoment();
void setMoment(Moment &); ///< now

/// Asks `stream` to do something after what it was asked before; where it is captured, a node of this type will.
std::shared_ptr<Operation> enqueue(const std::shared_ptr<Stream> &, std::function<void()> work,
                                   GraphNodeType = kHostNode);
/// Does it, and what has to be done before.
void complete(const std::shared_ptr<Operation> &);
void completeContext(const std::shared_ptr<Context> &);
/// Does something towards it; true when it is done.
bool advance(const std::shared_ptr<Operation> &);

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint64_t allocateMemory(uint64_t bytes, const std::shared_ptr<Context> &);
void freeMemory(uint64_t address);
/// The allocation that holds all of the range; refuses others.
const Allocation &findRange(uint64_t address, uint64_t bytes);
const Allocation *findAllocation(uint64_t address);
std::string showHex(uint64_t address);
/// Whether the driver may go on while a copy from or to here has not happened.
bool isPageLocked(const void *host, size_t bytes);
/// Of the device's memory or of the host's, whichever has the address.
void readMemory(uint64_t address, void *data, size_t bytes);
void writeMemory(uint64_t address, const void *data, size_t bytes);
struct Fill {
  uint64_t address = 0, pitch = 0; ///< bytes
  unsigned value = 0, elementBytes = 1;
  uint64_t width = 0, height = 1; ///< elements, rows
};
void checkFill(const Fill &);
void fillMemory(const Fill &);

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

Result runGuarded(const char *name, bool needsInit, const std::function<void()> &body);

/// The frame of an entry point: the lock, the checks that all have in common, and refusals as results.
template <class Body>
Result call(const char *name, Body body) {
  return runGuarded(name, true, body);
}
template <class Body>
Result callBeforeInit(const char *name, Body body) {
  return runGuarded(name, false, body);
}

} // namespace emudriver

#endif // TILEIRAS_EMULATED_STATE_H
