// REQUIRES: plugin-sm90
// RUN: tileiras %s --gpu-name sm_90 --emit=llvm-dialect -o - | FileCheck %s

// Every element that does not hold is printed with its index; then the first thread that fails ends the kernel.
// CHECK-DAG: llvm.mlir.global internal constant @[[FORMAT:.*]]("%s [%d, 0, %d]\0A\00")
// CHECK-DAG: llvm.mlir.global internal constant @[[MESSAGE:.*]]("out of \22range\22\00")
// CHECK-LABEL: llvm.func @k
// CHECK: llvm.lshr
// CHECK: llvm.call @vprintf
// CHECK: nvvm.barrier
// CHECK: llvm.call @__assertfail
cuda_tile.module @m {
  entry @k(%n: tile<i32>) {
    %i = iota : tile<8192xi32>
    %r = reshape %i : tile<8192xi32> -> tile<64x1x128xi32>
    %a = reshape %n : tile<i32> -> tile<1x1x1xi32>
    %b = broadcast %a : tile<1x1x1xi32> -> tile<64x1x128xi32>
    %ok = cmpi not_equal %r, %b, signed : tile<64x1x128xi32> -> tile<64x1x128xi1>
    assert %ok, "out of \22range\22" : tile<64x1x128xi1>
    return
  }
}
