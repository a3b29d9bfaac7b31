//===- OpTable.h - How each operation is encoded ----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one description of the encoding of operations; the reader and the writer both interpret it. An operation is
//
//   opcode[varint] result-types flags[varint]? attribute* operand* (region-count[varint] region*)?
//
// where `flags` has one bit for each field that may be absent, in the order of the fields. A field, or the whole flags
// word, that came with a later version does not exist in files of an earlier one.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_OPTABLE_H
#define TILEIRAS_LIB_BYTECODE_OPTABLE_H

#include "Format.h"
#include "mlir/IR/Attributes.h"
#include "llvm/ADT/StringRef.h"

namespace tileiras::bytecode {

/// The numbers of an enumeration attribute, as a varint in the file.
struct EnumEncoding {
  const char *name;
  /// The attribute for a number; null when there is none.
  mlir::Attribute (*make)(mlir::MLIRContext *, uint64_t);
  /// The number of an attribute; nullopt when it is of another class.
  std::optional<uint64_t> (*number)(mlir::Attribute);
  /// Numbers from `laterNumbers` on exist since `laterSince`.
  uint64_t laterNumbers = ~uint64_t(0);
  BytecodeVersion laterSince = k13_1;

  BytecodeVersion since(uint64_t value) const { return value >= laterNumbers ? laterSince : k13_1; }
};

extern const EnumEncoding kAtomicRMWMode, kComparisonOrdering, kComparisonPredicate, kIntegerOverflow,
    kMemoryOrderingSemantics, kMemoryScope, kPaddingValue, kPtrAttr, kRoundingMode, kSignedness, kSymbolVisibility;

/// What follows for an attribute.
enum class AttributeKind : uint8_t {
  None,
  Enum,        ///< varint, by an EnumEncoding
  I32,         ///< varint of the two's complement
  I64,         ///< varint of the two's complement
  Bool,        ///< a byte
  Unit,        ///< nothing: presence is the attribute
  String,      ///< index of a string
  Symbol,      ///< index of the string of a flat symbol reference
  I32Array,    ///< count and 4 bytes each
  BoolArray,   ///< count and a byte each
  Constant,    ///< index of a constant, whose type is that of the first result
  Tagged,      ///< any attribute with its tag
  TaggedArray, ///< count and attributes with their tags
  Hints,       ///< optimization hints: a dictionary without its tag
};

enum class FieldKind : uint8_t {
  Attribute,    ///< always there
  OptAttribute, ///< has a flag; present if it is set
  Operand,      ///< one value
  OptOperand,   ///< has a flag; one value if it is set
  OperandGroup, ///< count and values of one variadic operand
  AllOperands,  ///< count and values of all operands of the operation, of however many groups
};

struct Field {
  llvm::StringRef name; ///< of the attribute or operand in the dialect
  FieldKind kind = FieldKind::Attribute;
  AttributeKind attribute = AttributeKind::None;
  const EnumEncoding *enumeration = nullptr;
  BytecodeVersion since = k13_1;
  uint64_t missing = 0; ///< of an enumeration: what files before `since` mean

  constexpr bool isAttribute() const { return kind == FieldKind::Attribute || kind == FieldKind::OptAttribute; }
  constexpr bool hasFlag() const { return kind == FieldKind::OptAttribute || kind == FieldKind::OptOperand; }
};

/// The encoding of one operation, built up in OpTable.cpp.
class OpEncoding {
  // Before their uses: some compilers want that of constant expressions.
  template <typename Edit>
  constexpr OpEncoding with(Edit edit) const {
    OpEncoding copy = *this;
    edit(copy);
    return copy;
  }
  constexpr OpEncoding add(Field field) const {
    return with([&](OpEncoding &op) { op.storage[op.numFields++] = field; });
  }

public:
  static constexpr unsigned kMaxFields = 8;

  constexpr OpEncoding(uint16_t opcode, llvm::StringRef name, BytecodeVersion since = k13_1)
      : opcode(opcode), name(name), since(since) {}

  uint16_t opcode;
  llvm::StringRef name; ///< without the dialect's prefix
  BytecodeVersion since;
  uint8_t numResults = 0;      ///< number of result types, when it is not written
  bool countedResults = false; ///< the number of result types is written
  uint8_t numRegions = 0;
  /// Files of earlier versions leave out this operation's last result, a token: it is there but has no value number.
  BytecodeVersion tokenSince = k13_1;

  llvm::ArrayRef<Field> fields() const { return {storage, numFields}; }
  /// Whether files of `version` have a flags word here.
  bool hasFlags(BytecodeVersion version) const {
    for (const Field &field : fields())
      if (field.hasFlag() && field.since <= version)
        return true;
    return false;
  }

  constexpr OpEncoding results(uint8_t count) const {
    return with([&](OpEncoding &op) { op.numResults = count; });
  }
  constexpr OpEncoding manyResults() const {
    return with([&](OpEncoding &op) { op.countedResults = true; });
  }
  constexpr OpEncoding lastTokenSince(BytecodeVersion version) const {
    return with([&](OpEncoding &op) { op.tokenSince = version; });
  }
  constexpr OpEncoding regions(uint8_t count) const {
    return with([&](OpEncoding &op) { op.numRegions = count; });
  }

  constexpr OpEncoding attr(llvm::StringRef name, AttributeKind kind, BytecodeVersion since = k13_1) const {
    return add({name, FieldKind::Attribute, kind, nullptr, since});
  }
  constexpr OpEncoding attr(llvm::StringRef name, const EnumEncoding &enumeration, BytecodeVersion since = k13_1,
                            uint64_t missing = 0) const {
    return add({name, FieldKind::Attribute, AttributeKind::Enum, &enumeration, since, missing});
  }
  constexpr OpEncoding optAttr(llvm::StringRef name, AttributeKind kind, BytecodeVersion since = k13_1) const {
    return add({name, FieldKind::OptAttribute, kind, nullptr, since});
  }
  constexpr OpEncoding optAttr(llvm::StringRef name, const EnumEncoding &enumeration) const {
    return add({name, FieldKind::OptAttribute, AttributeKind::Enum, &enumeration});
  }
  constexpr OpEncoding flag(llvm::StringRef name, BytecodeVersion since = k13_1) const {
    return optAttr(name, AttributeKind::Unit, since);
  }
  constexpr OpEncoding operand(llvm::StringRef name) const { return add({name, FieldKind::Operand}); }
  constexpr OpEncoding optOperand(llvm::StringRef name, BytecodeVersion since = k13_1) const {
    return add({name, FieldKind::OptOperand, AttributeKind::None, nullptr, since});
  }
  constexpr OpEncoding group(llvm::StringRef name) const { return add({name, FieldKind::OperandGroup}); }
  constexpr OpEncoding allOperands() const { return add({"", FieldKind::AllOperands}); }

private:
  Field storage[kMaxFields];
  unsigned numFields = 0;
};

/// The encodings of all operations that appear in function bodies, by increasing opcode.
llvm::ArrayRef<OpEncoding> getOpTable();

/// The encoding with this opcode or operation name (without prefix), or null.
const OpEncoding *findByOpcode(uint64_t opcode);
const OpEncoding *findByName(llvm::StringRef name);

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_OPTABLE_H
