//===- Heap.cpp - Memory that is fast to get ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <cstdlib>

#if defined(__GLIBC__) && !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD && !LLVM_MEMORY_SANITIZER_BUILD
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

void tileiras::useLargePages() {
  rlimit space;
  if (getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur != RLIM_INFINITY)
    return;                      // Others need what would be taken in advance.
  constexpr int step = 32 << 20; // bytes; what a kernel of average size needs, twice
  constexpr uint64_t largePage = 2 << 20;
  mallopt(M_TOP_PAD, step);
  mallopt(M_TRIM_THRESHOLD, 4 * step);
  mallopt(M_MMAP_THRESHOLD, step);
  const uint64_t first = llvm::alignTo(reinterpret_cast<uint64_t>(sbrk(0)), largePage);
  void *volatile growth = std::malloc(step / 64); // more than the heap has left
  std::free(growth);
  const uint64_t end = reinterpret_cast<uint64_t>(sbrk(0));
  // Only a hint. Memory is taken when it is touched.
  if (end > first)
    madvise(reinterpret_cast<void *>(first), end - first, MADV_HUGEPAGE);
}
#else
void tileiras::useLargePages() {}
#endif
