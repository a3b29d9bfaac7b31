// The passes of the plugin, as MLIR declares them: https://mlir.llvm.org/docs/PassManagement/
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef STARTER_PASSES
#define STARTER_PASSES

include "mlir/Pass/PassBase.td"

def CountLoads : Pass<"starter-count-loads"> {
  let summary = "Report how many tile loads each kernel has";
  let options = [Option<"factor", "factor", "int64_t", "1", "Count each load so many times">];
}

#endif // STARTER_PASSES
