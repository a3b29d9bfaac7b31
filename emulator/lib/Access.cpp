//===- Access.cpp - Checked access to every state space ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Machine.h"
#include <algorithm>
#include <cstdio>

namespace ptxemu {

std::string hexText(uint64_t v) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(v));
  return text;
}

namespace {

const char *verb(AccessKind k) {
  return k == AccessKind::Read ? "reads" : k == AccessKind::Write ? "writes" : "updates";
}

[[noreturn]] void misaligned(uint64_t address, unsigned size, unsigned lane, AccessKind kind, const char *space) {
  throw Fault{"misaligned",
              std::string("the instruction ") + verb(kind) + " " + std::to_string(size) + " bytes of " + space +
                  " memory at " + hexText(address) + ", which is not a multiple of " + std::to_string(size),
              static_cast<int>(lane)};
}

/// `space`: what the instruction says; only .shared::cluster and generic addresses reach other CTAs.
Place sharedPlace(const Exec &x, Space space, uint64_t address, unsigned lane) {
  uint64_t rank = (address & 0xffffffff) >> kClusterRankShift;
  Cta *cta = &x.cta;
  if (rank != cta->rank) {
    if (rank >= x.cta.cluster->ctas.size())
      throw Fault{"out-of-bounds", "the shared address " + hexText(address) + " names no CTA of the cluster",
                  static_cast<int>(lane)};
    if (space == Space::Shared)
      throw Fault{"out-of-bounds",
                  "the shared address " + hexText(address) + " lies in the window of cluster rank " +
                      std::to_string(rank) + ", and the instruction accesses .shared::cta of rank " +
                      std::to_string(cta->rank) + ": it needs .shared::cluster, or an address made from a variable's",
                  static_cast<int>(lane)};
    cta = x.cta.cluster->ctas[rank].get();
    if (cta->liveThreads == 0)
      throw Fault{"use-after-free",
                  "the shared memory of cluster rank " + std::to_string(rank) +
                      " is gone: all threads of that CTA have exited",
                  static_cast<int>(lane)};
  }
  return {Space::Shared, cta, address & ((1u << kClusterRankShift) - 1)};
}

} // namespace

Place resolve(const Exec &x, Space space, uint64_t address, unsigned lane) {
  switch (space) {
  case Space::Generic:
    switch (address & kWindowMask) {
    case 0:
      return {Space::Global, nullptr, address};
    case kSharedWindow:
      return sharedPlace(x, space, address, lane);
    case kLocalWindow:
      return {Space::Local, nullptr, address ^ kLocalWindow};
    case kParamWindow:
      return {Space::Param, nullptr, address ^ kParamWindow};
    default:
      throw Fault{"out-of-bounds", "generic address " + hexText(address) + " lies in no state space",
                  static_cast<int>(lane)};
    }
  case Space::Shared:
  case Space::SharedCluster:
    return sharedPlace(x, space, address & 0xffffffff, lane);
  case Space::Const:
    return {Space::Global, nullptr, address};
  default:
    return {space, nullptr, address};
  }
}

/// Whether a whole word of 32 bits, or all of a shorter access, was never written. As in registers, what is partly
/// defined counts as defined: back ends load a word for the half of it they use.
static bool hasUnwrittenWord(const uint8_t *initialized, unsigned size) {
  const unsigned word = std::min(size, 4u);
  for (unsigned at = 0; at < size; at += word)
    if (std::all_of(initialized + at, initialized + std::min(at + word, size),
                    [](uint8_t s) { return s == kUninitialized; }))
      return true;
  return false;
}

uint8_t *locateShared(Exec &x, Cta &cta, uint64_t offset, unsigned size, unsigned lane, AccessInfo info) {
  SharedMemory &memory = cta.shared;
  const uint32_t begin = x.machine.linkedProgram().usesScratch ? kReservedScratch : kReservedShared;
  if (offset + size > memory.size() || offset < begin) {
    std::string range = hexText(offset) + " to " + hexText(offset + size - 1);
    throw Fault{"out-of-bounds",
                std::string("the instruction ") + verb(info.kind) + " shared memory at " + range +
                    ", but the CTA's allocation is " + hexText(begin) + " to " + hexText(memory.size()) +
                    " (end excluded)",
                static_cast<int>(lane)};
  }
  uint8_t *initialized = memory.initialized.data() + offset;
  uint8_t *busy = std::find_if(initialized, initialized + size, [](uint8_t s) { return s > kInitialized; });
  if (busy != initialized + size && *busy == kOpaque)
    throw Fault{"mbarrier",
                std::string("the instruction ") + verb(info.kind) + " shared memory at " +
                    hexText(offset + static_cast<uint64_t>(busy - initialized)) +
                    ", inside an mbarrier: only mbarrier instructions may touch it until mbarrier.inval",
                static_cast<int>(lane)};
  if (busy != initialized + size)
    x.machine.complain({"async-in-flight",
                        std::string("the instruction ") + verb(info.kind) + " shared memory at " + hexText(offset) +
                            " that an asynchronous copy is still to write: nothing has waited for that copy",
                        static_cast<int>(lane)});
  if (info.kind == AccessKind::Write) {
    std::fill_n(initialized, size, uint8_t(kInitialized));
  } else if (x.machine.launchOptions().checkUninitialized && hasUnwrittenWord(initialized, size)) {
    x.machine.complain({"uninitialized-shared",
                        "the instruction " + std::string(verb(info.kind)) + " " + std::to_string(size) +
                            " bytes of shared memory at " + hexText(offset) + " that nothing has written",
                        static_cast<int>(lane)});
    std::replace(initialized, initialized + size, uint8_t(kUninitialized), uint8_t(kInitialized)); // once is enough
  }
  return memory.bytes.data() + offset;
}

uint8_t *accessShared(Exec &x, Cta &cta, uint64_t offset, unsigned size, unsigned lane, AccessInfo info) {
  uint8_t *data = locateShared(x, cta, offset, size, lane, info);
  if (x.machine.races().isEnabled()) {
    if (info.value)
      info.sameValue = std::equal(data, data + size, info.value);
    x.machine.races().check(x, cta.shared.shadow, offset, size, lane, info, {Space::Shared, &cta, offset});
  }
  return data;
}

namespace {

uint8_t *accessGlobal(Exec &x, uint64_t address, unsigned size, unsigned lane, AccessInfo info) {
  Allocation *a = x.machine.global().find(address, size);
  if (!a) {
    GlobalMemory &memory = x.machine.global();
    const Allocation *near = memory.nearest(address);
    bool freed = near && near->freed && address - near->base < near->size;
    throw Fault{freed ? "use-after-free" : "out-of-bounds",
                std::string("the instruction ") + verb(info.kind) +
                    " global memory outside every allocation: " + memory.explain(address, size),
                static_cast<int>(lane)};
  }
  if (a->constant && info.kind != AccessKind::Read)
    throw Fault{"read-only", "the instruction writes the constant '" + a->name + "'", static_cast<int>(lane)};
  uint8_t *data = a->bytes.get() + (address - a->base);
  if (x.machine.races().isEnabled() && !a->constant) {
    if (info.value)
      info.sameValue = std::equal(data, data + size, info.value);
    x.machine.races().check(x, a->shadow, address - a->base, size, lane, info, {Space::Global, nullptr, address});
  }
  return data;
}

uint8_t *accessLocal(Exec &x, uint64_t address, unsigned size, unsigned lane, AccessInfo info) {
  if (address >= kStackBase) {
    uint64_t offset = address - kStackBase;
    if (offset + size > x.warp.stackTop[lane])
      throw Fault{"out-of-bounds",
                  std::string("the instruction ") + verb(info.kind) + " local memory at " + hexText(address) +
                      ", past what alloca has given the thread",
                  static_cast<int>(lane)};
    return x.warp.stack.data() + static_cast<size_t>(lane) * x.warp.stackStride + offset;
  }
  if (address + size > x.warp.localStride)
    throw Fault{"out-of-bounds",
                std::string("the instruction ") + verb(info.kind) + " local memory at " + hexText(address) +
                    ", but the thread has " + std::to_string(x.warp.localStride) + " bytes",
                static_cast<int>(lane)};
  return x.warp.local.data() + static_cast<size_t>(lane) * x.warp.localStride + address;
}

uint8_t *accessParameters(Exec &x, uint64_t address, unsigned size, unsigned lane, AccessInfo info) {
  const auto &parameters = x.machine.entryParameters();
  if (info.kind != AccessKind::Read)
    throw Fault{"read-only", "the instruction writes the kernel's parameters", static_cast<int>(lane)};
  uint64_t bytes = x.machine.linkedProgram().entryParameterBytes;
  if (address > bytes || size > bytes - address)
    throw Fault{"out-of-bounds",
                "the instruction reads " + std::to_string(size) + " bytes of the kernel's parameters at " +
                    std::to_string(static_cast<int64_t>(address)) + ", but they have " + std::to_string(bytes),
                static_cast<int>(lane)};
  return const_cast<uint8_t *>(parameters.data()) + address;
}

} // namespace

uint8_t *access(Exec &x, Space space, uint64_t address, unsigned size, unsigned lane, AccessInfo info) {
  Place p = resolve(x, space, address, lane);
  if (p.offset & (size - 1))
    misaligned(p.offset, size, lane, info.kind, spaceName(p.space).data());
  switch (p.space) {
  case Space::Global:
    return accessGlobal(x, p.offset, size, lane, info);
  case Space::Shared:
    return accessShared(x, *p.cta, p.offset, size, lane, info);
  case Space::Local:
    return accessLocal(x, p.offset, size, lane, info);
  default:
    return accessParameters(x, p.offset, size, lane, info);
  }
}

std::string readString(Exec &x, uint64_t address, unsigned lane) {
  std::string text;
  for (; text.size() < 4096; ++address) {
    char c = static_cast<char>(*access(x, Space::Generic, address, 1, lane, {}));
    if (!c)
      break;
    text += c;
  }
  return text;
}

} // namespace ptxemu
