//===- SweepValues.cpp - Every operation on the values that go wrong ------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sweep.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace tileiras::fuzz;
using Words = llvm::SmallVector<uint64_t>;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static Words getSpecialInts(Element element) {
  unsigned bits = getInfo(element).bits;
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(bits), sign = uint64_t(1) << (bits - 1);
  Words values;
  for (uint64_t value :
       {uint64_t(0), uint64_t(1), uint64_t(2), uint64_t(3), uint64_t(7), uint64_t(bits - 1), uint64_t(bits),
        uint64_t(bits + 1), uint64_t(1) << 32, mask, mask - 1, mask - 2, sign, sign + 1, sign - 1, sign - 2,
        uint64_t(0x5555555555555555), uint64_t(0x123456789abcdef1), sign >> 1})
    if (!llvm::is_contained(values, value & mask))
      values.push_back(value & mask);
  return values;
}

static Words getSpecialFloats(Element element) {
  const ElementInfo &info = getInfo(element);
  unsigned width = llvm::APFloat::getSizeInBits(*info.semantics()),
           mantissa = static_cast<unsigned>(info.precision - 1);
  uint64_t sign = uint64_t(1) << (width - 1), all = llvm::maskTrailingOnes<uint64_t>(width - 1);
  uint64_t infinity = (all >> mantissa) << mantissa, smallest = uint64_t(1) << mantissa;
  Words values = {0,
                  sign,
                  1,
                  sign | 1,
                  smallest,
                  smallest - 1,
                  infinity,
                  sign | infinity,
                  infinity | 1 << (mantissa - 1),
                  infinity | (1 << (mantissa - 1)) | 1,
                  sign | infinity | 1 << (mantissa - 1),
                  infinity - 1,
                  sign | (infinity - 1)};
  for (double number : {1.0, -1.5, 0.5, 3.0})
    values.push_back(encode(element, number));
  // A tf32 is the upper bits of a word.
  for (uint64_t &value : values)
    value <<= info.bits - width;
  return values;
}

/// For formats without infinities or zero: all 2^n codes.
static Words getAllCodes(unsigned bits) {
  Words values;
  for (uint64_t code = 0; code < uint64_t(1) << bits; ++code)
    values.push_back(code);
  return values;
}

static Words getSpecialValues(Element element) {
  if (!isFloat(element))
    return element == Element::I1 ? Words{0, 1} : getSpecialInts(element);
  return getBytes(element) == 1 ? getAllCodes(getInfo(element).bits) : getSpecialFloats(element);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

namespace {

/// Tiles of these come from memory, and go there, two elements in a byte.
bool isPacked(Element element) {
  return getInfo(element).bits == 4;
}

/// Loads a tile from each of its inputs, computes, stores each result. All tiles are one row of the same length.
class RowProgram {
public:
  explicit RowProgram(int64_t count) : count(count) { program.launch.entry = "kernel"; }

  std::string addInput(Element element, const Words &values) {
    if (isPacked(element)) {
      Words bytes;
      for (size_t i = 0; i < values.size(); i += 2)
        bytes.push_back(values[i] | values[i + 1] << 4);
      count /= 2;
      std::string packed = addInput(Element::I8, bytes), packedType = type(Element::I8);
      count *= 2;
      return compute("unpack " + packed + " : " + packedType + " -> " + type(element));
    }
    std::string pointer = addBuffer(element, false), name = "%x" + std::to_string(inputs++);
    std::vector<uint8_t> &bytes = program.launch.buffers.back().contents;
    for (uint64_t value : values)
      for (unsigned byte = 0; byte < getBytes(element); ++byte)
        bytes.push_back(static_cast<uint8_t>(value >> (8 * byte)));
    std::string address = addAddress(element, pointer);
    body += "    " + name + ", %t" + name.substr(1) + " = load_ptr_tko weak " + address + " : " + type(element, true) +
            " -> " + type(element) + ", token\n";
    return name;
  }

  /// `%n = operation`.
  std::string compute(const std::string &operation) {
    std::string name = "%v" + std::to_string(values++);
    body += "    " + name + " = " + operation + "\n";
    return name;
  }

  void addResult(Element element, const std::string &value) {
    if (isPacked(element)) {
      std::string unpackedType = type(element);
      count /= 2;
      addResult(Element::I8, compute("pack " + value + " : " + unpackedType + " -> " + type(Element::I8)));
      count *= 2;
      return;
    }
    std::string pointer = addBuffer(element, true);
    program.launch.buffers.back().contents.assign(static_cast<size_t>(count) * getBytes(element), 1);
    std::string address = addAddress(element, pointer);
    body += "    %s" + pointer.substr(1) + " = store_ptr_tko weak " + address + ", " + value + " : " +
            type(element, true) + ", " + type(element) + " -> token\n";
  }

  std::string type(Element element, bool isPointer = false) const { return Type{element, {count}, isPointer}.str(); }

  SweptProgram finish(std::string name) {
    program.text = "cuda_tile.module @sweep {\n  entry @kernel(" + llvm::join(signature, ", ") + ") {\n" + body +
                   "    return\n  }\n}\n";
    return {std::move(name), std::move(program)};
  }

private:
  std::string addBuffer(Element element, bool isResult) {
    std::string name = (isResult ? "out" : "in") + std::to_string(program.launch.buffers.size());
    program.launch.buffers.push_back({name, element, {}, isResult});
    program.launch.parameters.push_back({name, element, 0});
    signature.push_back("%" + name + ": " + Type{element, {}, true}.str());
    return "%" + name;
  }

  std::string addAddress(Element element, const std::string &pointer) {
    Type one{element, {1}, true};
    std::string row = compute("reshape " + pointer + " : " + Type{element, {}, true}.str() + " -> " + one.str());
    if (count > 1)
      row = compute("broadcast " + row + " : " + one.str() + " -> " + type(element, true));
    std::string offsets = compute("iota : " + type(Element::I32));
    return compute("offset " + row + ", " + offsets + " : " + type(element, true) + ", " + type(Element::I32) + " -> " +
                   type(element, true));
  }

  int64_t count;
  unsigned inputs = 0, values = 0;
  std::string body;
  std::vector<std::string> signature;
  GeneratedProgram program;
};

/// All tuples of special values that `accepts` takes, a column for each operand, as many rows as a tile has.
struct Columns {
  llvm::SmallVector<Words> columns;
  int64_t rows = 0;
};

} // namespace

static Columns makeTuples(llvm::ArrayRef<Words> values, llvm::function_ref<bool(llvm::ArrayRef<uint64_t>)> accepts) {
  Columns tuples;
  tuples.columns.resize(values.size());
  llvm::SmallVector<size_t> index(values.size(), 0);
  for (bool isDone = false; !isDone;) {
    Words tuple;
    for (auto [list, i] : llvm::zip(values, index))
      tuple.push_back(list[i]);
    if (accepts(tuple))
      for (auto [column, value] : llvm::zip(tuples.columns, tuple))
        column.push_back(value);
    isDone = true;
    for (size_t i = 0; i < index.size() && isDone; ++i) {
      index[i] = (index[i] + 1) % values[i].size();
      isDone = index[i] == 0;
    }
  }
  tuples.rows = static_cast<int64_t>(llvm::PowerOf2Ceil(tuples.columns[0].size()));
  for (Words &column : tuples.columns)
    column.resize(static_cast<size_t>(tuples.rows), column.front());
  return tuples;
}

//===----------------------------------------------------------------------===//
// Operations on one type
//===----------------------------------------------------------------------===//

namespace {

enum class Domain : uint8_t { Any, NonZero, SignedQuotient };

struct SweptOp {
  const char *mnemonic;
  unsigned operands;
  Domain domain;
  const char *variants; ///< of the text behind the operands, separated by '|'
};

constexpr SweptOp kIntOps[] = {
    {"addi", 2, Domain::Any, ""},
    {"subi", 2, Domain::Any, ""},
    {"muli", 2, Domain::Any, ""},
    {"mulhii", 2, Domain::Any, ""},
    {"andi", 2, Domain::Any, ""},
    {"ori", 2, Domain::Any, ""},
    {"xori", 2, Domain::Any, ""},
    {"absi", 1, Domain::Any, ""},
    {"negi", 1, Domain::Any, ""},
    {"maxi", 2, Domain::Any, " signed| unsigned"},
    {"mini", 2, Domain::Any, " signed| unsigned"},
    {"divi", 2, Domain::SignedQuotient, " signed| signed rounding<positive_inf>| signed rounding<negative_inf>"},
    {"divi", 2, Domain::NonZero, " unsigned| unsigned rounding<positive_inf>"},
    {"remi", 2, Domain::NonZero, " signed| unsigned"},
    {"shli", 2, Domain::Any, ""},
    {"shri", 2, Domain::Any, " signed| unsigned"},
};

constexpr const char *kDirected = "| rounding<zero>| rounding<negative_inf>| rounding<positive_inf>";
constexpr const char *kFlushed = " flush_to_zero| rounding<zero> flush_to_zero| rounding<negative_inf> flush_to_zero";

constexpr SweptOp kFloatOps[] = {
    {"addf", 2, Domain::Any, kDirected},
    {"subf", 2, Domain::Any, kDirected},
    {"mulf", 2, Domain::Any, kDirected},
    {"divf", 2, Domain::Any, kDirected},
    {"sqrt", 1, Domain::Any, kDirected},
    {"maxf", 2, Domain::Any, "| propagate_nan"},
    {"minf", 2, Domain::Any, "| propagate_nan"},
    {"absf", 1, Domain::Any, ""},
    {"negf", 1, Domain::Any, ""},
    {"ceil", 1, Domain::Any, ""},
    {"floor", 1, Domain::Any, ""},
    {"remf", 2, Domain::Any, ""},
    {"exp", 1, Domain::Any, ""},
    {"exp2", 1, Domain::Any, ""},
    {"log", 1, Domain::Any, ""},
    {"log2", 1, Domain::Any, ""},
    {"sin", 1, Domain::Any, ""},
    {"cos", 1, Domain::Any, ""},
    {"tan", 1, Domain::Any, ""},
    {"sinh", 1, Domain::Any, ""},
    {"cosh", 1, Domain::Any, ""},
    {"tanh", 1, Domain::Any, ""},
    {"rsqrt", 1, Domain::Any, ""},
    {"atan2", 2, Domain::Any, ""},
    {"pow", 2, Domain::Any, ""},
    {"fma", 3, Domain::Any, kDirected},
};

/// What only f32 has.
constexpr SweptOp kSingleOps[] = {
    {"addf", 2, Domain::Any, kFlushed},
    {"subf", 2, Domain::Any, kFlushed},
    {"mulf", 2, Domain::Any, kFlushed},
    {"divf", 2, Domain::Any, " flush_to_zero| rounding<approx>| rounding<full>"},
    {"sqrt", 1, Domain::Any, " flush_to_zero| rounding<approx>"},
    {"maxf", 2, Domain::Any, " flush_to_zero| propagate_nan flush_to_zero"},
    {"minf", 2, Domain::Any, " flush_to_zero| propagate_nan flush_to_zero"},
    {"exp", 1, Domain::Any, " rounding<approx>"},
    {"exp2", 1, Domain::Any, " flush_to_zero"},
    {"tanh", 1, Domain::Any, " rounding<approx>"},
    {"rsqrt", 1, Domain::Any, " flush_to_zero"},
    {"fma", 3, Domain::Any, " flush_to_zero"},
};

} // namespace

static bool isDefined(Domain domain, Element element, llvm::ArrayRef<uint64_t> tuple) {
  unsigned bits = getInfo(element).bits;
  switch (domain) {
  case Domain::Any:
    return true;
  case Domain::NonZero:
    return tuple[1] != 0;
  case Domain::SignedQuotient:
    return tuple[1] != 0 &&
           !(tuple[0] == uint64_t(1) << (bits - 1) && tuple[1] == llvm::maskTrailingOnes<uint64_t>(bits));
  }
  llvm_unreachable("a domain");
}

static SweptProgram sweepOp(const SweptOp &op, Element element) {
  llvm::SmallVector<Words> lists(op.operands, getSpecialValues(element));
  Columns tuples =
      makeTuples(lists, [&](llvm::ArrayRef<uint64_t> tuple) { return isDefined(op.domain, element, tuple); });
  RowProgram row(tuples.rows);
  llvm::SmallVector<std::string> operands;
  for (const Words &column : tuples.columns)
    operands.push_back(row.addInput(element, column));
  llvm::SmallVector<llvm::StringRef> variants;
  llvm::StringRef(op.variants).split(variants, '|');
  for (llvm::StringRef variant : variants)
    row.addResult(element, row.compute(op.mnemonic + std::string(" ") + llvm::join(operands, ", ") + variant.str() +
                                       " : " + row.type(element)));
  return row.finish(std::string(op.mnemonic) + " " + getInfo(element).name + variants.front().str());
}

static SweptProgram sweepComparison(Element element) {
  Words values = getSpecialValues(element);
  Columns tuples = makeTuples({values, values}, [](llvm::ArrayRef<uint64_t>) { return true; });
  RowProgram row(tuples.rows);
  std::string lhs = row.addInput(element, tuples.columns[0]), rhs = row.addInput(element, tuples.columns[1]);
  for (const char *predicate :
       {"equal", "not_equal", "less_than", "less_than_or_equal", "greater_than", "greater_than_or_equal"})
    for (bool first : {false, true}) {
      std::string types = " : " + row.type(element) + " -> " + row.type(Element::I1), name(predicate);
      std::string operation = isFloat(element)
                                  ? "cmpf " + name + (first ? " ordered " : " unordered ") + lhs + ", " + rhs
                                  : "cmpi " + name + " " + lhs + ", " + rhs + (first ? ", signed" : ", unsigned");
      row.addResult(Element::I1, row.compute(operation + types));
    }
  return row.finish(std::string("comparison ") + getInfo(element).name);
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// Values of `from` whose conversion is defined.
static Words getConvertible(Element from, Element to) {
  Words values = getSpecialValues(from);
  if (isFloat(from) && !isFloat(to))
    llvm::erase_if(values, [&](uint64_t bits) { return decode(from, bits).isInfinity(); });
  return values;
}

static llvm::SmallVector<std::string> getConversions(Element from, Element to) {
  if (isFloat(from) && isFloat(to))
    return {"ftof %s", "ftof %s rounding<zero>", "ftof %s rounding<negative_inf>", "ftof %s rounding<positive_inf>",
            "ftof %s rounding<nearest_away>"};
  if (isFloat(from))
    return {"ftoi %s signed", "ftoi %s unsigned"};
  if (isFloat(to))
    return {"itof %s signed", "itof %s unsigned"};
  if (getInfo(from).bits < getInfo(to).bits)
    return {"exti %s signed", "exti %s unsigned"};
  return {"trunci %s"};
}

/// One conversion after the other, of the same values; "%s" stands for them.
static SweptProgram sweepConversions(const std::string &name, Element from, Element to, const Words &values,
                                     llvm::ArrayRef<std::string> operations) {
  Columns tuples = makeTuples({values}, [](llvm::ArrayRef<uint64_t>) { return true; });
  RowProgram row(tuples.rows);
  std::string source = row.addInput(from, tuples.columns[0]);
  for (std::string operation : operations) {
    operation.replace(operation.find("%s"), 2, source);
    row.addResult(to, row.compute(operation + " : " + row.type(from) + " -> " + row.type(to)));
  }
  return row.finish(name + " " + getInfo(from).name + " to " + getInfo(to).name);
}

/// Integer powers; exponents are of another type.
static SweptProgram sweepPower(Element element, Element exponents) {
  Columns tuples = makeTuples({getSpecialValues(element), getSpecialValues(exponents)},
                              [](llvm::ArrayRef<uint64_t>) { return true; });
  RowProgram row(tuples.rows);
  std::string base = row.addInput(element, tuples.columns[0]), exponent = row.addInput(exponents, tuples.columns[1]);
  row.addResult(element, row.compute("fpowi " + base + ", " + exponent + " : " + row.type(element) + ", " +
                                     row.type(exponents) + " -> " + row.type(element)));
  return row.finish(std::string("fpowi ") + getInfo(element).name + " " + getInfo(exponents).name);
}

std::vector<SweptProgram> tileiras::fuzz::sweepValues() {
  std::vector<SweptProgram> programs;
  for (Element element : kWideInts)
    for (const SweptOp &op : kIntOps)
      programs.push_back(sweepOp(op, element));
  for (Element element : kArithFloats)
    for (const SweptOp &op : kFloatOps)
      programs.push_back(sweepOp(op, element));
  for (const SweptOp &op : kSingleOps)
    programs.push_back(sweepOp(op, Element::F32));
  for (const SweptOp &op : kIntOps)
    programs.push_back(sweepOp(op, Element::I1));
  for (Element element : kArithFloats)
    for (Element exponents : {Element::I1, Element::I8, Element::I16, Element::I32})
      programs.push_back(sweepPower(element, exponents));
  static constexpr Element converted[] = {Element::I1,   Element::I8,   Element::I16,  Element::I32,  Element::I64,
                                          Element::F16,  Element::BF16, Element::F32,  Element::F64,  Element::E4M3,
                                          Element::E5M2, Element::E8M0, Element::TF32, Element::E2M1, Element::I4};
  for (Element from : converted) {
    if (from != Element::TF32 && from != Element::I4 && (getInfo(from).bits > 8 || !isFloat(from)))
      programs.push_back(sweepComparison(from));
    for (Element to : converted)
      if (from != to && (isFloat(from) == isFloat(to) || (from != Element::I4 && to != Element::I4)))
        programs.push_back(
            sweepConversions("conversion", from, to, getConvertible(from, to), getConversions(from, to)));
    // Infinities, too.
    for (Element to : {Element::I1, Element::I8, Element::I16, Element::I32, Element::I64})
      if (isFloat(from))
        programs.push_back(sweepConversions("saturating conversion", from, to, getSpecialValues(from),
                                            {"ftoi %s signed saturating", "ftoi %s unsigned saturating"}));
  }
  return programs;
}
