//===- Inputs.cpp - The programs that are mutated --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "ParseProgram.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace tileiras;
using namespace tileiras::fuzz;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
using OwningModule = mlir::OwningOpRef<cuda_tile::ModuleOp>;

static constexpr uint64_t kMaxBytes = 1 << 20;

/// Whether the same program is there as text.
static bool hasText(llvm::StringRef bytecode) {
  llvm::SmallString<128> text(bytecode);
  path::replace_extension(text, ".mlir");
  return fs::exists(text);
}

llvm::Expected<std::vector<std::string>> tileiras::fuzz::listFiles(llvm::StringRef root) {
  std::vector<std::string> files;
  std::error_code error;
  if (fs::is_regular_file(root))
    return std::vector{root.str()};
  for (fs::recursive_directory_iterator entry(root, error), end; entry != end && !error; entry.increment(error)) {
    llvm::StringRef extension = path::extension(entry->path());
    if (entry->type() == fs::file_type::regular_file &&
        (extension.empty() || extension == ".mlir" || (extension == ".tileirbc" && !hasText(entry->path()))))
      files.push_back(entry->path());
  }
  if (error)
    return llvm::createStringError(error, "cannot list " + root + ": " + error.message());
  llvm::sort(files);
  return files;
}

static void add(std::string name, OwningModule module, LaunchCase launch, std::vector<Input> &inputs) {
  ProgramSize size = measure(*module);
  inputs.push_back({std::move(name), std::move(module), std::move(launch), size});
}

bool tileiras::fuzz::addInput(std::string name, llvm::StringRef text, LaunchCase launch, mlir::MLIRContext *context,
                              std::vector<Input> &inputs) {
  OwningModule module = parseProgram(text, context);
  if (!module)
    return false;
  add(std::move(name), std::move(module), std::move(launch), inputs);
  return true;
}

/// The launch beside a program; without entry if there is none.
static LaunchCase findLaunch(llvm::StringRef file) {
  llvm::SmallString<128> description(file);
  path::replace_extension(description, ".json");
  if (path::extension(file) != ".mlir" || !fs::exists(description))
    return {};
  llvm::Expected<LaunchCase> launch = LaunchCase::load(description.str().str());
  if (launch)
    return std::move(*launch);
  llvm::consumeError(launch.takeError());
  return {};
}

static void loadFile(const std::string &file, mlir::MLIRContext *context, std::vector<Input> &inputs) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer || (*buffer)->getBufferSize() > kMaxBytes)
    return;
  if (isTileIRBytecode((*buffer)->getMemBufferRef())) {
    if (OwningModule module = readBytecode((*buffer)->getMemBufferRef(), context))
      add(file, std::move(module), {}, inputs);
    return;
  }
  llvm::SmallVector<llvm::StringRef> parts;
  (*buffer)->getBuffer().split(parts, "// -----");
  for (size_t i = 0; i < parts.size(); ++i)
    addInput(parts.size() == 1 ? file : file + "#" + std::to_string(i + 1), parts[i],
             parts.size() == 1 ? findLaunch(file) : LaunchCase(), context, inputs);
}

llvm::Error tileiras::fuzz::loadInputs(llvm::StringRef root, mlir::MLIRContext *context, int64_t maxElements,
                                       std::vector<Input> &inputs) {
  llvm::Expected<std::vector<std::string>> files = listFiles(root);
  if (!files)
    return files.takeError();
  mlir::ScopedDiagnosticHandler ignore(context, [](mlir::Diagnostic &) { return mlir::success(); });
  const size_t before = inputs.size();
  for (const std::string &file : *files)
    loadFile(file, context, inputs);
  auto isUseless = [&](Input &input) {
    return input.size.elements > maxElements || input.module->getOps<cuda_tile::EntryOp>().empty();
  };
  inputs.erase(std::remove_if(inputs.begin() + static_cast<ptrdiff_t>(before), inputs.end(), isUseless), inputs.end());
  if (inputs.size() == before)
    return llvm::createStringError("no program that verifies in " + root);
  return llvm::Error::success();
}
