//===- CommonAtoms.cpp - Copies and reductions most chips have -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/NVIDIA/CommonAtoms.h"

namespace tileiras {

static void addCopyAtoms(std::vector<CopyAtom> &atoms, const ChipFeatures &features, const CopyLatencies &latencies) {
  using enum MemorySpace;
  auto add = [&](CopyAtom atom) { atoms.push_back(std::move(atom)); };
  auto addPlain = [&](llvm::StringRef name, MemorySpace source, MemorySpace destination, uint32_t latency) {
    add({.name = name.str(), .source = source, .destination = destination, .latencyCycles = latency});
  };
  addPlain("ld.global", Global, Register, latencies.global);
  addPlain("st.global", Register, Global, latencies.store);
  addPlain("ld.shared", Shared, Register, latencies.shared);
  addPlain("st.shared", Register, Shared, latencies.store);
  // Each of 1, 2 or 4 matrices gives a lane 4 bytes; a row of one is 16 bytes.
  auto addMatrix = [&](llvm::StringRef name, MemorySpace source, MemorySpace destination, uint32_t latency) {
    add({name.str(), CopyKind::Matrix, source, destination, /*minBytes=*/4, /*maxBytes=*/16, /*alignment=*/16,
         latency});
  };
  if (features.ldmatrix) {
    addMatrix("ldmatrix", Shared, Register, latencies.matrix);
    addMatrix("ldmatrix.trans", Shared, Register, latencies.matrix);
  }
  if (features.stmatrix) {
    addMatrix("stmatrix", Register, Shared, 2 * latencies.store);
    addMatrix("stmatrix.trans", Register, Shared, 2 * latencies.store);
  }
  auto addEngine = [&](llvm::StringRef name, CopyKind kind, MemorySpace source, MemorySpace destination,
                       unsigned minBytes, unsigned maxBytes) {
    add({name.str(), kind, source, destination, minBytes, maxBytes, /*alignment=*/minBytes, latencies.global,
         /*hasLowering=*/false});
  };
  if (features.cpAsync)
    addEngine("cp.async", CopyKind::Async, Global, Shared, 4, 16);
  if (features.tma) {
    // As much as shared memory can ever hold; boxes have their own rules.
    constexpr unsigned most = 1u << 18;
    addEngine("cp.async.bulk.load", CopyKind::Bulk, Global, Shared, 16, most);
    addEngine("cp.async.bulk.store", CopyKind::Bulk, Shared, Global, 16, most);
    addEngine("tma_load", CopyKind::Tensor, Global, Shared, 16, most);
    addEngine("tma_store", CopyKind::Tensor, Shared, Global, 16, most);
    addEngine("tma_redg", CopyKind::Tensor, Shared, Global, 16, most); // A store that combines.
  }
}

static void addReduceAtoms(std::vector<ReduceAtom> &atoms, const ChipFeatures &features) {
  constexpr uint32_t shuffleLatency = 24, reduxLatency = 12;
  for (llvm::StringRef name : {"shfl.bfly", "shfl.up", "shfl.idx"})
    atoms.push_back({name.str(), ReduceKind::Shuffle, "any", "any", shuffleLatency});
  auto addRedux = [&](llvm::StringRef name, llvm::StringRef combiner, llvm::StringRef type) {
    atoms.push_back({name.str(), ReduceKind::Redux, combiner.str(), type.str(), reduxLatency});
  };
  if (features.redux) {
    for (auto [name, combiner] : {std::pair("redux.add.s32", "add"),
                                  {"redux.and.b32", "and"},
                                  {"redux.or.b32", "or"},
                                  {"redux.xor.b32", "xor"},
                                  {"redux.min.s32", "min"},
                                  {"redux.max.s32", "max"},
                                  {"redux.min.u32", "umin"},
                                  {"redux.max.u32", "umax"}})
      addRedux(name, combiner, "i32");
  }
  if (features.reduxF32) {
    addRedux("redux.min.f32", "min", "f32");
    addRedux("redux.max.f32", "max", "f32");
  }
}

void addCommonAtoms(AtomCatalogue &catalogue, const ChipFeatures &features, const CopyLatencies &latencies) {
  addCopyAtoms(catalogue.copy, features, latencies);
  addReduceAtoms(catalogue.reduce, features);
}

} // namespace tileiras
