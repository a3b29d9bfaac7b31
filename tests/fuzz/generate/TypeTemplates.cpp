//===- TypeTemplates.cpp - A program for each operation -------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TypeTemplates.h"

// A line `# OPERATION [-> RESULT] [except TYPE]` begins a program; the indented lines behind it define %r, of
// tile<RESULT> (default 8x$T). `%a`, `%b` and `%c` are tile<8x$T> (-4 … 4, 1 … 3 and 1 … 2), `%cell` points to eight
// more elements, `%cell_bytes` to bytes. A line that begins with `global` stands before the kernel.
//   $T  the element type                   $A  tile<8x$T>
//   $1  the number one                     $S  a distance to shift by
//   $W  a type of the same width           $P  the bytes that eight elements fill
//   $Q  `%p`, pointers to the cells        $R  `%r`, the cells read back after `%t`
//   $M  the largest integer                $N  one that is 10 less
const char tileiras::fuzz::kTypeTemplates[] = R"(
// Arithmetic
# absf
  %r = absf %a : $A
# negf
  %r = negf %a : $A
# ceil
  %r = ceil %a : $A
# floor
  %r = floor %a : $A
# log
  %r = log %b : $A
# log2
  %r = log2 %b : $A
# sin
  %r = sin %a : $A
# cos
  %r = cos %a : $A
# tan
  %r = tan %a : $A
# sinh
  %r = sinh %a : $A
# cosh
  %r = cosh %a : $A
# tanh
  %r = tanh %a : $A
# tanh
  %r = tanh %a rounding<approx> : $A
# exp
  %r = exp %a : $A
# exp
  %r = exp %a rounding<approx> : $A
# exp2
  %r = exp2 %a : $A
# exp2
  %r = exp2 %a flush_to_zero : $A
# sqrt
  %r = sqrt %b : $A
# sqrt
  %r = sqrt %b rounding<approx> : $A
# rsqrt
  %r = rsqrt %b : $A
# rsqrt
  %r = rsqrt %b flush_to_zero : $A
# addf
  %r = addf %a, %b : $A
# addf
  %r = addf %a, %b rounding<zero> flush_to_zero : $A
# subf
  %r = subf %a, %b : $A
# mulf
  %r = mulf %a, %b : $A
# divf
  %r = divf %a, %b : $A
# divf
  %r = divf %a, %b rounding<full> : $A
# divf
  %r = divf %a, %b rounding<approx> : $A
# remf
  %r = remf %a, %b : $A
# fma
  %r = fma %a, %b, %c : $A
# maxf
  %r = maxf %a, %b : $A
# minf
  %r = minf %a, %b propagate_nan : $A
# atan2
  %r = atan2 %a, %b : $A
# pow
  %r = pow %b, %c : $A
# fpowi
  %n = constant <i32: 3> : tile<8xi32>
  %r = fpowi %a, %n : $A, tile<8xi32> -> $A
# cmpf -> 8xi1
  %r = cmpf less_than ordered %a, %b : $A -> tile<8xi1>
# absi
  %r = absi %a : $A
# negi
  %r = negi %a : $A
# addi
  %r = addi %a, %b : $A
# subi
  %r = subi %a, %b : $A
# muli
  %r = muli %a, %b : $A
# mulhii
  %r = mulhii %a, %b : $A
# divi except i1
  %r = divi %a, %b signed : $A
# divi
  %r = divi %a, %b unsigned : $A
# remi
  %r = remi %a, %b signed : $A
# remi
  %r = remi %a, %b unsigned : $A
# andi
  %r = andi %a, %b : $A
# ori
  %r = ori %a, %b : $A
# xori
  %r = xori %a, %b : $A
# shli
  %n = constant <$T: $S> : $A
  %r = shli %a, %n : $A
# shri
  %n = constant <$T: $S> : $A
  %r = shri %a, %n signed : $A
# shri
  %n = constant <$T: $S> : $A
  %r = shri %a, %n unsigned : $A
# maxi
  %r = maxi %a, %b signed : $A
# maxi
  %r = maxi %a, %b unsigned : $A
# mini
  %r = mini %a, %b signed : $A
# mini
  %r = mini %a, %b unsigned : $A
# cmpi -> 8xi1
  %r = cmpi less_than %a, %b, signed : $A -> tile<8xi1>
# cmpi -> 8xi1
  %r = cmpi less_than %a, %b, unsigned : $A -> tile<8xi1>
// Conversions
# bitcast -> 8x$W
  %r = bitcast %a : $A -> tile<8x$W>
# pack -> $Pxi8
  %r = pack %a : $A -> tile<$Pxi8>
# unpack
  %bytes = pack %a : $A -> tile<$Pxi8>
  %r = unpack %bytes : tile<$Pxi8> -> $A
# exti -> 8xi64
  %r = exti %a signed : $A -> tile<8xi64>
# exti -> 8xi64
  %r = exti %a unsigned : $A -> tile<8xi64>
# exti -> 8xi8
  %r = exti %a signed : $A -> tile<8xi8>
# trunci -> 8xi8
  %r = trunci %a : $A -> tile<8xi8>
# trunci -> 8xi4
  %r = trunci %a : $A -> tile<8xi4>
# trunci -> 8xi1
  %r = trunci %a : $A -> tile<8xi1>
# itof -> 8xf32
  %r = itof %a signed : $A -> tile<8xf32>
# itof -> 8xf64
  %r = itof %a unsigned : $A -> tile<8xf64>
# itof -> 8xbf16
  %r = itof %b signed : $A -> tile<8xbf16>
# itof -> 8xf8E4M3FN
  %r = itof %b signed : $A -> tile<8xf8E4M3FN>
# ftoi -> 8xi32
  %r = ftoi %a signed : $A -> tile<8xi32>
# ftoi -> 8xi8
  %r = ftoi %b unsigned : $A -> tile<8xi8>
# ftoi -> 8xi64
  %r = ftoi %a signed : $A -> tile<8xi64>
# ftof -> 8xf16
  %r = ftof %a : $A -> tile<8xf16>
# ftof -> 8xbf16
  %r = ftof %a : $A -> tile<8xbf16>
# ftof -> 8xf32
  %r = ftof %a : $A -> tile<8xf32>
# ftof -> 8xtf32
  %r = ftof %a : $A -> tile<8xtf32>
# ftof -> 8xf64
  %r = ftof %a : $A -> tile<8xf64>
# ftof -> 8xf8E4M3FN
  %r = ftof %a : $A -> tile<8xf8E4M3FN>
# ftof -> 8xf8E5M2
  %r = ftof %a : $A -> tile<8xf8E5M2>
# ftof -> 8xf8E8M0FNU
  %r = ftof %c rounding<positive_inf> : $A -> tile<8xf8E8M0FNU>
# ftof -> 8xf4E2M1FN
  %r = ftof %a : $A -> tile<8xf4E2M1FN>
# int_to_ptr -> $T
  %w = ptr_to_int %cell : tile<ptr<$T>> -> tile<i64>
  %q = int_to_ptr %w : tile<i64> -> tile<ptr<$T>>
  %r, %t = load_ptr_tko weak %q : tile<ptr<$T>> -> tile<$T>, token
# ptr_to_int -> 8xi64
  $Q
  %w = ptr_to_int %p : tile<8xptr<$T>> -> tile<8xi64>
  %v = ptr_to_int %p8 : tile<8xptr<$T>> -> tile<8xi64>
  %r = subi %w, %v : tile<8xi64>
# ptr_to_ptr -> i8
  %q = ptr_to_ptr %cell : tile<ptr<$T>> -> tile<ptr<i8>>
  %r, %t = load_ptr_tko weak %q : tile<ptr<i8>> -> tile<i8>, token
// Tiles
# constant
  %r = constant <$T: $1> : $A
# iota
  %r = iota : $A
# broadcast -> 8x4x$T
  %x = reshape %a : $A -> tile<8x1x$T>
  %r = broadcast %x : tile<8x1x$T> -> tile<8x4x$T>
# reshape -> 2x2x2x$T
  %r = reshape %a : $A -> tile<2x2x2x$T>
# permute -> 4x2x$T
  %x = reshape %a : $A -> tile<2x4x$T>
  %r = permute %x [1, 0] : tile<2x4x$T> -> tile<4x2x$T>
# extract -> 4x$T
  %one = constant <i32: 1> : tile<i32>
  %r = extract %a[%one] : $A -> tile<4x$T>
# insert
  %one = constant <i32: 1> : tile<i32>
  %x = extract %b[%zero] : $A -> tile<4x$T>
  %r = insert %x, %a[%one] : tile<4x$T>, $A -> $A
# cat -> 16x$T
  %r = cat %a, %b dim = 0 : $A, $A -> tile<16x$T>
# select
  %n = iota : tile<8xi32>
  %m = trunci %n : tile<8xi32> -> tile<8xi1>
  %r = select %m, %a, %b : tile<8xi1>, $A
# reduce -> $T
  %r = reduce %a dim=0 identities=[0 : $T] : $A -> tile<$T>
  (%x: tile<$T>, %y: tile<$T>) {
    %s = addi %x, %y : tile<$T>
    yield %s : tile<$T>
  }
# reduce -> $T
  %r = reduce %a dim=0 identities=[0.0 : $T] : $A -> tile<$T>
  (%x: tile<$T>, %y: tile<$T>) {
    %s = addf %x, %y : tile<$T>
    yield %s : tile<$T>
  }
# reduce -> $T
  %r = reduce %a dim=0 identities=[$1 : $T] : $A -> tile<$T>
  (%x: tile<$T>, %y: tile<$T>) {
    %v = ftof %x : tile<$T> -> tile<f64>
    %w = ftof %y : tile<$T> -> tile<f64>
    %l = cmpf less_than ordered %v, %w : tile<f64> -> tile<i1>
    %s = select %l, %y, %x : tile<i1>, tile<$T>
    yield %s : tile<$T>
  }
# reduce -> $T
  %r = reduce %a dim=0 identities=[0 : $T] : $A -> tile<$T>
  (%x: tile<$T>, %y: tile<$T>) {
    %v = exti %x unsigned : tile<$T> -> tile<i64>
    %w = exti %y unsigned : tile<$T> -> tile<i64>
    %l = cmpi less_than %v, %w, signed : tile<i64> -> tile<i1>
    %s = select %l, %y, %x : tile<i1>, tile<$T>
    yield %s : tile<$T>
  }
# scan
  %r = scan %a dim=0 reverse=false identities=[0 : $T] : $A -> $A
  (%x: tile<$T>, %y: tile<$T>) {
    %s = addi %x, %y : tile<$T>
    yield %s : tile<$T>
  }
# scan
  %r = scan %a dim=0 reverse=true identities=[0.0 : $T] : $A -> $A
  (%x: tile<$T>, %y: tile<$T>) {
    %s = addf %x, %y : tile<$T>
    yield %s : tile<$T>
  }
# scan
  %r = scan %a dim=0 reverse=false identities=[$1 : $T] : $A -> $A
  (%x: tile<$T>, %y: tile<$T>) {
    %v = ftof %x : tile<$T> -> tile<f64>
    %w = ftof %y : tile<$T> -> tile<f64>
    %l = cmpf less_than ordered %v, %w : tile<f64> -> tile<i1>
    %s = select %l, %y, %x : tile<i1>, tile<$T>
    yield %s : tile<$T>
  }
# scan
  %r = scan %a dim=0 reverse=true identities=[0 : $T] : $A -> $A
  (%x: tile<$T>, %y: tile<$T>) {
    %v = exti %x unsigned : tile<$T> -> tile<i64>
    %w = exti %y unsigned : tile<$T> -> tile<i64>
    %l = cmpi less_than %v, %w, signed : tile<i64> -> tile<i1>
    %s = select %l, %y, %x : tile<i1>, tile<$T>
    yield %s : tile<$T>
  }
# mmaf -> 2x2xf32
  %x = reshape %a : $A -> tile<2x4x$T>
  %y = reshape %b : $A -> tile<4x2x$T>
  %z = constant <f32: 1.0> : tile<2x2xf32>
  %r = mmaf %x, %y, %z : tile<2x4x$T>, tile<4x2x$T>, tile<2x2xf32>
# mmaf -> 2x2xf16
  %x = reshape %a : $A -> tile<2x4x$T>
  %y = reshape %b : $A -> tile<4x2x$T>
  %z = constant <f16: 1.0> : tile<2x2xf16>
  %r = mmaf %x, %y, %z : tile<2x4x$T>, tile<4x2x$T>, tile<2x2xf16>
# mmaf -> 2x2xf64
  %x = reshape %a : $A -> tile<2x4x$T>
  %y = reshape %b : $A -> tile<4x2x$T>
  %z = constant <f64: 1.0> : tile<2x2xf64>
  %r = mmaf %x, %y, %z : tile<2x4x$T>, tile<4x2x$T>, tile<2x2xf64>
# mmai -> 2x2xi32
  %x = reshape %a : $A -> tile<2x4x$T>
  %y = reshape %b : $A -> tile<4x2x$T>
  %z = constant <i32: 1> : tile<2x2xi32>
  %r = mmai %x, %y, %z signed unsigned : tile<2x4x$T>, tile<4x2x$T>, tile<2x2xi32>
# mmaf_scaled -> 8x8xf32
  %x = constant <$T: $1> : tile<8x32x$T>
  %y = constant <$T: $1> : tile<32x8x$T>
  %z = constant <f32: 1.0> : tile<8x8xf32>
  %v = constant <f8E8M0FNU: 1.0> : tile<8x1xf8E8M0FNU>
  %w = constant <f8E8M0FNU: 1.0> : tile<1x8xf8E8M0FNU>
  %r = mmaf_scaled %x, %y, %z, %v, %w : tile<8x32x$T>, tile<32x8x$T>, tile<8x8xf32>, tile<8x1xf8E8M0FNU>, tile<1x8xf8E8M0FNU>
// Memory
# load_ptr_tko
  $Q
  %r, %t = load_ptr_tko weak %p : tile<8xptr<$T>> -> $A, token
# load_ptr_tko
  $Q
  %m = trunci %i : tile<8xi32> -> tile<8xi1>
  %r, %t = load_ptr_tko relaxed device %p, %m, %b : tile<8xptr<$T>>, tile<8xi1>, $A -> $A, token
# store_ptr_tko
  $Q
  %t = store_ptr_tko weak %p, %a : tile<8xptr<$T>>, $A -> token
  $R
# store_ptr_tko
  $Q
  %m = trunci %i : tile<8xi32> -> tile<8xi1>
  %t = store_ptr_tko release device %p, %a, %m : tile<8xptr<$T>>, $A, tile<8xi1> -> token
  $R
# load_view_tko
  %v = make_tensor_view %cell, shape = [5], strides = [1] : tensor_view<5x$T, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(8), padding_value = zero, tensor_view<5x$T, strides=[1]>>
  %r, %t = load_view_tko weak %w[%zero] : partition_view<tile=(8), padding_value = zero, tensor_view<5x$T, strides=[1]>>, tile<i32> -> $A, token
# store_view_tko
  $Q
  %v = make_tensor_view %cell, shape = [5], strides = [1] : tensor_view<5x$T, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(8), tensor_view<5x$T, strides=[1]>>
  %t = store_view_tko weak %a, %w[%zero] : $A, partition_view<tile=(8), tensor_view<5x$T, strides=[1]>>, tile<i32> -> token
  $R
# store_view_tko
  $Q
  %x = reshape %a : $A -> tile<2x4x$T>
  %v = make_tensor_view %cell, shape = [2, 3], strides = [4, 1] : tensor_view<2x3x$T, strides=[4,1]>
  %w = make_partition_view %v : partition_view<tile=(2x4), tensor_view<2x3x$T, strides=[4,1]>>
  %t = store_view_tko weak %x, %w[%zero, %zero] : tile<2x4x$T>, partition_view<tile=(2x4), tensor_view<2x3x$T, strides=[4,1]>>, tile<i32>, tile<i32> -> token
  $R
# make_tensor_view -> i32
  %v = make_tensor_view %cell, shape = [2, 3], strides = [3, 1] : tensor_view<2x3x$T, strides=[3,1]>
  %r, %s = get_tensor_shape %v : tensor_view<2x3x$T, strides=[3,1]> -> tile<i32>
# make_partition_view -> i32
  %v = make_tensor_view %cell, shape = [7], strides = [1] : tensor_view<7x$T, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(2), tensor_view<7x$T, strides=[1]>>
  %r = get_index_space_shape %w : partition_view<tile=(2), tensor_view<7x$T, strides=[1]>> -> tile<i32>
# make_strided_view -> 4x$T
  %v = make_tensor_view %cell, shape = [8], strides = [1] : tensor_view<8x$T, strides=[1]>
  %w = make_strided_view %v : strided_view<tile=(4), traversal_strides=[2], tensor_view<8x$T, strides=[1]>>
  %one = constant <i32: 1> : tile<i32>
  %r, %t = load_view_tko weak %w[%one] : strided_view<tile=(4), traversal_strides=[2], tensor_view<8x$T, strides=[1]>>, tile<i32> -> tile<4x$T>, token
# make_gather_scatter_view
  %v = make_tensor_view %cell, shape = [8], strides = [1] : tensor_view<8x$T, strides=[1]>
  %w = make_gather_scatter_view %v : gather_scatter_view<tile=(8), tensor_view<8x$T, strides=[1]>, sparse_dim=0>
  %n = iota : tile<8xi32>
  %seven = constant <i32: 7> : tile<8xi32>
  %m = subi %seven, %n : tile<8xi32>
  %r, %t = load_view_tko weak %w[%m] : gather_scatter_view<tile=(8), tensor_view<8x$T, strides=[1]>, sparse_dim=0>, tile<8xi32> -> $A, token
# make_gather_scatter_view
  $Q
  %v = make_tensor_view %cell, shape = [8], strides = [1] : tensor_view<8x$T, strides=[1]>
  %w = make_gather_scatter_view %v : gather_scatter_view<tile=(8), tensor_view<8x$T, strides=[1]>, sparse_dim=0>
  %n = iota : tile<8xi32>
  %seven = constant <i32: 7> : tile<8xi32>
  %m = subi %seven, %n : tile<8xi32>
  %t = store_view_tko weak %a, %w[%m] : $A, gather_scatter_view<tile=(8), tensor_view<8x$T, strides=[1]>, sparse_dim=0>, tile<8xi32> -> token
  $R
# get_tensor_shape -> $T
  %v = make_tensor_view %cell_bytes, shape = [%zero, %zero], strides = [3, 1] : tile<i32> -> tensor_view<?x?xi8, strides=[3,1]>
  %s, %r = get_tensor_shape %v : tensor_view<?x?xi8, strides=[3,1]> -> tile<$T>
# get_tensor_shape -> $T except i1
  %v = make_tensor_view %cell_bytes, shape = [2, 3], strides = [3, 1] : tensor_view<2x3xi8, strides=[3,1]>
  %s, %r = get_tensor_shape %v : tensor_view<2x3xi8, strides=[3,1]> -> tile<$T>
# get_index_space_shape -> $T
  %v = make_tensor_view %cell_bytes, shape = [%zero], strides = [1] : tile<i32> -> tensor_view<?xi8, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(2), tensor_view<?xi8, strides=[1]>>
  %r = get_index_space_shape %w : partition_view<tile=(2), tensor_view<?xi8, strides=[1]>> -> tile<$T>
# get_index_space_shape -> $T except i1
  %v = make_tensor_view %cell_bytes, shape = [5], strides = [1] : tensor_view<5xi8, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(2), tensor_view<5xi8, strides=[1]>>
  %r = get_index_space_shape %w : partition_view<tile=(2), tensor_view<5xi8, strides=[1]>> -> tile<$T>
# atomic_red_view_tko
  $Q
  %v = make_tensor_view %cell, shape = [5], strides = [1] : tensor_view<5x$T, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(8), tensor_view<5x$T, strides=[1]>>
  %t = atomic_red_view_tko relaxed device %w[%zero], add, %b : $A, partition_view<tile=(8), tensor_view<5x$T, strides=[1]>>, tile<i32> -> token
  $R
# atomic_red_view_tko
  $Q
  %v = make_tensor_view %cell, shape = [5], strides = [1] : tensor_view<5x$T, strides=[1]>
  %w = make_partition_view %v : partition_view<tile=(8), tensor_view<5x$T, strides=[1]>>
  %t = atomic_red_view_tko relaxed device %w[%zero], addf, %b : $A, partition_view<tile=(8), tensor_view<5x$T, strides=[1]>>, tile<i32> -> token
  $R
# atomic_rmw_tko
  $Q
  %r, %t = atomic_rmw_tko relaxed device %p, add, %b : tile<8xptr<$T>>, $A -> $A, token
# atomic_rmw_tko
  $Q
  %old, %t = atomic_rmw_tko relaxed device %p, umin, %b : tile<8xptr<$T>>, $A -> $A, token
  $R
# atomic_rmw_tko
  $Q
  %old, %t = atomic_rmw_tko acq_rel sys %p, xchg, %b : tile<8xptr<$T>>, $A -> $A, token
  $R
# atomic_rmw_tko
  $Q
  %old, %t = atomic_rmw_tko relaxed device %p, addf, %b : tile<8xptr<$T>>, $A -> $A, token
  $R
# atomic_cas_tko
  $Q
  %old, %t = atomic_cas_tko relaxed device %p, %a, %b : tile<8xptr<$T>>, $A -> $A, token
  $R
# offset -> i8
  %one = constant <i32: 1> : tile<i32>
  %d = constant <$T: $1> : tile<$T>
  %o = offset %cell_bytes, %one : tile<ptr<i8>>, tile<i32> -> tile<ptr<i8>>
  %q = offset %o, %d : tile<ptr<i8>>, tile<$T> -> tile<ptr<i8>>
  %r, %t = load_ptr_tko weak %q : tile<ptr<i8>> -> tile<i8>, token
# offset
  $Q
  %r, %t = load_ptr_tko weak %p : tile<8xptr<$T>> -> $A, token
# assume
  %r = assume bounded<-4, 4>, %a : $A
# assume
  %r = assume div_by<1>, %b : $A
# assume
  %n = constant <$T: $1> : $A
  %r = assume same_elements<[8]>, %n : $A
# alloca -> $T
  %q = alloca num_elem = 8, alignment = 16 : tile<ptr<$T>>
  %d = extract %b[%zero] : $A -> tile<1x$T>
  %e = reshape %d : tile<1x$T> -> tile<$T>
  %s = store_ptr_tko weak %q, %e : tile<ptr<$T>>, tile<$T> -> token
  %r, %t = load_ptr_tko weak %q token=%s : tile<ptr<$T>> -> tile<$T>, token
# global -> $T
  global @table <$T: $1> : tile<2x$T>
  %q = get_global @table : tile<ptr<$T>>
  %r, %t = load_ptr_tko weak %q : tile<ptr<$T>> -> tile<$T>, token
# get_global -> $T
  global constant @table <$T: $1> : tile<2x$T>
  %q = get_global @table : tile<ptr<$T>>
  %r, %t = load_ptr_tko weak %q : tile<ptr<$T>> -> tile<$T>, token
// Control flow, and what has no type
# if
  %x, %y, %z = get_tile_block_id : tile<i32>
  %m = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
  %r = if %m -> ($A) {
    yield %b : $A
  } else {
    yield %a : $A
  }
# yield
  %x, %y, %z = get_tile_block_id : tile<i32>
  %m = cmpi not_equal %x, %zero, signed : tile<i32> -> tile<i1>
  %r = if %m -> ($A) {
    yield %b : $A
  } else {
    yield %a : $A
  }
# for -> $T except i1
  %begin = constant <$T: $N> : tile<$T>
  %end = constant <$T: $M> : tile<$T>
  %step = constant <$T: 3> : tile<$T>
  %first = constant <$T: 0> : tile<$T>
  %r = for %i in (%begin to %end, step %step) : tile<$T> iter_values(%x = %first) -> (tile<$T>) {
    %y = xori %x, %i : tile<$T>
    continue %y : tile<$T>
  }
# for -> $T except i1
  %s, %begin_token = load_ptr_tko weak %cell : tile<ptr<$T>> -> tile<$T>, token
  %d = subi %s, %s : tile<$T>
  %end_known = constant <$T: $M> : tile<$T>
  %begin_known = constant <$T: $N> : tile<$T>
  %end = addi %end_known, %d : tile<$T>
  %begin = addi %begin_known, %d : tile<$T>
  %step = constant <$T: 3> : tile<$T>
  %r = for %i in (%begin to %end, step %step) : tile<$T> iter_values(%x = %d) -> (tile<$T>) {
    %y = xori %x, %i : tile<$T>
    continue %y : tile<$T>
  }
# for
  %one = constant <i32: 1> : tile<i32>
  %end = constant <i32: 3> : tile<i32>
  %r, %last = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%x = %a, %y = %b) -> ($A, $A) {
    continue %y, %x : $A, $A
  }
# for
  %begin = constant <$T: 0> : tile<$T>
  %end = constant <$T: 1> : tile<$T>
  %r = for unsigned %i in (%begin to %end, step %end) : tile<$T> iter_values(%x = %a) -> ($A) {
    continue %b : $A
  }
# continue
  %one = constant <i32: 1> : tile<i32>
  %end = constant <i32: 3> : tile<i32>
  %r = for %i in (%zero to %end, step %one) : tile<i32> iter_values(%x = %a) -> ($A) {
    %m = cmpi equal %i, %one, signed : tile<i32> -> tile<i1>
    if %m {
      continue %b : $A
    }
    continue %x : $A
  }
# loop
  %one = constant <i32: 1> : tile<i32>
  %r, %n = loop iter_values(%x = %a, %i = %zero) : $A, tile<i32> -> $A, tile<i32> {
    %m = cmpi equal %i, %one, signed : tile<i32> -> tile<i1>
    if %m {
      break %x, %i : $A, tile<i32>
    }
    %j = addi %i, %one : tile<i32>
    continue %b, %j : $A, tile<i32>
  }
# break
  %r = loop : $A {
    break %b : $A
  }
# return
  %x, %y, %z = get_tile_block_id : tile<i32>
  %m = cmpi not_equal %x, %zero, signed : tile<i32> -> tile<i1>
  if %m {
    return
  }
  %r = reshape %a : $A -> $A
# return
  $Q
  %t = store_ptr_tko weak %p, %a : tile<8xptr<$T>>, $A -> token
  %x, %y, %z = get_tile_block_id : tile<i32>
  %m = cmpi equal %x, %zero, signed : tile<i32> -> tile<i1>
  if %m {
    return
  }
  %r = reshape %b : $A -> $A
# entry
  %r = reshape %a : $A -> $A
# module
  %r = reshape %a : $A -> $A
# assert
  assert %c, "all are true" : $A
  %r = reshape %a : $A -> $A
# print_tko
  %f = extract %a[%zero] : $A -> tile<1x$T>
  %t = print_tko "%d\n", %f : tile<1x$T> -> token
  %r = reshape %a : $A -> $A
# print_tko
  %t = print_tko "%f\n", %a : $A -> token
  %r = reshape %a : $A -> $A
# get_tile_block_id -> $T
  %r, %y, %z = get_tile_block_id : tile<$T>
# get_num_tile_blocks -> $T
  %r, %y, %z = get_num_tile_blocks : tile<$T>
# make_token
  $Q
  %s = make_token : token
  %t = store_ptr_tko weak %p, %a token=%s : tile<8xptr<$T>>, $A -> token
  $R
# join_tokens
  $Q
  %s, %u = load_ptr_tko weak %p : tile<8xptr<$T>> -> $A, token
  %v = make_token : token
  %j = join_tokens %u, %v : token
  %t = store_ptr_tko weak %p, %a token=%j : tile<8xptr<$T>>, $A -> token
  $R
# memory_fence_alias_tko
  $Q
  %s = store_ptr_tko weak %p, %a : tile<8xptr<$T>>, $A -> token
  %t = memory_fence_alias_tko token = %s -> token
  $R
# gdc_wait_tko
  $Q
  %s = gdc_wait_tko -> token
  %t = store_ptr_tko weak %p, %a token=%s : tile<8xptr<$T>>, $A -> token
  $R
# gdc_launch_dependents_tko
  $Q
  %s = store_ptr_tko weak %p, %a : tile<8xptr<$T>>, $A -> token
  %t = gdc_launch_dependents_tko token=%s -> token
  $R
)";
