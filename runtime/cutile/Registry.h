//===- Registry.h - Images of ours that the driver has loaded ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From a loaded image to the handles of its kernels. The driver gives a handle's value again when what it stood for is
// unloaded, or goes with its context, of which nobody tells: so every handle that the driver hands out is looked at,
// and forgotten when it is not ours.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CUTILE_REGISTRY_H
#define TILEIRAS_CUTILE_REGISTRY_H

#include "KernelTable.h"
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tileiras::cutile {

/// All functions may be called from several threads at once.
class Registry {
public:
  /// The process has one, which outlives everything that runs in it.
  static Registry &get();

  /// Images of processes that are none of our business are not looked at.
  void ignoreImages() { ignoring.store(true, std::memory_order_relaxed); }

  /// `module`: what the driver made of `image`, a CUmodule or a CUlibrary.
  void addImage(const void *module, const void *image);
  void addFile(const void *module, const char *file);
  /// The module of a library belongs to it.
  void addModule(const void *module, const void *library);
  void removeModule(const void *module);

  /// A kernel of `module`, which is a CUlibrary when `ofLibrary`: then the handle is a CUkernel.
  void addKernel(const void *handle, const void *module, const char *name, bool ofLibrary);
  /// A CUfunction of a CUkernel.
  void addFunction(const void *function, const void *kernel);

  KernelTable::Found find(const void *handle) const noexcept { return kernels.find(handle); }

private:
  struct Image {
    std::vector<const launch::KernelMetadata *> kernels;
    std::vector<const void *> handles; ///< of kernels and functions
    std::vector<const void *> modules; ///< of a library
  };

  void add(const void *module, const char *bytes, size_t size);
  void remove(const void *module);
  const launch::KernelMetadata *keep(launch::KernelMetadata kernel);
  void insert(const void *handle, const launch::KernelMetadata *kernel, const void *home, bool ofLibrary);
  void erase(const void *handle);

  std::mutex mutex; ///< of all below, except for reading `kernels`
  KernelTable kernels;
  std::unordered_map<const void *, Image> images;           ///< by module or library
  std::unordered_map<const void *, const void *> libraries; ///< by their modules
  std::unordered_map<const void *, const void *> homes;     ///< what of `images` a kernel or function is in, by handle
  std::deque<launch::KernelMetadata> kept;                  ///< once each; launches refer to them
  std::atomic<bool> ignoring{false};
};

/// TILEIRAS_CUTILE_VERBOSE=1: says on standard error what it does, a line each.
bool isVerbose() noexcept;
void report(const std::string &line) noexcept;
std::string print(const launch::Dimensions &dimensions);

} // namespace tileiras::cutile

#endif // TILEIRAS_CUTILE_REGISTRY_H
