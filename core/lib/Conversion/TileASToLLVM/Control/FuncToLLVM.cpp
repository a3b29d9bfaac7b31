//===- FuncToLLVM.cpp - Functions and the kernel ABI ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Conversion/TileASToLLVM/Patterns.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tileiras/Conversion/TileASToLLVM/Passes.h"
#include "tileiras/Diagnostics/Remarks.h"
#include "tileiras/Dialect/TileAA/Clusters.h"
#include "tileiras/Dialect/TileAS/AsyncOps.h"
#include "tileiras/Lowering/ExecutionScope.h"
#include "tileiras/Lowering/SymbolNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"

namespace tileiras {
#define GEN_PASS_DEF_CONVERTNVTILEFUNCTOLLVM
#include "tileiras/Conversion/TileASToLLVM/Passes.h.inc"
} // namespace tileiras

using namespace mlir;

namespace tileiras {
namespace {

/// Bytes of kernel parameters that PTX ISA 8.1 and later allow.
constexpr uint64_t kParameterSpaceLimit = 32764;
/// The PTX version that has .blocksareclusters.
constexpr unsigned kClusterLaunchPtx = 90;

/// Bytes of a kernel parameter; nothing for types that no launch can pass.
std::optional<uint64_t> getParameterBytes(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return 8;
  const unsigned bits = type.isIntOrFloat() ? type.getIntOrFloatBitWidth() : 0;
  return bits == 0 || bits > 64 ? std::nullopt : std::optional<uint64_t>(llvm::divideCeil(bits, 8));
}

LogicalResult verifyParameters(aa::FuncOp func, ArrayRef<Type> types, StringRef chip) {
  uint64_t bytes = 0;
  for (auto [index, type] : llvm::enumerate(types)) {
    std::optional<uint64_t> size = getParameterBytes(type);
    if (!size)
      return func.emitError("kernel parameter ") << index << " cannot be passed: " << func.getArgumentTypes()[index]
                                                 << " is neither a number of at most 64 bits nor a pointer";
    bytes = llvm::alignTo(bytes, *size) + *size;
  }
  if (bytes > kParameterSpaceLimit)
    return func.emitError("formal parameter space overflowed: ")
           << bytes << " > " << kParameterSpaceLimit << " bytes for " << chip;
  return success();
}

/// An identifier of PTX: the name has to reach the cubin as it is. (PTX also takes '%' first, but LLVM does not.)
bool isPtxIdentifier(StringRef name) {
  auto isFollow = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  if (name.empty() || !llvm::all_of(name.drop_front(), isFollow))
    return false;
  return llvm::isAlpha(name.front()) || (name.size() > 1 && StringRef("_$").contains(name.front()));
}

/// Names of the driver's, libdevice's and the assembler's functions, of a constant of PTX, and of what the lowering
/// makes.
bool isReservedName(StringRef name) {
  constexpr StringLiteral prefixes[] = {"__nv_", "__nvvm_", "__cuda_sm", kInternalSymbolPrefix};
  return llvm::is_contained<StringRef>({"vprintf", "__assertfail", "malloc", "free", "WARP_SZ"}, name) ||
         llvm::any_of(prefixes, [&](StringRef prefix) { return name.starts_with(prefix); });
}

/// For a message: UTF-8 as it is; of what cannot be seen or is no UTF-8, the bytes as \XX.
std::string makePrintable(StringRef name) {
  std::string text;
  const llvm::UTF8 *at = name.bytes_begin(), *end = name.bytes_end();
  while (at != end) {
    const llvm::UTF8 *next = at;
    llvm::UTF32 code = 0;
    if (llvm::convertUTF8Sequence(&next, end, &code, llvm::strictConversion) == llvm::conversionOK &&
        llvm::sys::unicode::isPrintable(static_cast<int>(code))) {
      text.append(at, next);
    } else {
      next = at + 1;
      text += "\\" + llvm::toHex(llvm::ArrayRef(at, next));
    }
    at = next;
  }
  return text;
}

LogicalResult refuseSymbolName(SymbolOpInterface symbol) {
  StringRef name = symbol.getName();
  InFlightDiagnostic diagnostic = symbol->emitError("'");
  diagnostic << makePrintable(name) << "' cannot be the name of a kernel or global: ";
  if (isReservedName(name))
    return diagnostic << "the name is reserved for the device runtime; rename it";
  return diagnostic << "PTX takes letters, digits, '_' and '$', no digit first, and not '_' or '$' alone";
}

/// Kernels, and globals that the host sees, keep their names to the cubin; other globals get new ones where theirs
/// cannot be written.
LogicalResult settleSymbolNames(ModuleOp module) {
  Builder builder(module.getContext());
  DenseMap<StringAttr, FlatSymbolRefAttr> renamed;
  for (auto symbol : module.getOps<SymbolOpInterface>()) {
    if (isPtxIdentifier(symbol.getName()) && !isReservedName(symbol.getName()))
      continue;
    auto global = dyn_cast<aa::GlobalOp>(symbol.getOperation());
    if (!global || global.getSymVisibility() != "private")
      return refuseSymbolName(symbol);
    auto name = builder.getStringAttr(makeInternalSymbol("global_" + Twine(renamed.size())));
    renamed[global.getSymNameAttr()] = FlatSymbolRefAttr::get(name);
    global.setSymNameAttr(name);
  }
  if (!renamed.empty())
    module.walk([&](aa::GetGlobalOp use) {
      if (FlatSymbolRefAttr name = renamed.lookup(use.getNameAttr().getAttr()))
        use.setNameAttr(name);
    });
  return success();
}

class FuncConverter {
public:
  /// `launchesClusters`: where chip and PTX have clusters, kernels are launched as grids of them.
  FuncConverter(const ChipTarget &chip, const LLVMTileTypeConverter &converter, bool launchesClusters)
      : chip(chip), converter(converter), launchesClusters(launchesClusters && chip.chip->features.cluster &&
                                                           chip.chip->ptxVersion >= kClusterLaunchPtx) {}

  LogicalResult convert(aa::FuncOp func) {
    if (func.isKernel() && !func.getResultTypes().empty())
      return func.emitError("Kernel functions do not support return with operands");
    SmallVector<Type> arguments;
    if (failed(converter.convertTypes(func.getArgumentTypes(), arguments)))
      return func.emitError("failed to convert function signature type for: ") << func.getFunctionType();
    for (Type &type : arguments)
      if (type.isInteger(4)) // PTX has no parameters of half a byte.
        type = IntegerType::get(func.getContext(), 8);
    if (func.isKernel() && failed(verifyParameters(func, arguments, chip.chip->name)))
      return failure();
    FailureOr<Type> result = convertResults(func);
    if (failed(result))
      return failure();

    OpBuilder builder(func);
    auto type = LLVM::LLVMFunctionType::get(*result, arguments);
    auto linkage = func.isKernel() ? LLVM::Linkage::External : LLVM::Linkage::Internal;
    auto converted = LLVM::LLVMFuncOp::create(builder, func.getLoc(), func.getSymName(), type,
                                              func.isExternal() ? LLVM::Linkage::External : linkage);
    if (func.isKernel() && failed(setKernelAttributes(func, converted)))
      return failure();
    converted.getBody().takeBody(func.getBody());
    convertEntry(converted);
    convertReturns(converted);
    func.erase();
    return success();
  }

private:
  FailureOr<Type> convertResults(aa::FuncOp func) {
    SmallVector<Type> results;
    if (failed(converter.convertTypes(func.getResultTypes(), results)))
      return func.emitError("failed to convert function signature type for: ") << func.getFunctionType();
    if (results.empty())
      return Type(LLVM::LLVMVoidType::get(func.getContext()));
    return results.size() == 1 ? results.front() : Type(LLVM::LLVMStructType::getLiteral(func.getContext(), results));
  }

  LogicalResult setKernelAttributes(aa::FuncOp func, LLVM::LLVMFuncOp kernel) {
    Builder builder(func.getContext());
    aa::KernelSpecAttr spec = func.getKernelSpecAttr();
    unsigned threads = kLanesPerWarp * spec.countWarps();
    kernel->setAttr("nvvm.kernel", builder.getUnitAttr());
    kernel->setAttr("nvvm.reqntid", builder.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
    const int32_t ctas = getExecutionScope(func).numCtas;
    if (ctas > 1 && !chip.chip->features.cluster)
      return func.emitError("runs in clusters of ") << ctas << " CTAs, which " << chip.chip->name << " does not have";
    if (ctas > 1 && !launchesClusters)
      return func.emitError("runs in clusters of ")
             << ctas << " CTAs, but is to be launched as blocks of threads, of which a grid would count " << ctas
             << " for each tile block; use 'launch-blocks=clusters'";
    if (launchesClusters) {
      kernel->setAttr("nvvm.cluster_dim", builder.getDenseI32ArrayAttr({ctas, 1, 1}));
      kernel->setAttr(kBlocksAreClustersAttr, builder.getUnitAttr());
    }
    kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(1));
    if (func.getOnlyResidentBegin())
      kernel->setAttr(kOnlyResidentBeginAttr, builder.getUnitAttr());
    if (unsigned occupancy = spec.getOccupancy())
      kernel->setAttr("nvvm.maxnreg",
                      builder.getI32IntegerAttr(chip.machine().getRegistersPerThread(threads, occupancy)));
    if (spec.getNumCtas() > 1 && ctas == 1)
      func.emitWarning("num_ctas = ")
          << spec.getNumCtas()
          << " has no effect: no pass has spread the tile block over a cluster, and it runs "
             "in one thread block";
    return success();
  }

  void convertEntry(LLVM::LLVMFuncOp func) {
    if (func.isExternal())
      return;
    Block &entry = func.getBody().front();
    auto builder = OpBuilder::atBlockBegin(&entry);
    for (auto [argument, type] : llvm::zip_equal(entry.getArguments(), func.getFunctionType().getParams())) {
      if (argument.getType() == type)
        continue;
      Type original = argument.getType();
      argument.setType(type);
      Operation *cast;
      if (original.isInteger(4))
        cast = LLVM::TruncOp::create(builder, argument.getLoc(), original, argument);
      else
        cast = UnrealizedConversionCastOp::create(builder, argument.getLoc(), original, argument);
      argument.replaceAllUsesExcept(cast->getResult(0), cast);
    }
  }

  void convertReturns(LLVM::LLVMFuncOp func) {
    func.walk([&](aa::ReturnOp op) {
      OpBuilder builder(op);
      Emitter emit(builder, op);
      SmallVector<Value> values;
      for (Value value : op.getValues())
        values.push_back(castToLLVM(emit, value));
      Value result = values.empty() ? Value() : values.front();
      if (values.size() > 1) {
        result = emit.poison(func.getFunctionType().getReturnType());
        for (auto [i, value] : llvm::enumerate(values))
          result = emit.insertField(result, value, i);
      }
      LLVM::ReturnOp::create(builder, op.getLoc(), result ? ValueRange(result) : ValueRange());
      op.erase();
    });
  }

  Value castToLLVM(Emitter &emit, Value value) {
    Type type = converter.convertType(value.getType());
    if (type == value.getType())
      return value;
    return UnrealizedConversionCastOp::create(emit.builder, emit.location, type, value).getResult(0);
  }

  const ChipTarget &chip;
  const LLVMTileTypeConverter &converter;
  const bool launchesClusters;
};

/// Products that are still plain operations here wait for their loads, and everyone for them; so do those whose right
/// operand threads have stored, though warpgroups compute them. Said once a loop, or once for all that are in none.
void remarkSynchronousProducts(aa::FuncOp func) {
  SetVector<Operation *> places;
  func.walk([&](Operation *op) {
    auto asynchronous = dyn_cast<as::AsyncDotOp>(op);
    if (!isa<as::DotOp>(op) && !(asynchronous && asynchronous.getB().getDefiningOp<as::AllocTensorOp>()))
      return;
    auto loop = op->getParentOfType<LoopLikeOpInterface>();
    places.insert(loop ? loop.getOperation() : func.getOperation());
  });
  auto interruptAtLoad = [](Operation *op) {
    return isa<as::TiledLoadOp, as::LoadOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  for (Operation *place : places) {
    bool hasLoads = place->walk(interruptAtLoad).wasInterrupted();
    StringRef what = place == func.getOperation() ? "kernel" : "loop";
    if (hasLoads)
      remarkOn(place, Missed::SynchronousProducts)
          << ("the MMAs of this " + what +
              " are synchronous: they wait for the loads of their operands, and what follows waits for them; software "
              "pipelining, bulk tensor copies and asynchronous MMAs are missing")
                 .str();
  }
}

class ConvertNvTileFuncToLLVMPass final : public impl::ConvertNvTileFuncToLLVMBase<ConvertNvTileFuncToLLVMPass> {
public:
  using ConvertNvTileFuncToLLVMBase::ConvertNvTileFuncToLLVMBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<ChipTarget> chip = getChipTarget(module);
    if (failed(chip) || failed(settleSymbolNames(module)))
      return signalPassFailure();
    LLVMTileTypeConverter converter(&getContext(), LowerToLLVMOptions(&getContext()));
    FuncConverter functions(*chip, converter, launchBlocks == LaunchBlocks::Clusters);
    for (aa::FuncOp func : llvm::make_early_inc_range(module.getOps<aa::FuncOp>())) {
      remarkSynchronousProducts(func);
      if (failed(functions.convert(func)))
        return signalPassFailure();
    }
  }
};

} // namespace

} // namespace tileiras
