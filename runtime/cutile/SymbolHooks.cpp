//===- SymbolHooks.cpp - Programs that look the driver's functions up -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// dlsym, dlvsym and cuGetProcAddress give our function where they found the driver's own one, and what they found
// everywhere else. The runtime library's cudaGetDriverEntryPoint asks cuGetProcAddress and so gives ours as well. What
// the driver's private tables (cuGetExportTable) hold cannot be seen from here.
//
// dlsym answers by who calls it: RTLD_NEXT is the next object behind the caller's, RTLD_DEFAULT begins with the
// caller's own. It tells the caller by its return address. So the two functions below are written in assembly: they ask
// who is to answer, and jump there with registers and stack as they were.
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "LoaderSymbols.h"
#include <cstring>

namespace tileiras::cutile {

static constexpr uint64_t kPerThreadStream = 2; ///< a flag of cuGetProcAddress

/// `found`: what the lookup of `function` gave. Ours, where that is the driver's own.
static void *replaceDriversOwn(const Function &function, void *found) noexcept {
  void *driversOwn = found ? findInDriver(function.name) : nullptr;
  if (found == function.hook && !driversOwn)
    // Found in the program's global scope because we are in it. Programs ask so whether there is a driver.
    return realDlsym()(RTLD_NEXT, function.name);
  if (found != driversOwn)
    return found;
  return found && findOriginal(function) ? function.hook : found;
}

static void *lookUp(void *handle, const char *name) noexcept {
  return replaceDriversOwn(*findFunction(name), realDlsym()(handle, name));
}

static void *lookUpVersion(void *handle, const char *name, const char *version) noexcept {
  return replaceDriversOwn(*findFunction(name), realDlvsym()(handle, name, version));
}

/// Of a name that has several functions, the one that the driver gave; by what it was asked where addresses do not
/// tell.
static const Function *whichFunction(const char *name, void *found, int version, uint64_t flags) {
  const Function *plain = findFunction(name);
  if (!plain)
    return nullptr;
  const Function *end = functions().data() + functions().size();
  const Function *suffixed = plain + 1;
  size_t length = strlen(name);
  if (suffixed == end || strncmp(suffixed->name, name, length) != 0 || suffixed->name[length] != '_')
    return plain;
  for (const Function *function : {plain, suffixed})
    if (found == findInDriver(function->name))
      return function;
  if (strcmp(suffixed->name + length, "_ptsz") == 0)
    return flags & kPerThreadStream ? suffixed : plain;
  // The second versions of what adds nodes and sets their parameters, and of cuGetProcAddress, are CUDA 12.0's.
  int since = strcmp(name, "cuGraphAddNode") == 0 ? 12030 : 12000;
  return version >= since ? suffixed : plain;
}

static void replaceAnswer(const char *name, void **answer, int version, uint64_t flags) {
  if (!name || !answer || !*answer)
    return;
  const Function *function = whichFunction(name, *answer, version, flags);
  if (!function || *answer == function->hook)
    return;
  // Without an original in the order of the loader, the driver's answer is it.
  if (!findOriginal(*function))
    function->original->store(*answer, std::memory_order_release);
  *answer = function->hook;
}

} // namespace tileiras::cutile

using namespace tileiras::cutile;

int cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  Result result = callOriginal<&cuGetProcAddress>(name, function, version, flags);
  if (result == 0)
    replaceAnswer(name, function, version, flags);
  return result;
}

int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
  Result result = callOriginal<&cuGetProcAddress_v2>(name, function, version, flags, status);
  if (result == 0)
    replaceAnswer(name, function, version, flags);
  return result;
}

/// Who answers dlsym(handle, name). RTLD_NEXT is the loader's: only it knows what is next for that caller, us included.
extern "C" __attribute__((visibility("hidden"), used)) void *tileirasCutileChooseDlsym(void *handle,
                                                                                       const char *name) noexcept {
  return handle != RTLD_NEXT && findFunction(name) ? reinterpret_cast<void *>(&lookUp)
                                                   : reinterpret_cast<void *>(realDlsym());
}

extern "C" __attribute__((visibility("hidden"), used)) void *tileirasCutileChooseDlvsym(void *handle,
                                                                                        const char *name) noexcept {
  return handle != RTLD_NEXT && findFunction(name) ? reinterpret_cast<void *>(&lookUpVersion)
                                                   : reinterpret_cast<void *>(realDlvsym());
}

#if defined(__x86_64__)
#define TILEIRAS_ASK_AND_JUMP(NAME, CHOOSE)                                                                            \
  asm(".text\n.p2align 4\n.globl " #NAME "\n.type " #NAME ", @function\n" #NAME ":\n.cfi_startproc\nendbr64\n"         \
      "push %rdi\n.cfi_adjust_cfa_offset 8\npush %rsi\n.cfi_adjust_cfa_offset 8\npush %rdx\n.cfi_adjust_cfa_offset "   \
      "8\n"                                                                                                            \
      "call " #CHOOSE "\n"                                                                                             \
      "pop %rdx\n.cfi_adjust_cfa_offset -8\npop %rsi\n.cfi_adjust_cfa_offset -8\npop %rdi\n.cfi_adjust_cfa_offset "    \
      "-8\n"                                                                                                           \
      "jmp *%rax\n.cfi_endproc\n.size " #NAME ", . - " #NAME "\n")
#elif defined(__aarch64__)
#define TILEIRAS_ASK_AND_JUMP(NAME, CHOOSE)                                                                            \
  asm(".text\n.p2align 4\n.globl " #NAME "\n.type " #NAME ", %function\n" #NAME ":\n.cfi_startproc\nhint #34\n"        \
      "stp x29, x30, [sp, #-48]!\n.cfi_adjust_cfa_offset 48\n.cfi_rel_offset x29, 0\n.cfi_rel_offset x30, 8\n"         \
      "stp x0, x1, [sp, #16]\nstr x2, [sp, #32]\nbl " #CHOOSE "\nmov x16, x0\n"                                        \
      "ldp x0, x1, [sp, #16]\nldr x2, [sp, #32]\nldp x29, x30, [sp], #48\n.cfi_adjust_cfa_offset -48\n"                \
      ".cfi_restore x29\n.cfi_restore x30\nbr x16\n.cfi_endproc\n.size " #NAME ", . - " #NAME "\n")
#else
#error "libtileiras-cutile: dlsym is written for x86-64 and AArch64, the hosts that CUDA 13 runs on"
#endif

TILEIRAS_ASK_AND_JUMP(dlsym, tileirasCutileChooseDlsym);
TILEIRAS_ASK_AND_JUMP(dlvsym, tileirasCutileChooseDlvsym);
