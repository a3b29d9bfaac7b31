//===- TypeTemplates.h - A program for each operation -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_TYPETEMPLATES_H
#define TILEIRAS_FUZZ_TYPETEMPLATES_H

namespace tileiras::fuzz {

/// The texts that sweepTypes() makes programs of; their form is described there.
extern const char kTypeTemplates[];

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_TYPETEMPLATES_H
