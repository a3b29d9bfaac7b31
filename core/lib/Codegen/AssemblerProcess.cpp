//===- AssemblerProcess.cpp - An assembler as a child process -------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssemblerProcess.h"
#include "tileiras/Codegen/Assembler.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <map>
#include <mutex>
#include <set>
#include <sys/wait.h>
#include <thread>

using namespace tileiras;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===----------------------------------------------------------------------===//
// What has to go when the process ends early
//===----------------------------------------------------------------------===//

namespace {
/// Children are started, noted down and reaped under the lock, so that nobody kills a process that is not ours.
struct LiveAssemblers {
  std::recursive_mutex mutex;                           // an allocation under it may fail and end the process
  std::map<std::string, std::set<std::string>> folders; ///< with the files that may be in them
  std::set<int> children;
};
} // namespace

/// Never destroyed: other threads may still assemble while the process ends.
static LiveAssemblers &getLive() {
  static auto *live = new LiveAssemblers;
  return *live;
}

/// To list what is in a folder takes a file descriptor, which another thread may have at this moment: files that are
/// known go by their names.
static void removeFolder(const std::string &folder, const std::set<std::string> &files) {
  for (const std::string &file : files)
    fs::remove(file);
  if (fs::remove(folder))
    fs::remove_directories(folder);
}

llvm::SmallVector<int> tileiras::getAssemblerProcesses() {
  std::lock_guard lock(getLive().mutex);
  return {getLive().children.begin(), getLive().children.end()};
}

void tileiras::abandonAssemblers() {
  LiveAssemblers &live = getLive();
  live.mutex.lock(); // for good
  for (int child : live.children) {
    ::kill(child, SIGKILL);
    while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR)
      ;
  }
  for (const auto &[folder, files] : live.folders)
    removeFolder(folder, files);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

llvm::Expected<ScratchFolder> ScratchFolder::create() {
  std::lock_guard lock(getLive().mutex);
  llvm::SmallString<128> path;
  if (std::error_code error = fs::createUniqueDirectory("tileiras", path)) {
    llvm::SmallString<128> parent;
    path::system_temp_directory(/*ErasedOnReboot=*/true, parent);
    return llvm::createStringError(error, "cannot create a temporary folder for ptxas in '" + parent +
                                              "': " + error.message() + "; set TMPDIR to a folder that can be written");
  }
  getLive().folders[path.str().str()];
  return ScratchFolder(path.str().str());
}

ScratchFolder::~ScratchFolder() {
  if (path.empty())
    return;
  std::lock_guard lock(getLive().mutex);
  removeFolder(path, getLive().folders[path]);
  getLive().folders.erase(path);
}

std::string ScratchFolder::getPath(llvm::StringRef name) const {
  llvm::SmallString<128> file(path);
  path::append(file, name);
  std::lock_guard lock(getLive().mutex);
  getLive().folders[path].insert(file.str().str());
  return file.str().str();
}

llvm::Error ScratchFolder::write(llvm::StringRef name, llvm::StringRef text) const {
  std::string file = getPath(name);
  std::error_code error;
  llvm::raw_fd_ostream stream(file, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? llvm::createStringError(error, "cannot write '" + file + "': " + error.message())
               : llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> ScratchFolder::read(llvm::StringRef name) const {
  std::string file = getPath(name);
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "cannot read '" + file + "': " + buffer.getError().message());
  return std::move(*buffer);
}

//===----------------------------------------------------------------------===//
// The process
//===----------------------------------------------------------------------===//

namespace {
/// What is known of a child that was asked for its state.
struct ChildState {
  bool isRunning;
  int returnCode;
  std::string message;
};
} // namespace

static llvm::Expected<llvm::sys::ProcessInfo> start(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
                                                    llvm::StringRef output) {
  std::lock_guard lock(getLive().mutex);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), output, output};
  std::string message;
  bool failedToStart = false;
  llvm::sys::ProcessInfo child = llvm::sys::ExecuteNoWait(program, arguments, /*Env=*/std::nullopt, redirects,
                                                          /*MemoryLimit=*/0, &message, &failedToStart);
  if (failedToStart)
    return llvm::createStringError("Program could not be executed: '" + program + "': " + message);
  getLive().children.insert(child.Pid);
  return child;
}

/// `seconds`: 0 only looks, nullopt waits.
static ChildState wait(const llvm::sys::ProcessInfo &child, std::optional<unsigned> seconds) {
  std::lock_guard lock(getLive().mutex);
  std::string message;
  llvm::sys::ProcessInfo state = llvm::sys::Wait(child, seconds, &message);
  // Where nobody keeps how children end (SIGCHLD is ignored), there is an error, and no process.
  const bool isLost = state.Pid != child.Pid && state.ReturnCode != 0;
  if (state.Pid != child.Pid && !isLost)
    return {true, 0, ""};
  getLive().children.erase(child.Pid);
  return {false, state.ReturnCode, message};
}

/// llvm::sys::ExecuteAndWait implements time limits with SIGALRM, which belongs to the whole process: this polls.
llvm::Expected<int> tileiras::runAssemblerProcess(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
                                                  llvm::StringRef output, std::chrono::milliseconds timeout,
                                                  const std::function<bool(int process)> &shouldStop) {
  using Clock = std::chrono::steady_clock;
  llvm::Expected<llvm::sys::ProcessInfo> child = start(program, arguments, output);
  if (!child)
    return child.takeError();
  Clock::time_point deadline = Clock::now() + timeout;
  while (true) {
    ChildState state = wait(*child, 0);
    if (!state.isRunning && state.returnCode < 0)
      return llvm::createStringError("'" + program + "' died: " + state.message);
    if (!state.isRunning)
      return state.returnCode;
    const bool isStopped = shouldStop && shouldStop(child->Pid);
    if (isStopped || Clock::now() >= deadline) {
      ::kill(child->Pid, SIGKILL);
      wait(*child, std::nullopt);
      if (isStopped)
        return llvm::createStringError("'" + program + "' was ended, as it was asked for");
      return llvm::createStringError("Child timed out: '" + program + "' did not finish within " +
                                     std::to_string(timeout.count()) + " ms");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}
