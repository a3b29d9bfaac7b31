//===- HostTensorMaps.cpp - Tensor maps that the host builds --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields have the names of cuTensorMapEncodeTiled's parameters and enumerators. An address, a size or a stride is an
// expression: a number, {parameter}, or {op, bits, operands} with the meaning of arith's operation on integers of so
// many bits. Every value is unsigned.
//
//===----------------------------------------------------------------------===//

#include "HostTensorMaps.h"
#include "TensorMaps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "tileiras/Lowering/LoweredTypes.h"
#include "tileiras/Lowering/PtxInstruction.h"
#include "tileiras/Lowering/ThreadIndexing.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tileiras {
namespace {

constexpr unsigned kHostMapAlignment = 64, kAddressBits = 64;
/// PTX ISA 8.1 and later.
constexpr uint64_t kMostParameterBytes = 32764;
/// Operations whose results make one expression: metadata is text, in which what is used twice stands twice.
constexpr unsigned kMostOperations = 32;

/// Writes values as expressions of the kernel's parameters.
class ExpressionWriter {
public:
  ExpressionWriter(MLIRContext *context, std::string &reason) : builder(context), reason(reason) {}

  /// Null where the value is no such expression.
  Attribute write(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return getNumber(int64_t(constant.getZExtValue()));
    if (auto argument = dyn_cast<BlockArgument>(value))
      return builder.getDictionaryAttr(
          builder.getNamedAttr("parameter", builder.getI64IntegerAttr(argument.getArgNumber())));
    Operation *op = value.getDefiningOp();
    if (++operations > kMostOperations)
      return fail("it takes more than " + Twine(kMostOperations) + " operations to compute what it describes");
    return llvm::TypeSwitch<Operation *, Attribute>(op)
        .Case<UnrealizedConversionCastOp, aa::AssumeOp, aa::BitcastOp, aa::IntToPtrOp, aa::PtrToIntOp, arith::ExtUIOp>(
            [&](Operation *same) { return write(same->getOperand(0)); })
        .Case([&](aa::AddPtrOp add) { return writeAddress(add); })
        .Case([&](arith::ExtSIOp extend) { return writeExtension(extend); })
        .Case([&](arith::TruncIOp truncate) { return writeOperation(truncate, getBits(truncate.getType())); })
        .Case<arith::AddIOp, arith::SubIOp, arith::MulIOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
              arith::MaxUIOp>([&](Operation *math) { return writeOperation(math, getBits(value.getType())); })
        .Default([&](Operation *other) {
          return fail("it depends on the result of '" + other->getName().getStringRef() + "'");
        });
  }

  Attribute getNumber(int64_t number) { return builder.getI64IntegerAttr(number); }
  Attribute multiply(Attribute value, int64_t factor) {
    if (!value || factor == 1)
      return value;
    if (auto number = dyn_cast<IntegerAttr>(value))
      return getNumber(number.getInt() * factor);
    return getOperation("muli", kAddressBits, {value, getNumber(factor)});
  }

private:
  static unsigned getBits(Type type) { return type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : kAddressBits; }

  Attribute fail(const Twine &why) {
    reason = why.str();
    return nullptr;
  }

  Attribute getOperation(StringRef name, unsigned bits, ArrayRef<Attribute> operands) {
    return builder.getDictionaryAttr({builder.getNamedAttr("op", builder.getStringAttr(name)),
                                      builder.getNamedAttr("bits", builder.getI64IntegerAttr(bits)),
                                      builder.getNamedAttr("operands", builder.getArrayAttr(operands))});
  }

  Attribute writeOperation(Operation *op, unsigned bits) {
    SmallVector<Attribute> operands;
    for (Value operand : op->getOperands())
      if (!operands.emplace_back(write(operand)))
        return nullptr;
    return getOperation(op->getName().stripDialect(), bits, operands);
  }

  /// `bits` of what is extended; the result has 64 until somebody cuts it.
  Attribute writeSigned(Value value) {
    Attribute narrow = write(value);
    const unsigned bits = getBits(value.getType());
    return !narrow || bits == kAddressBits ? narrow : getOperation("extsi", bits, {narrow});
  }

  Attribute writeExtension(arith::ExtSIOp op) {
    Attribute wide = writeSigned(op.getIn());
    const unsigned bits = getBits(op.getType());
    return !wide || bits == kAddressBits ? wide : getOperation("trunci", bits, {wide});
  }

  Attribute writeAddress(aa::AddPtrOp op) {
    const unsigned bits = getMemoryBits(cast<aa::PtrType>(op.getType()).getPointeeType());
    if (bits % 8 != 0)
      return fail("it advances an address by parts of a byte");
    Attribute base = write(op.getBase()), offset = multiply(base ? writeSigned(op.getOffset()) : base, bits / 8);
    return offset ? getOperation("addi", kAddressBits, {base, offset}) : nullptr;
  }

  Builder builder;
  std::string &reason;
  unsigned operations = 0;
};

StringRef getDataType(TensorMapElement element) {
  switch (element) {
  case TensorMapElement::U8:
    return "UINT8";
  case TensorMapElement::U16:
    return "UINT16";
  case TensorMapElement::U32:
    return "UINT32";
  case TensorMapElement::U64:
    return "UINT64";
  case TensorMapElement::F16:
    return "FLOAT16";
  case TensorMapElement::F32:
    return "FLOAT32";
  case TensorMapElement::F64:
    return "FLOAT64";
  case TensorMapElement::BF16:
    return "BFLOAT16";
  case TensorMapElement::TF32:
    return "TFLOAT32";
  }
  llvm_unreachable("all types of elements are handled");
}

/// As much of a cache line as a row of the box has.
StringRef getPromotion(int64_t rowBytes) {
  return rowBytes >= 128 ? "L2_128B" : rowBytes >= 64 ? "L2_64B" : "NONE";
}

class MapDescriber {
public:
  MapDescriber(as::MakeTiledTmaDescOp op, std::string &reason)
      : op(op), reason(reason), builder(op.getContext()), make(op.getSource().getDefiningOp<aa::MakeMemRefOp>()) {}

  DictionaryAttr describe() {
    if (!make) {
      reason = "its array is not made of parameters";
      return nullptr;
    }
    describeModes();
    return describeArray() ? builder.getDictionaryAttr(fields) : nullptr;
  }

private:
  void set(StringRef key, Attribute value) { fields.push_back(builder.getNamedAttr(key, value)); }
  void set(StringRef key, StringRef name) { set(key, builder.getStringAttr(name)); }

  void describeModes() {
    as::TmaDescType type = op.getType();
    // Dimension 0 of a map is contiguous: the last of the memref.
    SmallVector<int64_t> box(llvm::reverse(type.getBox())), ones(box.size(), 1);
    const int64_t rowBytes = box.front() * getMemoryBits(type.getElementType()) / 8;
    set("access", op.getAtom().getName() == as::kTmaLoad ? "load" : "store");
    set("data_type", getDataType(*getTensorMapElement(type.getElementType())));
    set("box_dim", builder.getI64ArrayAttr(box));
    set("element_strides", builder.getI64ArrayAttr(ones));
    set("interleave", "NONE");
    set("swizzle", type.getSwizzle() == 0 ? "NONE" : llvm::formatv("{0}B", type.getSwizzle()).str());
    set("l2_promotion", getPromotion(rowBytes));
    set("oob_fill", op.getOobMode() == aa::PaddingValue::NaN ? "NAN_REQUEST_ZERO_FMA" : "NONE");
  }

  bool describeArray() {
    auto type = cast<aa::TileMemRefType>(make.getType());
    SmallVector<Attribute> sizes = writeAll(type.getShape(), make.getSizes(), /*unit=*/1),
                           strides =
                               writeAll(type.getStrides(), make.getStrides(), getMemoryBits(type.getElementType()) / 8);
    Attribute base = ExpressionWriter(op.getContext(), reason).write(make.getBase());
    strides.pop_back();
    if (!base || llvm::is_contained(sizes, nullptr) || llvm::is_contained(strides, nullptr))
      return false;
    set("global_address", base);
    set("global_dim", builder.getArrayAttr(SmallVector<Attribute>(llvm::reverse(sizes))));
    set("global_strides", builder.getArrayAttr(SmallVector<Attribute>(llvm::reverse(strides))));
    return true;
  }

  SmallVector<Attribute> writeAll(ArrayRef<int64_t> statics, ValueRange dynamics, int64_t unit) {
    SmallVector<Attribute> all;
    for (int64_t value : statics) {
      ExpressionWriter writer(op.getContext(), reason);
      if (!ShapedType::isDynamic(value)) {
        all.push_back(writer.getNumber(value * unit));
        continue;
      }
      all.push_back(writer.multiply(writer.write(dynamics.front()), unit));
      dynamics = dynamics.drop_front();
    }
    return all;
  }

  as::MakeTiledTmaDescOp op;
  std::string &reason;
  Builder builder;
  aa::MakeMemRefOp make;
  SmallVector<NamedAttribute> fields;
};

uint64_t getParameterBytes(LLVM::LLVMFuncOp kernel, unsigned index) {
  if (kernel.getArgAttr(index, LLVM::LLVMDialect::getByValAttrName()))
    return kTensorMapBytes;
  Type type = kernel.getFunctionType().getParamType(index);
  return type.isIntOrFloat() ? llvm::divideCeil(type.getIntOrFloatBitWidth(), 8) : kAddressBits / 8;
}

} // namespace

DictionaryAttr describeHostMap(as::MakeTiledTmaDescOp op, std::string &reason) {
  return MapDescriber(op, reason).describe();
}

bool hasRoomForHostMap(LLVM::LLVMFuncOp kernel) {
  uint64_t end = 0;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    const uint64_t bytes = getParameterBytes(kernel, i);
    end = llvm::alignTo(end, bytes == kTensorMapBytes ? kHostMapAlignment : bytes) + bytes;
  }
  return llvm::alignTo(end, kHostMapAlignment) + kTensorMapBytes <= kMostParameterBytes;
}

/// A last parameter of so many bytes that nobody writes and the kernel reads where it is.
static Value addParameter(LLVM::LLVMFuncOp kernel, Location location) {
  Builder builder(kernel.getContext());
  LLVM::LLVMFunctionType type = kernel.getFunctionType();
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  const unsigned index = type.getNumParams();
  SmallVector<Type> parameters(type.getParams());
  parameters.push_back(pointer);
  // The attributes of the other parameters stand in an array that has to be as long.
  SmallVector<DictionaryAttr> attributes;
  for (unsigned i = 0; i < index; ++i)
    attributes.push_back(kernel.getArgAttrDict(i));
  auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), kTensorMapBytes);
  attributes.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes)),
       builder.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(), builder.getI64IntegerAttr(kHostMapAlignment)),
       builder.getNamedAttr("nvvm.grid_constant", builder.getUnitAttr())}));
  kernel.setFunctionType(LLVM::LLVMFunctionType::get(type.getReturnType(), parameters, type.isVarArg()));
  kernel.setAllArgAttrs(attributes);
  return kernel.getBody().front().addArgument(pointer, location);
}

/// The first copy would wait for the map.
static void emitPrefetch(Emitter &emit, Value map) {
  PtxInstruction ptx(emit);
  const std::string guard = ptx.guard(emitIsFirstThread(emit)), address = ptx.operand(map);
  ptx.emit(guard + "prefetch.tensormap [" + address + "];", PtxEffect::Memory);
}

void takeHostMap(LLVM::LLVMFuncOp kernel, DictionaryAttr description, ArrayRef<as::MakeTiledTmaDescOp> ops) {
  auto builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  const unsigned index = kernel.getNumArguments();
  as::MakeTiledTmaDescOp first = ops.front();
  Value parameter = addParameter(kernel, first.getLoc());
  Emitter emit(builder, first);
  Value address = LLVM::PtrToIntOp::create(builder, first.getLoc(), emit.i64(), parameter);
  emitPrefetch(emit, address);
  for (as::MakeTiledTmaDescOp op : ops) {
    auto map = UnrealizedConversionCastOp::create(builder, op.getLoc(), op.getType(), address);
    op.replaceAllUsesWith(map);
    op.erase();
  }

  SmallVector<Attribute> maps;
  if (auto before = kernel->getAttrOfType<ArrayAttr>(kTensorMapsAttr))
    llvm::append_range(maps, before);
  NamedAttrList fields(description);
  fields.set("parameter", builder.getI64IntegerAttr(index));
  maps.push_back(fields.getDictionary(builder.getContext()));
  kernel->setAttr(kTensorMapsAttr, builder.getArrayAttr(maps));
}

} // namespace tileiras
