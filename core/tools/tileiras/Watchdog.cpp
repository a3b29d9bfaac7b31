//===- Watchdog.cpp - What ends a compilation before its time -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watchdog.h"
#include "tileiras/Codegen/DeviceModule.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include <atomic>
#include <csignal>
#include <new>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

using namespace tileiras;

static constexpr llvm::StringLiteral kRemedy = "use smaller tiles, a lower -O level or a higher limit\n";

/// No stream and no destructor: other threads run on until the end.
static void tidyUp() {
  llvm::sys::RunInterruptHandlers(); // removes temporary files
  abandonAssemblers();
}

/// Tidying up may itself find no memory and come back here.
[[noreturn]] static void endProcess(ExitCode code, llvm::StringRef message) {
  static std::atomic<std::thread::id> ending;
  std::thread::id before, self = std::this_thread::get_id();
  if (ending.compare_exchange_strong(before, self))
    tidyUp();
  else if (before != self)
    while (true)
      pause(); // the other thread ends the process
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(code));
}

//===----------------------------------------------------------------------===//
// Last resorts
//===----------------------------------------------------------------------===//

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

void tileiras::installLastResorts() {
  getAssemblerProcesses(); // what it needs is there before memory is short
  std::set_new_handler(reportOutOfMemory);
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { reportOutOfMemory(); });
  setFatalErrorFallback(reportFatalError);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The peak resident memory of a process, in KiB; 0 when it is gone. Not getrusage's: that one inherits the peak of the
/// program that started this one.
static uint64_t readPeakMemory(const llvm::Twine &process) {
  auto text = llvm::MemoryBuffer::getFileAsStream("/proc/" + process + "/status");
  uint64_t peak = 0;
  if (text)
    (*text)->getBuffer().split("VmHWM:").second.ltrim().split(' ').first.getAsInteger(10, peak);
  return peak;
}

static uint64_t roundToMebibytes(uint64_t kibibytes) {
  return llvm::divideCeil(kibibytes, 1024);
}

uint64_t tileiras::getPeakMemory() {
  return roundToMebibytes(readPeakMemory("self"));
}

/// What has exceeded the limit, in words; empty when nothing has.
static std::string describeExcess(uint64_t limit) {
  auto describe = [&](const char *who, uint64_t peak) {
    return peak <= limit << 10 ? std::string()
                               : std::string("error: ") + who + " needs more than " + std::to_string(limit) +
                                     " MiB (--memory-limit): " + std::to_string(roundToMebibytes(peak)) +
                                     " MiB so far; " + kRemedy.str();
  };
  std::string excess = describe("the compilation", readPeakMemory("self"));
  for (int process : getAssemblerProcesses())
    if (excess.empty())
      excess = describe("the assembler", readPeakMemory(llvm::Twine(process)));
  return excess;
}

//===----------------------------------------------------------------------===//
// The watchdog
//===----------------------------------------------------------------------===//

/// The signals that end this process; not those its parent has chosen to ignore for it (nohup).
static sigset_t getEndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(&signals, signal);
  }
  return signals;
}

Watchdog::Watchdog(const Limits &limits)
    : limits(limits), deadline(std::chrono::steady_clock::now() + limits.time), signals(getEndingSignals()) {
  pthread_sigmask(SIG_BLOCK, &signals, &previousMask);
  signalFile = signalfd(-1, &signals, SFD_CLOEXEC);
  stopFile = eventfd(0, EFD_CLOEXEC);
  try {
    thread = std::thread([this] { watch(); });
  } catch (const std::system_error &) { // no memory for its stack
    reportOutOfMemory();
  }
}

void Watchdog::stop() {
  if (!thread.joinable())
    return;
  eventfd_write(stopFile, 1);
  thread.join();
  close(signalFile);
  close(stopFile);
  pthread_sigmask(SIG_SETMASK, &previousMask, nullptr);
}

llvm::Error Watchdog::finish() {
  stop();
  std::string excess = limits.memory ? describeExcess(limits.memory) : "";
  return excess.empty() ? llvm::Error::success()
                        : llvm::make_error<CompileError>(ExitCode::CompilationFailed, llvm::StringRef(excess).rtrim());
}

/// As if nobody had caught it.
[[noreturn]] static void endBySignal(int signal) {
  tidyUp();
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
  _exit(128 + signal);
}

void Watchdog::watch() {
  using namespace std::chrono;
  constexpr milliseconds memoryPeriod(2); // in which few tens of MiB can be touched
  pollfd files[] = {{signalFile, POLLIN, 0}, {stopFile, POLLIN, 0}};
  while (true) {
    auto timeLeft = duration_cast<milliseconds>(deadline - steady_clock::now()) + milliseconds(1);
    int timeout = limits.memory ? memoryPeriod.count() : -1;
    if (limits.time.count())
      timeout = std::clamp<int64_t>(timeLeft.count(), 0, limits.memory ? timeout : INT_MAX);
    poll(files, std::size(files), timeout);
    if (files[1].revents)
      return;
    signalfd_siginfo caught;
    if (files[0].revents && read(signalFile, &caught, sizeof(caught)) == sizeof(caught))
      endBySignal(caught.ssi_signo);
    if (limits.time.count() && steady_clock::now() >= deadline)
      endProcess(ExitCode::CompilationFailed, "error: the compilation did not finish within " +
                                                  std::to_string(limits.time.count()) + " ms (--time-limit); " +
                                                  kRemedy.str());
    if (std::string excess = limits.memory ? describeExcess(limits.memory) : ""; !excess.empty())
      endProcess(ExitCode::CompilationFailed, excess);
  }
}
