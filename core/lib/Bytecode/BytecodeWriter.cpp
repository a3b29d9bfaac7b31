//===- BytecodeWriter.cpp - Writing a module ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "tileiras/Bytecode/Bytecode.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

namespace {

/// Takes a module apart into the sections of a file.
class ModuleWriter {
public:
  explicit ModuleWriter(BytecodeVersion version)
      : context{version}, types(context), attributes(context, strings, types, constants), debug(context, strings),
        functions(context, types, attributes, debug) {}

  LogicalResult write(cuda_tile::ModuleOp module, ByteWriter &file);

private:
  struct Function {
    cuda_tile::EntryOp op;
    ByteWriter head; ///< name and signature
    uint64_t number; ///< in the debug section
  };

  LogicalResult collect(cuda_tile::ModuleOp module);
  LogicalResult writeHeads();
  LogicalResult writeGlobal(ByteWriter &section, cuda_tile::GlobalOp global);
  LogicalResult writeFunction(ByteWriter &section, Function &function);

  WriterContext context;
  StringWriter strings;
  TypeWriter types;
  ConstantWriter constants;
  AttributeWriter attributes;
  DebugWriter debug;
  FunctionWriter functions;
  SmallVector<cuda_tile::GlobalOp> globals;
  SmallVector<Function> entries;
};

} // namespace

LogicalResult ModuleWriter::collect(cuda_tile::ModuleOp module) {
  context.current = module;
  if (!module.getBody().hasOneBlock())
    return context.error() << "must have one block to be written";
  for (Operation &op : module.getBody().front()) {
    context.current = &op;
    if (auto global = dyn_cast<cuda_tile::GlobalOp>(op))
      globals.push_back(global);
    else if (auto entry = dyn_cast<cuda_tile::EntryOp>(op))
      entries.push_back({entry, {}, 0});
    else
      return context.error() << "cannot be written to Tile IR bytecode: a module holds only globals and entries";
  }
  return success();
}

/// The names, signatures and locations of all functions get their indices before everything else.
LogicalResult ModuleWriter::writeHeads() {
  for (Function &function : entries) {
    context.current = function.op;
    function.head.writeVarint(strings.index(function.op.getSymName()));
    if (failed(types.write(function.head, function.op.getFunctionType())))
      return failure();
    FailureOr<uint64_t> number = debug.addFunction(function.op.getLoc());
    if (failed(number))
      return failure();
    function.number = *number;
  }
  return success();
}

LogicalResult ModuleWriter::writeGlobal(ByteWriter &section, cuda_tile::GlobalOp global) {
  context.current = global;
  auto value = dyn_cast<DenseElementsAttr>(global.getValueAttr());
  if (!value)
    return context.error() << "has a value that cannot be written to Tile IR bytecode";
  section.writeVarint(strings.index(global.getSymName()));
  if (failed(types.write(section, value.getType())))
    return failure();
  section.writeVarint(constants.index(value));
  section.writeVarint(static_cast<uint64_t>(global.getAlignment()));

  const std::optional<uint64_t> visibility = kSymbolVisibility.number(global.getSymbolVisibilityAttr());
  const bool isPrivate = visibility.value_or(0) != 0, isConstant = global.getConstant();
  if ((isPrivate && failed(context.require(k13_3, "private visibility"))) ||
      (isConstant && failed(context.require(k13_3, "'constant'"))))
    return failure();
  if (context.version >= k13_3) {
    section.writeVarint(visibility.value_or(0));
    section.writeVarint(isConstant);
  }
  return success();
}

/// Whether the attributes of arguments or results say anything.
static bool hasContent(ArrayAttr dictionaries) {
  return dictionaries && llvm::any_of(dictionaries.getAsRange<DictionaryAttr>(),
                                      [](DictionaryAttr dictionary) { return !dictionary.empty(); });
}

LogicalResult ModuleWriter::writeFunction(ByteWriter &section, Function &function) {
  cuda_tile::EntryOp op = function.op;
  context.current = op;
  if (!op.getBody().hasOneBlock())
    return context.error() << "must have one block to be written";
  if (hasContent(op.getArgAttrsAttr()) || hasContent(op.getResAttrsAttr()))
    return context.error() << "has attributes of arguments or results, which cannot be written to Tile IR bytecode";
  cuda_tile::OptimizationHintsAttr hints = op.getOptimizationHintsAttr();
  section.writeBytes(function.head.str());
  section.writeByte(kFunctionEntry | (hints ? kFunctionHints : 0));
  section.writeVarint(function.number);
  if (hints && failed(attributes.writeTagged(section, hints)))
    return failure();
  ByteWriter body;
  if (failed(functions.writeBody(body, op.getBody().front(), function.number)))
    return failure();
  section.writeVarint(body.str().size());
  section.writeBytes(body.str());
  return success();
}

LogicalResult ModuleWriter::write(cuda_tile::ModuleOp module, ByteWriter &file) {
  if (failed(collect(module)) || failed(writeHeads()))
    return failure();
  file.writeBytes(StringRef(reinterpret_cast<const char *>(kMagic), sizeof(kMagic)));
  file.writeByte(context.version.major);
  file.writeByte(context.version.minor);
  file.writeInteger(context.version.tag);

  if (!globals.empty()) {
    ByteWriter section;
    section.writeVarint(globals.size());
    for (cuda_tile::GlobalOp global : globals)
      if (failed(writeGlobal(section, global)))
        return failure();
    file.writeSection(SectionId::Global, 1, section.str());
  }

  ByteWriter functionSection;
  functionSection.writeVarint(entries.size());
  for (Function &function : entries)
    if (failed(writeFunction(functionSection, function)))
      return failure();
  functionSection.padTo(8);
  file.writeSection(SectionId::Function, 8, functionSection.str());

  if (!constants.empty()) {
    ByteWriter section;
    constants.write(section);
    file.writeSection(SectionId::Constant, 8, section.str());
  }
  if (ByteWriter section; debug.write(section))
    file.writeSection(SectionId::Debug, 8, section.str());
  ByteWriter typeSection;
  types.writeSection(typeSection);
  file.writeSection(SectionId::Type, 4, typeSection.str());
  // Who made a file is not part of what it means: older versions go without.
  if (StringAttr producer = module.getProducerAttr(); producer && context.version >= k13_3) {
    ByteWriter section;
    section.writeVarint(strings.index(producer));
    file.writeSection(SectionId::Producer, 1, section.str());
  }
  ByteWriter stringSection;
  strings.write(stringSection);
  file.writeSection(SectionId::String, 4, stringSection.str());
  file.writeByte(static_cast<uint8_t>(SectionId::End));
  return success();
}

/// The cuda_tile.module that `op` is or holds.
static cuda_tile::ModuleOp getTileModule(Operation *op) {
  if (auto module = dyn_cast<cuda_tile::ModuleOp>(op))
    return module;
  auto outer = dyn_cast<mlir::ModuleOp>(op);
  if (!outer || !llvm::hasSingleElement(*outer.getBody()))
    return nullptr;
  return dyn_cast<cuda_tile::ModuleOp>(outer.getBody()->front());
}

LogicalResult tileiras::writeBytecode(Operation *op, llvm::raw_ostream &os, BytecodeVersion version) {
  cuda_tile::ModuleOp module = getTileModule(op);
  if (!module)
    return op->emitError(
        "only a cuda_tile.module, or a module that holds just one, can be written to Tile IR bytecode");
  if (!version.isSupported())
    return op->emitError() << "unsupported Tile IR bytecode version " << version.str();
  ByteWriter file;
  if (failed(ModuleWriter(version).write(module, file)))
    return failure();
  os << file.str();
  return success();
}
