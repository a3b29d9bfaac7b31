//===- ProgramBuilder.h - The program under construction --------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_FUZZ_PROGRAMBUILDER_H
#define TILEIRAS_FUZZ_PROGRAMBUILDER_H

#include "Generator.h"
#include "Names.h"
#include "Random.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"

namespace tileiras::fuzz {

struct Value {
  std::string name; ///< "%12"
  Type type;
  Facts facts;
};

/// What an operand must be.
enum class Need {
  Any,     ///< whatever it is: for moves, and for floating-point arithmetic
  Exact,   ///< every bit specified, NaN aside
  Finite,  ///< exact, neither NaN nor infinite
  Small,   ///< integers of a few bits, floats on a coarse grid: sums of products stay exact
  Special, ///< the same, and now and then an infinity or a NaN
};
bool satisfies(Element element, const Facts &facts, Need need);

/// Memory that the tile block alone reads and writes: `count` elements from `base` on. Its accesses are ordered by a
/// chain of tokens.
struct OwnedMemory {
  Value base; ///< tile<ptr<…>>
  int64_t count;
  std::string token; ///< after the last access
};

/// What fills memory that the kernel has not written. As an i1 it is a 1 in the lowest bit.
constexpr uint8_t kUntouched = 0x01;

/// Memory that all tile blocks change at once, by one commutative operation.
struct SharedMemory {
  Value base; ///< tile<ptr<…>>
  int64_t count;
  const char *mode;
};

class ProgramBuilder {
public:
  ProgramBuilder(const GeneratorOptions &options, Names &names);

  Random random;
  const GeneratorOptions &options;
  int budget;             ///< steps left
  unsigned depth = 0;     ///< of control flow
  unsigned loopDepth = 0; ///< of loops: there, memory whose tokens no loop carries would be written out of order
  std::vector<OwnedMemory> memories;
  std::vector<SharedMemory> shared;
  std::array<unsigned, 3> grid;
  Value linearBlock; ///< number of this tile block, tile<i32>

  unsigned getWeight(llvm::StringRef feature) const;
  unsigned blockCount() const { return grid[0] * grid[1] * grid[2]; }

  // Text.
  void line(const llvm::Twine &text);
  void indent() { ++indentation; }
  void dedent() { --indentation; }
  std::string freshName() { return "%" + std::to_string(nextName++); }

  /// `%n = operation`, where later steps find it.
  Value define(const Type &type, const Facts &facts, const llvm::Twine &operation);
  /// The same for the step's own use.
  Value compute(const Type &type, const Facts &facts, const llvm::Twine &operation);
  void publish(const Value &value) { live.push_back({value, 0}); }

  // Scopes: what is published after a mark is gone after the release.
  size_t mark() const { return live.size(); }
  void release(size_t mark) { live.resize(mark); }
  /// Takes the published values that nobody used, latest first, at most `limit`.
  std::vector<Value> takeUnused(size_t limit);

  // Operands.
  Shape pickShape();
  /// A value of the type: one that exists if there is one, else (and now and then) a new one.
  Value operand(const Type &type, Need need = Need::Any);
  /// Any value whose type and facts are accepted; nullopt if there is none.
  std::optional<Value> findLive(llvm::function_ref<bool(const Value &)> accept);
  Value create(const Type &type, Need need);
  Value constant(const Type &type, int64_t number);
  Value floatConstant(const Type &type, double number);
  Value zero(const Type &type);
  Value randomConstant(const Type &type, Need need);
  /// 0, 1, 2, … in row-major order.
  Value rowMajorIota(Element element, llvm::ArrayRef<int64_t> shape);
  Value reshape(const Value &value, llvm::ArrayRef<int64_t> shape);
  /// From a scalar.
  Value splat(const Value &scalar, llvm::ArrayRef<int64_t> shape);
  Value binary(const char *mnemonic, const Value &lhs, const Value &rhs, const Facts &facts,
               const llvm::Twine &suffix = "");
  /// `value` reduced to 0 … bound - 1.
  Value below(const Value &value, int64_t bound);
  /// A scalar 0 … bound - 1, different from run to run of a loop where it can be.
  Value scalarBelow(Element element, int64_t bound);
  /// `value`, as a narrower or wider integer; must fit.
  Value castInt(const Value &value, Element element);

  // The launch.
  /// A new buffer of random numbers that the kernel reads, and its pointer.
  Value addBuffer(Element element, int64_t count, Need need, Facts *facts);
  /// A new buffer of results.
  Value addResultBuffer(Element element, int64_t count, uint8_t fill = kUntouched);
  /// Another parameter that points to the buffer of a parameter.
  Value addAlias(const Value &pointer);
  Value addScalarParameter(Element element, int64_t number);
  /// Which bits a number may have.
  uint64_t randomBits(Element element, Need need);
  Facts factsOf(Element element, Need need);

  /// " optimization_hints=<…>" of an access, or nothing.
  std::string makeAccessHints();

  /// A table in global memory; its name with the "@".
  std::string addGlobal(Element element, int64_t count, Need need);

  struct Finished {
    std::string globals, entry;
    LaunchCase launch;
  };
  Finished finish();

private:
  struct Live {
    Value value;
    unsigned uses;
  };
  Value addPointer(Buffer buffer);
  Value createFromOther(const Type &type, Need need);
  void beginEntry();

  std::vector<Live> live;
  std::vector<Shape> palette;
  std::string body, globals;
  std::vector<std::string> signature;
  LaunchCase launch;
  Names &names;
  Random hintRandom;
  unsigned indentation = 2, nextName = 0, creationDepth = 0;
};

// The steps. Each makes one or a few operations and returns whether it could.
using Step = bool (*)(ProgramBuilder &);
bool makeIntArithmetic(ProgramBuilder &);
bool makeFloatArithmetic(ProgramBuilder &);
bool makeMathFunction(ProgramBuilder &);
bool makeComparison(ProgramBuilder &);
bool makeSelect(ProgramBuilder &);
bool makeConversion(ProgramBuilder &);
bool makeBitCast(ProgramBuilder &);
bool makePacking(ProgramBuilder &);
bool makeShapeChange(ProgramBuilder &);
bool makePart(ProgramBuilder &);
bool makeReduction(ProgramBuilder &);
bool makeScan(ProgramBuilder &);
bool makeMatrixProduct(ProgramBuilder &);
bool makeMatrixLoop(ProgramBuilder &);
bool makeScaledProduct(ProgramBuilder &);
bool makePointerLoad(ProgramBuilder &);
bool makeOwnedAccess(ProgramBuilder &);
bool makeAtomic(ProgramBuilder &);
bool makeGlobalLoad(ProgramBuilder &);
bool makeAlloca(ProgramBuilder &);
bool makeViewLoad(ProgramBuilder &);
bool makeViewRoundTrip(ProgramBuilder &);
bool makeGather(ProgramBuilder &);
bool makeViewAtomic(ProgramBuilder &);
bool makeAssumption(ProgramBuilder &);
bool makeAssertion(ProgramBuilder &);
bool makePrint(ProgramBuilder &);
bool makeTokenUse(ProgramBuilder &);
bool makeIf(ProgramBuilder &);
bool makeFor(ProgramBuilder &);
bool makeLoop(ProgramBuilder &);
bool makeProductLoop(ProgramBuilder &);
bool makeStreamLoop(ProgramBuilder &);
bool makeCarriedLoop(ProgramBuilder &);
bool makeFarAccess(ProgramBuilder &);

/// One step by the weights; steps with regions call it for what is in them.
void makeStep(ProgramBuilder &builder);
/// Stores `value` to a new buffer of results.
void storeResult(ProgramBuilder &builder, const Value &value);
/// The element type that `value` is stored in, after a conversion if it does not live in memory.
Value toStorable(ProgramBuilder &builder, const Value &value);

} // namespace tileiras::fuzz

#endif // TILEIRAS_FUZZ_PROGRAMBUILDER_H
