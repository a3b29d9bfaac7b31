//===- Metadata.h - What the compiler says a launcher needs -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The compiler leaves a JSON text in every image (the symbol __tileiras_metadata), a subset of what --metadata writes.
// These functions find and read either; any bytes give a result or the text of an error. They need neither LLVM nor a
// driver, throw nothing but std::bad_alloc, and may be called from several threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LAUNCH_METADATA_H
#define TILEIRAS_LAUNCH_METADATA_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tileiras::launch {

inline constexpr std::string_view kMetadataSymbol = "__tileiras_metadata";

struct ParameterMetadata {
  std::string type;   ///< "ptr", "i32", "f16" …
  uint32_t bytes = 0; ///< 1 or more
};

/// A number, the value of a parameter, or an operation on such. Every value is unsigned.
struct Expression {
  enum Kind {
    Number,
    Parameter, ///< `value` is its index
    // The operations of MLIR's arith dialect, on the low `bits` of the operands; the result has as many.
    Add,
    Subtract,
    Multiply,
    SmallerSigned,
    LargerSigned,
    SmallerUnsigned,
    LargerUnsigned,
    Truncate,
    SignExtend ///< the result has 64 bits
  } kind = Number;
  uint64_t value = 0;
  uint32_t bits = 64; ///< 1 to 64
  std::vector<Expression> operands;
};

/// How the host builds a tensor map that the kernel takes behind the program's parameters: what cuTensorMapEncodeTiled
/// is told. Dimension 0 is contiguous.
struct TensorMapMetadata {
  bool isForStores = false;
  int dataType = 0, interleave = 0, swizzle = 0, l2Promotion = 0, oobFill = 0; ///< the driver's enumerators
  Expression globalAddress;
  std::vector<Expression> globalDim;     ///< 1 to 5, in elements
  std::vector<Expression> globalStrides; ///< one fewer, in bytes
  std::vector<uint32_t> boxDim, elementStrides;
};

using Dimensions = std::array<uint32_t, 3>; ///< x, y, z; each at least 1

/// Who counts what in a launch.
enum class LaunchBlocks {
  Clusters, ///< the image says threads and cluster; the driver is told block (1, 1, 1), and its grid counts clusters
  Threads   ///< the driver is told the block, the cluster in an attribute, and its grid counts CTAs
};

struct KernelMetadata {
  std::string name;
  std::vector<ParameterMetadata> parameters; ///< of the program
  std::vector<TensorMapMetadata> tensorMaps; ///< the parameters behind them, 128 bytes each
  Dimensions blockSize = {1, 1, 1};          ///< threads of a CTA
  Dimensions clusterSize = {1, 1, 1};        ///< CTAs of a cluster
  Dimensions launchBlockSize = {1, 1, 1};    ///< what the driver is told
  uint32_t dynamicSharedBytes = 0;           ///< of a CTA
  LaunchBlocks launchBlocks = LaunchBlocks::Threads;
  bool waitsForGrids = false; ///< before it; it may start before they have ended
  bool launchesGrids = false; ///< after it, before it ends

  bool hasCluster() const { return clusterSize != Dimensions{1, 1, 1}; }
};

struct Metadata {
  std::string compilerVersion;         ///< empty where the text does not say it
  std::string gpu;                     ///< as --gpu-name says it: "sm_90"
  std::string arch;                    ///< as ptxas says it: "sm_90a"
  uint32_t computeCapability = 0;      ///< 90
  std::vector<KernelMetadata> kernels; ///< names differ
};

/// Where the metadata of an image is.
struct EmbeddedMetadata {
  enum Kind {
    Present,
    Absent,   ///< a cubin in order, but another compiler's, or stripped: `error` says so
    Malformed ///< no cubin, or a damaged one: `error` says why
  } kind = Malformed;
  std::string_view text; ///< a part of the image, not null-terminated
  std::string error;
};

/// `image`: `size` bytes of a cubin, which the result refers to.
EmbeddedMetadata findMetadata(const void *image, size_t size);

/// The bytes that the ELF file at `image` has, as its headers say; 0 when there is no 64-bit ELF file. For images whose
/// size nobody says: the headers are read at the addresses they name, so they have to be somebody's whom the driver
/// would trust as well.
size_t elfSize(const void *image);

/// Embedded text, or that of --metadata. On failure says in `error` what is wrong, and with which key.
std::optional<Metadata> parseMetadata(std::string_view json, std::string &error);

} // namespace tileiras::launch

#endif // TILEIRAS_LAUNCH_METADATA_H
