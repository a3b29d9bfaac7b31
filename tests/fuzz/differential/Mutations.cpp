//===- Mutations.cpp - Bugs to plant --------------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace tileiras::fuzz;

static constexpr Mutation kMutations[] = {
    // Masks and bounds.
    {"inverted-store-mask", "a store happens where its mask is false", "@(%p[0-9]+) st(\\..*)global",
     "@!\\1 st\\2global", "pointer=30,view=30", ""},
    {"dropped-store-mask", "a store ignores its mask", "@%p[0-9]+ (st.*global)", "\\1", "pointer=30,view=30", ""},
    {"dropped-load-mask", "a load ignores its mask", "@%p[0-9]+ (ld.*global)", "\\1", "pointer=30,view=30", ""},
    {"bound-off-by-one", "an unsigned bound is inclusive", "setp\\.lt\\.u32", "setp.le.u32", "view=40", ""},
    {"signed-bound-off-by-one", "a signed comparison is inclusive", "setp\\.gt\\.s32", "setp.ge.s32",
     "view=20,compare=30", ""},
    {"inverted-branch", "a branch goes the other way", "@(%p[0-9]+) bra", "@!\\1 bra", "control=30", ""},
    // Threads, lanes, layouts.
    {"wrong-block", "the block's second coordinate in place of the first", "%ctaid\\.x", "%ctaid.y", "", ""},
    {"swapped-shuffle", "a butterfly shuffle at another distance", "(shfl\\.sync\\.bfly\\.b32 .*), 1, 31", "\\1, 2, 31",
     "reduce=60", ""},
    {"shuffle-direction", "a shuffle by number becomes one from above", "shfl\\.sync\\.idx", "shfl.sync.down",
     "shape=30,mma=20", ""},
    {"lane-mask", "half of the lanes of a warp", "and\\.b32 (.*), 31;", "and.b32 \\1, 15;", "shape=30,reduce=20", ""},
    {"missing-barrier", "no barrier between writing and reading shared memory", "bar\\.sync[^;]*;", "// barrier;",
     "reduce=30,shape=30", ""},
    {"shared-offset", "shared memory read one element further", "(ld\\.shared\\.b32 .*\\[%rd?[0-9]+)\\]", "\\1+4]",
     "shape=40,reduce=20", ""},
    {"shared-store-offset", "shared memory written one element further", "(st\\.shared\\.b32 *\t*\\[%rd?[0-9]+)\\]",
     "\\1+4]", "shape=40,reduce=20", ""},
    {"swapped-rows", "two rows of a matrix fragment change places",
     "(mma\\.sync.*f32\\.f16\\.f16\\.f32 *\\{[^}]*\\}, *\\{)(%r[0-9]+), (%r[0-9]+)", "\\1\\3, \\2", "mma=60", ""},
    {"swapped-sums", "two columns of the sums change places",
     "(mma\\.sync.*f32\\.f16\\.f16\\.f32 *\\{)(%[rf]+[0-9]+), (%[rf]+[0-9]+)", "\\1\\3, \\2", "mma=60", ""},
    {"extra-transpose", "a fragment is transposed as it is loaded", "(ldmatrix.*m8n8\\.x[24])\\.shared",
     "\\1.trans.shared", "mma=60", ""},
    {"byte-order", "bytes are put together in the other order", "prmt\\.b32 (.*), 0x5410U", "prmt.b32 \\1, 0x1054U",
     "convert=30,mma=20", ""},
    // Integers.
    {"unsigned-shift", "an arithmetic shift fills with zeros", "shr\\.s(8|16|32|64)", "shr.u\\1", "int=60", "shri i32"},
    {"unsigned-division", "a signed division reads its operands as unsigned", "div\\.s", "div.u", "int=80", "divi i32"},
    {"unsigned-maximum", "a signed maximum reads its operands as unsigned", "max\\.s32", "max.u32", "int=60",
     "maxi i32"},
    {"signed-high-product", "the high half of a signed product", "mul\\.hi\\.u32", "mul.hi.s32", "int=80",
     "mulhii i32"},
    {"zero-extension", "a signed byte is extended with zeros", "cvt\\.s(16|32|64)\\.s8", "cvt.u\\1.u8",
     "convert=40,int=20", "conversion i8 to i32"},
    {"wrapped-sum", "a difference in place of a sum", "add\\.s16", "sub.s16", "int=60", "addi i16"},
    {"swapped-select", "the operands of a selection change places", "selp\\.b32 (.*), (.*), (.*), (%p[0-9]+)",
     "selp.b32 \\1, \\3, \\2, \\4", "compare=40", ""},
    // Floating point.
    {"nearest-rounding", "a sum in a direction rounds to nearest", "(add|sub|mul|fma)\\.r[zmp]\\.f32", "\\1.rn.f32",
     "float=80", "addf f32"},
    {"truncated-quotient", "a quotient rounds to zero", "div\\.rn\\.f32", "div.rz.f32", "float=80", "divf f32"},
    {"truncated-conversion", "a conversion to 16 bits rounds to zero", "cvt\\.rn\\.(b?f16)\\.f32", "cvt.rz.\\1.f32",
     "convert=60,float=20", "conversion f32 to f16"},
    {"conversion-to-nearest", "a conversion to integers rounds to nearest", "cvt\\.rzi\\.", "cvt.rni.", "convert=60",
     "conversion f32 to i32"},
    {"ceiling", "a floor that is a ceiling", "cvt\\.rmi\\.", "cvt.rpi.", "float=80", "floor f32"},
    {"dropped-nan-rule", "an extremum ignores a NaN that it should propagate", "(max|min)\\.NaN\\.", "\\1.", "float=80",
     "maxf f32"},
    {"ordered-comparison", "an unordered comparison with NaN is false", "setp\\.(lt|gt|le|ge|eq|ne)u\\.f", "setp.\\1.f",
     "compare=60,float=20", "comparison f32"},
    {"dropped-sign", "a negation is an absolute value", "neg\\.f32", "abs.f32", "float=60", "negf f32"},
    {"subnormals-kept", "flush_to_zero is forgotten", "(add|sub|mul|fma)(\\.r[a-z])\\.ftz", "\\1\\2", "float=100",
     "addf f32"},
    // Memory.
    {"wrong-atomic", "an atomic sum is a maximum", "atom\\.(.*)add\\.u32", "atom.\\1max.u32", "atomic=60", ""},
    {"dropped-atomic", "an atomic operation is a plain load and store of the operand",
     "atom\\..*\\.add\\.(u32) .*(\\[.*\\]), (%r[0-9]+);", "st.global.\\1 \\2, \\3;", "atomic=60", ""},
    {"unordered-swap", "compare and swap writes what it compares with",
     "(atom.*cas\\.b32 .*\\]), (%r[0-9]+), (%r[0-9]+)", "\\1, \\2, \\2", "pointer=60", "atomic_cas_tko i32"},
};

llvm::ArrayRef<Mutation> tileiras::fuzz::getMutations() {
  return kMutations;
}

/// The lines of PTX; comments, which the compiler leaves around what is inline, are none.
static llvm::SmallVector<llvm::StringRef> splitLines(llvm::StringRef ptx) {
  llvm::SmallVector<llvm::StringRef> lines;
  ptx.split(lines, '\n');
  llvm::erase_if(lines, [](llvm::StringRef line) { return line.ltrim().starts_with("//"); });
  return lines;
}

bool tileiras::fuzz::plant(const Mutation &mutation, std::string &ptx) {
  llvm::Regex pattern(mutation.pattern, llvm::Regex::Newline);
  size_t height = mutation.lines ? mutation.lines : llvm::StringRef(mutation.pattern).count('\n') + 1;
  llvm::SmallVector<llvm::StringRef> lines = splitLines(ptx);
  std::string changed;
  unsigned matches = 0;
  bool isPlanted = false;
  for (size_t i = 0; i < lines.size();) {
    std::string text = llvm::join(llvm::ArrayRef(lines).slice(i, std::min(height, lines.size() - i)), "\n");
    llvm::SmallVector<llvm::StringRef> groups;
    bool isMatch = pattern.match(text, &groups);
    // What begins later may reach further than this text.
    if (isMatch && mutation.lines)
      isMatch = static_cast<size_t>(groups[0].data() - text.data()) <= lines[i].size();
    if (isMatch && (mutation.which == 0 || ++matches == mutation.which)) {
      text = pattern.sub(mutation.replacement, text);
      isPlanted = true;
    } else if (!isMatch) {
      text = lines[i].str();
    }
    changed += text + '\n';
    i += isMatch ? height : 1;
  }
  ptx = std::move(changed);
  return isPlanted;
}
