//===- MatrixOps.cpp - ldmatrix, stmatrix, movmatrix ---------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Decoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include "MatrixElements.h"
#include "MemoryModifiers.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

/// Row pointers of matrix m come from lanes 8m … 8m+7.
uint8_t *rowPointer(Exec &x, const Inst &inst, const Lanes &address, unsigned matrix, unsigned row, AccessKind kind,
                    const void *value = nullptr) {
  unsigned lane = matrix * 8 + row;
  return access(x, inst.space, address[lane] + static_cast<uint64_t>(inst.offset), 16, lane,
                {kind, Order::Weak, Scope::None, static_cast<const uint8_t *>(value)});
}

void countMatrix(Exec &x, const Inst &inst, const Lanes &address) {
  if (!x.machine.watchesMemory())
    return;
  uint32_t all = x.mask, lanes = inst.vector * 8u;
  x.mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
  countAccess(
      x, Space::Shared, [&](unsigned l) { return address[l] + static_cast<uint64_t>(inst.offset); }, 16);
  x.mask = all;
}

/// flag: transposed.
void loadMatrix(Exec &x, const Inst &inst) {
  const Lanes address = x.s(0);
  countMatrix(x, inst, address);
  for (unsigned m = 0; m < inst.vector; ++m) {
    uint16_t matrix[8][8];
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(matrix[row], rowPointer(x, inst, address, m, row, AccessKind::Read), 16);
    Lanes &d = x.d(m);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned row = l / 4, column = l % 4 * 2;
      uint16_t low = inst.flag ? matrix[column][row] : matrix[row][column],
               high = inst.flag ? matrix[column + 1][row] : matrix[row][column + 1];
      d[l] = low | static_cast<uint32_t>(high) << 16;
    }
  }
}

/// The 16 bytes of the row a lane points at; mode: bits of compressed elements, which become a byte each.
void loadByteRow(Exec &x, const Inst &inst, uint64_t address, unsigned lane, uint8_t *row) {
  uint64_t at = address + static_cast<uint64_t>(inst.offset);
  if (at % 16)
    throw Fault{"misaligned", "a row of a matrix is aligned to 16 bytes", static_cast<int>(lane)};
  unsigned bytes = inst.mode ? 2 * inst.mode : 16; // the rest is padding
  for (unsigned b = 0; b < bytes; b += 4)
    std::memcpy(row + b, access(x, inst.space, at + b, 4, lane, {AccessKind::Read}), 4);
  if (inst.mode)
    decompress(row, inst.mode, 0);
}

/// m8n16: a lane takes four consecutive elements of a row.
void loadByteMatrix(Exec &x, const Inst &inst) {
  const Lanes address = x.s(0);
  countMatrix(x, inst, address);
  for (unsigned m = 0; m < inst.vector; ++m)
    for (unsigned row = 0; row < 8; ++row) {
      uint8_t bytes[16];
      loadByteRow(x, inst, address[m * 8 + row], m * 8 + row, bytes);
      for (unsigned t = 0; t < 4; ++t) {
        uint32_t word;
        std::memcpy(&word, bytes + 4 * t, 4);
        x.d(m)[row * 4 + t] = word;
      }
    }
}

/// m16n16.trans: row 4t + 2v + u of a matrix, whose address comes from that lane of 16, gives register v of the lanes
/// that have place t in their group of four: group g takes elements g and g + 8, in bytes u and u + 2.
void loadByteMatrixTransposed(Exec &x, const Inst &inst) {
  const Lanes address = x.s(0);
  for (RegisterIndex s : inst.d)
    std::fill_n(x.destination(s).v, 32, uint64_t(0));
  for (unsigned m = 0; m < inst.vector; ++m)
    for (unsigned row = 0; row < 16; ++row) {
      uint8_t bytes[16];
      loadByteRow(x, inst, address[m * 16 + row], m * 16 + row, bytes);
      Lanes &d = x.d(2 * m + (row >> 1 & 1));
      for (unsigned e = 0; e < 16; ++e)
        d[e % 8 * 4 + row / 4] |= static_cast<uint64_t>(bytes[e]) << 8 * ((row & 1) + e / 8 * 2);
    }
}

void storeMatrix(Exec &x, const Inst &inst) {
  const Lanes &address = x.s(0);
  countMatrix(x, inst, address);
  for (unsigned m = 0; m < inst.vector; ++m) {
    uint16_t matrix[8][8];
    const Lanes &s = x.s(1 + m);
    for (unsigned l = 0; l < 32; ++l) {
      unsigned row = l / 4, column = l % 4 * 2;
      for (unsigned e = 0; e < 2; ++e)
        (inst.flag ? matrix[column + e][row] : matrix[row][column + e]) = static_cast<uint16_t>(s[l] >> (16 * e));
    }
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(rowPointer(x, inst, address, m, row, AccessKind::Write, matrix[row]), matrix[row], 16);
  }
  x.machine.progressMade();
}

/// stmatrix.m16n8.trans.b8: a register holds 16×8 bytes, stored column by column (a row of shared memory is a column).
void storeMatrixBytes(Exec &x, const Inst &inst) {
  const Lanes &address = x.s(0);
  for (unsigned m = 0; m < inst.vector; ++m) {
    uint8_t rows[8][16];
    const Lanes &s = x.s(1 + m);
    for (unsigned l = 0; l < 32; ++l)
      for (unsigned e = 0; e < 4; ++e)
        rows[l % 4 * 2 + (e & 1)][l / 4 + (e >> 1) * 8] = static_cast<uint8_t>(s[l] >> (8 * e));
    for (unsigned row = 0; row < 8; ++row)
      std::memcpy(rowPointer(x, inst, address, m, row, AccessKind::Write, rows[row]), rows[row], 16);
  }
  x.machine.progressMade();
}

void decodeMatrix(OpReader &r) {
  bool loads = r.ast.opcode == "ldmatrix";
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  std::string shape = r.expectAny({".m8n8", ".m16n8", ".m8n16", ".m16n16"}, "a shape");
  std::string count = r.expectAny({".x1", ".x2", ".x4"}, ".x1, .x2 or .x4");
  r.inst.vector = static_cast<uint8_t>(count[2] - '0');
  r.inst.flag = r.accept(".trans");
  r.inst.space = r.acceptSpace();
  Type t = Type::B8;
  if (r.accept(".b8x16"))
    r.inst.mode = r.expectAny({".b6x16_p32", ".b4x16_p64"}, "a source format") == ".b4x16_p64" ? 4 : 6;
  else
    t = r.type({Type::B16, Type::B8});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Memory;
  r.inst.flags |= kAligned;
  if (r.inst.space != Space::Shared && r.inst.space != Space::Generic)
    r.fail("needs shared memory");
  if (!loads)
    r.address(r.operand(0), r.inst.space);
  auto list = r.elements(r.operand(loads ? 0 : 1));
  unsigned registers = r.inst.vector * (shape == ".m16n16" ? 2u : 1u);
  if (list.size() != registers || registers > 4)
    r.fail("needs " + std::to_string(registers) + " registers");
  for (const ast::Operand *o : list)
    (loads ? r.inst.d : r.inst.s).push_back(loads ? r.destination(*o, Type::B32) : r.source(*o, Type::B32));
  if (loads)
    r.address(r.operand(1), r.inst.space);
  if (shape == ".m8n8" && t == Type::B16)
    r.inst.handler = loads ? loadMatrix : storeMatrix;
  else if (shape == ".m8n16" && r.inst.mode && loads && !r.inst.flag)
    r.inst.handler = loadByteMatrix;
  else if (shape == ".m16n16" && t == Type::B8 && loads && r.inst.flag)
    r.inst.handler = loadByteMatrixTransposed;
  else if (shape == ".m16n8" && t == Type::B8 && !loads && r.inst.flag)
    r.inst.handler = storeMatrixBytes;
  else
    r.fail("there is no such combination of shape, type and .trans");
}

void moveMatrix(Exec &x, const Inst &) {
  const Lanes a = x.s(0);
  Lanes &d = x.d();
  auto element = [&](unsigned row, unsigned column) {
    return static_cast<uint16_t>(a[row * 4 + column / 2] >> (16 * (column & 1)));
  };
  for (unsigned l = 0; l < 32; ++l) {
    unsigned row = l / 4, column = l % 4 * 2;
    d[l] = element(column, row) | static_cast<uint32_t>(element(column + 1, row)) << 16;
  }
}

void decodeMoveMatrix(OpReader &r) {
  r.expectAny({".sync"}, ".sync");
  r.expectAny({".aligned"}, ".aligned");
  r.expectAny({".m8n8"}, ".m8n8");
  r.expectAny({".trans"}, ".trans");
  r.type({Type::B16});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Warp;
  r.inst.flags |= kAligned;
  r.addDestination(0, Type::B32);
  r.addSource(1, Type::B32);
  r.inst.handler = moveMatrix;
}

} // namespace

void addMatrixOps(OpcodeTable &t) {
  t["ldmatrix"] = t["stmatrix"] = decodeMatrix;
  t["movmatrix"] = decodeMoveMatrix;
}

} // namespace ptxemu
