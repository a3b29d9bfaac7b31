//===- CheckPassFailures.cpp - tileir-check-pass-failures -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Pipeline/Passes.h"

using namespace mlir;

namespace tileiras {
#define GEN_PASS_DEF_CHECKPASSFAILURES
#include "tileiras/Pipeline/Passes.h.inc"

/// Of a function or a loop: what passes gave up on it. The name of a pass; for what was only missed, a dictionary that
/// has the name as `missed`.
static constexpr llvm::StringLiteral kPassFailuresAttr = as::TileASDialect::PassFailuresAttrHelper::getNameStr();
static constexpr llvm::StringLiteral kMissed = "missed";

SmallVector<PassFailure> getPassFailures(Operation *op) {
  SmallVector<PassFailure> failures;
  auto marks = op->getAttrOfType<ArrayAttr>(kPassFailuresAttr);
  for (Attribute mark : marks ? marks.getValue() : ArrayRef<Attribute>()) {
    if (auto pass = dyn_cast<StringAttr>(mark))
      failures.push_back({pass.getValue(), FailureKind::Error});
    else if (auto missed = dyn_cast<DictionaryAttr>(mark))
      if (auto pass = missed.getAs<StringAttr>(kMissed))
        failures.push_back({pass.getValue(), FailureKind::Missed});
  }
  return failures;
}

void markPassFailure(Operation *op, StringRef pass, FailureKind kind) {
  SmallVector<PassFailure> failures = getPassFailures(op);
  if (llvm::is_contained(failures, PassFailure{pass, kind}))
    return;
  failures.push_back({pass, kind});
  Builder builder(op->getContext());
  SmallVector<Attribute> marks;
  for (const PassFailure &failure : failures) {
    StringAttr name = builder.getStringAttr(failure.pass);
    marks.push_back(failure.kind == FailureKind::Error
                        ? Attribute(name)
                        : builder.getDictionaryAttr(builder.getNamedAttr(kMissed, name)));
  }
  op->setAttr(kPassFailuresAttr, builder.getArrayAttr(marks));
}

namespace {

struct CheckPassFailures : impl::CheckPassFailuresBase<CheckPassFailures> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      for (const PassFailure &failure : getPassFailures(op))
        if (isHard(failure))
          refuse(op, failure);
      op->removeAttr(kPassFailuresAttr);
    });
    markAllAnalysesPreserved();
  }

  bool isHard(const PassFailure &failure) {
    return failure.kind == FailureKind::Error ? !llvm::is_contained(*soft, failure.pass)
                                              : llvm::is_contained(*hard, failure.pass);
  }

  void refuse(Operation *op, const PassFailure &failure) {
    InFlightDiagnostic diagnostic = op->emitError("'") << failure.pass << "' gave up on this "
                                                       << (isa<FunctionOpInterface>(op)   ? "function"
                                                           : isa<LoopLikeOpInterface>(op) ? "loop"
                                                                                          : "operation");
    if (failure.kind == FailureKind::Error)
      diagnostic << "; the profile does without it if the option 'soft' of 'tileir-check-pass-failures' names it";
    else
      diagnostic << ", and the option 'hard' of 'tileir-check-pass-failures' names it; a remark of the pass says why";
    signalPassFailure();
  }
};

} // namespace
} // namespace tileiras
