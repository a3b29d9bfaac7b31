//===- Product.h - What a compilation can make ------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_COMPILER_PRODUCT_H
#define TILEIRAS_COMPILER_PRODUCT_H

#include "tileiras/Profile/Profile.h"

namespace tileiras {

enum class Product : uint8_t { CudaTile, Bytecode, TileAA, TileAS, LLVMDialect, LLVMIR, PTX, Cubin };

/// "cuda_tile", "bytecode", "tileaa", "tileas", "llvm-dialect", "llvm-ir", "ptx", "cubin".
llvm::StringRef stringifyProduct(Product product);
/// Also "object", which is a cubin: an ELF object of device code.
std::optional<Product> parseProduct(llvm::StringRef text);
std::vector<std::string> getProductNames();

/// ".cubin" and the like.
llvm::StringRef getProductSuffix(Product product);
/// What a file called `path` is expected to hold (".o": a cubin); nullopt when its suffix says nothing.
std::optional<Product> guessProduct(llvm::StringRef path);

/// How far the pass pipeline runs for `product`.
IRLevel getProductLevel(Product product);

} // namespace tileiras

#endif // TILEIRAS_COMPILER_PRODUCT_H
