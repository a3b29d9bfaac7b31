//===- Generator.h - Random programs that are well defined by construction ---*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_GENERATOR_H
#define TILEIRAS_FUZZ_GENERATOR_H

#include "LaunchCase.h"
#include "llvm/ADT/StringMap.h"

namespace tileiras::fuzz {

constexpr int64_t kMaxTileElements = int64_t(1) << 24; ///< that the language allows

enum class ProgramShape : uint8_t {
  Mixed,   ///< steps of all features
  Loops,   ///< one or two loops of loads and matrix products, and a few steps with what they give
  Streams, ///< the same without products: reductions and copies over long rows
  Carried, ///< a loop that carries one to three tiles around one or two matrix products
  Far,     ///< views whose sizes, strides and positions are near 2^31 and 2^32
  Any,     ///< one of these, by the seed
};

struct GeneratorOptions {
  uint64_t seed = 0;
  ProgramShape shape = ProgramShape::Mixed;
  unsigned size = 24;        ///< about how many steps; a step is one to twenty operations
  int64_t maxElements = 512; ///< of a tile, 1 to kMaxTileElements; loops of products have tiles 32 times as large
  int64_t rowFactor = 1;     ///< loops of products have so many times as many rows: for clusters that divide them
  /// Percent of kernels, and so many in 500 of accesses, that have hints; percent of names that mean something to
  /// PTX or its tools, or are none that PTX has; percent of modules with a second kernel. These are chosen apart from
  /// all else: without them a seed gives the same program.
  unsigned hints = 25, hostileNames = 10, secondKernels = 6;
  /// How often steps of a feature are made, relative to the others; 0: never. The steps of other features may contain
  /// its operations all the same: matrix products load their operands through views. What is not named keeps its
  /// default.
  llvm::StringMap<unsigned> weights;
};

struct GeneratedProgram {
  std::string text; ///< a cuda_tile.module; `launch` names the entry of it that is run
  LaunchCase launch;
  ProgramShape shape = ProgramShape::Mixed; ///< never Any
};
/// "mixed", as `--shapes` has it.
const char *describe(ProgramShape shape);

/// What `seed` is with ProgramShape::Any.
ProgramShape pickShape(uint64_t seed);

/// The same options give the same program, on every machine. The program verifies, terminates, and has no undefined
/// or unspecified behaviour: no out-of-bounds access, no race (a tile block writes only what it owns, except by
/// commutative atomics whose results are dropped), no division by zero, no broken promise (`assume`, `overflow`).
/// What the language leaves to the implementation (the order of a sum, the last bits of an exponential) never steers
/// control flow, indices, comparisons or conversions to integers.
GeneratedProgram generateProgram(const GeneratorOptions &options);

struct Feature {
  const char *name;
  unsigned weight;
  const char *summary;
};
/// What `weights` can name.
llvm::ArrayRef<Feature> getFeatures();

struct Weight {
  llvm::StringRef feature;
  unsigned weight;
};
/// Reads "NAME=WEIGHT".
llvm::Expected<Weight> parseWeight(llvm::StringRef text);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_GENERATOR_H
