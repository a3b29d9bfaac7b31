//===- OverlapTest.cpp - Launches that overlap with the one before them ---===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include <catch2/catch.hpp>

using namespace ptxemu;
using namespace ptxemu::testing;

namespace {

constexpr unsigned kThreads = 32, kWords = 64;

/// Each thread of one CTA writes 7 to its word, early or late.
const char *const kProducer = R"(
  griddepcontrol.launch_dependents;
  mul.wide.u32 %rd1, %i, 4;
  add.u64 %rd1, %out, %rd1;
  st.global.u32 [%rd1], 7;
)";

/// Each thread adds 1 to what it reads of the word that its neighbour has written, and writes it 32 words behind.
std::string consumer(const std::string &before, const std::string &load = "ld.global.u32 %r2, [%rd2];",
                     const std::string &after = "") {
  return R"(
  xor.b32 %r1, %i, 1;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd2, %out, %rd2;
  mul.wide.u32 %rd1, %i, 4;
  add.u64 %rd1, %out, %rd1;
)" + before +
         "\n" + load + "\n" + after + R"(
  add.u32 %r2, %r2, 1;
  st.global.u32 [%rd1+128], %r2;
)";
}

/// The kernels one after the other on the same words, each but the first as `overlaps` says; what is wrong first.
std::string chain(const std::vector<std::string> &bodies, bool overlaps = true, bool rightToo = true) {
  Device device;
  const uint64_t words = device.allocate(kWords * 4, "out");
  std::string message;
  for (size_t n = 0; n < bodies.size(); ++n) {
    const Module module = Module::parse(kernel(bodies[n], kThreads));
    LaunchOptions options;
    options.overlaps = overlaps && n > 0;
    options.arguments.emplace_back(8);
    std::memcpy(options.arguments[0].data(), &words, 8);
    const LaunchResult result = launch(device, module, options);
    if (!result.ok())
      return result.diagnostics[0].kind + ": " + result.diagnostics[0].message;
  }
  std::array<uint32_t, kWords> got{};
  device.read(words, got.data(), sizeof got);
  return rightToo && got[kThreads + 3] != 8 ? "wrong" : "";
}

} // namespace

TEST_CASE("A launch that waits for the grid before it reads what that has written", "[overlap]") {
  CHECK(chain({kProducer, consumer("griddepcontrol.wait;")}) == "");
  CHECK(chain({kProducer, consumer("")}, /*overlaps=*/false) == "");
}

TEST_CASE("A read before the wait is found", "[overlap]") {
  using Catch::Contains;
  CHECK_THAT(chain({kProducer, consumer("")}),
             Contains("data-race: warp 0 lane") && Contains("of launch 2 reads 'out'"));
  CHECK_THAT(chain({kProducer, consumer("", "ld.global.u32 %r2, [%rd2];", "griddepcontrol.wait;")}),
             Contains("data-race"));
}

TEST_CASE("So is a write of what the grid before has written, or reads", "[overlap]") {
  CHECK_THAT(chain({kProducer, kProducer}), Catch::Contains("data-race"));
  CHECK_THAT(chain({consumer(""), kProducer}, true, false), Catch::Contains("data-race"));
  CHECK(chain({consumer(""), std::string("griddepcontrol.wait;") + kProducer}, true, false) == "");
}

TEST_CASE("One thread may wait for all where a barrier follows", "[overlap]") {
  const std::string one = "setp.eq.u32 %p1, %i, 0;\n@%p1 griddepcontrol.wait;\n";
  CHECK(chain({kProducer, consumer(one + "bar.sync 0;")}) == "");
  CHECK_THAT(chain({kProducer, consumer(one)}), Catch::Contains("data-race"));
}

TEST_CASE("A grid that waits hands on what those before it have done", "[overlap]") {
  const std::string waits = "griddepcontrol.wait;", idles = "mov.u32 %r1, 0;";
  CHECK(chain({kProducer, waits, consumer(waits)}) == "");
  // The one in the middle is complete, the first need not be.
  CHECK_THAT(chain({kProducer, idles, consumer(waits)}), Catch::Contains("data-race"));
  // A launch that does not overlap is behind all.
  CHECK(chain({kProducer, idles, consumer("")}, false) == "");
}
