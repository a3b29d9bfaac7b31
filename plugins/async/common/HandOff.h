//===- HandOff.h - What passes of the family tell each other ----*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes that `tileas-materialize-schedule` writes once; later passes change their values, never their meaning.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_COMMON_HANDOFF_H
#define TILEIRAS_PLUGINS_ASYNC_COMMON_HANDOFF_H

#include "tileiras/Dialect/TileAS/TileAS.h"

namespace tileiras::async {

/// i32 on operations of a loop, from its schedule: how many iterations later they run than those of stage 0, and which
/// place they have in the order of all stages.
inline constexpr llvm::StringLiteral kScheduleStage = "nv_tile.aws.stage", kScheduleOrder = "nv_tile.aws.order";
/// On a loop that stays as it was written.
inline constexpr llvm::StringLiteral kNotPipelined = as::TileASDialect::NotPipelinedAttrHelper::getNameStr();

/// On a function whose loops keep their order although operations say what their places in a schedule are.
inline constexpr llvm::StringLiteral kKeepsOrder = as::TileASDialect::KeepsOrderAttrHelper::getNameStr();

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_COMMON_HANDOFF_H
