//===- LayoutInterfaces.td - Operations and layouts --------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How an operation on tiles takes part in layout assignment. Operations that need no interface of their own:
//
//  * elementwise ones (MLIR's ElementwiseMappable traits): all tiles share one layout;
//  * control flow (RegionBranchOpInterface and its terminators): what is passed has the layout of what receives it;
//  * constants (ConstantLike): made anew for each user, in the layout it wants.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_TILEAS_LAYOUTINTERFACES_TD
#define TILEIRAS_DIALECT_TILEAS_LAYOUTINTERFACES_TD

include "mlir/IR/OpBase.td"

def TileAS_LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An operation with rules of its own for the layouts of its operands and results.
  }];
  let methods = [
    InterfaceMethod<[{
        Says which tiles should share a layout and which layouts the operation has a wish for. The encodings of the
        operation's types mean nothing yet.
      }], "void", "collectLayoutRelations", (ins "::tileiras::as::LayoutRelations &":$relations), "",
      [{ (void)relations; }]>,
    InterfaceMethod<[{
        Makes layouts that have been chosen for the tiles around the operation ones that it can work with. By default
        it takes its operands in any layout and gives its results in the chosen ones.
      }], "void", "adaptLayouts", (ins "::tileiras::as::OpLayouts &":$layouts), "", [{ layouts.takeAnyOperands(); }]>,
    InterfaceMethod<[{
        The results cost nothing to make in any layout: they are made anew for each user instead of being converted.
        Such an operation has no tile among its operands and no effects.
      }], "bool", "isRematerializable", (ins), "", [{ return false; }]>,
  ];
}

def TileAS_ShapeLayoutOpInterface : OpInterface<"ShapeLayoutOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    An operation each of whose results is filled by every thread from its own registers: views, permutations,
    broadcasts, repacking, reductions (after which the threads of an axis all hold the result). Tile operands have one
    layout, the source; results have one shape. See LayoutUtils.h for the rule. Nothing else has to be said for the
    operation to take part in layout assignment.
  }];
  let methods = [
    InterfaceMethod<[{
        The layout the result has if every thread keeps its elements. Nothing if the operation, or this source, leaves
        no such layout, or leaves many (`broadcast`).
      }], "::std::optional<::tileiras::LinearLayout>", "deriveResultLayout",
      (ins "const ::tileiras::LinearLayout &":$source)>,
    InterfaceMethod<[{
        The layout the source must have for every thread to find there all elements it holds of the result, if the
        result determines it.
      }], "::std::optional<::tileiras::LinearLayout>", "deriveSourceLayout",
      (ins "const ::tileiras::LinearLayout &":$result), "", [{ return ::std::nullopt; }]>,
    InterfaceMethod<[{
        For each register of the result, the register of the source that it is filled from (of several sources: of all
        their registers, one after the other). Nothing if some thread would need another thread's element.
      }], "::std::optional<::llvm::SmallVector<unsigned>>", "mapRegisters",
      (ins "const ::tileiras::LinearLayout &":$source, "const ::tileiras::LinearLayout &":$result), "", [{
        ::std::optional<::tileiras::LinearLayout> derived = $_op.deriveResultLayout(source);
        return derived ? ::tileiras::as::getRegisterMap(*derived, result) : ::std::nullopt;
      }]>,
  ];
}

def TileAS_ProductOpInterface : OpInterface<"ProductOpInterface"> {
  let cppNamespace = "::tileiras::as";
  let description = [{
    A matrix product, result = a · b + c, computed by an atom that layout assignment chooses among those the target
    names. A is (M, K), B (K, N), C and the result (M, N), each with the same leading batch dimension or none.
  }];
  let methods = [
    InterfaceMethod<"", "::mlir::OpOperand &", "getAMutable", (ins)>,
    InterfaceMethod<"", "::mlir::OpOperand &", "getBMutable", (ins)>,
    InterfaceMethod<"", "::mlir::OpOperand &", "getCMutable", (ins)>,
    InterfaceMethod<"The operands that hold the scales of A and of B, if the product is block-scaled.",
      "::std::optional<::std::pair<unsigned, unsigned>>", "getScaleOperandNumbers", (ins), "", [{
        return ::std::nullopt;
      }]>,
    InterfaceMethod<"What a target has to know to name atoms.", "void", "describe",
      (ins "::tileiras::MmaQuery &":$query)>,
    InterfaceMethod<"The atom that computes it.", "::tileiras::as::AtomAttr", "getAtom", (ins)>,
    InterfaceMethod<"", "void", "setAtomAttr", (ins "::tileiras::as::AtomAttr":$atom)>,
  ];
}

#endif // TILEIRAS_DIALECT_TILEAS_LAYOUTINTERFACES_TD
