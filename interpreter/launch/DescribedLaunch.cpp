//===- DescribedLaunch.cpp - Interpreting what a description says ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DescribedLaunch.h"
#include "LaunchError.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "llvm/Support/SourceMgr.h"
#include <cmath>
#include <cstring>

namespace tileiras::interpreter {

KernelModule readKernelModule(llvm::SourceMgr &sources, mlir::MLIRContext &context) {
  KernelModule kernel;
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(sources.getMainFileID());
  if (isTileIRBytecode(buffer->getMemBufferRef())) {
    kernel.bytecode = readBytecode(buffer->getMemBufferRef(), &context);
    if (kernel.bytecode)
      kernel.program = *kernel.bytecode;
    return kernel;
  }
  kernel.text = mlir::parseSourceFile<mlir::ModuleOp>(sources, mlir::ParserConfig(&context));
  if (!kernel.text)
    return kernel;
  auto programs = llvm::to_vector(kernel.text->getOps<cuda_tile::ModuleOp>());
  if (programs.size() == 1)
    kernel.program = programs.front();
  else
    kernel.text->emitError() << "expected one cuda_tile.module, found " << programs.size();
  return kernel;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

uint64_t PlacedMemory::allocate(uint64_t bytes, const std::string &name, uint64_t alignment) {
  return memory.allocate(bytes, name, alignment);
}

void PlacedMemory::write(uint64_t address, const void *data, uint64_t bytes) {
  std::memcpy(access(address, bytes), data, bytes);
}

void PlacedMemory::read(uint64_t address, void *data, uint64_t bytes) const {
  std::memcpy(data, access(address, bytes), bytes);
}

uint8_t *PlacedMemory::access(uint64_t address, uint64_t bytes) const {
  if (uint8_t *at = memory.access(address, bytes))
    return at;
  throw LaunchError(memory.explain(address, bytes));
}

//===----------------------------------------------------------------------===//
// Before and after
//===----------------------------------------------------------------------===//

Launch prepareLaunch(const LaunchDescription &description, const std::string &entry, Memory &memory,
                     LaunchDescription::Addresses &addresses) {
  PlacedMemory placed(memory);
  ptxemu::LaunchOptions options;
  options.entry = entry;
  addresses = description.prepare(placed, options);
  Launch launch;
  launch.entry = options.entry;
  llvm::copy(options.grid, launch.grid.begin());
  launch.arguments = std::move(options.arguments);
  for (const LaunchDescription::Parameter &parameter : description.parameters)
    launch.argumentTypes.push_back(parameter.type);
  return launch;
}

/// What is known of the element at `address`: " (written in tile block (0, 1, 0) by cuda_tile.store_ptr_tko at
/// k.py:7)".
static std::string describeWriter(const Memory &memory, uint64_t address) {
  std::optional<Writer> writer = memory.getWriter(address);
  if (!writer)
    return " (the kernel has not written it)";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << " (written in tile block (" << writer->tileBlock[0] << ", " << writer->tileBlock[1] << ", "
     << writer->tileBlock[2] << ") by " << writer->op->getName();
  if (auto source = llvm::dyn_cast<mlir::FileLineColLoc>(getSourceLocation(writer->op)))
    os << " at " << source.getFilename().getValue() << ':' << source.getLine();
  os << ')';
  return text;
}

bool compareResults(const LaunchDescription &description, Memory &memory, const LaunchDescription::Addresses &addresses,
                    bool acceptsBounds, std::string *report) {
  auto judge = [&](uint64_t address, double got, double wanted, std::string *sentence) {
    const double bound = acceptsBounds ? memory.getBound(address) : 0;
    // A bound that is no number says that nothing is known.
    if (bound != 0 && (!std::isfinite(bound) || std::abs(got - wanted) <= bound))
      return true;
    if (sentence)
      *sentence = describeWriter(memory, address);
    return false;
  };
  return description.compare(PlacedMemory(memory), addresses, report, judge);
}

} // namespace tileiras::interpreter
