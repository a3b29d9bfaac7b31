/*===- tileiras-run.h - Kernels without a GPU, as a C library ------*- C -*-===*\
|*                                                                            *|
|* Part of the tileiras project, under the Apache License v2.0 with LLVM      *|
|* Exceptions.                                                                *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/
/*
 * One launch on this machine's processor:
 *
 *   TileirasRunBuffer buffers[] = {{x, xBytes, "x"}, {y, yBytes, "y"}};
 *   TileirasRunArgument arguments[] = {{.buffer = 0}, {.buffer = 1}, {.buffer = -1, .value = &n, .size = sizeof n}};
 *   TileirasRun run = TILEIRAS_RUN_INIT;
 *   run.kernel = ptx; run.kernelSize = strlen(ptx);
 *   run.grid[0] = 64; // tile blocks
 *   run.buffers = buffers; run.bufferCount = 2; run.arguments = arguments; run.argumentCount = 3;
 *   if (tileirasRunOnEmulator(&run) != TILEIRAS_RUN_SUCCESS)
 *     fprintf(stderr, "%s\n", tileirasRunGetErrorText());
 *
 * Buffers are copied to the launch's own memory, where every one stands alone: what leaves it is found. After a run
 * without mistakes their contents are copied back; after any other they are as before.
 *
 * All functions may be called from several threads at once. They return when the launch has ended; callbacks are called
 * on the thread that called.
 */

#ifndef TILEIRAS_RUN_TILEIRAS_RUN_H
#define TILEIRAS_RUN_TILEIRAS_RUN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum TileirasRunStatus {
  TILEIRAS_RUN_SUCCESS = 0,
  TILEIRAS_RUN_ERROR_INVALID_ARGUMENT = 1, /* a null pointer, an empty grid, a buffer that there is not */
  TILEIRAS_RUN_ERROR_BAD_INPUT = 2,        /* the kernel cannot be read, or the launch does not fit it */
  TILEIRAS_RUN_ERROR_KERNEL = 3,           /* the kernel does not run clean: findingCallback has been told why */
  TILEIRAS_RUN_ERROR_INTERRUPTED = 4,      /* by tileirasInterruptSet */
  TILEIRAS_RUN_ERROR_NO_ESTIMATE = 5, /* there is no such machine, or the model has no time for this kernel on it */
  TILEIRAS_RUN_ERROR_ALLOCATION = 6
} TileirasRunStatus;

/* A mistake that was found. Strings are valid during the callback; none is null. */
typedef struct TileirasFinding {
  const char *kind;        /* "data-race", "out-of-bounds", …; of the interpreter: "error" */
  const char *message;     /* one or two sentences */
  const char *text;        /* all that is known of it, in lines, for people */
  const char *file;        /* of the source; empty where it is not known */
  uint32_t line, column;   /* 0 where they are not known */
  uint32_t ptxLine;        /* 0: none */
  const char *instruction; /* of the PTX, or the name of the operation; may be empty */
  uint64_t seed;           /* that replays it on the emulator */
  int isWarning;
} TileirasFinding;

typedef void (*TileirasFindingCallback)(const TileirasFinding *finding, void *userData);
/* What the kernel prints. `text` is not null-terminated. */
typedef void (*TileirasOutputCallback)(const char *text, size_t size, void *userData);

typedef struct TileirasRunBuffer {
  void *data; /* read, and written when the run has ended */
  size_t size;
  const char *name; /* for messages; may be null */
  /* Of the interpreter: how far an element that a conforming implementation computes may be from the one in `data`; not
   * finite: as far as it likes. There is room for size / boundStride numbers, or null. */
  double *bounds;
  size_t boundStride; /* bytes of an element */
} TileirasRunBuffer;

typedef struct TileirasRunArgument {
  ptrdiff_t buffer;  /* the argument is an address in this buffer; negative: it is a value */
  uint64_t offset;   /* bytes from its beginning */
  const void *value; /* of a value: `size` bytes, as many as the parameter has */
  size_t size;
  const char *type; /* for the interpreter, which checks it: "i32", "f32", …; null: any of this size */
} TileirasRunArgument;

/* Ends a run from another thread. May be used for several. */
typedef struct TileirasInterrupt TileirasInterrupt;
TileirasInterrupt *tileirasInterruptCreate(void); /* null: there is no memory */
void tileirasInterruptSet(TileirasInterrupt *interrupt);
void tileirasInterruptRelease(TileirasInterrupt *interrupt); /* null is allowed */

/* Start from TILEIRAS_RUN_INIT. */
typedef struct TileirasRun {
  size_t structSize; /* sizeof(TileirasRun) of the caller */

  const void *kernel; /* PTX; for the interpreter Tile IR, as bytecode or text */
  size_t kernelSize;
  const char *kernelName; /* for messages; may be null */
  const char *entry;      /* null: the only one */
  uint32_t grid[3];       /* x, y, z: tile blocks of our kernels, CTAs of PTX written by hand */
  uint32_t block[3];      /* threads of a CTA, of PTX written by hand that does not say it; else zeros */
  uint32_t cluster[3];    /* CTAs of a cluster, likewise */
  uint32_t dynamicShared; /* bytes, likewise */

  const TileirasRunBuffer *buffers;
  size_t bufferCount;
  const TileirasRunArgument *arguments; /* one a parameter of the program */
  size_t argumentCount;

  /* Of the emulator. */
  uint64_t seed;              /* which of the possible interleavings */
  int skipsRaces;             /* not 0: races and missing fences are not looked for, which is several times as fast */
  int skipsUninitialized;     /* not 0: reads of what was never written are not looked for */
  int isStrict;               /* not 0: the letter of the PTX ISA, where hardware and common software demand less */
  const char *const *allowed; /* kinds that are warnings; none is null */
  size_t allowedCount;
  uint32_t mostFindings; /* the run goes on, where that makes sense, until there are so many; 0: 1 */
  uint32_t threads;      /* of this machine, that run it; changes no result; 0: 1 */

  TileirasFindingCallback findingCallback;
  TileirasOutputCallback outputCallback; /* null: what is printed is dropped */
  void *userData;
  const TileirasInterrupt *interrupt; /* may be null */
} TileirasRun;

/* clang-format off */
#define TILEIRAS_RUN_INIT {.structSize = sizeof(TileirasRun), .grid = {1, 1, 1}, .seed = 1}
/* clang-format on */

/* Runs PTX on the emulator. Block, cluster and shared memory of our kernels, and the tensor maps that they take, are
 * what their metadata say, which the compiler leaves in the PTX. */
TileirasRunStatus tileirasRunOnEmulator(const TileirasRun *run);

/* Runs Tile IR on the reference interpreter. */
TileirasRunStatus tileirasRunOnInterpreter(const TileirasRun *run);

/* Says how long the launch would take on a machine ("h100-sxm"; a file of figures, which ends in .toml), by the
 * emulator's clock: a model. `registers`: of a thread, as the assembler says; 0: an estimate counts. Buffers stay as
 * they are. *json is the text that `ptx-emulator time --json` writes, null-terminated, until this thread calls a
 * function of the library; null on error. */
TileirasRunStatus tileirasRunEstimate(const TileirasRun *run, const char *machine, uint32_t registers,
                                      const char **json);

/* Makes a page (HTML) that shows a compilation and estimates of its launches; it needs no other file, and no network.
 * `compilation`: what tileirasProgramGetReport gives, or null; `estimates`: what tileirasRunEstimate gives. *html is
 * null-terminated, until this thread calls a function of the library; null on error. */
TileirasRunStatus tileirasRunMakePage(const char *title, const char *compilation, const char *const *estimates,
                                      size_t estimateCount, const char **html);

/* The names of the machines, one a line; valid as long as the library is loaded. */
const char *tileirasRunGetMachines(void);

/* Of the last call on this thread: what went wrong, and why; empty after a success. Valid until the next call. */
const char *tileirasRunGetErrorText(void);

#ifdef __cplusplus
}
#endif

#endif /* TILEIRAS_RUN_TILEIRAS_RUN_H */
