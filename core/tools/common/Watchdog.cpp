//===- Watchdog.cpp - What ends a compilation before its time -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watchdog.h"
#include "tileiras/Codegen/DeviceModule.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Signals.h"
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace tileiras;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

static constexpr llvm::StringLiteral kRemedy = "use smaller tiles, a lower -O level or a higher limit\n";

//===----------------------------------------------------------------------===//
// The end of the process
//===----------------------------------------------------------------------===//

/// No stream and no destructor: other threads run on until the end.
static void tidyUp() {
  llvm::sys::RunInterruptHandlers(); // removes temporary files
  abandonAssemblers();
}

/// Tidying up may itself find no memory and come back here.
void tileiras::endProcess(ExitCode code, llvm::StringRef message) {
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

void tileiras::endBySignal(int signal) {
  tidyUp();
  std::signal(signal, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(signal);
  _exit(128 + signal);
}

[[noreturn]] static void endWithoutWatch(const llvm::Twine &what, int error) {
  endProcess(
      ExitCode::CompilationFailed,
      ("error: the compilation cannot be watched over: " + what + ": " + llvm::sys::StrError(error) + "\n").str());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static int openStatus(const llvm::Twine &process) {
  return open(("/proc/" + process + "/status").str().c_str(), O_RDONLY | O_CLOEXEC);
}

/// The peak resident memory that a process's `status` tells, in KiB; 0 when the process is gone, nothing when the
/// system does not say (errno). Not getrusage's: that one inherits the peak of the program that started this one.
static std::optional<uint64_t> readPeakMemory(int status) {
  char text[4096];
  const ssize_t size = pread(status, text, sizeof(text), 0);
  if (size < 0)
    return errno == ESRCH ? std::optional<uint64_t>(0) : std::nullopt;
  uint64_t peak = 0;
  llvm::StringRef rest = llvm::StringRef(text, size).split("VmHWM:").second;
  if (rest.ltrim().split(' ').first.getAsInteger(10, peak)) {
    errno = EOPNOTSUPP;
    return std::nullopt;
  }
  return peak;
}

static uint64_t roundToMebibytes(uint64_t kibibytes) {
  return llvm::divideCeil(kibibytes, 1024);
}

uint64_t tileiras::getPeakMemory() {
  const int status = openStatus("self");
  if (status < 0)
    return 0;
  const uint64_t peak = readPeakMemory(status).value_or(0);
  close(status);
  return roundToMebibytes(peak);
}

/// Of an assembler; a process that ends has no memory any more.
static uint64_t readPeakMemoryOfChild(int process) {
  const int status = openStatus(llvm::Twine(process));
  if (status < 0) {
    if (errno != ENOENT && errno != ESRCH)
      endWithoutWatch("the memory of the assembler cannot be read (--memory-limit)", errno);
    return 0;
  }
  const uint64_t peak = readPeakMemory(status).value_or(0);
  close(status);
  return peak;
}

/// What has exceeded the limit, in words; empty when nothing has.
std::string Watchdog::describeExcess() const {
  const uint64_t limit = limits.memory;
  if (limit == 0)
    return "";
  auto describe = [&](const char *who, uint64_t peak) {
    return peak <= limit << 10 ? std::string()
                               : std::string("error: ") + who + " needs more than " + std::to_string(limit) +
                                     " MiB (--memory-limit): " + std::to_string(roundToMebibytes(peak)) +
                                     " MiB so far; " + kRemedy.str();
  };
  const std::optional<uint64_t> own = readPeakMemory(memoryFile);
  if (!own)
    endWithoutWatch("its memory cannot be read (--memory-limit)", errno);
  std::string excess = describe("the compilation", *own);
  for (int process : getAssemblerProcesses())
    if (excess.empty())
      excess = describe("the assembler", readPeakMemoryOfChild(process));
  return excess;
}

//===----------------------------------------------------------------------===//
// The watchdog
//===----------------------------------------------------------------------===//

/// What wakes its thread. A signal that others send by accident, if ever, and that ends nothing.
static constexpr int kWake = SIGURG;

/// The signals that end this process: not those its parent has chosen to ignore for it (nohup), nor those that somebody
/// handles (profilers), nor faults of a thread.
static sigset_t getEndingSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  auto add = [&](int signal) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_DFL)
      sigaddset(&signals, signal);
  };
  for (int signal : {SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGSTKFLT, SIGXCPU,
                     SIGVTALRM, SIGPROF, SIGIO, SIGPWR})
    add(signal);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
    add(signal);
  return signals;
}

/// Whether it is memory that a thread does not get: the system gives one reason for both that and too many threads.
static bool hasRoomForStack() {
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_getattr_default_np(&attributes) != 0)
    return true;
  pthread_attr_getstacksize(&attributes, &size);
  pthread_attr_destroy(&attributes);
  void *stack = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return stack != MAP_FAILED && munmap(stack, size) == 0;
}

/// Once for the process: afterwards there are handlers.
static sigset_t prepareSignals() {
  const sigset_t signals = getEndingSignals();
  // LLVM installs its handlers once, with the first temporary file; one of them would end the process at SIGXFSZ.
  llvm::sys::SetInterruptFunction(nullptr);
  std::signal(SIGXFSZ, [](int) {}); // a handler, which children do not inherit
  std::signal(SIGCHLD, SIG_DFL);
  return signals;
}

Watchdog::Watchdog(const Limits &limits) : limits(limits), deadline(Clock::now() + limits.time) {
  static const sigset_t ending = prepareSignals();
  signals = ending;
  if (limits.memory && (memoryFile = openStatus("self")) < 0)
    endWithoutWatch("its memory cannot be read (--memory-limit)", errno);
  sigset_t blocked = signals;
  sigaddset(&blocked, kWake);
  if (int error = pthread_sigmask(SIG_BLOCK, &blocked, &previousMask))
    endWithoutWatch("signals cannot be blocked", error);
  try {
    thread = std::thread([this] { watch(); });
  } catch (const std::system_error &failure) {
    if (std::new_handler reportOutOfMemory = std::get_new_handler(); reportOutOfMemory && !hasRoomForStack())
      reportOutOfMemory();
    endWithoutWatch("a thread cannot be started", failure.code().value());
  }
}

void Watchdog::stop() {
  if (!thread.joinable())
    return;
  isStopping = true;
  if (int error = pthread_kill(thread.native_handle(), kWake))
    endWithoutWatch("its thread cannot be woken", error);
  thread.join();
  if (memoryFile >= 0)
    close(memoryFile);
  if (int error = pthread_sigmask(SIG_SETMASK, &previousMask, nullptr))
    endWithoutWatch("signals cannot be let through again", error);
}

llvm::Error Watchdog::finish() {
  std::string excess = describeExcess();
  stop();
  return excess.empty() ? llvm::Error::success()
                        : llvm::make_error<CompileError>(ExitCode::CompilationFailed, llvm::StringRef(excess).rtrim());
}

/// Waits for one of `signals`, at most so long; 0 when there was none.
static int awaitSignal(const sigset_t &signals, std::optional<milliseconds> patience) {
  timespec time = {};
  if (patience) {
    time.tv_sec = patience->count() / 1000;
    time.tv_nsec = patience->count() % 1000 * 1'000'000;
  }
  const int signal = patience ? sigtimedwait(&signals, nullptr, &time) : sigwaitinfo(&signals, nullptr);
  if (signal < 0 && errno != EAGAIN && errno != EINTR)
    endWithoutWatch("signals cannot be waited for", errno);
  return std::max(signal, 0);
}

void Watchdog::watch() {
  constexpr milliseconds memoryPeriod(2); // in which few tens of MiB can be touched
  constexpr milliseconds longest(3'600'000);
  sigset_t awaited = signals;
  sigaddset(&awaited, kWake);
  while (true) {
    std::optional<milliseconds> patience;
    if (limits.time.count())
      patience = std::clamp(std::chrono::ceil<milliseconds>(deadline - Clock::now()), milliseconds(0), longest);
    if (limits.memory)
      patience = std::min(patience.value_or(memoryPeriod), memoryPeriod);
    const int signal = awaitSignal(awaited, patience);
    if (signal == kWake && isStopping)
      return;
    if (signal != 0 && signal != kWake)
      endBySignal(signal);
    if (limits.time.count() && Clock::now() >= deadline)
      endProcess(ExitCode::CompilationFailed, "error: the compilation did not finish within " +
                                                  std::to_string(limits.time.count()) + " ms (--time-limit); " +
                                                  kRemedy.str());
    if (std::string excess = describeExcess(); !excess.empty())
      endProcess(ExitCode::CompilationFailed, excess);
  }
}
