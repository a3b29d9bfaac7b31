//===- Mutations.h - Bugs to plant ------------------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Is the net fine enough? A mutation is a bug the lowering could have, planted in the PTX it writes: every instruction
// that matches is changed, or one of them. Some program must show each.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_MUTATIONS_H
#define TILEIRAS_FUZZ_MUTATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace tileiras::fuzz {

struct Mutation {
  const char *name;        ///< "swapped-shuffle"
  const char *bug;         ///< what the lowering would have done wrong
  const char *pattern;     ///< extended regular expression, of one instruction, or of lines with \n between them
  const char *replacement; ///< \1 … are the groups of the pattern
  const char *features;    ///< of the generator, to see the instruction often: "reduce=40"; may be empty
  const char *sweep;       ///< part of the names of swept programs that are tried first; empty: none
  unsigned which = 0;      ///< of the instructions that match, counted from 1; 0: all
  unsigned lines = 0;      ///< that the pattern may span; 0: as many as it has \n
};

/// Of what compilers make of any program.
llvm::ArrayRef<Mutation> getMutations();
/// Of loops of products that are pipelines of tensor copies, barriers and products of warpgroups.
llvm::ArrayRef<Mutation> getPipelineMutations();
/// Of such loops cut in two: a producer and those that compute.
llvm::ArrayRef<Mutation> getAgentMutations();
llvm::ArrayRef<Mutation> getClusterMutations();
/// Of loops of products whose sums are in tensor memory.
llvm::ArrayRef<Mutation> getTensorMutations();
/// Of such loops whose warpgroups start products of their own, by the profile o3-ws.
llvm::ArrayRef<Mutation> getGroupMutations();
/// Of loops whose stages are filled by groups of cp.async, on GPUs without barriers that count bytes.
llvm::ArrayRef<Mutation> getCopyGroupMutations();
/// Of such loops in pairs of CTAs.
llvm::ArrayRef<Mutation> getPairMutations();
/// Of loops that carry tiles around products of warpgroups: registers are used while a product owns them.
llvm::ArrayRef<Mutation> getFlightMutations();
/// Of such loops whose sums are in tensor memory: a sum is overwritten, or not what it has been changed to.
llvm::ArrayRef<Mutation> getOverwritingMutations();

/// Plants the bug; false if no instruction matches.
bool plant(const Mutation &mutation, std::string &ptx);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_MUTATIONS_H
