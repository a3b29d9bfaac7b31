//===- PrintSnapshot.cpp - tileir-print-snapshot --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Pipeline/Passes.h"
#include "llvm/Support/raw_ostream.h"

namespace tileiras {
#define GEN_PASS_DEF_PRINTSNAPSHOT
#include "tileiras/Pipeline/Passes.h.inc"
} // namespace tileiras

namespace {

struct PrintSnapshot : tileiras::impl::PrintSnapshotBase<PrintSnapshot> {
  using PrintSnapshotBase::PrintSnapshotBase;

  void runOnOperation() override {
    std::string text;
    llvm::raw_string_ostream os(text);
    os << "// -----// snapshot '" << tag << "' //----- //\n";
    getOperation()->print(os, mlir::OpPrintingFlags().enableDebugInfo());
    os << "\n// -----// end of '" << tag << "' //----- //\n";
    llvm::errs() << text; // at once: other compilations may write at the same time
    markAllAnalysesPreserved();
  }
};

} // namespace
