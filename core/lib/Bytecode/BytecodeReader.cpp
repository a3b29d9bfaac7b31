//===- BytecodeReader.cpp - Reading a module ------------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "FunctionReader.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "tileiras/Bytecode/Bytecode.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::bytecode;

static ArrayRef<uint8_t> getBytes(llvm::MemoryBufferRef buffer) {
  return {reinterpret_cast<const uint8_t *>(buffer.getBufferStart()), buffer.getBufferSize()};
}

bool tileiras::isTileIRBytecode(llvm::MemoryBufferRef buffer) {
  return getBytes(buffer).take_front(sizeof(kMagic)) == ArrayRef(kMagic);
}

std::optional<BytecodeVersion> tileiras::getBytecodeVersion(llvm::MemoryBufferRef buffer) {
  ArrayRef<uint8_t> bytes = getBytes(buffer);
  if (!isTileIRBytecode(buffer) || bytes.size() < kHeaderSize)
    return std::nullopt;
  bytes = bytes.drop_front(sizeof(kMagic));
  return BytecodeVersion(bytes[0], bytes[1], static_cast<uint16_t>(bytes[2] | bytes[3] << 8));
}

/// The format has no name for the module.
static constexpr StringLiteral kModuleName = "kernels";

namespace {

/// Puts a module together from the sections of a file.
class ModuleReader {
public:
  /// `placeUnknown` is as in DebugReader.
  ModuleReader(Container &container, MLIRContext *context, bool placeUnknown)
      : container(container), context(context), strings(context), types(context, container.version),
        attributes(context, container.version, strings, types, constants), debug(context, strings, placeUnknown),
        functions(context, container.version, types, attributes, constants, debug) {}

  OwningOpRef<cuda_tile::ModuleOp> read(uint64_t fileSize);

private:
  LogicalResult readTables(uint64_t fileSize);
  LogicalResult readProducer(StringAttr &producer);
  LogicalResult readGlobals(OpBuilder &builder);
  LogicalResult readGlobal(ByteReader &reader, OpBuilder &builder);
  LogicalResult readFunctions(OpBuilder &builder);
  LogicalResult readFunction(ByteReader &reader, OpBuilder &builder);
  LogicalResult readSignature(ByteReader &reader, FunctionType &type);

  Container &container;
  MLIRContext *context;
  StringReader strings;
  TypeReader types;
  ConstantReader constants;
  AttributeReader attributes;
  DebugReader debug;
  FunctionReader functions;
  uint64_t numParameters = 0;
};

} // namespace

LogicalResult ModuleReader::readTables(uint64_t fileSize) {
  const auto present = [&](SectionId id) { return container[id].has_value(); };
  return failure(
      failed(strings.initialize(*container[SectionId::String])) ||
      (present(SectionId::Type) && failed(types.initialize(*container[SectionId::Type]))) ||
      (present(SectionId::Constant) && failed(constants.initialize(*container[SectionId::Constant], fileSize))) ||
      (present(SectionId::Debug) && failed(debug.initialize(*container[SectionId::Debug]))));
}

OwningOpRef<cuda_tile::ModuleOp> ModuleReader::read(uint64_t fileSize) {
  StringAttr producer;
  if (failed(readTables(fileSize)) || failed(readProducer(producer)))
    return nullptr;
  OpBuilder builder(context);
  OwningOpRef<cuda_tile::ModuleOp> module = cuda_tile::ModuleOp::create(builder, UnknownLoc::get(context), kModuleName);
  if (producer)
    module->setProducerAttr(producer);
  builder.setInsertionPointToEnd(&module->getBody().front());
  if (failed(readGlobals(builder)) || failed(readFunctions(builder)))
    return nullptr;
  constants.finish();
  return module;
}

LogicalResult ModuleReader::readProducer(StringAttr &producer) {
  std::optional<ByteReader> section = container[SectionId::Producer];
  return section ? strings.read(*section, producer, "producer") : success();
}

//   count[varint] ( name[string] type constant alignment[varint] (visibility constant[varint])? )*
LogicalResult ModuleReader::readGlobals(OpBuilder &builder) {
  std::optional<ByteReader> section = container[SectionId::Global];
  if (!section)
    return success();
  uint64_t count;
  if (failed(section->readCount(count, "global count")))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readGlobal(*section, builder)))
      return failure();
  return success();
}

LogicalResult ModuleReader::readGlobal(ByteReader &reader, OpBuilder &builder) {
  const uint64_t start = reader.offset();
  StringAttr name;
  Type type;
  DenseElementsAttr value;
  bool isOpen;
  uint64_t alignment, isConstant = 0;
  Attribute visibility = kSymbolVisibility.make(context, 0);
  if (failed(strings.readName(reader, name, "name of a global")) ||
      failed(types.read(reader, type, "type of a global")) || failed(constants.read(reader, type, value, isOpen)) ||
      failed(reader.readVarint(alignment, "alignment")))
    return failure();
  if (container.version >= k13_3 &&
      (failed(readEnum(reader, kSymbolVisibility, container.version, context, visibility)) ||
       failed(reader.readVarint(isConstant, "constness of a global"))))
    return failure();

  OperationState state(debug.getUnknown(reader, start), cuda_tile::GlobalOp::getOperationName());
  state.addAttribute("sym_name", name);
  state.addAttribute("value", value);
  state.addAttribute("alignment", builder.getI64IntegerAttr(static_cast<int64_t>(alignment)));
  state.addAttribute("symbol_visibility", visibility);
  if (isConstant)
    state.addAttribute("constant", builder.getUnitAttr());
  Operation *global = builder.create(state);
  if (isOpen)
    constants.defer(global, "value");
  return success();
}

//   count[varint] ( name[string] type flags[byte] location[varint] hints? length[varint] body )*
LogicalResult ModuleReader::readFunctions(OpBuilder &builder) {
  ByteReader section = *container[SectionId::Function];
  uint64_t count;
  if (failed(section.readCount(count, "function count")))
    return failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readFunction(section, builder)))
      return failure();
  return success();
}

LogicalResult ModuleReader::readSignature(ByteReader &reader, FunctionType &type) {
  const uint64_t start = reader.offset();
  if (failed(types.read(reader, type, "function signature")))
    return failure();
  // Functions may share a signature, so their parameters are not bounded by the size of the file.
  numParameters += type.getNumInputs();
  if (numParameters > kMaxParameters)
    return reader.errorAt(start) << "the functions have more than " << kMaxParameters << " parameters";
  return success();
}

LogicalResult ModuleReader::readFunction(ByteReader &reader, OpBuilder &builder) {
  const uint64_t start = reader.offset();
  StringAttr name;
  FunctionType type;
  uint8_t flags;
  if (failed(strings.readName(reader, name, "function name")) || failed(readSignature(reader, type)))
    return failure();
  const uint64_t flagsOffset = reader.offset();
  if (failed(reader.readByte(flags, "function flags")))
    return failure();
  if (!(flags & kFunctionEntry) || (flags & ~(kFunctionEntry | kFunctionHints)))
    return reader.errorAt(flagsOffset) << "function " << name << " has flags " << static_cast<unsigned>(flags)
                                       << ", only public entries are supported";

  const uint64_t numberOffset = reader.offset();
  uint64_t number, length;
  LocationAttr location;
  Attribute hints;
  if (failed(reader.readVarint(number, "function location")) ||
      failed(debug.enterFunction(reader, numberOffset, number)) || failed(debug.next(reader, start, location)))
    return failure();
  const uint64_t hintsOffset = reader.offset();
  if ((flags & kFunctionHints) && failed(attributes.readTagged(reader, hints)))
    return failure();
  if (hints && !isa<cuda_tile::OptimizationHintsAttr>(hints))
    return reader.errorAt(hintsOffset) << "the hints of function " << name << " must not be " << hints;
  if (failed(reader.readVarint(length, "length of a function body")))
    return failure();
  FailureOr<ByteReader> body = reader.sub(length, "function body");
  if (failed(body))
    return failure();

  OperationState state(location, cuda_tile::EntryOp::getOperationName());
  state.addAttribute("sym_name", name);
  state.addAttribute("function_type", TypeAttr::get(type));
  if (hints)
    state.addAttribute("optimization_hints", hints);
  Block &block = state.addRegion()->emplaceBlock();
  for (Type parameter : type.getInputs())
    block.addArgument(parameter, state.location);
  builder.create(state);
  return functions.readBody(*body, block);
}

/// Emits a diagnostic again. What is located at an offset of `file` becomes a text that names the offset.
static void emitAgain(Diagnostic &&diagnostic, Location file) {
  auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
  if (!place || place.getLine() != 0 || place.getFilename() != cast<FileLineColLoc>(file).getFilename())
    return file.getContext()->getDiagEngine().emit(std::move(diagnostic));
  InFlightDiagnostic located = emitError(file) << "at offset " << place.getColumn() << ": " << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    located.attachNote(isa<UnknownLoc, FileLineColLoc>(note.getLocation()) ? file : note.getLocation()) << note.str();
}

/// Verifies a module that was read; the diagnostics are returned instead of emitted.
static LogicalResult verifyQuietly(cuda_tile::ModuleOp module, std::vector<Diagnostic> &diagnostics) {
  ScopedDiagnosticHandler collect(module.getContext(), [&](Diagnostic &diagnostic) {
    diagnostics.push_back(std::move(diagnostic));
    return success();
  });
  return verify(module);
}

OwningOpRef<cuda_tile::ModuleOp> tileiras::readBytecode(llvm::MemoryBufferRef buffer, MLIRContext *context,
                                                        const BytecodeReaderOptions &options) {
  context->getOrLoadDialect<cuda_tile::CudaTileDialect>();
  auto file = FileLineColLoc::get(context, buffer.getBufferIdentifier(), 0, 0);
  FailureOr<Container> container = readContainer(getBytes(buffer), file);
  if (failed(container))
    return nullptr;
  const auto readModule = [&](bool placeUnknown) {
    return ModuleReader(*container, context, placeUnknown).read(buffer.getBufferSize());
  };
  OwningOpRef<cuda_tile::ModuleOp> module = readModule(/*placeUnknown=*/false);
  std::vector<Diagnostic> diagnostics;
  if (!module || !options.verify)
    return module;
  if (failed(verifyQuietly(*module, diagnostics))) {
    // Most files have no debug information: read once more to know where in the file the culprit is.
    diagnostics.clear();
    module = readModule(/*placeUnknown=*/true);
    (void)verifyQuietly(*module, diagnostics);
    module = nullptr;
  }
  for (Diagnostic &diagnostic : diagnostics)
    emitAgain(std::move(diagnostic), file);
  return module;
}
