//===- PtxasAssembler.cpp - ptxas as a child process ------------------------ ===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssemblerProcess.h"
#include "Assemblers.h"
#include "llvm/ADT/StringExtras.h"

namespace tileiras {
namespace {

class PtxasAssembler final : public Assembler {
public:
  explicit PtxasAssembler(std::string program) : program(std::move(program)) {}

  llvm::StringRef getName() const override { return "ptxas"; }

  llvm::Expected<std::string> getVersion() const override {
    llvm::Expected<ScratchFolder> folder = ScratchFolder::create();
    if (!folder)
      return folder.takeError();
    llvm::Expected<int> status =
        runAssemblerProcess(program, {program, "--version"}, folder->getPath(kLog), std::chrono::seconds(30));
    if (!status)
      return status.takeError();
    auto text = folder->read(kLog);
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
    llvm::Expected<ScratchFolder> folder = ScratchFolder::create();
    if (!folder)
      return folder.takeError();
    std::string input = folder->getPath(kInput), output = folder->getPath(kOutput);
    if (llvm::Error error = folder->write(kInput, ptx))
      return error;

    std::vector<std::string> arguments = getArguments(options);
    std::vector<llvm::StringRef> argv(arguments.begin(), arguments.end());
    argv.insert(argv.end(), {"-o", output, input});
    llvm::Expected<int> status =
        runAssemblerProcess(program, argv, folder->getPath(kLog), options.timeout, options.shouldStop);
    if (!status)
      return status.takeError();
    auto report = folder->read(kLog);
    if (!report)
      return report.takeError();
    if (*status != 0 && isTooOld((*report)->getBuffer()))
      return describeTooOld(options.arch);
    if (*status != 0)
      return llvm::createStringError("ptxas rejected the generated PTX (exit status " + std::to_string(*status) +
                                     "):\n" + (*report)->getBuffer().trim());
    auto cubin = folder->read(kOutput);
    if (!cubin)
      return cubin.takeError();
    Assembly assembly;
    assembly.cubin.assign((*cubin)->getBufferStart(), (*cubin)->getBufferEnd());
    parseAssemblerReport((*report)->getBuffer(), assembly);
    return assembly;
  }

private:
  static constexpr llvm::StringLiteral kInput = "kernel.ptx", kOutput = "kernel.cubin", kLog = "ptxas.log";

  /// The complaints of a ptxas that is older than the GPU, or than the PTX that is written for it.
  static bool isTooOld(llvm::StringRef report) {
    return report.contains("is not defined for option 'gpu-name'") || report.contains("Unsupported .version");
  }

  llvm::Error describeTooOld(llvm::StringRef arch) const {
    llvm::Expected<std::string> version = getVersion();
    std::string release;
    if (version)
      release = " " + *version;
    else
      llvm::consumeError(version.takeError());
    return llvm::createStringError("ptxas" + release + " ('" + program + "') does not know " + arch +
                                   ", or the PTX for it: install a newer CUDA toolkit and set CUDA_ROOT to its folder, "
                                   "or take the PTX with --emit=ptx");
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
