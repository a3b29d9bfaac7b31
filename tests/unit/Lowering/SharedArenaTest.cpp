//===- SharedArenaTest.cpp - Places and lifetimes -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Lowering/SharedArena.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include <catch2/catch.hpp>
#include <map>
#include <random>

using namespace tileiras;

TEST_CASE("what is in use at the same time lies apart") {
  SharedArena arena;
  CHECK(arena.allocate(100, 16, {0, 10}) == 0);
  CHECK(arena.allocate(50, 16, {5, 20}) == 112);
  CHECK(arena.allocate(64, 64, {11, 12}) == 0);    // The first is out of use, and it fits before the second.
  CHECK(arena.allocate(128, 64, {12, 13}) == 192); // It does not, and there is the third.
  CHECK(arena.getBytes() == 320);
}

TEST_CASE("a part that is looked for is not taken") {
  SharedArena arena;
  arena.take(128, 128, {0, 100});
  CHECK(arena.find(128, 128, {50, 50}) == 0);
  CHECK(arena.find(129, 128, {50, 50}) == 256);
  CHECK(arena.find(129, 128, {101, 101}) == 0);
  CHECK(arena.getBytes() == 256);
}

TEST_CASE("no two parts overlap in place and time") {
  std::mt19937 random(7);
  auto upTo = [&](int64_t limit) { return int64_t(random() % limit); };
  for (int round = 0; round < 50; ++round) {
    SharedArena arena;
    struct Part {
      int64_t begin, end;
      Lifetime lifetime;
    };
    std::vector<Part> parts;
    for (int i = 0; i < 40; ++i) {
      int64_t bytes = 1 + upTo(500), alignment = int64_t(1) << upTo(8), begin = upTo(50);
      Lifetime lifetime{begin, begin + upTo(10)};
      int64_t offset = arena.allocate(bytes, alignment, lifetime);
      REQUIRE(offset % alignment == 0);
      for (const Part &other : parts)
        REQUIRE((!other.lifetime.overlaps(lifetime) || offset >= other.end || offset + bytes <= other.begin));
      parts.push_back({offset, offset + bytes, lifetime});
    }
  }
}

TEST_CASE("what is in use is found among many parts") {
  std::mt19937 random(11);
  auto upTo = [&](int64_t limit) { return int64_t(random() % limit); };
  SharedArena arena;
  std::vector<std::pair<Lifetime, int64_t>> ends; // of parts, each of which lies right behind the one before
  int64_t end = 0;
  for (int i = 0; i < 2000; ++i) {
    const int64_t begin = upTo(i % 3 == 0 ? 100000 : 300), bytes = 1 + upTo(9);
    const Lifetime lifetime{begin, begin + upTo(i % 7 == 0 ? 50000 : 20)};
    arena.take(end, bytes, lifetime);
    ends.push_back({lifetime, end += bytes});
    const int64_t asked = upTo(200000);
    const Lifetime then{asked, asked + upTo(100)};
    int64_t last = 0;
    for (auto &[other, otherEnd] : ends)
      if (other.overlaps(then))
        last = std::max(last, otherEnd);
    REQUIRE(arena.find(end + 1, 1, then) == last); // Between two parts there is no room for so much.
  }
}

static constexpr const char *program = R"(
  #t = #nv_tileas.blocked<register = [4], lane = [32], warp = [4], order = [0]>
  #flat = #nv_tileas.shared<(512),(1)>
  !tile = tensor<512xf32, #t>
  !shared = tensor<512xf32, #flat>
  nv_tileaa.func @f(%x: f32, %n: i32, %which: i1) {
    %one = arith.constant 1 : i32
    %tile = nv_tileas.splat %x : !tile
    %a = nv_tileas.alloc_tensor {name = "a"} : !shared
    %b = nv_tileas.alloc_tensor {name = "b"} : !shared
    nv_tileas.copy %tile, %a atom = "universal_copy" {name = "last of a"} : !tile, !shared
    scf.for %i = %one to %n step %one : i32 {
      nv_tileas.copy %tile, %b atom = "universal_copy" : !tile, !shared
      %d = nv_tileas.alloc_tensor {name = "d"} : !shared
      nv_tileas.copy %tile, %d atom = "universal_copy" {name = "last of d"} : !tile, !shared
    } {name = "loop"}
    %passed = nv_tileas.alloc_tensor {name = "passed on"} : !shared
    %either = scf.if %which -> !shared {
      scf.yield %passed : !shared
    } else {
      scf.yield %passed : !shared
    }
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>, name = "two"} {
      %first = nv_tileas.alloc_tensor {name = "of an agent"} : !shared
      nv_tileas.copy %tile, %first atom = "universal_copy" : !tile, !shared
      nv_tileas.async.pipeline.yield
    }, {
      %second = nv_tileas.alloc_tensor {name = "of another"} : !shared
      nv_tileas.copy %tile, %second atom = "universal_copy" : !tile, !shared
      nv_tileas.async.pipeline.yield
    }
    nv_tileas.async.pipeline.agent_switch attributes {num_warps = array<i32: 4, 4>, warp_id = array<i32: 0, 4>} {
      %own = nv_tileas.alloc_tensor {name = "of one alone"} : !shared
      nv_tileas.copy %tile, %own atom = "universal_copy" {name = "its last"} : !tile, !shared
      nv_tileas.async.pipeline.yield
    }, {
      nv_tileas.async.pipeline.yield
    }
    nv_tileaa.return
  })";

TEST_CASE("memory is in use until its last use, and as long as loops around that, and agents beside it") {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<aa::TileAADialect, as::TileASDialect, mlir::scf::SCFDialect, mlir::arith::ArithDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program, &context);
  REQUIRE(module);
  std::map<std::string, mlir::Operation *> named;
  module->walk([&](mlir::Operation *op) {
    if (auto name = op->getAttrOfType<mlir::StringAttr>("name"))
      named[name.str()] = op;
  });
  ProgramOrder order((*module->getOps<aa::FuncOp>().begin()).getBody());
  auto getLifetime = [&](const char *buffer) { return order.getLifetime(named.at(buffer)->getResult(0)); };
  auto getOwn = [&](const char *op) { return order.getLifetime(named.at(op)); };

  CHECK(getLifetime("a").begin == getOwn("a").begin);
  CHECK(getLifetime("a").end == getOwn("last of a").end);
  CHECK(getLifetime("b").end == getOwn("loop").end);
  CHECK(getLifetime("d").end == getOwn("last of d").end);
  CHECK(getLifetime("passed on").end == order.getWhole().end);
  CHECK(!getLifetime("a").overlaps(getLifetime("d")));
  CHECK(getLifetime("b").overlaps(getLifetime("d")));
  // Agents run at the same time.
  CHECK(getLifetime("of an agent").overlaps(getLifetime("of another")));
  CHECK(getLifetime("of an agent").end == getOwn("two").end);
  CHECK(getLifetime("of another").begin == getOwn("two").begin);
  CHECK(getLifetime("of one alone").end == getOwn("its last").end);
}
