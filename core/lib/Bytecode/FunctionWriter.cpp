//===- FunctionWriter.cpp - The operations of a function ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionWriter.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/OpDefinition.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

static constexpr StringLiteral kSegments = "operandSegmentSizes";

LogicalResult FunctionWriter::writeBody(ByteWriter &writer, Block &block, uint64_t functionNumber) {
  function = functionNumber;
  numbers.clear();
  nextNumber = 0;
  number(block.getArguments());
  for (Operation &op : block)
    if (failed(writeOperation(writer, op)))
      return failure();
  return success();
}

void FunctionWriter::number(ValueRange values) {
  for (Value value : values)
    numbers[value] = nextNumber++;
}

/// The results that the version that is written has.
ResultRange FunctionWriter::getWrittenResults(Operation &op, const OpEncoding &encoding) const {
  const bool dropsToken = encoding.tokenSince > context.version && op.getNumResults() != 0;
  return dropsToken ? op.getResults().drop_back() : op.getResults();
}

LogicalResult FunctionWriter::writeOperation(ByteWriter &writer, Operation &op) {
  context.current = &op;
  const bool isOurs = isa_and_nonnull<cuda_tile::CudaTileDialect>(op.getDialect());
  const OpEncoding *encoding = isOurs ? findByName(op.getName().stripDialect()) : nullptr;
  if (!encoding)
    return context.error() << "cannot be written to Tile IR bytecode";
  if (failed(context.require(encoding->since, "this operation")) || failed(debug.addOperation(function, op.getLoc())) ||
      failed(checkAttributes(op, *encoding)))
    return failure();
  writer.writeVarint(encoding->opcode);
  if (failed(writeResultTypes(writer, op, *encoding)) || failed(writeFields(writer, op, *encoding)) ||
      failed(writeRegions(writer, op, *encoding)))
    return failure();
  // After the regions, whose values have no numbers any more.
  number(getWrittenResults(op, *encoding));
  return success();
}

LogicalResult FunctionWriter::checkAttributes(Operation &op, const OpEncoding &encoding) {
  for (NamedAttribute attribute : op.getAttrs()) {
    StringRef name = attribute.getName();
    if (name != kSegments && llvm::none_of(encoding.fields(), [&](const Field &field) { return field.name == name; }))
      return context.error() << "attribute '" << name << "' cannot be written to Tile IR bytecode";
  }
  return success();
}

LogicalResult FunctionWriter::writeResultTypes(ByteWriter &writer, Operation &op, const OpEncoding &encoding) {
  ResultRange results = getWrittenResults(op, encoding);
  if (results.size() != op.getNumResults() && !op.getResults().back().use_empty())
    return context.require(encoding.tokenSince, "the use of its token");
  if (encoding.countedResults)
    writer.writeVarint(results.size());
  for (Type type : results.getTypes())
    if (failed(types.write(writer, type)))
      return failure();
  return success();
}

LogicalResult FunctionWriter::writeFields(ByteWriter &writer, Operation &op, const OpEncoding &encoding) {
  // The operands of each field: all but one of the fields without a segment size have exactly one.
  SmallVector<ValueRange> operands;
  OperandRange rest = op.getOperands();
  auto segments = op.getAttrOfType<DenseI32ArrayAttr>(kSegments);
  for (const Field &field : encoding.fields()) {
    if (field.isAttribute())
      continue;
    const size_t isVariadic = field.kind == FieldKind::AllOperands || field.kind == FieldKind::OperandGroup;
    const size_t count = segments && field.kind != FieldKind::AllOperands ? segments[operands.size()]
                         : isVariadic                                     ? rest.size()
                                                                          : 1;
    if (count > rest.size())
      return context.error() << "has too few operands to be written";
    operands.push_back(rest.take_front(count));
    rest = rest.drop_front(count);
  }

  uint64_t flags = 0, bit = 1;
  const ValueRange *group = operands.begin();
  for (const Field &field : encoding.fields()) {
    const bool isThere = field.isAttribute() ? op.getAttr(field.name) != nullptr : !(group++)->empty();
    if (!field.hasFlag())
      continue;
    if (isThere && failed(context.require(field.since, "'" + field.name + "'")))
      return failure();
    if (field.since <= context.version) {
      flags |= isThere ? bit : 0;
      bit <<= 1;
    }
  }
  if (encoding.hasFlags(context.version))
    writer.writeVarint(flags);

  group = operands.begin();
  for (const Field &field : encoding.fields())
    if (failed(field.isAttribute() ? writeAttribute(writer, field, op.getAttr(field.name))
                                   : writeOperands(writer, field, *group++)))
      return failure();
  return success();
}

/// Whether leaving an attribute out means the same as writing it.
static bool isImplied(const Field &field, Attribute attribute) {
  if (field.enumeration)
    return field.enumeration->number(attribute) == field.missing;
  if (auto flags = dyn_cast<DenseBoolArrayAttr>(attribute))
    return llvm::none_of(flags.asArrayRef(), [](bool flag) { return flag; });
  return false;
}

LogicalResult FunctionWriter::writeAttribute(ByteWriter &writer, const Field &field, Attribute attribute) {
  if (field.since > context.version)
    return !attribute || isImplied(field, attribute)
               ? success()
               : context.require(field.since, "the value of attribute '" + field.name + "'");
  if (attribute)
    return attributes.writeField(writer, field, attribute);
  if (field.hasFlag())
    return success();
  // An array of flags that is not there has no elements.
  if (field.attribute == AttributeKind::BoolArray) {
    writer.writeVarint(0);
    return success();
  }
  return context.error() << "lacks attribute '" << field.name << "'";
}

LogicalResult FunctionWriter::writeOperands(ByteWriter &writer, const Field &field, ValueRange operands) {
  if (field.kind == FieldKind::OperandGroup || field.kind == FieldKind::AllOperands)
    writer.writeVarint(operands.size());
  for (Value operand : operands) {
    auto it = numbers.find(operand);
    // Only a module that does not verify uses a value before its definition, or the token of an old print.
    if (it == numbers.end())
      return context.error() << "uses a value that has no number in Tile IR bytecode";
    writer.writeVarint(it->second);
  }
  return success();
}

LogicalResult FunctionWriter::writeRegions(ByteWriter &writer, Operation &op, const OpEncoding &encoding) {
  if (op.getNumRegions() != encoding.numRegions)
    return context.error() << "has " << op.getNumRegions() << " regions, not "
                           << static_cast<unsigned>(encoding.numRegions);
  if (encoding.numRegions == 0)
    return success();
  writer.writeVarint(encoding.numRegions);
  for (Region &region : op.getRegions()) {
    writer.writeVarint(llvm::range_size(region));
    for (Block &block : region)
      if (failed(writeBlock(writer, block)))
        return failure();
  }
  return success();
}

LogicalResult FunctionWriter::writeBlock(ByteWriter &writer, Block &block) {
  const uint64_t outer = nextNumber;
  writer.writeVarint(block.getNumArguments());
  for (Type type : block.getArgumentTypes())
    if (failed(types.write(writer, type)))
      return failure();
  number(block.getArguments());
  writer.writeVarint(block.getOperations().size());
  for (Operation &op : block)
    if (failed(writeOperation(writer, op)))
      return failure();
  nextNumber = outer;
  return success();
}
