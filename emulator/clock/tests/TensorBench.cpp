//===- TensorBench.cpp - Pieces of kernels that use tcgen05 ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorBench.h"

namespace ptxemu::timing::testing {

unsigned TensorForm::descriptor() const {
  const unsigned m = isPair ? 256 : 128;
  if (!isScaled())
    return 1u << 4 | (n >> 3) << 17 | (m >> 4) << 24; // sums of f32; f16 or e4m3
  const bool is4Bit = std::string(kind) != "mxf8f6f4";
  const unsigned types = is4Bit ? 1u << 7 | 1u << 10 : 1u << 23; // e2m1, factors of ue4m3; or e4m3, factors of ue8m0
  return types | (n >> 3) << 17 | (m >> 7) << 27;
}

std::string TensorForm::text() const {
  std::string text = "@%p2 tcgen05.mma" + group() + ".kind::" + kind;
  if (isScaled())
    text += std::string(".block_scale") + (std::string(kind) == "mxf8f6f4" ? ".scale_vec::1X" : ".scale_vec::4X");
  text += " [%r10], " + std::string(aInTensorMemory ? "[%r12]" : "%rd1") + ", %rd2, %r11, ";
  return text + (isScaled() ? "[%r12], [%r13], " : "") + "%p3;";
}

BenchKernel startTensorKernel(const TensorForm &f, unsigned columns) {
  BenchKernel k;
  k.target = "sm_100a";
  k.shared = 65536;
  if (f.isPair)
    k.grid = k.cluster = 2;
  const std::string all = std::to_string(columns);
  k.body = "mov.u32 %r20, bar; setp.eq.u32 %p1, %i, 0; setp.eq.u32 %p2, %i, 0; setp.eq.u32 %p3, %i, 0;\n"
           "@%p1 mbarrier.init.shared.b64 [%r20], 1; fence.mbarrier_init.release.cluster;\n";
  if (f.isPair)
    k.body += "mov.u32 %r21, %cluster_ctarank; setp.eq.and.u32 %p2, %r21, 0, %p1;\n"
              "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
  k.body += "tcgen05.alloc" + f.group() + ".sync.aligned.shared::cta.b32 [%r20+64], " + all +
            ";\ntcgen05.relinquish_alloc_permit" + f.group() + ".sync.aligned;\n" +
            (f.isPair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" : "bar.sync 0;\n") +
            "ld.shared.b32 %r10, [%r20+64]; add.u32 %r12, %r10, 256; add.u32 %r13, %r10, 288;\nmov.u32 %r11, " +
            std::to_string(f.descriptor()) +
            "; mov.u32 %r1, s; shr.u32 %r1, %r1, 4; cvt.u64.u32 %rd1, %r1; or.b64 %rd1, %rd1, 0x4000404000010000;\n"
            "add.u64 %rd2, %rd1, 1024; mov.b16 %h1, 3;\n";
  return k;
}

std::string commitAndWait(const TensorForm &f, unsigned phase) {
  const std::string label = "done" + std::to_string(phase);
  return "@%p2 tcgen05.commit" + f.group() + ".mbarrier::arrive::one.shared::cluster" +
         (f.isPair ? ".multicast::cluster.b64 [%r20], %h1;\n" : ".b64 [%r20];\n") + label +
         ":\nmbarrier.try_wait.parity.shared.b64 %p1, [%r20], " + std::to_string(phase % 2) + ";\n@!%p1 bra " + label +
         ";\ntcgen05.fence::after_thread_sync;\n";
}

std::string endTensorKernel(const TensorForm &f, unsigned columns) {
  return std::string(f.isPair ? "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n" : "bar.sync 0;\n") +
         "tcgen05.dealloc" + f.group() + ".sync.aligned.b32 %r10, " + std::to_string(columns) + ";\n";
}

std::string registerList(unsigned first, unsigned count, const std::string &name) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + name + std::to_string(first + i);
  return text + "}";
}

} // namespace ptxemu::timing::testing
