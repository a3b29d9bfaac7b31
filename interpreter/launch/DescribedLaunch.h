//===- DescribedLaunch.h - Interpreting what a description says -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_LAUNCH_DESCRIBEDLAUNCH_H
#define TILEIRAS_INTERPRETER_LAUNCH_DESCRIBEDLAUNCH_H

#include "LaunchDescription.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "tileiras-interpreter/Interpreter.h"

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace tileiras::interpreter {

/// A program and what owns it. The program is null when it could not be read; diagnostics have said why.
struct KernelModule {
  mlir::OwningOpRef<mlir::ModuleOp> text;
  mlir::OwningOpRef<cuda_tile::ModuleOp> bytecode;
  cuda_tile::ModuleOp program;
};

/// Reads the main buffer of `sources`, bytecode or text. Text must end with a null character.
KernelModule readKernelModule(llvm::SourceMgr &sources, mlir::MLIRContext &context);

/// Launch descriptions place their buffers in the interpreter's memory.
class PlacedMemory : public ptxemu::DeviceMemory {
public:
  explicit PlacedMemory(Memory &memory) : memory(memory) {}

  uint64_t allocate(uint64_t bytes, const std::string &name, uint64_t alignment) override;
  void write(uint64_t address, const void *data, uint64_t bytes) override;
  void read(uint64_t address, void *data, uint64_t bytes) const override;

private:
  uint8_t *access(uint64_t address, uint64_t bytes) const; ///< throws LaunchError

  Memory &memory;
};

/// What the interpreter is to run. Buffers are in `memory` then, where `addresses` says; `entry` goes before that of
/// the description unless it is empty.
Launch prepareLaunch(const LaunchDescription &description, const std::string &entry, Memory &memory,
                     LaunchDescription::Addresses &addresses);

/// Compares with what the description expects, and says of an element that differs who wrote it. With `acceptsBounds`
/// elements may be as far off as a conforming implementation's.
bool compareResults(const LaunchDescription &description, Memory &memory, const LaunchDescription::Addresses &addresses,
                    bool acceptsBounds, std::string *report);

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_LAUNCH_DESCRIBEDLAUNCH_H
