//===- ControlTest.cpp - Control flow, printing and waiting ---------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace tileiras::interpreter;
using Catch::Contains;

namespace {

std::string constant(const std::string &name, const std::string &type, const std::string &value) {
  return "%" + name + " = constant <" + type + ": " + value + "> : tile<" + type + ">\n";
}

/// Counts the iterations of a `for`.
Bits countIterations(const std::string &type, const std::string &from, const std::string &to, const std::string &step,
                     const std::string &kind = "") {
  return evaluate(constant("a", type, from) + constant("b", type, to) + constant("s", type, step) +
                  constant("z", "i32", "0") + constant("o", "i32", "1") + "%n = for " + kind +
                  " %i in (%a to %b, step %s) : tile<" + type +
                  "> iter_values(%x = %z) -> (tile<i32>) {\n%y = addi %x, %o : tile<i32>\ncontinue %y : tile<i32>\n}\n"
                  "%r = addi %n, %z : tile<i32>");
}

} // namespace

TEST_CASE("for counts in numbers, not in bits", "[control]") {
  CHECK(countIterations("i32", "0", "10", "3") == Bits{4});
  CHECK(countIterations("i32", "5", "5", "1") == Bits{0});
  CHECK(countIterations("i8", "-128", "127", "100") == Bits{3});
  CHECK(countIterations("i8", "0", "-1", "100") == Bits{0});
  CHECK(countIterations("i8", "0", "-1", "100", "unsigned") == Bits{3});
  CHECK_THAT(execute(constant("a", "i32", "0") + "for %i in (%a to %a, step %a) : tile<i32> { continue }").errors,
             Contains("the step is 0, not positive"));
}

TEST_CASE("loops end where they break", "[control]") {
  CHECK(evaluate(constant("z", "i32", "0") + constant("o", "i32", "1") + constant("n", "i32", "7") +
                 "%l = loop iter_values(%x = %z) : tile<i32> -> tile<i32> {\n%y = addi %x, %o : tile<i32>\n"
                 "%c = cmpi less_than %y, %n, signed : tile<i32> -> tile<i1>\n"
                 "if %c { continue %y : tile<i32> }\n%d = addi %y, %y : tile<i32>\nbreak %d : tile<i32>\n}\n"
                 "%r = addi %l, %z : tile<i32>") == Bits{14});
}

TEST_CASE("if yields, and returns from within", "[control]") {
  const std::string head = constant("c", "i1", "false") + constant("a", "i32", "1") + constant("b", "i32", "2");
  CHECK(evaluate(head + "%x = if %c -> (tile<i32>) { yield %a : tile<i32> } else { yield %b : tile<i32> }\n"
                        "%r = addi %x, %a : tile<i32>") == Bits{3});
  CHECK(evaluate(head + "if %c { } else { %e = addi %b, %b : tile<i32>\nreturn }\n%r = addi %a, %a : tile<i32>") ==
        Bits{4});
}

TEST_CASE("printing follows the format", "[print]") {
  auto print = [](const std::string &format, const std::string &arguments) {
    return execute(constant("i", "i32", "-3") + constant("l", "i64", "-1") + constant("f", "f16", "1.5") +
                   "%m = constant <f32: [[0.5, 1.0], [2.0, -0.0]]> : tile<2x2xf32>\n%t = print_tko \"" + format + "\"" +
                   arguments + " -> token")
        .output;
  };
  CHECK(print("%d|%5u|%x\\0A", ", %i, %i, %l : tile<i32>, tile<i32>, tile<i64>") == "-3|4294967293|ffffffffffffffff\n");
  CHECK(print("%+.2f %e", ", %f, %f : tile<f16>, tile<f16>") == "+1.50 1.500000e+00");
  CHECK(print("%.1f", ", %m : tile<2x2xf32>") == "[[0.5, 1.0], [2.0, -0.0]]");
  CHECK(print("100%% %c", ", %i : tile<i32>") == "100% \xfd");
  CHECK_THAT(execute(constant("i", "i32", "1") + "%t = print_tko \"%99999d\", %i : tile<i32> -> token").errors,
             Contains("cannot print by %99999d"));
  CHECK(print("%d %f", ", %f, %i : tile<f16>, tile<i32>") == "1 -3.000000"); // converted
}

TEST_CASE("assertions name the elements that are false", "[print]") {
  Outcome outcome = execute("%c = constant <i1: [true, false, true, false]> : tile<4xi1>\nassert %c, \"too big\" : "
                            "tile<4xi1>");
  CHECK_FALSE(outcome.ok);
  CHECK(outcome.output == "too big [1]\ntoo big [3]\n");
  CHECK_THAT(outcome.errors, Contains("assertion failed: too big"));
}

TEST_CASE("waiting for nobody is an error", "[grid]") {
  CHECK_THAT(
      execute("%g = get_global @lock : tile<ptr<i32>>\n" + constant("one", "i32", "1") +
                  "loop {\n%o, %t = atomic_cas_tko acq_rel device %g, %one, %one : tile<ptr<i32>>, tile<i32> -> "
                  "tile<i32>, token\n%c = cmpi equal %o, %one, signed : tile<i32> -> tile<i1>\nif %c { break }\n}",
              "global @lock <i32: [0]> : tile<1xi32>\n")
          .errors,
      Contains("no tile block makes progress"));
}

TEST_CASE("endless programs are given up", "[grid]") {
  CHECK_THAT(execute("loop { }").errors, Contains("still running after"));
}

TEST_CASE("the grid tells who one is", "[grid]") {
  CHECK(evaluate("%x, %y, %z = get_num_tile_blocks : tile<i32>") == Bits{1});
  CHECK(evaluate("%x, %y, %z = get_tile_block_id : tile<i32>") == Bits{0});
}

TEST_CASE("grids are what hardware launches", "[grid]") {
  for (const std::array<uint32_t, 3> &grid : {std::array<uint32_t, 3>{0, 1, 1}, {4294967293, 1, 1}, {1, 65536, 1}})
    CHECK_THAT(execute("", "", false, grid).errors, Contains("its dimensions go from 1 to (2147483647, 65535, 65535)"));
  CHECK(execute("", "", false, {2, 3, 4}).ok);
}

TEST_CASE("tokens order what is in order", "[token]") {
  CHECK(execute("%a = make_token : token\n%b = make_token : token\n%c = join_tokens %a, %b : token\n"
                "%d = memory_fence_alias_tko token = %c -> token\n%e = gdc_wait_tko token = %d -> token\n"
                "%f = gdc_launch_dependents_tko token = %e -> token")
            .ok);
}
