/*===- embed.c - A program that has the compiler in it -------------*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/* embed FILE: compiles a kernel to PTX, prints it, and hands it to the launch library, which takes cubins only. */

#include "tileiras/Compiler/tileiras-c.h"
#include "tileiras/Launch/tileiras-launch.h"
#include <stdio.h>
#include <stdlib.h>

static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  static char text[1 << 16];
  const void *ptx = NULL;
  size_t size = 0;
  TileirasProgram *program = NULL;
  TileirasModule *module = NULL;
  TileirasConfig config = TILEIRAS_CONFIG_INIT;
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file)
    return fail("usage", "embed FILE");
  config.input = text;
  config.inputSize = fread(text, 1, sizeof(text), file);
  fclose(file);
  config.inputName = argv[1];
  config.inputIsText = 1;
  config.gpuName = "sm_90";
  config.optLevel = 3;
  config.product = "ptx";
  printf("tileiras %s, build %s\n", tileirasGetVersion(), tileirasGetBuildId());
  if (tileirasProgramCreate(&program, &config) || tileirasProgramCompile(program) ||
      tileirasProgramGetOutput(program, &ptx, &size))
    return fail("the compiler", tileirasGetErrorText());
  fwrite(ptx, 1, size, stdout);
  if (tileirasModuleLoad(&module, ptx, size, NULL) == TILEIRAS_LAUNCH_SUCCESS)
    return fail("the launch library", "takes PTX for a cubin");
  puts(tileirasLaunchGetErrorText());
  tileirasProgramRelease(program);
  return EXIT_SUCCESS;
}
