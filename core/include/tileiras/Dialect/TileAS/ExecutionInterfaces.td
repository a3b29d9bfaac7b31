//===- ExecutionInterfaces.td - What lowering asks of operations --*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_EXECUTIONINTERFACES_TD
#define TILEIRAS_DIALECT_TILEAS_EXECUTIONINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAS_MemoryAccessOpInterface : OpInterface<"MemoryAccessOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An access to global memory, as far as its order matters: barrier placement asks for it. What an operation does to
    tensors in shared memory is said by MLIR's memory effects on their values.
  }];
  let methods = [
    InterfaceMethod<"Whether it may write.", "bool", "isWrite">,
    InterfaceMethod<"", "::tileiras::aa::MemSemantic", "getMemSemantic">,
    InterfaceMethod<"The token it waits for; null if there is none.", "::mlir::Value", "getToken">,
    InterfaceMethod<"The token of those that wait for it; null if there is none.", "::mlir::Value", "getResultToken">,
    InterfaceMethod<[{
        The tile whose layout says which thread accesses which element; null when that cannot be told.
      }], "::mlir::Type", "getAccessedTile", (ins), "", "return {};">,
    InterfaceMethod<[{
        The operands that say where its elements are: two accesses with equal ones and equal tiles access, thread for
        thread, the same elements.
      }], "::llvm::SmallVector<::mlir::Value>", "getAddressOperands", (ins), "", "return {};">,
  ];
  let extraSharedClassDeclaration = [{
    bool isRelease() {
      auto semantic = $_op.getMemSemantic();
      return semantic == ::tileiras::aa::MemSemantic::Release || semantic == ::tileiras::aa::MemSemantic::AcqRel;
    }
    bool isAcquire() {
      auto semantic = $_op.getMemSemantic();
      return semantic == ::tileiras::aa::MemSemantic::Acquire || semantic == ::tileiras::aa::MemSemantic::AcqRel;
    }
  }];
}

def TileAS_ExchangeOpInterface : OpInterface<"ExchangeOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An operation whose lowering hands data from thread to thread through shared memory of its own, or calls functions.
    Its first access to the memory is a write, its last one a read after a barrier.
  }];
  let methods = [
    InterfaceMethod<[{
        Bytes of shared memory it takes at a time, at most `lowering.getScratchLimit(op)`; 0 if it exchanges nothing.
      }], "int64_t", "getScratchBytes", (ins "const ::tileiras::LoweringContext &":$lowering), "", "return 0;">,
    InterfaceMethod<"Whether the lowered operation calls a function.", "bool", "callsFunctions", (ins), "",
      "return false;">,
    InterfaceMethod<[{
        The part of the kernel's shared memory that it has been given; null before, and where it exchanges nothing. An
        operation of nv_tileas has these methods by its inherent attribute `scratch` (`ScratchArg`).
      }], "::tileiras::as::MemoryRangeAttr", "getScratchAttr">,
    InterfaceMethod<"", "void", "setScratchAttr", (ins "::tileiras::as::MemoryRangeAttr":$range)>,
  ];
}

def TileAS_ExecutionScopeOpInterface : OpInterface<"ExecutionScopeOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An operation whose regions run at the same time, each in some of the warps that reach it; the others skip it. All
    warps meet before it and after it. Its regions have no arguments and one block each. It has no results, or one for
    each operand, of the same type: in the warps of a region they are what its terminator gives, in others the operands.
    It needs no pattern of its own: `convert-tileas-to-llvm` converts it into branches.
  }];
  let methods = [
    InterfaceMethod<[{
        The first of the warps that run region `region`, counted from the first of the scope around the operation.
      }], "int64_t", "getFirstWarp", (ins "unsigned":$region)>,
    InterfaceMethod<"How many warps run it: a power of two.", "int64_t", "getNumWarps", (ins "unsigned":$region)>,
    InterfaceMethod<"The hardware barrier at which they meet: 1 to 15, nobody else's.", "unsigned", "getBarrier",
      (ins "unsigned":$region)>,
    InterfaceMethod<[{
        Whether the regions have warps. Until then they are no scopes: what stands in them runs where the operation does,
        and nothing can be lowered.
      }], "bool", "hasWarps", (ins), "", "return true;">,
    InterfaceMethod<[{
        The registers that a thread of region `region` has, set where the region begins, by all warps of its warpgroups;
        0 for those that the kernel was launched with.
      }], "int64_t", "getRegisters", (ins "unsigned":$region), "", "return 0;">,
    InterfaceMethod<[{
        The warpgroups of region `region` that start the products in tensor memory of the rows that are their own; 1: the
        first warp starts all products of the region.
      }], "int64_t", "getProductGroups", (ins "unsigned":$region), "", "return 1;">,
  ];
  let verify = "return ::tileiras::as::detail::verifyExecutionScopes($_op);";
  let verifyWithRegions = 1;
}

def TileAS_MemoryConsistencyOpInterface : OpInterface<"MemoryConsistencyOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An operation that takes part in the order of memory although its effects are not those of an ordinary access: what
    it starts goes on after it, or it waits for such a thing, or it exchanges data of several threads. A rewrite that
    knows only values may not move, duplicate or erase it, nor touch what it says about order, bounds and padding.
  }];
}

#endif // TILEIRAS_DIALECT_TILEAS_EXECUTIONINTERFACES_TD
