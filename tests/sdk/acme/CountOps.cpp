//===- CountOps.cpp - acme-count-ops ---------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remarks.h"
#include "mlir/IR/Builders.h"
#include "mlir/Pass/Pass.h"

namespace acme {
#define GEN_PASS_DECL_COUNTOPS
#define GEN_PASS_DEF_COUNTOPS
#include "Passes.h.inc"

namespace {

struct CountOps : impl::CountOpsBase<CountOps> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountOps)
  using CountOpsBase::CountOpsBase;

  void runOnOperation() override {
    int64_t count = 0;
    getOperation()->walk([&](mlir::Operation *) { count += factor; });
    tileiras::remarkOn(getOperation(), Analysis::OpCount) << std::to_string(count) + " operations";
    getOperation()->setAttr("acme.op_count", mlir::Builder(&getContext()).getI64IntegerAttr(count));
  }
};

} // namespace
} // namespace acme
