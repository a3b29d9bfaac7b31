//===- AcmeOps.td - The acme dialect -------------------------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_OPS
#define ACME_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def AcmeDialect : Dialect {
  let name = "acme";
  let cppNamespace = "::acme";
  let summary = "What acme's GPUs do in one instruction";
}

def Saturate : Op<AcmeDialect, "saturate", [Pure, SameOperandsAndResultType]> {
  let summary = "Clamp every element to [0, 1]; NaN becomes 0";
  let arguments = (ins RankedTensorOf<[F32]>:$source);
  let results = (outs RankedTensorOf<[F32]>:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif // ACME_OPS
