//===- LayoutUtils.cpp - From encodings to registers ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Dialect/TileAA/ProgramForm.h"
#include "tileiras/Layout/SharedLayouts.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

bool as::isDistributedTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && aa::isElementType(tensor.getElementType()) &&
         isa_and_nonnull<DistributedLayoutAttrInterface>(tensor.getEncoding());
}

bool as::isMemoryTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && aa::isElementType(tensor.getElementType()) &&
         isa_and_nonnull<SharedAttr, TmemAttr>(tensor.getEncoding());
}

bool as::isTensorMemoryTensor(Type type) {
  return isMemoryTensor(type) && isa<TmemAttr>(cast<RankedTensorType>(type).getEncoding());
}

bool as::isSharedTensor(Type type) {
  return isMemoryTensor(type) && isa<SharedAttr>(cast<RankedTensorType>(type).getEncoding());
}

Value as::skipViews(Value tile) {
  while (auto view = tile.getDefiningOp<ViewLikeOpInterface>())
    tile = view.getViewSource();
  return tile;
}

std::optional<int64_t> as::getViewOffset(Value tile) {
  int64_t elements = 0;
  while (auto view = tile.getDefiningOp<ViewLikeOpInterface>()) {
    if (auto shifted = dyn_cast<ViewOp>(view.getOperation())) {
      if (shifted.getPosition())
        return std::nullopt;
      elements += shifted.getOffset().value_or(0);
    }
    tile = view.getViewSource();
  }
  return elements;
}

std::optional<RegisterCopy> as::findRegisterCopy(CopyOp copy) {
  RankedTensorType source = copy.getSource().getType();
  const bool isStore = copy.getDestination() != nullptr;
  const RegisterCopy found = isStore ? RegisterCopy{source, copy.getDestination().getType(), isStore}
                                     : RegisterCopy{copy.getResult().getType(), source, isStore};
  return isDistributedTensor(found.registers) ? std::optional(found) : std::nullopt;
}

llvm::Expected<LinearLayout> as::getSharedLayout(RankedTensorType type) {
  LayoutDescriptor descriptor = cast<SharedAttr>(type.getEncoding()).getDescriptor();
  llvm::Expected<LinearLayout> layout =
      toLinearLayout(descriptor.layout, descriptor.swizzle, getSharedBits(type.getElementType()));
  if (!layout)
    return layout.takeError();
  return layout->reshape(type.getShape());
}

int64_t as::getSharedBytes(RankedTensorType type) {
  // Swizzles permute offsets within what a layout without holes takes.
  LayoutDescriptor descriptor = cast<SharedAttr>(type.getEncoding()).getDescriptor();
  return descriptor.layout.getCosize() * getSharedBits(type.getElementType()) / 8;
}

llvm::Expected<SharedAttr> as::encodeShared(MLIRContext *context, const LinearLayout &memory, unsigned elementBits) {
  llvm::Expected<LayoutDescriptor> descriptor = toLayoutDescriptor(memory, elementBits);
  if (!descriptor)
    return descriptor.takeError();
  const std::string text = descriptor->str();
  return SharedAttr::get(context, StringRef(text).drop_front().drop_back());
}

RankedTensorType as::getSharedType(Type element, const LinearLayout &memory) {
  llvm::Expected<SharedAttr> encoding = encodeShared(element.getContext(), memory, getSharedBits(element));
  if (!encoding)
    return llvm::consumeError(encoding.takeError()), RankedTensorType();
  return RankedTensorType::get(memory.getOutSizes(), element, *encoding);
}

RankedTensorType as::getPermutedMemory(RankedTensorType memory, ArrayRef<int32_t> permutation) {
  llvm::Expected<LinearLayout> layout = getSharedLayout(memory);
  if (!layout)
    return llvm::consumeError(layout.takeError()), RankedTensorType();
  return getSharedType(memory.getElementType(),
                       layout->permute(SmallVector<unsigned>(permutation.begin(), permutation.end())));
}

int64_t as::getTileAlignment(RankedTensorType type) {
  return cast<SharedAttr>(type.getEncoding()).getDescriptor().swizzle ? kTileAlignment
                                                                      : TensorCopyLimits::kBoxAlignment;
}

int64_t as::getStageBytes(RankedTensorType type) {
  const bool isPlaced = isa_and_nonnull<SharedAttr>(type.getEncoding());
  return llvm::alignTo(isPlaced ? getSharedBytes(type)
                                : type.getNumElements() * getSharedBits(type.getElementType()) / 8,
                       kTileAlignment);
}

Value as::copyToMemory(OpBuilder &builder, Location location, Value registers, RankedTensorType memory) {
  Value tile = AllocTensorOp::create(builder, location, memory, MemoryRangeAttr(), IntegerAttr());
  CopyOp::create(builder, location, Type(), registers, tile, AtomAttr::getAnyCopy(builder.getContext()));
  return tile;
}

LinearLayout as::getLinearLayout(RankedTensorType type) {
  return cast<DistributedLayoutAttrInterface>(type.getEncoding()).toLinearLayout(type.getShape());
}

int64_t as::getNumRegisters(RankedTensorType type) {
  return getLinearLayout(type).getInSize(LayoutDim::Register);
}

ReplicaMasks as::getReplicaMasks(const LinearLayout &layout) {
  return {layout.getReplicationMask(LayoutDim::Lane), layout.getReplicationMask(LayoutDim::Warp)};
}

unsigned as::getRegisterBits(Type elementType) {
  if (isa<aa::PtrType>(elementType))
    return 64;
  unsigned bits = elementType.getIntOrFloatBitWidth();
  return bits == 1 ? 1 : std::max<unsigned>(8, llvm::PowerOf2Ceil(bits));
}

/// The register of `layout` in lane 0 of warp 0 that holds the element, found by elimination over the register bases.
static std::optional<unsigned> findRegister(const LinearLayout &layout, int64_t element) {
  // Row-echelon form: each row is a combination of register bases with a leading bit that no other row has.
  struct Row {
    int64_t element;
    unsigned combination;
  };
  SmallVector<Row, 8> rows;
  auto reduce = [&](Row row) {
    for (const Row &pivot : rows)
      if ((row.element ^ pivot.element) < row.element)
        row = {row.element ^ pivot.element, row.combination ^ pivot.combination};
    return row;
  };
  for (unsigned bit = 0; bit < layout.getNumBits(LayoutDim::Register); ++bit) {
    Row row = reduce({layout.getFlatBasis(LayoutDim::Register, bit), 1u << bit});
    if (row.element != 0)
      rows.push_back(row);
  }
  Row rest = reduce({element, 0});
  if (rest.element != 0)
    return std::nullopt;
  return rest.combination;
}

std::optional<SmallVector<unsigned>> as::getRegisterMap(const LinearLayout &from, const LinearLayout &to) {
  assert(from.getOutSizes() == to.getOutSizes() && "layouts of one tile");
  return getPartRegisters(from, to, SmallVector<int64_t>(to.getRank(), 0));
}

std::optional<LinearLayout> as::getPartLayout(const LinearLayout &tile, unsigned dim, int64_t parts) {
  SmallVector<int64_t> shape(tile.getOutSizes());
  if (shape[dim] % parts != 0)
    return std::nullopt;
  shape[dim] /= parts;
  LinearLayout part(shape);
  for (LayoutDim in : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (const LinearLayout::Basis &basis : tile.getBases(in)) {
      if (basis[dim] < shape[dim]) {
        part.addBasis(in, basis);
        continue;
      }
      const bool isPure = llvm::count_if(basis, [](int32_t coordinate) { return coordinate != 0; }) == 1;
      if (in != LayoutDim::Register || !isPure || basis[dim] % shape[dim] != 0)
        return std::nullopt;
    }
  return part;
}

/// Of coordinates in a tile of `shape`, row-major.
static int64_t getFlatIndex(ArrayRef<int64_t> shape, ArrayRef<int64_t> coordinates) {
  int64_t flat = 0;
  for (auto [extent, coordinate] : llvm::zip(shape, coordinates))
    flat = flat * extent + coordinate;
  return flat;
}

std::optional<SmallVector<unsigned>> as::getPartRegisters(const LinearLayout &tile, const LinearLayout &part,
                                                          ArrayRef<int64_t> first) {
  for (LayoutDim dim : {LayoutDim::Lane, LayoutDim::Warp})
    if (tile.getBases(dim) != part.getBases(dim))
      return std::nullopt;
  auto find = [&](ArrayRef<int64_t> element) { return findRegister(tile, getFlatIndex(tile.getOutSizes(), element)); };
  std::optional<unsigned> start = find(first);
  if (!start)
    return std::nullopt;
  SmallVector<unsigned> map(part.getInSize(LayoutDim::Register), *start);
  for (unsigned bit = 0; bit < part.getNumBits(LayoutDim::Register); ++bit) {
    const LinearLayout::Basis &basis = part.getBasis(LayoutDim::Register, bit);
    std::optional<unsigned> source = find(SmallVector<int64_t>(basis.begin(), basis.end()));
    if (!source)
      return std::nullopt;
    for (unsigned reg = 0, step = 1u << bit; reg < step; ++reg)
      map[reg | step] = map[reg] ^ *source;
  }
  return map;
}

LinearLayout as::getReducedLayout(const LinearLayout &source, unsigned axis) {
  return source.dropOutDim(axis).removeRegisterReplicas();
}

LinearLayout as::getSlicedLayout(const LinearLayout &tile, unsigned dim) {
  LinearLayout result = tile;
  for (unsigned d = tile.getRank(); d-- > 0;)
    if (d != dim)
      result = result.dropOutDim(d);
  return result.removeRegisterReplicas();
}

LinearLayout as::getBroadcastSourceLayout(const LinearLayout &result, ArrayRef<int64_t> sourceShape) {
  return result.projectTo(sourceShape).removeRegisterReplicas();
}

/// Appends all inputs of `source` to `result`, coordinates multiplied by `scale`.
static void appendBases(LinearLayout &result, const LinearLayout &source, int32_t scale = 1) {
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (LinearLayout::Basis basis : source.getBases(dim)) {
      for (int32_t &coordinate : basis)
        coordinate *= scale;
      result.addBasis(dim, std::move(basis));
    }
}

LinearLayout as::getCatLayout(const LinearLayout &operand, unsigned axis) {
  SmallVector<int64_t> shape(operand.getOutSizes());
  LinearLayout::Basis second(shape.size(), 0);
  second[axis] = shape[axis];
  shape[axis] *= 2;
  LinearLayout result(shape);
  appendBases(result, operand);
  return result.addBasis(LayoutDim::Register, second);
}

std::optional<LinearLayout> as::getRepackedLayout(const LinearLayout &source, unsigned sourceBits,
                                                  unsigned resultBits) {
  int64_t size = source.getOutSize(0);
  if (resultBits <= sourceBits) {
    int32_t parts = sourceBits / resultBits;
    LinearLayout result(SmallVector<int64_t>{size * parts});
    for (int32_t part = 1; part < parts; part *= 2)
      result.addBasis(LayoutDim::Register, {part});
    appendBases(result, source, parts);
    return result;
  }
  // Every bit of the index within a group is a register bit of its own, the lowest ones in order; no other bit may
  // touch the index within a group.
  int32_t parts = resultBits / sourceBits;
  unsigned groupBits = llvm::Log2_32(parts);
  if (size % parts != 0 || source.getNumBits(LayoutDim::Register) < groupBits)
    return std::nullopt;
  LinearLayout result(SmallVector<int64_t>{size / parts});
  for (LayoutDim dim : {LayoutDim::Register, LayoutDim::Lane, LayoutDim::Warp})
    for (unsigned bit = 0; bit < source.getNumBits(dim); ++bit) {
      int32_t element = source.getBasis(dim, bit)[0];
      if (dim == LayoutDim::Register && bit < groupBits) {
        if (element != int32_t(1) << bit)
          return std::nullopt;
      } else if (element % parts != 0) {
        return std::nullopt;
      } else {
        result.addBasis(dim, {element / parts});
      }
    }
  return result;
}
