//===- TestSupport.cpp - Programs for tests of the interpreter ------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

namespace tileiras::interpreter {
namespace {

/// Keeps the first result of the operation executed last.
class LastResult : public Observer {
public:
  explicit LastResult(Outcome &outcome) : outcome(outcome) {}

  void executed(mlir::Operation *, std::array<uint32_t, 3>, llvm::ArrayRef<const RuntimeValue *>,
                llvm::ArrayRef<const RuntimeValue *> results) override {
    if (results.empty())
      return;
    if (auto *tile = std::get_if<Tile>(results.front())) {
      outcome.bits.assign(tile->elements.begin(), tile->elements.end());
      outcome.bounds.assign(tile->bounds.begin(), tile->bounds.end());
    }
  }

private:
  Outcome &outcome;
};

/// The number of elements in a flat list, `[1, 2]`.
std::string countElements(const std::string &list) {
  return std::to_string(1 + llvm::count(list, ','));
}

std::string makeBinary(const std::string &name, const std::string &type, const std::string &a, const std::string &b,
                       const std::string &suffix) {
  const std::string tile = "tile<" + countElements(a) + "x" + type + ">";
  std::string text = "%a = constant <" + type + ": " + a + "> : " + tile + "\n";
  text += "%b = constant <" + type + ": " + b + "> : " + tile + "\n";
  return text + "%r = " + name + " %a, %b " + suffix + " : " + tile + "\n";
}

} // namespace

Outcome execute(const std::string &body, const std::string &globals, bool computeBounds,
                const std::array<uint32_t, 3> &grid) {
  const std::string text = "cuda_tile.module @m {\n" + globals + "entry @k() {\n" + body + "\nreturn\n}\n}\n";
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<cuda_tile::CudaTileDialect>();
  Outcome outcome;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    outcome.errors += diagnostic.str() + "\n";
    return llvm::success();
  });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    FAIL("the test's program is wrong: " << outcome.errors << text);
    return outcome;
  }
  LastResult observer(outcome);
  llvm::raw_string_ostream output(outcome.output);
  Memory memory(/*tracksWriters=*/true);
  InterpreterOptions options;
  options.output = &output;
  options.observer = &observer;
  options.computeBounds = computeBounds;
  options.maxOperations = 10'000'000;
  Interpreter interpreter(*module->getOps<cuda_tile::ModuleOp>().begin(), memory, options);
  outcome.ok = llvm::succeeded(interpreter.run({"k", grid, {}}));
  return outcome;
}

Bits evaluate(const std::string &body) {
  Outcome outcome = execute(body);
  INFO(body << outcome.errors);
  CHECK(outcome.ok);
  return outcome.bits;
}

Bits unary(const std::string &name, const std::string &type, const std::string &a, const std::string &suffix) {
  const std::string tile = "tile<" + countElements(a) + "x" + type + ">";
  return evaluate("%a = constant <" + type + ": " + a + "> : " + tile + "\n%r = " + name + " %a " + suffix + " : " +
                  tile);
}

Bits binary(const std::string &name, const std::string &type, const std::string &a, const std::string &b,
            const std::string &suffix) {
  return evaluate(makeBinary(name, type, a, b, suffix));
}

std::string binaryErrors(const std::string &name, const std::string &type, const std::string &a, const std::string &b,
                         const std::string &suffix) {
  return execute(makeBinary(name, type, a, b, suffix)).errors;
}

Bits convert(const std::string &name, const std::string &from, const std::string &to, const std::string &a,
             const std::string &suffix) {
  const std::string n = countElements(a);
  return evaluate("%a = constant <" + from + ": " + a + "> : tile<" + n + "x" + from + ">\n%r = " + name + " %a " +
                  suffix + " : tile<" + n + "x" + from + "> -> tile<" + n + "x" + to + ">");
}

} // namespace tileiras::interpreter
