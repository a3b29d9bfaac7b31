//===- AcmeTarget.cpp - A toy target ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU without tensor cores. It needs no lowering of its own: the core's general one emits plain PTX for it.
//
//===----------------------------------------------------------------------===//

#include "Acme.h"

namespace {

class ToyTarget : public tileiras::Target {
public:
  ToyTarget() {
    machine_.units = {{"alu", 1, 1, 4}, {"lsu", 1, 4, 30}};
    machine_.sharedMemoryBytes = 101376;
    machine_.staticSharedMemoryBytes = 49152;
    machine_.registersPerSM = 65536;
    machine_.maxRegistersPerThread = 255;
    machine_.maxWarpsPerCTA = 32;
    atoms_.copy = {{"ld.global", tileiras::MemorySpace::Global, tileiras::MemorySpace::Register},
                   {"st.global", tileiras::MemorySpace::Register, tileiras::MemorySpace::Global}};
    atoms_.reduce = {{"shfl.bfly", "any", "any", 24}};
  }

  llvm::StringRef getName() const override { return "acme-toy"; }
  llvm::ArrayRef<tileiras::ChipInfo> chips() const override { return chips_; }
  const tileiras::AtomCatalogue &atoms() const override { return atoms_; }
  const tileiras::MachineModel &machine() const override { return machine_; }

  mlir::FailureOr<const tileiras::MmaAtom *> verifyMma(const tileiras::MmaQuery &,
                                                       llvm::function_ref<mlir::InFlightDiagnostic()>) const override {
    return static_cast<const tileiras::MmaAtom *>(nullptr);
  }

private:
  std::vector<tileiras::ChipInfo> chips_ = {{"sm_86", "sm_86", "sm_86", 80, 86}};
  tileiras::AtomCatalogue atoms_;
  tileiras::MachineModel machine_;
};

} // namespace

std::shared_ptr<const tileiras::Target> acme::createToyTarget() {
  return std::make_shared<ToyTarget>();
}
