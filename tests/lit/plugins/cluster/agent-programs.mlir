// Programs with agents and queues of their own, from nv_tileaa text to what they compute: operations without tiles in an
// agent, tiles and MMAs on both sides of its border, queues of scalars and pointers, and agents that start again in a
// loop.
//
// REQUIRES: plugin-sm90, emulator
// RUN: split-file %s %t
// RUN: tileiras %t/scalars.mlir --gpu-name sm_90 -O3 -o %t/scalars.ptx
// RUN: ptx-emulator run %t/scalars.ptx --launch %t/scalars.json --strict --seeds 4 | FileCheck %t/scalars.mlir
// RUN: tileiras %t/programs.mlir --gpu-name sm_90 -O3 -o %t/programs.ptx
// RUN: ptx-emulator run %t/programs.ptx --launch %t/programs.json --strict --seeds 4
// RUN: tileiras %t/around.mlir --gpu-name sm_90 -O3 -o %t/around.ptx
// RUN: ptx-emulator run %t/around.ptx --launch %t/around.json --strict --seeds 4
// RUN: tileiras %t/entries.mlir --gpu-name sm_90 -O3 -o %t/entries.ptx
// RUN: ptx-emulator run %t/entries.ptx --launch %t/entries.json --strict --seeds 4
// RUN: tileiras %t/again.mlir --gpu-name sm_90 -O3 -o %t/again.ptx
// RUN: ptx-emulator run %t/again.ptx --launch %t/again.json --strict --seeds 4
// RUN: tileiras %t/products.mlir --gpu-name sm_90 -O3 -o %t/products.ptx
// RUN: ptx-emulator run %t/products.ptx --launch %t/products.json --strict --seeds 4
// RUN: tileiras %t/loops.mlir --gpu-name sm_90 -O3 -o %t/loops.ptx --remarks=missed 2>&1 | FileCheck %t/loops.mlir
// RUN: ptx-emulator run %t/loops.ptx --launch %t/loops.json --strict --seeds 4
// RUN: tileiras %t/loops-again.mlir --gpu-name sm_90 -O3 -o %t/loops-again.ptx
// RUN: ptx-emulator run %t/loops-again.ptx --launch %t/loops-again.json --strict --seeds 4
// RUN: tileiras %t/loops-again.mlir --gpu-name sm_90 -O2 -o %t/loops-again-o2.ptx
// RUN: ptx-emulator run %t/loops-again-o2.ptx --launch %t/loops-again.json --strict --seeds 4
// RUN: tileiras %t/again.mlir --gpu-name sm_90 -O3 --emit=tileas -o - | FileCheck %t/again.mlir

//--- scalars.mlir
// An agent without tiles asserts and prints; another one stores a tile.
// CHECK: n = 40
module {
nv_tileaa.func @scalars(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  nv_tileaa.execute {
    %c = arith.constant 3 : i32
    %other = arith.cmpi ne, %n, %c : i32
    nv_tileaa.assert %other, "n is three" : i1
    nv_tileaa.print "n = %d\n", %n : i32
    nv_tileaa.yield
  }, {
    %t = nv_tileaa.splat %n : i32 -> tensor<128xi32>
    %r = nv_tileaa.make_range : tensor<128xi32>
    %s = arith.addi %t, %r : tensor<128xi32>
    %b = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<128x!nv_tileaa.ptr<i32>>
    %x = nv_tileaa.addptr %b, %r : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
    nv_tileaa.store weak %x, %s : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
    nv_tileaa.yield
  }
  nv_tileaa.return
}
}
//--- scalars.json
{"entry": "scalars", "grid": [1], "parameters": [{"buffer": "p"}, {"i32": 40}],
 "buffers": [{"name": "p", "bytes": 512, "fill": 255}],
 "expect": [{"buffer": "p", "type": "i32", "bytes": 512, "values": "iota", "range": [40, 167]}]}

//--- programs.mlir
// Both agents go over the grid, one asking for the next program where it stands, the other in a loop with a tile.
module {
nv_tileaa.func @programs(%p: !nv_tileaa.ptr<i32>, %q: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %x0 = nv_tileaa.get_program_id x
  %zero = arith.constant 0 : i32
  nv_tileaa.execute {
    %x1, %y1, %z1, %found = nv_tileaa.cancel_next_program_id after %x0, %zero, %zero
    %o = nv_tileaa.addptr %p, %x0 : !nv_tileaa.ptr<i32>, i32
    %f = arith.extui %found : i1 to i32
    nv_tileaa.store weak %o, %f : !nv_tileaa.ptr<i32>, i32
    nv_tileaa.yield
  }, {
    %c128 = arith.constant 128 : i32
    %o = arith.muli %x0, %c128 : i32
    %t = nv_tileaa.splat %o : i32 -> tensor<128xi32>
    %r = nv_tileaa.make_range : tensor<128xi32>
    %s = arith.addi %t, %r : tensor<128xi32>
    %b = nv_tileaa.splat %q : !nv_tileaa.ptr<i32> -> tensor<128x!nv_tileaa.ptr<i32>>
    %x = nv_tileaa.addptr %b, %s : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
    nv_tileaa.store weak %x, %s : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
    nv_tileaa.yield
  }
  nv_tileaa.return
}
}
//--- programs.json
{"entry": "programs", "grid": [3], "parameters": [{"buffer": "p"}, {"buffer": "q"}],
 "buffers": [{"name": "p", "bytes": 12, "fill": 255}, {"name": "q", "bytes": 1536, "fill": 255}],
 "expect": [{"buffer": "p", "type": "i32", "bytes": 12, "values": [0, 0, 0]},
            {"buffer": "q", "type": "i32", "bytes": 1536, "values": "iota", "range": [0, 383]}]}

//--- around.mlir
// All warps load; each agent uses what they have loaded, and so does what follows, which reduces it.
module {
nv_tileaa.func @around(%p: !nv_tileaa.ptr<i32>, %total: !nv_tileaa.ptr<i32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %r = nv_tileaa.make_range : tensor<256xi32>
  %b = nv_tileaa.splat %p : !nv_tileaa.ptr<i32> -> tensor<256x!nv_tileaa.ptr<i32>>
  %x = nv_tileaa.addptr %b, %r : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
  %v = nv_tileaa.load weak %x : tensor<256x!nv_tileaa.ptr<i32>> -> tensor<256xi32>
  %k256 = arith.constant dense<256> : tensor<256xi32>
  nv_tileaa.execute {
    %y = nv_tileaa.addptr %x, %k256 : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
    %w = arith.addi %v, %k256 : tensor<256xi32>
    nv_tileaa.store weak %y, %w : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
    nv_tileaa.yield
  }, {
    %k512 = arith.constant dense<512> : tensor<256xi32>
    %y = nv_tileaa.addptr %x, %k512 : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
    %w = arith.addi %v, %k512 : tensor<256xi32>
    nv_tileaa.store weak %y, %w : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
    nv_tileaa.yield
  }, {
    nv_tileaa.print "one warp\n"
    nv_tileaa.yield
  }
  %k768 = arith.constant dense<768> : tensor<256xi32>
  %z = nv_tileaa.addptr %x, %k768 : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
  %w = arith.addi %v, %k768 : tensor<256xi32>
  nv_tileaa.store weak %z, %w : tensor<256x!nv_tileaa.ptr<i32>>, tensor<256xi32>
  %sum = nv_tileaa.reduce %v axis = 0 identities = [0 : i32] : (tensor<256xi32>) -> i32 {
  ^bb0(%s: i32, %e: i32):
    %t = arith.addi %s, %e : i32
    nv_tileaa.yield %t : i32
  }
  %old = nv_tileaa.atomic_rmw add relaxed gpu %total, %sum : !nv_tileaa.ptr<i32>, i32
  nv_tileaa.return
}
}
//--- around.json
{"entry": "around", "grid": [1], "parameters": [{"buffer": "p"}, {"buffer": "total"}],
 "buffers": [{"name": "p", "type": "i32", "bytes": 4096, "values": "iota", "range": [0, 255]},
             {"name": "total", "bytes": 4}],
 "expect": [{"buffer": "p", "type": "i32", "bytes": 4096, "values": "iota", "range": [0, 1023]},
            {"buffer": "total", "type": "i32", "values": [32640]}]}

//--- entries.mlir
// Entries of a tile and of scalars: a number, a truth value, and the pointer to store to.
!q = !nv_tileaa.queue<(tensor<128xi32>, i32, i1, !nv_tileaa.ptr<i32>)>
module {
nv_tileaa.func @entries(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %q = nv_tileaa.create_queue {depth = 2 : i32} : !q
  nv_tileaa.execute {
    scf.for %i = %c0 to %n step %c1 : i32 {
      nv_tileaa.queue.put %q[%i] : !q, i32 {
        %r = nv_tileaa.make_range : tensor<128xi32>
        %o = arith.muli %i, %c128 : i32
        %odd = arith.trunci %i : i32 to i1
        %to = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<i32>, i32
        nv_tileaa.queue.yield %r, %o, %odd, %to : tensor<128xi32>, i32, i1, !nv_tileaa.ptr<i32>
      }
    }
    nv_tileaa.yield
  }, {
    scf.for %i = %c0 to %n step %c1 : i32 {
      nv_tileaa.queue.get %q[%i] : !q, i32 {
      ^bb0(%e: tensor<128xi32>, %o: i32, %odd: i1, %to: !nv_tileaa.ptr<i32>):
        %first = arith.select %odd, %o, %c0 : i32
        %t = nv_tileaa.splat %first : i32 -> tensor<128xi32>
        %s = arith.addi %e, %t : tensor<128xi32>
        %b = nv_tileaa.splat %to : !nv_tileaa.ptr<i32> -> tensor<128x!nv_tileaa.ptr<i32>>
        %x = nv_tileaa.addptr %b, %e : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
        nv_tileaa.store weak %x, %s : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
        nv_tileaa.queue.yield
      }
    }
    nv_tileaa.yield
  }
  nv_tileaa.return
}
}
//--- entries.json
{"entry": "entries", "grid": [1], "parameters": [{"buffer": "p"}, {"i32": 2}],
 "buffers": [{"name": "p", "bytes": 1024, "fill": 255}],
 "expect": [{"buffer": "p", "type": "i32", "bytes": 1024, "values": "iota", "range": [0, 255]}]}

//--- again.mlir
// The agents start again in each iteration, and go on at the stage where they were: three entries in a ring of two.
// CHECK: agent_switch iterators(%{{.*}}) attributes {agent_strides = array<i32: 4, 4>, num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
!q = !nv_tileaa.queue<(tensor<128xi32>)>
module {
nv_tileaa.func @again(%p: !nv_tileaa.ptr<i32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c128 = arith.constant 128 : i32
  %q = nv_tileaa.create_queue {depth = 2 : i32} : !q
  scf.for %i = %c0 to %n step %c1 : i32 {
    %first = arith.muli %i, %c3 : i32
    nv_tileaa.execute {
      scf.for %j = %c0 to %c3 step %c1 : i32 {
        nv_tileaa.queue.put %q[%j] : !q, i32 {
          %r = nv_tileaa.make_range : tensor<128xi32>
          %k = arith.addi %first, %j : i32
          %o = arith.muli %k, %c128 : i32
          %t = nv_tileaa.splat %o : i32 -> tensor<128xi32>
          %s = arith.addi %t, %r : tensor<128xi32>
          nv_tileaa.queue.yield %s : tensor<128xi32>
        }
      }
      nv_tileaa.yield
    }, {
      scf.for %j = %c0 to %c3 step %c1 : i32 {
        nv_tileaa.queue.get %q[%j] : !q, i32 {
        ^bb0(%e: tensor<128xi32>):
          %k = arith.addi %first, %j : i32
          %o = arith.muli %k, %c128 : i32
          %to = nv_tileaa.addptr %p, %o : !nv_tileaa.ptr<i32>, i32
          %r = nv_tileaa.make_range : tensor<128xi32>
          %b = nv_tileaa.splat %to : !nv_tileaa.ptr<i32> -> tensor<128x!nv_tileaa.ptr<i32>>
          %x = nv_tileaa.addptr %b, %r : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
          nv_tileaa.store weak %x, %e : tensor<128x!nv_tileaa.ptr<i32>>, tensor<128xi32>
          nv_tileaa.queue.yield
        }
      }
      nv_tileaa.yield
    }
  }
  nv_tileaa.return
}
}
//--- again.json
{"entry": "again", "grid": [1], "parameters": [{"buffer": "p"}, {"i32": 3}],
 "buffers": [{"name": "p", "bytes": 4608, "fill": 255}],
 "expect": [{"buffer": "p", "type": "i32", "bytes": 4608, "values": "iota", "range": [0, 1151]}]}

//--- products.mlir
// MMAs before, in and after agents: by the identity, so that what is loaded comes out.
!tile = tensor<64x64xf32>
!half = tensor<64x64xf16>
!numbers = tensor<64x64xi32>
!ptrs = tensor<64x64x!nv_tileaa.ptr<f32>>
module {
nv_tileaa.func @products(%p: !nv_tileaa.ptr<f32>, %q: !nv_tileaa.ptr<f32>) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %r = nv_tileaa.make_range : tensor<4096xi32>
  %n = nv_tileaa.view %r : tensor<4096xi32> -> !numbers
  %six = arith.constant dense<6> : !numbers
  %last = arith.constant dense<63> : !numbers
  %row = nv_tileaa.shrui %n, %six : !numbers
  %column = arith.andi %n, %last : !numbers
  %same = arith.cmpi eq, %row, %column : !numbers
  %one = arith.constant dense<1.0> : !half
  %none = arith.constant dense<0.0> : !half
  %identity = arith.select %same, %one, %none : tensor<64x64xi1>, !half
  %b = nv_tileaa.splat %p : !nv_tileaa.ptr<f32> -> !ptrs
  %x = nv_tileaa.addptr %b, %n : !ptrs, !numbers
  %v = nv_tileaa.load weak %x : !ptrs -> !tile
  %h = arith.truncf %v : !tile to !half
  %zero = arith.constant dense<0.0> : !tile
  %d = nv_tileaa.dot %h, %identity, %zero : !half, !half, !tile
  %bq = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> !ptrs
  %y = nv_tileaa.addptr %bq, %n : !ptrs, !numbers
  nv_tileaa.execute {
    nv_tileaa.store weak %y, %d : !ptrs, !tile
    nv_tileaa.yield
  }, {
    %k = arith.constant dense<4096> : !numbers
    %z = nv_tileaa.addptr %y, %k : !ptrs, !numbers
    %e = nv_tileaa.dot %h, %identity, %d : !half, !half, !tile
    %s = arith.subf %e, %d : !tile
    nv_tileaa.store weak %z, %s : !ptrs, !tile
    nv_tileaa.yield
  }
  %k = arith.constant dense<8192> : !numbers
  %z = nv_tileaa.addptr %y, %k : !ptrs, !numbers
  %e = nv_tileaa.dot %h, %identity, %d : !half, !half, !tile
  %s = arith.subf %e, %d : !tile
  nv_tileaa.store weak %z, %s : !ptrs, !tile
  nv_tileaa.return
}
}
//--- products.json
{"entry": "products", "grid": [1], "parameters": [{"buffer": "p"}, {"buffer": "q"}],
 "buffers": [{"name": "p", "type": "f32", "bytes": 16384, "values": "iota", "range": [-4, 3]},
             {"name": "q", "bytes": 49152}],
 "expect": [{"buffer": "q", "type": "f32", "bytes": 49152, "values": "iota", "range": [-4, 3]}]}

//--- loops.mlir
// An MMA of a loop around agents is one of single warps, in which all warps of the block have a part; the one in the
// agent need not be.
// CHECK: loops.mlir:[[@LINE+18]]:{{.*}}"MMA of single warps instead of warpgroups: ", Remark="it stands around agents, where all warps of the block run,
// CHECK-NOT: it stands around agents
!tile = tensor<64x64xf32>
!half = tensor<64x64xf16>
!numbers = tensor<64x64xi32>
!ptrs = tensor<64x64x!nv_tileaa.ptr<f32>>
!halves = tensor<64x64x!nv_tileaa.ptr<f16>>
module {
nv_tileaa.func @loops(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = nv_tileaa.make_range : tensor<4096xi32>
  %at = nv_tileaa.view %r : tensor<4096xi32> -> !numbers
  %zero = arith.constant dense<0.0> : !tile
  %b = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> !halves
  %x = nv_tileaa.addptr %b, %at : !halves, !numbers
  %d = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!tile) : i32 {
    %v = nv_tileaa.load weak %x : !halves -> !half
    %e = nv_tileaa.dot %v, %v, %acc : !half, !half, !tile
    scf.yield %e : !tile
  }
  %bq = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> !ptrs
  %y = nv_tileaa.addptr %bq, %at : !ptrs, !numbers
  nv_tileaa.execute {
    nv_tileaa.store weak %y, %d : !ptrs, !tile
    nv_tileaa.yield
  }, {
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!tile) : i32 {
      %v = nv_tileaa.load weak %x : !halves -> !half
      %e = nv_tileaa.dot %v, %v, %acc : !half, !half, !tile
      scf.yield %e : !tile
    }
    %k = arith.constant dense<4096> : !numbers
    %z = nv_tileaa.addptr %y, %k : !ptrs, !numbers
    nv_tileaa.store weak %z, %sum : !ptrs, !tile
    nv_tileaa.yield
  }
  nv_tileaa.return
}
}
//--- loops.json
{"entry": "loops", "grid": [1], "parameters": [{"buffer": "p"}, {"buffer": "q"}, {"i32": 3}],
 "buffers": [{"name": "p", "type": "f16", "bytes": 8192, "values": 0.5}, {"name": "q", "bytes": 32768}],
 "expect": [{"buffer": "q", "type": "f32", "bytes": 32768, "values": 48}]}

//--- loops-again.mlir
// Agents that start again in a loop, with loops of MMAs whose operands come ahead, three at a time: each goes on at the stage
// where it was.
!tile = tensor<64x64xf32>
!half = tensor<64x64xf16>
!numbers = tensor<64x64xi32>
!ptrs = tensor<64x64x!nv_tileaa.ptr<f32>>
!halves = tensor<64x64x!nv_tileaa.ptr<f16>>
module {
nv_tileaa.func @loops_again(%p: !nv_tileaa.ptr<f16>, %q: !nv_tileaa.ptr<f32>, %n: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %r = nv_tileaa.make_range : tensor<4096xi32>
  %at = nv_tileaa.view %r : tensor<4096xi32> -> !numbers
  %zero = arith.constant dense<0.0> : !tile
  %b = nv_tileaa.splat %p : !nv_tileaa.ptr<f16> -> !halves
  %x = nv_tileaa.addptr %b, %at : !halves, !numbers
  %bq = nv_tileaa.splat %q : !nv_tileaa.ptr<f32> -> !ptrs
  %y = nv_tileaa.addptr %bq, %at : !ptrs, !numbers
  scf.for %again = %c0 to %c2 step %c1 : i32 {
    %part = nv_tileaa.splat %again : i32 -> !numbers
    %k4096 = arith.constant dense<4096> : !numbers
    %k8192 = arith.constant dense<8192> : !numbers
    %offset = arith.muli %part, %k4096 : !numbers
    %first = nv_tileaa.addptr %y, %offset : !ptrs, !numbers
    %second = nv_tileaa.addptr %first, %k8192 : !ptrs, !numbers
    nv_tileaa.execute {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!tile) : i32 {
        %v = nv_tileaa.load weak %x : !halves -> !half
        %e = nv_tileaa.dot %v, %v, %acc : !half, !half, !tile
        scf.yield %e : !tile
      }
      nv_tileaa.store weak %first, %sum : !ptrs, !tile
      nv_tileaa.yield
    }, {
      %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (!tile) : i32 {
        %v = nv_tileaa.load weak %x : !halves -> !half
        %e = nv_tileaa.dot %v, %v, %acc : !half, !half, !tile
        scf.yield %e : !tile
      }
      nv_tileaa.store weak %second, %sum : !ptrs, !tile
      nv_tileaa.yield
    }
  }
  nv_tileaa.return
}
}
//--- loops-again.json
{"entry": "loops_again", "grid": [1], "parameters": [{"buffer": "p"}, {"buffer": "q"}, {"i32": 3}],
 "buffers": [{"name": "p", "type": "f16", "bytes": 8192, "values": 0.5}, {"name": "q", "bytes": 65536}],
 "expect": [{"buffer": "q", "type": "f32", "bytes": 65536, "values": 48}]}
