//===- ProductTest.cpp - What a compilation can make ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Product.h"
#include <catch2/catch.hpp>

using namespace tileiras;

TEST_CASE("products have one name each") {
  for (const std::string &name : getProductNames()) {
    std::optional<Product> product = parseProduct(name);
    REQUIRE(product);
    CHECK(stringifyProduct(*product) == name);
  }
  CHECK(parseProduct("object") == Product::Cubin);
  CHECK_FALSE(parseProduct("exe"));
}

TEST_CASE("a file's suffix says what it holds") {
  CHECK(guessProduct("a/b.cubin") == Product::Cubin);
  CHECK(guessProduct("k.o") == Product::Cubin);
  CHECK(guessProduct("k.ptx") == Product::PTX);
  CHECK(guessProduct("k.ll") == Product::LLVMIR);
  CHECK(guessProduct("k.tileirbc") == Product::Bytecode);
  CHECK(guessProduct("k.mlir") == Product::CudaTile);
  CHECK_FALSE(guessProduct("k.bin"));
  CHECK_FALSE(guessProduct("-"));
}

TEST_CASE("products know how far a module is lowered") {
  CHECK(getProductLevel(Product::Bytecode) == IRLevel::CudaTile);
  CHECK(getProductLevel(Product::TileAS) == IRLevel::TileAS);
  CHECK(getProductLevel(Product::Cubin) == IRLevel::LLVMDialect);
}
