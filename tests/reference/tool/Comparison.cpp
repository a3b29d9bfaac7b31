//===- Comparison.cpp - Memory against expected data ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "tileiras-reference/Interpreter.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace tileiras::reference {

/// The type of the elements that an operation writes.
static Type getWrittenType(Operation *op) {
  Value value = llvm::TypeSwitch<Operation *, Value>(op)
                    .Case<StorePtrTkoOp, AtomicRedViewTkoOp>([](auto store) { return store.getValue(); })
                    .Case([](StoreViewTkoOp store) { return store.getTile(); })
                    .Case([](AtomicRMWTkoOp atomic) { return atomic.getArg(); })
                    .Case([](AtomicCASTkoOp atomic) { return atomic.getVal(); });
  return cast<TileType>(value.getType()).getElementType();
}

std::string describeWriter(const Memory &memory, uint64_t address) {
  std::optional<Writer> writer = memory.getWriter(address);
  if (!writer)
    return " (the kernel has not written it)";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << " (written in tile block (" << writer->tileBlock[0] << ", " << writer->tileBlock[1] << ", "
     << writer->tileBlock[2] << ") by " << writer->op->getName();
  if (auto source = dyn_cast<FileLineColLoc>(getSourceLocation(writer->op)))
    os << " at " << source.getFilename().getValue() << ':' << source.getLine();
  os << ')';
  return text;
}

namespace {

std::optional<double> getNumber(Type type, uint64_t bits) {
  auto floatType = dyn_cast<FloatType>(type);
  if (!floatType)
    return std::nullopt;
  llvm::APFloat value(floatType.getFloatSemantics(), llvm::APInt(floatType.getWidth(), bits));
  if (value.isNaN())
    return std::numeric_limits<double>::quiet_NaN();
  bool losesInfo = false;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::RoundingMode::NearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}

/// Whether `got` is as good as `expected`.
bool agrees(Type type, uint64_t got, uint64_t expected, double bound, const Tolerance &tolerance) {
  if (got == expected)
    return true;
  std::optional<double> x = getNumber(type, got), y = getNumber(type, expected);
  if (!x) {
    const unsigned width = getElementWidth(type);
    const double distance =
        std::fabs(static_cast<double>(signExtend(got, width)) - static_cast<double>(signExtend(expected, width)));
    return tolerance.usesBounds && distance <= bound;
  }
  if (std::isnan(*x) && std::isnan(*y))
    return true;
  if (tolerance.usesBounds && bound == std::numeric_limits<double>::infinity())
    return true;
  if (std::isinf(*y))
    return false;
  const double slack = tolerance.absolute + tolerance.relative * std::fabs(*y) + (tolerance.usesBounds ? bound : 0);
  return slack != 0 && std::fabs(*x - *y) <= slack;
}

/// Counts differences and describes the first.
class DifferenceReport {
public:
  DifferenceReport(const Memory &memory, uint64_t address, StringRef name)
      : memory(memory), address(address), name(name) {}

  void addAgreement(bool isUnknown) {
    ++elements;
    unknown += isUnknown;
  }

  void add(uint64_t offset, unsigned bytes, const std::string &got, const std::string &expected) {
    ++elements;
    if (differences++ != 0)
      return;
    llvm::raw_string_ostream os(first);
    os << "the first is [" << offset / bytes << "] (byte " << offset << "): got " << got << ", expected " << expected
       << describeWriter(memory, address + offset);
    if (double bound = memory.getBound(address + offset))
      os << ", where " << llvm::format("%.3g", bound) << " would be allowed";
  }

  bool finish(llvm::raw_ostream &os) const {
    if (unknown)
      os << "buffer '" << name << "': " << unknown << " of " << elements
         << " elements depend on uncertain decisions and were not compared\n";
    if (differences)
      os << "buffer '" << name << "': " << differences << " of " << elements << " elements differ; " << first << '\n';
    return differences == 0;
  }

private:
  const Memory &memory;
  uint64_t address;
  StringRef name;
  uint64_t elements = 0, differences = 0, unknown = 0;
  std::string first;
};

} // namespace

bool compareContents(const Memory &memory, uint64_t address, StringRef name, ArrayRef<uint8_t> expected,
                     const Tolerance &tolerance, llvm::raw_ostream &os) {
  const uint8_t *contents = memory.access(address, expected.size());
  assert(contents && "the size has been checked");
  DifferenceReport report(memory, address, name);
  for (uint64_t offset = 0; offset < expected.size();) {
    std::optional<Writer> writer = memory.getWriter(address + offset);
    Type type = writer ? getWrittenType(writer->op) : Type();
    const unsigned bits = type ? getStorageBits(type) : 8, bytes = std::max(bits / 8, 1u);
    // Elements of half a byte, and bytes that nobody wrote, are compared as bytes.
    if (!type || bits < 8 || offset + bytes > expected.size()) {
      if (contents[offset] == expected[offset])
        report.addAgreement(false);
      else
        report.add(offset, 1, std::to_string(contents[offset]), std::to_string(expected[offset]));
      ++offset;
      continue;
    }
    const uint64_t got = readElement(type, contents + offset), wanted = readElement(type, expected.data() + offset);
    const double bound = memory.getBound(address + offset);
    if (agrees(type, got, wanted, bound, tolerance))
      report.addAgreement(got != wanted && std::isinf(bound));
    else
      report.add(offset, bytes, formatElement(type, got), formatElement(type, wanted));
    offset += bytes;
  }
  return report.finish(os);
}

} // namespace tileiras::reference
