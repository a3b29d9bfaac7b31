//===- CudaTileTest.cpp - What the text of cuda_tile does not show --------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras::cuda_tile;

namespace {
struct CudaTileFixture {
  CudaTileFixture() { context.loadDialect<CudaTileDialect>(); }
  template <typename Type>
  Type type(StringRef text) {
    return cast<Type>(parseType(text, &context));
  }
  MLIRContext context;
};
} // namespace

TEST_CASE_METHOD(CudaTileFixture, "A hint for the architecture goes before the default") {
  auto hints = cast<OptimizationHintsAttr>(parseAttribute(
      "#cuda_tile.optimization_hints<default = {occupancy = 2, latency = 5}, sm_90 = {occupancy = 4}>", &context));
  auto hint = [&](StringRef architecture, StringRef name) {
    auto value = dyn_cast_or_null<IntegerAttr>(hints.getHint(architecture, name));
    return value ? value.getInt() : -1;
  };
  CHECK(hint("sm_90", "occupancy") == 4);
  CHECK(hint("sm_90", "latency") == 5);
  CHECK(hint("sm_80", "occupancy") == 2);
  CHECK(hint("sm_80", "num_cta_in_cga") == -1);
}

TEST_CASE_METHOD(CudaTileFixture, "The scope of a location is found through names, fusions and calls") {
  auto subprogram = cast<DISubprogramAttr>(parseAttribute(
      R"(#cuda_tile.di_subprogram<file = <"k.py" in "/src">, line = 1, name = "k", linkageName = "k",
         compileUnit = <file = <"k.py" in "/src">>>)",
      &context));
  auto file = cast<DIFileAttr>(parseAttribute(R"(#cuda_tile.di_file<"k.py" in "/src">)", &context));
  auto block = DILexicalBlockAttr::get(&context, subprogram, file, 3, 4);
  auto line = FileLineColLoc::get(&context, "k.py", 7, 8);
  auto scoped = DILocAttr::get(&context, line, block);
  Location unknown = UnknownLoc::get(&context);

  CHECK(DILocAttr::find(scoped) == scoped);
  CHECK(DILocAttr::find(NameLoc::get(StringAttr::get(&context, "x"), Location(scoped))) == scoped);
  CHECK(DILocAttr::find(FusedLoc::get(&context, {unknown, Location(line), Location(scoped)})) == scoped);
  CHECK(DILocAttr::find(CallSiteLoc::get(unknown, Location(scoped))) == scoped);
  CHECK_FALSE(DILocAttr::find(CallSiteLoc::get(Location(scoped), unknown)));
  CHECK_FALSE(DILocAttr::find(line));
  CHECK(scoped.getSubprogram() == subprogram);
}

TEST_CASE_METHOD(CudaTileFixture, "Views tell what an access transfers and which indices it takes") {
  auto tensor = type<TensorViewType>("!cuda_tile.tensor_view<?x64xf16, strides=[?,1]>");
  CHECK(tensor.getNumDynamicSizes() == 1);
  CHECK(tensor.getNumDynamicStrides() == 1);
  CHECK_FALSE(getViewedTensor(tensor));

  auto gather = type<TileViewInterface>(
      "!cuda_tile.gather_scatter_view<tile=(8x32), tensor_view<?x64xf16, strides=[?,1]>, sparse_dim=0>");
  CHECK(getViewedTensor(gather) == tensor);
  CHECK(gather.getViewTileType() == type<TileType>("!cuda_tile.tile<8x32xf16>"));
  CHECK(gather.getViewIndexRank() == 2);
  CHECK(gather.getIndexShape(0) == SmallVector<int64_t>{8});
  CHECK(gather.getIndexShape(1).empty());

  auto partition =
      type<TileViewInterface>("!cuda_tile.partition_view<tile=(8x32), tensor_view<?x64xf16, strides=[?,1]>>");
  CHECK(partition.getIndexShape(0).empty());
}

TEST_CASE_METHOD(CudaTileFixture, "Operations are built with what is usual left out") {
  Location loc = UnknownLoc::get(&context);
  OpBuilder builder(&context);
  OwningOpRef<tileiras::cuda_tile::ModuleOp> module(tileiras::cuda_tile::ModuleOp::create(builder, loc, "m"));
  builder.setInsertionPointToEnd(&module->getBody().front());
  auto entry = EntryOp::create(builder, loc, "k", builder.getFunctionType({}, {}), /*arg_attrs=*/nullptr,
                               /*res_attrs=*/nullptr, /*optimization_hints=*/nullptr);
  builder.setInsertionPointToEnd(&entry.getBody().emplaceBlock());

  auto tile = type<TileType>("!cuda_tile.tile<i32>");
  auto value = cast<DenseIntOrFPElementsAttr>(DenseElementsAttr::get(tile, builder.getI32IntegerAttr(3)));
  auto three = ConstantOp::create(builder, loc, value);
  auto sum = AddIOp::create(builder, loc, three, three);
  CHECK(sum.getType() == tile);
  CHECK(sum.getOverflow() == IntegerOverflow::NONE);
  auto loop = ForOp::create(builder, loc, three, three, three, ValueRange{sum});
  CHECK(loop.getRegionIterValues().size() == 1);
  CHECK_FALSE(loop.getUnsignedCmp());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(loop.getBody());
    ContinueOp::create(builder, loc, ValueRange{loop.getInductionVar()});
  }
  ReturnOp::create(builder, loc);
  CHECK(succeeded(verify(*module)));
}
