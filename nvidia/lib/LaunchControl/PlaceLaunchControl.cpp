//===- PlaceLaunchControl.cpp - Requests for tile blocks ------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread counts the requests of its scope, and so knows the entry that it reads; it counts no further when one has
// found nothing. Taking over a tile block earlier than the program says changes nothing that a program can see: tile
// blocks may start in any order, and those that wait for others cannot rely on these to have started.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Dialect/TileAS/LaunchControlOps.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/LoweringContext.h"
#include "tileiras/Lowering/SharedBytes.h"
#include "tileiras/NVIDIA/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace tileiras {
#define GEN_PASS_DEF_TILEASPLACELAUNCHCONTROL
#include "tileiras/NVIDIA/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Beside what else comes late, SharedBudget has room for no more.
constexpr int64_t kMostResponses = 8;
/// The number of rounds of a thread that has been told that there is no tile block left.
constexpr int64_t kExhausted = -1;

class KernelLaunchControl {
public:
  KernelLaunchControl(LLVM::LLVMFuncOp function, const TuningModel &tuning) : function(function), tuning(tuning) {}

  LogicalResult place() {
    function.walk([&](as::CancelNextProgramIdOp op) { scopes[getScopeRegion(op)].push_back(op); });
    if (scopes.empty())
      return success();
    if (failed(verifyScopes()))
      return failure();
    Region *asking = findAsking();
    open();
    for (auto &[scope, operations] : scopes)
      for (as::CancelNextProgramIdOp op : operations)
        replace(op, scope == asking, operations.size() == 1);
    return success();
  }

private:
  using Operations = SmallVector<as::CancelNextProgramIdOp, 1>;

  /// Rounds of agents are counted in each of them.
  LogicalResult verifyScopes() {
    for (auto &[scope, operations] : scopes)
      if (scope == &function.getBody() && scopes.size() > 1)
        return operations.front().emitOpError("stands before or after agents that take over tile blocks, too; let "
                                              "either all threads do, or agents");
    return success();
  }

  static int64_t countWarps(Operations &operations) { return getExecutionScope(operations.front()).numWarps; }

  Region *findAsking() {
    return llvm::min_element(scopes, [](auto &a, auto &b) { return countWarps(a.second) < countWarps(b.second); })
        ->first;
  }

  void open() {
    const Location location = scopes.front().second.front().getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    responses = scopes.size() == 1 ? 1 : llvm::bit_floor(uint64_t(std::min(tuning.responsesOfAgents, kMostResponses)));
    int64_t readers = 0;
    for (auto &[scope, operations] : scopes)
      readers += countWarps(operations);
    const int64_t bytes = as::OpenLaunchControlOp::getMailboxBytes(responses);
    auto mailbox = createSharedBytes(builder, location, bytes);
    Value one = emitConstant(builder, location, 1);
    round = LLVM::AllocaOp::create(builder, location, LLVM::LLVMPointerType::get(builder.getContext()),
                                   builder.getI32Type(), one);
    LLVM::StoreOp::create(builder, location, emitConstant(builder, location, 0), round);
    entries = as::OpenLaunchControlOp::create(builder, location, mailbox, responses, readers);
    function.walk([&](LLVM::ReturnOp end) {
      OpBuilder atEnd(end);
      as::CloseLaunchControlOp::create(atEnd, end.getLoc(), mailbox);
    });
  }

  static Value emitConstant(OpBuilder &builder, Location location, int64_t value) {
    return arith::ConstantIntOp::create(builder, location, builder.getI32Type(), value);
  }

  /// The request of this round, and the round; `then` runs where there may be tile blocks left.
  scf::IfOp emitIfOpen(OpBuilder &builder, Location location, TypeRange results, Value &current) {
    current = LLVM::LoadOp::create(builder, location, builder.getI32Type(), round);
    Value isOpen = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, current,
                                         emitConstant(builder, location, kExhausted));
    return scf::IfOp::create(builder, location, results, isOpen, /*withElseRegion=*/!results.empty());
  }

  void emitRequest(OpBuilder builder, Location location) {
    Value current;
    scf::IfOp branch = emitIfOpen(builder, location, TypeRange(), current);
    builder.setInsertionPointToStart(branch.thenBlock());
    as::RequestProgramIdOp::create(builder, location, entries, current, responses);
  }

  void replace(as::CancelNextProgramIdOp op, bool asks, bool isAlone) {
    const Location location = op.getLoc();
    if (asks) {
      const bool isAhead = isAlone && isa<LoopLikeOpInterface>(op->getParentOp());
      emitRequest(isAhead ? OpBuilder::atBlockBegin(op->getBlock()) : OpBuilder(op), location);
    }
    OpBuilder builder(op);
    Value current;
    scf::IfOp branch = emitIfOpen(builder, location, op->getResultTypes(), current);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(branch.thenBlock());
      auto await = as::AwaitProgramIdOp::create(builder, location, entries, current, responses);
      scf::YieldOp::create(builder, location, await->getResults());
      builder.setInsertionPointToStart(branch.elseBlock());
      Value none = emitConstant(builder, location, -1);
      Value isFound = arith::ConstantIntOp::create(builder, location, builder.getI1Type(), 0);
      scf::YieldOp::create(builder, location, ValueRange{none, none, none, isFound});
    }
    Value next = arith::AddIOp::create(builder, location, current, emitConstant(builder, location, 1));
    next = arith::AndIOp::create(builder, location, next, emitConstant(builder, location, 2 * responses - 1));
    next = arith::SelectOp::create(builder, location, branch->getResults().back(), next,
                                   emitConstant(builder, location, kExhausted));
    LLVM::StoreOp::create(builder, location, next, round);
    op.replaceAllUsesWith(branch.getResults());
    op.erase();
  }

  LLVM::LLVMFuncOp function;
  const TuningModel &tuning;
  llvm::MapVector<Region *, Operations> scopes;
  int64_t responses = 1;
  Value entries, round; ///< round: a pointer to what each thread has for itself
};

class PlaceLaunchControlPass final : public impl::TileASPlaceLaunchControlBase<PlaceLaunchControlPass> {
  void runOnOperation() override {
    LoweringContext *lowering = getAnalysis<LoweringAnalysis>().get();
    if (!lowering)
      return signalPassFailure();
    if (lowering->features().clusterlaunchcontrol)
      for (auto function : getOperation().getOps<LLVM::LLVMFuncOp>())
        if (!function.isExternal() && failed(KernelLaunchControl(function, lowering->tuning()).place()))
          return signalPassFailure();
    markAnalysesPreserved<LoweringAnalysis>();
  }
};

} // namespace
} // namespace tileiras
