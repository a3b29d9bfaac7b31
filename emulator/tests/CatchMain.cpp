//===- CatchMain.cpp - Main program of the emulator's tests --------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coverage.h"
#include "GeneratedPtx.h"
#include <cstdlib>
#include <iostream>
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

int main(int argc, char **argv) {
  int status = Catch::Session().run(argc, argv);
  // For ptxas, which must accept whatever the form tests ran.
  if (const char *folder = std::getenv("PTX_EMULATOR_GENERATED_PTX"); folder && status == 0)
    ptxemu::testing::writeGeneratedPtx(folder);
  // Of all tests together: is there a form without one?
  if (status == 0 && argc == 1 && !ptxemu::testing::reportCoverage(std::cout)) {
    std::cout << "there are instruction forms without a test\n";
    return 1;
  }
  return status;
}
