//===- PtxInCubin.h - Cubins that carry their PTX ---------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_CODEGEN_PTXINCUBIN_H
#define TILEIRAS_CODEGEN_PTXINCUBIN_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tileiras {

/// Whether a cubin has the PTX that it was assembled from.
enum class KeepPtx {
  No,
  Yes,
  OrAlone, ///< and without an assembler the image has nothing else: what the emulated driver runs
};

/// "1", "0" (or nothing) and "emulate", as TILEIRAS_KEEP_PTX has them.
std::optional<KeepPtx> parseKeepPtx(llvm::StringRef text);

/// The section with the text; it is not loaded onto a GPU.
constexpr llvm::StringLiteral kPtxSection = ".tileiras.ptx";

/// Adds the section to a cubin. All that was in the cubin stays where it is.
void addPtx(std::string &cubin, llvm::StringRef ptx);

/// An image of the form of a cubin, for `arch` (ChipInfo::ptxasArch), that has the PTX and the launch metadata, and no
/// machine code.
std::string makePtxImage(llvm::StringRef ptx, llvm::StringRef arch, llvm::StringRef metadata);

} // namespace tileiras

#endif // TILEIRAS_CODEGEN_PTXINCUBIN_H
