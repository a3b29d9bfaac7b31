//===- NewLaunch.cpp - A launch to begin with -----------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewLaunch.h"
#include "Expression.h"
#include "RunError.h"
#include "ScalarType.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"

namespace tileiras::run {

using namespace cuda_tile;
using mlir::Value;

namespace {

/// How a pointer of the kernel is used.
struct Use {
  std::vector<MakeTensorViewOp> views;
  bool isLoaded = false, isStored = false;
  bool isOpaque = false; ///< it goes where this does not follow
};

/// One parameter, and what stands for it in the launch.
struct Parameter {
  Value value;
  std::string name;
  Use use;
};

class Skeleton {
public:
  Skeleton(TileProgram &program, EntryOp entry);
  std::string print();

private:
  static void follow(Value pointer, Use &use);
  std::string nameOf(Value value, unsigned number);
  static bool isInteger(Value value) { return mlir::isa<mlir::IntegerType>(elementOf(value)); }
  static bool isPointer(Value value) { return mlir::isa<cuda_tile::PointerType>(elementOf(value)); }
  static mlir::Type elementOf(Value value) { return mlir::cast<TileType>(value.getType()).getElementType(); }
  std::optional<std::string> nameOfNumber(Value value) const;
  std::string numberOrGuess(Value open, int64_t known) const;
  std::string countElements(MakeTensorViewOp view) const;
  static int64_t guess(Value parameter);
  std::string sizeOf(const Parameter &parameter, std::string &comment) const;
  std::array<std::string, 3> guessGrid() const;
  void writeNumbers(llvm::json::OStream &json) const;
  void writeBuffer(llvm::json::OStream &json, const Parameter &parameter) const;
  void writeParameter(llvm::json::OStream &json, const Parameter &parameter) const;

  TileProgram &program;
  EntryOp entry;
  llvm::StringSet<> taken;
  std::vector<Parameter> parameters;
};

/// What the description calls the type of elements or numbers; other formats go by their bits.
std::string findScalar(mlir::Type type) {
  const std::string text = printType(type);
  if (ScalarType::find(text))
    return text;
  if (mlir::isa<cuda_tile::PointerType>(type))
    return "u64";
  const unsigned bits = mlir::isa<mlir::FloatTF32Type>(type) ? 32 : type.getIntOrFloatBitWidth();
  return "u" + std::to_string(std::max<unsigned>(8, llvm::PowerOf2Ceil(bits)));
}

/// Through what passes a value on.
Value getSource(Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!mlir::isa<AssumeOp, ExtIOp, TruncIOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

} // namespace

Skeleton::Skeleton(TileProgram &program, EntryOp entry) : program(program), entry(entry) {
  for (auto [number, value] : llvm::enumerate(entry.getBody().getArguments())) {
    Parameter parameter{value, nameOf(value, number), {}};
    if (isPointer(value))
      follow(value, parameter.use);
    parameters.push_back(std::move(parameter));
  }
}

/// A name for buffers and values; the program's own where it can be one.
std::string Skeleton::nameOf(Value value, unsigned number) {
  std::string name = program.getName(value);
  if (!isValueName(name))
    name = "p" + std::to_string(number);
  while (!taken.insert(name).second)
    name += "_";
  return name;
}

void Skeleton::follow(Value pointer, Use &use) {
  for (mlir::Operation *user : pointer.getUsers())
    if (auto view = mlir::dyn_cast<MakeTensorViewOp>(user)) {
      use.views.push_back(view);
      follow(view, use);
    } else if (mlir::isa<AssumeOp, OffsetOp, ReshapeOp, BroadcastOp, PtrToPtrOp, MakePartitionViewOp, MakeStridedViewOp,
                         MakeGatherScatterViewOp>(user)) {
      follow(user->getResult(0), use);
    } else if (mlir::isa<LoadPtrTkoOp, LoadViewTkoOp>(user)) {
      use.isLoaded = true;
    } else if (mlir::isa<StorePtrTkoOp, StoreViewTkoOp>(user)) {
      use.isStored = true;
    } else if (mlir::isa<AtomicRMWTkoOp, AtomicCASTkoOp, AtomicRedViewTkoOp>(user)) {
      use.isLoaded = use.isStored = true;
    } else if (!mlir::isa<GetIndexSpaceShapeOp, GetTensorShapeOp>(user)) {
      use.isOpaque = true;
    }
}

/// Of a parameter that is a whole number.
std::optional<std::string> Skeleton::nameOfNumber(Value value) const {
  value = getSource(value);
  for (const Parameter &parameter : parameters)
    if (parameter.value == value)
      return parameter.name;
  return std::nullopt;
}

static constexpr int64_t kGuess = 256;

std::string Skeleton::numberOrGuess(Value open, int64_t known) const {
  if (!open)
    return std::to_string(known);
  return nameOfNumber(open).value_or(std::to_string(kGuess));
}

/// "m*k" where the elements lie one after the other, else the place of the last one, and 1.
std::string Skeleton::countElements(MakeTensorViewOp view) const {
  std::vector<std::string> sizes, strides;
  auto size = view.getDynamicShape().begin(), stride = view.getDynamicStrides().begin();
  for (auto [extent, step] : llvm::zip(view.getType().getShape(), view.getType().getStrides())) {
    const bool isOpenSize = mlir::ShapedType::isDynamic(extent), isOpenStride = mlir::ShapedType::isDynamic(step);
    sizes.push_back(numberOrGuess(isOpenSize ? Value(*size++) : Value(), extent));
    strides.push_back(numberOrGuess(isOpenStride ? Value(*stride++) : Value(), step));
  }
  bool isRowMajor = true;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::string inner = i + 1 == sizes.size() ? "1" : llvm::join(llvm::ArrayRef(sizes).drop_front(i + 1), "*");
    isRowMajor &= strides[i] == inner;
  }
  if (isRowMajor)
    return sizes.empty() ? "1" : llvm::join(sizes, "*");
  std::string last;
  for (auto [extent, step] : llvm::zip(sizes, strides))
    last += "(" + extent + " - 1)" + (step == "1" ? "" : "*" + step) + " + ";
  return "(" + last + "1)";
}

/// A size that is usual, and for which what the kernel states is true.
int64_t Skeleton::guess(Value parameter) {
  int64_t number = kGuess;
  llvm::SmallVector<Value> waiting = {parameter};
  while (!waiting.empty())
    for (mlir::Operation *user : waiting.pop_back_val().getUsers())
      if (auto assume = mlir::dyn_cast<AssumeOp>(user)) {
        waiting.push_back(assume.getResult());
        if (auto divisor = mlir::dyn_cast<DivByAttr>(assume.getPredicate()))
          number = std::max<int64_t>(number, divisor.getDivisor()); // powers of two, both
        if (auto bounds = mlir::dyn_cast<BoundedAttr>(assume.getPredicate()))
          number = std::clamp(number, std::min(number, bounds.getUb().value_or(number)),
                              bounds.getUb().value_or(std::numeric_limits<int64_t>::max()));
      }
  return number;
}

std::string Skeleton::sizeOf(const Parameter &parameter, std::string &comment) const {
  const mlir::Type pointee = mlir::cast<cuda_tile::PointerType>(elementOf(parameter.value)).getPointeeType();
  const std::string bytes = std::to_string(ScalarType::find(findScalar(pointee))->bytes);
  if (parameter.use.views.empty()) {
    comment += "; the size is a guess: the kernel computes its addresses";
    return std::to_string(kGuess * kGuess) + "*" + bytes;
  }
  if (parameter.use.views.size() > 1)
    comment += "; the kernel has several views of it, this is the size of the first";
  return countElements(parameter.use.views.front()) + "*" + bytes;
}

/// As many tile blocks as tiles, along each dimension that the number of the tile block counts.
std::array<std::string, 3> Skeleton::guessGrid() const {
  std::array<std::string, 3> grid{"1", "1", "1"};
  auto learn = [&](Value view, mlir::ValueRange indices) {
    auto partition = view.getDefiningOp<MakePartitionViewOp>();
    auto tensor = partition ? getSource(partition.getTensorView()).getDefiningOp<MakeTensorViewOp>() : nullptr;
    auto type = mlir::dyn_cast<PartitionViewType>(view.getType());
    if (!tensor || !type)
      return;
    for (auto [dim, index] : llvm::enumerate(indices)) {
      auto result = mlir::dyn_cast<mlir::OpResult>(getSource(index));
      if (!result || !mlir::isa<GetTileBlockIdOp>(result.getOwner()) || type.getDimMap()[dim] != int(dim))
        continue;
      const int64_t extent = tensor.getType().getShape()[dim], tile = type.getTileShape()[dim];
      const size_t open = llvm::count_if(tensor.getType().getShape().take_front(dim), mlir::ShapedType::isDynamic);
      const std::string size =
          numberOrGuess(mlir::ShapedType::isDynamic(extent) ? Value(tensor.getDynamicShape()[open]) : Value(), extent);
      grid[result.getResultNumber()] = "(" + size + " + " + std::to_string(tile - 1) + ") / " + std::to_string(tile);
    }
  };
  // Those that are stored count more: what is loaded may be wanted by several tile blocks.
  entry->walk([&](LoadViewTkoOp load) { learn(load.getView(), load.getIndex()); });
  entry->walk([&](StoreViewTkoOp store) { learn(store.getView(), store.getIndex()); });
  return grid;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

void Skeleton::writeNumbers(llvm::json::OStream &json) const {
  json.attributeObject("values", [&] {
    json.attribute("//", "Guesses. Whole numbers, or expressions of each other");
    for (const Parameter &parameter : parameters)
      if (isInteger(parameter.value))
        json.attribute(parameter.name, guess(parameter.value));
  });
}

void Skeleton::writeBuffer(llvm::json::OStream &json, const Parameter &parameter) const {
  const mlir::Type pointee = mlir::cast<cuda_tile::PointerType>(elementOf(parameter.value)).getPointeeType();
  const bool isResult = parameter.use.isStored && !parameter.use.isLoaded && !parameter.use.isOpaque;
  const std::string type = findScalar(pointee);
  std::string comment = program.describe(parameter.value) + (isResult ? ", written only" : "");
  const std::string bytes = sizeOf(parameter, comment);
  const bool isKnownType = type == printType(pointee);
  if (!isKnownType && !isResult)
    comment += "; elements by their bits";
  json.object([&] {
    json.attribute("//", comment);
    json.attribute("name", parameter.name);
    json.attribute("bytes", bytes);
    if (isResult || !isKnownType)
      return json.attribute("fill", 0);
    json.attribute("type", type);
    const bool isFloat = ScalarType::find(type)->isFloat();
    json.attribute("values", isFloat ? "normal" : "integers");
    json.attribute("seed", static_cast<int64_t>(&parameter - parameters.data()) + 1);
    if (!isFloat)
      json.attributeArray("range", [&] {
        json.value(0);
        json.value(9);
      });
  });
}

void Skeleton::writeParameter(llvm::json::OStream &json, const Parameter &parameter) const {
  json.object([&] {
    json.attribute("//", program.describe(parameter.value));
    const std::string type = findScalar(elementOf(parameter.value));
    if (isPointer(parameter.value))
      json.attribute("buffer", parameter.name);
    else if (isInteger(parameter.value))
      json.attribute(type == "u8" && elementOf(parameter.value).isInteger(1) ? "u8" : type, parameter.name);
    else
      json.attribute(type, 1);
  });
}

std::string Skeleton::print() {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.object([&] {
    json.attributeArray("//", [&] {
      json.value("A launch to begin with: sizes and contents are guesses from how the kernel uses its parameters.");
      json.value("\"values\" of a buffer: a list, a number for all elements, or iota, integers, uniform or normal.");
    });
    json.attribute("entry", entry.getSymName());
    if (llvm::any_of(parameters, [](const Parameter &each) { return isInteger(each.value); }))
      writeNumbers(json);
    json.attributeArray("grid", [&] {
      for (const std::string &extent : guessGrid())
        extent == "1" ? json.value(1) : json.value(extent);
    });
    json.attributeArray("buffers", [&] {
      for (const Parameter &parameter : parameters)
        if (isPointer(parameter.value))
          writeBuffer(json, parameter);
    });
    json.attributeArray("parameters", [&] {
      for (const Parameter &parameter : parameters)
        writeParameter(json, parameter);
    });
    json.attributeArray("compare", [&] {
      for (const Parameter &parameter : parameters)
        if (isPointer(parameter.value) && parameter.use.isStored)
          json.object([&] {
            json.attribute("buffer", parameter.name);
            json.attribute("type",
                           findScalar(mlir::cast<cuda_tile::PointerType>(elementOf(parameter.value)).getPointeeType()));
          });
    });
  });
  os << '\n';
  return text;
}

std::string makeNewLaunch(const Kernel &kernel, llvm::StringRef name) {
  if (!kernel.isTileIR())
    throw RunError(Exit::BadInput, "--new-launch reads Tile IR, and " + kernel.file + " is none");
  std::unique_ptr<TileProgram> program = TileProgram::read(kernel);
  if (!program)
    throw RunError(Exit::BadInput, kernel.file + " cannot be parsed: compile it to see why");
  EntryOp entry = program->findEntry(name);
  if (!entry) {
    std::vector<std::string> names;
    for (EntryOp each : program->getEntries())
      names.push_back("'" + each.getSymName().str() + "'");
    const std::string known = names.empty() ? "no kernel" : llvm::join(names, ", ");
    throw RunError(Exit::Usage, name.empty() ? kernel.file + " has " + known + ": --entry says which is meant"
                                             : kernel.file + " has no kernel '" + name + "'; it has " + known);
  }
  for (mlir::Value parameter : entry.getBody().getArguments())
    if (!mlir::isa<TileType>(parameter.getType()))
      throw RunError(Exit::BadInput, kernel.file + ": a parameter of '" + entry.getSymName() + "' has type " +
                                         printType(parameter.getType()) + ", which no launch passes");
  return Skeleton(*program, entry).print();
}

} // namespace tileiras::run
