//===- Interpreter.cpp - Runs a module as the specification says ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras-interpreter/Interpreter.h"
#include "TileBlock.h"
#include <deque>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::interpreter {

/// Ordered accesses a tile block may make in a row before others run.
static constexpr uint64_t kOrderedAccessesPerSlice = 64;
/// Time slices of all waiting tile blocks, without any change of memory, after which nobody can be expected to go on.
static constexpr uint64_t kIdleSlices = 64;
/// Operations between two looks at the clock and the interrupt flag.
static constexpr uint64_t kOperationsPerCheck = 4096;

struct Interpreter::Implementation {
  cuda_tile::ModuleOp module;
  Memory &memory;
  InterpreterOptions options;
  llvm::StringMap<uint64_t> globals;
  uint64_t operations = 0;

  void placeGlobals();
  EntryOp findEntry(StringRef name);
  LogicalResult verifyGrid(EntryOp entry, const Launch &launch);
  LogicalResult readArguments(EntryOp entry, const Launch &launch, SmallVectorImpl<Tile> &arguments);
  LogicalResult runTileBlocks(Grid &grid, EntryOp entry, ArrayRef<Tile> arguments);
  LogicalResult checkLimits(const Grid &grid, TileBlock &tileBlock);
};

/// The tile blocks of a grid in their order, x fastest.
static std::array<uint32_t, 3> getTileBlockId(uint64_t number, const std::array<uint32_t, 3> &grid) {
  return {static_cast<uint32_t>(number % grid[0]), static_cast<uint32_t>(number / grid[0] % grid[1]),
          static_cast<uint32_t>(number / grid[0] / grid[1])};
}

void Interpreter::Implementation::placeGlobals() {
  for (GlobalOp global : module.getBody().front().getOps<GlobalOp>()) {
    auto type = cast<TileType>(global.getValue().getType());
    Type element = type.getElementType();
    const unsigned bits = getStorageBits(element);
    const uint64_t bytes = llvm::divideCeil(type.getNumElements() * bits, 8);
    const uint64_t address =
        memory.allocate(bytes, ("@" + global.getSymName()).str(), std::max<uint64_t>(global.getAlignment(), 512));
    globals[global.getSymName()] = address;
    uint8_t *at = memory.access(address, bytes);
    auto write = [&](uint64_t i, const APInt &value) {
      writeElement(element, at + i * bits / 8, bits < 8 ? i % 2 : 0, value.getZExtValue());
    };
    if (isa<FloatType>(element))
      for (auto [i, value] : llvm::enumerate(global.getValue().getValues<APFloat>()))
        write(i, value.bitcastToAPInt());
    else
      for (auto [i, value] : llvm::enumerate(global.getValue().getValues<APInt>()))
        write(i, value);
    if (global.getConstant())
      memory.protect(address);
  }
}

EntryOp Interpreter::Implementation::findEntry(StringRef name) {
  SmallVector<EntryOp> entries = llvm::to_vector(module.getBody().front().getOps<EntryOp>());
  if (name.empty() && entries.size() == 1)
    return entries.front();
  for (EntryOp entry : entries)
    if (entry.getSymName() == name)
      return entry;
  InFlightDiagnostic diagnostic = module.emitError();
  if (name.empty())
    diagnostic << "the module has " << entries.size() << " entries; the launch must name one";
  else
    diagnostic << "the module has no entry '" << name << "'";
  for (EntryOp entry : entries)
    diagnostic.attachNote(entry.getLoc()) << "it has '" << entry.getSymName() << "'";
  return {};
}

LogicalResult Interpreter::Implementation::verifyGrid(EntryOp entry, const Launch &launch) {
  // The limits of hardware.
  constexpr std::array<uint32_t, 3> most{0x7fffffff, 65535, 65535};
  for (auto [extent, limit] : llvm::zip(launch.grid, most))
    if (extent == 0 || extent > limit)
      return entry.emitError() << "the grid is (" << launch.grid[0] << ", " << launch.grid[1] << ", " << launch.grid[2]
                               << "); its dimensions go from 1 to (" << most[0] << ", " << most[1] << ", " << most[2]
                               << ")";
  return success();
}

/// Whether an argument that is said to be of the type `name` can be a parameter of this type. An unsigned number stands
/// for bits of any kind.
static bool accepts(Type parameter, StringRef name) {
  if (name.empty() || name.starts_with("u"))
    return true;
  if (isa<PointerType>(parameter))
    return name == "ptr";
  if (isa<IntegerType>(parameter))
    return name.starts_with("i");
  std::string type;
  llvm::raw_string_ostream(type) << parameter;
  return name == type || (isa<FloatTF32Type>(parameter) && name == "f32");
}

LogicalResult Interpreter::Implementation::readArguments(EntryOp entry, const Launch &launch,
                                                         SmallVectorImpl<Tile> &arguments) {
  ArrayRef<Type> types = entry.getArgumentTypes();
  if (launch.arguments.size() != types.size())
    return entry.emitError() << "'" << entry.getSymName() << "' has " << types.size()
                             << " parameters, the launch gives " << launch.arguments.size();
  for (auto [number, type] : llvm::enumerate(types)) {
    auto tile = dyn_cast<TileType>(type);
    if (!tile)
      return entry.emitError() << "parameter " << number << " has the type " << type << ", which no launch can give";
    Type element = tile.getElementType();
    const size_t bytes = llvm::divideCeil(getStorageBits(element), 8);
    const std::vector<uint8_t> &argument = launch.arguments[number];
    if (argument.size() != bytes)
      return entry.emitError() << "parameter " << number << " of type " << element << " takes " << bytes
                               << " bytes, the launch gives " << argument.size();
    if (number < launch.argumentTypes.size() && !accepts(element, launch.argumentTypes[number]))
      return entry.emitError() << "parameter " << number << " is of type " << element << ", the launch gives '"
                               << launch.argumentTypes[number] << "'; u" << 8 * bytes << " gives any bits";
    arguments.push_back(Tile::scalar(element, readElement(element, argument.data())));
  }
  return success();
}

LogicalResult Interpreter::Implementation::checkLimits(const Grid &grid, TileBlock &tileBlock) {
  const bool isInterrupted = options.interrupt && options.interrupt->load();
  const bool isTooLong = options.maxOperations && grid.operations >= options.maxOperations;
  if ((!isInterrupted && !isTooLong) || tileBlock.isFinished())
    return success();
  InFlightDiagnostic diagnostic = emitError(getSourceLocation(tileBlock.getNextOperation()));
  if (isInterrupted)
    diagnostic << "interrupted";
  else
    diagnostic << "still running after " << grid.operations << " operations";
  diagnostic.attachNote() << "in tile block (" << tileBlock.id[0] << ", " << tileBlock.id[1] << ", " << tileBlock.id[2]
                          << ")";
  return diagnostic;
}

/// Runs a tile block until it ends or has made many ordered accesses, with which it may be waiting for another.
static LogicalResult runSlice(TileBlock &tileBlock, function_ref<LogicalResult()> check) {
  uint64_t orderedAccesses = 0;
  for (uint64_t count = 1; !tileBlock.isFinished(); ++count) {
    if (failed(tileBlock.step()))
      return failure();
    if (tileBlock.maySpin() && ++orderedAccesses == kOrderedAccessesPerSlice)
      return success();
    const uint64_t limit = tileBlock.grid.options.maxOperations;
    const bool isOverLimit = limit && tileBlock.grid.operations >= limit;
    if ((isOverLimit || count % kOperationsPerCheck == 0) && failed(check()))
      return failure();
  }
  return success();
}

static LogicalResult reportLivelock(const std::deque<TileBlock> &waiting) {
  const TileBlock &first = waiting.front();
  InFlightDiagnostic diagnostic = emitError(getSourceLocation(first.getNextOperation()))
                                  << "no tile block makes progress: " << waiting.size()
                                  << " wait for memory that nobody changes";
  diagnostic.attachNote() << "tile block (" << first.id[0] << ", " << first.id[1] << ", " << first.id[2]
                          << ") waits here";
  return diagnostic;
}

LogicalResult Interpreter::Implementation::runTileBlocks(Grid &grid, EntryOp entry, ArrayRef<Tile> arguments) {
  const uint64_t count = uint64_t(grid.extents[0]) * grid.extents[1] * grid.extents[2];
  std::deque<TileBlock> waiting; // started, and stopped where they may wait for others
  uint64_t started = 0, finished = 0, lastChanges = memory.changes, idleSlices = 0;
  auto check = [&](TileBlock &tileBlock) {
    if (options.observer)
      options.observer->progress(finished, count, grid.operations);
    return checkLimits(grid, tileBlock);
  };
  while (finished < count) {
    if (started < count) {
      waiting.emplace_back(grid, getTileBlockId(started++, grid.extents));
      waiting.back().enter(entry, arguments);
    } else {
      waiting.push_back(std::move(waiting.front()));
      waiting.pop_front();
    }
    TileBlock &current = waiting.back();
    if (failed(runSlice(current, [&] { return check(current); })) || failed(check(current)))
      return failure();
    if (current.isFinished()) {
      waiting.pop_back();
      ++finished;
      idleSlices = 0;
      continue;
    }
    idleSlices = memory.changes == lastChanges ? idleSlices + 1 : 0;
    lastChanges = memory.changes;
    if (started == count && idleSlices > kIdleSlices * waiting.size())
      return reportLivelock(waiting);
  }
  return success();
}

Interpreter::Interpreter(cuda_tile::ModuleOp module, Memory &memory, InterpreterOptions options)
    : impl(new Implementation{module, memory, options, {}, 0}) {
  impl->placeGlobals();
}

Interpreter::~Interpreter() = default;

LogicalResult Interpreter::verify(const Launch &launch) {
  EntryOp entry = impl->findEntry(launch.entry);
  SmallVector<Tile> arguments;
  return success(entry && succeeded(impl->verifyGrid(entry, launch)) &&
                 succeeded(impl->readArguments(entry, launch, arguments)));
}

LogicalResult Interpreter::run(const Launch &launch) {
  EntryOp entry = impl->findEntry(launch.entry);
  SmallVector<Tile> arguments;
  if (!entry || failed(impl->verifyGrid(entry, launch)) || failed(impl->readArguments(entry, launch, arguments)))
    return failure();
  Grid grid{launch.grid, impl->memory, impl->options, impl->globals, 0};
  LogicalResult result = impl->runTileBlocks(grid, entry, arguments);
  impl->operations = grid.operations;
  return result;
}

uint64_t Interpreter::getNumOperations() const {
  return impl->operations;
}

} // namespace tileiras::interpreter
