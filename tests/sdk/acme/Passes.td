//===- Passes.td - The acme plugin's passes ------------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_PASSES
#define ACME_PASSES

include "mlir/Pass/PassBase.td"

def CountOps : Pass<"acme-count-ops"> {
  let summary = "Count the operations of a module into an attribute";
  let options = [Option<"factor", "factor", "int64_t", "1", "Count each operation so many times">];
}

#endif // ACME_PASSES
