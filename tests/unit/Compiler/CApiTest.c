/*===- CApiTest.c - The compiler from plain C ----------------------*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "tileiras/Compiler/tileiras-c.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

/* Expects creation to fail with this status and a text that begins so. */
static void expectError(const TileirasConfig *config, TileirasStatus status, const char *text, int line) {
  TileirasProgram *program = (TileirasProgram *)&failures;
  check(tileirasProgramCreate(&program, config) == status, text, line);
  check(strncmp(tileirasGetErrorText(), text, strlen(text)) == 0, text, line);
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
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unknown assembler 'as' (there are ptxas, nvjitlink)", __LINE__);
  config.assembler = "ptxa";
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unknown assembler 'ptxa'; did you mean 'ptxas'? (there are",
              __LINE__);
  config.product = "cubim";
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG,
              "unknown output 'cubim'; did you mean 'cubin'? (there are cuda_tile, bytecode, ", __LINE__);
  config.hostOs = (TileirasHostOs)7;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported host operating system 7; ", __LINE__);
  config.hostArch = (TileirasHostArch)7;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported host architecture 7; ", __LINE__);
  config.deviceDebug = 1;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG,
              "optimized debugging is not supported, change optimization level to 0 or disable full debug info",
              __LINE__);
  config.optLevel = 4;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "invalid optimization level 4; optLevel is 0 to 3", __LINE__);
  config.gpuName = "sm_91";
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported GPU target 'sm_91'; the nearest ", __LINE__);
  CHECK(strstr(tileirasGetErrorText(), "sm_90 (plugin 'sm90')") != NULL);
  config.gpuName = "sm_12345678";
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported GPU target 'sm_12345678'; known are ", __LINE__);
  CHECK(strstr(tileirasGetErrorText(), " sm_90, ") != NULL);
  config.gpuName = NULL;
  expectError(&config, TILEIRAS_ERROR_INVALID_CONFIG, "unsupported GPU target ''; known are ", __LINE__);
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
  CHECK(tileirasProgramGetReport(program, &json) == TILEIRAS_ERROR_INVALID_PROGRAM);
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

static void testReport(void) {
  TileirasConfig config = makeConfig();
  TileirasProgram *program;
  const char *json, *again, *plain;
  config.product = "ptx";
  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetReport(program, &json) == TILEIRAS_ERROR_INVALID_CONFIG && json == NULL);
  CHECK(strstr(tileirasGetErrorText(), "collectReport") != NULL);
  CHECK(tileirasProgramGetPtx(program, &plain) == TILEIRAS_SUCCESS);

  TileirasProgram *reported;
  config.collectReport = 1;
  CHECK(tileirasProgramCreate(&reported, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(reported) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetReport(reported, NULL) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(tileirasProgramGetReport(reported, &json) == TILEIRAS_SUCCESS);
  CHECK(json && strstr(json, "\"pass\":\"convert-cudatile-to-tileaa\"") != NULL);
  CHECK(tileirasProgramGetReport(reported, &again) == TILEIRAS_SUCCESS && again == json);
  CHECK(tileirasProgramGetPtx(reported, &again) == TILEIRAS_SUCCESS);
  CHECK(strcmp(plain, again) == 0);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramRelease(reported) == TILEIRAS_SUCCESS);
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
  CHECK(strstr(tileirasGetErrorText(), "error: failed to parse 'kernel.mlir': kernel.mlir:3:5: ") ==
        tileirasGetErrorText());
  CHECK(strstr(tileirasGetErrorText(), events.message) != NULL);
  CHECK(events.errors == 1);
  CHECK(strcmp(events.file, "kernel.mlir") == 0);
  CHECK(events.line == 3);
  CHECK(tileirasProgramGetOutput(program, &data, &size) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(data == NULL && size == 0);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

/* The release ends the text of the error. */
static char errorText[512];
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

/* What a program with a cache says and gives; `*cached`: whether it is from there. */
static void compileCached(const char *cache, Events *events, char **output, char **metadata, int *cached) {
  static const char hinted[] =
      "cuda_tile.module @m {\n"
      "  entry @hinted() optimization_hints=<sm_90 = {occupancy = 99}> {\n    return\n  }\n}\n";
  const void *data = NULL;
  const char *json = NULL;
  size_t size = 0;
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();
  config.input = hinted;
  config.inputSize = sizeof(hinted) - 1;
  config.diagnosticCallback = onDiagnostic;
  config.remarkCallback = onRemark;
  config.userData = events;
  config.cache = cache;
  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramIsFromCache(program) == 0);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetOutput(program, &data, &size) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetMetadata(program, &json) == TILEIRAS_SUCCESS);
  *output = strndup((const char *)data, size);
  *metadata = strdup(json);
  *cached = tileirasProgramIsFromCache(program);
  CHECK(tileirasProgramGetPtx(program, &json) == TILEIRAS_SUCCESS);
  CHECK(strcmp(json, *output) == 0);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

static void testCache(void) {
  char folder[] = "/tmp/tileiras-capi-XXXXXX", command[64];
  char *output[5], *metadata[5];
  int cached[5];
  CHECK(mkdtemp(folder) != NULL);
  unsetenv("TILEIRAS_CACHE");
  for (int i = 0; i < 5; ++i) {
    const char *const places[] = {NULL, folder, folder, "off", "nonsense"};
    Events events = {0};
    compileCached(places[i], &events, &output[i], &metadata[i], &cached[i]);
    CHECK(cached[i] == (i == 2));
    CHECK(events.remarks == 1);
    CHECK(events.warnings == 1 + (i == 4)); /* of the hint, and that it is no place for a cache */
    CHECK(strcmp(events.message,
                 "Missed|hints|IgnoredHint|hinted|hint 'occupancy' ignored: expected a number in 1..32") == 0);
    CHECK(strcmp(output[i], output[0]) == 0);
    CHECK(strcmp(metadata[i], metadata[0]) == 0);
  }
  CHECK(strstr(metadata[0], "occupancy") != NULL);
  for (int i = 0; i < 5; ++i) {
    free(output[i]);
    free(metadata[i]);
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
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

/* The returned text has the cause, whichever step found it, and without a callback. */
static void testCauses(void) {
  static const char invalid[] = "cuda_tile.module @m {\n  entry @k() {\n    %a = constant <i32: 1> : tile<i32>\n"
                                "    %b = reshape %a : tile<i32> -> tile<2xi32>\n    return\n  }\n}\n";
  static const char truncated[] = "\177TileIR\0\015\001\0\0\003";
  TileirasConfig config = makeConfig();
  config.input = invalid;
  config.inputSize = sizeof(invalid) - 1;
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_BAD_BYTECODE);
  CHECK(strstr(errorText, "error: 'kernel.mlir' is not valid Tile IR: kernel.mlir:4:") == errorText);
  config.input = truncated;
  config.inputSize = sizeof(truncated) - 1;
  config.inputIsText = 0;
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_BAD_BYTECODE);
  CHECK(strstr(errorText, "error: failed to parse IR bytecode: ") == errorText);
  /* Whole sentences of the pipeline's, without the tool's options. */
  config = makeConfig();
  config.passPipeline = "builtin.module(canonicalize)";
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_COMPILE_FAILED);
  CHECK(strstr(errorText, "failed to compile Tile IR program: kernel.mlir:1:") == errorText);
  CHECK(strstr(errorText, "the pipeline leaves this 'cuda_tile.module'") != NULL);
  CHECK(strstr(errorText, "--") == NULL);
}

/* Which library this is. */
static void testIdentity(void) {
  const char *json = NULL, *id = tileirasGetBuildId();
  int major = -1, minor = -1, patch = -1;
  char line[64];
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();
  CHECK(sscanf(tileirasGetVersion(), "%d.%d.%d", &major, &minor, &patch) == 3 && major >= 0 && minor >= 0);
  CHECK(strlen(id) == 16 && strspn(id, "0123456789abcdef") == 16);
  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramGetMetadata(program, &json) == TILEIRAS_SUCCESS);
  snprintf(line, sizeof(line), "\"build\": \"%s\"", id);
  CHECK(strstr(json, line) != NULL);
  CHECK(strstr(json, "\"build\": \"unknown\"") == NULL);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);
}

/* An interruptCallback that says yes when it is asked for the `last` time, and what may happen before. */
typedef struct Interrupter {
  long asked, last;
  void (*first)(struct Interrupter *); /* when it is asked for the first time */
  TileirasProgram *program;
  atomic_int waits;
  void *memory;
  Events events;
} Interrupter;

static int onInterrupt(void *userData) {
  Interrupter *interrupter = (Interrupter *)userData;
  if (interrupter->asked++ == 0 && interrupter->first)
    interrupter->first(interrupter);
  return interrupter->asked == interrupter->last;
}

static void onInterrupterDiagnostic(const TileirasDiagnostic *diagnostic, void *userData) {
  onDiagnostic(diagnostic, &((Interrupter *)userData)->events);
}

static TileirasStatus compileInterruptibly(TileirasConfig config, Interrupter *interrupter) {
  TileirasStatus status;
  const void *data = NULL;
  size_t size = 0;
  config.interruptCallback = onInterrupt;
  config.diagnosticCallback = onInterrupterDiagnostic;
  config.userData = interrupter;
  CHECK(tileirasProgramCreate(&interrupter->program, &config) == TILEIRAS_SUCCESS);
  status = tileirasProgramCompile(interrupter->program);
  snprintf(errorText, sizeof(errorText), "%s", tileirasGetErrorText());
  CHECK(tileirasProgramCompile(interrupter->program) == status);
  CHECK((tileirasProgramGetOutput(interrupter->program, &data, &size) == TILEIRAS_SUCCESS) ==
        (status == TILEIRAS_SUCCESS));
  CHECK(tileirasProgramRelease(interrupter->program) == TILEIRAS_SUCCESS);
  return status;
}

static void *cancelFromElsewhere(void *userData) {
  Interrupter *interrupter = (Interrupter *)userData;
  while (!atomic_load(&interrupter->waits))
    usleep(100);
  CHECK(tileirasProgramCancel(interrupter->program) == TILEIRAS_SUCCESS);
  atomic_store(&interrupter->waits, 0);
  return NULL;
}

static void waitForCancellation(Interrupter *interrupter) {
  atomic_store(&interrupter->waits, 1);
  while (atomic_load(&interrupter->waits))
    usleep(100);
}

/* Wherever a compilation is cancelled, it ends in the same way, and says nothing of what it left undone. */
static void testCancellation(void) {
  enum { places = 24 };
  pthread_t thread;
  TileirasProgram *program = NULL;
  TileirasConfig config = makeConfig();
  Interrupter interrupter = {0}, undisturbed = {0};
  CHECK(tileirasProgramCancel(NULL) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCancel(program) == TILEIRAS_SUCCESS);
  CHECK(tileirasProgramCompile(program) == TILEIRAS_ERROR_CANCELLED);
  CHECK(strcmp(tileirasGetErrorText(), "the compilation was cancelled") == 0);
  CHECK(tileirasProgramRelease(program) == TILEIRAS_SUCCESS);

  CHECK(compileInterruptibly(config, &undisturbed) == TILEIRAS_SUCCESS);
  CHECK(undisturbed.asked > 50);
  for (long i = 0; i < places; ++i) {
    Interrupter each = {0};
    each.last = 1 + i * (undisturbed.asked - 1) / (places - 1);
    CHECK(compileInterruptibly(config, &each) == TILEIRAS_ERROR_CANCELLED);
    CHECK(each.asked == each.last);
    CHECK(each.events.errors == 0);
    CHECK(strcmp(errorText, "the compilation was cancelled") == 0);
  }

  interrupter.first = waitForCancellation;
  CHECK(pthread_create(&thread, NULL, cancelFromElsewhere, &interrupter) == 0);
  CHECK(compileInterruptibly(config, &interrupter) == TILEIRAS_ERROR_CANCELLED);
  CHECK(pthread_join(thread, NULL) == 0);
  CHECK(interrupter.asked == 1);
}

static void takeTime(Interrupter *interrupter) {
  (void)interrupter;
  usleep(60000);
}

static void takeMemory(Interrupter *interrupter) {
  const size_t size = (size_t)256 << 20;
  interrupter->memory = malloc(size);
  if (interrupter->memory)
    memset(interrupter->memory, 1, size);
}

static void testLimits(void) {
  Interrupter slow = {0}, large = {0}, neither = {0};
  TileirasConfig config = makeConfig();
  slow.first = takeTime;
  config.timeLimitMs = 50;
  CHECK(compileInterruptibly(config, &slow) == TILEIRAS_ERROR_LIMIT_EXCEEDED);
  CHECK(strstr(errorText, "the compilation did not finish within 50 ms (timeLimitMs)") == errorText);
  large.first = takeMemory;
  config.timeLimitMs = 0;
  config.memoryLimitMiB = 200;
  CHECK(compileInterruptibly(config, &large) == TILEIRAS_ERROR_LIMIT_EXCEEDED);
  CHECK(strstr(errorText, "the compilation needs more than 200 MiB of memory (memoryLimitMiB): 2") == errorText);
  free(large.memory);
  config.timeLimitMs = 600000;
  config.memoryLimitMiB = 1 << 20;
  CHECK(compileInterruptibly(config, &neither) == TILEIRAS_SUCCESS);
  config.timeLimitMs = 1;
  config.structSize = offsetof(TileirasConfig, timeLimitMs);
  CHECK(compileOnce(&config) == TILEIRAS_SUCCESS);
}

/* An assembler that does not end is ended. */
static void testSlowAssembler(void) {
  char folder[] = "/tmp/tileiras-c-api-XXXXXX", bin[64], file[80];
  const char *before = getenv("CUDA_ROOT");
  char *saved = before ? strdup(before) : NULL;
  TileirasConfig config = makeConfig();
  const time_t start = time(NULL);
  FILE *script;
  config.product = "cubin";
  config.timeLimitMs = 3000;
  CHECK(mkdtemp(folder) != NULL);
  snprintf(bin, sizeof(bin), "%s/bin", folder);
  snprintf(file, sizeof(file), "%s/ptxas", bin);
  CHECK(mkdir(bin, 0700) == 0);
  script = fopen(file, "w");
  CHECK(script != NULL);
  fputs("#!/bin/sh\nexec sleep 300\n", script);
  fclose(script);
  CHECK(chmod(file, 0700) == 0);
  setenv("CUDA_ROOT", folder, 1);
  CHECK(compileOnce(&config) == TILEIRAS_ERROR_LIMIT_EXCEEDED);
  CHECK(strstr(errorText, "timeLimitMs") != NULL);
  CHECK(time(NULL) - start < 120);
  if (saved)
    setenv("CUDA_ROOT", saved, 1);
  else
    unsetenv("CUDA_ROOT");
  free(saved);
  unlink(file);
  rmdir(bin);
  rmdir(folder);
}

enum { threadCount = 8, roundCount = 4 };
static const char *reference;
static size_t referenceSize;
static TileirasPool *pool; /* null: programs that share nothing */

/* Compiles a few times; every product must be the reference, byte for byte. */
static void *compileRepeatedly(void *result) {
  long wrong = 0;
  for (int round = 0; round < roundCount; ++round) {
    const void *data = NULL;
    size_t size = 0;
    TileirasProgram *program = NULL;
    TileirasConfig config = makeConfig();
    config.pool = pool;
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

static void testPool(void) {
  CHECK(tileirasPoolCreate(NULL) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(tileirasPoolRelease(NULL) == TILEIRAS_ERROR_INVALID_PROGRAM);
  CHECK(tileirasPoolCreate(&pool) == TILEIRAS_SUCCESS);
  testThreads();
  CHECK(tileirasPoolRelease(pool) == TILEIRAS_SUCCESS);
  pool = NULL;
}

int main(void) {
  testArguments();
  testOrder();
  testSuccess();
  testReport();
  testFailure();
  testStatus();
  testRemark();
  testCache();
  testLaterFields();
  testCauses();
  testIdentity();
  testCancellation();
  testLimits();
  testSlowAssembler();
  testThreads();
  testPool();
  if (failures == 0)
    puts("all checks passed");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
