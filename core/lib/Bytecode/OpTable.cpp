//===- OpTable.cpp - How each operation is encoded ------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpTable.h"
#include "tileiras/Dialect/CudaTile/CudaTileTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

//===----------------------------------------------------------------------===//
// Enumerations
//===----------------------------------------------------------------------===//

template <typename EnumAttr, typename Enum, std::optional<Enum> (*symbolize)(uint32_t)>
static constexpr EnumEncoding enumeration(const char *name, uint64_t laterNumbers = ~uint64_t(0),
                                          BytecodeVersion laterSince = k13_1) {
  return {name,
          [](mlir::MLIRContext *context, uint64_t number) -> mlir::Attribute {
            std::optional<Enum> value;
            if (number <= UINT32_MAX)
              value = symbolize(static_cast<uint32_t>(number));
            return value ? mlir::Attribute(EnumAttr::get(context, *value)) : mlir::Attribute();
          },
          [](mlir::Attribute attribute) -> std::optional<uint64_t> {
            if (auto enumAttr = dyn_cast<EnumAttr>(attribute))
              return static_cast<uint64_t>(enumAttr.getValue());
            return std::nullopt;
          },
          laterNumbers, laterSince};
}

#define TILEIRAS_ENUM(Name, text, ...)                                                                                 \
  const EnumEncoding tileiras::bytecode::k##Name =                                                                     \
      enumeration<cuda_tile::Name##Attr, cuda_tile::Name, cuda_tile::symbolize##Name>(text __VA_OPT__(, ) __VA_ARGS__)

TILEIRAS_ENUM(AtomicRMWMode, "atomic mode");
TILEIRAS_ENUM(ComparisonOrdering, "comparison ordering");
TILEIRAS_ENUM(ComparisonPredicate, "comparison predicate");
TILEIRAS_ENUM(IntegerOverflow, "overflow mode");
TILEIRAS_ENUM(MemoryOrderingSemantics, "memory ordering");
TILEIRAS_ENUM(MemoryScope, "memory scope");
TILEIRAS_ENUM(PaddingValue, "padding value");
TILEIRAS_ENUM(PtrAttr, "pointer attribute");
TILEIRAS_ENUM(RoundingMode, "rounding mode", static_cast<uint64_t>(cuda_tile::RoundingMode::NEAREST_AWAY), k13_4);
TILEIRAS_ENUM(Signedness, "signedness");
TILEIRAS_ENUM(SymbolVisibility, "symbol visibility");
#undef TILEIRAS_ENUM

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static constexpr OpEncoding op(uint16_t opcode, StringRef name, BytecodeVersion since = k13_1) {
  return {opcode, name, since};
}

static constexpr OpEncoding unary(uint16_t opcode, StringRef name, BytecodeVersion since = k13_1) {
  return op(opcode, name, since).results(1).operand("source");
}

static constexpr OpEncoding binary(uint16_t opcode, StringRef name) {
  return op(opcode, name).results(1).operand("lhs").operand("rhs");
}

static constexpr OpEncoding overflowing(uint16_t opcode, StringRef name) {
  return op(opcode, name).results(1).attr("overflow", kIntegerOverflow).operand("lhs").operand("rhs");
}

static constexpr OpEncoding withSign(uint16_t opcode, StringRef name) {
  return op(opcode, name).results(1).attr("signedness", kSignedness).operand("lhs").operand("rhs");
}

static constexpr OpEncoding rounding(uint16_t opcode, StringRef name) {
  return op(opcode, name).results(1).flag("flush_to_zero").attr("rounding_mode", kRoundingMode);
}

static constexpr OpEncoding minMaxF(uint16_t opcode, StringRef name) {
  return op(opcode, name).results(1).flag("propagate_nan").flag("flush_to_zero").operand("lhs").operand("rhs");
}

/// A terminator that passes values on.
static constexpr OpEncoding jump(uint16_t opcode, StringRef name) {
  return op(opcode, name).manyResults().allOperands();
}

/// Memory accesses start with their ordering and scope; a weak one has no scope.
static constexpr OpEncoding withOrdering(OpEncoding op) {
  return op.attr("memory_ordering_semantics", kMemoryOrderingSemantics);
}

static constexpr OpEncoding access(OpEncoding op) {
  return withOrdering(op).optAttr("memory_scope", kMemoryScope).optAttr("optimization_hints", AttributeKind::Hints);
}

static constexpr uint64_t kFull = static_cast<uint64_t>(cuda_tile::RoundingMode::FULL);
static constexpr uint64_t kNoOverflow = static_cast<uint64_t>(cuda_tile::IntegerOverflow::NONE);

// Opcodes 22, 49 and 75 belong to entry, global and module: they have sections of their own and never appear here.
static constexpr OpEncoding kOpTable[] = {
    unary(0, "absf"),
    unary(1, "absi"),
    rounding(2, "addf").operand("lhs").operand("rhs"),
    overflowing(3, "addi"),
    binary(4, "andi"),
    op(5, "assert").attr("message", AttributeKind::String).operand("condition"),
    op(6, "assume").results(1).attr("predicate", AttributeKind::Tagged).operand("value"),
    withOrdering(op(7, "atomic_cas_tko").results(2))
        .attr("memory_scope", kMemoryScope)
        .operand("pointers")
        .operand("cmp")
        .operand("val")
        .optOperand("mask")
        .optOperand("token"),
    withOrdering(op(8, "atomic_rmw_tko").results(2))
        .attr("memory_scope", kMemoryScope)
        .attr("mode", kAtomicRMWMode)
        .operand("pointers")
        .operand("arg")
        .optOperand("mask")
        .optOperand("token"),
    unary(9, "bitcast"),
    jump(10, "break"),
    unary(11, "broadcast"),
    op(12, "cat").results(1).attr("dim", AttributeKind::I64).operand("lhs").operand("rhs"),
    unary(13, "ceil"),
    op(14, "cmpf")
        .results(1)
        .attr("comparison_predicate", kComparisonPredicate)
        .attr("comparison_ordering", kComparisonOrdering)
        .operand("lhs")
        .operand("rhs"),
    op(15, "cmpi")
        .results(1)
        .attr("comparison_predicate", kComparisonPredicate)
        .attr("signedness", kSignedness)
        .operand("lhs")
        .operand("rhs"),
    op(16, "constant").results(1).attr("value", AttributeKind::Constant),
    jump(17, "continue"),
    unary(18, "cos"),
    unary(19, "cosh"),
    rounding(20, "divf").operand("lhs").operand("rhs"),
    op(21, "divi")
        .results(1)
        .attr("signedness", kSignedness)
        .attr("rounding", kRoundingMode)
        .operand("lhs")
        .operand("rhs"),
    op(23, "exp").results(1).attr("rounding_mode", kRoundingMode, k13_3, kFull).operand("source"),
    op(24, "exp2").results(1).flag("flush_to_zero").operand("source"),
    op(37, "exti").results(1).attr("signedness", kSignedness).operand("from"),
    op(38, "extract").manyResults().allOperands(),
    unary(39, "floor"),
    rounding(40, "fma").operand("lhs").operand("rhs").operand("acc"),
    op(41, "for").manyResults().flag("unsignedCmp", k13_2).allOperands().regions(1),
    op(42, "ftof").results(1).attr("rounding_mode", kRoundingMode).operand("from"),
    op(43, "ftoi")
        .results(1)
        .flag("saturating", k13_4)
        .attr("signedness", kSignedness)
        .attr("rounding_mode", kRoundingMode)
        .operand("from"),
    op(44, "get_global").results(1).attr("name", AttributeKind::Symbol),
    op(45, "get_index_space_shape").manyResults().operand("src"),
    op(46, "get_num_tile_blocks").results(3),
    op(47, "get_tensor_shape").manyResults().operand("src"),
    op(48, "get_tile_block_id").results(3),
    op(50, "if").manyResults().operand("condition").regions(2),
    unary(51, "int_to_ptr"),
    op(58, "iota").results(1),
    op(59, "itof").results(1).attr("signedness", kSignedness).attr("rounding_mode", kRoundingMode).operand("from"),
    op(60, "join_tokens").manyResults().allOperands(),
    access(op(61, "load_ptr_tko").results(2))
        .operand("source")
        .optOperand("mask")
        .optOperand("paddingValue")
        .optOperand("token"),
    access(op(62, "load_view_tko").manyResults())
        .attr("inbounds", AttributeKind::BoolArray, k13_4)
        .operand("view")
        .group("index")
        .optOperand("token"),
    unary(63, "log"),
    unary(64, "log2"),
    op(65, "loop").manyResults().allOperands().regions(1),
    op(66, "make_partition_view").results(1).operand("tensor_view"),
    op(67, "make_tensor_view").manyResults().operand("base").group("dynamicShape").group("dynamicStrides"),
    op(68, "make_token").results(1),
    minMaxF(69, "maxf"),
    withSign(70, "maxi"),
    minMaxF(71, "minf"),
    withSign(72, "mini"),
    op(73, "mmaf").results(1).flag("fast_acc", k13_3).operand("lhs").operand("rhs").operand("acc"),
    op(74, "mmai")
        .results(1)
        .attr("signedness_lhs", kSignedness)
        .attr("signedness_rhs", kSignedness)
        .operand("lhs")
        .operand("rhs")
        .operand("acc"),
    rounding(76, "mulf").operand("lhs").operand("rhs"),
    op(77, "mulhii").results(1).operand("x").operand("y"),
    overflowing(78, "muli"),
    unary(79, "negf"),
    op(80, "negi").results(1).attr("overflow", kIntegerOverflow, k13_2, kNoOverflow).operand("source"),
    op(81, "offset").results(1).operand("ptr").operand("offset"),
    binary(82, "ori"),
    op(83, "permute").results(1).attr("permutation", AttributeKind::I32Array).operand("source"),
    op(84, "pow").results(1).operand("source").operand("exponent"),
    op(85, "print_tko")
        .manyResults()
        .lastTokenSince(k13_2)
        .attr("str", AttributeKind::String)
        .group("args")
        .optOperand("token", k13_2),
    unary(86, "ptr_to_int"),
    unary(87, "ptr_to_ptr"),
    op(88, "reduce")
        .manyResults()
        .attr("dim", AttributeKind::I32)
        .attr("identities", AttributeKind::TaggedArray)
        .allOperands()
        .regions(1),
    binary(89, "remf"),
    withSign(90, "remi"),
    unary(91, "reshape"),
    jump(92, "return"),
    op(93, "rsqrt").results(1).flag("flush_to_zero").operand("source"),
    op(94, "scan")
        .manyResults()
        .attr("dim", AttributeKind::I32)
        .attr("reverse", AttributeKind::Bool)
        .attr("identities", AttributeKind::TaggedArray)
        .allOperands()
        .regions(1),
    op(95, "select").results(1).operand("cond").operand("val_if_true").operand("val_if_false"),
    overflowing(96, "shli"),
    withSign(97, "shri"),
    unary(98, "sin"),
    unary(99, "sinh"),
    rounding(100, "sqrt").operand("source"),
    access(op(101, "store_ptr_tko").results(1))
        .operand("destination")
        .operand("value")
        .optOperand("mask")
        .optOperand("token"),
    access(op(102, "store_view_tko").manyResults())
        .attr("inbounds", AttributeKind::BoolArray, k13_4)
        .operand("tile")
        .operand("view")
        .group("index")
        .optOperand("token"),
    rounding(103, "subf").operand("lhs").operand("rhs"),
    overflowing(104, "subi"),
    unary(105, "tan"),
    op(106, "tanh").results(1).attr("rounding_mode", kRoundingMode, k13_2, kFull).operand("source"),
    op(107, "trunci").results(1).attr("overflow", kIntegerOverflow).operand("from"),
    binary(108, "xori"),
    jump(109, "yield"),
    op(110, "atan2", k13_2).results(1).operand("x").operand("y"),
    unary(111, "pack", k13_3),
    unary(112, "unpack", k13_3),
    op(113, "alloca", k13_3)
        .results(1)
        .flag("global")
        .attr("num_elem", AttributeKind::I64)
        .attr("alignment", AttributeKind::I64),
    op(114, "mmaf_scaled", k13_3)
        .results(1)
        .operand("lhs")
        .operand("rhs")
        .operand("acc")
        .operand("lhs_scale")
        .operand("rhs_scale"),
    op(115, "make_gather_scatter_view", k13_3).results(1).operand("tensor_view"),
    op(116, "make_strided_view", k13_3).results(1).operand("tensor_view"),
    withOrdering(op(117, "atomic_red_view_tko", k13_3).manyResults())
        .attr("memory_scope", kMemoryScope)
        .attr("mode", kAtomicRMWMode)
        .operand("view")
        .group("index")
        .operand("value")
        .optOperand("token"),
    op(118, "insert", k13_4).manyResults().allOperands(),
    op(119, "gdc_launch_dependents_tko", k13_4).results(1).allOperands(),
    op(120, "gdc_wait_tko", k13_4).results(1).allOperands(),
    op(121, "fpowi", k13_4).results(1).operand("source").operand("exponent"),
    op(122, "memory_fence_alias_tko", k13_4).results(1).operand("token"),
};

ArrayRef<OpEncoding> tileiras::bytecode::getOpTable() {
  return kOpTable;
}

const OpEncoding *tileiras::bytecode::findByOpcode(uint64_t opcode) {
  const OpEncoding *found = llvm::lower_bound(
      kOpTable, opcode, [](const OpEncoding &encoding, uint64_t opcode) { return encoding.opcode < opcode; });
  return found != std::end(kOpTable) && found->opcode == opcode ? found : nullptr;
}

const OpEncoding *tileiras::bytecode::findByName(StringRef name) {
  static const llvm::StringMap<const OpEncoding *> byName = [] {
    llvm::StringMap<const OpEncoding *> map;
    for (const OpEncoding &encoding : kOpTable)
      map[encoding.name] = &encoding;
    return map;
  }();
  return byName.lookup(name);
}
