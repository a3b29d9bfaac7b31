//===- Main.cpp - Catch2's main function for the clock's tests ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FigureTable.h"
#include <cstdio>
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

using ptxemu::timing::testing::Part;

int main(int argc, char **argv) {
  Catch::Session session;
  std::string part;
  session.cli(session.cli() |
              Catch::clara::Opt(part, "K/N")["--part"]("every N-th published ladder, from the K-th on"));
  if (const int status = session.applyCommandLine(argc, argv))
    return status;
  if (!part.empty() && std::sscanf(part.c_str(), "%u/%u", &Part::chosen().index, &Part::chosen().count) != 2) {
    std::fprintf(stderr, "--part takes K/N, but got %s\n", part.c_str());
    return 1;
  }
  return session.run();
}
