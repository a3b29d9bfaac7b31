//===- Kernel.h - What is to be run -----------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_RUNTIME_RUN_KERNEL_H
#define TILEIRAS_RUNTIME_RUN_KERNEL_H

#include "LaunchDescription.h"
#include "Metadata.h"
#include "Outcome.h"
#include "RunOptions.h"

namespace tileiras::run {

class Progress;

/// A file with kernels, and what was made of it.
struct Kernel {
  enum Form { Bytecode, Text, Ptx, Cubin } form = Text;
  std::string file;   ///< its name, for messages
  std::string source; ///< its contents

  // What can be launched; empty where there is none.
  std::string ptx, cubin;
  std::string metadataText;                 ///< of the compiler, as JSON
  std::optional<launch::Metadata> metadata; ///< the same; nothing where another compiler made the kernel
  std::string gpuName;                      ///< it was compiled for; empty where it was compiled elsewhere
  double compileSeconds = 0;
  std::string compilation; ///< what a page shows of it, as JSON; empty where nobody has asked

  bool isTileIR() const { return form == Bytecode || form == Text; }
  /// Of an entry, or of the only one when the name is empty; null where nothing is known.
  const launch::KernelMetadata *findMetadata(llvm::StringRef entry) const;
  /// What the assembler has said of an entry; nothing where it has not been asked.
  std::optional<Resources> findAssembledResources(llvm::StringRef entry) const;
};

/// Reads the file that the options name, and recognises what it is by its contents. Throws RunError.
Kernel readKernel(const RunOptions &options);

/// Compiles Tile IR for a GPU: to a cubin where there is an assembler or the cubin is `needed`, else to PTX.
/// Diagnostics go to standard error. Throws RunError.
void compileKernel(Kernel &kernel, const RunOptions &options, const std::string &gpuName, bool needsCubin,
                   Progress &progress);

/// The same program, with its assumptions as assertions, as PTX; nothing where it has none, or the options say so.
std::optional<Kernel> compileAssumeChecks(const Kernel &kernel, const RunOptions &options, Progress &progress);

/// Whether the description is one of this kernel, as far as the compiler has said what it takes. Throws RunError.
void checkDescription(const Kernel &kernel, const LaunchDescription &description, const RunOptions &options);

/// What `options` leave open and the compiler has said: block, cluster, grid in CTAs, shared memory.
void applyMetadata(const Kernel &kernel, ptxemu::LaunchOptions &options);

} // namespace tileiras::run

#endif // TILEIRAS_RUNTIME_RUN_KERNEL_H
