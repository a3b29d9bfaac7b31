//===- Image.h - What a program loads: cubins and PTX -----------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_EMULATED_IMAGE_H
#define TILEIRAS_EMULATED_IMAGE_H

#include "ptx-emulator/Emulator.h"
#include <map>
#include <string>

namespace emudriver {

struct Image {
  std::string ptx;                      ///< text
  std::map<std::string, int> registers; ///< of a thread, by entry: as the cubin says; empty for PTX
  int computeCapability = 0;            ///< 90
  bool isCubin = false;

  /// Of `code`, which is as long as it says itself. Refuses what is no image, or one for another GPU.
  static Image read(const void *code);
  /// A module of its own: variables are not shared with others of the image.
  ptxemu::Module parse() const;
};

} // namespace emudriver

#endif // TILEIRAS_EMULATED_IMAGE_H
