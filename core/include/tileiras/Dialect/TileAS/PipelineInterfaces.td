//===- PipelineInterfaces.td - Regions of pipelines --------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_PIPELINEINTERFACES_TD
#define TILEIRAS_DIALECT_TILEAS_PIPELINEINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAS_PipelineRegionOpInterface : OpInterface<"PipelineRegionOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An operation whose body works on one stage of a pipeline. The body's arguments are what the stage holds, or there
    are none: then the body owns no stage before an operation in it does. It ends with `async.pipeline.yield`.

    A producer's body fills the stage: it yields what to put there, one value for each payload, or nothing, because it
    writes to its arguments itself. A consumer's body yields the operation's results but for iterators and tokens.
  }];
  let methods = [
    InterfaceMethod<"", "bool", "isProducer">,
    InterfaceMethod<"The operand that says which pipeline it is.", "::mlir::Value", "getStageOwner", (ins), "",
      "return $_op->getOperand(0);">,
    InterfaceMethod<"", "::mlir::Region &", "getPipelineBody", (ins), "", "return $_op->getRegion(0);">,
    InterfaceMethod<"The results that the body yields.", "::mlir::ResultRange", "getBodyResults", (ins), "",
      "return $_op->getResults().take_front(0);">,
  ];
  let extraSharedClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::Type> getPayload() {
      return ::tileiras::as::detail::getPipelineParameters($_op.getStageOwner().getType()).second;
    }
  }];
  let verify = "return ::tileiras::as::detail::verifyPipelineRegion($_op);";
  let verifyWithRegions = 1;
}

#endif // TILEIRAS_DIALECT_TILEAS_PIPELINEINTERFACES_TD
