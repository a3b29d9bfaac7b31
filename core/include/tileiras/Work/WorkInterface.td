//===- WorkInterface.td - What an operation makes a CTA do -*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every operation of a loop that is scheduled says its work. No interface is needed by:
//
//  * elementwise operations (MLIR's ElementwiseMappable traits) on numbers, without effects: an ordinary instruction for
//    each element, of the kind that the types say;
//  * views (ViewLikeOpInterface), constants (ConstantLike) and terminators: nothing.
//
// Anything else is an error where schedules are made.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_WORK_WORKINTERFACE_TD
#define TILEIRAS_WORK_WORKINTERFACE_TD

include "mlir/IR/OpBase.td"

def WorkOpInterface : OpInterface<"WorkOpInterface"> {
  let cppNamespace = "::tileiras";
  let description = [{
    What an operation makes the hardware do. Schedulers ask for its work, slicing and register budgets for what an
    element takes: whether a function is dear is one fact for all of them.
  }];
  let methods = [
    InterfaceMethod<[{
        What each element of the first result takes. Nothing if no single word says it: then `collectWork` does.
      }], "::std::optional<::tileiras::ElementWork>", "getElementWork", (ins), "",
      "return ::tileiras::detail::getElementWorkOf($_op);">,
    InterfaceMethod<[{
        Adds what the operation, and what is nested in it, does if it runs `times` times, in order: each work needs the
        result of the one before. By default an instruction for each element of the first result.
      }], "void", "collectWork", (ins "::tileiras::WorkCollector &":$works, "uint64_t":$times), "",
      "::tileiras::detail::collectWorkOf($_op, works, times);">,
  ];
}

class WorkTrait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::tileiras";
}
class ElementWorkTrait<string work> : ParamNativeOpTrait<"ElementWorkIs", "::tileiras::ElementWork::" # work> {
  let cppNamespace = "::tileiras";
}

/// Each element takes what the ElementWork of this name is; an operation without results takes nothing.
class Work_Is<string work> : TraitList<[WorkOpInterface, ElementWorkTrait<work>]>;
/// Each element takes an ordinary instruction, of the kind that the types say: what is no float is an integer.
def Work_ByTypes : TraitList<[WorkOpInterface, WorkTrait<"WorkByTypes">]>;
/// Nothing at run time.
def Work_Free : Work_Is<"Free">;
/// Something that schedules do not count: it is rare, or its time is that of what it waits for.
def Work_NotCounted : Work_Is<"Free">;
/// What is in its regions, each of which runs once.
def Work_OfRegions : TraitList<[WorkOpInterface, WorkTrait<"WorkOfRegions">]>;
/// It has a method for it.
def Work_Own : DeclareOpInterfaceMethods<WorkOpInterface, ["collectWork"]>;

#endif // TILEIRAS_WORK_WORKINTERFACE_TD
