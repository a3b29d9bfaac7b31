//===- Tcgen05Mma.cpp - tcgen05.mma: decoding and issue ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExecutionObserver.h"
#include "Lanewise.h"
#include "MatrixElements.h"
#include "Tcgen05Multiply.h"

namespace ptxemu {

namespace {

enum class Collector : uint8_t { Discard, Fill, Use, LastUse };

/// What the text of the instruction says. Operands are indices into Inst::s.
struct TensorMmaInfo : TensorMmaForm {
  struct Address {
    unsigned source = 0;
    int64_t offset = 0;
  };
  Address d, tensorA, metadata, scaleA, scaleB;
  unsigned sharedA = 0, sharedB = 0, descriptor = 0, disabled = 0, disabledCount = 0, zeroColumns = 0;
  bool hasZeroColumns = false;
  Collector collector = Collector::Discard;
  unsigned buffer = 0; ///< A's, then B's 0 to 3
};

//===----------------------------------------------------------------------===//
// Issue
//===----------------------------------------------------------------------===//

TensorAddress addressOf(const Exec &x, const TensorMmaInfo::Address &a, unsigned lane) {
  return TensorAddress(x.s(a.source)[lane] + static_cast<uint64_t>(a.offset));
}

/// Scale factors are told apart by the instruction descriptor; the top bits of their address, where libraries keep
/// the same number, mean nothing.
TensorAddress scaleAddressOf(const Exec &x, const TensorMmaInfo::Address &a, unsigned lane) {
  TensorAddress address = addressOf(x, a, lane);
  address.lane &= 0x3fff;
  return address;
}

void checkAlignment(const TensorMultiplication &p) {
  auto check = [&](const TensorAddress &a, const char *what) {
    if (a.lane != p.d.lane)
      badDescriptor(std::string(what) + " must start in the lane in which the accumulator starts");
  };
  if (p.d.lane != 0 && !(p.half() && p.d.lane == 16))
    badDescriptor("the accumulator must start in lane 0" + std::string(p.half() ? " or 16" : ""));
  if (p.form.aInTensorMemory)
    check(p.a, "matrix A");
  if (p.form.sparse)
    check(p.metadata, "the sparsity metadata");
  if (p.form.scaleVector && (p.scaleA.lane || p.scaleB.lane))
    badDescriptor("scale factors start in lane 0");
}

void readOperands(const Exec &x, const TensorMmaInfo &i, unsigned lane, TensorMultiplication &p) {
  p.form = i;
  p.o = readInstructionDescriptor(static_cast<uint32_t>(x.s(i.descriptor)[lane]), i);
  p.d = addressOf(x, i.d, lane);
  if (i.aInTensorMemory)
    p.a = addressOf(x, i.tensorA, lane);
  else
    p.sharedA = readMatrixDescriptor(x.s(i.sharedA)[lane], p.o.aMnMajor, "matrix A");
  p.sharedB = readMatrixDescriptor(x.s(i.sharedB)[lane], p.o.bMnMajor, "matrix B");
  if (i.sparse)
    p.metadata = addressOf(x, i.metadata, lane);
  if (i.scaleVector) {
    p.scaleA = scaleAddressOf(x, i.scaleA, lane);
    p.scaleB = scaleAddressOf(x, i.scaleB, lane);
  }
  for (unsigned n = 0; n < i.disabledCount; ++n)
    p.disabled[n] = static_cast<uint32_t>(x.s(i.disabled + n)[lane]);
  if (i.hasZeroColumns)
    p.zeroColumns = readZeroColumnMask(x.s(i.zeroColumns)[lane], p.o);
  p.accumulate = x.predicate(x.inst->ps[0]) >> lane & 1;
  const LaunchOptions &options = x.machine.launchOptions();
  p.checkUninitialized = options.checkUninitialized && !options.allowed.count("uninitialized-tensor-memory");
  checkAlignment(p);
}

/// 32-bit elements are transposed with 32-byte atoms only, others never.
void checkSwizzle(const SharedMatrix &m, Type t, const char *what) {
  if (m.mnMajor && (m.atom == 32) != (t == Type::TF32))
    badDescriptor(std::string(what) + (t == Type::TF32 ? ": .tf32 is transposed with 32-byte swizzle atoms only"
                                                       : ": 32-byte swizzle atoms transpose .tf32 only"));
}

void readMatrix(TensorIssue &issue, Cta &cta, const char *what, const SharedMatrix &m, const SharedElements &e,
                unsigned rows, unsigned depth) {
  if (m.mnMajor) {
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned mn = 0; mn < rows; mn += 16 / e.elementBytes())
        issue.readShared(cta, what, m.address(mn, k, e.elementBytes()) & ~15u);
    return;
  }
  for (unsigned mn = 0; mn < rows; ++mn)
    for (unsigned byte = 0; byte < e.rowBytes(depth); byte += 16)
      issue.readShared(cta, what, m.address(mn, byte, 1) & ~15u, e.pieceBytes());
}

/// Multiplications with equal numbers are executed in the order in which they are issued.
uint64_t shapeOf(const TensorMultiplication &p) {
  uint64_t kind = static_cast<uint64_t>(p.form.kind) << 1 | p.form.weightStationary;
  return kind << 52 | uint64_t(p.o.m) << 42 | uint64_t(p.o.n) << 32 | uint64_t(p.o.k) << 24 | uint64_t(p.d.lane) << 16 |
         p.d.column;
}

void touchOperands(TensorIssue &issue, const TensorMultiplication &p) {
  const TensorOperation &o = p.o;
  unsigned each = o.n / o.ctas + p.zeroColumns.shift;
  SharedElements a(o.a, p.mixedWidths()), b(o.b, p.mixedWidths());
  const TensorPart accumulator{TensorPart::Accumulator, shapeOf(p)};
  for (Cta *cta : issue.ctas()) {
    auto region = [&](TensorAddress at, unsigned columns) {
      return tensorRegion(*cta, at, o.lanes(), columns, p.half());
    };
    if (p.form.aInTensorMemory)
      issue.touch(*cta, region(p.a, 8), false, {});
    else
      readMatrix(issue, *cta, "matrix A", p.sharedA, a, o.rows(), p.storedDepth());
    readMatrix(issue, *cta, "matrix B", p.sharedB, b, each, o.k);
    if (p.form.sparse) {
      TensorAddress metadata = p.metadata;
      metadata.column += o.selector;
      issue.touch(*cta, region(metadata, p.metadataColumns()), false, {});
    }
    if (p.form.scaleVector) {
      issue.touch(*cta, tensorRegion(*cta, p.scaleA, TensorMemory::kLanes, p.scaleColumnsA()), false, {});
      issue.touch(*cta, tensorRegion(*cta, p.scaleB, TensorMemory::kLanes, p.scaleColumnsB()), false, {});
    }
    issue.touch(*cta, region(p.d, o.columns()), true, accumulator);
  }
}

/// Collector buffers change nothing but speed; what is reused must have been collected.
void collect(Cta &cta, const TensorMmaInfo &i) {
  bool &full = cta.tensor.collected[i.buffer];
  if ((i.collector == Collector::Use || i.collector == Collector::LastUse) && !full)
    throw Fault{"collector", "the collector buffer that is reused was not filled, or was discarded since", -1};
  full = i.collector == Collector::Fill || i.collector == Collector::Use;
}

void issueMma(Exec &x, const Inst &inst) {
  const auto &i = inst.as<TensorMmaInfo>();
  TensorIssue issue(x, "tcgen05.mma", i.pair);
  TensorMultiplication p;
  readOperands(x, i, issue.lane(), p);
  p.ctas = issue.ctas();
  if (!i.aInTensorMemory)
    checkSwizzle(p.sharedA, p.o.a, "matrix A");
  checkSwizzle(p.sharedB, p.o.b, "matrix B");
  collect(x.cta, i);
  x.machine.counters().mmaOperations += static_cast<uint64_t>(p.o.m) * p.o.n * p.o.k;
  ExecutionObserver *observer = x.machine.observer();
  if (observer)
    observer->tensorMultiplied(x, p);
  if (!wantsResults(observer, *x.frame->function, x.place()))
    return;
  touchOperands(issue, p);
  issue.enqueue("mma", [p] { p.run(); });
}

//===----------------------------------------------------------------------===//
// Decoding
//===----------------------------------------------------------------------===//

TensorKind readKind(OpReader &r) {
  constexpr const char *names[] = {".kind::f16",      ".kind::tf32", ".kind::f8f6f4",  ".kind::i8",
                                   ".kind::mxf8f6f4", ".kind::mxf4", ".kind::mxf4nvf4"};
  for (unsigned k = 0; k < std::size(names); ++k)
    if (r.accept(names[k]))
      return static_cast<TensorKind>(k);
  r.fail("needs a kind");
}

/// How many scale factors a row has: 1, 2 or 4.
unsigned readScaleVector(OpReader &r, TensorKind kind) {
  std::string size = r.acceptAny({".scale_vec::1X", ".scale_vec::2X", ".scale_vec::4X", ".block16", ".block32"});
  unsigned usual = kind == TensorKind::MXF8F6F4 ? 1 : 2;
  if (size.empty() && kind == TensorKind::MXF4NVF4)
    r.fail("needs the size of scale vectors");
  unsigned n = size.empty() || size == ".block32"               ? usual
               : size == ".block16" || size == ".scale_vec::4X" ? 4
               : size == ".scale_vec::2X"                       ? 2
                                                                : 1;
  if (n != usual && !(n == 4 && kind == TensorKind::MXF4NVF4))
    r.fail("this kind has no scale vectors of that size");
  return n;
}

void readCollector(OpReader &r, TensorMmaInfo &i) {
  constexpr const char *buffers[] = {"a", "b0", "b1", "b2", "b3"}, *uses[] = {"discard", "fill", "use", "lastuse"};
  i.buffer = i.weightStationary ? 1 : 0;
  for (unsigned b = i.weightStationary ? 1 : 0; b < (i.weightStationary ? 5 : 1); ++b)
    for (unsigned u = 0; u < 4; ++u)
      if (r.accept(".collector::" + std::string(buffers[b]) + "::" + uses[u])) {
        i.buffer = b;
        i.collector = static_cast<Collector>(u);
      }
  if (i.shiftA && (i.collector == Collector::Use || i.collector == Collector::Fill))
    r.fail(".ashift excludes collector::a::use and ::fill");
}

void readForm(OpReader &r, TensorMmaInfo &i) {
  i.weightStationary = r.accept(".ws");
  i.sparse = r.accept(".sp");
  i.pair = readGroup(r);
  i.kind = readKind(r);
  if (isBlockScaled(i.kind)) {
    r.expectAny({".block_scale"}, ".block_scale");
    i.scaleVector = readScaleVector(r, i.kind);
  }
  i.shiftA = r.accept(".ashift");
  readCollector(r, i);
  if (i.weightStationary && (i.pair || isBlockScaled(i.kind) || i.shiftA))
    r.fail(".ws has .cta_group::1 only, no block scaling and no .ashift");
  if (i.shiftA && isBlockScaled(i.kind))
    r.fail(".ashift does not go with block scaling");
}

/// Takes the operands one after the other.
class OperandQueue {
public:
  explicit OperandQueue(OpReader &r) : r(r) {}
  bool isLeft(ast::Operand::Kind k) const { return next < r.count() && r.operand(next).kind == k; }
  bool isLeft() const { return next < r.count(); }
  TensorMmaInfo::Address address() {
    TensorMmaInfo::Address a{static_cast<unsigned>(r.inst.s.size()), 0};
    r.tensorAddress(r.operand(next++));
    a.offset = r.inst.offset;
    return a;
  }
  unsigned source(Type t) {
    r.addSource(next++, t);
    return static_cast<unsigned>(r.inst.s.size() - 1);
  }
  const ast::Operand &take() { return r.operand(next++); }

private:
  OpReader &r;
  size_t next = 0;
};

void readTail(OpReader &r, OperandQueue &q, TensorMmaInfo &i) {
  if (i.scaleVector) {
    i.scaleA = q.address();
    i.scaleB = q.address();
  } else if (!i.weightStationary && q.isLeft(ast::Operand::Vector)) {
    auto lanes = r.elements(q.take());
    i.disabled = static_cast<unsigned>(r.inst.s.size());
    i.disabledCount = static_cast<unsigned>(lanes.size());
    if (lanes.size() != (i.pair ? 8 : 4))
      r.fail("the mask of disabled lanes has " + std::to_string(i.pair ? 8 : 4) + " words");
    for (const ast::Operand *o : lanes)
      r.inst.s.push_back(r.source(*o, Type::B32));
  }
  r.inst.ps.push_back(r.predicateSource(q.take()));
  if (!q.isLeft())
    return;
  if (i.weightStationary) {
    i.zeroColumns = q.source(Type::B64);
    i.hasZeroColumns = true;
    return;
  }
  if (i.kind != TensorKind::F16 && i.kind != TensorKind::TF32)
    r.fail("scale-input-d is for .kind::f16 and .kind::tf32");
  uint64_t bits = r.integer(q.take());
  if (bits > 15)
    r.fail("scale-input-d is at most 15");
  i.scaleInputBits = static_cast<unsigned>(bits);
}

} // namespace

void decodeTensorMma(OpReader &r) {
  auto info = std::make_shared<TensorMmaInfo>();
  TensorMmaInfo &i = *info;
  r.inst.opClass = OpClass::Mma;
  r.inst.flags |= kAsksForResults;
  readForm(r, i);
  OperandQueue q(r);
  i.d = q.address();
  i.aInTensorMemory = q.isLeft(ast::Operand::Address);
  if (i.aInTensorMemory)
    i.tensorA = q.address();
  else
    i.sharedA = q.source(Type::B64);
  if (i.shiftA && !i.aInTensorMemory)
    r.fail(".ashift needs A in tensor memory");
  i.sharedB = q.source(Type::B64);
  if (i.sparse)
    i.metadata = q.address();
  i.descriptor = q.source(Type::B32);
  readTail(r, q, i);
  if (q.isLeft())
    r.fail("has too many operands");
  r.inst.extra = info;
  r.inst.handler = issueMma;
}

} // namespace ptxemu
