//===- AssemblerTest.cpp - From PTX to machine code -----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Codegen/Assembler.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include <catch2/catch.hpp>

using namespace tileiras;

namespace {

constexpr llvm::StringLiteral kernel = R"(
.version 8.0
.target sm_90a
.address_size 64
.visible .entry store(.param .u64 p) .reqntid 128 {
  .reg .b64 %r<3>;
  .shared .b8 scratch[4096];
  ld.param.u64 %r1, [p];
  bar.sync 0;
  st.shared.u64 [scratch], %r1;
  st.global.u64 [%r1], %r1;
  ret;
}
)";

std::unique_ptr<Assembler> makeAssembler(llvm::StringRef name) {
  auto assembler = createAssembler(name, CudaToolkit());
  if (!assembler) {
    WARN("skipped: " << llvm::toString(assembler.takeError()));
    return nullptr;
  }
  return std::move(*assembler);
}

} // namespace

TEST_CASE("an unknown assembler is refused with the known names") {
  auto assembler = createAssembler("gas", CudaToolkit());
  REQUIRE(!assembler);
  CHECK(llvm::toString(assembler.takeError()) == "unknown assembler 'gas'; the known ones are ptxas, nvjitlink");
}

TEST_CASE("both assemblers make a cubin and report its resources") {
  for (llvm::StringRef name : getAssemblerNames()) {
    std::unique_ptr<Assembler> assembler = makeAssembler(name);
    if (!assembler)
      continue;
    AssemblerOptions options;
    options.arch = "sm_90a";
    auto assembly = assembler->assemble(kernel, options);
    if (!assembly)
      FAIL(name.str() << ": " << llvm::toString(assembly.takeError()));
    CHECK(llvm::StringRef(assembly->cubin.data(), 4) == "\177ELF");
    REQUIRE(assembly->kernels.size() == 1);
    CHECK(assembly->kernels[0].name == "store");
    CHECK(assembly->kernels[0].registers > 0);
    CHECK(assembly->kernels[0].barriers == 1);
    CHECK(assembly->kernels[0].sharedBytes == 4096);
    auto version = assembler->getVersion();
    REQUIRE(!!version);
    CHECK(version->find('.') != std::string::npos);
  }
}

TEST_CASE("rejected PTX is an error with the assembler's words") {
  for (llvm::StringRef name : getAssemblerNames()) {
    std::unique_ptr<Assembler> assembler = makeAssembler(name);
    if (!assembler)
      continue;
    AssemblerOptions options;
    options.arch = "sm_90a";
    auto assembly = assembler->assemble(".version 8.0\n.target sm_90a\n.address_size 64\nnonsense", options);
    REQUIRE(!assembly);
    CHECK(llvm::toString(assembly.takeError()).find("rejected the generated PTX") != std::string::npos);
  }
}

TEST_CASE("an assembler that does not finish is stopped") {
  std::unique_ptr<Assembler> assembler = makeAssembler("ptxas");
  if (!assembler)
    return;
  AssemblerOptions options;
  options.arch = "sm_90a";
  options.timeout = std::chrono::milliseconds(0);
  auto assembly = assembler->assemble(kernel, options);
  REQUIRE(!assembly);
  CHECK(llvm::toString(assembly.takeError()).find("Child timed out") == 0);
}

TEST_CASE("the report of ptxas is read") {
  Assembly assembly;
  parseAssemblerReport("ptxas info    : 0 bytes gmem\n"
                       "ptxas info    : (C7508) Potential Performance Loss\n"
                       "ptxas warning : Unresolved pragma\n"
                       "ptxas info    : Compiling entry function 'a' for 'sm_90a'\n"
                       "ptxas info    : Function properties for a\n"
                       "    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                       "ptxas info    : Used 168 registers, used 2 barriers, 400 bytes cmem[0]\n"
                       "ptxas info    : Compiling entry function 'b' for 'sm_90a'\n"
                       "ptxas info    : Used 24 registers, used 1 barriers, 1024 bytes smem, 400 bytes cmem[0]\n",
                       assembly);
  REQUIRE(assembly.warnings == std::vector<std::string>{"Unresolved pragma"});
  REQUIRE(assembly.kernels.size() == 2);
  CHECK(assembly.kernels[0].registers == 168);
  CHECK(assembly.kernels[0].stackBytes == 16);
  CHECK(assembly.kernels[0].spillStoreBytes == 8);
  CHECK(assembly.kernels[0].spillLoadBytes == 12);
  CHECK(assembly.kernels[0].sharedBytes == 0);
  CHECK(assembly.kernels[1].name == "b");
  CHECK(assembly.kernels[1].sharedBytes == 1024);
}
