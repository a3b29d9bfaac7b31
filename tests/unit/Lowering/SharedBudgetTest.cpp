//===- SharedBudgetTest.cpp - Who gets shared memory ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SharedBudget.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/TileAS/Pipelines.h"
#include <catch2/catch.hpp>

using namespace tileiras;

static constexpr int64_t kKiB = 1024, kLateBytes = 512; // The latter are kept for passes that come behind.

/// 32 KiB for a tile, 8 KiB a stage, then 16 KiB for another tile; threads exchange 32 KiB.
static constexpr const char *program = R"(
  #k = #nv_tileas.shared<(64,64),(64,1),swizzle<3,4,3>>
  #w = #nv_tileas.shared<(256,64),(64,1),swizzle<3,4,3>>
  #x = #nv_tileas.shared<(128,64),(64,1),swizzle<3,4,3>>
  !pipe = !nv_tileas.pipeline<4 x (tensor<64x64xf16, #k>)>
  #rows = #nv_tileas.blocked<register = [1, 4], lane = [2, 16], warp = [4, 1], order = [1, 0]>
  #columns = #nv_tileas.blocked<register = [4, 1], lane = [16, 2], warp = [1, 4], order = [0, 1]>
  nv_tileaa.func @f(%x: tensor<64x64xf32, #rows>) {
    %y = nv_tileas.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %before = nv_tileas.alloc_tensor : tensor<256x64xf16, #w>
    %pipe = nv_tileas.async.pipeline.create_pipeline : !pipe
    %i = nv_tileas.async.pipeline.create_iterator %pipe : !pipe
    %behind = nv_tileas.alloc_tensor : tensor<128x64xf16, #x>
    nv_tileaa.return
  }
)";

namespace {

struct ParsedProgram {
  ParsedProgram() {
    context.loadDialect<as::TileASDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
    REQUIRE(module);
  }
  mlir::FunctionOpInterface getFunction() const {
    return *mlir::ModuleOp(*module).getOps<mlir::FunctionOpInterface>().begin();
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A GPU with so much shared memory.
struct OneChip {
  explicit OneChip(uint32_t sharedBytes, uint32_t staticBytes = 0, bool hasTma = true)
      : described("test", {describe(sharedBytes, staticBytes, hasTma)}) {}
  ChipTarget get() const { return {&described, &described.chips().front()}; }

private:
  static ChipDescription describe(uint32_t sharedBytes, uint32_t staticBytes, bool hasTma) {
    ChipDescription chip;
    chip.info.name = "chip";
    chip.info.features.tma = hasTma;
    chip.machine.sharedMemoryBytes = sharedBytes;
    chip.machine.staticSharedMemoryBytes = staticBytes;
    return chip;
  }

  DescribedTarget described;
};

} // namespace

TEST_CASE("what a function has in shared memory takes its place") {
  const ParsedProgram parsed;
  mlir::FunctionOpInterface function = parsed.getFunction();
  const OneChip chip(112 * kKiB + kLateBytes, 48 * kKiB);

  SharedBudget budget(function, chip.get(), getWantedCTAs(function));
  CHECK(budget.getLimit() == 96 * kKiB); // Exchanges have the rest.
  // One stage and its barriers, as far away as tiles are aligned. The last tile lies where the first was.
  CHECK(budget.getTaken() == 40 * kKiB + 16);
  budget.layOut([](as::CreatePipelineOp pipeline) { return pipeline.getType().getStages(); });
  CHECK(budget.getTaken() == 64 * kKiB + 64);

  const Lifetime whole = budget.getOrder().getWhole();
  CHECK(budget.getFree(whole) == 31 * kKiB);
  CHECK_FALSE(budget.take(32 * kKiB, whole));
  CHECK(budget.take(31 * kKiB, whole));
  CHECK(budget.getFree(whole) == 0);
  CHECK(budget.fits());
  // The first tile is out of use at the end.
  CHECK(budget.take(16 * kKiB, {whole.end, whole.end}));

  budget.layOut(nullptr);
  CHECK(budget.getFree(whole) == 55 * kKiB);
  budget.layOut([](as::CreatePipelineOp) { return 8; });
  CHECK_FALSE(budget.fits());
}

TEST_CASE("static shared memory is kept to where it is enough so far") {
  const ParsedProgram parsed;
  mlir::FunctionOpInterface function = parsed.getFunction();
  const OneChip chip(112 * kKiB + kLateBytes, 64 * kKiB);

  SharedBudget little(function, chip.get(), /*ctas=*/1);
  little.keepStatic();
  CHECK(little.getLimit() == 48 * kKiB);
  SharedBudget much(function, chip.get(), /*ctas=*/1, [](as::CreatePipelineOp) { return 4; });
  much.keepStatic();
  CHECK(much.getLimit() == 96 * kKiB);
}

TEST_CASE("exchanges that there are not leave their memory to tiles") {
  const ParsedProgram parsed;
  mlir::FunctionOpInterface function = parsed.getFunction();
  const OneChip chip(112 * kKiB + kLateBytes);

  mlir::Operation *conversion = nullptr;
  function->walk([&](as::ConvertLayoutOp op) { conversion = op; });
  CHECK(SharedBudget(function, chip.get(), /*ctas=*/1).getLimit() == 96 * kKiB);
  CHECK(SharedBudget(function, chip.get(), /*ctas=*/1, nullptr, conversion).getLimit() == 112 * kKiB);
}

TEST_CASE("threads that fill stages need no barriers, and no room for exchanges after that") {
  const ParsedProgram parsed;
  mlir::FunctionOpInterface function = parsed.getFunction();
  const OneChip chip(112 * kKiB + kLateBytes, /*staticBytes=*/0, /*hasTma=*/false);

  // Before the pipeline has ended there is one.
  SharedBudget budget(function, chip.get(), /*ctas=*/1);
  CHECK(budget.getLimit() == 96 * kKiB);
  CHECK(budget.getTaken() == 40 * kKiB);

  function->walk([](as::ConvertLayoutOp op) { op->moveBefore(op->getBlock()->getTerminator()); });
  CHECK(SharedBudget(function, chip.get(), /*ctas=*/1).getLimit() == 112 * kKiB);
}
