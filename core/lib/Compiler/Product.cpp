//===- Product.cpp - What a compilation can make --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/Product.h"
#include "llvm/Support/Path.h"

using namespace tileiras;

namespace {
struct ProductInfo {
  llvm::StringLiteral name, suffix;
  IRLevel level;
};
} // namespace

static constexpr ProductInfo products[] = {{"cuda_tile", ".mlir", IRLevel::CudaTile},
                                           {"bytecode", ".tileirbc", IRLevel::CudaTile},
                                           {"tileaa", ".mlir", IRLevel::TileAA},
                                           {"tileas", ".mlir", IRLevel::TileAS},
                                           {"llvm-dialect", ".mlir", IRLevel::LLVMDialect},
                                           {"llvm-ir", ".ll", IRLevel::LLVMDialect},
                                           {"ptx", ".ptx", IRLevel::LLVMDialect},
                                           {"cubin", ".cubin", IRLevel::LLVMDialect}};

static const ProductInfo &getInfo(Product product) {
  return products[static_cast<unsigned>(product)];
}

llvm::StringRef tileiras::stringifyProduct(Product product) {
  return getInfo(product).name;
}
llvm::StringRef tileiras::getProductSuffix(Product product) {
  return getInfo(product).suffix;
}
IRLevel tileiras::getProductLevel(Product product) {
  return getInfo(product).level;
}

std::optional<Product> tileiras::parseProduct(llvm::StringRef text) {
  for (auto [index, info] : llvm::enumerate(products))
    if (info.name == text)
      return static_cast<Product>(index);
  if (text == "object")
    return Product::Cubin;
  return std::nullopt;
}

std::vector<std::string> tileiras::getProductNames() {
  std::vector<std::string> names;
  for (const ProductInfo &info : products)
    names.push_back(info.name.str());
  return names;
}

std::optional<Product> tileiras::guessProduct(llvm::StringRef path) {
  llvm::StringRef suffix = llvm::sys::path::extension(path);
  for (Product product : {Product::CudaTile, Product::Bytecode, Product::LLVMIR, Product::PTX, Product::Cubin})
    if (getProductSuffix(product) == suffix)
      return product;
  if (suffix == ".o")
    return Product::Cubin;
  return std::nullopt;
}
