/*===- tileiras-c.h - The compiler as a C library ------------------*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * One program is one compilation:
 *
 *   TileirasConfig config = TILEIRAS_CONFIG_INIT;
 *   config.input = bytes; config.inputSize = size; config.gpuName = ...;
 *   TileirasProgram *program;
 *   if (tileirasProgramCreate(&program, &config) == TILEIRAS_SUCCESS &&
 *       tileirasProgramCompile(program) == TILEIRAS_SUCCESS)
 *     tileirasProgramGetOutput(program, &data, &dataSize);
 *   tileirasProgramRelease(program);
 *
 * Programs are independent: different ones may be used from different threads at the same time. One program is used by
 * one thread at a time, but for tileirasProgramCancel. Callbacks are called on the thread that compiles.
 */

#ifndef TILEIRAS_COMPILER_TILEIRAS_C_H
#define TILEIRAS_COMPILER_TILEIRAS_C_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileirasStatus {
  TILEIRAS_SUCCESS = 0,
  TILEIRAS_ERROR_ALLOCATION = 1,
  TILEIRAS_ERROR_INVALID_CONFIG = 2,  /* also settings, profiles and plugins that are wrong */
  TILEIRAS_ERROR_BAD_BYTECODE = 3,    /* not Tile IR, malformed, or not valid; text as well as bytecode */
  TILEIRAS_ERROR_INVALID_PROGRAM = 4, /* a null program or result pointer, or a program that is not compiled */
  TILEIRAS_ERROR_COMPILE_FAILED = 5,
  TILEIRAS_ERROR_CANCELLED = 6,     /* by tileirasProgramCancel, or by the interruptCallback */
  TILEIRAS_ERROR_LIMIT_EXCEEDED = 7 /* timeLimitMs or memoryLimitMiB */
} TileirasStatus;

typedef enum TileirasSeverity {
  TILEIRAS_NOTE = 0,
  TILEIRAS_WARNING = 1,
  TILEIRAS_ERROR = 2,
  TILEIRAS_REMARK = 3
} TileirasSeverity;

typedef enum TileirasHostArch {
  TILEIRAS_HOST_X86_64 = 0,
  TILEIRAS_HOST_AARCH64 = 1,
  TILEIRAS_HOST_ARM64EC = 2
} TileirasHostArch;

typedef enum TileirasHostOs { TILEIRAS_HOST_LINUX = 0, TILEIRAS_HOST_WINDOWS = 1 } TileirasHostOs;

/* Strings are valid during the callback. A note belongs to the diagnostic before it. */
typedef struct TileirasDiagnostic {
  TileirasSeverity severity;
  const char *message;
  const char *file;      /* empty when the source location is unknown */
  uint32_t line, column; /* 1-based; 0 when unknown */
} TileirasDiagnostic;

typedef struct TileirasRemark {
  const char *kind;     /* "Passed", "Missed", "Failure" or "Analysis" */
  const char *category; /* what it is about, e.g. "vectorize" */
  const char *name;
  const char *function;
  const char *message; /* what there is to say besides */
  const char *file;
  uint32_t line, column;
} TileirasRemark;

typedef void (*TileirasDiagnosticCallback)(const TileirasDiagnostic *diagnostic, void *userData);
typedef void (*TileirasRemarkCallback)(const TileirasRemark *remark, void *userData);
/* The public scopes "CompileNVVM" and "SerializeGPUModule"; properly nested, closed on failure too. */
typedef void (*TileirasScopeCallback)(const char *scope, int begins, void *userData);
/* Whether the compilation is to end: not 0 ends it. Asked hundreds of times in a compilation; no more after a yes. */
typedef int (*TileirasInterruptCallback)(void *userData);

/* What programs have in common: see tileirasPoolCreate. */
typedef struct TileirasPool TileirasPool;

/* Start from TILEIRAS_CONFIG_INIT. Everything is copied by tileirasProgramCreate. */
typedef struct TileirasConfig {
  size_t structSize; /* sizeof(TileirasConfig) of the caller */

  const void *input; /* Tile IR bytecode, or its textual form when inputIsText is not 0 */
  size_t inputSize;
  const char *inputName; /* for messages; may be null */
  int inputIsText;

  const char *gpuName;
  uint32_t optLevel;    /* 0 to 3, or TILEIRAS_OPT_LEVEL_OF_PROFILE */
  int lineInfo;         /* emit line tables */
  int deviceDebug;      /* full debug information; only with optLevel 0 */
  int sanitizeMemcheck; /* instrument device code */
  TileirasHostArch hostArch;
  TileirasHostOs hostOs;

  const char *product;         /* as --emit takes it; null: "cubin" */
  const char *profile;         /* file or name; null: the one of the optimisation level */
  const char *const *settings; /* "option=value"; none is null */
  size_t settingCount;
  const char *const *pluginFiles; /* none is null */
  size_t pluginFileCount;

  TileirasDiagnosticCallback diagnosticCallback;
  TileirasRemarkCallback remarkCallback;
  TileirasScopeCallback scopeCallback;
  void *userData;

  const char *passPipeline;             /* as --pass-pipeline takes it; may be null */
  const char *const *pluginDirectories; /* folders of plugins to choose from, besides the shipped ones; none is null */
  size_t pluginDirectoryCount;
  const char *assembler;               /* what makes the cubin, as --assembler takes it; null: "ptxas" */
  const char *const *assemblerOptions; /* passed on as they are; none is null */
  size_t assemblerOptionCount;

  /* Limits and cancellation. The process lives on, so a compilation ends at the next place where it can: between the
   * passes of a pipeline and of LLVM, and while ptxas runs, which is killed. A pass that runs is not interrupted. */
  uint32_t timeLimitMs;    /* of tileirasProgramCompile; 0: none */
  uint64_t memoryLimitMiB; /* by how much the resident memory of this process may grow in tileirasProgramCompile, other
                              threads' part included, and how much the assembler's process may have; 0: none */
  TileirasInterruptCallback interruptCallback;

  int collectReport;  /* not 0: tileirasProgramGetReport will be called, which costs several times the passes' time */
  TileirasPool *pool; /* null: the program shares nothing with others; else it is released after the program */
  /* Where to look for what has been compiled before, as --cache takes it ("on", "off", "/a/folder", "redis://host");
   * null: what TILEIRAS_CACHE in the environment says, else nowhere. What is found is reported as if it was compiled,
   * except for scopes, which do not begin. */
  const char *cache;
} TileirasConfig;

/* The optimisation level is what the profile says; without a profile it is 3, as in the tool. */
#define TILEIRAS_OPT_LEVEL_OF_PROFILE UINT32_MAX

/* Everything else is zero: -O0, no line tables, a cubin. */
/* clang-format off */
#define TILEIRAS_CONFIG_INIT {.structSize = sizeof(TileirasConfig)}
/* clang-format on */

typedef struct TileirasProgram TileirasProgram;

/* Programs of one pool find what each would have to make anew: plugins, profiles, tables of GPUs. That is half of the
 * time of a small program; what comes out is the same. Profiles and plugins are read when a program first asks for
 * them, and kept. From any threads at once. */
TileirasStatus tileirasPoolCreate(TileirasPool **pool);
/* After the release of its programs. */
TileirasStatus tileirasPoolRelease(TileirasPool *pool);

/* Checks the configuration and copies the input. On error *program is null. */
TileirasStatus tileirasProgramCreate(TileirasProgram **program, const TileirasConfig *config);
/* Whether the result is from the cache; 0 before it is there. */
int tileirasProgramIsFromCache(TileirasProgram *program);
/* A program is compiled once; a second call returns the first one's result. */
TileirasStatus tileirasProgramCompile(TileirasProgram *program);
/* The whole product. The view is valid until the program is released. */
TileirasStatus tileirasProgramGetOutput(TileirasProgram *program, const void **data, size_t *size);
/* The PTX that the product is or was made of, null-terminated; valid until the program is released. Empty when the
 * product is neither PTX nor a cubin. */
TileirasStatus tileirasProgramGetPtx(TileirasProgram *program, const char **ptx);
/* What --metadata writes: a JSON text, null-terminated; valid until the program is released. From it, and from the
 * values of the program's parameters, tileirasTensorMapsEncode of the launch library (tileiras-launch.h) builds the
 * tensor maps that kernels compiled with tma-descriptors=host take. */
TileirasStatus tileirasProgramGetMetadata(TileirasProgram *program, const char **json);
/* With collectReport: what passes, schedules, shared memory and remarks were, with sources, metadata and PTX; a JSON
 * text, null-terminated, valid until the program is released. tileirasRunMakePage (tileiras-run.h) makes a page of
 * it. */
TileirasStatus tileirasProgramGetReport(TileirasProgram *program, const char **json);
/* Ends the compilation, the one that runs or the one to come, with TILEIRAS_ERROR_CANCELLED; one that has ended stays
 * as it is. From any thread, at any time between creation and release; returns at once. */
TileirasStatus tileirasProgramCancel(TileirasProgram *program);
/* Legal at any time after creation, when no other thread uses the program. */
TileirasStatus tileirasProgramRelease(TileirasProgram *program);

/* The text of the last error on this thread, with its cause and place; empty after a success. Valid until the next call
 * on this thread. */
const char *tileirasGetErrorText(void);

/* "0.1.0". Valid as long as the library is loaded, as is the next one. */
const char *tileirasGetVersion(void);
/* 16 hexadecimal digits, other ones whenever the library's code is: for bug reports and the keys of caches. The plugins
 * of a compilation have theirs in its metadata. "unknown" where the library was linked without. */
const char *tileirasGetBuildId(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEIRAS_COMPILER_TILEIRAS_C_H */
