// Tile blocks are counted from the end of an axis along which loops get longer.
//
// REQUIRES: plugin-cluster
// RUN: tileiras-opt %s --load-plugin=%plugins/tileiras-cluster.so --pass-pipeline='builtin.module(nv_tileaa.func(tileaa-longest-first))' \
// RUN:   --remarks-filter=block-order --remark-policy=all --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

#spec = #nv_tileaa.kernel_spec<num_warps = 4>

// As with a causal mask: of the block's last row, in steps.
// CHECK-LABEL: nv_tileaa.func @causal(
// CHECK: get_program_id x descending
// CHECK: get_program_id y{{$}}
// REMARK: Function=causal | Remark="tile blocks are launched from the end of axis x: their loops have more iterations there"
nv_tileaa.func @causal(%out: !nv_tileaa.ptr<f32>, %most: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c63 = arith.constant 63 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %x = nv_tileaa.get_program_id x
  %y = nv_tileaa.get_program_id y
  %behind = arith.addi %x, %c1 : i32
  %rows = arith.muli %behind, %c128 : i32
  %seen = arith.minsi %rows, %most : i32
  %up = arith.addi %seen, %c63 : i32
  %steps = arith.divsi %up, %c64 : i32
  scf.for %i = %c0 to %steps step %c1 : i32 {
    nv_tileaa.print "%d\n", %y : i32
  }
  nv_tileaa.return
}

// From the block's own place to an end that all have: the first have most to do.
// CHECK-LABEL: nv_tileaa.func @falling(
// CHECK-NOT: descending
nv_tileaa.func @falling(%end: i32) attributes {kernel_spec = #spec} {
  %c1 = arith.constant 1 : i32
  %x = nv_tileaa.get_program_id x
  scf.for %i = %x to %end step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  nv_tileaa.return
}

// As many for all: a window of rows, along both axes.
// CHECK-LABEL: nv_tileaa.func @window(
// CHECK-NOT: descending
nv_tileaa.func @window(%size: i32) attributes {kernel_spec = #spec} {
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %x = nv_tileaa.get_program_id x
  %y = nv_tileaa.get_program_id y
  %last = arith.addi %y, %c4 : i32
  scf.for %i = %y to %last step %c1 : i32 {
    nv_tileaa.print "%d\n", %x : i32
  }
  nv_tileaa.return
}

// Masked blocks follow those that are not: together they are as many as the rows before.
// CHECK-LABEL: nv_tileaa.func @parts(
// CHECK: get_program_id y descending
// REMARK: Function=parts | Remark="tile blocks are launched from the end of axis y
nv_tileaa.func @parts(%most: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %y = nv_tileaa.get_program_id y
  %row = arith.muli %y, %c64 : i32
  %whole = arith.minsi %most, %row : i32
  %last = arith.addi %row, %c64 : i32
  %masked = arith.minsi %most, %last : i32
  scf.for %i = %c0 to %whole step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  scf.for %i = %whole to %masked step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  nv_tileaa.return
}

// A loop that gets longer, and one that gets shorter.
// CHECK-LABEL: nv_tileaa.func @both(
// CHECK-NOT: descending
nv_tileaa.func @both(%end: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileaa.get_program_id x
  scf.for %i = %c0 to %x step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  scf.for %i = %x to %end step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  nv_tileaa.return
}

// Of a loop around it: longer in later tile blocks, on the average.
// CHECK-LABEL: nv_tileaa.func @nested(
// CHECK: get_program_id z descending
// REMARK: Function=nested | Remark="tile blocks are launched from the end of axis z
nv_tileaa.func @nested(%factor: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %z = nv_tileaa.get_program_id z
  scf.for %i = %c0 to %z step %c1 : i32 {
    scf.for %j = %c0 to %i step %c1 : i32 {
      nv_tileaa.print "%d\n", %j : i32
    }
  }
  nv_tileaa.return
}

// A factor whose sign nobody knows, and a remainder.
// CHECK-LABEL: nv_tileaa.func @unknown(
// CHECK-NOT: descending
nv_tileaa.func @unknown(%factor: i32) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c8 = arith.constant 8 : i32
  %x = nv_tileaa.get_program_id x
  %y = nv_tileaa.get_program_id y
  %often = arith.muli %x, %factor : i32
  %rest = arith.remsi %y, %c8 : i32
  scf.for %i = %c0 to %often step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  scf.for %i = %c0 to %rest step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  nv_tileaa.return
}

// Who waits for the tile block before it counts on the order of the grid.
// CHECK-LABEL: nv_tileaa.func @waits(
// CHECK-NOT: descending
nv_tileaa.func @waits(%flag: tensor<1x!nv_tileaa.ptr<i32>>) attributes {kernel_spec = #spec} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %x = nv_tileaa.get_program_id x
  %token = nv_tileaa.create_mem_token
  %seen, %read = nv_tileaa.load acquire gpu %flag token(%token) : tensor<1x!nv_tileaa.ptr<i32>> -> tensor<1xi32>
  scf.for %i = %c0 to %x step %c1 : i32 {
    nv_tileaa.print "%d\n", %i : i32
  }
  nv_tileaa.return
}
