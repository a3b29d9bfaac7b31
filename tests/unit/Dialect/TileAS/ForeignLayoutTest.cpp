//===- ForeignLayoutTest.cpp - Operations of another dialect's ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that neither the core nor the layout plugin knows take part in layout assignment through the interfaces
// alone.
//
//===----------------------------------------------------------------------===//

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "tileiras/Analysis/AssignedLayouts.h"
#include "tileiras/Dialect/TileAS/LayoutUtils.h"
#include "tileiras/Plugin/PluginLoader.h"
#include <catch2/catch.hpp>

using namespace mlir;
using namespace tileiras;

namespace {

/// Mirrors the tile: renames registers, as nv_tileas.permute does.
class MirrorOp : public Op<MirrorOp, OpTrait::OneOperand, OpTrait::OneResult, OpTrait::ZeroRegions,
                           OpTrait::ZeroSuccessors, as::ShapeLayoutOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MirrorOp)
  using Op::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static StringRef getOperationName() { return "foreign.mirror"; }

  std::optional<LinearLayout> deriveResultLayout(const LinearLayout &source) { return source.permute({1, 0}); }
  std::optional<LinearLayout> deriveSourceLayout(const LinearLayout &result) { return result.permute({1, 0}); }
};

/// An engine that takes and gives tiles in one layout only.
class EngineOp : public Op<EngineOp, OpTrait::OneOperand, OpTrait::OneResult, OpTrait::ZeroRegions,
                           OpTrait::ZeroSuccessors, as::LayoutOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EngineOp)
  using Op::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static StringRef getOperationName() { return "foreign.engine"; }

  Attribute getEngineLayout() {
    return parseAttribute("#nv_tileas.blocked<register = [2, 2], lane = [8, 4], warp = [1, 4], order = [0, 1]>",
                          getContext());
  }
  void collectLayoutRelations(as::LayoutRelations &relations) {
    relations.want(getOperand(), getEngineLayout());
    relations.want((*this)->getResult(0), getEngineLayout());
  }
  void adaptLayouts(as::OpLayouts &layouts) { layouts.setAll(getEngineLayout()); }
};

class ForeignDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ForeignDialect)
  explicit ForeignDialect(MLIRContext *context) : Dialect("foreign", context, TypeID::get<ForeignDialect>()) {
    addOperations<MirrorOp, EngineOp>();
  }
  static StringRef getDialectNamespace() { return "foreign"; }
};

constexpr const char *kProgram = R"(
  #l = #nv_tileas.blocked<register = [1, 1], lane = [1, 32], warp = [4, 1], order = [1, 0]>
  nv_tileaa.func @f(%p: !nv_tileaa.ptr<f32>, %i: i32) attributes {kernel_spec = #nv_tileaa.kernel_spec<num_warps = 4>} {
    %b = nv_tileas.splat %p : tensor<32x64x!nv_tileaa.ptr<f32>, #l>
    %o = nv_tileas.splat %i : tensor<32x64xi32, #l>
    %q = nv_tileaa.addptr %b, %o : tensor<32x64x!nv_tileaa.ptr<f32>, #l>, tensor<32x64xi32, #l>
    %x = nv_tileas.load weak %q atom = "universal_copy" : (tensor<32x64x!nv_tileaa.ptr<f32>, #l>) -> tensor<32x64xf32, #l>
    %y = arith.addf %x, %x : tensor<32x64xf32, #l>
    %m = "foreign.mirror"(%y) : (tensor<32x64xf32, #l>) -> tensor<64x32xf32, #l>
    %e = "foreign.engine"(%m) : (tensor<64x32xf32, #l>) -> tensor<64x32xf32, #l>
    %r = arith.mulf %e, %e : tensor<64x32xf32, #l>
    nv_tileas.print "%f", %r : (tensor<64x32xf32, #l>) -> ()
    nv_tileaa.return
  })";

struct ForeignFixture {
  ForeignFixture() {
    context.loadDialect<as::TileASDialect, arith::ArithDialect, ForeignDialect>();
    module = parseSourceString<ModuleOp>(kProgram, &context);
    REQUIRE(module);
  }
  template <typename OpTy>
  OpTy find() {
    OpTy found;
    module->walk([&](OpTy op) { found = op; });
    REQUIRE(found.getOperation() != nullptr);
    return found;
  }
  static Attribute getLayout(Value tile) { return cast<RankedTensorType>(tile.getType()).getEncoding(); }
  int countConversions() {
    int count = 0;
    module->walk([&](as::ConvertLayoutOp) { ++count; });
    return count;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Every tile as its shape says.
struct DefaultChoice final : as::LayoutChoice {
  using LayoutChoice::LayoutChoice;
  Attribute getLayout(Value tile) override {
    return as::getDefaultLayout(cast<RankedTensorType>(tile.getType()), /*numWarps=*/4);
  }
};

} // namespace

TEST_CASE_METHOD(ForeignFixture, "Foreign operations get the layouts they can work with") {
  DefaultChoice choice(&context);
  REQUIRE(succeeded(as::applyLayouts(*module, choice)));
  REQUIRE(succeeded(verify(*module)));
  auto mirror = find<MirrorOp>();
  auto engine = find<EngineOp>();
  CHECK(getLayout(engine.getOperand()) == engine.getEngineLayout());
  CHECK(getLayout(engine->getResult(0)) == engine.getEngineLayout());
  auto registers = mirror.mapRegisters(as::getLinearLayout(cast<RankedTensorType>(mirror.getOperand().getType())),
                                       as::getLinearLayout(cast<RankedTensorType>(mirror->getResult(0).getType())));
  CHECK(registers.has_value());
  CHECK(countConversions() == 2); // into the engine and out of it
}

TEST_CASE_METHOD(ForeignFixture, "Layout assignment follows what foreign operations want") {
  llvm::Expected<DiscoveredPlugin> plugin = discoverPlugin(SHIPPED_PLUGINS "/tileiras-layout.so");
  if (!plugin)
    FAIL(llvm::toString(plugin.takeError()));
  Registry registry;
  REQUIRE(!activatePlugin(std::move(*plugin), registry));
  PassManager passes(&context);
  passes.nest("nv_tileaa.func").addPass(registry.findPass("tileas-assign-layouts")->create());
  REQUIRE(succeeded(passes.run(*module)));

  auto engine = find<EngineOp>();
  auto sum = find<arith::AddFOp>();
  auto product = find<arith::MulFOp>();
  // The engine's layout reaches what comes after it, and, mirrored, the load.
  CHECK(getLayout(product.getResult()) == engine.getEngineLayout());
  CHECK(as::getLinearLayout(cast<RankedTensorType>(sum.getType())) ==
        as::getLinearLayout(cast<RankedTensorType>(engine.getOperand().getType())).permute({1, 0}));
  CHECK(countConversions() == 0);
}
