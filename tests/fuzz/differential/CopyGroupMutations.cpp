//===- CopyGroupMutations.cpp - Bugs to plant around groups of cp.async ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes wrong around pipelines of GPUs without barriers that count bytes (sm_80 to sm_89): loops of products by the
// profile o3. An iteration of "copied by rows" waits for a group, meets at a barrier, refills the stage that the
// iteration before has read, commits, and reads its own; copies of 16 bytes, four stages 2048 bytes apart. "copied for
// two loops" has a second loop, whose stages hold two steps: the fragments of each are read before the products of the
// step before, those of the next iteration behind its wait. "in tensor memory" has five stages on sm_80. "copied by
// threads" copies 4 bytes at a time, and stages what it stores where the ring was; "loaded by threads" stores to its
// stages; "stored in parts" has no room for a second stage on sm_86.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"

using namespace tileiras::fuzz;

#define TILEIRAS_WAIT "(.*cp\\.async\\.wait_group [0-9]+;)"
#define TILEIRAS_BARRIER "(.*bar\\.sync[^;]*;)"
#define TILEIRAS_COMMIT "(.*cp\\.async\\.commit_group;)"
// A copy: its guard is \1, what stands before the number of bytes \2, what says that it is of zeros \4.
#define TILEIRAS_COPY                                                                                                  \
  "@(%p[0-9]+) (cp\\.async\\.c[ag]\\.shared\\.global \\[[^]]*\\], \\[[^]]*\\]), ([0-9]+), (%p[0-9]+);"

static constexpr Mutation kCopyGroupMutations[] = {
    // Waits.
    {"wait-leaves-one-more", "a wait leaves the group in flight whose stage is read", "cp\\.async\\.wait_group 2;",
     "cp.async.wait_group 3;", "", "copied by rows"},
    {"wait-dropped", "nobody waits for a group", TILEIRAS_WAIT, "", "", "copied by rows"},
    {"first-wait-dropped", "fragments are read before the loop without a wait", TILEIRAS_WAIT, "", "",
     "in tensor memory", 1},
    {"next-wait-dropped", "fragments of the next iteration are read without a wait", TILEIRAS_WAIT, "", "",
     "in tensor memory", 2},
    {"wait-of-other-loop", "the second loop's waits leave as many groups as the first's", "cp\\.async\\.wait_group 2;",
     "cp.async.wait_group 3;", "", "copied for two loops"},
    {"wait-behind-barrier", "a thread waits after the barrier that tells the others",
     TILEIRAS_WAIT "\n" TILEIRAS_BARRIER, "\\2\n\\1", "", "copied by rows"},
    {"wait-before-commit", "the newest group is committed behind the wait that counts it",
     TILEIRAS_COMMIT "\n" TILEIRAS_WAIT, "\\2\n\\1", "", "in tensor memory"},
    {"wait-of-a-warp", "one warp waits for what all have copied", "cp\\.async\\.wait_group ([0-9]+;)",
     "{ .reg .pred one; .reg .b32 thread; mov.u32 thread, %tid.x; setp.lt.u32 one, thread, 32; "
     "@one cp.async.wait_group \\1 }",
     "", "copied by rows"},
    {"fragments-before-wait", "the next iteration's first fragment is read before the wait for its group",
     "(.*mma\\.sync.*)\n" TILEIRAS_COMMIT "\n" TILEIRAS_WAIT "\n" TILEIRAS_BARRIER "\n((.*\n){0,25}.*ldmatrix[^;]*;)",
     "\\1\n\\2\n\\5\n\\3\n\\4", "", "in tensor memory", 0, 32},
    // Commits.
    {"commit-dropped", "an iteration's copies are not committed", "cp\\.async\\.commit_group;\n(.*shl)", "\n\\1", "",
     "copied by rows"},
    {"first-commit-dropped", "the first two stages are one group", TILEIRAS_COMMIT, "", "", "copied by rows", 1},
    {"commit-only-of-copies", "an iteration that copies nothing commits no group",
     "(@%p[0-9]+) (cp\\.async\\.c[ag].*)\n.*cp\\.async\\.commit_group;", "\\1 \\2\n\\1 cp.async.commit_group;", "",
     "copied by rows"},
    {"commit-before-last-copy", "a stage's last copy belongs to the next group",
     "(.*cp\\.async\\.c[ag].*)\n" TILEIRAS_COMMIT, "\\2\n\\1", "", "copied by rows"},
    // Barriers.
    {"barrier-dropped", "a thread reads what others have waited for", TILEIRAS_BARRIER, "", "", "copied by rows"},
    {"first-barrier-dropped", "fragments are read before the loop without a barrier", TILEIRAS_BARRIER, "", "",
     "in tensor memory", 1},
    {"next-barrier-dropped", "fragments of the next iteration are read without a barrier", TILEIRAS_BARRIER, "", "",
     "in tensor memory", 2},
    {"barrier-of-a-warp", "the warps that share a stage do not meet", TILEIRAS_BARRIER, "bar.warp.sync -1;", "",
     "copied by rows"},
    {"barrier-of-half", "half of the warps meet", TILEIRAS_BARRIER, "bar.sync 0, 64;", "", "copied by rows"},
    {"barrier-behind-refill", "a stage is refilled before all have read it",
     TILEIRAS_WAIT "\n" TILEIRAS_BARRIER "\n((.*\n){0,25}.*cp\\.async\\.commit_group;)", "\\1\n\\3\n\\2", "",
     "copied by rows", 0, 32},
    {"barrier-behind-reads", "a stage that threads have stored is read before the barrier",
     TILEIRAS_BARRIER "\n((.*\n){0,15}.*ldmatrix[^;]*;)", "\\2\n\\1", "", "loaded by threads", 0, 17},
    {"single-stage-refilled", "the only stage is refilled while others read it",
     TILEIRAS_BARRIER "\n((.*\n){0,15}.*cp\\.async\\.c[ag])", "\\2", "", "stored in parts", 0, 17},
    {"staging-over-reads", "what is stored is staged where others still read the ring",
     TILEIRAS_BARRIER "\n((.*\n){0,15}.*st\\.shared)", "\\2", "", "copied by threads", 0, 17},
    // Stages.
    {"copy-to-next-stage", "a copy goes to the stage behind its own", "(shl\\.b32[ \t]+(%r[0-9]+), %r[0-9]+, 11;)",
     "\\1 add.s32 \\2, \\2, 2048;", "", "copied by rows", 1},
    {"read-of-next-stage", "a product reads the stage behind its own", "(shl\\.b32[ \t]+(%r[0-9]+), %r[0-9]+, 11;)",
     "\\1 add.s32 \\2, \\2, 2048;", "", "copied by rows", 2},
    {"copies-stay", "copies do not go on to the next stage",
     "(add\\.s32[ \t]+%r[0-9]+, %r[0-9]+, )1;\n(.*shr\\.u32.*, 2;)", "\\g<1>0;\n\\2", "", "copied by rows", 1},
    {"reads-stay", "products do not go on to the next stage",
     "(add\\.s32[ \t]+%r[0-9]+, %r[0-9]+, )1;\n(.*shr\\.u32.*, 2;)", "\\g<1>0;\n\\2", "", "copied by rows", 2},
    {"copies-wrap-late", "the ring of copies has a stage more", "(setp\\.eq\\.b32[ \t]+%p[0-9]+, %r[0-9]+, )5;",
     "\\g<1>6;", "", "in tensor memory", 1},
    {"reads-wrap-late", "the ring of reads has a stage more", "(setp\\.eq\\.b32[ \t]+%p[0-9]+, %r[0-9]+, )5;",
     "\\g<1>6;", "", "in tensor memory", 2},
    {"copies-wrap-early", "the ring of copies has a stage less", "(setp\\.eq\\.b32[ \t]+%p[0-9]+, %r[0-9]+, )5;",
     "\\g<1>4;", "", "in tensor memory", 1},
    {"stage-stride", "stages overlap", "(shl\\.b32[ \t]+%r[0-9]+, %r[0-9]+, )11;", "\\g<1>10;", "", "copied by rows"},
    {"first-stage-twice", "the second step is copied over the first", "(add\\.s32[ \t]+%r[0-9]+, %r[0-9]+, )2048;",
     "\\g<1>0;", "", "copied by rows", 1},
    // Zeros beyond the edge.
    {"fill-forgotten", "copies are whole beyond the edge", TILEIRAS_COPY, "@\\1 \\2, \\3;", "", "copied by rows"},
    {"fill-stale", "a copy of nothing leaves what the stage had", TILEIRAS_COPY,
     "{ .reg .pred whole; not.pred whole, \\4; and.pred whole, whole, \\1; @whole \\2, \\3; }", "", "copied by rows"},
    {"fill-stale-in-loop", "beyond the edge the loop's copies leave what an earlier iteration copied",
     TILEIRAS_COPY "\n((.*\n){0,9}.*)" TILEIRAS_COPY "\n(.*commit_group;\n.*shl)",
     "{ .reg .pred whole; not.pred whole, \\4; and.pred whole, whole, \\1; @whole \\2, \\3; }\n"
     "\\5{ .reg .pred whole; not.pred whole, \\g<10>; and.pred whole, whole, \\7; @whole \\8, \\9; }\n\\g<11>",
     "", "copied by rows", 0, 14},
    {"fill-inverted", "what lies inside is zero", TILEIRAS_COPY,
     "{ .reg .pred other; not.pred other, \\4; @\\1 \\2, \\3, other; }", "", "copied by rows"},
    {"fill-of-one-dimension", "only one dimension's edge is looked at",
     "or\\.pred[ \t]+(%p[0-9]+), (%p[0-9]+), %p[0-9]+;\n(.*cp\\.async)", "mov.pred \\1, \\2;\n\\3", "",
     "copied by rows"},
    {"fill-bound-stays", "what is left of the matrix does not get less", "(add\\.s64[ \t]+%rd[0-9]+, %rd[0-9]+, )-16;",
     "\\g<1>0;", "", "copied by rows"},
    // What is copied, and where to.
    {"copies-past-the-end", "iterations copy that have no iteration to copy for",
     TILEIRAS_COPY "\n((.*\n){0,9}.*)" TILEIRAS_COPY "\n(.*commit_group;\n.*shl)",
     "\\2, \\3, \\4;\n\\5\\8, \\9, \\g<10>;\n\\g<11>", "", "copied by threads", 0, 14},
    {"half-copied", "half of each piece is copied", TILEIRAS_COPY,
     "{ .reg .b32 less; selp.b32 less, 0, 8, \\4; @\\1 \\2, \\3, less; }", "", "copied by rows"},
    {"words-overlap", "pieces of 4 bytes are copied as 8", "(cp\\.async\\.ca.*), 4, (%p[0-9]+);", "\\1, 8, \\2;", "",
     "copied by threads"},
    {"source-stays", "each iteration copies the same of an operand", "(add\\.s64[ \t]+%rd[0-9]+, %rd[0-9]+, )32;",
     "\\g<1>0;", "", "copied by rows", 2},
    {"source-late", "the loop's copies are a step behind", "(add\\.s64[ \t]+%rd[0-9]+, %rd[0-9]+, )96;", "\\g<1>64;",
     "", "copied by rows", 1},
    {"swizzle-of-copies", "copies do not swizzle what products read swizzled",
     "xor\\.b32[ \t]+(%r[0-9]+), (%r[0-9]+), %r[0-9]+;", "mov.b32 \\1, \\2;", "", "copied by rows", 2},
    {"swizzle-of-reads", "products do not swizzle what is copied swizzled",
     "xor\\.b32[ \t]+(%r[0-9]+), (%r[0-9]+), %r[0-9]+;", "mov.b32 \\1, \\2;", "", "copied by rows", 3},
    // Fragments.
    {"fragment-of-first-step", "the second step reads the fragments of the first", "(ldmatrix.*\\[%rd[0-9]+)\\+2048\\]",
     "\\1]", "", "in tensor memory"},
    {"fragments-of-this-stage", "the next iteration's fragments are read from this one's stage",
     "selp\\.b32[ \t]+(%r[0-9]+), %r[0-9]+, (%r[0-9]+), (%p[0-9]+);\n(.*shl\\.b32.*, 13;)", "mov.b32 \\1, \\2;\n\\4",
     "", "in tensor memory"},
    {"fragment-dropped", "a fragment of the next iteration is not read",
     "(.*mma\\.sync.*)\n.*ldmatrix[^;]*\\[%rd[0-9]+\\];\n(.*mma\\.sync.*)", "\\1\n\\2", "", "in tensor memory", 3},
};

#undef TILEIRAS_WAIT
#undef TILEIRAS_BARRIER
#undef TILEIRAS_COMMIT
#undef TILEIRAS_COPY
#undef TILEIRAS_COLUMN_COPY

llvm::ArrayRef<Mutation> tileiras::fuzz::getCopyGroupMutations() {
  return kCopyGroupMutations;
}
