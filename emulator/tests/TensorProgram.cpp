//===- TensorProgram.cpp - A kernel around one tcgen05 instruction -------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorProgram.h"

namespace ptxemu::testing {

namespace {

/// $G: CTAs of the group, $S: bytes of shared memory, $C: columns, $W: words of a CTA's tensor memory.
constexpr const char *kText = R"(.version 8.8
.target $T
.address_size 64
.shared .align 1024 .b8 image[$S];
.shared .align 8 .b64 done;
.shared .align 4 .b32 where;
.visible .entry k(.param .u64 shared, .param .u64 tensor, .param .u64 pa, .param .u64 pb, .param .u32 pidesc, .param .u32 pp, .param .u64 pout)
.reqntid 128, 1, 1
$K
{
  .reg .b64 %a, %b, %state, %from, %to, %off;
  .reg .b32 %d, %idesc, %t, %i, %x, %r<4>, %rank, %window, %column;
  .reg .b16 %both;
  .reg .b32 %v<129>;
  .reg .b64 %out;
  .reg .pred %p, %q, %first;
  mov.u32 %t, %tid.x;
  mov.u32 %rank, %cluster_ctarank;
  ld.param.u64 %from, [shared];
  mul.wide.u32 %off, %rank, $S;
  add.u64 %from, %from, %off;
  shl.b32 %i, %t, 4;
COPY:
  setp.ge.u32 %q, %i, $S;
  @%q bra COPIED;
  cvt.u64.u32 %off, %i;
  add.u64 %to, %from, %off;
  ld.global.v4.b32 {%r0, %r1, %r2, %r3}, [%to];
  mov.u32 %x, image;
  add.u32 %x, %x, %i;
  st.shared.v4.b32 [%x], {%r0, %r1, %r2, %r3};
  add.u32 %i, %i, 2048;
  bra COPY;
COPIED:
  fence.proxy.async;
  setp.ge.u32 %q, %t, 32;
  @%q bra ALLOCATED;
  tcgen05.alloc.cta_group::$G.sync.aligned.shared::cta.b32 [where], 512;
  setp.ne.u32 %q, %t, 0;
  @%q bra ALLOCATED;
  mbarrier.init.shared.b64 [done], 1;
  fence.mbarrier_init.release.cluster;
ALLOCATED:
  bar.sync 0;
  ld.shared.u32 %d, [where];
  ld.param.u64 %from, [tensor];
  mul.wide.u32 %off, %rank, $W;
  add.u64 %from, %from, %off;
  mul.wide.u32 %off, %t, $L;
  add.u64 %from, %from, %off;
  shr.u32 %window, %t, 5;
  shl.b32 %window, %window, 21;
  add.u32 %window, %window, %d;
  mov.u32 %i, 0;
FILL:
  mul.wide.u32 %off, %i, 4;
  add.u64 %to, %from, %off;
  ld.global.b32 %r0, [%to];
  add.u32 %column, %window, %i;
  tcgen05.st.sync.aligned.32x32b.x1.b32 [%column], {%r0};
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, $C;
  @%q bra FILL;
  tcgen05.wait::st.sync.aligned;
  ld.param.u64 %out, [pout];
  $X
  tcgen05.fence::before_thread_sync;
  $B
  tcgen05.fence::after_thread_sync;
  or.b32 %x, %t, %rank;
  setp.ne.u32 %first, %x, 0;
  @%first bra ISSUED;
  ld.param.u64 %a, [pa];
  ld.param.u64 %b, [pb];
  mov.u32 %x, image;
  shr.u32 %x, %x, 4;
  cvt.u64.u32 %off, %x;
  add.u64 %a, %a, %off;
  add.u64 %b, %b, %off;
  ld.param.u32 %idesc, [pidesc];
  ld.param.u32 %x, [pp];
  setp.ne.u32 %p, %x, 0;
  $I
  $M
ISSUED:
  mbarrier.try_wait.parity.shared.b64 %q, [done], 0;
  @!%q bra ISSUED;
  tcgen05.fence::after_thread_sync;
  mov.u32 %i, 0;
DUMP:
  mul.wide.u32 %off, %i, 4;
  add.u64 %to, %from, %off;
  add.u32 %column, %window, %i;
  tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0}, [%column];
  tcgen05.wait::ld.sync.aligned;
  st.global.b32 [%to], %r0;
  add.u32 %i, %i, 1;
  setp.lt.u32 %q, %i, $C;
  @%q bra DUMP;
  tcgen05.fence::before_thread_sync;
  $B
  setp.ge.u32 %q, %t, 32;
  @%q bra END;
  tcgen05.dealloc.cta_group::$G.sync.aligned.b32 %d, 512;
END:
  ret;
}
)";

std::string substitute(std::string text, const std::string &key, const std::string &value) {
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + value.size()))
    text.replace(at, key.size(), value);
  return text;
}

} // namespace

std::string TensorProgram::text() const {
  bool pair = ctas == 2;
  std::string commit = "tcgen05.commit.cta_group::$G.mbarrier::arrive::one.shared::cluster";
  commit += pair ? ".multicast::cluster.b64 [done], %both;" : ".b64 [done];";
  std::string s = substitute(kText, "$I", instruction);
  s = substitute(s, "$X", everyThread);
  s = substitute(s, "$M", pair ? "mov.b16 %both, 3;\n  " + commit : commit);
  s = substitute(s, "$B", pair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" : "bar.sync 0;");
  s = substitute(s, "$K", pair ? ".reqnctapercluster 2, 1, 1" : "");
  s = substitute(s, "$G", std::to_string(ctas));
  s = substitute(s, "$S", std::to_string(shared[0].size()));
  s = substitute(s, "$W", std::to_string(tensor[0].words.size() * 4));
  s = substitute(s, "$L", std::to_string(tensor[0].columns * 4));
  s = substitute(s, "$C", std::to_string(tensor[0].columns));
  s = substitute(s, "$T", target);
  if (!from.empty())
    s.replace(s.find(from), from.size(), to);
  return s;
}

LaunchResult TensorProgram::run() {
  Run run(text());
  std::vector<uint8_t> bytes;
  std::vector<uint32_t> words;
  for (unsigned i = 0; i < ctas; ++i) {
    bytes.insert(bytes.end(), shared[i].begin(), shared[i].end());
    words.insert(words.end(), tensor[i].words.begin(), tensor[i].words.end());
  }
  uint64_t from = run.buffer(bytes, "shared"), image = run.buffer(words, "tensor");
  run.options = options;
  uint64_t results = run.buffer(out.empty() ? std::vector<uint32_t>(1) : out, "out");
  run.argument(from)
      .argument(image)
      .argument(a)
      .argument(b)
      .argument(descriptor)
      .argument(uint32_t(predicate))
      .argument(results);
  run.options.grid = {ctas, 1, 1};
  LaunchResult result = run.launch();
  words = run.read<uint32_t>(image, words.size());
  out = run.read<uint32_t>(results, out.size());
  for (unsigned i = 0; i < ctas; ++i)
    std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(i * tensor[i].words.size()), tensor[i].words.size(),
                tensor[i].words.begin());
  return result;
}

} // namespace ptxemu::testing
