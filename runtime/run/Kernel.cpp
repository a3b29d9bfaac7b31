//===- Kernel.cpp - What is to be run -------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "RunError.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Support/InputFile.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"

namespace tileiras::run {

//===----------------------------------------------------------------------===//
// Metadata
//===----------------------------------------------------------------------===//

const launch::KernelMetadata *Kernel::findMetadata(llvm::StringRef entry) const {
  if (!metadata)
    return nullptr;
  if (entry.empty() && metadata->kernels.size() == 1)
    return &metadata->kernels.front();
  const auto found = llvm::find_if(metadata->kernels, [&](const auto &kernel) { return kernel.name == entry; });
  return found == metadata->kernels.end() ? nullptr : &*found;
}

std::optional<Resources> Kernel::findAssembledResources(llvm::StringRef entry) const {
  const launch::KernelMetadata *known = findMetadata(entry);
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(metadataText);
  if (!known || !json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  const llvm::json::Object *object = json->getAsObject();
  const llvm::json::Array *kernels = object ? object->getArray("kernels") : nullptr;
  if (!kernels)
    return std::nullopt;
  for (const llvm::json::Value &value : *kernels) {
    const llvm::json::Object *kernel = value.getAsObject();
    if (!kernel || kernel->getString("name") != llvm::StringRef(known->name) || !kernel->getInteger("registers"))
      continue;
    auto number = [&](llvm::StringRef key) { return static_cast<uint32_t>(kernel->getInteger(key).value_or(0)); };
    Resources resources;
    resources.source = "ptxas";
    resources.registers = number("registers");
    resources.localBytes = number("stack_bytes");
    resources.spillStoreBytes = number("spill_store_bytes");
    resources.spillLoadBytes = number("spill_load_bytes");
    resources.staticSharedBytes = number("static_shared_bytes");
    resources.dynamicSharedBytes = known->dynamicSharedBytes;
    resources.threads = known->blockSize[0] * known->blockSize[1] * known->blockSize[2];
    return resources;
  }
  return std::nullopt;
}

/// The bytes of the array in which the compiler leaves its metadata; empty where there is none.
static std::string findMetadataInPtx(llvm::StringRef ptx) {
  static llvm::Regex declaration("\\.b8[ \t]+" + std::string(launch::kMetadataSymbol) +
                                 "\\[[0-9]+\\][ \t]*=[ \t]*\\{([^}]*)\\}");
  llvm::SmallVector<llvm::StringRef> groups, numbers;
  std::string text;
  if (!declaration.match(ptx, &groups))
    return text;
  groups[1].split(numbers, ',');
  for (llvm::StringRef number : numbers) {
    uint8_t byte = 0;
    if (number.trim().getAsInteger(10, byte))
      return "";
    text += static_cast<char>(byte);
  }
  return text;
}

static void readMetadata(Kernel &kernel, const std::string &origin) {
  std::string error;
  kernel.metadata = launch::parseMetadata(kernel.metadataText, error);
  if (!kernel.metadata)
    throw RunError(Exit::BadInput, origin + ": " + error + "; it has to be what this compiler's --metadata writes");
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string readWhole(llvm::StringRef file) {
  auto buffer = readInputFileOrStdin(file);
  if (!buffer)
    throw RunError(Exit::BadInput, "cannot read " + file + ": " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

/// PTX begins with .version, behind comments.
static bool looksLikePtx(llvm::StringRef text) {
  for (;;) {
    text = text.ltrim();
    if (text.consume_front("//"))
      text = text.drop_front(std::min(text.find('\n'), text.size()));
    else if (text.consume_front("/*"))
      text = text.drop_front(std::min(text.find("*/"), text.size() - 2) + 2);
    else
      return text.starts_with(".version");
  }
}

static Kernel::Form recognise(llvm::StringRef bytes, const std::string &file) {
  auto fail = [&](const llvm::Twine &why) { throw RunError(Exit::BadInput, file + why); };
  const llvm::MemoryBufferRef buffer(bytes, file);
  if (isTileIRBytecode(buffer))
    return Kernel::Bytecode;
  if (mlir::isBytecode(buffer))
    fail(" is MLIR bytecode: give Tile IR bytecode, or the text of the module");
  if (bytes.starts_with("\177ELF")) {
    constexpr size_t machineAt = 18;
    if (bytes.size() < machineAt + 2 || llvm::support::endian::read16le(bytes.data() + machineAt) != llvm::ELF::EM_CUDA)
      fail(" is an ELF file, but no cubin: its machine is not CUDA");
    return Kernel::Cubin;
  }
  if (bytes.starts_with("\x50\xed\x55\xba"))
    fail(" is a fat binary: cuobjdump --extract-elf all takes the cubins out of it");
  if (looksLikePtx(bytes))
    return Kernel::Ptx;
  if (bytes.contains("cuda_tile"))
    return Kernel::Text;
  fail(" is neither Tile IR (bytecode, or text with a cuda_tile.module), nor PTX (which begins with .version), nor a "
       "cubin");
  llvm_unreachable("fail() throws");
}

Kernel readKernel(const RunOptions &options) {
  Kernel kernel;
  kernel.file = options.kernelFile == "-" ? "<stdin>" : options.kernelFile;
  kernel.source = readWhole(options.kernelFile);
  kernel.form = recognise(kernel.source, kernel.file);
  if (!options.metadataFile.empty() && kernel.isTileIR())
    throw RunError(Exit::Usage,
                   "--metadata goes with a cubin or PTX; Tile IR is compiled here, and its metadata are known");
  if (kernel.form == Kernel::Cubin)
    kernel.cubin = kernel.source;
  if (kernel.form == Kernel::Ptx) {
    kernel.ptx = kernel.source;
    kernel.metadataText = findMetadataInPtx(kernel.ptx);
  }
  std::string origin = kernel.file;
  if (kernel.form == Kernel::Cubin) {
    const launch::EmbeddedMetadata found = launch::findMetadata(kernel.cubin.data(), kernel.cubin.size());
    if (found.kind == launch::EmbeddedMetadata::Malformed)
      throw RunError(Exit::BadInput, kernel.file + ": " + found.error);
    kernel.metadataText = found.text;
    if (kernel.metadataText.empty() && options.metadataFile.empty())
      throw RunError(Exit::BadInput, kernel.file + ": " + found.error + " (--metadata FILE)");
  }
  if (!options.metadataFile.empty()) {
    kernel.metadataText = readWhole(options.metadataFile);
    origin = options.metadataFile;
  }
  if (!kernel.metadataText.empty())
    readMetadata(kernel, origin);
  return kernel;
}

} // namespace tileiras::run
