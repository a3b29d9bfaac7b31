// A pass: reports how many loads each kernel has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"

namespace starter {
#define GEN_PASS_DECL_COUNTLOADS
#define GEN_PASS_DEF_COUNTLOADS
#include "Passes.h.inc"

namespace {

struct CountLoads : impl::CountLoadsBase<CountLoads> {
  // Another plugin may have a class of the same name; this makes their type IDs differ.
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountLoads)
  using CountLoadsBase::CountLoadsBase;

  void runOnOperation() override {
    getOperation()->walk([&](mlir::FunctionOpInterface function) {
      int64_t count = 0;
      function->walk([&](mlir::Operation *op) {
        if (op->getName().getStringRef().contains("load"))
          count += factor;
      });
      tileiras::remarkOn(function, Analysis::CountLoads) << std::to_string(count) + " loads";
    });
    markAllAnalysesPreserved();
  }
};

} // namespace
} // namespace starter
