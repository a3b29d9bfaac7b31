// RUN: tileiras-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expects 'register', 'lane', 'warp' and 'order' of one rank}}
#l = #nv_tileas.blocked<register = [1, 4], lane = [32], warp = [4, 1], order = [1, 0]>

// -----

// expected-error@+1 {{expects powers of two for 'register', but got 3}}
#l = #nv_tileas.blocked<register = [3], lane = [32], warp = [4], order = [0]>

// -----

// expected-error@+1 {{expects 32 lanes}}
#l = #nv_tileas.blocked<register = [1], lane = [16], warp = [4], order = [0]>

// -----

// expected-error@+1 {{expects at most 32 warps}}
#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [64], order = [0]>

// -----

// expected-error@+1 {{'order' must name every dimension once}}
#l = #nv_tileas.blocked<register = [1, 1], lane = [32, 1], warp = [1, 1], order = [1, 1]>

// -----

// expected-error@+1 {{expects bases of one rank, but got 1 vs 2}}
#l = #nv_tileas.linear<register = [[1], [2, 0]], lane = [], warp = []>

// -----

// expected-error@+1 {{expects 32 lanes}}
#l = #nv_tileas.linear<register = [[1]], lane = [[2]], warp = []>

// -----

// expected-error@+1 {{expects coordinates that are not negative}}
#l = #nv_tileas.linear<register = [[-1]], lane = [[0], [0], [0], [0], [0]], warp = []>

// -----

#l = #nv_tileas.linear<register = [[1]], lane = [[0], [0], [0], [0], [0]], warp = []>
// expected-error@+1 {{the layout leaves elements of the tensor to no thread}}
func.func private @f(tensor<4xf32, #l>)

// -----

#l = #nv_tileas.linear<register = [[4]], lane = [[0], [0], [0], [0], [0]], warp = []>
// expected-error@+1 {{coordinate 4 of the layout is outside of the tensor}}
func.func private @f(tensor<4xf32, #l>)

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
// expected-error@+1 {{layout of rank 1 does not fit a tensor of rank 2}}
func.func private @f(tensor<4x4xf32, #l>)

// -----

#l = #nv_tileas.blocked<register = [1], lane = [32], warp = [4], order = [0]>
// expected-error@+1 {{a distributed tensor has extents that are powers of two, but got 3}}
func.func private @f(tensor<3xf32, #l>)

// -----

// expected-error@+1 {{expects axis A, B or C, but got D}}
#l = #nv_tileas.dot_operand<axis = D, atom = "mma", warp = [1, 1], extents = [1, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>

// -----

// expected-error@+1 {{expects 'warp' of rank 2 or 3, but got 1}}
#l = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [1], extents = [1, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>

// -----

// expected-error@+1 {{expects rows and columns in 'extents', but got 1 values}}
#l = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [1, 1], extents = [1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>

// -----

// expected-error@+1 {{the layout leaves elements of the tensor to no thread}}
#l = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [1, 1], extents = [2, 1], fragment = <register = [], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>

// -----

#l = #nv_tileas.dot_operand<axis = A, atom = "mma", warp = [1, 1], extents = [1, 4], fragment = <register = [[0, 1], [0, 2]], lane = [[0, 0], [0, 0], [0, 0], [0, 0], [0, 0]], warp = []>>
// expected-error@+1 {{the tile's K extent 2 is below the atom's 4}}
func.func private @f(tensor<4x2xf32, #l>)

// -----

// expected-error@+1 {{all dimensions must be positive constants, got (0, 4)}}
func.func private @f(!nv_tileas.tiled_view<0x4, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1]>)

// -----

// expected-error@+1 {{all dimensions must be powers of two, got (3, 4)}}
func.func private @f(!nv_tileas.tiled_view<3x4, memref<?x?xf32, strides = [?, 1]>, steps = [3, 4], dim_map = [0, 1]>)

// -----

// expected-error@+1 {{tile would exceed the maximum of 16777216 elements}}
func.func private @f(!nv_tileas.tiled_view<8192x4096, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1]>)

// -----

// expected-error@+1 {{expects steps, dim_map and memref dimensions for each of the 2 dimensions of the tile, but got 1, 2 and 2}}
func.func private @f(!nv_tileas.tiled_view<2x4, memref<?x?xf32, strides = [?, 1]>, steps = [1], dim_map = [0, 1]>)

// -----

// expected-error@+1 {{dim_map must name every dimension of the memref once}}
func.func private @f(!nv_tileas.tiled_view<2x4, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [1, 1]>)

// -----

// expected-error@+1 {{steps must be positive}}
func.func private @f(!nv_tileas.tiled_view<2x4, memref<?x?xf32, strides = [?, 1]>, steps = [1, 0], dim_map = [0, 1]>)

// -----

// expected-error@+1 {{sparse_dim 2 is not a dimension of the tile}}
func.func private @f(!nv_tileas.tiled_view<2x4, memref<?x?xf32, strides = [?, 1]>, steps = [1, 1], dim_map = [0, 1], sparse_dim = 2>)
