//===- PtxasAssembler.cpp - ptxas as a child process ------------------------ ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Assemblers.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <thread>

namespace tileiras {
namespace {

/// An empty file that is removed when this goes out of scope.
class ScratchFile {
public:
  static llvm::Expected<ScratchFile> create(llvm::StringRef suffix) {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("tileiras", suffix, path))
      return llvm::createStringError(error, "cannot create a temporary file for ptxas: " + error.message());
    return ScratchFile(path);
  }

  llvm::StringRef getPath() const { return path; }

  llvm::Error write(llvm::StringRef text) const {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    if (!error) {
      stream << text;
      stream.close();
      error = stream.error();
      stream.clear_error();
    }
    return error ? llvm::createStringError(error, "cannot write '" + path + "': " + error.message())
                 : llvm::Error::success();
  }

  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
    if (!buffer)
      return llvm::createStringError(buffer.getError(), "cannot read '" + path + "': " + buffer.getError().message());
    return std::move(*buffer);
  }

private:
  explicit ScratchFile(llvm::StringRef path) : path(path.str()), remover(path) {}
  std::string path;
  llvm::FileRemover remover;
};

/// Runs a program with both its outputs in `output`. An error when it cannot be started, dies or exceeds `timeout`;
/// otherwise its exit status. llvm::sys::ExecuteAndWait implements time limits with SIGALRM, which belongs to the
/// whole process: this polls instead.
llvm::Expected<int> runProgram(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
                               llvm::StringRef output, std::chrono::milliseconds timeout) {
  using Clock = std::chrono::steady_clock;
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), output, output};
  std::string message;
  bool failedToStart = false;
  llvm::sys::ProcessInfo child = llvm::sys::ExecuteNoWait(program, arguments, /*Env=*/std::nullopt, redirects,
                                                          /*MemoryLimit=*/0, &message, &failedToStart);
  if (failedToStart)
    return llvm::createStringError("Program could not be executed: '" + program + "': " + message);
  Clock::time_point deadline = Clock::now() + timeout;
  while (true) {
    llvm::sys::ProcessInfo state = llvm::sys::Wait(child, /*SecondsToWait=*/0, &message);
    if (state.Pid == child.Pid) {
      if (state.ReturnCode < 0)
        return llvm::createStringError("'" + program + "' died: " + message);
      return state.ReturnCode;
    }
    if (Clock::now() >= deadline) {
      ::kill(child.Pid, SIGKILL);
      llvm::sys::Wait(child, std::nullopt);
      return llvm::createStringError("Child timed out: '" + program + "' did not finish within " +
                                     std::to_string(timeout.count()) + " ms");
    }
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
}

class PtxasAssembler final : public Assembler {
public:
  explicit PtxasAssembler(std::string program) : program(std::move(program)) {}

  llvm::StringRef getName() const override { return "ptxas"; }

  llvm::Expected<std::string> getVersion() const override {
    llvm::Expected<ScratchFile> log = ScratchFile::create("log");
    if (!log)
      return log.takeError();
    llvm::Expected<int> status = runProgram(program, {program, "--version"}, log->getPath(), std::chrono::seconds(30));
    if (!status)
      return status.takeError();
    auto text = log->read();
    if (!text)
      return text.takeError();
    // "Cuda compilation tools, release 13.0, V13.0.48"
    llvm::StringRef version =
        (*text)->getBuffer().split(", V").second.take_while([](char c) { return llvm::isDigit(c) || c == '.'; });
    if (version.empty())
      return llvm::createStringError("'" + program + " --version' does not say its version");
    return version.str();
  }

  llvm::Expected<Assembly> assemble(llvm::StringRef ptx, const AssemblerOptions &options) const override {
    llvm::Expected<ScratchFile> input = ScratchFile::create("ptx"), output = ScratchFile::create("cubin"),
                                log = ScratchFile::create("log");
    for (llvm::Expected<ScratchFile> *file : {&input, &output, &log})
      if (!*file)
        return joinErrors(input, output, log);
    if (llvm::Error error = input->write(ptx))
      return error;

    std::vector<std::string> arguments = getArguments(options);
    std::vector<llvm::StringRef> argv(arguments.begin(), arguments.end());
    argv.insert(argv.end(), {"-o", output->getPath(), input->getPath()});
    llvm::Expected<int> status = runProgram(program, argv, log->getPath(), options.timeout);
    if (!status)
      return status.takeError();
    auto report = log->read();
    if (!report)
      return report.takeError();
    if (*status != 0)
      return llvm::createStringError("ptxas rejected the generated PTX (exit status " + std::to_string(*status) +
                                     "):\n" + (*report)->getBuffer().trim());
    auto cubin = output->read();
    if (!cubin)
      return cubin.takeError();
    Assembly assembly;
    assembly.cubin.assign((*cubin)->getBufferStart(), (*cubin)->getBufferEnd());
    parseAssemblerReport((*report)->getBuffer(), assembly);
    return assembly;
  }

private:
  static llvm::Error joinErrors(llvm::Expected<ScratchFile> &a, llvm::Expected<ScratchFile> &b,
                                llvm::Expected<ScratchFile> &c) {
    return llvm::joinErrors(llvm::joinErrors(a.takeError(), b.takeError()), c.takeError());
  }

  std::vector<std::string> getArguments(const AssemblerOptions &options) const {
    std::vector<std::string> arguments = {program, "-v", "-arch=" + options.arch,
                                          "--opt-level=" + std::to_string(options.deviceDebug ? 0 : options.optLevel)};
    if (options.deviceDebug)
      arguments.push_back("--device-debug");
    else if (options.lineInfo)
      arguments.push_back("--generate-line-info");
    if (options.sanitizeMemcheck)
      arguments.push_back("--sanitize=memcheck");
    arguments.insert(arguments.end(), options.extraOptions.begin(), options.extraOptions.end());
    return arguments;
  }

  std::string program;
};

} // namespace

llvm::Expected<std::unique_ptr<Assembler>> createPtxasAssembler(const CudaToolkit &toolkit) {
  llvm::Expected<std::string> program = toolkit.findPtxas();
  if (!program)
    return program.takeError();
  return std::make_unique<PtxasAssembler>(std::move(*program));
}

} // namespace tileiras
