//===- Tcgen05Copy.cpp - tcgen05.cp and tcgen05.shift --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionObserver.h"
#include "Lanewise.h"
#include "MatrixElements.h"
#include "Tcgen05.h"
#include "Tcgen05Descriptor.h"
#include <cstring>

namespace ptxemu {

namespace {

//===----------------------------------------------------------------------===//
// cp
//===----------------------------------------------------------------------===//

enum CopyShape : uint8_t { k128x256, k4x256, k128x128, k64x128Pairs02, k64x128Pairs01, k32x128 };

/// The row of the source that a lane receives; none for lanes a copy of 4 rows leaves alone.
int sourceRow(CopyShape shape, unsigned lane) {
  switch (shape) {
  case k4x256: // one lane of each window of 32
    return lane % 32 == 0 ? static_cast<int>(lane / 32) : -1;
  case k64x128Pairs02:
    return static_cast<int>(lane % 64);
  case k64x128Pairs01:
    return static_cast<int>(lane % 32 + lane / 64 * 32);
  case k32x128:
    return static_cast<int>(lane % 32);
  default:
    return static_cast<int>(lane);
  }
}

unsigned sourceRows(CopyShape shape) {
  return shape == k4x256 ? 4 : shape == k32x128 ? 32 : shape == k128x256 || shape == k128x128 ? 128 : 64;
}

struct TensorCopy {
  CopyShape shape;
  unsigned bits; ///< of a compressed element; 0: not compressed
  TensorAddress to;
  SharedMatrix from;

  unsigned rowBytes() const { return shape == k128x256 || shape == k4x256 ? 32 : 16; }
  unsigned columns() const { return rowBytes() / 4; }

  void run(Cta &cta) const {
    unsigned lanes = TensorMemory::kLanes - to.lane;
    for (unsigned l = 0; l < lanes; ++l)
      if (int row = sourceRow(shape, l); row >= 0)
        for (unsigned byte = 0; byte < rowBytes(); byte += 16)
          copyPiece(cta, to.lane + l, static_cast<unsigned>(row), byte);
  }

private:
  void copyPiece(Cta &cta, unsigned lane, unsigned row, unsigned byte) const {
    uint8_t piece[16];
    std::memcpy(piece, cta.shared.bytes.data() + from.address(row, byte, 1), 16);
    if (bits)
      decompress(piece, bits, containerShift(bits == 4 ? Type::E2M1 : Type::E3M2));
    for (unsigned c = 0; c < 4; ++c) {
      uint32_t word;
      std::memcpy(&word, piece + 4 * c, 4);
      cta.tensor.write(lane, to.column + byte / 4 + c, word);
    }
  }
};

/// s: tensor address, shared descriptor; mode: shape, mode2: pair, mode3: bits of compressed elements
void issueCopy(Exec &x, const Inst &inst) {
  TensorIssue issue(x, "tcgen05.cp", inst.mode2);
  unsigned lane = issue.lane();
  TensorCopy c{static_cast<CopyShape>(inst.mode), inst.mode3,
               TensorAddress(x.s(0)[lane] + static_cast<uint64_t>(inst.offset)),
               readMatrixDescriptor(x.s(1)[lane], false, "the source")};
  if (c.to.lane >= (c.shape == k4x256 ? 32u : 1u))
    throw Fault{"tensor-memory",
                c.shape == k4x256 ? "a copy of 4 rows starts in one of the first 32 lanes"
                                  : "the copy must start in lane 0",
                -1};
  if (ExecutionObserver *observer = x.machine.observer())
    observer->tensorCopied(x, issue.ctas(), sourceRows(c.shape) * c.rowBytes());
  for (Cta *cta : issue.ctas()) {
    for (unsigned row = 0; row < sourceRows(c.shape); ++row)
      for (unsigned byte = 0; byte < c.rowBytes(); byte += 16)
        issue.readShared(*cta, "the source", c.from.address(row, byte, 1), c.bits ? 2 * c.bits : 16);
    TensorAddress window{static_cast<uint64_t>(c.to.lane / 16 * 16) << 16 | c.to.column};
    bool four = c.shape == k4x256;
    issue.touch(*cta, tensorRegion(*cta, window, four ? 112 : 128, c.columns(), four), true,
                {four ? TensorPart::CopiedRows : TensorPart::Copied});
  }
  issue.enqueue("cp", [c, ctas = issue.ctas()] {
    for (Cta *cta : ctas)
      c.run(*cta);
  });
}

//===----------------------------------------------------------------------===//
// shift
//===----------------------------------------------------------------------===//

/// Every row but the last of a window of 32 takes the 32 bytes of the next one.
void shiftRows(Cta &cta, TensorAddress a) {
  TensorMemory &t = cta.tensor;
  for (unsigned l = a.lane; l < a.lane + 31; ++l)
    for (unsigned c = a.column; c < a.column + 8; ++c) {
      t.cell(l, c) = t.cell(l + 1, c);
      t.written[l * TensorMemory::kColumns + c] = t.isWritten(l + 1, c);
    }
}

/// s: tensor address; mode2: pair
void issueShift(Exec &x, const Inst &inst) {
  TensorIssue issue(x, "tcgen05.shift", inst.mode2);
  TensorAddress a(x.s(0)[issue.lane()] + static_cast<uint64_t>(inst.offset));
  if (a.lane % 32)
    throw Fault{"tensor-memory", "the lane of the address must be a multiple of 32", -1};
  if (ExecutionObserver *observer = x.machine.observer())
    observer->tensorCopied(x, issue.ctas(), 0);
  for (Cta *cta : issue.ctas()) {
    TensorRegion region = tensorRegion(*cta, a, 32, 8);
    issue.touch(*cta, region, false, {TensorPart::Shifted});
    issue.touch(*cta, region, true, {TensorPart::Shifted});
  }
  issue.enqueue("shift", [a, ctas = issue.ctas()] {
    for (Cta *cta : ctas)
      shiftRows(*cta, a);
  });
}

CopyShape readCopyShape(OpReader &r) {
  std::string shape = r.expectAny({".128x256b", ".4x256b", ".128x128b", ".64x128b", ".32x128b"}, "a shape");
  if (shape == ".32x128b") {
    r.expectAny({".warpx4"}, ".warpx4");
    return k32x128;
  }
  if (shape == ".64x128b")
    return r.expectAny({".warpx2::02_13", ".warpx2::01_23"}, ".warpx2::02_13 or .warpx2::01_23") == ".warpx2::02_13"
               ? k64x128Pairs02
               : k64x128Pairs01;
  return shape == ".128x256b" ? k128x256 : shape == ".4x256b" ? k4x256 : k128x128;
}

} // namespace

void decodeTensorCopyFromShared(OpReader &r) {
  r.inst.mode2 = readGroup(r);
  r.inst.mode = readCopyShape(r);
  if (r.accept(".b8x16"))
    r.inst.mode3 = r.expectAny({".b6x16_p32", ".b4x16_p64"}, "a source format") == ".b4x16_p64" ? 4 : 6;
  r.expectCount(2, 2);
  r.tensorAddress(r.operand(0));
  r.addSource(1, Type::B64);
  r.inst.handler = issueCopy;
}

void decodeTensorShift(OpReader &r) {
  r.inst.mode2 = readGroup(r);
  r.expectAny({".down"}, ".down");
  r.expectCount(1, 1);
  r.tensorAddress(r.operand(0));
  r.inst.handler = issueShift;
}

} // namespace ptxemu
