//===- CompilationReport.h - What a compilation did, for people -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_COMPILER_COMPILATIONREPORT_H
#define TILEIRAS_LIB_COMPILER_COMPILATIONREPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/JSON.h"

namespace tileiras {

/// Watches a compilation: what each pass changes, schedules, shared memory, agents, remarks. Costs several times what
/// the passes do; changes nothing. For contexts that use one thread.
class CompilationReport {
public:
  explicit CompilationReport(mlir::MLIRContext &context);

  /// Before the first pass.
  void begin(mlir::ModuleOp module);
  /// To be added to the pass manager, which must not outlive the report.
  std::unique_ptr<mlir::PassInstrumentation> createInstrumentation();
  void addRemark(const mlir::remark::detail::Remark &remark);

  /// Hands over "remarks", "passes", "schedules", "memory", "agents", and "program", the text before the first pass.
  void writeInto(llvm::json::Object &report);

private:
  class Watcher;

  llvm::json::Array remarks, passes, schedules, memory, agents;
  std::string program;
  /// Lines of the module after the last pass.
  std::vector<std::string> lines;
};

/// The shared memory of the module's kernels, once `tileas-allocate-memory` has laid it out: parts with offsets, bytes
/// and lifetimes, the pipelines they are stages of, and loops and agents, whose positions lifetimes count in.
llvm::json::Array describeMemory(mlir::ModuleOp module);
/// Warps that run different code, and registers of their threads.
llvm::json::Array describeAgents(mlir::ModuleOp module);

/// What differs between two texts, as hunks of lines that begin with '+', '-' or ' '. Numbers of values do not count.
llvm::json::Object describeDifference(llvm::ArrayRef<std::string> before, llvm::ArrayRef<std::string> after);

} // namespace tileiras

#endif // TILEIRAS_LIB_COMPILER_COMPILATIONREPORT_H
