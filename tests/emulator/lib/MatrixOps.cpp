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
#include "MemoryModifiers.h"
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
  if (!x.machine.launchOptions().countMemory)
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
  std::string shape = r.expectAny({".m8n8", ".m16n8"}, "a shape the emulator knows (.m8n8, .m16n8)");
  std::string count = r.expectAny({".x1", ".x2", ".x4"}, ".x1, .x2 or .x4");
  r.inst.vector = static_cast<uint8_t>(count[2] - '0');
  r.inst.flag = r.accept(".trans");
  r.inst.space = r.acceptSpace();
  Type t = r.type({Type::B16, Type::B8});
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Memory;
  r.inst.flags |= kAligned;
  if (r.inst.space != Space::Shared && r.inst.space != Space::Generic)
    r.fail("needs shared memory");
  if (!loads)
    r.address(r.operand(0), r.inst.space);
  auto list = r.elements(r.operand(loads ? 0 : 1));
  if (list.size() != r.inst.vector)
    r.fail("needs " + std::to_string(r.inst.vector) + " registers");
  for (const ast::Operand *o : list)
    (loads ? r.inst.d : r.inst.s).push_back(loads ? r.destination(*o, Type::B32) : r.source(*o, Type::B32));
  if (loads)
    r.address(r.operand(1), r.inst.space);
  if (shape == ".m8n8" && t == Type::B16)
    r.inst.handler = loads ? loadMatrix : storeMatrix;
  else if (shape == ".m16n8" && t == Type::B8 && !loads && r.inst.flag)
    r.inst.handler = storeMatrixBytes;
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
