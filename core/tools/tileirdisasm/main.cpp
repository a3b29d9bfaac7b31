//===- main.cpp - tileirdisasm: Tile IR bytecode as text ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Front ends look for this program beside tileiras, call it as NVIDIA's, and compare what it prints: the module as
// tileiras --emit=cuda_tile has it, on standard output. Nothing else of the compiler takes part; no GPU is meant.
//
//===----------------------------------------------------------------------===//

#include "CompilerFlags.h"
#include "HelpText.h"
#include "ToolVersion.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace tileiras;
namespace cl = llvm::cl;

namespace {

/// Made when options are: the reset of the parser takes away what was there before.
cl::OptionCategory &getGroup() {
  static cl::OptionCategory group("Input and output");
  return group;
}

struct Options {
  cl::list<std::string> inputs{cl::Positional, cl::desc("<Tile IR bytecode or text>"), cl::cat(getGroup())};
  cl::opt<std::string> output{"o", cl::desc("Where the text goes; '-' (default) is standard output"),
                              cl::value_desc("file"), cl::init("-"), cl::cat(getGroup())};
  cl::opt<bool> debugInfo{"print-debug-info", cl::desc("Print locations: of each operation, and what they refer to"),
                          cl::cat(getGroup())};
};

} // namespace

static llvm::Error inputOutputError(const llvm::Twine &message) {
  return llvm::make_error<CompileError>(ExitCode::InputOutput, "error: " + message);
}

static llvm::Error write(llvm::StringRef text, const std::string &path) {
  std::error_code failure;
  llvm::ToolOutputFile file(path, failure, llvm::sys::fs::OF_Text);
  if (!failure) {
    file.os() << text;
    file.os().flush();
    failure = file.os().error();
    file.os().clear_error();
  }
  if (failure)
    return inputOutputError("cannot write " + (path == "-" ? "standard output" : "'" + path + "'") + ": " +
                            failure.message());
  file.keep();
  return llvm::Error::success();
}

static llvm::Error disassemble(const Options &options) {
  if (options.inputs.empty())
    return usageError("no input file provided");
  if (options.inputs.size() > 1)
    return usageError("more than one input file: '" + options.inputs[0] + "' and '" + options.inputs[1] + "'");
  const std::string &path = options.inputs[0];
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = readInputFileOrStdin(path);
  if (!buffer)
    return inputOutputError("cannot read '" + path + "': " + buffer.getError().message());
  CompilerOptions compiler;
  compiler.product = Product::CudaTile;
  compiler.lineInfo = options.debugInfo;
  CompilerSession session(std::move(compiler));
  session.setInput(std::move(*buffer));
  if (llvm::Error error = session.compile())
    return error;
  return write(session.getOutput(), options.output);
}

int main(int argc, char **argv) {
  cl::ResetCommandLineParser();
  static Options options; // the command-line library keeps pointers to them
  fitHelp(&getGroup());
  cl::SetVersionPrinter(
      [](llvm::raw_ostream &os) { printToolVersion(os, "tileirdisasm: Tile IR bytecode as text, of tileiras"); });
  llvm::Error error = checkOptionNames(llvm::ArrayRef(argv, argc).drop_front());
  if (!error) {
    if (!cl::ParseCommandLineOptions(argc, argv, "tileirdisasm: print Tile IR bytecode as text\n", &llvm::errs()))
      return static_cast<int>(ExitCode::Usage);
    error = disassemble(options);
  }
  ExitCode code = ExitCode::Success;
  llvm::handleAllErrors(std::move(error), [&](const CompileError &failure) {
    code = failure.getExitCode();
    llvm::errs() << failure.message() << '\n';
  });
  return static_cast<int>(code);
}
