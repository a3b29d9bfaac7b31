//===- Matrices.cpp - Steps that multiply matrices ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileiras::fuzz;
using llvm::Twine;

namespace {

/// Sizes of one product. An operand has at most 2^10 elements, a sum as well.
struct Sizes {
  int64_t batch = 0, m, n, k; ///< batch 0: rank 2

  Shape shape(int64_t rows, int64_t columns) const {
    return batch ? Shape{batch, rows, columns} : Shape{rows, columns};
  }
};

} // namespace

static Sizes pickSizes(ProgramBuilder &builder) {
  auto power = [&](int64_t most) { return int64_t(1) << builder.random.between(0, most); };
  Sizes sizes;
  // Half of the time what a tensor core takes.
  bool isRegular = builder.random.chance(50) && builder.options.maxElements >= 512;
  sizes.m = isRegular ? 16 : power(5);
  sizes.n = isRegular ? 8 * power(2) : power(4);
  sizes.k = isRegular ? 16 * power(1) : power(5);
  auto largest = [&] { return std::max({sizes.m * sizes.k, sizes.k * sizes.n, sizes.m * sizes.n}); };
  while (largest() > std::max<int64_t>(builder.options.maxElements, 64))
    (sizes.m > sizes.k ? sizes.m : sizes.k > sizes.n ? sizes.k : sizes.n) /= 2;
  if (builder.random.chance(20) && 2 * largest() <= builder.options.maxElements)
    sizes.batch = builder.random.pick<int64_t>({1, 2});
  return sizes;
}

Facts tileiras::fuzz::sumFacts(Element sum, const Facts &lhs, const Facts &rhs, const Facts &acc, int64_t products) {
  if (!isFloat(sum))
    return unknownFacts(sum);
  Facts facts;
  facts.exact = false;
  if (!lhs.hasGrid || !rhs.hasGrid || !acc.hasGrid || !lhs.isFinite() || !rhs.isFinite() || !acc.isFinite())
    return facts;
  int quantum = std::min(lhs.quantum + rhs.quantum, acc.quantum);
  int magnitude =
      std::max(lhs.magnitude + rhs.magnitude + static_cast<int>(llvm::Log2_64_Ceil(static_cast<uint64_t>(products))),
               acc.magnitude) +
      1;
  return fitsGrid(sum, quantum, magnitude) ? gridFacts(quantum, magnitude) : facts;
}

std::string tileiras::fuzz::multiply(ProgramBuilder &builder, const Product &product, const Value &lhs,
                                     const Value &rhs, const std::string &acc, const Type &sum) {
  std::string text = product.sum == Element::I32 ? "mmai " : "mmaf ";
  text += lhs.name + ", " + rhs.name + ", " + acc;
  bool isF8 = product.input == Element::E4M3 || product.input == Element::E5M2;
  if (product.sum == Element::I32)
    text += builder.random.pick({" signed signed", " signed unsigned", " unsigned signed", " unsigned unsigned"});
  else if (isF8 && builder.random.chance(30))
    text += " fast_acc";
  return text + " : " + lhs.type.str() + ", " + rhs.type.str() + ", " + sum.str();
}

Need tileiras::fuzz::pickInputNeed(ProgramBuilder &builder, const Product &product) {
  if (!isFloat(product.input))
    return Need::Any;
  // An f16 overflows in some orders and not in others.
  if (product.sum == Element::F16)
    return Need::Small;
  const uint64_t draw = builder.random.below(100);
  return draw < 75 ? Need::Small : draw < 93 ? Need::Finite : Need::Special;
}

bool tileiras::fuzz::makeMatrixProduct(ProgramBuilder &builder) {
  Product product = builder.random.pick<Product>(kProducts);
  Sizes sizes = pickSizes(builder);
  Need need = pickInputNeed(builder, product);
  Value lhs = builder.operand({product.input, sizes.shape(sizes.m, sizes.k), false}, need);
  Value rhs = builder.operand({product.input, sizes.shape(sizes.k, sizes.n), false}, need);
  Type sum{product.sum, sizes.shape(sizes.m, sizes.n), false};
  Value acc = builder.random.chance(40) ? builder.zero(sum)
                                        : builder.operand(sum, isFloat(sum.element) ? Need::Small : Need::Any);
  builder.define(sum, sumFacts(sum.element, lhs.facts, rhs.facts, acc.facts, sizes.k),
                 multiply(builder, product, lhs, rhs, acc.name, sum));
  return true;
}

/// A product of blocks with a scale each, in every combination of elements and scales.
bool tileiras::fuzz::makeScaledProduct(ProgramBuilder &builder) {
  struct Kind {
    Element input, scale;
    int64_t block;
  };
  const Kind kind = builder.random.pick<Kind>({{Element::E4M3, Element::E8M0, 32},
                                               {Element::E5M2, Element::E8M0, 32},
                                               {Element::E2M1, Element::E8M0, 32},
                                               {Element::E2M1, Element::E8M0, 16},
                                               {Element::E2M1, Element::E4M3, 16}});
  const int64_t m = builder.random.pick<int64_t>({8, 16, 16}), n = builder.random.pick<int64_t>({8, 8, 16}), k = 32;
  if (std::max(m, n) * k > std::max<int64_t>(builder.options.maxElements, 256))
    return false;
  const Type sum{Element::F32, {m, n}, false};
  Value lhs = builder.operand({kind.input, {m, k}, false}, Need::Small),
        rhs = builder.operand({kind.input, {k, n}, false}, Need::Small),
        lhsScale = builder.operand({kind.scale, {m, k / kind.block}, false}, Need::Small),
        rhsScale = builder.operand({kind.scale, {k / kind.block, n}, false}, Need::Small),
        acc = builder.operand(sum, Need::Small);
  Facts facts;
  facts.exact = false;
  builder.define(sum, facts,
                 "mmaf_scaled " + lhs.name + ", " + rhs.name + ", " + acc.name + ", " + lhsScale.name + ", " +
                     rhsScale.name + " : " + lhs.type.str() + ", " + rhs.type.str() + ", " + sum.str() + ", " +
                     lhsScale.type.str() + ", " + rhsScale.type.str());
  return true;
}

//===----------------------------------------------------------------------===//
// The loop of a real kernel
//===----------------------------------------------------------------------===//

/// A matrix of small numbers in memory and its partition into tiles; the last tile may be only partly inside.
static std::pair<std::string, std::string> makeTiles(ProgramBuilder &builder, Element element, const Shape &tile,
                                                     int64_t rows, int64_t columns) {
  Value base = builder.addBuffer(element, rows * columns, Need::Small, nullptr);
  std::string tensor = "tensor_view<" + std::to_string(rows) + "x" + std::to_string(columns) + "x" +
                       getInfo(element).name + ", strides=[" + std::to_string(columns) + ",1]>";
  std::string view = builder.freshName();
  builder.line(view + " = make_tensor_view " + base.name + ", shape = [" + Twine(rows) + ", " + Twine(columns) +
               "], strides = [" + Twine(columns) + ", 1] : " + tensor);
  std::string type = "partition_view<tile=(" + std::to_string(tile[0]) + "x" + std::to_string(tile[1]) +
                     "), padding_value = zero, " + tensor + ">";
  std::string tiles = builder.freshName();
  builder.line(tiles + " = make_partition_view " + view + " : " + type);
  return {tiles, type};
}

/// acc += A[0, k] * B[k, 0] for the tiles k of the inner dimension.
bool tileiras::fuzz::makeMatrixLoop(ProgramBuilder &builder) {
  static constexpr Product products[] = {{Element::F16, Element::F32},  {Element::BF16, Element::F32},
                                         {Element::F32, Element::F32},  {Element::F64, Element::F64},
                                         {Element::E4M3, Element::F32}, {Element::I8, Element::I32}};
  Product product = builder.random.pick<Product>(products);
  Sizes sizes = pickSizes(builder);
  sizes.batch = 0;
  int64_t steps = builder.random.between(1, 4),
          depth = sizes.k * steps - static_cast<int64_t>(builder.random.below(static_cast<uint64_t>(sizes.k)));
  Shape tileA{sizes.m, sizes.k}, tileB{sizes.k, sizes.n};
  auto [a, typeA] = makeTiles(builder, product.input, tileA, builder.random.between(1, sizes.m), depth);
  auto [b, typeB] = makeTiles(builder, product.input, tileB, depth, builder.random.between(1, sizes.n));

  Type i32 = scalarOf(Element::I32), sum{product.sum, {sizes.m, sizes.n}, false};
  Value first = builder.constant(i32, 0), one = builder.constant(i32, 1), acc = builder.zero(sum);
  Value last =
      builder.random.chance(50) ? builder.constant(i32, steps) : builder.addScalarParameter(Element::I32, steps);
  std::string result = builder.freshName(), k = builder.freshName(), partial = builder.freshName();
  builder.line(result + " = for " + k + " in (" + first.name + " to " + last.name + ", step " + one.name +
               ") : " + i32.str() + " iter_values(" + partial + " = " + acc.name + ") -> (" + sum.str() + ") {");
  builder.indent();
  Facts facts = isFloat(product.input) ? builder.factsOf(product.input, Need::Small) : unknownFacts(product.input);
  auto load = [&](const std::string &view, const std::string &type, const Shape &tile, const std::string &indices) {
    Value value{builder.freshName(), {product.input, tile, false}, facts};
    builder.line(value.name + ", " + builder.freshName() + " = load_view_tko weak " + view + "[" + indices +
                 "] : " + type + ", tile<i32>, tile<i32> -> " + value.type.str() + ", token");
    return value;
  };
  Value lhs = load(a, typeA, tileA, first.name + ", " + k), rhs = load(b, typeB, tileB, k + ", " + first.name);
  Value next = builder.compute(sum, {}, multiply(builder, product, lhs, rhs, partial, sum));
  builder.line("continue " + next.name + " : " + sum.str());
  builder.dedent();
  builder.line("}");
  builder.publish({result, sum, sumFacts(product.sum, lhs.facts, rhs.facts, acc.facts, sizes.k * steps)});
  return true;
}
