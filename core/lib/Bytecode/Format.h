//===- Format.h - Constants of the Tile IR bytecode -------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file is
//
//   magic[8] major[1] minor[1] tag[2, little endian]
//   ( id[1, high bit: aligned] length[varint] (alignment[varint] padding)? payload[length] )*
//   0
//
// Varints are LEB128; signed ones are zigzag encoded. Padding inside a payload is relative to the payload's start,
// which the section's own alignment makes the same as relative to the file's. An *offset table* is
//
//   count[varint] (padding offset[index size]*count data)?
//
// where entry i is data[offset i .. offset i+1).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_BYTECODE_FORMAT_H
#define TILEIRAS_LIB_BYTECODE_FORMAT_H

#include "tileiras/Bytecode/Version.h"
#include "llvm/ADT/bit.h"

namespace tileiras::bytecode {

// The elements of constants are copied between files and MLIR as they are.
static_assert(llvm::endianness::native == llvm::endianness::little);

inline constexpr uint8_t kMagic[8] = {0x7f, 'T', 'i', 'l', 'e', 'I', 'R', 0x00};
inline constexpr uint8_t kMlirMagic[4] = {'M', 'L', 0xef, 'R'};
inline constexpr size_t kHeaderSize = sizeof(kMagic) + 4;
inline constexpr uint8_t kPaddingByte = 0xcb;

inline constexpr BytecodeVersion k13_1{13, 1}, k13_2{13, 2}, k13_3{13, 3}, k13_4{13, 4};

enum class SectionId : uint8_t {
  End = 0,
  String = 1,   ///< offset table (4) of strings
  Function = 2, ///< the entries and their bodies
  Debug = 3,    ///< locations of operations, then an offset table (4) of debug attributes
  Constant = 4, ///< offset table (8) of element buffers, each a varint length and that many bytes
  Type = 5,     ///< offset table (4) of types
  Global = 6,   ///< global variables
  Producer = 7, ///< since 13.3: string index of who made the file
};
inline constexpr unsigned kNumSections = 8;

enum class TypeTag : uint8_t {
  I1 = 0,
  I8 = 1,
  I16 = 2,
  I32 = 3,
  I64 = 4,
  F16 = 5,
  BF16 = 6,
  F32 = 7,
  TF32 = 8,
  F64 = 9,
  F8E4M3FN = 10,
  F8E5M2 = 11,
  Pointer = 12,
  Tile = 13,
  TensorView = 14,
  PartitionView = 15,
  Function = 16,
  Token = 17,
  F8E8M0FNU = 18,         ///< since 13.2
  F4E2M1FN = 19,          ///< since 13.3
  GatherScatterView = 20, ///< since 13.3
  StridedView = 21,       ///< since 13.3
  I4 = 22,                ///< since 13.3
  F8E5M3FNU = 130,        ///< since 13.4; no such type in LLVM 22
};

enum class AttributeTag : uint8_t {
  Integer = 1,
  Float = 2,
  Bool = 3,
  Type = 4,
  String = 5,
  Array = 6,
  DenseElements = 7,
  DivBy = 8,
  SameElements = 9,
  Dictionary = 10,
  OptimizationHints = 11,
  Bounded = 12,
};

enum class DebugTag : uint8_t {
  Unknown = 0,
  CompileUnit = 1,
  File = 2,
  LexicalBlock = 3,
  Location = 4,
  Subprogram = 5,
  CallSite = 6,
};

/// Flag byte of a function.
enum FunctionFlag : uint8_t { kFunctionPrivate = 1, kFunctionEntry = 2, kFunctionHints = 4 };

/// Limits that keep reading bounded whatever the input. They are far above what producers emit.
inline constexpr unsigned kMaxRegionDepth = 512;    ///< nesting of regions in a function
inline constexpr unsigned kMaxAttributeDepth = 16;  ///< nesting of arrays and dictionaries
inline constexpr unsigned kMaxTypeDepth = 16;       ///< nesting of types
inline constexpr unsigned kMaxDebugDepth = 512;     ///< nesting of scopes and call sites
inline constexpr uint64_t kMaxLocationSize = 4096;  ///< locations in one call-site tree, shared ones counted each time
inline constexpr uint64_t kMaxParameters = 1 << 16; ///< of all functions of a file together
/// Element buffers may be shared by constants of several types; each use with another type makes a copy. All copies
/// together may take this many times the file's size, plus a constant.
inline constexpr uint64_t kConstantGrowth = 16;
inline constexpr uint64_t kConstantBaseBytes = 1 << 20;

} // namespace tileiras::bytecode

#endif // TILEIRAS_LIB_BYTECODE_FORMAT_H
