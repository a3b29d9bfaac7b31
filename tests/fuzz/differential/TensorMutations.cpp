//===- TensorMutations.cpp - Bugs to plant around tensor memory -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes wrong around products whose sums are in tensor memory: loops of products by the profile o3-unspecialized on
// sm_100. "summed in tensor memory" has 128 x 64 sums in 64 columns, two instructions a stage, and eight warps; "summed
// in halves" has 64 rows; "multiplied again" has an operand in tensor memory, and "rounded by threads" one that threads
// store to shared memory. Each barrier of stages has its full one first, 16 bytes apart.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "PtxPatterns.h"

using namespace tileiras::fuzz;

static constexpr Mutation kTensorMutations[] = {
    // Columns.
    {"alloc-less", "half of the columns are taken", "(tcgen05\\.alloc.*\\], )64;", "\\g<1>32;", "",
     "summed in tensor memory"},
    {"never-freed", "a kernel keeps its columns", "tcgen05\\.dealloc[^;]*;", ";", "", "summed in tensor memory"},
    {"freed-twice", "a kernel gives its columns back twice", "(tcgen05\\.dealloc[^;]*;)", "\\1 \\1", "",
     "summed in tensor memory"},
    {"freed-less", "half of the columns are given back", "(tcgen05\\.dealloc.*, )64;", "\\g<1>32;", "",
     "summed in tensor memory"},
    {"freed-elsewhere", "other columns are given back", "(tcgen05\\.dealloc.*b32 )(%r[0-9]+)(, [0-9]+;)",
     "{ .reg .b32 other; add.u32 other, \\2, 32; \\1other\\3 }", "", "summed in tensor memory"},
    // Order.
    {"address-unawaited", "warps read where the columns are before it is written",
     "(tcgen05\\.fence::before_thread_sync;)\n.*bar\\.sync[^;]*;", "\\1", "", "summed in tensor memory", 1},
    {"store-unawaited", "a product starts before all warps have stored its sum",
     "(tcgen05\\.wait::st.*;)\n.*tcgen05\\.fence::before_thread_sync;\n.*bar\\.sync[^;]*;", "\\1", "",
     "summed in tensor memory"},
    {"store-not-complete", "nobody waits for what is stored in tensor memory", "tcgen05\\.wait::st.*;", ";", "",
     "summed in tensor memory"},
    {"load-not-complete", "nobody waits for what is loaded from tensor memory", "tcgen05\\.wait::ld.*;", ";", "",
     "summed in tensor memory"},
    {"fence-before-dropped", "what threads do with tensor memory is not known to come before the barrier",
     "tcgen05\\.fence::before_thread_sync;", ";", "", "summed in tensor memory"},
    {"fence-after-dropped", "what threads do with tensor memory is not known to come behind the wait",
     "tcgen05\\.fence::after_thread_sync;", ";", "", "summed in tensor memory"},
    {"sum-unawaited", "sums are loaded before their products are complete", "(tcgen05\\.commit.*)\\+0\\]; }",
     "\\1+8]; }", "", "summed in tensor memory"},
    // Stages.
    {"commit-dropped", "products release no stage", "@leader tcgen05\\.commit.*\\+8\\]; }", "}", "",
     "summed in tensor memory"},
    {"commit-of-sums-dropped", "nobody says that the products are complete", "@leader tcgen05\\.commit.*\\+0\\]; }",
     "}", "", "summed in tensor memory"},
    {"commit-full", "products arrive at the full barrier", patterns::kCommitOfStage, "\\1+0]", "",
     "summed in tensor memory"},
    {"commit-next-stage", "products release the stage behind", patterns::kCommitOfStage, "\\1+24]", "",
     "summed in tensor memory"},
    {"commit-by-all", "every lane commits", "@leader (tcgen05\\.commit)", "\\1", "", "summed in tensor memory"},
    {"stage-counts-warps", "a stage is free when the warps have passed it",
     "(mbarrier\\.init.*\\[%r[0-9]+\\+(8|24|40|56)\\], )5;", "\\g<1>4;", "", "summed in tensor memory"},
    {"stage-counts-more", "a stage waits for two commits", "(mbarrier\\.init.*\\[%r[0-9]+\\+(8|24|40|56)\\], )5;",
     "\\g<1>6;", "", "summed in tensor memory"},
    {"sums-count-two", "two commits are expected for the sums", "(mbarrier\\.init.*\\+16\\], )1;", "\\g<1>2;", "",
     "summed in tensor memory", 1},
    {"full-wait-dropped", "products start before their operands have arrived", patterns::kFullWait, "\\1", "",
     "summed in tensor memory"},
    // Products.
    {"product-by-all", "every lane starts the product", "@leader (tcgen05\\.mma)", "\\1", "",
     "summed in tensor memory"},
    {"product-by-nobody", "no lane is elected", "elect\\.sync _\\|leader, 0xffffffff; setp",
     "setp.ne.b32 leader, 0, 0; setp", "", "summed in tensor memory"},
    {"sum-starts-anew", "the second instruction of a stage forgets the first", patterns::kAddsToSum,
     "setp.ne.b32 sum, 0, 0;", "", "summed in tensor memory"},
    {"stage-starts-anew", "each stage forgets the one before", "setp\\.ne\\.b32 first, 1, 0;",
     "setp.ne.b32 first, 0, 0;", "", "summed in tensor memory"},
    {"sum-elsewhere", "products add to other columns", patterns::kAccumulator, "\\g<1>32]", "",
     "summed in tensor memory"},
    {"kind-columns", "half of the columns are computed", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 1572864;",
     "", "summed in tensor memory"},
    {"kind-rows", "half of the rows are computed", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 201326592;", "",
     "summed in tensor memory"},
    {"kind-negated", "the product is subtracted", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 8192;", "",
     "summed in tensor memory"},
    {"kind-major-a", "operand A is read along M", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 32768;", "",
     "summed in tensor memory"},
    {"kind-major-b", "operand B is read along K", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 65536;", "",
     "summed in tensor memory"},
    {"kind-type-a", "halves are read as bf16", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 128;", "",
     "summed in tensor memory"},
    {"kind-type-sum", "sums are halves", patterns::kInstructionKind, "\\1 xor.b32 kind, kind, 16;", "",
     "summed in tensor memory"},
    // Operands.
    {"descriptor-swizzle", "an operand is read with another swizzle",
     "or\\.b64[ \t]+(%rd[0-9]+), (%rd[0-9]+), (-?[0-9]{19});",
     "or.b64 \\1, \\2, \\3; xor.b64 \\1, \\1, 4611686018427387904;", "", "summed in tensor memory", 1},
    {"descriptor-version", "a descriptor is of the generation before",
     "or\\.b64[ \t]+(%rd[0-9]+), (%rd[0-9]+), (-?[0-9]{19});",
     "or.b64 \\1, \\2, \\3; xor.b64 \\1, \\1, 70368744177664;", "", "summed in tensor memory", 1},
    {"descriptor-stride", "rows of an operand are read from elsewhere",
     "or\\.b64[ \t]+(%rd[0-9]+), (%rd[0-9]+), (-?[0-9]{19});", "or.b64 \\1, \\2, \\3; xor.b64 \\1, \\1, 412316860416;",
     "", "summed in tensor memory", 1},
    {"descriptor-start", "an operand starts 16 bytes further", "or\\.b64[ \t]+(%rd[0-9]+), (%rd[0-9]+), (-?[0-9]{19});",
     "or.b64 \\1, \\2, \\3; add.u64 \\1, \\1, 1;", "", "summed in tensor memory", 2},
    {"step-of-a", "each instruction of a stage reads the same of A", "(add\\.s64 a[0-9]+, %rd[0-9]+), [1-9][0-9]*;",
     "\\1, 0;", "", "summed in tensor memory"},
    {"step-of-b", "each instruction of a stage reads the same of B", "(add\\.s64 b[0-9]+, %rd[0-9]+), [1-9][0-9]*;",
     "\\1, 0;", "", "summed in tensor memory"},
    // Between tensor memory and registers.
    {"load-column", "sums are loaded a column further", "(tcgen05\\.ld.*\\[%r[0-9]+)\\+0\\]", "\\1+1]", "",
     "summed in tensor memory"},
    {"store-column", "sums start a column further", "(tcgen05\\.st.*\\[%r[0-9]+)\\+0\\]", "\\1+1]", "",
     "summed in tensor memory"},
    {"quarter-of-warp", "all warps reach for the rows of the first",
     "and\\.b32([ \t]+%r[0-9]+, %r[0-9]+), 62914[0-9]+;", "and.b32 \\1, 32;", "", "summed in tensor memory"},
    // Of 64 rows, both halves of tensor memory are used.
    {"halves-apart", "64 rows are computed as if they took all columns", "tcgen05\\.mma\\.ws", "tcgen05.mma", "",
     "summed in halves"},
    {"halves-columns", "a quarter of the columns is in each half", patterns::kInstructionKind,
     "\\1 xor.b32 kind, kind, 3145728;", "", "summed in halves"},
    // Operand A in tensor memory.
    {"operand-step", "each instruction reads the same of A",
     "(tcgen05\\.mma[^[]*\\[[^]]*\\], \\[%r[0-9]+\\+)[1-9][0-9]*\\]", "\\g<1>0]", "", "multiplied again"},
    {"operand-elsewhere", "A is read from columns further", "(tcgen05\\.mma[^[]*\\[[^]]*\\], \\[%r[0-9]+\\+)0\\]",
     "\\g<1>8]", "", "multiplied again"},
    {"operand-unfenced", "the threads that store A do not wait for the product that reads what was there",
     // The last of several barriers that are asked at once.
     "mbarrier\\.try_wait.*complete([12]),.*\n((@complete.*\nWAIT.*\n.*\n.*\nNEXT.*\n)+)@complete[12] bra NEXT[12];"
     "(\nWAIT.*\n.*\n.*\nNEXT.*\n}\n.*fence::after_thread_sync;\n.*tcgen05\\.st)",
     "\\2bra NEXT\\1;\\4", "", "multiplied again", 0, 20},
    // Operand A in shared memory, as threads store it.
    {"operand-unseen", "tensor cores are not told of what threads have stored",
     "(st\\.shared\\.v4[^;]*;)\n.*fence\\.proxy\\.async\\.shared::cta;", "\\1", "", "rounded by threads"},
    {"operand-overwritten", "threads store to a stage that a product still reads", patterns::kEmptyWait, "\\1", "",
     "rounded by threads"},
    {"accumulator-unawaited", "sums are loaded before their products are complete",
     "@!complete bra WAIT;(\n}\n.*(\n.*)?fence::after_thread_sync;(\n.*)?(\n.*)?\n.*tcgen05\\.ld)", "\\1", "", ""},
};

/// "summed by groups" has 256 x 64 sums: each of two warpgroups starts the products of its 128 rows.
static constexpr Mutation kGroupMutations[] = {
    {"wait-unfinished", "of several barriers that are asked at once, one answer is not looked at",
     "@complete1 bra NEXT1;", "bra NEXT1;", "", "summed by groups"},
    {"group-unmet", "a product starts before all warps of its group have come", "bar\\.sync[ \t]+%r[0-9]+, 128;", ";",
     "", "summed by groups"},
    {"group-barrier-shared", "all groups meet at one barrier", "bar\\.sync[ \t]+%r[0-9]+, 128;", "bar.sync 3, 128;", "",
     "summed by groups"},
    {"group-without-leader", "nobody starts the products of the second group",
     "and\\.b32([ \t]+%r[0-9]+, %r[0-9]+), 3;", "and.b32 \\1, 7;", "", "summed by groups"},
    {"group-by-all-warps", "every warp of a group starts its products", "and\\.b32([ \t]+%r[0-9]+, %r[0-9]+), 3;",
     "and.b32 \\1, 0;", "", "summed by groups"},
    {"group-commit-uncounted", "a stage is free when one group has read it", "(mbarrier\\.init.*\\], )10;", "\\g<1>9;",
     "", "summed by groups"},
    {"group-commits-three", "a stage waits for the products of three groups", "(mbarrier\\.init.*\\], )10;",
     "\\g<1>11;", "", "summed by groups"},
    {"group-sums-unawaited", "sums are loaded before the products of the group are complete",
     "@!complete bra WAIT;(\n}\n.*(\n.*)?fence::after_thread_sync;(\n.*)?(\n.*)?\n.*tcgen05\\.ld)", "\\1", "",
     "summed by groups"},
};

llvm::ArrayRef<Mutation> tileiras::fuzz::getTensorMutations() {
  return kTensorMutations;
}

llvm::ArrayRef<Mutation> tileiras::fuzz::getGroupMutations() {
  return kGroupMutations;
}
