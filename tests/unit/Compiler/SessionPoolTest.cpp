//===- SessionPoolTest.cpp - Compilations that share what they set up -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Compiler/SessionPool.h"
#include "tileiras/Compiler/Session.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <catch2/catch.hpp>
#include <random>
#include <thread>

using namespace tileiras;

namespace {
struct Request {
  llvm::StringRef input, gpuName;
  std::vector<std::string> settings;
  unsigned optLevel = 3;
  Product product = Product::PTX;
};

/// All that a session tells.
struct Outcome {
  std::string message, diagnostics, output, metadata;
  bool operator==(const Outcome &other) const = default;
};
} // namespace

static constexpr llvm::StringLiteral kEmpty =
    "cuda_tile.module @m {\n  entry @k(%p: tile<ptr<f32>>) {\n    return\n  }\n}\n";
static constexpr llvm::StringLiteral kSum =
    "cuda_tile.module @m {\n  entry @sum(%a: tile<i32>, %b: tile<i32>) {\n    %c = addi %a, %b : tile<i32>\n"
    "    print_tko \"%i\", %c : tile<i32> -> token\n    return\n  }\n}\n";

static std::vector<Request> makeRequests() {
  return {{kEmpty, "sm_90", {}},
          {kSum, "sm_90", {}},
          {kSum, "sm_80", {"num-warps=8"}},
          {kSum, "sm_100", {}, 1},
          {kSum, "sm_90", {}, 3, Product::TileAS},
          {kEmpty, "sm_90", {"ftz=true", "tuning.access-cost=7"}, 3},
          // What fails, at one step after the other.
          {kEmpty, "sm_90", {"num-warp=8"}},
          {kEmpty, "sm_12345", {}},
          {"cuda_tile.module @m { oops }", "sm_90", {}},
          {"cuda_tile.module @m { entry @k() { %x = addx %x : tile<i32> } }", "sm_90", {}},
          {"module { func.func @f() { return } }", "sm_90", {}},
          {"\x01\x02", "sm_90", {}},
          {kSum, "sm_90", {"scheduler.name=nobody"}}};
}

static Outcome compile(const Request &request, SessionPool *pool) {
  Outcome outcome;
  llvm::raw_string_ostream diagnostics(outcome.diagnostics), metadata(outcome.metadata);
  CompilerOptions options;
  options.product = request.product;
  options.gpuName = request.gpuName.str();
  options.optLevel = request.optLevel;
  options.settings = request.settings;
  options.diagnosticStream = &diagnostics;
  options.collectMetadata = true;
  options.remarks.filters.all = ".*";
  CompilerSession session(std::move(options), pool);
  session.setInput(llvm::MemoryBuffer::getMemBufferCopy(request.input, "k.mlir"));
  if (llvm::Error error = session.compile())
    outcome.message = llvm::toString(std::move(error));
  else
    session.writeMetadata(metadata);
  outcome.output = session.getOutput().str();
  return outcome;
}

TEST_CASE("sessions of a pool tell what sessions alone tell, in any order") {
  const std::vector<Request> requests = makeRequests();
  std::vector<Outcome> expected;
  unsigned failures = 0;
  for (const Request &request : requests) {
    expected.push_back(compile(request, nullptr));
    failures += !expected.back().message.empty();
  }
  CHECK(failures == 7);

  SessionPool pool;
  std::mt19937 random(7);
  for (unsigned i = 0; i < 200; ++i) {
    const size_t which = random() % requests.size();
    const Outcome outcome = compile(requests[which], &pool);
    CAPTURE(i, which);
    REQUIRE(outcome.message == expected[which].message);
    REQUIRE(outcome.diagnostics == expected[which].diagnostics);
    REQUIRE(outcome == expected[which]);
  }
}

TEST_CASE("a pool serves profiles that are made for each compilation") {
  llvm::SmallString<128> folder;
  REQUIRE(!llvm::sys::fs::createUniqueDirectory("tileiras-pool", folder));
  const llvm::scope_exit remove([&] { llvm::sys::fs::remove_directories(folder); });
  SessionPool pool;
  for (unsigned i = 0; i < 200; ++i) { // more than it keeps
    const std::string file = (folder + "/" + std::to_string(i % 100) + ".toml").str();
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << "name = \"mine\"\ninherits = \"o" << i % 4
                                      << "\"\noptions.num-warps = " << (1 << i % 4) << '\n';
    REQUIRE(!error);
    CompilerOptions options;
    options.gpuName = "sm_90";
    options.profile = file;
    CompilerSession session(std::move(options), &pool);
    REQUIRE(llvm::toString(session.discoverPlugins()) == "");
    REQUIRE(llvm::toString(session.resolveProfile()) == "");
    CHECK(session.getProfile().options.getInteger("num-warps") == 1 << i % 4);
  }
}

TEST_CASE("a pool serves several threads") {
  const std::vector<Request> requests = makeRequests();
  std::vector<Outcome> expected;
  for (const Request &request : requests)
    expected.push_back(compile(request, nullptr));
  SessionPool pool;
  std::atomic<unsigned> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned thread = 0; thread < 4; ++thread)
    threads.emplace_back([&, thread] {
      std::mt19937 random(thread);
      for (unsigned i = 0; i < 40; ++i) {
        const size_t which = random() % requests.size();
        wrong += !(compile(requests[which], &pool) == expected[which]);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}
