//===- ReadLaunches.cpp - What the reader says of descriptions ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the files whose names come on standard input, a line each, and answers a line each: "ok", or the error.
//
//===----------------------------------------------------------------------===//

#include "LaunchError.h"
#include "LaunchFile.h"
#include <iostream>

int main() {
  for (std::string file; std::getline(std::cin, file);)
    try {
      (void)tileiras::readLaunchFile(file);
      std::cout << "ok\n";
    } catch (const tileiras::LaunchError &error) {
      std::cout << error.what() << '\n';
    }
}
