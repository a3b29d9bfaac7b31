//===- Empty.c - Nothing --------------------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The shared objects of this folder have no code of their own.
typedef int tileiras_nothing;
