/*===- client.c - A C program launches a kernel ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * client CUBIN: launches the only kernel of CUBIN, with zeros as arguments, and prints what is known about it. Exit
 * status: 0, or what the launch library answers.
 */

#include "tileiras/Launch/tileiras-launch.h"
#include <stdio.h>
#include <stdlib.h>

static int fail(TileirasLaunchStatus status) {
  fprintf(stderr, "error: %s\n", tileirasLaunchGetErrorText());
  return (int)status;
}

static TileirasLaunchStatus launch(TileirasModule *module) {
  enum { MOST = 64 };
  static const unsigned char zeros[4096];
  const TileirasKernel *kernel = NULL;
  TileirasKernelInfo info = TILEIRAS_KERNEL_INFO_INIT;
  const uint32_t grid[3] = {2, 1, 1};
  const void *arguments[MOST];
  TileirasLaunchStatus status = tileirasModuleGetKernel(module, NULL, &kernel);
  if (status == TILEIRAS_LAUNCH_SUCCESS)
    status = tileirasKernelGetInfo(kernel, &info);
  if (status != TILEIRAS_LAUNCH_SUCCESS)
    return status;
  printf("%s: %u parameters, %u threads, %u registers\n", info.name, info.parameterCount, info.blockSize[0],
         info.registers);
  for (uint32_t i = 0; i < info.parameterCount && i < MOST; ++i)
    arguments[i] = zeros;
  return tileirasLaunch(kernel, grid, arguments, info.parameterCount, NULL);
}

int main(int argc, char **argv) {
  static unsigned char cubin[1 << 20];
  size_t size = 0;
  TileirasModule *module = NULL;
  TileirasLaunchStatus status;
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: client CUBIN\n");
    return 99;
  }
  size = fread(cubin, 1, sizeof cubin, file);
  fclose(file);
  status = tileirasModuleLoad(&module, cubin, size, NULL);
  if (status != TILEIRAS_LAUNCH_SUCCESS)
    return fail(status);
  status = launch(module);
  if (status != TILEIRAS_LAUNCH_SUCCESS)
    return fail(status);
  return (int)tileirasModuleUnload(module);
}
