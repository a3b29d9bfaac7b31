// RUN: tileiras-opt -no-implicit-module -split-input-file -verify-diagnostics %s

cuda_tile.module @m {
  // expected-error @+1 {{cannot be in a module, which has entries and globals only}}
  %0 = make_token : token
}

// -----

// expected-error @+2 {{hints for 'sm_90' are given twice}}
cuda_tile.module @m {
  entry @k() optimization_hints=<sm_90 = {}, sm_90 = {}> {}
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{expected a dictionary of hints for 'sm_90', got 1 : i64}}
  entry @k() optimization_hints=<sm_90 = 1> {}
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{names of hints and of what they are for must not be empty}}
  entry @k() optimization_hints=<"" = {occupancy = 1}> {}
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{parameter 1 must be a scalar, got '!cuda_tile.tile<4xi32>'}}
  entry @k(%a: tile<i32>, %b: tile<4xi32>) {}
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{cannot have results, got '!cuda_tile.tile<i32>'}}
  "cuda_tile.entry"() <{function_type = () -> !cuda_tile.tile<i32>, sym_name = "k"}> ({
    cuda_tile.return
  }) : () -> ()
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{needs a tile of rank 1, got '!cuda_tile.tile<i32>'}}
  global @g <i32: 1> : tile<i32>
}

// -----

cuda_tile.module @m {
  // expected-error @+1 {{alignment must be 0 or a power of two, got 3}}
  global @g alignment = 3 <i32: 1> : tile<1xi32>
}

// -----

cuda_tile.module @m {
  // expected-note @+1 {{see existing symbol definition here}}
  entry @k() {}
  // expected-error @+1 {{redefinition of symbol named 'k'}}
  entry @k() {}
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{has a format with an incomplete conversion}}
    %0 = print_tko "100%" -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{has a format for 2 arguments, got 1}}
    %0 = print_tko "%d %d", %i : tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    // expected-error @+1 {{cannot print '!cuda_tile.tile<i32>' by '%s': no tile holds strings; use %d or %f for numbers, and write text into the format}}
    %0 = print_tko "%s\0A", %i : tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%f: tile<f32>) {
    // expected-error @+1 {{cannot print '!cuda_tile.tile<f32>' by '%20p': that is for pointers; use %d, %x or %f}}
    %0 = print_tko "%f %20p", %f, %f : tile<f32>, tile<f32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{by '%.2f': that is for numbers; use %p}}
    %0 = print_tko "%p %lx %.2f", %p, %p, %p : tile<ptr<f32>>, tile<ptr<f32>>, tile<ptr<f32>> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%p: tile<ptr<f32>>) {
    // expected-error @+1 {{by '%c': that is for numbers; use %p}}
    %0 = print_tko "%c", %p : tile<ptr<f32>> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    // The width would be an argument.
    // expected-error @+1 {{has a format with an incomplete conversion: '*' cannot follow '%-'}}
    %0 = print_tko "%-*d", %i, %i : tile<i32>, tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    // expected-error @+1 {{has a format with an incomplete conversion: 'n' cannot follow '%'}}
    %0 = print_tko "%n", %i : tile<i32> -> token
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{2 iter_values have 1 types}}
    for %j in (%i to %i, step %i) : tile<i32> iter_values(%x = %f, %y = %f) -> (tile<f32>) {
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{1 iter_values have 2 types}}
    loop iter_values(%x = %f) : tile<f32>, tile<f32> {
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{loop-carried value cannot be a view, got }}
    loop iter_values(%x = %t) : tensor_view<8xf32, strides=[1]> {
      break
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{result cannot be a view, got }}
    %0 = loop : tensor_view<8xf32, strides=[1]> {
      break %t : tensor_view<8xf32, strides=[1]>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{result cannot be a view, got }}
    %0 = if %c -> (tensor_view<8xf32, strides=[1]>) {
      yield %t : tensor_view<8xf32, strides=[1]>
    } else {
      yield %t : tensor_view<8xf32, strides=[1]>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{body needs an induction variable of type '!cuda_tile.tile<i32>'}}
    "cuda_tile.for"(%i, %i, %i) ({
    ^bb0(%j: !cuda_tile.tile<i64>):
      "cuda_tile.continue"() : () -> ()
    }) : (!cuda_tile.tile<i32>, !cuda_tile.tile<i32>, !cuda_tile.tile<i32>) -> ()
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{carries ('!cuda_tile.tile<f32>'), but begins with ()}}
    "cuda_tile.loop"() ({
    ^bb0(%x: !cuda_tile.tile<f32>):
      "cuda_tile.break"() : () -> ()
    }) : () -> ()
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{then branch yields ('!cuda_tile.tile<f32>'), expected ('!cuda_tile.tile<i32>')}}
    %0 = if %c -> (tile<i32>) {
      yield %f : tile<f32>
    } else {
      yield %i : tile<i32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{else branch yields (), expected ('!cuda_tile.tile<i32>')}}
    %0 = if %c -> (tile<i32>) {
      yield %i : tile<i32>
    } else {
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    // expected-error @+1 {{has results, so it needs an else branch}}
    %0 = if %c -> (tile<i32>) {
      yield %i : tile<i32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    if %c {
      // expected-error @+1 {{must be in a loop, with nothing but ifs between}}
      break
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    %0 = loop : tile<f32> {
      // expected-error @+1 {{gives (), but the results of the loop are ('!cuda_tile.tile<f32>')}}
      break
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    if %c {
      // expected-error @+1 {{must be in a for or loop, with nothing but ifs between}}
      continue
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    loop iter_values(%x = %f) : tile<f32> {
      // expected-error @+1 {{gives (), but the loop-carried values are ('!cuda_tile.tile<f32>')}}
      continue
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    %0 = for %j in (%i to %i, step %i) : tile<i32> iter_values(%x = %f) -> (tile<f32>) {
      // expected-error @+1 {{gives ('!cuda_tile.tile<i32>'), but the loop-carried values are ('!cuda_tile.tile<f32>')}}
      continue %j : tile<i32>
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>, %f: tile<f32>, %t: tensor_view<8xf32, strides=[1]>) {
    loop {
      if %c {
        // expected-error @+1 {{must be in an entry, with nothing but ifs between; in a loop, `break` leaves the loop, and what follows it can return}}
        return
      }
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k() {
    loop {
      // expected-error @+1 {{must be in an entry, with nothing but ifs between; in a loop, `break` leaves the loop}}
      return
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%c: tile<i1>, %i: tile<i32>) {
    for %j in (%i to %i, step %i) : tile<i32> {
      if %c {
        // expected-error @+1 {{must be in an entry, with nothing but ifs between; a for has no way out, but a loop has `break`}}
        return
      }
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%t: tile<i32>) {
    %0 = constant <i32: 1> : tile<8xi32>
    %1 = reduce %0 dim=0 identities=[0 : i32] : tile<8xi32> -> tile<i32>
    (%a: tile<i32>, %b: tile<i32>) {
      // expected-error @+1 {{must be in a loop, with nothing but ifs between}}
      break
    }
    return
  }
}

// -----

cuda_tile.module @m {
  entry @k(%i: tile<i32>) {
    // expected-error @+1 {{gives ('!cuda_tile.tile<i32>'), but the results of the entry are ()}}
    return %i : tile<i32>
  }
}
