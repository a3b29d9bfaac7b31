//===- LastResorts.cpp - When a compilation cannot go on ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastResorts.h"
#include "Watchdog.h"
#include "tileiras/Codegen/DeviceModule.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include <new>

using namespace tileiras;

static void reportOutOfMemory() {
  endProcess(ExitCode::CompilationFailed,
             "error: the system gives the compilation no more memory; use smaller tiles or "
             "a lower -O level\n");
}

#if defined(__GLIBC__) && !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD && !LLVM_MEMORY_SANITIZER_BUILD
/// MLIR takes the memory of operations from malloc, and does not look at what it gets. A program may replace malloc:
/// https://www.gnu.org/software/libc/manual/html_node/Replacing-malloc.html
extern "C" void *__libc_malloc(size_t size);
extern "C" void *malloc(size_t size) {
  void *memory = __libc_malloc(size);
  if (!memory && size != 0)
    reportOutOfMemory();
  return memory;
}
#endif

static void reportFatalError(const char *reason) {
  endProcess(ExitCode::Internal, std::string("error: internal error: ") + reason +
                                     "\nnote: please report it with the input and the options\n");
}

static volatile std::sig_atomic_t brokenPipe = false;

void tileiras::noteBrokenPipes() {
  struct sigaction action;
  if (sigaction(SIGPIPE, nullptr, &action) == 0 && action.sa_handler == SIG_DFL)
    std::signal(SIGPIPE, [](int) { brokenPipe = true; });
}

bool tileiras::hasBrokenPipe() {
  return brokenPipe;
}

void tileiras::installLastResorts() {
  getAssemblerProcesses(); // what it needs is there before memory is short
  std::set_new_handler(reportOutOfMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { reportOutOfMemory(); });
  setFatalErrorFallback(reportFatalError);
}
