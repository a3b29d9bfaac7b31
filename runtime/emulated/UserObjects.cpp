//===- UserObjects.cpp - What graphs keep alive of the program's ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include <algorithm>

using namespace emudriver;

namespace emudriver {

/// Something of the program's that is destroyed with its last reference, a graph's or the program's own.
struct UserObject : Object {
  void *data = nullptr;
  void (*destroy)(void *) = nullptr;
  unsigned references = 0;
};

static void release(const std::shared_ptr<UserObject> &object, unsigned count) {
  require(count > 0 && count <= object->references, kInvalidValue, "there are not as many references");
  object->references -= count;
  if (object->references)
    return;
  State::get().remove(object->handle);
  object->destroy(object->data);
}

GraphReferences::~GraphReferences() {
  for (auto &[object, count] : objects)
    release(object, count);
}

} // namespace emudriver

EMULATED_CUDA_API cuUserObjectCreate(void **handle, void *data, void (*destroy)(void *), unsigned count,
                                     unsigned flags) {
  return call("cuUserObjectCreate", [&] {
    constexpr unsigned kNoDestructorSync = 1; // what the driver wants to be told
    require(handle && destroy && count > 0 && flags == kNoDestructorSync, kInvalidValue,
            "a null pointer, no references, or other flags than CU_USER_OBJECT_NO_DESTRUCTOR_SYNC");
    auto object = make<UserObject>();
    object->data = data;
    object->destroy = destroy;
    object->references = count;
    *handle = object->handle;
  });
}

EMULATED_CUDA_API cuUserObjectRetain(void *handle, unsigned count) {
  return call("cuUserObjectRetain", [&] {
    require(count > 0, kInvalidValue, "no references");
    find<UserObject>(handle, "user object", kInvalidValue)->references += count;
  });
}

EMULATED_CUDA_API cuUserObjectRelease(void *handle, unsigned count) {
  return call("cuUserObjectRelease", [&] { release(find<UserObject>(handle, "user object", kInvalidValue), count); });
}

EMULATED_CUDA_API cuGraphRetainUserObject(void *graphHandle, void *handle, unsigned count, unsigned flags) {
  return call("cuGraphRetainUserObject", [&] {
    constexpr unsigned kMove = 1; // the caller's references become the graph's
    auto graph = find<Graph>(graphHandle, "graph", kInvalidValue);
    auto object = find<UserObject>(handle, "user object", kInvalidValue);
    require(count > 0 && flags <= kMove, kInvalidValue, "no references, or unknown flags");
    require(flags != kMove || count <= object->references, kInvalidValue, "there are not as many references");
    object->references += flags == kMove ? 0 : count;
    graph->references->objects[object] += count;
  });
}

EMULATED_CUDA_API cuGraphReleaseUserObject(void *graphHandle, void *handle, unsigned count) {
  return call("cuGraphReleaseUserObject", [&] {
    auto graph = find<Graph>(graphHandle, "graph", kInvalidValue);
    auto object = find<UserObject>(handle, "user object", kInvalidValue);
    auto it = graph->references->objects.find(object);
    require(it != graph->references->objects.end() && count > 0 && count <= it->second, kInvalidValue,
            "the graph has not as many references");
    if ((it->second -= count) == 0)
      graph->references->objects.erase(it);
    release(object, count);
  });
}
