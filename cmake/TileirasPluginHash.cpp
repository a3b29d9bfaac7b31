//===- TileirasPluginHash.cpp - Which SDK a plugin is built with ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A source of every plugin (tileiras_add_plugin). The compiler reads the name of the symbol before it loads the object:
// tileirasPluginSdk_<hash of the SDK's headers>_<version>.
//
//===----------------------------------------------------------------------===//

#include "tileiras/Plugin/SdkHash.h"

// Both are expanded before they are pasted.
#define TILEIRAS_DETAIL_PASTE_SDK(HASH, VERSION) tileirasPluginSdk_##HASH##_##VERSION
#define TILEIRAS_DETAIL_SDK_SYMBOL(HASH, VERSION) TILEIRAS_DETAIL_PASTE_SDK(HASH, VERSION)

extern "C" __attribute__((visibility("default")))
const char TILEIRAS_DETAIL_SDK_SYMBOL(TILEIRAS_SDK_HASH, TILEIRAS_SDK_VERSION)[] = "";
