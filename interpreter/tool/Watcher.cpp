//===- Watcher.cpp - Shows a run to its user ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watcher.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace tileiras::interpreter {

std::optional<BreakPoint> BreakPoint::parse(StringRef text) {
  BreakPoint point;
  unsigned last = 0;
  auto [rest, number] = text.rsplit(':');
  if (number.getAsInteger(10, last))
    return std::nullopt;
  auto [file, line] = rest.rsplit(':');
  if (line.empty() || line.getAsInteger(10, point.line)) {
    point.file = rest.str();
    point.line = last;
  } else {
    point.file = file.str();
    point.column = last;
  }
  return point.file.empty() || point.line == 0 ? std::nullopt : std::optional(point);
}

bool BreakPoint::matches(Operation *op) const {
  auto location = dyn_cast<FileLineColLoc>(getSourceLocation(op));
  if (!location || location.getLine() != line || (column && location.getColumn() != column))
    return false;
  StringRef name = location.getFilename().getValue();
  auto isTail = [](StringRef whole, StringRef tail) {
    return whole == tail || (whole.ends_with(tail) && whole[whole.size() - tail.size() - 1] == '/');
  };
  return isTail(name, file) || isTail(file, name);
}

std::vector<BreakPoint> Watcher::getUnreached() const {
  std::vector<BreakPoint> points;
  for (auto [i, point] : llvm::enumerate(breakPoints))
    if (i >= reached.size() || !reached[i])
      points.push_back(point);
  return points;
}

void Watcher::executed(Operation *op, std::array<uint32_t, 3> block, ArrayRef<const RuntimeValue *> operands,
                       ArrayRef<const RuntimeValue *> results) {
  if (tileBlock && *tileBlock != block)
    return;
  reached.resize(breakPoints.size());
  bool isBreak = false;
  for (auto [i, point] : llvm::enumerate(breakPoints))
    if (point.matches(op))
      isBreak = reached[i] = true;
  if (!isBreak && (!printsValues || results.empty()))
    return;
  llvm::raw_ostream &os = llvm::outs();
  if (auto location = dyn_cast<FileLineColLoc>(getSourceLocation(op)))
    os << location.getFilename().getValue() << ':' << location.getLine() << ':' << location.getColumn() << ": ";
  os << op->getName() << " in tile block (" << block[0] << ", " << block[1] << ", " << block[2] << ")\n";
  if (isBreak)
    for (auto [i, operand] : llvm::enumerate(operands))
      os << "  operand " << i << ": " << formatValue(*operand) << '\n';
  for (auto [i, result] : llvm::enumerate(results))
    os << "  result " << i << ": " << formatValue(*result) << '\n';
  os.flush();
}

void Watcher::progress(uint64_t finished, uint64_t tileBlocks, uint64_t operations) {
  if (!showsProgress || Clock::now() < nextReport)
    return;
  nextReport = Clock::now() + std::chrono::seconds(2);
  llvm::errs() << finished << " of " << tileBlocks << " tile blocks, "
               << llvm::format("%.1f", static_cast<double>(operations) / 1e6) << " M operations\n";
}

} // namespace tileiras::interpreter
