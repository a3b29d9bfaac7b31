//===- BlackwellTargets.cpp - The Blackwell targets -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlackwellTargets.h"

using namespace tileiras;
using namespace tileiras::sm100;

std::optional<std::string> BlackwellTarget::getUnsupportedReason() const {
  return "the lowering for '" + getName().str() +
         "' is not there yet: its chips, machine model and atoms are known, but no kernel can be compiled for it; "
         "compile for sm_90, or stop before machine code with --emit=tileaa";
}
