//===- ProgramBuilder.cpp - The program under construction ----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"
#include "Hints.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace tileiras::fuzz;
using llvm::Twine;

/// Exponents of random finite numbers.
static int64_t getExponentSpread(Element element) {
  return std::min(getInfo(element).magnitude / 2, 12);
}

/// Small numbers: multiples of a half up to 2, which every format but f8E8M0FNU has.
static constexpr int kSmallQuantum = -1, kSmallMagnitude = 1, kSmallInt = 8;

bool tileiras::fuzz::satisfies(Element element, const Facts &facts, Need need) {
  switch (need) {
  case Need::Any:
    return true;
  case Need::Exact:
    return facts.exact;
  case Need::Finite:
    return !isFloat(element) || facts.isFinite();
  case Need::Small:
  case Need::Special:
    return isFloat(element) ? facts.isFinite() && facts.hasGrid && facts.quantum >= kSmallQuantum &&
                                  facts.magnitude <= kSmallMagnitude
                            : facts.low >= -kSmallInt && facts.high <= kSmallInt;
  }
  llvm_unreachable("a need");
}

//===----------------------------------------------------------------------===//
// Set-up
//===----------------------------------------------------------------------===//

ProgramBuilder::ProgramBuilder(const GeneratorOptions &options, Names &names)
    : random(options.seed), options(options), budget(static_cast<int>(options.size)), names(names),
      hintRandom(options.seed ^ 0x6a09e667f3bcc908) {
  // Loops of products are large enough without many tile blocks.
  const bool isSmall = options.shape != ProgramShape::Mixed && options.shape != ProgramShape::Streams;
  for (unsigned &extent : grid)
    extent = random.chance(isSmall ? 85 : 70) ? 1 : static_cast<unsigned>(random.between(1, isSmall ? 2 : 3));
  launch.entry = names.makeEntry();
  launch.grid = grid;
  // A few shapes, so that values meet; ranks 0 to 4.
  palette.push_back({});
  for (unsigned count = static_cast<unsigned>(random.between(1, 3)); count > 0; --count) {
    Shape shape;
    int64_t left = int64_t(1) << random.between(0, llvm::Log2_64(static_cast<uint64_t>(options.maxElements)));
    for (auto rank = random.between(1, 4); rank > 0; --rank) {
      int64_t size = rank == 1 ? left : int64_t(1) << random.between(0, llvm::Log2_64(static_cast<uint64_t>(left)));
      shape.push_back(size);
      left /= size;
    }
    random.shuffle(shape);
    palette.push_back(shape);
  }
  beginEntry();
}

/// The number of this tile block: x + nx * (y + ny * z).
void ProgramBuilder::beginEntry() {
  Type i32 = scalarOf(Element::I32);
  std::string x = freshName(), y = freshName(), z = freshName();
  line(x + ", " + y + ", " + z + " = get_tile_block_id : tile<i32>");
  std::string nx = freshName(), ny = freshName(), nz = freshName();
  line(nx + ", " + ny + ", " + nz + " = get_num_tile_blocks : tile<i32>");
  auto id = [&](const std::string &name, unsigned extent) {
    Value value{name, i32, rangeFacts(0, extent - 1)};
    publish(value);
    return value;
  };
  auto extent = [&](const std::string &name, unsigned extent) { return Value{name, i32, rangeFacts(extent, extent)}; };
  Value idX = id(x, grid[0]), idY = id(y, grid[1]), idZ = id(z, grid[2]);
  Facts facts = rangeFacts(0, blockCount() - 1);
  Value row = binary("addi", idY, binary("muli", idZ, extent(ny, grid[1]), facts), facts);
  linearBlock = binary("addi", idX, binary("muli", row, extent(nx, grid[0]), facts), facts);
  publish(linearBlock);
  publish(extent(nz, grid[2]));
}

unsigned ProgramBuilder::getWeight(llvm::StringRef feature) const {
  auto found = options.weights.find(feature);
  if (found != options.weights.end())
    return found->second;
  auto known = llvm::find_if(getFeatures(), [&](const Feature &entry) { return feature == entry.name; });
  assert(known != getFeatures().end() && "a feature of the table");
  return known->weight;
}

ProgramBuilder::Finished ProgramBuilder::finish() {
  const std::string hints = hintRandom.chance(options.hints) ? " " + makeKernelHints(hintRandom) : "";
  std::string entry = "  entry " + printSymbol(launch.entry) + "(" + llvm::join(signature, ",\n               ") + ")" +
                      hints + " {\n" + body + "  }\n";
  return {std::move(globals), std::move(entry), std::move(launch)};
}

std::string ProgramBuilder::makeAccessHints() {
  const bool hasHints = hintRandom.below(500) < options.hints;
  return hasHints ? " " + fuzz::makeAccessHints(hintRandom) : "";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void ProgramBuilder::line(const Twine &text) {
  body.append(2 * indentation, ' ');
  body += text.str();
  body += '\n';
}

Value ProgramBuilder::compute(const Type &type, const Facts &facts, const Twine &operation) {
  Value value{freshName(), type, facts};
  line(value.name + " = " + operation);
  return value;
}

Value ProgramBuilder::define(const Type &type, const Facts &facts, const Twine &operation) {
  Value value = compute(type, facts, operation);
  publish(value);
  return value;
}

Value ProgramBuilder::binary(const char *mnemonic, const Value &lhs, const Value &rhs, const Facts &facts,
                             const Twine &suffix) {
  return compute(lhs.type, facts, mnemonic + Twine(" ") + lhs.name + ", " + rhs.name + suffix + " : " + lhs.type.str());
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

std::vector<Value> ProgramBuilder::takeUnused(size_t limit) {
  std::vector<Value> taken;
  for (Live &entry : llvm::reverse(live))
    if (entry.uses == 0 && taken.size() < limit) {
      entry.uses = 1;
      taken.push_back(entry.value);
    }
  return taken;
}

Shape ProgramBuilder::pickShape() {
  return palette[random.below(palette.size())];
}

std::optional<Value> ProgramBuilder::findLive(llvm::function_ref<bool(const Value &)> accept) {
  llvm::SmallVector<Live *> found;
  for (Live &entry : live)
    if (accept(entry.value))
      found.push_back(&entry);
  if (found.empty())
    return std::nullopt;
  // The later of two draws: programs become deep rather than wide.
  Live *chosen = found[std::max(random.below(found.size()), random.below(found.size()))];
  ++chosen->uses;
  return chosen->value;
}

Value ProgramBuilder::operand(const Type &type, Need need) {
  if (random.chance(85))
    if (std::optional<Value> value = findLive([&](const Value &candidate) {
          return candidate.type == type && satisfies(type.element, candidate.facts, need);
        }))
      return *value;
  return create(type, need);
}

Value ProgramBuilder::create(const Type &type, Need need) {
  ++creationDepth;
  Value value = createFromOther(type, need);
  --creationDepth;
  return value;
}

/// A source of elements: memory, a constant, or another value of another type or shape.
Value ProgramBuilder::createFromOther(const Type &type, Need need) {
  Element element = type.element;
  bool isNarrow = element == Element::I4 || element == Element::E2M1 || element == Element::TF32;
  unsigned draw = static_cast<unsigned>(random.below(100));
  if (draw < 25 && creationDepth < 3) {
    std::optional<Value> other = findLive([&](const Value &candidate) {
      return candidate.type.element == element && !candidate.type.isPointer &&
             (candidate.type.size() == type.size() || candidate.type.size() == 1) &&
             satisfies(element, candidate.facts, need);
    });
    if (other && other->type.size() == type.size())
      return reshape(*other, type.shape);
    if (other)
      return splat(reshape(*other, {}), type.shape);
  }
  if (draw < 40 && !isFloat(element) && element != Element::I1 && !isNarrow &&
      (element != Element::I8 || type.size() <= 128) && need != Need::Small)
    return rowMajorIota(element, type.shape);
  if (draw < 55 || (isNarrow && element != Element::TF32))
    return randomConstant(type, need);
  if (element == Element::TF32) {
    Value single = create(type.with(Element::F32), need == Need::Any ? Need::Exact : need);
    Facts facts = single.facts;
    if (!satisfies(Element::TF32, facts, Need::Small))
      facts.hasGrid = false;
    return compute(type, facts, "ftof " + single.name + " : " + single.type.str() + " -> " + type.str());
  }
  Facts facts;
  int64_t count = type.size();
  Value base = addBuffer(element, count, need, &facts);
  Value address = base;
  if (!type.shape.empty()) {
    Type pointers{element, type.shape, true};
    Value all = splat(base, type.shape), offsets = rowMajorIota(Element::I32, type.shape);
    address = compute(pointers, {},
                      "offset " + all.name + ", " + offsets.name + " : " + all.type.str() + ", " + offsets.type.str() +
                          " -> " + pointers.str());
  }
  Value value{freshName(), type, facts};
  line(value.name + ", " + freshName() + " = load_ptr_tko weak " + address.name + " : " + address.type.str() + " -> " +
       type.str() + ", token");
  return value;
}

Value ProgramBuilder::constant(const Type &type, int64_t number) {
  return compute(type, rangeFacts(number, number),
                 Twine("constant <") + getInfo(type.element).name + ": " + Twine(number) + "> : " + type.str());
}

Value ProgramBuilder::floatConstant(const Type &type, double number) {
  Facts facts;
  uint64_t bits = encode(type.element, number);
  facts.special = !std::isfinite(number);
  if (std::fabs(number) <= std::ldexp(1, kSmallMagnitude) &&
      std::ldexp(number, -kSmallQuantum) == std::trunc(std::ldexp(number, -kSmallQuantum)))
    facts = gridFacts(kSmallQuantum, kSmallMagnitude);
  return compute(type, facts,
                 Twine("constant <") + getInfo(type.element).name + ": " + printLiteral(type.element, bits) +
                     "> : " + type.str());
}

Value ProgramBuilder::zero(const Type &type) {
  return isFloat(type.element) ? floatConstant(type, 0) : constant(type, 0);
}

/// Nested lists of literals, outermost dimension first.
static void printElements(llvm::raw_ostream &os, llvm::ArrayRef<int64_t> shape, Element element,
                          llvm::function_ref<uint64_t()> next) {
  if (shape.empty()) {
    os << printLiteral(element, next());
    return;
  }
  os << '[';
  for (int64_t i = 0; i < shape.front(); ++i) {
    os << (i ? ", " : "");
    printElements(os, shape.drop_front(), element, next);
  }
  os << ']';
}

Value ProgramBuilder::randomConstant(const Type &type, Need need) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool listed = type.size() <= 64 && random.chance(50);
  os << "constant <" << getInfo(type.element).name << ": ";
  printElements(os, listed ? llvm::ArrayRef<int64_t>(type.shape) : llvm::ArrayRef<int64_t>(), type.element,
                [&] { return randomBits(type.element, need); });
  os << "> : " << type.str();
  return compute(type, factsOf(type.element, need), text);
}

Value ProgramBuilder::rowMajorIota(Element element, llvm::ArrayRef<int64_t> shape) {
  int64_t count = countElements(shape);
  Type row{element, {count}, false};
  Value iota = compute(row, rangeFacts(0, count - 1), "iota : " + row.str());
  return reshape(iota, shape);
}

Value ProgramBuilder::reshape(const Value &value, llvm::ArrayRef<int64_t> shape) {
  Type type = value.type.with(shape);
  if (type == value.type)
    return value;
  return compute(type, value.facts, "reshape " + value.name + " : " + value.type.str() + " -> " + type.str());
}

Value ProgramBuilder::splat(const Value &scalar, llvm::ArrayRef<int64_t> shape) {
  Value ones = reshape(scalar, Shape(shape.size(), 1));
  Type type = scalar.type.with(shape);
  if (type == ones.type)
    return ones;
  return compute(type, scalar.facts, "broadcast " + ones.name + " : " + ones.type.str() + " -> " + type.str());
}

Value ProgramBuilder::below(const Value &value, int64_t bound) {
  if (value.facts.low >= 0 && value.facts.high < bound)
    return value;
  Facts facts = rangeFacts(0, bound - 1);
  if (llvm::isPowerOf2_64(static_cast<uint64_t>(bound)) && random.chance(50))
    return binary("andi", value, constant(value.type, bound - 1), facts);
  return binary("remi", value, constant(value.type, bound), facts, " unsigned");
}

Value ProgramBuilder::scalarBelow(Element element, int64_t bound) {
  return below(operand(scalarOf(element)), bound);
}

Value ProgramBuilder::castInt(const Value &value, Element element) {
  unsigned from = getInfo(value.type.element).bits, to = getInfo(element).bits;
  Type type = value.type.with(element);
  if (from == to)
    return value;
  const char *mnemonic = from < to ? "exti " : "trunci ";
  return compute(type, value.facts,
                 mnemonic + value.name + (from < to ? " signed : " : " : ") + value.type.str() + " -> " + type.str());
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

Facts ProgramBuilder::factsOf(Element element, Need need) {
  if (!isFloat(element)) {
    if ((need == Need::Small || need == Need::Special) && getInfo(element).bits > 4)
      return rangeFacts(-kSmallInt, kSmallInt);
    return unknownFacts(element);
  }
  if (need == Need::Small && element != Element::E8M0)
    return gridFacts(kSmallQuantum, kSmallMagnitude);
  if (need == Need::Finite && element != Element::E8M0) {
    int spread = static_cast<int>(getExponentSpread(element));
    return gridFacts(-spread - getInfo(element).precision + 1, spread + 1);
  }
  Facts facts;
  facts.special = need != Need::Finite && need != Need::Small;
  return facts;
}

/// Bits that are often wrong: the ends of the range, its middle, its neighbours, single bits.
static uint64_t randomIntBits(Random &random, unsigned bits) {
  uint64_t mask = llvm::maskTrailingOnes<uint64_t>(bits);
  switch (random.below(8)) {
  case 0:
    return random.pick<uint64_t>({0, 1, mask, mask >> 1, (mask >> 1) + 1, mask - 1}) & mask;
  case 1:
    return uint64_t(1) << random.below(bits);
  case 2:
  case 3:
    return static_cast<uint64_t>(random.between(-16, 16)) & mask;
  default:
    return random.bits() & mask;
  }
}

uint64_t ProgramBuilder::randomBits(Element element, Need need) {
  const ElementInfo &info = getInfo(element);
  if (!info.isFloat)
    return (need == Need::Small || need == Need::Special) && info.bits > 4
               ? static_cast<uint64_t>(random.between(-kSmallInt, kSmallInt)) &
                     llvm::maskTrailingOnes<uint64_t>(info.bits)
               : randomIntBits(random, info.bits);
  if (element == Element::E8M0)
    return static_cast<uint64_t>(127 + random.between(-2, 2));
  if (need == Need::Special && llvm::APFloat::semanticsHasNaN(*info.semantics()) && random.chance(3)) {
    const bool hasInfinity = llvm::APFloat::semanticsHasInf(*info.semantics());
    return encode(element, hasInfinity ? random.pick<double>({INFINITY, -INFINITY, NAN}) : NAN);
  }
  if (need == Need::Small || need == Need::Special)
    return encode(element, std::ldexp(static_cast<double>(random.between(-4, 4)), kSmallQuantum));
  unsigned width = llvm::APFloat::getSizeInBits(*info.semantics()),
           mantissa = static_cast<unsigned>(info.precision - 1);
  uint64_t all = llvm::maskTrailingOnes<uint64_t>(width), sign = random.bits() & (uint64_t(1) << (width - 1));
  uint64_t exponentOnes = (all >> 1) >> mantissa;
  bool canBeSpecial = need == Need::Any || need == Need::Exact;
  if (canBeSpecial && random.chance(15)) {
    uint64_t infinity = exponentOnes << mantissa;
    return sign | random.pick<uint64_t>({0, 1, (uint64_t(1) << mantissa) - 1, uint64_t(1) << mantissa, infinity - 1,
                                         infinity, infinity | uint64_t(1) << (mantissa - 1), all >> 1});
  }
  // Around 1, where sums neither vanish nor overflow.
  int64_t bias = static_cast<int64_t>(exponentOnes / 2), spread = getExponentSpread(element);
  uint64_t exponent = static_cast<uint64_t>(bias + random.between(-spread, spread));
  return sign | exponent << mantissa | (random.bits() & llvm::maskTrailingOnes<uint64_t>(mantissa));
}

Value ProgramBuilder::addBuffer(Element element, int64_t count, Need need, Facts *facts) {
  Buffer buffer{"in" + std::to_string(launch.buffers.size()), element, {}, false};
  unsigned bytes = getBytes(element);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = randomBits(element, need);
    for (unsigned byte = 0; byte < bytes; ++byte)
      buffer.contents.push_back(static_cast<uint8_t>(bits >> (8 * byte)));
  }
  if (facts)
    *facts = factsOf(element, need);
  return addPointer(std::move(buffer));
}

Value ProgramBuilder::addResultBuffer(Element element, int64_t count, uint8_t fill) {
  Buffer buffer{"out" + std::to_string(launch.buffers.size()), element, {}, true};
  buffer.contents.assign(static_cast<size_t>(count) * getBytes(element), fill);
  return addPointer(std::move(buffer));
}

Value ProgramBuilder::addPointer(Buffer buffer) {
  Element element = buffer.element;
  Value pointer{"%" + buffer.name, {element, {}, true}, {}};
  signature.push_back(pointer.name + ": " + pointer.type.str());
  launch.parameters.push_back({buffer.name, element, 0});
  launch.buffers.push_back(std::move(buffer));
  return pointer;
}

Value ProgramBuilder::addAlias(const Value &pointer) {
  Value alias{"%alias" + std::to_string(signature.size()), pointer.type, pointer.facts};
  signature.push_back(alias.name + ": " + alias.type.str());
  launch.parameters.push_back({pointer.name.substr(1), pointer.type.element, 0});
  return alias;
}

Value ProgramBuilder::addScalarParameter(Element element, int64_t number) {
  Value value{"%n" + std::to_string(signature.size()), scalarOf(element), rangeFacts(number, number)};
  signature.push_back(value.name + ": " + value.type.str());
  launch.parameters.push_back(
      {"", element, static_cast<uint64_t>(number) & llvm::maskTrailingOnes<uint64_t>(getInfo(element).bits)});
  return value;
}

std::string ProgramBuilder::addGlobal(Element element, int64_t count, Need need) {
  std::string name = printSymbol(names.makeGlobal(launch.entry));
  llvm::raw_string_ostream os(globals);
  os << "  global " << (random.chance(30) ? "private " : "") << (random.chance(50) ? "constant " : "") << name;
  if (random.chance(40))
    os << " alignment = " << (16 << random.below(4));
  os << " <" << getInfo(element).name << ": ";
  printElements(os, {count}, element, [&] { return randomBits(element, need); });
  os << "> : " << Type{element, {count}, false}.str() << '\n';
  return name;
}
