//===- SweepTiles.cpp - Tiles of every shape, moved and combined ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace tileiras::fuzz;
using llvm::ArrayRef;
using llvm::Twine;

namespace {

/// A kernel of one block: loads whole tiles, computes, stores a whole tile.
class TileProgram {
public:
  explicit TileProgram(std::string name) { swept.name = std::move(name); }

  /// Loads a tile of counters as `%name`, of magnitudes that products and sums of a few thousand keep exact.
  void load(llvm::StringRef name, const Type &type) {
    Buffer buffer{name.str(), type.element, {}, false};
    for (int64_t i = 0; i < type.size(); ++i)
      appendNumber(buffer, (7 * i + i / 5) % 11 - 5);
    declare(std::move(buffer));
    body += ("    %" + name + ", %" + name + "_token = load_view_tko weak " + makeView(name + "_memory", type) + "[" +
             zeros(type) + "] : " + viewType(type) + zeroTypes(type) + " -> " + type.str() + ", token\n")
                .str();
  }

  void line(const Twine &text) { body += ("    " + text + "\n").str(); }

  SweptProgram finish(llvm::StringRef result, const Type &type) {
    Buffer buffer{"result", type.element, {}, true};
    buffer.contents.assign(static_cast<size_t>(type.size()) * getBytes(type.element), 0x5a);
    declare(std::move(buffer));
    body += ("    %stored = store_view_tko weak " + result + ", " + makeView("result_memory", type) + "[" +
             zeros(type) + "] : " + type.str() + ", " + viewType(type) + zeroTypes(type) + " -> token\n")
                .str();
    swept.program.launch.entry = "kernel";
    swept.program.text = "cuda_tile.module @sweep {\n  entry @kernel(" + llvm::join(parameters, ", ") +
                         ") {\n    %zero = constant <i32: 0> : tile<i32>\n" + body + "    return\n  }\n}\n";
    return std::move(swept);
  }

private:
  static void appendNumber(Buffer &buffer, int64_t number) {
    uint64_t bits =
        isFloat(buffer.element) ? encode(buffer.element, static_cast<double>(number)) : static_cast<uint64_t>(number);
    for (unsigned byte = 0; byte < getBytes(buffer.element); ++byte)
      buffer.contents.push_back(static_cast<uint8_t>(bits >> 8 * byte));
  }

  void declare(Buffer buffer) {
    parameters.push_back("%" + buffer.name + "_memory: tile<ptr<" + getInfo(buffer.element).name + ">>");
    swept.program.launch.parameters.push_back({buffer.name, buffer.element, 0});
    swept.program.launch.buffers.push_back(std::move(buffer));
  }

  static std::string tensorType(const Type &type) {
    int64_t stride = 1;
    llvm::SmallVector<std::string> strides;
    for (int64_t size : llvm::reverse(type.shape)) {
      strides.insert(strides.begin(), std::to_string(stride));
      stride *= size;
    }
    return "tensor_view<" + joinShape(type.shape) + getInfo(type.element).name + ", strides=[" +
           llvm::join(strides, ",") + "]>";
  }
  static std::string viewType(const Type &type) {
    return "partition_view<tile=(" + llvm::StringRef(joinShape(type.shape)).rtrim('x').str() + "), " +
           tensorType(type) + ">";
  }
  static std::string zeros(const Type &type) {
    return llvm::join(llvm::SmallVector<std::string>(type.shape.size(), "%zero"), ", ");
  }
  static std::string zeroTypes(const Type &type) {
    std::string types;
    for (size_t d = 0; d < type.shape.size(); ++d)
      types += ", tile<i32>";
    return types;
  }

  std::string makeView(const Twine &pointer, const Type &type) {
    std::string number = std::to_string(numViews++), tensor = tensorType(type);
    std::string sizes = llvm::join(llvm::map_range(type.shape, [](int64_t n) { return std::to_string(n); }), ", ");
    std::string strides = llvm::StringRef(tensor).split("strides=[").second.split(']').first.str();
    line("%tensor_" + number + " = make_tensor_view %" + pointer + ", shape = [" + sizes + "], strides = [" + strides +
         "] : " + tensor);
    line("%view_" + number + " = make_partition_view %tensor_" + number + " : " + viewType(type));
    return "%view_" + number;
  }

  SweptProgram swept;
  std::string body;
  llvm::SmallVector<std::string> parameters;
  unsigned numViews = 0;
};

class TileSweep {
public:
  /// Everything that moves or combines the elements of a tile.
  void addShapes(const Type &type) {
    const size_t rank = type.shape.size();
    add("copy", type, type, "", "%a");
    addReversal(type);
    for (size_t dim = 0; dim < rank; ++dim) {
      Type reduced = type;
      reduced.shape.erase(reduced.shape.begin() + dim);
      if (!reduced.shape.empty())
        add("reduce along " + Twine(dim), type, reduced, combine("reduce %a dim=" + Twine(dim), type, reduced));
      for (bool isReversed : {false, true})
        add("scan along " + Twine(dim) + (isReversed ? " backwards" : ""), type, type,
            combine("scan %a dim=" + Twine(dim) + " reverse=" + (isReversed ? "true" : "false"), type, type));
      if (type.size() <= kMaxElements / 2) {
        Type doubled = type;
        doubled.shape[dim] *= 2;
        add("cat along " + Twine(dim), type, doubled,
            "cat %a, %a dim = " + Twine(dim) + " : " + type.str() + ", " + type.str() + " -> " + doubled.str());
      }
    }
    addParts(type);
    if (Type flat = type.with({type.size()}); flat != type)
      add("reshape", type, flat, "reshape %a" + printTypes(type, flat));
  }

  /// A * B + C, each element of the result exact.
  void addProduct(llvm::StringRef mnemonic, Element operand, Element accumulator, ArrayRef<int64_t> batch, int64_t m,
                  int64_t n, int64_t k) {
    auto shaped = [&](Element element, int64_t rows, int64_t columns) {
      Type type{element, Shape(batch), false};
      type.shape.append({rows, columns});
      return type;
    };
    Type a = shaped(operand, m, k), b = shaped(operand, k, n), c = shaped(accumulator, m, n);
    TileProgram program((mnemonic + Twine(" ") + getInfo(operand).name + " of " + a.str() + " and " + b.str()).str());
    program.load("a", a);
    program.load("b", b);
    program.load("c", c);
    program.line("%d = " + mnemonic + " %a, %b, %c" + (isFloat(operand) ? "" : " signed signed") + " : " + a.str() +
                 ", " + b.str() + ", " + c.str());
    programs.push_back(program.finish("%d", c));
  }

  static constexpr int64_t kMaxElements = 65536;
  std::vector<SweptProgram> programs;

private:
  void add(const Twine &what, const Type &from, const Type &to, const Twine &operation, llvm::StringRef result = "%r") {
    TileProgram program((what + " of " + from.str()).str());
    program.load("a", from);
    if (result == "%r")
      program.line("%r = " + operation);
    programs.push_back(program.finish(result, to));
  }

  void addReversal(const Type &type) {
    if (type.shape.size() < 2)
      return;
    Type reversed = type.with(llvm::to_vector<4>(llvm::reverse(type.shape)));
    auto dims = llvm::map_range(llvm::reverse(llvm::seq<size_t>(0, type.shape.size())),
                                [](size_t dim) { return std::to_string(dim); });
    add("permute", type, reversed, "permute %a [" + llvm::join(dims, ", ") + "]" + printTypes(type, reversed));
  }

  /// The last half along each dimension, taken out and put first.
  void addParts(const Type &type) {
    Type half = type;
    llvm::SmallVector<std::string> last, first;
    for (int64_t &size : half.shape) {
      last.push_back(size > 1 ? "%one" : "%zero");
      first.push_back("%zero");
      size = std::max<int64_t>(size / 2, 1);
    }
    if (half == type)
      return;
    for (bool isInserted : {false, true}) {
      TileProgram program(((isInserted ? "insert into " : "extract from ") + Twine(type.str())).str());
      program.load("a", type);
      program.line("%one = constant <i32: 1> : tile<i32>");
      program.line("%part = extract %a[" + llvm::join(last, ", ") + "]" + printTypes(type, half));
      if (isInserted)
        program.line("%r = insert %part, %a[" + llvm::join(first, ", ") + "] : " + half.str() + ", " + type.str() +
                     " -> " + type.str());
      programs.push_back(isInserted ? program.finish("%r", type) : program.finish("%part", half));
    }
  }

  static std::string combine(const Twine &head, const Type &from, const Type &to) {
    std::string scalar = scalarOf(from.element).str();
    return (head + " identities=[0 : " + getInfo(from.element).name + "]" + printTypes(from, to) +
            "\n    (%x: " + scalar + ", %y: " + scalar + ") {\n      %sum = addi %x, %y : " + scalar +
            "\n      yield %sum : " + scalar + "\n    }")
        .str();
  }
};

} // namespace

std::vector<SweptProgram> tileiras::fuzz::sweepTiles() {
  TileSweep sweep;
  const std::vector<Shape>
      small = {{1}, {2}, {64}, {1, 1}, {1, 2}, {2, 1}, {8, 16}, {1, 256}, {256, 1}, {4, 8, 16}, {2, 1, 4, 1, 8, 2}},
      large = {{4096}, {TileSweep::kMaxElements}, {256, 256}, {2, 32768}, {32768, 2}, {32, 64, 32}};
  for (Element element : kWideInts)
    for (const Shape &shape : small)
      sweep.addShapes({element, shape, false});
  // Bytes and words of 64 bits take the shared memory of an exchange to its ends.
  for (Element element : {Element::I8, Element::I32, Element::I64})
    for (const Shape &shape : large)
      sweep.addShapes({element, shape, false});
  struct Product {
    Shape batch;
    int64_t m, n, k;
  };
  for (const Product &p : std::initializer_list<Product>{{{}, 1, 1, 1},
                                                         {{}, 1, 128, 16},
                                                         {{}, 64, 1, 32},
                                                         {{}, 16, 8, 2},
                                                         {{}, 128, 64, 64},
                                                         {{}, 256, 128, 16},
                                                         {{2}, 16, 16, 32},
                                                         {{8}, 4, 32, 8}}) {
    for (Element operand : {Element::F16, Element::BF16, Element::TF32, Element::F32, Element::E4M3})
      sweep.addProduct("mmaf", operand, Element::F32, p.batch, p.m, p.n, p.k);
    sweep.addProduct("mmaf", Element::F16, Element::F16, p.batch, p.m, p.n, p.k);
    sweep.addProduct("mmaf", Element::F64, Element::F64, p.batch, p.m, p.n, p.k);
    sweep.addProduct("mmai", Element::I8, Element::I32, p.batch, p.m, p.n, p.k);
  }
  return std::move(sweep.programs);
}
