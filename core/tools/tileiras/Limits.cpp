//===- Limits.cpp - How long and how much a compilation may take ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include <cstring>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

using namespace tileiras;

/// Removes what is half written. Without memory, and beside a thread that runs on: no stream, no destructor.
[[noreturn]] static void endProcess(const char *message) {
  llvm::sys::RunInterruptHandlers();
  if (write(STDERR_FILENO, message, std::strlen(message)) < 0)
    _exit(static_cast<int>(ExitCode::InputOutput));
  _exit(static_cast<int>(ExitCode::CompilationFailed));
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

TimeLimit::TimeLimit(std::chrono::milliseconds limit)
    : limit(limit), deadline(Clock::now() + limit), watchdog([this] { watch(); }) {}

TimeLimit::~TimeLimit() {
  {
    std::lock_guard lock(mutex);
    isFinished = true;
  }
  finished.notify_all();
  watchdog.join();
}

void TimeLimit::watch() {
  // The assembler ends by itself at the deadline, and is reported properly.
  constexpr std::chrono::milliseconds grace(200);
  std::unique_lock lock(mutex);
  if (finished.wait_until(lock, deadline + grace, [this] { return isFinished; }))
    return;
  std::string message = "error: the compilation did not finish within " + std::to_string(limit.count()) +
                        " ms (--time-limit); use smaller tiles, a lower -O level or a higher limit\n";
  endProcess(message.c_str());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The address space in use, in bytes: the first number of /proc/self/statm is its pages. 0 when unknown.
static uint64_t getAddressSpace() {
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/self/statm");
  uint64_t pages = 0;
  if (text)
    (*text)->getBuffer().split(' ').first.getAsInteger(10, pages);
  return pages * sysconf(_SC_PAGESIZE);
}

static void reportOutOfMemory() {
  endProcess("error: the compilation needs more memory than --memory-limit allows; use smaller tiles, a lower -O level "
             "or a higher limit\n");
}

void tileiras::limitMemory(uint64_t mebibytes) {
  rlimit limit;
  limit.rlim_cur = limit.rlim_max = getAddressSpace() + (mebibytes << 20);
  setrlimit(RLIMIT_AS, &limit);
  std::set_new_handler(reportOutOfMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { reportOutOfMemory(); });
}
