//===- Coverage.cpp - Which instruction forms the tests have run ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coverage.h"
#include "Ast.h"
#include "Decoder.h"
#include <algorithm>
#include <map>
#include <set>

namespace ptxemu::testing {

namespace {

/// The forms of the ISA, {a|b|} being a choice: written from its syntax boxes, not from what the tests loop over.
const char *const kForms[] = {
    // 9.7.1 Integer arithmetic
    "add.{u16|u32|u64|s16|s32|s64|u16x2|s16x2}",
    "add.sat.s32",
    "sub.{u16|u32|u64|s16|s32|s64}",
    "sub.sat.s32",
    "mul.{hi|lo}.{u16|u32|u64|s16|s32|s64}",
    "mul.wide.{u16|u32|s16|s32}",
    "mad.{hi|lo}.{u16|u32|u64|s16|s32|s64}",
    "mad.wide.{u16|u32|s16|s32}",
    "mad.hi.sat.s32",
    "mul24.{hi|lo}.{u32|s32}",
    "mad24.{hi|lo}.{u32|s32}",
    "mad24.hi.sat.s32",
    "sad.{u16|u32|u64|s16|s32|s64}",
    "{div|rem}.{u16|u32|u64|s16|s32|s64}",
    "{abs|neg}.{s16|s32|s64}",
    "{min|max}.{u16|u32|u64|u16x2|s16|s64|s16x2|s32}",
    "{min|max}.relu.{s16x2|s32}",
    "popc.{b32|b64}",
    "clz.{b32|b64}",
    "bfind{.shiftamt|}.{u32|u64|s32|s64}",
    "fns.b32",
    "brev.{b32|b64}",
    "bfe.{u32|u64|s32|s64}",
    "bfi.{b32|b64}",
    "szext.{clamp|wrap}.{u32|s32}",
    "bmsk.{clamp|wrap}.b32",
    "dp4a.{u32|s32}.{u32|s32}",
    "dp2a.{lo|hi}.{u32|s32}.{u32|s32}",
    // 9.7.2 Extended precision
    "{add|sub}.cc.{u32|s32|u64|s64}",
    "{addc|subc}{.cc|}.{u32|s32|u64|s64}",
    "mad.{hi|lo}.cc.{u32|s32|u64|s64}",
    "madc.{hi|lo}.cc.{u32|s32|u64|s64}",
    "madc.lo.{u32|s32|u64|s64}",
    // 9.7.3 Floating point
    "testp.{finite|infinite|number|notanumber|normal|subnormal}.{f32|f64}",
    "copysign.{f32|f64}",
    "{add|sub|mul}{.rn|.rz|.rm|.rp|}{.ftz|}{.sat|}.f32",
    "{add|sub|mul}{.rn|.rz|.rm|.rp|}{.ftz|}.f32x2",
    "{add|sub|mul}{.rn|.rz|.rm|.rp|}.f64",
    "{fma|mad}.{rn|rz|rm|rp}{.ftz|}{.sat|}.f32",
    "fma.{rn|rz|rm|rp}{.ftz|}.f32x2",
    "{fma|mad}.{rn|rz|rm|rp}.f64",
    "div.{approx|full}{.ftz|}.f32",
    "{div|rcp|sqrt}.{rn|rz|rm|rp}{.ftz|}.f32",
    "{div|rcp|sqrt}.{rn|rz|rm|rp}.f64",
    "{abs|neg}{.ftz|}.f32",
    "{abs|neg|min|max}.f64",
    "{min|max}{.ftz|}{.NaN|}{.xorsign.abs|.abs|}.f32",
    "{rcp|sqrt|rsqrt|sin|cos|lg2|ex2}.approx{.ftz|}.f32",
    "rcp.approx.ftz.f64",
    "rsqrt.approx{.ftz|}.f64",
    "tanh.approx.f32",
    // 9.7.4, 9.7.5 Half and mixed precision
    "{add|sub|mul}{.rn|}{.ftz|}{.sat|}.{f16|f16x2}",
    "{add|sub|mul}{.rn|}.{bf16|bf16x2}",
    "fma.rn{.ftz|}{.sat|.relu|}.{f16|f16x2}",
    "fma.rn{.relu|}.{bf16|bf16x2}",
    "fma.rn.oob{.relu|}.{f16|f16x2|bf16|bf16x2}",
    "{abs|neg}{.ftz|}.{f16|f16x2}",
    "{abs|neg}.{bf16|bf16x2}",
    "{min|max}{.ftz|}{.NaN|}{.xorsign.abs|}.{f16|f16x2}",
    "{min|max}{.NaN|}{.xorsign.abs|}.{bf16|bf16x2}",
    "tanh.approx.{f16|f16x2|bf16|bf16x2}",
    "ex2.approx.{f16|f16x2}",
    "ex2.approx.ftz.{bf16|bf16x2}",
    "{add|sub}{.rn|.rz|.rm|.rp|}{.sat|}.f32.{f16|bf16}",
    "fma.{rn|rz|rm|rp}{.sat|}.f32.{f16|bf16}",
    // 9.7.6, 9.7.7 Comparison and selection
    "set.{eq|ne|lt|le|gt|ge}{.and|.or|.xor|}.{u32|s32|f32|f16|bf16}.{u16|u32|u64|s16|s32|s64|f64}",
    "set.{equ|neu|ltu|leu|gtu|geu|num|nan}{.and|.or|.xor|}{.ftz|}.{u32|s32|f32|f16}.f32",
    "set.{eq|ltu|num}{.ftz|}.{u16|s16|u32|s32}.f16",
    "set.{eq|ltu|num}.{u16|s16|u32|s32}.bf16",
    "set.{eq|nan}{.ftz|}.{f16x2|u32|s32}.f16x2",
    "set.{eq|nan}.{bf16x2|u32|s32}.bf16x2",
    "setp.{eq|ne}{.and|.or|.xor|}.{b16|b32|b64}",
    "setp.{eq|ne|lt|le|gt|ge|lo|ls|hi|hs}{.and|.or|.xor|}.{u16|u32|u64}",
    "setp.{eq|ne|lt|le|gt|ge}{.and|.or|.xor|}.{s16|s32|s64}",
    "setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}{.and|.or|.xor|}{.ftz|}.{f32|f16|f16x2}",
    "setp.{eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan}{.and|.or|.xor|}.{f64|bf16|bf16x2}",
    "selp.{b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64}",
    "slct.{b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64}.s32",
    "slct{.ftz|}.{b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64}.f32",
    // 9.7.8 Logic and shift
    "{and|or|xor|not}.{pred|b16|b32|b64}",
    "cnot.{b16|b32|b64}",
    "lop3.b32",
    "lop3.{or|and}.b32",
    "shf.{l|r}.{clamp|wrap}.b32",
    "shl.{b16|b32|b64}",
    "shr.{b16|b32|b64|u16|u32|u64|s16|s32|s64}",
    "prmt.b32{.f4e|.b4e|.rc8|.ecl|.ecr|.rc16|}",
    // 9.7.9 Data movement and conversion
    "mov.{pred|b16|b32|b64|b128|u16|u32|u64|s16|s32|s64|f32|f64}",
    "shfl.sync.{up|down|bfly|idx}.b32",
    "ld{.weak|.volatile|.relaxed.cta|.relaxed.gpu|.relaxed.sys|.acquire.cluster|.acquire.sys|}{.global|}{.v2|.v4|}.{b8|"
    "b16|b32|u8|u16|u32|s8|s16|s32|f32}",
    "ld{.global|}{.v2|.v4|}.{b64|u64|s64|f64}",
    "ld.global{.nc|}.v8.{b32|u32|s32|f32}",
    "ld.{shared|shared::cta|shared::cluster|local}.{b8|u16|s32|f64}",
    "st{.weak|.volatile|.relaxed.cta|.relaxed.gpu|.release.cluster|.release.sys|}{.global|.shared|}{.v2|.v4|}.{b8|b16|"
    "b32|u8|u16|u32|s8|s16|s32|f32}",
    "st{.global|.shared|.local|}.{b64|u64|s64|f64}",
    "st.global.v8.b32",
    "{ld|st}.global.b128",
    "ld.const.v2.u32",
    "ld.param.u64",
    "ldu.global{.v2|.v4|}.b32",
    "ld.mmio.relaxed.sys.global.b32",
    "st.async{.weak|}.shared::cluster.mbarrier::complete_tx::bytes.{b32|u32|s32|f32|b64|u64|s64|f64|v2.b32|v4.u32|v2."
    "b64}",
    "st.async.release.{gpu|sys}.global.{b32|u32|s32|f32}",
    "st.bulk{.weak.shared::cta|.shared::cta|}",
    "multimem.ld_reduce{.weak|.relaxed.gpu|.acquire.sys|}.global.{add|min|max}.{u32|s32|u64|f16x2|bf16x2|e4m3x4|"
    "e5m2x4}",
    "multimem.ld_reduce.global.add{.acc::f32|}.{f16x2|bf16x2}",
    "multimem.st{.weak|.relaxed.gpu|.release.sys|}.global.{u32|s32|u64|s64|b32|b64|f32|f64|f16x2|bf16x2}",
    "multimem.red.release.sys.global.add.u32",
    "prefetch{.global|}.{L1|L2}",
    "prefetch.global.L2::{evict_last|evict_normal}",
    "prefetchu.L1",
    "prefetch.tensormap",
    "applypriority{.global|}.L2::evict_normal",
    "discard{.global|}.L2",
    "createpolicy.fractional.L2::{evict_first|evict_unchanged}.b64",
    "createpolicy.range.global.L2::evict_last.b64",
    "createpolicy.cvt.L2.b64",
    "isspacep.{global|shared|local|const|shared::cluster|param}",
    "cvta.{shared|shared::cta|shared::cluster|local|global|const|param}.u64",
    "cvta.to.{shared|shared::cta|shared::cluster|local|global}.u64",
    "{alloca|stacksave|stackrestore}.u64",
    "cvt{.sat|}.{u8|s8}.{u16|s16|u32|s32|u64|s64}",
    "cvt.{u64|s64}.{u8|s8|u16|s16|u32|s32}",
    "cvt.{rni|rzi|rmi|rpi}{.sat|}.{u8|u16|u32|u64|s8|s16|s32|s64}.{f16|f32|f64}",
    "cvt.{rni|rzi|rmi|rpi}.{u8|u16|u32|u64|s8|s16|s32|s64}.bf16",
    "cvt.{rn|rz|rm|rp}{.sat|}.{f16|f32|f64}.{u8|u16|u32|u64|s8|s16|s32|s64}",
    "cvt.{rn|rz|rm|rp}.bf16.{u8|u16|u32|u64|s8|s16|s32|s64}",
    "cvt.{rn|rz|rm|rp}{.ftz|}.{f16|bf16}.f32",
    "cvt.{rn|rz|rm|rp}{.ftz|}{.sat|}.f32.f64",
    "cvt.{rn|rz|rm|rp}.{f16|bf16}.f64",
    "cvt.{rn|rz}{.relu|}{.satfinite|}.{f16x2|bf16x2}.f32",
    "cvt.{rn|rz}.{relu|satfinite|relu.satfinite}.{f16|bf16}.f32",
    "cvt.rs{.relu|}{.satfinite|}.{f16x2|bf16x2}.f32",
    "cvt.rna{.satfinite|}.tf32.f32",
    "cvt.{rn|rz}{.satfinite|}{.relu|}.tf32.f32",
    "cvt.rn.satfinite{.relu|}.{e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2}.f32",
    "cvt.rn.satfinite{.relu|}.{e4m3x2|e5m2x2}.f16x2",
    "cvt.rn{.relu|}.f16x2.{e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2}",
    "cvt.rs{.relu|}.satfinite.{e4m3x4|e5m2x4|e2m1x4|e2m3x4|e3m2x4}.f32",
    "cvt.{rz|rp}{.satfinite|}.ue8m0x2.{f32|bf16x2}",
    "cvt.rn.bf16x2.ue8m0x2",
    "cvt.pack.sat.{u16|s16}.s32",
    "cvt.pack.sat.{u2|s2|u4|s4|u8|s8}.s32.b32",
    // 9.7.9.25 to 9.7.9.27 Asynchronous copies
    "cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.shared::cluster.global.mbarrier::complete_tx::bytes",
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes",
    "cp.async.bulk.tensor.{3d|5d}.shared::cta.global.im2col.mbarrier::complete_tx::bytes",
    "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes",
    "cp.async.bulk.tensor.{3d|4d|5d}.shared::cluster.global.{im2col::w|im2col::w::128}.mbarrier::complete_tx::bytes",
    "cp.async.bulk.tensor.{1d|2d|3d|4d|5d}.global.shared::cta.bulk_group",
    "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group",
    "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group",
    "cp.reduce.async.bulk.tensor.2d.global.shared::cta.{add|min|max|inc|dec|and|or|xor}.bulk_group",
    // 9.7.13 Synchronisation
    "atom{.global|.shared|.shared::cta|.shared::cluster|}.{and|or|xor|exch|cas}.{b32|b64}",
    "atom{.global|.shared|}.cas.{b16|b128}",
    "{atom|red}{.global|.shared|.shared::cta|.shared::cluster|}.add.{u32|s32|u64|f32|f64}",
    "{atom|red}{.global|.shared|}.add.noftz.{f16|f16x2|bf16|bf16x2}",
    "{atom|red}{.global|.shared|}.{inc|dec}.u32",
    "{atom|red}{.global|.shared|}.{min|max}.{u32|s32|u64|s64}",
    "{atom|red}{.global|}.add.{v2|v4}.f32",
    "{atom|red}{.global|}.{add|min|max}.noftz.{v2|v4|v8}.{f16|bf16}",
    "{atom|red}{.global|}.{add|min|max}.noftz.{v2|v4}.{f16x2|bf16x2}",
    "atom{.relaxed|.acquire|.release|.acq_rel|}{.cta|.cluster|.gpu|.sys|}.global.add.u32",
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.{inc|dec|min|max|add}.u32",
    "red.async.release.{gpu|sys}.global.add.u32",
    "vote.sync.{all|any|uni}.pred",
    "vote.sync.ballot.b32",
    "match.{any|all}.sync.{b32|b64}",
    "activemask.b32",
    "redux.sync.{add|min|max}.{u32|s32}",
    "redux.sync.{and|or|xor}.b32",
    "redux.sync.{min|max}{.abs|}{.NaN|}.f32",
    "elect.sync",
    "griddepcontrol.{launch_dependents|wait}",
    // 9.7.14.4 wmma
    "wmma.load.a.sync.aligned.row.{m16n16k16|m8n32k16|m32n8k16}.global.f16",
    "wmma.load.a.sync.aligned.col.{m16n16k16|m8n32k16|m32n8k16}.f16",
    "wmma.load.b.sync.aligned.{row|col}.{m16n16k16|m8n32k16|m32n8k16}{.global|}.f16",
    "wmma.load.{a|b}.sync.aligned.{row|col}.{m16n16k16|m8n32k16|m32n8k16}.global.{s8|u8}",
    "wmma.load.a.sync.aligned.row.{m16n16k16|m8n32k16|m32n8k16}.global.bf16",
    "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32",
    "wmma.load.{a|b}.sync.aligned.{row|col}.m8n8k4.global.f64",
    "wmma.load.a.sync.aligned.row.m8n8k32.global.{s4|u4}",
    "wmma.load.a.sync.aligned.row.m8n8k128.global.b1",
    "wmma.load.c.sync.aligned.row.{m16n16k16|m8n32k16|m32n8k16}.global.{f16|f32|s32}",
    "wmma.store.d.sync.aligned.row.{m16n16k16|m8n32k16|m32n8k16}.global.{f16|f32|s32}",
    "wmma.store.d.sync.aligned.row.m16n16k8.global.f32",
    "wmma.store.d.sync.aligned.row.m8n8k4.global.f64",
    "wmma.store.d.sync.aligned.row.{m8n8k32|m8n8k128}.global.s32",
    "wmma.mma.sync.aligned.{row.row|row.col|col.row|col.col}.{m16n16k16|m8n32k16|m32n8k16}.{f16.f16|f32.f32}",
    "wmma.mma.sync.aligned.row.col.{m16n16k16|m8n32k16|m32n8k16}.f32.bf16.bf16.f32",
    "wmma.mma.sync.aligned.row.col.{m16n16k16|m8n32k16|m32n8k16}.{s32.s8.s8.s32|s32.u8.u8.s32}",
    "wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32",
    "wmma.mma.sync.aligned.row.col.m8n8k4{.rn|.rz|.rm|.rp|}.f64.f64.f64.f64",
    "wmma.mma.sync.aligned.row.col.m8n8k32.{s32.s4.s4.s32|s32.u4.u4.s32}{.satfinite|}",
    "wmma.mma.{xor|and}.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32",
    // 9.7.18 Video
    "{vadd|vsub|vabsdiff|vmin|vmax}.{u32|s32}.{u32|s32}.{u32|s32}{.sat|}",
    "{vadd|vsub|vabsdiff|vmin|vmax}.{u32|s32}.{u32|s32}.{u32|s32}.sat.min",
    "vadd.s32.s32.s32.{add|max}",
    "{vshl|vshr}.{u32|s32}.{u32|s32}.u32.sat.{clamp|wrap}",
    "vset.{u32|s32}.{u32|s32}.{eq|ne|lt|le|gt|ge}{.add|}",
    "vmad.s32.s32.s32{.sat|}{.shr7|.shr15|.po|}",
    "{vadd|vsub|vavrg|vabsdiff|vmin|vmax}2.{u32|s32}.{u32|s32}.{u32|s32}{.sat|.add|}",
    "{vadd|vsub|vavrg|vabsdiff|vmin|vmax}4.{u32|s32}.{u32|s32}.{u32|s32}{.sat|.add|}",
    "{vset2|vset4}.{u32|s32}.{u32|s32}.{eq|ne|lt|le|gt|ge}{.add|}",
};

/// Choices written out.
void expand(const std::string &pattern, std::vector<std::string> &into) {
  size_t open = pattern.find('{');
  if (open == std::string::npos) {
    into.push_back(pattern);
    return;
  }
  size_t close = pattern.find('}', open);
  for (size_t at = open + 1; at <= close;) {
    size_t end = std::min(pattern.find('|', at), close);
    expand(pattern.substr(0, open) + pattern.substr(at, end - at) + pattern.substr(close + 1), into);
    at = end + 1;
  }
}

/// The opcode and its modifiers in order of the alphabet: their order in the text means nothing.
std::string keyOf(const std::string &opcode, std::vector<std::string> modifiers) {
  std::sort(modifiers.begin(), modifiers.end());
  std::string key = opcode;
  for (const std::string &m : modifiers)
    key += m;
  return key;
}

std::string keyOf(const std::string &mnemonic) {
  std::vector<std::string> parts;
  size_t dot = mnemonic.find('.');
  std::string opcode = mnemonic.substr(0, dot);
  while (dot != std::string::npos) {
    size_t end = mnemonic.find('.', dot + 1);
    parts.push_back(mnemonic.substr(dot, end - dot));
    dot = end;
  }
  return keyOf(opcode, parts);
}

std::map<std::string, std::set<std::string>> &recorded() {
  static std::map<std::string, std::set<std::string>> forms;
  return forms;
}

} // namespace

void recordForms(const Module &module) {
  for (const ast::Function &f : module.ast().functions)
    for (const ast::Instruction &i : f.body)
      recorded()[i.opcode].insert(keyOf(i.opcode, i.modifiers));
}

bool reportCoverage(std::ostream &out) {
  bool complete = true;
  std::map<std::string, unsigned> required;
  for (const char *pattern : kForms) {
    std::vector<std::string> forms;
    expand(pattern, forms);
    for (const std::string &form : forms) {
      std::string key = keyOf(form), opcode = form.substr(0, form.find('.'));
      ++required[opcode];
      if (recorded()[opcode].count(key))
        continue;
      out << "no test runs " << form << "\n";
      complete = false;
    }
  }
  out << "forms run, and forms the table demands, an opcode:\n";
  std::set<std::string> opcodes;
  for (const auto &[opcode, decode] : opcodeTable())
    opcodes.insert(opcode);
  for (const std::string &opcode : opcodes) {
    size_t n = recorded()[opcode].size();
    out << "  " << opcode << ": " << n << ", " << required[opcode] << "\n";
    complete &= n > 0;
    if (n == 0)
      out << "no test runs " << opcode << "\n";
  }
  return complete;
}

} // namespace ptxemu::testing
