//===- ModuleFile.cpp - Bytecode files written by hand --------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleFile.h"
#include "mlir/Parser/Parser.h"

using namespace llvm;
using namespace tileiras;

std::string bytecode::bytes(std::initializer_list<unsigned> values) {
  std::string result;
  for (unsigned value : values)
    result.push_back(static_cast<char>(value));
  return result;
}

template <typename Index>
static std::string table(ArrayRef<std::string> entries) {
  bytecode::ByteWriter section;
  section.writeOffsetTable<Index>(SmallVector<StringRef>(entries.begin(), entries.end()));
  return section.str().str();
}

std::string bytecode::ModuleFile::str() const {
  ByteWriter function;
  function.writeBytes(bytes({1, 0, 2, flags, location}) + hints);
  function.writeVarint(body.size());
  function.writeBytes(body);

  std::map<SectionId, std::string> sections = otherSections;
  sections.try_emplace(SectionId::Function, function.str());
  sections.try_emplace(SectionId::Type, table<uint32_t>(types));
  sections.try_emplace(SectionId::String, table<uint32_t>(strings));
  if (!constants.empty())
    sections.try_emplace(SectionId::Constant, table<uint64_t>(constants));

  ByteWriter file;
  file.writeBytes(StringRef(reinterpret_cast<const char *>(kMagic), sizeof(kMagic)));
  file.writeByte(version.major);
  file.writeByte(version.minor);
  file.writeInteger(version.tag);
  for (const auto &[id, payload] : sections)
    file.writeSection(id, 8, payload);
  file.writeByte(0);
  return file.str().str();
}

bytecode::ReadResult bytecode::read(mlir::MLIRContext &context, StringRef file) {
  ReadResult result;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
      result.errors.push_back(diagnostic.str());
    return success();
  });
  result.module = readBytecode(MemoryBufferRef(file, "test.tileirbc"), &context);
  return result;
}

mlir::OwningOpRef<cuda_tile::ModuleOp> bytecode::parse(mlir::MLIRContext &context, StringRef text) {
  mlir::OwningOpRef<mlir::Operation *> op = mlir::parseSourceString(text, mlir::ParserConfig(&context));
  return op ? dyn_cast<cuda_tile::ModuleOp>(op.release()) : nullptr;
}

std::string bytecode::print(cuda_tile::ModuleOp module) {
  std::string text;
  raw_string_ostream os(text);
  module->print(os, mlir::OpPrintingFlags().enableDebugInfo(true));
  return text;
}

static constexpr const char *kSamples[] = {
    R"(cuda_tile.module @kernels {
  entry @empty() { return }
})",
    R"(cuda_tile.module @kernels {
  global @table <i32: [1, 2, 3, 4]> : tile<4xi32>
  entry @control(%n: tile<i32>, %p: tile<ptr<f32>>) optimization_hints=<sm_90 = {occupancy = 2, num_cta_in_cga = 1}> {
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %init = constant <f32: 0.5> : tile<4xf32>
    %sum = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%x = %init) -> (tile<4xf32>) {
      %c = cmpi less_than %i, %n, signed : tile<i32> -> tile<i1>
      %y = if %c -> (tile<4xf32>) {
        %z = addf %x, %x : tile<4xf32>
        yield %z : tile<4xf32>
      } else {
        yield %x : tile<4xf32>
      }
      continue %y : tile<4xf32>
    }
    %r = loop iter_values(%k = %zero) : tile<i32> -> tile<i32> {
      %done = cmpi greater_than_or_equal %k, %n, signed : tile<i32> -> tile<i1>
      if %done {
        break %k : tile<i32>
      }
      %next = addi %k, %one : tile<i32>
      continue %next : tile<i32>
    }
    %g = get_global @table : tile<ptr<i32>>
    print_tko "%i", %r : tile<i32> -> token
    return
  }
})",
    R"(cuda_tile.module @kernels {
  entry @memory(%p: tile<ptr<f32>>, %n: tile<i32>) {
    %a = assume div_by<16>, %p : tile<ptr<f32>>
    %b = assume bounded<0, ?>, %n : tile<i32>
    %v = make_tensor_view %a, shape = [%b, 64], strides = [64, 1] : tile<i32> -> tensor_view<?x64xf32, strides=[64,1]>
    %w = make_partition_view %v : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>
    %i = constant <i32: 0> : tile<i32>
    %t, %tok = load_view_tko weak %w[%i, %i] : partition_view<tile=(8x16), padding_value = zero, tensor_view<?x64xf32, strides=[64,1]>>, tile<i32> -> tile<8x16xf32>, token
    %s = reduce %t dim=1 identities=[0.0 : f32] : tile<8x16xf32> -> tile<8xf32>
    (%lhs: tile<f32>, %rhs: tile<f32>) {
      %0 = addf %lhs, %rhs : tile<f32>
      yield %0 : tile<f32>
    }
    %mask = constant <i1: [true, false, true, true, false, false, false, true]> : tile<8xi1>
    %io = iota : tile<8xi32>
    %p1 = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
    %p8 = broadcast %p1 : tile<1xptr<f32>> -> tile<8xptr<f32>>
    %q = offset %p8, %io : tile<8xptr<f32>>, tile<8xi32> -> tile<8xptr<f32>>
    %tok2 = store_ptr_tko weak %q, %s, %mask token=%tok : tile<8xptr<f32>>, tile<8xf32>, tile<8xi1> -> token
    return
  }
})",
    R"(#file = #cuda_tile.di_file<"a.py" in "/src">
#unit = #cuda_tile.di_compile_unit<file = #file>
#function = #cuda_tile.di_subprogram<file = #file, line = 3, name = "f", linkageName = "located", compileUnit = #unit, scopeLine = 3>
#block = #cuda_tile.di_lexical_block<scope = #function, file = #file, line = 4, column = 2>
#inside = loc("a.py":5:7)
#call = loc("a.py":9:1)
#inner = #cuda_tile.di_loc<#inside in #block>
#outer = #cuda_tile.di_loc<#call in #function>
cuda_tile.module @kernels {
  entry @located() {
    %0 = constant <f16: 1.0> : tile<2xf16> loc(#inner)
    %1 = negf %0 : tile<2xf16> loc(callsite(#inner at #outer))
    return loc(unknown)
  } loc(#outer)
} loc(unknown))",
};

ArrayRef<const char *> bytecode::sampleModules() {
  return kSamples;
}
