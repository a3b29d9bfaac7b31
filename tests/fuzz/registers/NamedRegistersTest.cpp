//===- NamedRegistersTest.cpp - Registers that PTX declares, in random programs -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of one thread with two sets of numbers that pieces of assembly change, all or some of them, in loops and
// under conditions; that change places, become constants or each other's copies, and are stored. What optimisation
// makes of them must compute what comes without it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "ptx-emulator/Emulator.h"
#include "tileiras/Codegen/DeviceModule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

using namespace mlir;
using namespace tileiras;

namespace {

constexpr unsigned kNumbers = 16;

using Numbers = std::vector<std::string>; ///< names of values, or of constants
using State = std::array<Numbers, 2>;

class RandomKernel {
public:
  explicit RandomKernel(uint64_t seed) : random(seed) {}

  std::string make();
  unsigned getNumStored() const { return numStored; }

private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random() % count); }
  std::string value() { return "%v" + std::to_string(numNames++); }
  std::string label() { return "^b" + std::to_string(numNames++); }
  void line(const std::string &text) { body += "  " + text + "\n"; }

  void statements(State &state, unsigned depth, unsigned count);
  void statement(State &state, unsigned depth);
  void branchTo(const std::string &block, const std::string &first, const State &state);
  std::string enter(const std::string &block, bool counts, State &state);
  void condition(State &state, unsigned depth);
  void loop(State &state, unsigned depth);
  void store(const Numbers &numbers);
  /// `each`: the text for a number, with its operand for {0} and the common one for {1}.
  void assembly(MutableArrayRef<std::string> numbers, const char *each, bool updates);

  std::mt19937_64 random;
  std::string body, counter = "%n", input = "%x";
  unsigned numNames = 0, numStored = 0;
};

void RandomKernel::assembly(MutableArrayRef<std::string> numbers, const char *each, bool updates) {
  const size_t count = numbers.size();
  std::string text, constraints, types;
  for (size_t i = 0; i < count; ++i) {
    text += llvm::formatv(each, "$" + std::to_string(i), "$" + std::to_string(count)).str() + " ";
    constraints += "=f,";
    types += i ? ", f32" : "f32";
  }
  constraints += "f";
  std::string operands = input, operandTypes = "f32";
  for (size_t i = 0; updates && i < count; ++i) {
    constraints += "," + std::to_string(i);
    operands += ", " + numbers[i];
    operandTypes += ", f32";
  }
  const std::string structure = "!llvm.struct<(" + types + ")>", result = value();
  line(result + " = llvm.inline_asm has_side_effects \"" + text + "\", \"" + constraints +
       (pick(2) ? ",~{memory}" : "") + "\" " + operands + " : (" + operandTypes + ") -> " + structure);
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = value();
    line(numbers[i] + " = llvm.extractvalue " + result + "[" + std::to_string(i) + "] : " + structure);
  }
}

void RandomKernel::store(const Numbers &numbers) {
  for (const std::string &number : numbers) {
    const std::string address = value();
    line(address + " = llvm.getelementptr %out[" + std::to_string(numStored++) +
         "] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32");
    line("llvm.store " + number + ", " + address + " : f32, !llvm.ptr<1>");
  }
}

void RandomKernel::branchTo(const std::string &block, const std::string &first, const State &state) {
  std::string operands = first, types = first.empty() ? "" : "i32";
  for (const std::string &number : llvm::concat<const std::string>(state[0], state[1])) {
    operands += (operands.empty() ? "" : ", ") + number;
    types += types.empty() ? "f32" : ", f32";
  }
  line("llvm.br " + block + "(" + operands + " : " + types + ")");
}

/// All numbers come as arguments; the counter's name, if it does.
std::string RandomKernel::enter(const std::string &block, bool counts, State &state) {
  std::string arguments, number = counts ? value() : "";
  if (counts)
    arguments = number + ": i32";
  for (std::string &name : llvm::concat<std::string>(state[0], state[1])) {
    name = value();
    arguments += (arguments.empty() ? "" : ", ") + name + ": f32";
  }
  body += block + "(" + arguments + "):\n";
  return number;
}

void RandomKernel::condition(State &state, unsigned depth) {
  const std::string bits = value(), holds = value(), yes = label(), no = label(), after = label();
  line(bits + " = llvm.and " + counter + ", %one : i32");
  line(holds + " = llvm.icmp \"eq\" " + bits + ", " + (pick(2) ? "%one" : "%zero") + " : i32");
  line("llvm.cond_br " + holds + ", " + yes + ", " + no);
  State other = state;
  body += yes + ":\n";
  statements(state, depth + 1, 1 + pick(3));
  branchTo(after, "", state);
  body += no + ":\n";
  if (pick(2))
    statements(other, depth + 1, 1 + pick(3));
  branchTo(after, "", other);
  enter(after, /*counts=*/false, state);
}

void RandomKernel::loop(State &state, unsigned depth) {
  const std::string head = label(), iteration = label(), after = label(), goesOn = value(), next = value();
  branchTo(head, "%zero", state);
  const std::string number = enter(head, /*counts=*/true, state), outer = counter, outerInput = input;
  line(goesOn + " = llvm.icmp \"slt\" " + number + ", " + (pick(3) ? "%n" : "%one") + " : i32");
  line("llvm.cond_br " + goesOn + ", " + iteration + ", " + after);
  body += iteration + ":\n";
  counter = number;
  input = value();
  line(input + " = llvm.sitofp " + number + " : i32 to f32");
  State inner = state;
  statements(inner, depth + 1, 1 + pick(4));
  line(next + " = llvm.add " + number + ", %one : i32");
  branchTo(head, next, inner);
  counter = outer;
  input = outerInput;
  body += after + ":\n";
}

void RandomKernel::statement(State &state, unsigned depth) {
  Numbers &some = state[pick(2)], &others = state[pick(2)];
  const char *kUpdate = "fma.rn.f32 {0}, {0}, {1}, 0f3FA00000;";
  switch (pick(depth < 3 ? 22 : 16)) {
  default:
    return assembly(some, kUpdate, /*updates=*/true);
  case 8:
    return assembly(MutableArrayRef(some).take_front(2 + pick(kNumbers - 2)), kUpdate, /*updates=*/true);
  case 9:
    return assembly(some, "add.f32 {0}, {1}, 0f40200000;", /*updates=*/false);
  case 10:
  case 11:
    return store(some);
  case 12:
    some = others;
    return;
  case 13:
    return std::swap(some, others);
  case 14:
    some.assign(kNumbers, pick(2) ? "%none" : "%few");
    return;
  case 15:
    if (pick(2)) {
      std::rotate(some.begin(), some.begin() + 1, some.end());
    } else {
      const std::string twice = value();
      line(twice + " = llvm.fadd " + some[0] + ", " + some[0] + " : f32");
      some[0] = twice;
    }
    return;
  case 16:
  case 17:
    return condition(state, depth);
  case 18:
  case 19:
  case 20:
  case 21:
    return loop(state, depth);
  }
}

void RandomKernel::statements(State &state, unsigned depth, unsigned count) {
  while (count-- > 0)
    statement(state, depth);
}

std::string RandomKernel::make() {
  line("%zero = llvm.mlir.constant(0 : i32) : i32");
  line("%one = llvm.mlir.constant(1 : i32) : i32");
  line("%none = llvm.mlir.constant(0.0 : f32) : f32");
  line("%few = llvm.mlir.constant(2.5 : f32) : f32");
  line("%x = llvm.sitofp %n : i32 to f32");
  State state;
  state.fill(Numbers(kNumbers, "%none"));
  statements(state, 0, 2 + pick(5));
  store(state[0]);
  store(state[1]);
  return "llvm.func @k(%n: i32, %out: !llvm.ptr<1>) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 1>} {\n" + body +
         "  llvm.return\n}\n";
}

std::string compile(const std::string &text, unsigned optLevel) {
  DialectRegistry registry;
  registry.insert<LLVM::LLVMDialect, NVVM::NVVMDialect>();
  registerCodegenTranslations(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  REQUIRE(module);
  CodegenOptions options;
  options.chip = {"sm_90", "sm_90a", "sm_90a", 80, 90};
  options.optLevel = optLevel;
  FailureOr<DeviceModule> device = DeviceModule::translate(*module, options);
  REQUIRE(succeeded(device));
  REQUIRE(succeeded(device->optimize()));
  FailureOr<std::string> ptx = device->emitPtx();
  REQUIRE(succeeded(ptx));
  return *ptx;
}

std::vector<float> run(const std::string &ptx, uint32_t iterations, unsigned numStored) {
  ptxemu::Device device;
  std::vector<float> stored(numStored);
  const uint64_t address = device.allocate(numStored * sizeof(float), "out");
  ptxemu::LaunchOptions options;
  options.arguments = {std::vector<uint8_t>(sizeof(iterations)), std::vector<uint8_t>(sizeof(address))};
  std::memcpy(options.arguments[0].data(), &iterations, sizeof(iterations));
  std::memcpy(options.arguments[1].data(), &address, sizeof(address));
  const ptxemu::LaunchResult result = ptxemu::launch(device, ptxemu::Module::parse(ptx), options);
  INFO((result.ok() ? "" : result.diagnostics.front().render()));
  REQUIRE(result.ok());
  device.read(address, stored.data(), numStored * sizeof(float));
  return stored;
}

} // namespace

TEST_CASE("assembly that hands numbers on computes the same with registers that PTX declares") {
  constexpr unsigned kSeeds = 300;
  unsigned numNamed = 0;
  for (uint64_t seed = 0; seed < kSeeds; ++seed) {
    INFO("seed " << seed);
    RandomKernel kernel(seed);
    const std::string text = kernel.make(), plain = compile(text, 0), optimized = compile(text, 3);
    numNamed += optimized.find("%sum") != std::string::npos;
    REQUIRE(plain.find("%sum") == std::string::npos);
    for (uint32_t iterations : {0, 1, 3})
      REQUIRE(run(plain, iterations, kernel.getNumStored()) == run(optimized, iterations, kernel.getNumStored()));
  }
  CHECK(numNamed > kSeeds / 4);
}
