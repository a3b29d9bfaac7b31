//===- Products.h - What steps with matrix products share -------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PRODUCTS_H
#define TILEIRAS_FUZZ_PRODUCTS_H

#include "ProgramBuilder.h"

namespace tileiras::fuzz {

struct Product {
  Element input, sum;
};
/// Every combination of the language but the block-scaled ones.
constexpr Product kProducts[] = {
    {Element::F16, Element::F16},  {Element::F16, Element::F32},  {Element::BF16, Element::F32},
    {Element::TF32, Element::F32}, {Element::F32, Element::F32},  {Element::F64, Element::F64},
    {Element::E4M3, Element::F16}, {Element::E4M3, Element::F32}, {Element::E5M2, Element::F16},
    {Element::E5M2, Element::F32}, {Element::I8, Element::I32}};

/// What is known of a sum of so many products that begins at `acc`.
Facts sumFacts(Element sum, const Facts &lhs, const Facts &rhs, const Facts &acc, int64_t products);
/// "mmaf %a, %b, %c : …", with a choice of the signs and of `fast_acc`.
std::string multiply(ProgramBuilder &builder, const Product &product, const Value &lhs, const Value &rhs,
                     const std::string &acc, const Type &sum);
/// Small numbers give the same sum in every order; others have the reference's error bound. Bytes are always exact.
Need pickInputNeed(ProgramBuilder &builder, const Product &product);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_PRODUCTS_H
