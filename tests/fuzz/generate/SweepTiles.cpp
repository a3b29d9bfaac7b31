//===- SweepTiles.cpp - Tiles of every shape, moved and combined ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;
using llvm::ArrayRef;
using llvm::Twine;

namespace {

/// Of magnitudes that products and sums of a few thousand keep exact.
int64_t countUp(int64_t i) {
  return (7 * i + i / 5) % 11 - 5;
}

class TileSweep {
public:
  /// Everything that moves or combines the elements of a tile.
  void addShapes(const Type &type) {
    const size_t rank = type.shape.size();
    add("copy", type, type, "", "%a");
    addReversal(type);
    for (size_t dim = 0; dim < rank; ++dim) {
      Type reduced = type;
      reduced.shape.erase(reduced.shape.begin() + dim);
      if (!reduced.shape.empty())
        add("reduce along " + Twine(dim), type, reduced, combine("reduce %a dim=" + Twine(dim), type, reduced));
      for (bool isReversed : {false, true})
        add("scan along " + Twine(dim) + (isReversed ? " backwards" : ""), type, type,
            combine("scan %a dim=" + Twine(dim) + " reverse=" + (isReversed ? "true" : "false"), type, type));
      if (type.size() <= kMaxElements / 2) {
        Type doubled = type;
        doubled.shape[dim] *= 2;
        add("cat along " + Twine(dim), type, doubled,
            "cat %a, %a dim = " + Twine(dim) + " : " + type.str() + ", " + type.str() + " -> " + doubled.str());
      }
    }
    for (size_t dim = 0; dim < rank; ++dim)
      addComposition(type, dim);
    addParts(type);
    if (Type flat = type.with({type.size()}); flat != type)
      add("reshape", type, flat, "reshape %a" + printTypes(type, flat));
  }

  /// A * B + C, each element of the result exact.
  void addProduct(llvm::StringRef mnemonic, Element operand, Element accumulator, ArrayRef<int64_t> batch, int64_t m,
                  int64_t n, int64_t k) {
    auto shaped = [&](Element element, int64_t rows, int64_t columns) {
      Type type{element, Shape(batch), false};
      type.shape.append({rows, columns});
      return type;
    };
    Type a = shaped(operand, m, k), b = shaped(operand, k, n), c = shaped(accumulator, m, n);
    TileProgram program((mnemonic + Twine(" ") + getInfo(operand).name + " of " + a.str() + " and " + b.str()).str());
    program.load("a", a, countUp);
    program.load("b", b, countUp);
    program.load("c", c, countUp);
    program.line("%d = " + mnemonic + " %a, %b, %c" + (isFloat(operand) ? "" : " signed signed") + " : " + a.str() +
                 ", " + b.str() + ", " + c.str());
    program.store("%d", c);
    programs.push_back(program.finish());
  }

  static constexpr int64_t kMaxElements = 65536;
  std::vector<SweptProgram> programs;

private:
  void add(const Twine &what, const Type &from, const Type &to, const Twine &operation, llvm::StringRef result = "%r") {
    TileProgram program((what + " of " + from.str()).str());
    program.load("a", from, countUp);
    if (result == "%r")
      program.line("%r = " + operation);
    program.store(result, to);
    programs.push_back(program.finish());
  }

  void addReversal(const Type &type) {
    if (type.shape.size() < 2)
      return;
    Type reversed = type.with(llvm::to_vector<4>(llvm::reverse(type.shape)));
    auto dims = llvm::map_range(llvm::reverse(llvm::seq<size_t>(0, type.shape.size())),
                                [](size_t dim) { return std::to_string(dim); });
    add("permute", type, reversed, "permute %a [" + llvm::join(dims, ", ") + "]" + printTypes(type, reversed));
  }

  /// The last half along each dimension, taken out and put first.
  void addParts(const Type &type) {
    Type half = type;
    llvm::SmallVector<std::string> last, first;
    for (int64_t &size : half.shape) {
      last.push_back(size > 1 ? "%one" : "%zero");
      first.push_back("%zero");
      size = std::max<int64_t>(size / 2, 1);
    }
    if (half == type)
      return;
    for (bool isInserted : {false, true}) {
      TileProgram program(((isInserted ? "insert into " : "extract from ") + Twine(type.str())).str());
      program.load("a", type, countUp);
      program.line("%one = constant <i32: 1> : tile<i32>");
      program.line("%part = extract %a[" + llvm::join(last, ", ") + "]" + printTypes(type, half));
      if (isInserted)
        program.line("%r = insert %part, %a[" + llvm::join(first, ", ") + "] : " + half.str() + ", " + type.str() +
                     " -> " + type.str());
      program.store(isInserted ? "%r" : "%part", isInserted ? type : half);
      programs.push_back(program.finish());
    }
  }

  /// Maps x -> 3 x + element, composed along the dimension: associative, but not commutative.
  void addComposition(const Type &type, size_t dim) {
    Type reduced = type;
    reduced.shape.erase(reduced.shape.begin() + dim);
    const std::string from = type.str(), to = reduced.str(), scalar = scalarOf(type.element).str();
    const std::string name = getInfo(type.element).name;
    TileProgram program(("composition along " + Twine(dim) + " of " + from).str());
    program.load("a", type, countUp);
    program.line("%factors = constant <" + name + ": 3> : " + from);
    program.line("%factor, %r = reduce %factors, %a dim=" + Twine(dim) + " identities=[1 : " + name + ", 0 : " + name +
                 "] : " + from + ", " + from + " -> " + to + ", " + to);
    program.line("(%f: " + scalar + ", %g: " + scalar + ", %x: " + scalar + ", %y: " + scalar + ") {");
    program.line("  %product = muli %f, %g : " + scalar);
    program.line("  %scaled = muli %f, %y : " + scalar);
    program.line("  %sum = addi %scaled, %x : " + scalar);
    program.line("  yield %product, %sum : " + scalar + ", " + scalar);
    program.line("}");
    if (Type stored = type.with({reduced.size()}); reduced.shape.empty()) {
      program.line("%s = reshape %r" + printTypes(reduced, stored));
      program.store("%s", stored);
    } else {
      program.store("%r", reduced);
    }
    programs.push_back(program.finish());
  }

  static std::string combine(const Twine &head, const Type &from, const Type &to) {
    std::string scalar = scalarOf(from.element).str();
    return (head + " identities=[0 : " + getInfo(from.element).name + "]" + printTypes(from, to) +
            "\n    (%x: " + scalar + ", %y: " + scalar + ") {\n      %sum = addi %x, %y : " + scalar +
            "\n      yield %sum : " + scalar + "\n    }")
        .str();
  }
};

} // namespace

std::vector<SweptProgram> tileiras::fuzz::sweepTiles() {
  TileSweep sweep;
  const std::vector<Shape>
      small = {{1}, {2}, {64}, {1, 1}, {1, 2}, {2, 1}, {8, 16}, {1, 256}, {256, 1}, {4, 8, 16}, {2, 1, 4, 1, 8, 2}},
      large = {{4096}, {TileSweep::kMaxElements}, {256, 256}, {2, 32768}, {32768, 2}, {32, 64, 32}};
  for (Element element : kWideInts)
    for (const Shape &shape : small)
      sweep.addShapes({element, shape, false});
  // Bytes and words of 64 bits take the shared memory of an exchange to its ends.
  for (Element element : {Element::I8, Element::I32, Element::I64})
    for (const Shape &shape : large)
      sweep.addShapes({element, shape, false});
  struct Product {
    Shape batch;
    int64_t m, n, k;
  };
  for (const Product &p : std::initializer_list<Product>{{{}, 1, 1, 1},
                                                         {{}, 1, 128, 16},
                                                         {{}, 64, 1, 32},
                                                         {{}, 16, 8, 2},
                                                         {{}, 128, 64, 64},
                                                         {{}, 256, 128, 16},
                                                         {{2}, 16, 16, 32},
                                                         {{8}, 4, 32, 8}}) {
    for (Element operand : {Element::F16, Element::BF16, Element::TF32, Element::F32, Element::E4M3})
      sweep.addProduct("mmaf", operand, Element::F32, p.batch, p.m, p.n, p.k);
    sweep.addProduct("mmaf", Element::F16, Element::F16, p.batch, p.m, p.n, p.k);
    sweep.addProduct("mmaf", Element::F64, Element::F64, p.batch, p.m, p.n, p.k);
    sweep.addProduct("mmai", Element::I8, Element::I32, p.batch, p.m, p.n, p.k);
  }
  return std::move(sweep.programs);
}
