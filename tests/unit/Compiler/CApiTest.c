/*===- CApiTest.c - The compiler from plain C ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "tileiras/Compiler/tileiras-c.h"
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int condition, const char *what, int line) {
  if (condition)
    return;
  fprintf(stderr, "CApiTest.c:%d: failed: %s (last error: %s)\n", line, what, tileirasGetErrorText());
  ++failures;
}
#define CHECK(condition) check((condition), #condition, __LINE__)

static const char kernel[] = "cuda_tile.module @m {\n"
                             "  entry @scale(%p: tile<ptr<f32>>, %n: tile<i32>) {\n"
                             "    return\n"
                             "  }\n"
                             "}\n";

static TileirasConfig makeConfig(void) {
  TileirasConfig config = TILEIRAS_CONFIG_INIT;
  config.input = kernel;
  config.inputSize = sizeof(kernel) - 1;
  config.inputName = "kernel.mlir";
  config.inputIsText = 1;
  config.gpuName = "sm_90";
  config.optLevel = 3;
  config.product = "ptx";
  return config;
}

/* Expects creation to fail with this status and text. */
static void expectError(const TileirasConfig *config, TileirasStatus status, const char *text, int line) {
  TileirasProgram *program = (TileirasProgram *)&failures;
  check(tileirasProgramCreate(&program, config) == status, text, line);
  check(strcmp(tileirasGetErrorText(), text) == 0, text, line);
  check(program == NULL, "program is null after an error", line);
}

static void testArguments(void) {
  TileirasConfig config = makeConfig();
  CHECK(tileirasProgramCreate(NULL, &config) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(strcmp(tileirasGetErrorText(), "output pointer is null") == 0);
  expectError(NULL, TILEIRAS_ERROR_INVALID_CONFIG, "configuration is null", __LINE__);

  config.input = NULL;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "input buffer is null", __LINE__);

  /* The order of the checks: bytecode, GPU, level, debugging, architecture, system. */
  config = makeConfig();
  config.settings = NULL;
  config.settingCount = 2;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "a setting is null", __LINE__);
  const char *const nothing[] = {NULL};
  config.settingCount = 0;
  config.pluginFiles = nothing;
  config.pluginFileCount = 1;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "the file of a plugin is null", __LINE__);
  config.pluginFileCount = 0;
  config.pluginDirectories = nothing;
  config.pluginDirectoryCount = 1;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "a folder of plugins is null", __LINE__);
  config.pluginDirectoryCount = 0;
  config.assemblerOptionCount = 1;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "an option for the assembler is null", __LINE__);
  config.assemblerOptionCount = 0;

  config.assembler = "as";
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unknown assembler", __LINE__);
  config.hostOs = (TileirasHostOs)7;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported host operating system", __LINE__);
  config.hostArch = (TileirasHostArch)7;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported host architecture", __LINE__);
  config.deviceDebug = 1;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG,
              "optimized debugging is not supported, change optimization level to 0 or disable full debug info",
              __LINE__);
  config.optLevel = 4;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "invalid optimization level", __LINE__);
  config.gpuName = "sm_12345";
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported GPU target", __LINE__);
  config.inputIsText = 0;
  expectError(&config, TILEIRAS_ERROR_BAD_BYTECODE, "input does not correspond to Tile IR bytecode", __LINE__);
  config.input = "ML\xefR rest";
  config.inputSize = 9;
  expectError(&config, TILEIRAS_ERROR_BAD_BYTECODE, "failed to parse IR bytecode (it looks like MLIR bytecode instead)",
              __LINE__);
}

static void testOrder(void) {
  const void *data;
  const char *json;
  size_t size;
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();

  CHECK(tileirasProgramCompile(NULL) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(strcmp(tileirasGetErrorText(), "program is null") == 0);
  CHECK(tileirasProgramRelease(NULL) == TILEIRAS_ERROR_INVALID_PROGRAM);

  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetOutput(program, &data, &size) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(strcmp(tileirasGetErrorText(), "program has not been compiled") == 0);
  CHECK(tileirasProgramGetOutput(program, NULL, &size) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(strcmp(tileirasGetErrorText(), "output pointer is null") == 0);
  CHECK(tileirasProgramGetMetadata(program, &json) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(tileirasProgramGetPtx(program, &json) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(json == NULL);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

/* What the callbacks of one compilation saw. */
typedef struct Events {
  int errors, warnings, remarks;
  char message[256], file[64];
  unsigned line;
  char scopes[128];
} Events;

static void onDiagnostic(const TileirasDiagnostic *diagnostic, void *userData) {
  Events *events = (Events *)userData;
  if (diagnostic->severity == TILEIRAS_WARNING)
    ++events->warnings;
  if (diagnostic->severity != TILEIRAS_ERROR)
    return;
  ++events->errors;
  snprintf(events->message, sizeof(events->message), "%s", diagnostic->message);
  snprintf(events->file, sizeof(events->file), "%s", diagnostic->file);
  events->line = diagnostic->line;
}

/* Those of one category: every kernel has some. */
static void onRemark(const TileirasRemark *remark, void *userData) {
  Events *events = (Events *)userData;
  if (strcmp(remark->category, "hints") != 0)
    return;
  ++events->remarks;
  snprintf(events->message, sizeof(events->message), "%s|%s|%s|%s|%s", remark->kind, remark->category, remark->name,
           remark->function, remark->message);
}

static void onScope(const char *scope, int begins, void *userData) {
  Events *events = (Events *)userData;
  strncat(events->scopes, begins ? "+" : "-", sizeof(events->scopes) - strlen(events->scopes) - 1);
  strncat(events->scopes, scope, sizeof(events->scopes) - strlen(events->scopes) - 1);
}

static void testSuccess(void) {
  Events events = {0};
  const void *data = NULL;
  const char *json = NULL, *ptx = NULL;
  size_t size = 0;
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();
  config.diagnosticCallback = onDiagnostic;
  config.scopeCallback = onScope;
  config.userData = &events;

  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_SUCCESS);
  CHECK(strcmp(tileirasGetErrorText(), "") == 0);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetOutput(program, &data, &size) == TILEIRAS_SUCCESS);
  CHECK(size > 0 && data && strstr((const char *)data, ".entry scale") != NULL);
  CHECK(tileirasProgramGetMetadata(program, &json) == TILEIRAS_SUCCESS);
  CHECK(json && strstr(json, "\"scale\"") != NULL);
  CHECK(tileirasProgramGetPtx(program, &ptx) == TILEIRAS_SUCCESS);
  CHECK(ptx && strlen(ptx) == size && memcmp(ptx, data, size) == 0);
  CHECK(events.errors == 0);
  CHECK(events.warnings == 0);
  CHECK(strcmp(events.scopes, "+CompileNVVM-CompileNVVM+SerializeGPUModule-SerializeGPUModule") == 0);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

static void testFailure(void) {
  static const char wrong[] = "cuda_tile.module @m {\n  entry @k() {\n    nonsense\n  }\n}\n";
  Events events = {0};
  const void *data = &events;
  size_t size = 1;
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();
  config.input = wrong;
  config.inputSize = sizeof(wrong) - 1;
  config.diagnosticCallback = onDiagnostic;
  config.userData = &events;

  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_ERROR_BAD_BYTECODE);
  CHECK(strstr(tileirasGetErrorText(), "error: failed to parse 'kernel.mlir'") == tileirasGetErrorText());
  CHECK(events.errors == 1);
  CHECK(strcmp(events.file, "kernel.mlir") == 0);
  CHECK(events.line == 3);
  CHECK(tileirasProgramGetOutput(program, &data, &size) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(data == NULL && size == 0);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

/* The release ends the text of the error. */
static char errorText[256];
static TileirasStatus compileOnce(const TileirasConfig *config) {
  TileirasProgram *program = NULL;
  TileirasStatus status = tileirasProgramCreate(&program, config);
  if (status == TILEIRAS_SUCCESS) {
    status = tileirasProgramCompile(program);
    snprintf(errorText, sizeof(errorText), "%s", tileirasGetErrorText());
    tileirasProgramRelease(program);
  }
  return status;
}

/* The status says whose fault it was. */
static void testStatus(void) {
  static const char truncated[] = "\177TileIR\0\015\001\0\0\003";
  const char *const settings[] = {"num-warp=4"};
  TileirasConfig config = makeConfig();
  config.settings = settings;
  config.settingCount = 1;
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_INVALID_CONFIG);
  CHECK(strstr(errorText, "unknown option 'num-warp'; did you mean 'num-warps'?") != NULL);
  config = makeConfig();
  config.input = truncated;
  config.inputSize = sizeof(truncated) - 1;
  config.inputIsText = 0;
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_BAD_BYTECODE);
}

/* The fields of a remark say each thing once. */
static void testRemark(void) {
  static const char hinted[] =
      "cuda_tile.module @m {\n"
      "  entry @hinted() optimization_hints=<sm_90 = {occupancy = 99}> {\n    return\n  }\n}\n";
  Events events = {0};
  TileirasConfig config = makeConfig();
  config.input = hinted;
  config.inputSize = sizeof(hinted) - 1;
  config.remarkCallback = onRemark;
  config.userData = &events;
  CHECK(compileOnce(&config) == TILEIRAS_SUCCESS);
  CHECK(events.remarks == 1);
  CHECK(strcmp(events.message,
               "Missed|hints|IgnoredHint|hinted|hint 'occupancy' ignored: expected a number in 1..32") == 0);
}

/* The fields that were added later reach the compiler, and a caller who does not know them gets what there was before.
 */
static void testLaterFields(void) {
  static const char *const nowhere[] = {"/nonexistent/plugins"};
  TileirasConfig config = makeConfig();
  config.passPipeline = "tileir{num-warp=8}";
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_INVALID_CONFIG);
  CHECK(strstr(errorText, "num-warp") != NULL);
  config.structSize = offsetof(TileirasConfig, passPipeline);
  CHECK(compileOnce(&config) == TILEIRAS_SUCCESS);
  config = makeConfig();
  config.pluginDirectories = nowhere;
  config.pluginDirectoryCount = 1;
  CHECK(tileirasProgramCreate(&(TileirasProgram *){NULL}, &config) == TILEIRAS_ERROR_INVALID_CONFIG);
  CHECK(strstr(tileirasGetErrorText(), nowhere[0]) != NULL);
  config = makeConfig();
  config.optLevel = TILEIRAS_OPT_LEVEL_OF_PROFILE;
  config.profile = "o0";
  config.deviceDebug = 1;
  CHECK(compileOnce(&config) == TILEIRAS_SUCCESS);
  config.profile = NULL; /* o3 */
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_INVALID_CONFIG);
}

enum { threadCount = 8, roundCount = 4 };
static const char *reference;
static size_t referenceSize;

/* Compiles a few times; every product must be the reference, byte for byte. */
static void *compileRepeatedly(void *result) {
  long wrong = 0;
  for (int round = 0; round < roundCount; ++round) {
    const void *data = NULL;
    size_t size = 0;
    TileirasProgram *program = NULL;
    TileirasConfig config = makeConfig();
    if (tileirasProgramCreate(&program, &config) || tileirasProgramCompile(program) ||
        tileirasProgramGetOutput(program, &data, &size) || size != referenceSize || memcmp(data, reference, size) != 0)
      ++wrong;
    tileirasProgramRelease(program);
  }
  *(long *)result = wrong;
  return NULL;
}

static void testThreads(void) {
  pthread_t threads[threadCount];
  long wrong[threadCount];
  const void *data = NULL;
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();
  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetOutput(program, &data, &referenceSize) == TILEIRAS_SUCCESS);
  reference = (const char *)data;

  for (int i = 0; i < threadCount; ++i)
    CHECK(pthread_create(&threads[i], NULL, compileRepeatedly, &wrong[i]) == 0);
  for (int i = 0; i < threadCount; ++i) {
    CHECK(pthread_join(threads[i], NULL) == 0);
    CHECK(wrong[i] == 0);
  }
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

int main(void) {
  testArguments();
  testOrder();
  testSuccess();
  testFailure();
  testStatus();
  testRemark();
  testLaterFields();
  testThreads();
  if (failures == 0)
    puts("all checks passed");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
