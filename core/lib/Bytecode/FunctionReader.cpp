//===- FunctionReader.cpp - The operations of a function ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionReader.h"
#include "mlir/IR/OpDefinition.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

FunctionReader::FunctionReader(MLIRContext *context, BytecodeVersion version, TypeReader &types,
                               AttributeReader &attributes, ConstantReader &constants, DebugReader &debug)
    : context(context), version(version), types(types), attributes(attributes), constants(constants), debug(debug) {
  for (const OpEncoding &encoding : getOpTable())
    names.try_emplace(&encoding, OperationName(("cuda_tile." + encoding.name).str(), context));
}

LogicalResult FunctionReader::readBody(ByteReader body, Block &block) {
  values.assign(block.args_begin(), block.args_end());
  while (body.remaining())
    if (failed(readOperation(body, block)))
      return failure();
  return success();
}

LogicalResult FunctionReader::readOperation(ByteReader &reader, Block &block) {
  const uint64_t start = reader.offset();
  uint64_t opcode;
  if (failed(reader.readVarint(opcode, "opcode")))
    return failure();
  const OpEncoding *encoding = findByOpcode(opcode);
  if (!encoding)
    return reader.errorAt(start) << "unknown opcode " << opcode;
  if (encoding->since > version)
    return reader.errorAt(start) << "operation " << encoding->name << " requires version " << encoding->since.str()
                                 << ", the file has version " << version.str();
  LocationAttr location;
  if (failed(debug.next(reader, start, location)))
    return failure();

  OperationState state(location, names.find(encoding)->second);
  size_t numNumbered;
  StringRef openAttribute;
  if (failed(readResultTypes(reader, *encoding, state, numNumbered)) ||
      failed(readFields(reader, *encoding, state, openAttribute)) || failed(readRegions(reader, *encoding, state)))
    return failure();
  Operation *op = Operation::create(state);
  block.push_back(op);
  if (!openAttribute.empty())
    constants.defer(op, openAttribute);
  llvm::append_range(values, op->getResults().take_front(numNumbered));
  return success();
}

LogicalResult FunctionReader::readResultTypes(ByteReader &reader, const OpEncoding &encoding, OperationState &state,
                                              size_t &numNumbered) {
  uint64_t count = encoding.numResults;
  if (encoding.countedResults && failed(reader.readCount(count, "result count")))
    return failure();
  state.types.resize(count);
  for (Type &type : state.types)
    if (failed(types.read(reader, type, "result type")))
      return failure();
  numNumbered = count;
  if (encoding.tokenSince > version)
    state.addTypes(cuda_tile::TokenType::get(context));
  return success();
}

LogicalResult FunctionReader::readFields(ByteReader &reader, const OpEncoding &encoding, OperationState &state,
                                         StringRef &openAttribute) {
  const uint64_t start = reader.offset();
  uint64_t flags = 0;
  if (encoding.hasFlags(version) && failed(reader.readVarint(flags, "flags")))
    return failure();
  SmallVector<int32_t> segments;
  for (const Field &field : encoding.fields()) {
    bool isThere = field.since <= version;
    if (field.hasFlag() && isThere) {
      isThere = flags & 1;
      flags >>= 1;
    }
    const size_t numOperands = state.operands.size();
    if (failed(field.isAttribute() ? readAttribute(reader, field, isThere, state, openAttribute)
                                   : readOperands(reader, field, isThere, state)))
      return failure();
    if (!field.isAttribute())
      segments.push_back(state.operands.size() - numOperands);
  }
  if (flags)
    return reader.errorAt(start) << "unknown flags of operation " << encoding.name;
  if (state.name.hasTrait<OpTrait::AttrSizedOperandSegments>())
    state.addAttribute("operandSegmentSizes", DenseI32ArrayAttr::get(context, segments));
  return success();
}

LogicalResult FunctionReader::readAttribute(ByteReader &reader, const Field &field, bool isThere, OperationState &state,
                                            StringRef &openAttribute) {
  Attribute attribute;
  bool isOpen = false;
  if (isThere) {
    Type resultType = state.types.empty() ? Type() : state.types.front();
    if (failed(attributes.readField(reader, field, resultType, attribute, isOpen)))
      return failure();
  } else if (!field.hasFlag() && field.enumeration) {
    attribute = field.enumeration->make(context, field.missing);
  }
  if (isOpen)
    openAttribute = field.name;
  if (attribute)
    state.addAttribute(field.name, attribute);
  return success();
}

LogicalResult FunctionReader::readOperands(ByteReader &reader, const Field &field, bool isThere,
                                           OperationState &state) {
  uint64_t count = isThere ? 1 : 0;
  if ((field.kind == FieldKind::OperandGroup || field.kind == FieldKind::AllOperands) &&
      failed(reader.readCount(count, "operand count")))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t start = reader.offset();
    uint64_t number;
    if (failed(reader.readVarint(number, "operand")))
      return failure();
    if (number >= values.size())
      return reader.errorAt(start) << "operand " << number << " of " << state.name << " does not exist, there are only "
                                   << values.size() << " values here";
    state.operands.push_back(values[number]);
  }
  return success();
}

LogicalResult FunctionReader::readRegions(ByteReader &reader, const OpEncoding &encoding, OperationState &state) {
  if (encoding.numRegions == 0)
    return success();
  const uint64_t start = reader.offset();
  uint64_t count;
  if (failed(reader.readVarint(count, "region count")))
    return failure();
  if (count != encoding.numRegions)
    return reader.errorAt(start) << "operation " << encoding.name << " has "
                                 << static_cast<unsigned>(encoding.numRegions) << " regions, not " << count;
  if (regionDepth >= kMaxRegionDepth)
    return reader.errorAt(start) << "regions are nested deeper than " << kMaxRegionDepth;
  ++regionDepth;
  llvm::scope_exit leave([&] { --regionDepth; });
  for (uint64_t i = 0; i < count; ++i) {
    Region *region = state.addRegion();
    uint64_t numBlocks;
    if (failed(reader.readCount(numBlocks, "block count")))
      return failure();
    for (uint64_t block = 0; block < numBlocks; ++block)
      if (failed(readBlock(reader, state.location, *region)))
        return failure();
  }
  return success();
}

LogicalResult FunctionReader::readBlock(ByteReader &reader, Location loc, Region &region) {
  Block &block = region.emplaceBlock();
  const size_t numOuter = values.size();
  uint64_t count;
  if (failed(reader.readCount(count, "block argument count")))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    Type type;
    if (failed(types.read(reader, type, "block argument type")))
      return failure();
    values.push_back(block.addArgument(type, loc));
  }
  if (failed(reader.readCount(count, "operation count")))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readOperation(reader, block)))
      return failure();
  values.resize(numOuter);
  return success();
}
