//===- AgentInterfaces.td - Operations of several agents ---*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAA_AGENTINTERFACES_TD
#define TILEIRAS_DIALECT_TILEAA_AGENTINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAA_AgentLikeOpInterface : OpInterface<"AgentLikeOpInterface"> {
  let cppNamespace = "::tileiras::aa";
  let description = [{
    An operation whose regions run at the same time, each by an agent: some warps of their own. Regions have no
    arguments.
  }];
  let methods = [
    InterfaceMethod<"", "::llvm::MutableArrayRef<::mlir::Region>", "getAgents", (ins), "",
      "return $_op->getRegions();">,
    InterfaceMethod<"How many agents, one behind the other, belong together; one when unsaid.",
      "::std::optional<uint32_t>", "getNumAgentsPerGroup">,
    InterfaceMethod<[{
        The registers a thread of each agent has: a multiple of 8 from 24 to 240, or 0 for what the kernel was launched
        with.
      }], "::std::optional<::llvm::ArrayRef<int32_t>>", "getMaxRegs">,
    InterfaceMethod<"The agents use no tile of the function around them: all they share goes through pipelines.",
      "bool", "getIsolated">,
    InterfaceMethod<"Warps of each agent, once they have been assigned.",
      "::std::optional<::llvm::ArrayRef<int32_t>>", "getNumWarps", (ins), "", "return ::std::nullopt;">,
    InterfaceMethod<"Whether a value of this type is held by the threads together, so that an agent has but a part.",
      "bool", "isDistributed", (ins "::mlir::Type":$type), "", "return ::llvm::isa<::mlir::RankedTensorType>(type);">,
  ];
  let verify = "return ::tileiras::aa::detail::verifyAgents($_op);";
  let verifyWithRegions = 1;
}

#endif // TILEIRAS_DIALECT_TILEAA_AGENTINTERFACES_TD
