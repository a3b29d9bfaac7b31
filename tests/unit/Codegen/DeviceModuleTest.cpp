//===- DeviceModuleTest.cpp - LLVM IR of a device program, to PTX ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Codegen/DeviceModule.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Codegen/CudaToolkit.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include <catch2/catch.hpp>
#include <cstdlib>
#include <thread>

using namespace mlir;
using namespace tileiras;

namespace {

/// A context with the dialects of device modules that collects its diagnostics.
struct Device {
  Device() {
    DialectRegistry registry;
    registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect, as::TileASDialect>();
    registerCodegenTranslations(registry);
    context.appendDialectRegistry(registry);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      diagnostics += diagnostic.str() + "\n";
      return success();
    });
  }

  FailureOr<DeviceModule> translate(llvm::StringRef text, unsigned optLevel = 3) {
    module = parseSourceString<ModuleOp>(text, &context);
    REQUIRE(module);
    CodegenOptions options;
    options.chip = {"sm_90", "sm_90a", "sm_90a", 80, 90};
    options.optLevel = optLevel;
    return DeviceModule::translate(*module, options);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<ModuleOp> module;
  std::string diagnostics;
};

constexpr llvm::StringLiteral scale = R"(
  llvm.func @scale(%p: !llvm.ptr<1>, %s: vector<4xf32>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
    %v = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
    %r = llvm.fmul %v, %s : vector<4xf32>
    llvm.store %r, %p {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  })";

constexpr llvm::StringLiteral sine = R"(
  llvm.func @__nv_sinf(f32) -> f32
  llvm.func @sine(%p: !llvm.ptr<1>) attributes {nvvm.kernel} {
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %r = llvm.call @__nv_sinf(%v) : (f32) -> f32
    llvm.store %r, %p : f32, !llvm.ptr<1>
    llvm.return
  })";

} // namespace

TEST_CASE("a kernel becomes PTX at every level") {
  for (unsigned level = 0; level <= 3; ++level) {
    Device device;
    auto module = device.translate(scale, level);
    REQUIRE(succeeded(module));
    REQUIRE(succeeded(module->linkLibdevice(CudaToolkit())));
    REQUIRE(succeeded(module->optimize()));
    auto ptx = module->emitPtx();
    REQUIRE(succeeded(ptx));
    CHECK(ptx->find(".version 8.0") != std::string::npos);
    CHECK(ptx->find(".target sm_90a") != std::string::npos);
    CHECK(ptx->find(".visible .entry scale(") != std::string::npos);
    CHECK(ptx->find("ld.global.v4.") != std::string::npos);
    CHECK(ptx->find("st.global.v4.") != std::string::npos);
    CHECK(device.diagnostics.empty());
  }
}

TEST_CASE("libdevice is linked when it is called, and nothing of it stays visible") {
  CudaToolkit toolkit;
  if (auto path = toolkit.findLibdevice(); !path) {
    WARN("skipped: " << llvm::toString(path.takeError()));
    return;
  }
  Device device;
  auto module = device.translate(sine);
  REQUIRE(succeeded(module));
  REQUIRE(succeeded(module->linkLibdevice(toolkit)));
  REQUIRE(succeeded(module->optimize()));
  auto ptx = module->emitPtx();
  REQUIRE(succeeded(ptx));
  CHECK(ptx->find("__nv_") == std::string::npos);
}

TEST_CASE("a function that libdevice does not have is named") {
  CudaToolkit toolkit;
  if (auto path = toolkit.findLibdevice(); !path) {
    llvm::consumeError(path.takeError());
    WARN("skipped: no libdevice");
    return;
  }
  Device device;
  auto module = device.translate(R"(
    llvm.func @__nv_no_such_function() -> f32
    llvm.func @k() attributes {nvvm.kernel} {
      %r = llvm.call @__nv_no_such_function() : () -> f32
      llvm.return
    })");
  REQUIRE(succeeded(module));
  CHECK(failed(module->linkLibdevice(toolkit)));
  CHECK(device.diagnostics.find("does not define __nv_no_such_function") != std::string::npos);
}

TEST_CASE("halves are rounded, and go from block to block, in pairs") {
  Device device;
  FailureOr<DeviceModule> code = device.translate(R"(
    llvm.func @last(%p: !llvm.ptr<1>, %n: i32) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128>} {
      %zero = llvm.mlir.constant(0 : i32) : i32
      %one = llvm.mlir.constant(1 : i32) : i32
      %none = llvm.mlir.constant(dense<0.0> : vector<4xf16>) : vector<4xf16>
      llvm.br ^head(%zero, %none : i32, vector<4xf16>)
    ^head(%i: i32, %x: vector<4xf16>):
      %more = llvm.icmp "slt" %i, %n : i32
      llvm.cond_br %more, ^body, ^end
    ^body:
      %v = llvm.load volatile %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
      %h = llvm.fptrunc %v : vector<4xf32> to vector<4xf16>
      %next = llvm.add %i, %one : i32
      llvm.br ^head(%next, %h : i32, vector<4xf16>)
    ^end:
      llvm.store %x, %p {alignment = 8 : i64} : vector<4xf16>, !llvm.ptr<1>
      llvm.return
    })");
  REQUIRE(succeeded(code));
  REQUIRE(succeeded(code->optimize()));
  FailureOr<std::string> ptx = code->emitPtx();
  REQUIRE(succeeded(ptx));
  CHECK(ptx->find("cvt.rn.f16x2.f32") != std::string::npos);
  CHECK(ptx->find("cvt.rn.f16.f32") == std::string::npos);
  CHECK(ptx->find("mov.b16") == std::string::npos);
}

TEST_CASE("what the back end cannot select is an error, not an abort") {
  Device device;
  auto module = device.translate(R"(
    llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel} {
      %v = llvm.load %p : !llvm.ptr -> f32
      %r = llvm.intr.exp(%v) : (f32) -> f32
      llvm.store %r, %p : f32, !llvm.ptr
      llvm.return
    })");
  REQUIRE(succeeded(module));
  REQUIRE(succeeded(module->optimize()));
  CHECK(failed(module->emitPtx()));
  CHECK(device.diagnostics.find("PTX generation failed: ") != std::string::npos);
}

TEST_CASE("LLVM keeps lanes together at assembly that says so") {
  // What the text says does not count.
  auto translate = [](llvm::StringRef attributes) {
    Device device;
    auto module = device.translate(("llvm.func @k() attributes {nvvm.kernel} {\n  llvm.inline_asm has_side_effects " +
                                    attributes + " \"bar.sync.aligned 1, 64;\", \"\" : () -> ()\n  llvm.return\n}")
                                       .str());
    REQUIRE(succeeded(module));
    return module->printIR();
  };
  CHECK(translate("{nv_tileas.aligned}").find("convergent") != std::string::npos);
  CHECK(translate("").find("convergent") == std::string::npos);
}

TEST_CASE("the same input gives the same PTX on every thread") {
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::string &text : texts)
    threads.emplace_back([&text] {
      Device device;
      auto module = device.translate(scale);
      if (succeeded(module) && succeeded(module->optimize()))
        if (auto ptx = module->emitPtx(); succeeded(ptx))
          text = *ptx;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    CHECK((!text.empty() && text == texts.front()));
}

//===----------------------------------------------------------------------===//
// Registers that PTX declares
//===----------------------------------------------------------------------===//

namespace {

/// A loop that hands on 16 numbers from one iteration of a piece of assembly to the next. In what is given for each, @
/// is its number and NEXT that of another one: %a@ enters an iteration, and %b@ is what becomes of it.
std::string makeLoop(llvm::StringRef assembly, llvm::StringRef handedOn, llvm::StringRef stored) {
  constexpr unsigned count = 16;
  auto forAll = [](llvm::StringRef text, llvm::StringRef separator) {
    std::string all;
    for (unsigned i = 0; i < count; ++i) {
      std::string one = text.str();
      for (size_t at; (at = one.find("NEXT")) != std::string::npos;)
        one.replace(at, 4, std::to_string((i + 1) % count));
      for (size_t at; (at = one.find('@')) != std::string::npos;)
        one.replace(at, 1, std::to_string(i));
      all += (i ? separator.str() : "") + one;
    }
    return all;
  };
  const std::string structure = "!llvm.struct<(" + forAll("f32", ", ") + ")>", types = forAll("f32", ", "),
                    constraints = forAll("=f", ",") + "," + forAll("@", ",") + ",~{memory}";
  return "llvm.func @k(%n: i32, %p: !llvm.ptr<1>) attributes {nvvm.kernel} {\n"
         "  %zero = llvm.mlir.constant(0 : i32) : i32\n  %one = llvm.mlir.constant(1 : i32) : i32\n"
         "  %none = llvm.mlir.constant(0.0 : f32) : f32\n"
         "  llvm.br ^head(%zero, " +
         forAll("%none", ", ") + " : i32, " + types +
         ")\n"
         "^head(%i: i32, " +
         forAll("%a@: f32", ", ") +
         "):\n"
         "  %more = llvm.icmp \"slt\" %i, %n : i32\n  llvm.cond_br %more, ^body, ^exit\n^body:\n"
         "  %r = llvm.inline_asm has_side_effects \"" +
         assembly.str() + "\", \"" + constraints + "\" " + forAll("%a@", ", ") + " : (" + types + ") -> " + structure +
         "\n" + forAll("  %b@ = llvm.extractvalue %r[@] : " + structure, "\n") + "\n" +
         "  %next = llvm.add %i, %one : i32\n  llvm.br ^head(%next, " + forAll(handedOn, ", ") + " : i32, " + types +
         ")\n^exit:\n" + forAll(stored, "\n") + "\n  llvm.return\n}";
}

std::string getPtx(llvm::StringRef text) {
  Device device;
  auto module = device.translate(text);
  REQUIRE(succeeded(module));
  REQUIRE(succeeded(module->optimize()));
  auto ptx = module->emitPtx();
  REQUIRE(succeeded(ptx));
  return *ptx;
}

bool contains(llvm::StringRef text, llvm::StringRef part) {
  return text.contains(part);
}

constexpr llvm::StringLiteral store = "  %p@ = llvm.getelementptr %p[@] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32\n"
                                      "  llvm.store %a@, %p@ : f32, !llvm.ptr<1>";

} // namespace

TEST_CASE("numbers that assembly hands on in a loop have registers that PTX declares") {
  const std::string ptx = getPtx(makeLoop("multiply $0 $15;", "%b@", store));
  CHECK(contains(ptx, ".reg .b32 %sum<16>;"));
  CHECK(contains(ptx, "mov.b32 %sum0, 0; mov.b32 %sum1, 0;"));
  CHECK(contains(ptx, "multiply %sum0 %sum15;"));
  CHECK(contains(ptx, ", %sum15;"));
}

TEST_CASE("numbers that change places, or that something else changes, have LLVM's registers") {
  // One register cannot hold the number before while the one that takes its place is there.
  CHECK(!contains(getPtx(makeLoop("multiply $0 $15;", "%bNEXT", store)), "%sum"));
  // The iteration before the last is stored.
  const std::string old = makeLoop("multiply $0 $15;", "%a@", store);
  CHECK(!contains(getPtx(old), "multiply %sum"));
}
