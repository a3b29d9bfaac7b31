//===- GeneratedPtx.h - The PTX that form tests generate --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_GENERATEDPTX_H
#define PTX_EMULATOR_GENERATEDPTX_H

#include "FormTest.h"

namespace ptxemu::testing {

/// A block that loads the operands of one form, executes it and stores its results.
std::string formBody(const Form &);
/// A module whose entry `k` executes such blocks; %in and %out point to 64 bytes a thread.
std::string formModule(const std::string &bodies);

/// Adds a whole module that a test ran, for the architecture it names.
void addGenerated(const std::string &module);
/// Writes every form and module that ran to `folder`, forms many to a file: FORMS.sm_100a.ptx and so on.
void writeGeneratedPtx(const std::string &folder);

} // namespace ptxemu::testing

#endif // PTX_EMULATOR_GENERATEDPTX_H
