//===- KeptTensorMaps.h - Tensor maps that outlive a launch -----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// To build tensor maps and to give their set back takes a CTA longer than to find maps that an earlier one has built.
// Maps are a function of some of the kernel's parameters. Under these values (the key) a CTA keeps what it has built,
// if it finds a free entry where it looks for them; nobody changes or removes what is kept. So an entry is safe in the
// hands of any number of launches, and one that finds none takes a set, as if there were no entries.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_NVIDIA_TENSORCOPIES_KEPTTENSORMAPS_H
#define TILEIRAS_LIB_NVIDIA_TENSORCOPIES_KEPTTENSORMAPS_H

#include "tileiras/Lowering/Emitter.h"

namespace tileiras {

// In all lanes of one warp:

/// The lane's word of the key, which are the values of `parameters` of the kernel number `kernel`.
mlir::Value emitKeyWord(Emitter &emit, mlir::ValueRange parameters, unsigned kernel);

/// Where the maps of a key are, as an i32 that all lanes have: 2 · entry if they are kept; 2 · entry + 1 if the entry
/// was free and is now this warp's, to be filled; -1 if they are not kept, and find none of `places` entries, or are
/// being built.
mlir::Value emitFindKept(Emitter &emit, mlir::Value keyWord, int64_t places);

/// Lets others find the maps of an entry that is this warp's, and whose maps it has published.
void emitKeep(Emitter &emit, mlir::Value entry, mlir::Value keyWord);

} // namespace tileiras

#endif // TILEIRAS_LIB_NVIDIA_TENSORCOPIES_KEPTTENSORMAPS_H
