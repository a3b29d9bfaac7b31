//===- SdkHash.cpp - Which SDK this library has ---------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SdkHash.h"
#include "tileiras/Plugin/SdkHash.h"

#define TILEIRAS_DETAIL_SPELL_NAME(NAME) #NAME
#define TILEIRAS_DETAIL_SPELL(NAME) TILEIRAS_DETAIL_SPELL_NAME(NAME)

tileiras::SdkName tileiras::getSdkName() {
  return {TILEIRAS_DETAIL_SPELL(TILEIRAS_SDK_HASH), TILEIRAS_DETAIL_SPELL(TILEIRAS_SDK_VERSION)};
}
