//===- Emitter.h - Emits the LLVM dialect, briefly --------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary of the lowering: one short function for each LLVM operation it uses, and for what a thread knows about
// its place in the CTA. Everything is emitted at the builder's insertion point. Arithmetic works on scalars and on
// vectors of them. The NVVM dialect, whose header is expensive, is used by Emitter.cpp only. All barriers are
// operations: see PtxInstruction.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_LOWERING_EMITTER_H
#define TILEIRAS_LOWERING_EMITTER_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "llvm/ADT/DenseMap.h"
#include <tuple>

namespace tileiras {

/// LLVM's numbers of the NVPTX address spaces.
enum : unsigned { kGenericSpace = 0, kGlobalSpace = 1, kSharedSpace = 3, kConstantSpace = 4 };

/// How `shfl.sync` picks the lane to read from.
enum class ShuffleKind { Butterfly, Up, Down, Index };

/// The dialects whose operations an Emitter creates: a pass that uses one depends on them.
void registerEmittedDialects(mlir::DialectRegistry &registry);

/// Constants, arithmetic, conversions and addresses are emitted once at each place, and given again to whoever asks for
/// them there: patterns compute the same index for every element. What an Emitter has given is not to be erased or
/// changed as long as it is in use.
class Emitter {
public:
  /// Emits what `op` does: at its location, in the scope it stands in.
  Emitter(mlir::OpBuilder &builder, mlir::Operation *op) : Emitter(builder, op->getLoc(), getExecutionScope(op)) {}
  Emitter(mlir::OpBuilder &builder, mlir::Location location, const ExecutionScope &scope)
      : builder(builder), location(location), scope(scope) {}

  mlir::OpBuilder &builder;
  mlir::Location location;
  ExecutionScope scope;

  // Types.
  mlir::MLIRContext *getContext() const { return builder.getContext(); }
  mlir::Type intType(unsigned bits) const { return builder.getIntegerType(bits); }
  mlir::Type i1() const { return intType(1); }
  mlir::Type i32() const { return intType(32); }
  mlir::Type i64() const { return intType(64); }
  mlir::Type f32() const { return builder.getF32Type(); }
  mlir::Type ptrType(unsigned space) const;
  static mlir::Type vectorType(unsigned count, mlir::Type element);
  /// `type`, or a vector of it that is as long as `like`.
  static mlir::Type likeShape(mlir::Type type, mlir::Value like);
  static unsigned getVectorSize(mlir::Value vector);

  // Constants.
  /// An integer or float constant; on vector types, a splat.
  mlir::Value constant(mlir::Type type, int64_t value);
  mlir::Value constantFloat(mlir::Type type, const llvm::APFloat &value);
  mlir::Value constantFloat(mlir::Type type, double value);
  mlir::Value i32(int64_t value) { return constant(i32(), value); }
  mlir::Value i64(int64_t value) { return constant(i64(), value); }
  mlir::Value i1(bool value) { return constant(i1(), value); }
  mlir::Value poison(mlir::Type type);
  mlir::Value zero(mlir::Type type);

  // Arithmetic.
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value sub(mlir::Value a, mlir::Value b);
  mlir::Value mul(mlir::Value a, mlir::Value b);
  mlir::Value bitAnd(mlir::Value a, mlir::Value b);
  mlir::Value bitOr(mlir::Value a, mlir::Value b);
  mlir::Value bitXor(mlir::Value a, mlir::Value b);
  mlir::Value shl(mlir::Value a, unsigned bits);
  mlir::Value lshr(mlir::Value a, unsigned bits);
  mlir::Value bitNot(mlir::Value a);
  mlir::Value icmp(mlir::LLVM::ICmpPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value fcmp(mlir::LLVM::FCmpPredicate predicate, mlir::Value a, mlir::Value b);
  mlir::Value select(mlir::Value condition, mlir::Value ifTrue, mlir::Value ifFalse);
  mlir::Value minSigned(mlir::Value a, mlir::Value b);
  mlir::Value maxSigned(mlir::Value a, mlir::Value b);
  /// a && b, where null stands for true.
  mlir::Value conjunction(mlir::Value a, mlir::Value b);

  // Conversions. Widths that already fit are left alone.
  mlir::Value signExtendOrTruncate(mlir::Value value, unsigned bits);
  mlir::Value zeroExtendOrTruncate(mlir::Value value, unsigned bits);
  mlir::Value bitcast(mlir::Value value, mlir::Type type);
  mlir::Value fpExtend(mlir::Value value, mlir::Type type);
  mlir::Value fpTruncate(mlir::Value value, mlir::Type type);

  // Vectors and structures.
  mlir::Value extract(mlir::Value vector, unsigned index);
  mlir::Value insert(mlir::Value vector, mlir::Value value, unsigned index);
  llvm::SmallVector<mlir::Value> unpack(mlir::Value vector);
  mlir::Value pack(llvm::ArrayRef<mlir::Value> elements);
  mlir::Value splat(mlir::Value scalar, unsigned count);
  /// Element i of the result is element indices[i] of `vector`.
  mlir::Value shuffleElements(mlir::Value vector, llvm::ArrayRef<int32_t> indices);
  /// The same of the concatenation of two vectors of one type.
  mlir::Value shuffleElements(mlir::Value a, mlir::Value b, llvm::ArrayRef<int32_t> indices);
  mlir::Value extractField(mlir::Value structure, unsigned index);
  mlir::Value insertField(mlir::Value structure, mlir::Value value, unsigned index);

  // Memory.
  mlir::Value gep(mlir::Type element, mlir::Value pointer, mlir::Value index);
  mlir::Value gep(mlir::Type element, mlir::Value pointer, int64_t index);
  mlir::Value load(mlir::Type type, mlir::Value pointer, unsigned alignment);
  void store(mlir::Value value, mlir::Value pointer, unsigned alignment);

  // Calls.
  mlir::Value intrinsic(llvm::StringRef name, mlir::Type result, mlir::ValueRange arguments);
  mlir::Value call(mlir::LLVM::LLVMFuncOp callee, mlir::ValueRange arguments);

  // The thread, among those of the execution scope.
  mlir::Value threadId(); ///< 0 … 32 · warps - 1
  mlir::Value laneId();
  mlir::Value warpId();
  mlir::Value productGroup(); ///< null if the scope has but one
  mlir::Value programId(unsigned axis);
  mlir::Value numPrograms(unsigned axis);
  mlir::Value ctaRank(); ///< number of the CTA in the cluster that runs the tile block
  /// The rank of the CTA number `number` among those whose ranks differ from this one's in the bits of `mask` alone.
  mlir::Value sharingCtaRank(uint32_t mask, mlir::Value number);
  void barrier(); ///< all threads of the scope meet; orders their memory accesses
  /// The thread's product group, at hardware barrier `first` + its number; orders their memory accesses.
  void groupBarrier(unsigned first);
  void clusterBarrier(); ///< all threads of all CTAs of the cluster meet; orders their memory accesses
  /// `value` (i32 or f32) of another lane; all lanes take part.
  mlir::Value shuffle(ShuffleKind kind, mlir::Value value, mlir::Value lane);

private:
  /// What an operation without side effects is: its kind, its result type, what it has besides operands, and those.
  using Description = std::tuple<mlir::TypeID, mlir::Type, const void *, mlir::Value, mlir::Value>;
  mlir::Value emitOnce(const Description &description, llvm::function_ref<mlir::Value()> emit);
  template <typename Op>
  mlir::Value emitBinary(mlir::Value a, mlir::Value b);
  template <typename Op>
  mlir::Value emitCast(mlir::Type type, mlir::Value value);

  /// Where `emitted` was emitted: before `place`, at the end of what is before it.
  mlir::Block *block = nullptr;
  mlir::Block::iterator place;
  llvm::DenseMap<Description, mlir::Value> emitted;
};

} // namespace tileiras

#endif // TILEIRAS_LOWERING_EMITTER_H
