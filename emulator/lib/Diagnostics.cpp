//===- Diagnostics.cpp - Rendering of diagnostics ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ptx-emulator/Diagnostics.h"
#include <sstream>
#include <string_view>
#include <utility>

namespace ptxemu {

namespace {

/// For readers who meet the kind for the first time.
constexpr std::pair<std::string_view, std::string_view> kMeanings[] = {
    {"accumulator-in-flight", "a wgmma owns its registers from issue until it has been waited for"},
    {"async-in-flight",
     "an asynchronous copy or matrix operation owns the memory until its completion has been waited for"},
    {"barrier-mismatch", "everybody who meets at a barrier must name the same barrier and the same number of threads"},
    {"data-race",
     "two threads touch the same memory, one of them writes, and no barrier, mbarrier, fence or atomic makes "
     "one happen before the other: hardware may run them in either order"},
    {"deadlock", "every thread waits, and nothing in flight will wake one; the notes say who waits for what"},
    {"descriptor", "a matrix descriptor has fields that the ISA forbids, or names memory that is not there"},
    {"divergence", "the instruction needs lanes of the warp (or warps of the warpgroup) to execute it together"},
    {"livelock", "the program spins on a condition that nothing in it will change"},
    {"mbarrier", "an mbarrier counts arrivals and bytes by phase; this use contradicts its count or its life time"},
    {"missing-proxy-fence", "TMA and matrix units see ordinary writes to memory only after fence.proxy.async, "
                            "executed by the writer or by who has synchronised with it"},
    {"missing-tensor-fence",
     "barriers do not order tcgen05 instructions: they need tcgen05.fence::before_thread_sync and "
     "::after_thread_sync around them"},
    {"missing-tensor-wait",
     "tcgen05.ld and tcgen05.st are asynchronous until tcgen05.wait: what ld gives is not there, what "
     "st takes may still be read"},
    {"missing-wgmma-fence", "wgmma.fence must follow the last ordinary write of registers that a wgmma uses"},
    {"setmaxnreg",
     "the warps of a warpgroup execute setmaxnreg together, and can only take registers that others gave back"},
    {"tensor-map", "the tensor map has fields that the ISA forbids for this copy"},
    {"tensor-memory",
     "tensor memory is allocated in columns, freed by the CTA, and reached by a quarter of each warpgroup"},
    {"uninitialized-register", "the value depends on what the register held before the program"},
    {"uninitialized-shared", "the value depends on what shared memory held before the kernel"},
    {"uninitialized-tensor-memory", "the value depends on what tensor memory held before the kernel"},
    {"use-after-free", "the memory was freed, or belongs to a CTA that has exited"},
};

} // namespace

std::span<const std::string_view> continuableKinds() {
  static constexpr std::string_view kinds[] = {
      "accumulator-in-flight",  "async-in-flight",      "data-race",
      "missing-proxy-fence",    "missing-tensor-fence", "missing-tensor-wait",
      "missing-wgmma-fence",

      "uninitialized-register", "uninitialized-shared", "uninitialized-tensor-memory"};
  return kinds;
}

std::string Diagnostic::render() const {
  std::ostringstream out;
  out << (isWarning ? "warning[" : "error[") << kind << "]: " << message << '\n';
  if (!source.empty())
    out << "  at " << source << '\n';
  if (line)
    out << (source.empty() ? "  at PTX line " : "  PTX line ") << line
        << (instruction.empty() ? "" : ": " + instruction) << '\n';
  out << "  kernel " << kernel;
  if (grid)
    out << ", launch " << grid;
  if (warp >= 0) {
    out << ", CTA (" << cta[0] << ", " << cta[1] << ", " << cta[2] << "), warp " << warp;
    if (lane >= 0)
      out << ", lane " << lane << " (thread " << warp * 32 + lane << ')';
  }
  out << '\n';
  for (const std::string &note : notes)
    out << "  note: " << note << '\n';
  for (auto [name, meaning] : kMeanings)
    if (name == kind)
      out << "  meaning: " << meaning << '\n';
  out << "  replay with --seed " << seed << '\n';
  return out.str();
}

} // namespace ptxemu
