//===- TileAAStructureOps.cpp - Functions, grid and debugging -------------- -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/TileAA/TileAA.h"

#include "TileAAAssembly.h"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "tileiras/Dialect/PrintFormat.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAA/ProgramForm.h"

using namespace mlir;
using namespace tileiras::aa;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAA/TileAAStructureOps.cpp.inc"

void TileAADialect::registerStructureOps() {
  addOperations<
#define GET_OP_LIST
#include "tileiras/Dialect/TileAA/TileAAStructureOps.cpp.inc"
      >();
}

LogicalResult ClusterExchangeOp::verify() {
  return verifyClusterExchange(*this, CtaLayout(getFrom()), CtaLayout(getTo()));
}

//===----------------------------------------------------------------------===//
// func, return
//===----------------------------------------------------------------------===//

void FuncOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type,
                   KernelSpecAttr kernelSpec) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  if (kernelSpec)
    state.addAttribute(getKernelSpecAttrName(state.name), kernelSpec);
  state.addRegion();
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(parser, result, /*allowVariadic=*/false,
                                                  getFunctionTypeAttrName(result.name), buildType,
                                                  getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void FuncOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

LogicalResult FuncOp::verify() {
  if (isKernel() && getNumResults() != 0)
    return emitOpError("is a kernel and returns nothing, but has ") << getNumResults() << " results";
  return success();
}

LogicalResult ReturnOp::verify() {
  auto function = (*this)->getParentOfType<FuncOp>();
  if (getOperandTypes() != TypeRange(function.getResultTypes()))
    return emitOpError("expects operands of the function's result types");
  return success();
}

//===----------------------------------------------------------------------===//
// global, get_global, alloca
//===----------------------------------------------------------------------===//

static LogicalResult verifyAlignment(Operation *op, int64_t alignment) {
  if (alignment > 0 && llvm::isPowerOf2_64(alignment) && alignment <= kMaxAlignment)
    return success();
  return op->emitOpError("expects an alignment that is a power of two, but got ")
         << alignment << "; use one from 1 to " << kMaxAlignment;
}

LogicalResult GlobalOp::verify() {
  auto type = dyn_cast<RankedTensorType>(getValue().getType());
  if (!type || type.getRank() != 1)
    return emitOpError("expects an initial value of rank 1");
  if (type.getNumElements() == 0 || type.getNumElements() > kMaxElements)
    return emitOpError("expects 1 to ") << kMaxElements << " elements, as tiles have them, but got "
                                        << type.getNumElements() << "; use memory that the host allocates for more";
  if (!isa<DenseIntOrFPElementsAttr>(getValue()) || !isNumberType(type.getElementType()))
    return emitOpError("expects a 'dense' initial value of numbers that instructions know, but got one of type ")
           << type
           << "; use i1, i4, i8, i16, i32, i64, f16, bf16, f32, tf32, f64, f8E4M3FN, f8E5M2, f8E8M0FNU or "
              "f4E2M1FN";
  return getAlignment() ? verifyAlignment(*this, *getAlignment()) : success();
}

LogicalResult AllocaOp::verify() {
  return verifyAlignment(*this, getAlignment());
}

LogicalResult GetGlobalOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto global = symbols.lookupNearestSymbolFrom<GlobalOp>(*this, getNameAttr());
  if (!global)
    return emitOpError("refers to '") << getName() << "', which is not a global";
  Type element = cast<ShapedType>(global.getValue().getType()).getElementType();
  if (getType().getPointeeType() != element)
    return emitOpError("expects a pointer to ") << element << ", but got " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// print, gdc_wait, gdc_launch_dependents
//===----------------------------------------------------------------------===//

template <typename Op>
static LogicalResult verifyTokens(Op op) {
  if (bool(op.getToken()) != bool(op.getResultToken()))
    return op.emitOpError("gives a token exactly when it takes one");
  return success();
}

LogicalResult FenceAliasOp::verify() {
  return verifyTokens(*this);
}
LogicalResult GdcWaitOp::verify() {
  return verifyTokens(*this);
}
LogicalResult GdcLaunchDependentsOp::verify() {
  return verifyTokens(*this);
}

LogicalResult PrintOp::verify() {
  if (failed(verifyPrintFormat(*this, getFormat(), getArgs(),
                               [](Type type) { return isa<PtrType>(getElementTypeOrSelf(type)); })))
    return failure();
  return verifyTokens(*this);
}
