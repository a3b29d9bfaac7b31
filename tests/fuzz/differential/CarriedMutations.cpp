//===- CarriedMutations.cpp - Bugs to plant around carried tiles ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What goes wrong with tiles that loops carry around products (`--shapes carried`): registers of products that are on
// their way are used, on sm_90; sums in tensor memory are overwritten while an older value is still to be read, on
// sm_100.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "PtxPatterns.h"

using namespace tileiras::fuzz;

// One group of products: its last instruction, whose first and last registers are \2 and \3.
#define TILEIRAS_GROUP "(wgmma\\.mma_async[^{]*\\{(%r[0-9]+),[^}]* (%r[0-9]+)\\}.*wgmma\\.commit_group[^;]*;)"

static constexpr Mutation kFlightMutations[] = {
    // Waits.
    {"wait-dropped", "nobody waits for a product", patterns::kWaitForAllMmas, ";", "", "", 1},
    {"second-wait-dropped", "nobody waits for another product", patterns::kWaitForAllMmas, ";", "", "", 2},
    {"wait-leaves-one", "a wait leaves the product under way whose sum is read", patterns::kWaitForAllMmas,
     "wgmma.wait_group.sync.aligned 1;", "", ""},
    {"wait-after-a-copy", "a wait stands after the next instruction",
     "(.*wgmma\\.wait_group\\.sync\\.aligned.*)\n(.*;)", "\\2\n\\1", "", ""},
    // Between a product and its wait.
    {"first-register-copied", "the first register of a sum is copied while the product is on its way", TILEIRAS_GROUP,
     "\\1 { .reg .b32 copy; mov.b32 copy, \\2; }", "", ""},
    {"last-register-copied", "the last register of a sum is copied while the product is on its way", TILEIRAS_GROUP,
     "\\1 { .reg .b32 copy; mov.b32 copy, \\3; }", "", ""},
    {"copied-in-second", "the same, of another product", TILEIRAS_GROUP, "\\1 { .reg .b32 copy; mov.b32 copy, \\2; }",
     "", "", 2},
    {"register-replaced", "another value takes a register of the sum", TILEIRAS_GROUP, "\\1 mov.b32 \\2, 0;", "", ""},
    {"registers-exchanged", "two sums change places while one is on its way", TILEIRAS_GROUP,
     "\\1 { .reg .b32 copy; mov.b32 copy, \\2; mov.b32 \\2, \\3; mov.b32 \\3, copy; }", "", ""},
    {"halved-in-flight", "a sum is halved before its product is complete", TILEIRAS_GROUP,
     "\\1 mul.rn.f32 \\2, \\2, 0f3F000000;", "", ""},
    // Before a product.
    {"fence-dropped", "what threads write to a sum is not known to come before the product",
     "wgmma\\.fence\\.sync\\.aligned;", ";", "", ""},
    {"old-sum-lost", "a sum that has been changed begins anew", patterns::kAddsToSum, "setp.ne.b32 sum, 0, 0;", "", ""},
    {"old-sum-kept", "a sum that begins anew is what its registers have", "setp\\.ne\\.b32 zero, 0, 0;",
     "setp.ne.b32 zero, 1, 0;", "", ""},
};

#undef TILEIRAS_GROUP

static constexpr Mutation kOverwritingMutations[] = {
    // A tile where another one is.
    {"store-over-the-next", "a tile that is stored also overwrites the columns after its own",
     "(tcgen05\\.st[^[]*\\[%r[0-9]+\\+)0(\\], \\{[^}]*\\};)", "\\g<1>0\\2 \\g<1>32\\2", "", ""},
    {"store-over-another", "a tile that is stored also overwrites columns further on",
     "(tcgen05\\.st[^[]*\\[%r[0-9]+\\+)0(\\], \\{[^}]*\\};)", "\\g<1>0\\2 \\g<1>64\\2", "", ""},
    {"store-elsewhere", "a tile is stored where another sum is", "(tcgen05\\.st[^[]*\\[%r[0-9]+\\+)0\\]", "\\g<1>32]",
     "", "", 1},
    {"product-over-the-next", "a product begins in the columns of another sum", patterns::kAccumulator, "\\g<1>32]", "",
     "", 1},
    {"second-product-over-the-next", "another product does", patterns::kAccumulator, "\\g<1>32]", "", "", 2},
    {"next-loaded", "another sum is loaded in place of this one", "(tcgen05\\.ld.*\\[%r[0-9]+\\+)0\\]", "\\g<1>32]", "",
     "", 1},
    {"next-loaded-later", "another sum is loaded by a later load", "(tcgen05\\.ld.*\\[%r[0-9]+\\+)0\\]", "\\g<1>32]",
     "", "", 2},
    // A value that has been changed, or is older.
    {"store-dropped", "a sum is not what it begins as", "tcgen05\\.st\\.[^;]*;", ";", "", "", 1},
    {"second-store-dropped", "a sum is not what it has been changed to", "tcgen05\\.st\\.[^;]*;", ";", "", "", 2},
    {"third-store-dropped", "another sum is not what it has been changed to", "tcgen05\\.st\\.[^;]*;", ";", "", "", 3},
    {"stores-dropped", "sums are never what they have been changed to", "tcgen05\\.st\\.[^;]*;", ";", "", ""},
    {"older-register-loaded", "two registers of a sum change places", "(tcgen05\\.ld[^{]*\\{)(%r[0-9]+), (%r[0-9]+)",
     "\\1\\3, \\2", "", "", 1},
    {"older-register-stored", "a sum becomes what another register has", "(tcgen05\\.st[^{]*\\{)(%r[0-9]+), (%r[0-9]+)",
     "\\1\\3, \\3", "", ""},
    // A product that begins, or is complete, in another way.
    {"product-forgets-sum", "a sum that has been changed begins anew", "setp\\.ne\\.b32 first, 1, 0;",
     "setp.ne.b32 first, 0, 0;", "", ""},
    {"product-keeps-sum", "a sum that begins anew is what its columns have", "setp\\.ne\\.b32 first, (0|%r[0-9]+), 0;",
     "setp.ne.b32 first, 1, 0;", "", ""},
    {"store-unawaited", "a product starts before its sum has been stored", "tcgen05\\.wait::st[^;]*;", ";", "", ""},
};

llvm::ArrayRef<Mutation> tileiras::fuzz::getFlightMutations() {
  return kFlightMutations;
}

llvm::ArrayRef<Mutation> tileiras::fuzz::getOverwritingMutations() {
  return kOverwritingMutations;
}
