//===- SessionInput.cpp - Reading a module --------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForeignInput.h"
#include "WarningFilter.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/Session.h"
#include "tileiras/Diagnostics/Warnings.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "tileiras/Dialect/TileAA/TileAA.h"
#include "tileiras/Dialect/TileAS/TileAS.h"
#include "tileiras/Lowering/DialectLowering.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/SourceMgr.h"

using namespace tileiras;

namespace {

/// MLIR's handler, without "<unknown>:0:" before what has no place in the source.
class SourceDiagnostics : public mlir::SourceMgrDiagnosticHandler {
public:
  SourceDiagnostics(llvm::SourceMgr &sources, mlir::MLIRContext *context, llvm::raw_ostream &stream)
      : SourceMgrDiagnosticHandler(sources, context, stream) {
    setHandler([this, &stream](mlir::Diagnostic &diagnostic) {
      if (diagnostic.getLocation()->findInstanceOf<mlir::FileLineColLoc>())
        return emitDiagnostic(diagnostic);
      print(diagnostic, stream);
      for (mlir::Diagnostic &note : diagnostic.getNotes())
        print(note, stream);
    });
  }

private:
  static llvm::StringRef getSeverityName(mlir::DiagnosticSeverity severity) {
    switch (severity) {
    case mlir::DiagnosticSeverity::Note:
      return "note";
    case mlir::DiagnosticSeverity::Warning:
      return "warning";
    case mlir::DiagnosticSeverity::Error:
      return "error";
    case mlir::DiagnosticSeverity::Remark:
      return "remark";
    }
    llvm_unreachable("all severities are handled");
  }

  static void print(mlir::Diagnostic &diagnostic, llvm::raw_ostream &stream) {
    stream << getSeverityName(diagnostic.getSeverity()) << ": " << diagnostic << '\n';
  }
};

} // namespace

void CompilerSession::installDiagnosticHandler() {
  if (options.diagnosticCallback) {
    diagnosticHandler =
        std::make_unique<mlir::ScopedDiagnosticHandler>(context.get(), [this](mlir::Diagnostic &diagnostic) {
          if (!isStopped()) // else it is about what was cut short
            options.diagnosticCallback(diagnostic);
        });
  } else {
    sources = std::make_unique<llvm::SourceMgr>();
    llvm::raw_ostream &stream = options.diagnosticStream ? *options.diagnosticStream : llvm::errs();
    diagnosticHandler = std::make_unique<SourceDiagnostics>(*sources, context.get(), stream);
  }
}

/// Text is what decodes as UTF-8 and has no control characters but blanks.
static bool looksLikeText(llvm::StringRef bytes) {
  auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 && !llvm::isSpace(c); };
  if (llvm::any_of(bytes, isControl))
    return false;
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(bytes.begin());
  return llvm::isLegalUTF8String(&begin, reinterpret_cast<const llvm::UTF8 *>(bytes.end()));
}

/// The first place where brackets are nested deeper than MLIR's recursive parser has stack for; npos if there is none.
static size_t findDeepNesting(llvm::StringRef text) {
  constexpr unsigned maxDepth = 500; // of regions, types and attributes together
  unsigned depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\')
          ++at;
    } else if (text.substr(at).starts_with("//")) {
      at = text.find('\n', at);
      if (at == llvm::StringRef::npos)
        break;
    } else if (llvm::StringRef("([{<").contains(c)) {
      if (++depth > maxDepth)
        return at;
    } else if (llvm::StringRef(")]}>").contains(c) && depth != 0 && !(c == '>' && at != 0 && text[at - 1] == '-')) {
      --depth;
    }
  }
  return llvm::StringRef::npos;
}

llvm::Error CompilerSession::readInput() {
  if (mlir::isBytecode(input->getMemBufferRef()))
    return fail(ExitCode::BadInput, "error: failed to parse IR bytecode (it looks like MLIR bytecode instead); use the "
                                    "front end's Tile IR bytecode, or text");
  if (isTileIRBytecode(input->getMemBufferRef()))
    return readBytecodeInput();
  if (!looksLikeText(input->getBuffer()) || input->getBuffer().trim().empty()) {
    std::string kind = describeBinary(input->getBuffer());
    return fail(ExitCode::BadInput, "error: '" + input->getBufferIdentifier() +
                                        "': input does not correspond to Tile IR bytecode, nor to its textual form" +
                                        (kind.empty() ? "" : "; it is " + kind));
  }
  return readText();
}

llvm::Error CompilerSession::readBytecodeInput() {
  // The reader verifies: it can still tell which byte an operation comes from.
  mlir::OwningOpRef<cuda_tile::ModuleOp> program = readBytecode(input->getMemBufferRef(), context.get());
  isVerified = true;
  if (!program)
    return fail(ExitCode::BadInput, "error: failed to parse IR bytecode");
  module = mlir::ModuleOp::create(program->getLoc());
  module->push_back(program.release());
  return llvm::Error::success();
}

llvm::Error CompilerSession::readText() {
  std::string name = input->getBufferIdentifier().str();
  llvm::StringRef text = input->getBuffer();
  if (size_t deep = findDeepNesting(text); deep != llvm::StringRef::npos) {
    mlir::emitError(getPlace(context.get(), name, text, deep), "brackets are nested too deeply");
    return fail(ExitCode::BadInput, "error: failed to parse '" + llvm::Twine(name) + "'");
  }
  if (std::optional<ForeignText> foreign = recognizeForeignText(text)) {
    mlir::emitError(getPlace(context.get(), name, text, foreign->place))
        << "this is " << foreign->language << "; expected Tile IR, bytecode or text: 'cuda_tile.module @name {'";
    return fail(ExitCode::BadInput, "error: failed to parse '" + llvm::Twine(name) + "'");
  }
  auto sourceManager = std::make_shared<llvm::SourceMgr>();
  llvm::SourceMgr &manager = sources ? *sources : *sourceManager;
  manager.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBuffer(input->getBuffer(), name), llvm::SMLoc());
  mlir::ParserConfig config(context.get(), /*verifyAfterParse=*/false);
  ParseErrorHints hints(context.get(), name, text);
  module = mlir::parseSourceFile<mlir::ModuleOp>(manager, config);
  if (!module)
    return fail(ExitCode::BadInput, "error: failed to parse '" + llvm::Twine(name) + "'");
  return llvm::Error::success();
}

llvm::Error CompilerSession::verifyInput() {
  if (!isVerified && failed(mlir::verify(*module)))
    return fail(ExitCode::BadInput, "error: '" + input->getBufferIdentifier() + "' is not valid Tile IR");
  const bool isOurPipeline = options.passPipeline.empty() || isOptionOverride(options.passPipeline);
  const bool isLowered = options.product > Product::Bytecode && isOurPipeline;
  if (mlir::Operation *foreign = isLowered ? findForeignOperation(*module) : nullptr) {
    foreign->emitError("this is MLIR of another dialect, '")
        << foreign->getName().getDialectNamespace()
        << "', which no stage takes in; expected Tile IR: a 'cuda_tile.module' of 'entry' functions";
    return fail(ExitCode::BadInput, "error: '" + input->getBufferIdentifier() + "' is not Tile IR");
  }
  return llvm::Error::success();
}

bool CompilerSession::isModuleEmpty() {
  return !module
              ->walk([](mlir::Operation *op) {
                bool isContainer =
                    op->hasTrait<mlir::OpTrait::SymbolTable>() && op->hasTrait<mlir::OpTrait::NoRegionArguments>();
                return isContainer ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// The level whose text the module is. That of the operation that has most of its way before it.
IRLevel CompilerSession::findInputLevel() {
  IRLevel level = IRLevel::LLVMDialect;
  bool hasTileAS = false;
  module->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    mlir::Dialect *dialect = op->getDialect();
    hasTileAS |= llvm::isa_and_nonnull<as::TileASDialect>(dialect);
    if (llvm::isa_and_nonnull<cuda_tile::CudaTileDialect>(dialect)) {
      level = IRLevel::CudaTile;
      return mlir::WalkResult::interrupt();
    }
    const auto *lowering = dialect ? dialect->getRegisteredInterface<DialectLowering>() : nullptr;
    if (!llvm::isa_and_nonnull<aa::TileAADialect>(dialect) || llvm::isa<aa::FuncOp>(op))
      return mlir::WalkResult::advance();
    // Some operations of nv_tileaa are a part of nv_tileas, too.
    const bool isShared = op->hasTrait<mlir::OpTrait::IsTerminator>() || (lowering && lowering->hasLowering(op));
    level = std::min(level, isShared ? IRLevel::TileAS : IRLevel::TileAA);
    return mlir::WalkResult::advance();
  });
  return level == IRLevel::TileAS && !hasTileAS ? IRLevel::TileAA : level;
}

void CompilerSession::warnOfMissingKernels() {
  if (options.product <= Product::Bytecode)
    return;
  // Modules that are lowered in part already have other functions than entries.
  mlir::WalkResult found = module->walk([](mlir::Operation *op) {
    bool isGlobal = mlir::isa<cuda_tile::GlobalOp>(op);
    return mlir::isa<cuda_tile::ModuleOp, mlir::ModuleOp>(op) || isGlobal ? mlir::WalkResult::advance()
                                                                          : mlir::WalkResult::interrupt();
  });
  mlir::Block &body = *module->getBody();
  if (!found.wasInterrupted())
    warn(body.empty() ? module->getOperation() : &body.front(), kEmptyModule)
        << "the module has no 'entry': the output has no kernel that could be launched";
}
