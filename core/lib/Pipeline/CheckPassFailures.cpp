//===- CheckPassFailures.cpp - tileir-check-pass-failures -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "tileiras/Diagnostics/PassFailure.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Pipeline/Passes.h"

using namespace mlir;

namespace tileiras {
#define GEN_PASS_DEF_CHECKPASSFAILURES
#include "tileiras/Pipeline/Passes.h.inc"

/// Of a function: the names of the passes that gave up on it.
static constexpr llvm::StringLiteral kPassFailuresAttr = as::TileASDialect::PassFailuresAttrHelper::getNameStr();

SmallVector<StringRef> getPassFailures(Operation *func) {
  SmallVector<StringRef> passes;
  if (auto marks = func->getAttrOfType<ArrayAttr>(kPassFailuresAttr))
    for (Attribute mark : marks)
      if (auto pass = dyn_cast<StringAttr>(mark))
        passes.push_back(pass.getValue());
  return passes;
}

void markPassFailure(Operation *func, StringRef pass) {
  SmallVector<StringRef> passes = getPassFailures(func);
  if (!llvm::is_contained(passes, pass))
    passes.push_back(pass);
  func->setAttr(kPassFailuresAttr, Builder(func->getContext()).getStrArrayAttr(passes));
}

namespace {

struct CheckPassFailures : impl::CheckPassFailuresBase<CheckPassFailures> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface func) {
      for (StringRef pass : getPassFailures(func))
        if (!llvm::is_contained(*soft, pass)) {
          func->emitError("'") << pass
                               << "' gave up on this function; the profile does without it if the option 'soft' "
                                  "of 'tileir-check-pass-failures' names it";
          signalPassFailure();
        }
      func->removeAttr(kPassFailuresAttr);
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace tileiras
