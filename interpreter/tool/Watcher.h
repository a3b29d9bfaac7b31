//===- Watcher.h - Shows a run to its user ----------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_INTERPRETER_TOOL_WATCHER_H
#define TILEIRAS_INTERPRETER_TOOL_WATCHER_H

#include "tileiras-interpreter/Interpreter.h"
#include <chrono>

namespace tileiras::interpreter {

/// A place in a source file; column 0 stands for the whole line.
struct BreakPoint {
  std::string file;
  unsigned line = 0, column = 0;

  /// Reads `file:line` or `file:line:column`.
  static std::optional<BreakPoint> parse(llvm::StringRef text);
  /// File names agree if one is the other's last part.
  bool matches(mlir::Operation *op) const;
};

class Watcher : public Observer {
public:
  bool printsValues = false;
  std::vector<BreakPoint> breakPoints;
  std::optional<std::array<uint32_t, 3>> tileBlock; ///< show this one only
  bool showsProgress = true;

  /// Whether there is anything to watch operations for.
  bool watchesOperations() const { return printsValues || !breakPoints.empty(); }
  /// The break points that no operation has matched.
  std::vector<BreakPoint> getUnreached() const;

  void executed(mlir::Operation *op, std::array<uint32_t, 3> tileBlock, llvm::ArrayRef<const RuntimeValue *> operands,
                llvm::ArrayRef<const RuntimeValue *> results) override;
  void progress(uint64_t finishedTileBlocks, uint64_t tileBlocks, uint64_t operations) override;

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point nextReport = Clock::now() + std::chrono::seconds(2);
  std::vector<bool> reached;
};

} // namespace tileiras::interpreter

#endif // TILEIRAS_INTERPRETER_TOOL_WATCHER_H
