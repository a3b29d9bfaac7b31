//===- SdkHash.h - Which SDK this library has -------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LIB_PLUGIN_SDKHASH_H
#define TILEIRAS_LIB_PLUGIN_SDKHASH_H

namespace tileiras {

/// An SDK, as the symbol of a plugin spells it: 16 hexadecimal digits, and "0_1_0".
struct SdkName {
  const char *hash, *version;
};

/// The one that this library was built with. Its source alone depends on all headers.
SdkName getSdkName();

} // namespace tileiras

#endif // TILEIRAS_LIB_PLUGIN_SDKHASH_H
