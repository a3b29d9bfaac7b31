//===- MemoryTest.cpp - Pointers, views, atomics and their limits ---------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestSupport.h"

using namespace tileiras::interpreter;
using Catch::Contains;

namespace {

/// Four pointers into a global of as many i32.
const std::string kGlobal = "global @g <i32: [10, 20, 30, 40]> : tile<4xi32>\n";
const std::string kPointers = "%g = get_global @g : tile<ptr<i32>>\n"
                              "%g1 = reshape %g : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                              "%gs = broadcast %g1 : tile<1xptr<i32>> -> tile<4xptr<i32>>\n"
                              "%i = iota : tile<4xi32>\n"
                              "%p = offset %gs, %i : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>\n";
const std::string kLoad = "%r, %t9 = load_ptr_tko weak %p : tile<4xptr<i32>> -> tile<4xi32>, token\n";
const std::string kMask = "%m = constant <i1: [true, false, true, false]> : tile<4xi1>\n";

Bits run(const std::string &body, const std::string &globals = kGlobal) {
  Outcome outcome = execute(body, globals);
  INFO(body << outcome.errors);
  CHECK(outcome.ok);
  return outcome.bits;
}

std::string errors(const std::string &body, const std::string &globals = kGlobal) {
  return execute(body, globals).errors;
}

} // namespace

TEST_CASE("loads and stores through pointers", "[memory]") {
  CHECK(run(kPointers + kLoad) == Bits{10, 20, 30, 40});
  CHECK(run(kPointers + kMask +
            "%d = constant <i32: 7> : tile<4xi32>\n"
            "%r, %t = load_ptr_tko weak %p, %m, %d : tile<4xptr<i32>>, tile<4xi1>, tile<4xi32> -> "
            "tile<4xi32>, token") == Bits{10, 7, 30, 7});
  CHECK(run(kPointers + kMask +
            "%t = store_ptr_tko weak %p, %i, %m : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token\n" + kLoad) ==
        Bits{0, 20, 2, 40});
}

TEST_CASE("an empty allocation has an address", "[memory]") {
  Memory memory;
  const uint64_t address = memory.allocate(0, "empty");
  CHECK(memory.access(address, 0));
  CHECK(!memory.access(address, 1));
}

TEST_CASE("accesses that leave memory", "[memory]") {
  const std::string far = "%n = constant <i32: 4> : tile<4xi32>\n"
                          "%q = offset %p, %n : tile<4xptr<i32>>, tile<4xi32> -> tile<4xptr<i32>>\n";
  const std::string load = "%r, %t = load_ptr_tko weak %q : tile<4xptr<i32>> -> tile<4xi32>, token";
  CHECK_THAT(errors(kPointers + far + load), Contains("0 bytes past the end of '@g' (16 bytes)"));
  CHECK_THAT(errors("%z = constant <i64: 0> : tile<i64>\n%q = int_to_ptr %z : tile<i64> -> tile<ptr<i32>>\n"
                    "%r, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token"),
             Contains("null pointer"));
  CHECK_THAT(errors("%g = get_global @g : tile<ptr<i32>>\n%n = ptr_to_int %g : tile<ptr<i32>> -> tile<i64>\n"
                    "%o = constant <i64: 2> : tile<i64>\n%s = addi %n, %o : tile<i64>\n"
                    "%q = int_to_ptr %s : tile<i64> -> tile<ptr<i32>>\n"
                    "%r, %t = load_ptr_tko weak %q : tile<ptr<i32>> -> tile<i32>, token"),
             Contains("not aligned to 4 bytes"));
  // What the mask excludes may point anywhere.
  CHECK(execute(kPointers + far +
                    "%m = constant <i1: false> : tile<4xi1>\n"
                    "%r, %t = load_ptr_tko weak %q, %m : tile<4xptr<i32>>, tile<4xi1> -> tile<4xi32>, token",
                kGlobal)
            .ok);
  CHECK_THAT(errors(kPointers + "%t = store_ptr_tko weak %p, %i : tile<4xptr<i32>>, tile<4xi32> -> token",
                    "global constant @g <i32: [1, 2, 3, 4]> : tile<4xi32>\n"),
             Contains("writes a constant global"));
}

TEST_CASE("elements of one store do not compete", "[memory]") {
  const std::string store = "%t = store_ptr_tko weak %gs, %v : tile<4xptr<i32>>, tile<4xi32> -> token\n";
  CHECK(run(kPointers + "%v = constant <i32: 7> : tile<4xi32>\n" + store + kLoad) == Bits{7, 20, 30, 40});
  CHECK_THAT(errors(kPointers + "%v = constant <i32: [7, 7, 7, 8]> : tile<4xi32>\n" + store),
             Contains("elements [0] and [3] store different values to 0x"));
  // What the mask excludes does not count.
  CHECK(run(kPointers + kMask + "%v = constant <i32: [7, 8, 7, 9]> : tile<4xi32>\n" +
            "%t = store_ptr_tko weak %gs, %v, %m : tile<4xptr<i32>>, tile<4xi32>, tile<4xi1> -> token\n" + kLoad) ==
        Bits{7, 20, 30, 40});
  CHECK_THAT(errors("%g = get_global @g : tile<ptr<i32>>\n"
                    "%tv = make_tensor_view %g, shape = [4], strides = [1] : tensor_view<4xi32, strides=[1]>\n"
                    "%w = make_gather_scatter_view %tv : gather_scatter_view<tile=(4), "
                    "tensor_view<4xi32, strides=[1]>, sparse_dim=0>\n"
                    "%at = constant <i32: [0, 1, 1, 2]> : tile<4xi32>\n%i = iota : tile<4xi32>\n"
                    "%t = store_view_tko weak %i, %w[%at] : tile<4xi32>, gather_scatter_view<tile=(4), "
                    "tensor_view<4xi32, strides=[1]>, sparse_dim=0>, tile<4xi32> -> token\n"),
             Contains("elements [1] and [2] store different values to 0x"));
}

TEST_CASE("a bit occupies a byte", "[memory]") {
  CHECK(run("%g = get_global @b : tile<ptr<i8>>\n%q = ptr_to_ptr %g : tile<ptr<i8>> -> tile<ptr<i1>>\n"
            "%r, %t = load_ptr_tko weak %q : tile<ptr<i1>> -> tile<i1>, token",
            "global @b <i8: [64]> : tile<1xi8>\n") == Bits{1});
}

TEST_CASE("allocations live as long as the iteration of a loop", "[memory]") {
  CHECK(run("%p = alloca num_elem = 2, alignment = 4 : tile<ptr<i32>>\n%v = constant <i32: 5> : tile<i32>\n"
            "%t = store_ptr_tko weak %p, %v : tile<ptr<i32>>, tile<i32> -> token\n"
            "%r, %u = load_ptr_tko weak %p token=%t : tile<ptr<i32>> -> tile<i32>, token") == Bits{5});
}

TEST_CASE("atomic operations return what was there", "[atomic]") {
  auto after = [](const std::string &mode, const std::string &argument) {
    return run(kPointers + "%a = constant <i32: " + argument +
               "> : tile<4xi32>\n%o, %t = atomic_rmw_tko relaxed device %p, " + mode +
               ", %a : tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token\n" + kLoad);
  };
  CHECK(after("add", "1") == Bits{11, 21, 31, 41});
  CHECK(after("and", "24") == Bits{8, 16, 24, 8});
  CHECK(after("or", "1") == Bits{11, 21, 31, 41});
  CHECK(after("xor", "10") == Bits{0, 30, 20, 34});
  CHECK(after("max", "-1") == Bits{10, 20, 30, 40});
  CHECK(after("umax", "-1") == Bits(4, 0xffffffff));
  CHECK(after("min", "-1") == Bits(4, 0xffffffff));
  CHECK(after("umin", "25") == Bits{10, 20, 25, 25});
  CHECK(after("xchg", "3") == Bits{3, 3, 3, 3});
  CHECK(run(kPointers + kMask +
            "%o, %t = atomic_rmw_tko relaxed device %p, add, %i, %m : tile<4xptr<i32>>, "
            "tile<4xi32>, tile<4xi1> -> tile<4xi32>, token\n") == Bits{10, 0, 30, 0});
  // All to one place, one after the other.
  CHECK(run(kPointers +
            "%one = constant <i32: 1> : tile<4xi32>\n%o, %t = atomic_rmw_tko relaxed device %gs, add, %one : "
            "tile<4xptr<i32>>, tile<4xi32> -> tile<4xi32>, token\n") == Bits{10, 11, 12, 13});
  CHECK(run("%g = get_global @f : tile<ptr<f32>>\n%a = constant <f32: 0.5> : tile<f32>\n"
            "%o, %t = atomic_rmw_tko relaxed device %g, addf, %a : tile<ptr<f32>>, tile<f32> -> tile<f32>, token\n"
            "%r, %u = load_ptr_tko weak %g : tile<ptr<f32>> -> tile<f32>, token",
            "global @f <f32: [1.0]> : tile<1xf32>\n") == Bits{0x3fc00000});
}

TEST_CASE("compare and swap compares bits", "[atomic]") {
  const std::string swap =
      "%g = get_global @f : tile<ptr<f32>>\n%n = constant <f32: 2.0> : tile<f32>\n"
      "%o, %t = atomic_cas_tko relaxed device %g, %c, %n : tile<ptr<f32>>, tile<f32> -> tile<f32>, "
      "token\n%r, %u = load_ptr_tko weak %g : tile<ptr<f32>> -> tile<f32>, token";
  const std::string zero = "global @f <f32: [-0.0]> : tile<1xf32>\n";
  CHECK(run("%c = constant <f32: 0.0> : tile<f32>\n" + swap, zero) == Bits{0x80000000});
  CHECK(run("%c = constant <f32: -0.0> : tile<f32>\n" + swap, zero) == Bits{0x40000000});
}

TEST_CASE("offsets are signed and must not overflow", "[memory]") {
  CHECK_THAT(errors("%z = constant <i64: 0> : tile<i64>\n%q = int_to_ptr %z : tile<i64> -> tile<ptr<i32>>\n"
                    "%o = constant <i32: -1> : tile<i32>\n"
                    "%r = offset %q, %o : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>"),
             Contains("overflows"));
}

//===----------------------------------------------------------------------===//
// Assumptions
//===----------------------------------------------------------------------===//

TEST_CASE("false assumptions are found", "[assume]") {
  auto assume = [](const std::string &fact, const std::string &list) {
    return execute("%a = constant <i16: " + list + "> : tile<4xi16>\n%r = assume " + fact + ", %a : tile<4xi16>")
        .errors;
  };
  CHECK(assume("div_by<32>", "[32, 0, -64, 96]").empty());
  CHECK_THAT(assume("div_by<32>", "[32, 0, 16, 96]"), Contains("element [2], 16, is not divisible by 32"));
  CHECK(assume("div_by<8, every 2 along 0>", "[8, 9, 24, 25]").empty());
  CHECK_THAT(assume("div_by<8, every 2 along 0>", "[8, 9, 24, 26]"), Contains("does not follow"));
  CHECK(assume("same_elements<[2]>", "[1, 1, 5, 5]").empty());
  CHECK_THAT(assume("same_elements<[2]>", "[1, 2, 5, 5]"), Contains("element [1] differs"));
  CHECK(assume("bounded<0, ?>", "[0, 1, 2, 3]").empty());
  CHECK_THAT(assume("bounded<?, 2>", "[0, 1, 2, 3]"), Contains("element [3], 3, is out of bounds"));
}

TEST_CASE("a false divisor of a stride counts unless the dimension has size 1", "[assume]") {
  // What front ends say about every stride; of a dimension of size 1 it is often 1.
  auto view = [](const std::string &size, const std::string &rest) {
    return execute("%g = get_global @g : tile<ptr<i32>>\n"
                   "%n = constant <i32: " +
                       size +
                       "> : tile<i32>\n%c1 = constant <i32: 1> : tile<i32>\n"
                       "%f = assume div_by<16>, %c1 : tile<i32>\n%s = assume bounded<0, ?>, %f : tile<i32>\n"
                       "%v = make_tensor_view %g, shape = [%n, 4], strides = [%s, 1] : tile<i32> -> "
                       "tensor_view<?x4xi32, strides=[?,1]>\n" +
                       rest,
                   "global @g <i32: [0, 1, 2, 3]> : tile<4xi32>\n");
  };
  CHECK(view("1", "").ok);
  CHECK_THAT(view("2", "").errors, Contains("the assumption is false: element [], 1, is not divisible by 16"));
  CHECK_THAT(view("1", "%x = addi %s, %c1 : tile<i32>\n").errors, Contains("is not divisible by 16"));
  CHECK_THAT(view("1",
                  "%z = constant <i1: 1> : tile<i1>\n%x = if %z -> (tile<i32>) { yield %s : tile<i32> } else { yield "
                  "%c1 : tile<i32> }\n%y = muli %x, %c1 : tile<i32>\n")
                 .errors,
             Contains("is not divisible by 16"));
  // Of several elements nobody makes strides.
  CHECK_THAT(execute("%a = constant <i32: [1, 16]> : tile<2xi32>\n%r = assume div_by<16>, %a : tile<2xi32>").errors,
             Contains("is not divisible by 16"));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

namespace {

const std::string kTensorGlobal = "global @g <i32: [0, 1, 2, 3, 4, 5, 6, 7]> : tile<8xi32>\n";
/// A tensor of 2 x 3 in rows of 4.
const std::string kTensor = "%g = get_global @g : tile<ptr<i32>>\n%c0 = constant <i32: 0> : tile<i32>\n"
                            "%c1 = constant <i32: 1> : tile<i32>\n%n = constant <i32: 3> : tile<i32>\n"
                            "%v = make_tensor_view %g, shape = [2, %n], strides = [4, 1] : tile<i32> -> "
                            "tensor_view<2x?xi32, strides=[4,1]>\n";
const std::string kTensorType = "tensor_view<2x?xi32, strides=[4,1]>";

/// Makes a view by `maker` and loads the tile at `index`.
std::string loadTile(const std::string &maker, const std::string &view, const std::string &index,
                     const std::string &indexTypes, const std::string &tile) {
  return kTensor + "%w = " + maker + " %v : " + view + "\n%r, %t = load_view_tko weak %w" + index + " : " + view +
         ", " + indexTypes + " -> " + tile + ", token\n";
}

} // namespace

TEST_CASE("partition views pad at the border", "[view]") {
  auto load = [](const std::string &attributes, const std::string &mapping = "") {
    return run(loadTile("make_partition_view", "partition_view<tile=(2x2), " + attributes + kTensorType + mapping + ">",
                        "[%c0, %c1]", "tile<i32>", "tile<2x2xi32>"),
               kTensorGlobal);
  };
  CHECK(load("") == Bits{2, 0, 6, 0});
  CHECK(load("padding_value = zero, ") == Bits{2, 0, 6, 0});
  CHECK(run(loadTile("make_partition_view", "partition_view<tile=(2x2), " + kTensorType + ", dim_map=[1, 0]>",
                     "[%c1, %c0]", "tile<i32>", "tile<2x2xi32>"),
            kTensorGlobal) == Bits{2, 6, 0, 0});
}

TEST_CASE("strided views overlap, gather views pick", "[view]") {
  CHECK(run(loadTile("make_strided_view", "strided_view<tile=(1x2), traversal_strides=[1,1], " + kTensorType + ">",
                     "[%c1, %c1]", "tile<i32>", "tile<1x2xi32>"),
            kTensorGlobal) == Bits{5, 6});
  CHECK(
      run("%s = constant <i32: [1, 0, 5, -1]> : tile<4xi32>\n" +
              loadTile("make_gather_scatter_view", "gather_scatter_view<tile=(4x2), " + kTensorType + ", sparse_dim=0>",
                       "[%s, %c1]", "tile<4xi32>, tile<i32>", "tile<4x2xi32>"),
          kTensorGlobal) == Bits{5, 6, 1, 2, 0, 0, 0, 0});
}

TEST_CASE("stores through views stop at the border", "[view]") {
  const std::string view = "partition_view<tile=(2x2), " + kTensorType + ">";
  const std::string reload = "%i = iota : tile<8xi32>\n%h = reshape %g : tile<ptr<i32>> -> tile<1xptr<i32>>\n"
                             "%hs = broadcast %h : tile<1xptr<i32>> -> tile<8xptr<i32>>\n"
                             "%p = offset %hs, %i : tile<8xptr<i32>>, tile<8xi32> -> tile<8xptr<i32>>\n"
                             "%r, %t9 = load_ptr_tko weak %p : tile<8xptr<i32>> -> tile<8xi32>, token\n";
  const std::string head =
      kTensor + "%w = make_partition_view %v : " + view + "\n%x = constant <i32: 9> : tile<2x2xi32>\n";
  CHECK(run(head + "%t = store_view_tko weak %x, %w[%c0, %c1] : tile<2x2xi32>, " + view + ", tile<i32> -> token\n" +
                reload,
            kTensorGlobal) == Bits{0, 1, 9, 3, 4, 5, 9, 7});
  CHECK(run(head + "%t = atomic_red_view_tko relaxed device %w[%c0, %c1], add, %x : tile<2x2xi32>, " + view +
                ", tile<i32> -> token\n" + reload,
            kTensorGlobal) == Bits{0, 1, 11, 3, 4, 5, 15, 7});
  CHECK_THAT(errors(head + "%t = store_view_tko weak %x, %w[%c0, %c1] inbounds = [true, true] : tile<2x2xi32>, " +
                        view + ", tile<i32> -> token\n",
                    kTensorGlobal),
             Contains("along dimension 1, where it is promised to be inside"));
}

TEST_CASE("sizes of views", "[view]") {
  CHECK(run(kTensor + "%w = make_partition_view %v : partition_view<tile=(2x2), " + kTensorType +
                ">\n%a, %b = get_index_space_shape %w : partition_view<tile=(2x2), " + kTensorType +
                "> -> tile<i32>\n%r = addi %b, %c0 : tile<i32>",
            kTensorGlobal) == Bits{2});
  CHECK(run(kTensor + "%a, %b = get_tensor_shape %v : " + kTensorType + " -> tile<i32>\n%r = addi %b, %c0 : tile<i32>",
            kTensorGlobal) == Bits{3});
}

TEST_CASE("paddings of floating-point views", "[view]") {
  auto padding = [](const std::string &value) {
    const std::string tensor = "tensor_view<1xf32, strides=[1]>";
    const std::string view = "partition_view<tile=(2), padding_value = " + value + ", " + tensor + ">";
    return run("%g = get_global @f : tile<ptr<f32>>\n%c = constant <i32: 0> : tile<i32>\n"
               "%v = make_tensor_view %g, shape = [1], strides = [1] : " +
                   tensor + "\n%w = make_partition_view %v : " + view +
                   "\n%r, %t = load_view_tko weak %w[%c] : " + view + ", tile<i32> -> tile<2xf32>, token",
               "global @f <f32: [1.0]> : tile<1xf32>\n")[1];
  };
  CHECK(padding("zero") == 0);
  CHECK(padding("neg_zero") == 0x80000000);
  CHECK(padding("nan") == 0x7fc00000);
  CHECK(padding("pos_inf") == 0x7f800000);
  CHECK(padding("neg_inf") == 0xff800000);
}

TEST_CASE("two elements of four bits share a byte of a tensor", "[view]") {
  const std::string tensor = "tensor_view<4xi4, strides=[1]>", view = "partition_view<tile=(2), " + tensor + ">";
  CHECK(run("%g = get_global @b : tile<ptr<i8>>\n%q = ptr_to_ptr %g : tile<ptr<i8>> -> tile<ptr<i4>>\n"
            "%c = constant <i32: 1> : tile<i32>\n%v = make_tensor_view %q, shape = [4], strides = [1] : " +
                tensor + "\n%w = make_partition_view %v : " + view + "\n%r, %t = load_view_tko weak %w[%c] : " + view +
                ", tile<i32> -> tile<2xi4>, token",
            "global @b <i8: [33, 67]> : tile<2xi8>\n") == Bits{3, 4});
}
