//===- CachedResult.cpp - What a compilation gave -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CachedResult.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "tileiras/Dialect/CudaTile/CudaTile.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/EndianStream.h"

using namespace tileiras;
using llvm::StringRef;
using mlir::remark::detail::Remark;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {

/// Little-endian numbers, and texts behind their lengths.
class ByteWriter {
public:
  void addByte(uint8_t byte) { os.write(static_cast<char>(byte)); }
  void addNumber(uint64_t number) { llvm::support::endian::write(os, number, llvm::endianness::little); }
  void addText(StringRef text) {
    addNumber(text.size());
    os << text;
  }
  std::string take() { return std::move(bytes); }

private:
  std::string bytes;
  llvm::raw_string_ostream os{bytes};
};

/// What a writer wrote; whatever is read behind the end, or of wrong bytes, is zero, and isWrong() then.
class ByteReader {
public:
  explicit ByteReader(StringRef bytes) : data(bytes, /*IsLittleEndian=*/true, /*AddressSize=*/8) {}
  ~ByteReader() { llvm::consumeError(cursor.takeError()); }

  uint8_t getByte() { return data.getU8(cursor); }
  uint64_t getNumber() { return data.getU64(cursor); }
  std::string getText() { return data.getBytes(cursor, getNumber()).str(); }
  /// Of things that have a byte each at least.
  size_t getCount() {
    const uint64_t count = getNumber();
    isDamaged |= count > data.size();
    return isWrong() ? 0 : count;
  }
  bool isWrong() const { return isDamaged || !cursor; }
  bool isAtEnd() const { return cursor.tell() == data.size(); }
  void setWrong() { isDamaged = true; }

private:
  llvm::DataExtractor data;
  mutable llvm::DataExtractor::Cursor cursor{0};
  bool isDamaged = false;
};

} // namespace

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

namespace {
enum class LocationKind : uint8_t { Unknown, File, InputFile, Name, CallSite, Fused };
} // namespace

/// Of locations in locations, and of all of one place; what is beyond is unknown. Locations share their parts, which
/// are written each time.
static constexpr unsigned kMaxLocationDepth = 64, kMaxLocationParts = 256;

static void writeLocation(ByteWriter &writer, mlir::Location location, StringRef inputName, unsigned depth,
                          unsigned &parts) {
  auto begin = [&](LocationKind kind) { writer.addByte(static_cast<uint8_t>(kind)); };
  if (depth == kMaxLocationDepth || parts++ >= kMaxLocationParts)
    return begin(LocationKind::Unknown);
  if (auto file = mlir::dyn_cast<mlir::FileLineColRange>(location)) {
    const StringRef name = file.getFilename().getValue();
    begin(name == inputName ? LocationKind::InputFile : LocationKind::File);
    if (name != inputName)
      writer.addText(name);
    for (unsigned number : {file.getStartLine(), file.getStartColumn(), file.getEndLine(), file.getEndColumn()})
      writer.addNumber(number);
  } else if (auto named = mlir::dyn_cast<mlir::NameLoc>(location)) {
    begin(LocationKind::Name);
    writer.addText(named.getName().getValue());
    writeLocation(writer, named.getChildLoc(), inputName, depth + 1, parts);
  } else if (auto call = mlir::dyn_cast<mlir::CallSiteLoc>(location)) {
    begin(LocationKind::CallSite);
    writeLocation(writer, call.getCallee(), inputName, depth + 1, parts);
    writeLocation(writer, call.getCaller(), inputName, depth + 1, parts);
  } else if (auto fused = mlir::dyn_cast<mlir::FusedLoc>(location)) {
    begin(LocationKind::Fused);
    writer.addNumber(fused.getLocations().size());
    for (mlir::Location each : fused.getLocations())
      writeLocation(writer, each, inputName, depth + 1, parts);
  } else if (auto debug = mlir::dyn_cast<cuda_tile::DILocAttr>(location)) { // Whoever prints it asks for the place.
    writeLocation(writer, debug.getSourceLoc(), inputName, depth + 1, parts);
  } else {
    begin(LocationKind::Unknown);
  }
}

EncodedLocation tileiras::encodeLocation(mlir::Location location, StringRef inputName) {
  ByteWriter writer;
  unsigned parts = 0;
  writeLocation(writer, location, inputName, 0, parts);
  return writer.take();
}

static mlir::Location readLocation(ByteReader &reader, StringRef inputName, mlir::MLIRContext *context,
                                   unsigned depth) {
  const mlir::Location unknown = mlir::UnknownLoc::get(context);
  if (depth > kMaxLocationDepth || reader.isWrong())
    return unknown;
  const auto kind = static_cast<LocationKind>(reader.getByte());
  switch (kind) {
  case LocationKind::Unknown:
    break;
  case LocationKind::File:
  case LocationKind::InputFile: {
    const std::string name = kind == LocationKind::File ? reader.getText() : inputName.str();
    unsigned numbers[4];
    for (unsigned &number : numbers)
      number = static_cast<unsigned>(reader.getNumber());
    const auto [line, column, endLine, endColumn] = numbers;
    if (line == endLine && column == endColumn)
      return mlir::FileLineColLoc::get(context, name, line, column);
    return mlir::FileLineColRange::get(mlir::StringAttr::get(context, name), line, column, endLine, endColumn);
  }
  case LocationKind::Name: {
    const std::string name = reader.getText();
    return mlir::NameLoc::get(mlir::StringAttr::get(context, name),
                              readLocation(reader, inputName, context, depth + 1));
  }
  case LocationKind::CallSite: {
    const mlir::Location callee = readLocation(reader, inputName, context, depth + 1);
    return mlir::CallSiteLoc::get(callee, readLocation(reader, inputName, context, depth + 1));
  }
  case LocationKind::Fused: {
    llvm::SmallVector<mlir::Location> parts;
    for (size_t count = reader.getCount(); count != 0 && !reader.isWrong(); --count)
      parts.push_back(readLocation(reader, inputName, context, depth + 1));
    return mlir::FusedLoc::get(context, parts);
  }
  }
  return unknown;
}

mlir::Location tileiras::decodeLocation(StringRef encoded, StringRef inputName, mlir::MLIRContext *context) {
  ByteReader reader(encoded);
  const mlir::Location location = readLocation(reader, inputName, context, 0);
  return reader.isWrong() ? mlir::UnknownLoc::get(context) : location;
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

CachedDiagnostic tileiras::describe(mlir::Diagnostic &diagnostic, StringRef inputName) {
  CachedDiagnostic described;
  described.severity = static_cast<uint8_t>(diagnostic.getSeverity());
  described.text = diagnostic.str();
  described.location = encodeLocation(diagnostic.getLocation(), inputName);
  for (mlir::Diagnostic &note : diagnostic.getNotes())
    described.notes.push_back(describe(note, inputName));
  return described;
}

CachedRemark tileiras::describe(const Remark &remark, StringRef inputName) {
  CachedRemark described;
  described.kind = remark.getRemarkTypeString().str();
  described.function = remark.getFunction().str();
  described.category = remark.getCategoryName().str();
  StringRef combined = remark.getCombinedCategoryName();
  if (!described.category.empty() && combined.consume_front(described.category))
    combined.consume_front(":");
  described.subCategory = combined.str();
  described.name = remark.getRemarkName().str();
  described.location = encodeLocation(remark.getLocation(), inputName);
  for (const Remark::Arg &argument : remark.getArgs())
    described.arguments.emplace_back(argument.key, argument.val);
  return described;
}

static void replayDiagnostic(const CachedDiagnostic &cached, StringRef inputName, mlir::MLIRContext &context) {
  auto getSeverity = [](uint8_t severity) {
    return static_cast<mlir::DiagnosticSeverity>(
        std::min(severity, static_cast<uint8_t>(mlir::DiagnosticSeverity::Remark)));
  };
  mlir::InFlightDiagnostic diagnostic =
      context.getDiagEngine().emit(decodeLocation(cached.location, inputName, &context), getSeverity(cached.severity));
  diagnostic << cached.text;
  for (const CachedDiagnostic &note : cached.notes)
    diagnostic.attachNote(decodeLocation(note.location, inputName, &context)) << note.text;
}

static void replayRemark(const CachedRemark &cached, StringRef inputName, mlir::MLIRContext &context) {
  const mlir::remark::RemarkOpts options = mlir::remark::RemarkOpts::name(cached.name)
                                               .category(cached.category)
                                               .subCategory(cached.subCategory)
                                               .function(cached.function);
  const mlir::Location location = decodeLocation(cached.location, inputName, &context);
  auto emit = [&](auto report) {
    mlir::remark::detail::InFlightRemark remark = report(location, options);
    for (const auto &[key, value] : cached.arguments)
      remark << Remark::Arg(key, value);
  };
  if (cached.kind == "Passed")
    emit(mlir::remark::passed);
  else if (cached.kind == "Missed")
    emit(mlir::remark::missed);
  else if (cached.kind == "Failure")
    emit(mlir::remark::failed);
  else
    emit(mlir::remark::analysis);
}

void tileiras::replay(const CachedReport &report, StringRef inputName, mlir::MLIRContext &context) {
  if (report.diagnostic)
    replayDiagnostic(*report.diagnostic, inputName, context);
  if (report.remark)
    replayRemark(*report.remark, inputName, context);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static void writeDiagnostic(ByteWriter &writer, const CachedDiagnostic &diagnostic) {
  writer.addByte(diagnostic.severity);
  writer.addText(diagnostic.text);
  writer.addText(diagnostic.location);
  writer.addNumber(diagnostic.notes.size());
  for (const CachedDiagnostic &note : diagnostic.notes)
    writeDiagnostic(writer, note);
}

static CachedDiagnostic readDiagnostic(ByteReader &reader, unsigned depth = 0) {
  CachedDiagnostic diagnostic;
  diagnostic.severity = reader.getByte();
  diagnostic.text = reader.getText();
  diagnostic.location = reader.getText();
  if (depth == kMaxLocationDepth)
    reader.setWrong();
  for (size_t count = reader.getCount(); count != 0 && !reader.isWrong(); --count)
    diagnostic.notes.push_back(readDiagnostic(reader, depth + 1));
  return diagnostic;
}

static void writeRemark(ByteWriter &writer, const CachedRemark &remark) {
  for (const std::string *text :
       {&remark.kind, &remark.function, &remark.category, &remark.subCategory, &remark.name, &remark.location})
    writer.addText(*text);
  writer.addNumber(remark.arguments.size());
  for (const auto &[key, value] : remark.arguments) {
    writer.addText(key);
    writer.addText(value);
  }
}

static CachedRemark readRemark(ByteReader &reader) {
  CachedRemark remark;
  for (std::string *text :
       {&remark.kind, &remark.function, &remark.category, &remark.subCategory, &remark.name, &remark.location})
    *text = reader.getText();
  for (size_t count = reader.getCount(); count != 0 && !reader.isWrong(); --count) {
    std::string key = reader.getText();
    remark.arguments.emplace_back(std::move(key), reader.getText());
  }
  return remark;
}

std::string tileiras::encode(const CachedResult &result) {
  ByteWriter writer;
  for (const std::string *text : {&result.product, &result.ptx, &result.metadata})
    writer.addText(*text);
  writer.addNumber(result.reports.size());
  for (const CachedReport &report : result.reports) {
    writer.addByte(report.remark.has_value());
    if (report.remark)
      writeRemark(writer, *report.remark);
    else
      writeDiagnostic(writer, report.diagnostic.value_or(CachedDiagnostic()));
  }
  return writer.take();
}

std::optional<CachedResult> tileiras::decodeResult(StringRef bytes) {
  ByteReader reader(bytes);
  CachedResult result;
  for (std::string *text : {&result.product, &result.ptx, &result.metadata})
    *text = reader.getText();
  for (size_t count = reader.getCount(); count != 0 && !reader.isWrong(); --count) {
    CachedReport &report = result.reports.emplace_back();
    if (reader.getByte())
      report.remark = readRemark(reader);
    else
      report.diagnostic = readDiagnostic(reader);
  }
  if (reader.isWrong() || !reader.isAtEnd())
    return std::nullopt;
  return result;
}
