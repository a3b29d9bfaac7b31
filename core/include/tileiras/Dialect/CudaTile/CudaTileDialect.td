//===- CudaTileDialect.td - The public tile language --------*- tablegen -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_DIALECT_CUDATILE_CUDATILEDIALECT_TD
#define TILEIRAS_DIALECT_CUDATILE_CUDATILEDIALECT_TD

include "mlir/IR/DialectBase.td"

def CudaTile_Dialect : Dialect {
  let name = "cuda_tile";
  let cppNamespace = "::tileiras::cuda_tile";
  let summary = "CUDA Tile IR, the language that front ends write";
  let description = [{
    Programs over tiles (fixed-size, power-of-two multidimensional values), views (structured windows into global
    memory) and tokens (ordering between memory operations). The dialect follows the public specification of
    CUDA Tile IR 13.1 to 13.4: names, operands, attributes and text are the specification's.

    Inside a `cuda_tile.module` operations and types are written without their prefix:

    ```mlir
    cuda_tile.module @m {
      entry @k(%x: tile<ptr<f32>>, %v: tile<f32>) {
        %0 = store_ptr_tko weak %x, %v : tile<ptr<f32>>, tile<f32> -> token
        return
      }
    }
    ```
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    void registerTypes();
    void registerAttributes();
    template <typename... Ops>
    void registerOps() { addOperations<Ops...>(); }
  }];
}

#endif // TILEIRAS_DIALECT_CUDATILE_CUDATILEDIALECT_TD
