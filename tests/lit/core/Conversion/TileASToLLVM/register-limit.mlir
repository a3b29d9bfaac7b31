// A hint leaves threads fewer registers than one instruction needs: the limit is raised. Agents that were to take
// registers beyond the lower limit have them from the launch then; nobody takes what he has, nor gives what nobody takes.
//
// REQUIRES: plugin-sm90
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-sm90.so --tileir-finalize-llvm-kernel | FileCheck %s

module attributes {nv_tileaa.target_spec = #nv_tileaa.target_spec<compute_capability = 90, chip = "sm_90">} {
  // CHECK-LABEL: llvm.func @all
  // CHECK-SAME: nvvm.maxnreg = 96 : i32
  // CHECK-NOT: nvvm.setmaxregister
  llvm.func @all(%c: i1, %x: f64) attributes {nvvm.kernel, nvvm.maxnreg = 56 : i32, nvvm.reqntid = array<i32: 384, 1, 1>} {
    llvm.cond_br %c, ^less, ^more
  ^less:
    nvvm.setmaxregister decrease 24
    llvm.br ^end
  ^more:
    nvvm.setmaxregister increase 72
    %0 = llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7, $8, $9, $10, $11}, {$12, $13, $14, $15}, {$16, $17, $18, $19};", "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d" %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
    llvm.br ^end
  ^end:
    llvm.return
  }

  // Some still take registers, which others have to give.
  // CHECK-LABEL: llvm.func @one
  // CHECK-SAME: nvvm.maxnreg = 96 : i32
  // CHECK: nvvm.setmaxregister decrease 24
  // CHECK-NOT: nvvm.setmaxregister increase 72
  // CHECK: nvvm.setmaxregister increase 160
  llvm.func @one(%c: i1, %d: i1, %x: f64) attributes {nvvm.kernel, nvvm.maxnreg = 56 : i32, nvvm.reqntid = array<i32: 384, 1, 1>} {
    llvm.cond_br %c, ^less, ^others
  ^less:
    nvvm.setmaxregister decrease 24
    llvm.br ^end
  ^others:
    llvm.cond_br %d, ^more, ^most
  ^more:
    nvvm.setmaxregister increase 72
    %0 = llvm.inline_asm "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {$0, $1, $2, $3}, {$4, $5, $6, $7, $8, $9, $10, $11}, {$12, $13, $14, $15}, {$16, $17, $18, $19};", "=d,=d,=d,=d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d,d" %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x, %x : (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) -> !llvm.struct<(f64, f64, f64, f64)>
    llvm.br ^end
  ^most:
    nvvm.setmaxregister increase 160
    llvm.br ^end
  ^end:
    llvm.return
  }

  // The limit is enough.
  // CHECK-LABEL: llvm.func @none
  // CHECK-SAME: nvvm.maxnreg = 56 : i32
  // CHECK: nvvm.setmaxregister decrease 24
  // CHECK: nvvm.setmaxregister increase 72
  llvm.func @none(%c: i1) attributes {nvvm.kernel, nvvm.maxnreg = 56 : i32, nvvm.reqntid = array<i32: 384, 1, 1>} {
    llvm.cond_br %c, ^less, ^more
  ^less:
    nvvm.setmaxregister decrease 24
    llvm.br ^end
  ^more:
    nvvm.setmaxregister increase 72
    llvm.br ^end
  ^end:
    llvm.return
  }
}
