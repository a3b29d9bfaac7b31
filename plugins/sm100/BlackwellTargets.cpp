//===- BlackwellTargets.cpp - The Blackwell targets -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlackwellTargets.h"

using namespace tileiras;
using namespace tileiras::sm100;

/// The name an atom uses for a type of the IR.
static std::string getElementName(mlir::Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return name;
}

static bool takes(const AtomElement &element, mlir::Type type, bool isUnsigned) {
  return element.type == getElementName(type) &&
         (!mlir::isa<mlir::IntegerType>(type) || element.isUnsigned == isUnsigned);
}

mlir::FailureOr<const MmaAtom *>
BlackwellTarget::verifyMma(const MmaQuery &query, llvm::function_ref<mlir::InFlightDiagnostic()> emitError) const {
  // The largest atom that divides the tile; the catalogue lists larger ones first.
  for (const MmaAtom &atom : description.atoms.mma)
    if (takes(atom.a, query.elementA, query.unsignedA) && takes(atom.b, query.elementB, query.unsignedB) &&
        takes(atom.c, query.elementC, false) && query.m % atom.m == 0 && query.n % atom.n == 0 && query.k % atom.k == 0)
      return &atom;
  if (query.blockScaled)
    return emitError() << "unsupported block-scaled mma configuration: A " << query.elementA << ", B " << query.elementB
                       << ", C " << query.elementC << " on " << getName();
  return static_cast<const MmaAtom *>(nullptr);
}

std::optional<std::string> BlackwellTarget::getUnsupportedReason() const {
  return "the lowering for '" + description.name +
         "' is not there yet: its chips, machine model and atoms are known, but no kernel can be compiled for it; "
         "compile for sm_90, or stop before machine code with --emit=tileaa";
}
