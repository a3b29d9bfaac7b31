//===- OpTableTest.cpp - The table of encodings and the dialect -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OpDefinition.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <catch2/catch.hpp>

using namespace llvm;
using namespace tileiras;
using namespace tileiras::bytecode;

TEST_CASE("every operation of the dialect has an encoding", "[bytecode]") {
  mlir::MLIRContext context;
  context.loadDialect<cuda_tile::CudaTileDialect>();
  // These have sections of their own.
  const StringSet<> moduleLevel = {"module", "entry", "global"};
  StringSet<> seen;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperationsByDialect("cuda_tile")) {
    StringRef mnemonic = name.stripDialect();
    seen.insert(mnemonic);
    INFO(mnemonic.str());
    CHECK((findByName(mnemonic) != nullptr) != moduleLevel.contains(mnemonic));
  }
  for (const OpEncoding &encoding : getOpTable()) {
    INFO(encoding.name.str());
    CHECK(seen.contains(encoding.name));
  }
}

TEST_CASE("encodings name exactly the attributes of the operation", "[bytecode]") {
  mlir::MLIRContext context;
  context.loadDialect<cuda_tile::CudaTileDialect>();
  for (const OpEncoding &encoding : getOpTable()) {
    INFO(encoding.name.str());
    std::optional<mlir::RegisteredOperationName> name =
        mlir::RegisteredOperationName::lookup(("cuda_tile." + encoding.name).str(), &context);
    REQUIRE(name);
    StringSet<> attributes, encoded;
    for (mlir::StringAttr attribute : name->getAttributeNames())
      attributes.insert(attribute.getValue());
    for (const Field &field : encoding.fields())
      if (field.isAttribute()) {
        INFO(field.name.str());
        CHECK(attributes.contains(field.name));
        CHECK(encoded.insert(field.name).second);
      }
    for (const auto &attribute : attributes) {
      INFO(attribute.getKey().str());
      CHECK((encoded.contains(attribute.getKey()) || attribute.getKey() == "operandSegmentSizes"));
    }
  }
}

TEST_CASE("segmented operations list their operands one by one", "[bytecode]") {
  mlir::MLIRContext context;
  context.loadDialect<cuda_tile::CudaTileDialect>();
  for (const OpEncoding &encoding : getOpTable()) {
    INFO(encoding.name.str());
    mlir::OperationName name(("cuda_tile." + encoding.name).str(), &context);
    const bool segmented = name.hasTrait<mlir::OpTrait::AttrSizedOperandSegments>();
    for (const Field &field : encoding.fields()) {
      CHECK(!(segmented && field.kind == FieldKind::AllOperands));
      if (field.kind == FieldKind::OptOperand)
        CHECK(segmented);
    }
  }
}

TEST_CASE("opcodes increase and are found", "[bytecode]") {
  const OpEncoding *previous = nullptr;
  for (const OpEncoding &encoding : getOpTable()) {
    CHECK((!previous || previous->opcode < encoding.opcode));
    CHECK(findByOpcode(encoding.opcode) == &encoding);
    CHECK(findByName(encoding.name) == &encoding);
    CHECK(llvm::is_contained(BytecodeVersion::supported(), encoding.since));
    previous = &encoding;
  }
  for (uint64_t unused : {22, 25, 36, 49, 52, 57, 75, 200, 1 << 20})
    CHECK(findByOpcode(unused) == nullptr);
  CHECK(findByOpcode(~uint64_t(0)) == nullptr);
}

TEST_CASE("later fields can be left out", "[bytecode]") {
  // A file before the field exists must mean something: a flag is unset, an enumeration has a value, an array is empty.
  for (const OpEncoding &encoding : getOpTable())
    for (const Field &field : encoding.fields()) {
      INFO(encoding.name.str() << " " << field.name.str());
      CHECK((field.since <= encoding.since || field.hasFlag() || field.enumeration ||
             field.attribute == AttributeKind::BoolArray));
    }
}

TEST_CASE("versions parse and print", "[bytecode]") {
  CHECK(BytecodeVersion::parse("13.3") == BytecodeVersion(13, 3));
  CHECK(BytecodeVersion::parse("13.4.1") == BytecodeVersion(13, 4, 1));
  for (const char *text : {"", "13", "13.", "13.x", "13.3.", "300.1", "13.-1", "1.2.3.4", "13.3.70000"}) {
    INFO(text);
    CHECK(!BytecodeVersion::parse(text));
  }
  for (BytecodeVersion version : BytecodeVersion::supported()) {
    CHECK(BytecodeVersion::parse(version.str()) == version);
    CHECK(version.isSupported());
  }
  CHECK(BytecodeVersion::newest().isSupported());
  CHECK(!BytecodeVersion(13, 4, 1).isSupported());
  CHECK(BytecodeVersion(13, 2) < BytecodeVersion(13, 10));
}
