//===- Check.cpp - Does the compiler do to a program what the reference says? --===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Contents.h"
#include "Files.h"
#include "HostTensorMaps.h"
#include "ParseProgram.h"
#include "Refusals.h"
#include "ptx-emulator/Emulator.h"
#include "tileiras-interpreter/Interpreter.h"
#include "tileiras/Bytecode/Bytecode.h"
#include "tileiras/Compiler/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Program.h"

using namespace tileiras;
using namespace tileiras::fuzz;
using llvm::Twine;

const char *tileiras::fuzz::describe(Verdict verdict) {
  static constexpr const char *names[] = {"agreement",
                                          "refused",
                                          "invalid program",
                                          "undefined program",
                                          "bytecode round trip",
                                          "compiler diagnostic",
                                          "assembler diagnostic",
                                          "unknown PTX",
                                          "emulator diagnostic",
                                          "wrong result",
                                          "crash",
                                          "timeout"};
  static_assert(std::size(names) == kNumVerdicts);
  return names[static_cast<unsigned>(verdict)];
}

ProfileChoice::ProfileChoice(const std::string &text) : text(text) {
  auto [name, rest] = llvm::StringRef(text).split('+');
  profile = name.str();
  while (!rest.empty()) {
    std::tie(name, rest) = rest.split('+');
    settings.push_back(name.str());
  }
}

std::string Outcome::signature() const {
  std::string text = describe(verdict);
  if (verdict == Verdict::WrongResult || verdict == Verdict::Timeout)
    return text;
  text += ": ";
  bool inNumber = false;
  for (char c : llvm::StringRef(message).split('\n').first) {
    bool isDigit = llvm::isDigit(c);
    if (!isDigit || !inNumber)
      text += isDigit ? '#' : c;
    inNumber = isDigit || (inNumber && llvm::isAlnum(c));
  }
  return text;
}

namespace {

/// Collects what the context reports.
class DiagnosticText {
public:
  explicit DiagnosticText(mlir::MLIRContext *context)
      : handler(context, [this](mlir::Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == mlir::DiagnosticSeverity::Error)
            text += (text.empty() ? "" : "\n") + diagnostic.str();
        }) {}
  std::string text;

private:
  mlir::ScopedDiagnosticHandler handler;
};

/// How a program is compiled: an optimisation level, or a profile.
struct Pipeline {
  std::optional<unsigned> level;
  std::optional<ProfileChoice> choice;
};

class Checker {
public:
  Checker(const LaunchCase &launch, const CheckOptions &options, llvm::function_ref<void(llvm::StringRef)> atStage)
      : launch(launch), options(options), atStage(atStage), context(mlir::MLIRContext::Threading::DISABLED) {}

  Outcome check(llvm::StringRef text);

private:
  bool enter(const Twine &name) {
    outcome.stage = name.str();
    atStage(outcome.stage);
    return true;
  }
  bool fail(Verdict verdict, const Twine &message) {
    outcome.verdict = verdict;
    outcome.message = message.str();
    return false;
  }
  void note(llvm::StringRef what) {
    if (!llvm::is_contained(outcome.notes, what))
      outcome.notes.push_back(what.str());
  }
  bool parse(llvm::StringRef text);
  bool roundTrip();
  bool interpret();
  bool checkPipeline(const Pipeline &pipeline);
  bool compile(const Pipeline &pipeline, std::string &ptx);
  void readMetadata(const CompilerSession &session);
  bool assemble(const std::string &ptx, const Pipeline &pipeline);
  /// "-O2" or the profile, and the chip where there are several.
  std::string name(const Pipeline &pipeline) const {
    return (pipeline.level ? "-O" + std::to_string(*pipeline.level) : pipeline.choice->text) +
           (options.namesChip || options.gpuNames.size() > 1 ? " for " + gpuName : "");
  }
  bool emulateSchedules(const Pipeline &pipeline, const std::string &ptx);
  bool emulate(const ptxemu::Module &module, uint64_t seed);

  std::string gpuName;        ///< the chip that is checked
  uint32_t dynamicShared = 0; ///< bytes, of the pipeline that is checked
  std::string arch;           ///< what the assembler calls the chip
  const LaunchCase &launch;
  const CheckOptions &options;
  llvm::function_ref<void(llvm::StringRef)> atStage;
  mlir::MLIRContext context;
  mlir::OwningOpRef<cuda_tile::ModuleOp> module;
  std::string source, bytecode;
  bool isRun = true; ///< on the emulator
  std::vector<Contents> expected;
  std::string printed;    ///< by the reference
  bool isChanged = false; ///< some pipeline's PTX has been emulated
  Outcome outcome;
};

} // namespace

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

bool Checker::parse(llvm::StringRef text) {
  enter("parse");
  DiagnosticText diagnostics(&context);
  source = text.str();
  module = parseProgram(text, &context);
  return module ? true : fail(Verdict::InvalidProgram, diagnostics.text);
}

static std::string print(cuda_tile::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // Bytecode has neither the name of a module nor the places of globals, which have a section of their own.
  for (bool isGlobal : {true, false})
    for (mlir::Operation &op : module->getRegion(0).front())
      if (mlir::isa<cuda_tile::GlobalOp>(op) == isGlobal)
        op.print(os, mlir::OpPrintingFlags().useLocalScope());
  return text;
}

bool Checker::roundTrip() {
  enter("bytecode");
  DiagnosticText diagnostics(&context);
  llvm::raw_string_ostream os(bytecode);
  if (failed(writeBytecode(*module, os))) {
    // Text may say what bytecode has no form for: names of locations, attributes that mean nothing.
    note("unwritten");
    bool isRefused = options.isMutant && !diagnostics.text.empty();
    return isRefused || fail(Verdict::RoundTrip, "not written: " + diagnostics.text);
  }
  llvm::MemoryBufferRef buffer(bytecode, "program");
  mlir::OwningOpRef<cuda_tile::ModuleOp> copy = readBytecode(buffer, &context);
  if (!copy)
    return fail(Verdict::RoundTrip, "not read: " + diagnostics.text);
  if (print(*copy) != print(*module))
    return fail(Verdict::RoundTrip, "reads as another program");
  std::string again;
  llvm::raw_string_ostream osAgain(again);
  if (failed(writeBytecode(*copy, osAgain)) || again != bytecode)
    return fail(Verdict::RoundTrip, "is written as other bytes");
  return true;
}

/// One argument for each parameter of the kernel; buffers by `getAddress`.
static std::vector<std::vector<uint8_t>> makeArguments(const LaunchCase &launch, llvm::ArrayRef<uint64_t> addresses) {
  std::vector<std::vector<uint8_t>> arguments;
  for (const Parameter &parameter : launch.parameters) {
    uint64_t bits = parameter.bits;
    unsigned bytes = getBytes(parameter.element);
    if (!parameter.buffer.empty()) {
      for (auto [buffer, address] : llvm::zip(launch.buffers, addresses))
        if (buffer.name == parameter.buffer)
          bits += address;
      bytes = 8;
    }
    std::vector<uint8_t> &argument = arguments.emplace_back();
    for (unsigned i = 0; i < bytes; ++i)
      argument.push_back(static_cast<uint8_t>(bits >> (8 * i)));
  }
  return arguments;
}

bool Checker::interpret() {
  enter("interpret");
  DiagnosticText diagnostics(&context);
  interpreter::Memory memory(/*tracksWriters=*/true);
  std::vector<uint64_t> addresses;
  for (const Buffer &buffer : launch.buffers) {
    addresses.push_back(memory.allocate(buffer.contents.size(), buffer.name));
    if (uint8_t *bytes = memory.access(addresses.back(), buffer.contents.size()))
      llvm::copy(buffer.contents, bytes);
  }
  interpreter::InterpreterOptions interpreterOptions;
  llvm::raw_string_ostream output(printed);
  interpreterOptions.output = &output;
  interpreterOptions.maxOperations = options.maxOperations;
  interpreterOptions.computeBounds = true;
  interpreter::Interpreter interpreter(*module, memory, interpreterOptions);
  interpreter::Launch run{launch.entry, launch.grid, makeArguments(launch, addresses)};
  if (failed(interpreter.run(run)))
    return fail(Verdict::UndefinedProgram, diagnostics.text);
  for (auto [buffer, address] : llvm::zip(launch.buffers, addresses)) {
    Contents &contents = expected.emplace_back();
    const uint8_t *bytes = memory.access(address, buffer.contents.size());
    contents.bytes.assign(bytes, bytes + buffer.contents.size());
    if (buffer.isCompared)
      for (size_t i = 0; i < contents.bytes.size(); i += getBytes(buffer.element))
        contents.bounds.push_back(memory.getBound(address + i));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// What the launch has to provide, as a launcher learns it, and what the assembler is told.
void Checker::readMetadata(const CompilerSession &session) {
  std::string text;
  llvm::raw_string_ostream os(text);
  session.writeMetadata(os);
  llvm::json::Value metadata = llvm::cantFail(llvm::json::parse(text));
  arch = metadata.getAsObject()->getObject("target")->getString("arch").value_or(gpuName);
  dynamicShared = 0;
  for (const llvm::json::Value &value : *metadata.getAsObject()->getArray("kernels"))
    if (const llvm::json::Object *kernel = value.getAsObject(); kernel->getString("name") == launch.entry)
      dynamicShared = static_cast<uint32_t>(*kernel->getInteger("dynamic_shared_bytes"));
}

namespace {

/// The errors of one compilation.
struct Errors {
  std::string text;
  std::string shortcoming; ///< what an error about the program would not have; empty: nothing

  void add(mlir::Diagnostic &diagnostic);
};

} // namespace

void Errors::add(mlir::Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Error)
    return;
  std::string message = diagnostic.str();
  text += (text.empty() ? "" : "\n") + message;
  mlir::WalkResult place = diagnostic.getLocation()->walk([](mlir::Location part) {
    return mlir::isa<mlir::FileLineColLoc>(part) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (!isAboutTheProgram(message))
    shortcoming = "not about the program: ";
  else if (!place.wasInterrupted())
    shortcoming = "without a location: ";
}

/// The verdict on a compilation that has failed.
static std::pair<Verdict, std::string> judgeRefusal(llvm::Error error, const Errors &errors, bool isMutant) {
  bool isRefusal = false;
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const CompileError &failure) {
        isRefusal = failure.getExitCode() == ExitCode::CompilationFailed;
        text = failure.message();
      },
      [&](const llvm::ErrorInfoBase &failure) { text = failure.message(); });
  text = errors.text.empty() ? text : errors.text + "\n" + text;
  if (!isMutant) {
    // Of the chip, or of PTX, which has fewer names than the language.
    const bool isRefused = llvm::StringRef(text).contains("compute capability") ||
                           llvm::StringRef(text).contains("cannot be the name of a kernel or global");
    return {isRefused ? Verdict::Refused : Verdict::CompilerDiagnostic, text};
  }
  if (!isRefusal)
    return {Verdict::CompilerDiagnostic, "no refusal of the program: " + text};
  if (errors.text.empty())
    return {Verdict::CompilerDiagnostic, "no diagnostic: " + text};
  bool isProper = errors.shortcoming.empty();
  return {isProper ? Verdict::Refused : Verdict::CompilerDiagnostic, errors.shortcoming + text};
}

bool Checker::compile(const Pipeline &pipeline, std::string &ptx) {
  enter("compile " + name(pipeline));
  CompilerOptions compilerOptions;
  compilerOptions.optLevel = pipeline.level;
  compilerOptions.gpuName = gpuName;
  compilerOptions.settings = options.settings;
  if (pipeline.choice) {
    compilerOptions.profile = pipeline.choice->profile;
    llvm::append_range(compilerOptions.settings, pipeline.choice->settings);
  }
  compilerOptions.product = Product::PTX;
  compilerOptions.collectMetadata = true;
  Errors errors;
  compilerOptions.diagnosticCallback = [&](mlir::Diagnostic &diagnostic) { errors.add(diagnostic); };
  CompilerSession session(std::move(compilerOptions));
  // Bytecode has no places in a text, which errors about a mutant must name.
  session.setInput(llvm::MemoryBuffer::getMemBufferCopy(options.isMutant ? source : bytecode, "program"));
  if (llvm::Error error = session.compile()) {
    auto [verdict, message] = judgeRefusal(std::move(error), errors, options.isMutant);
    return fail(verdict, message);
  }
  note("compiled");
  ptx = session.getOutput().str();
  readMetadata(session);
  return true;
}

/// A product goes on after the instruction that starts it: not each waits for all at once.
static bool leavesProductsInFlight(llvm::StringRef ptx) {
  for (llvm::StringRef rest = ptx.split("wgmma.commit_group").second; !rest.empty();
       rest = rest.split("wgmma.commit_group").second)
    if (!rest.split(';').second.ltrim().starts_with("wgmma.wait_group.sync.aligned 0;"))
      return true;
  return false;
}

/// What ptxas says where the registers of a product in flight are used, and it makes the product wait: C7510 to C7519.
/// It says so, too, of kernels that print, whose products have been waited for before the call of `vprintf`.
static llvm::StringRef findSerialisation(llvm::StringRef log, llvm::StringRef ptx) {
  if (!leavesProductsInFlight(ptx))
    return {};
  llvm::SmallVector<llvm::StringRef> lines;
  log.split(lines, '\n');
  for (llvm::StringRef line : lines)
    if (line.contains("(C751") && !line.contains("crossing function boundary"))
      return line;
  return {};
}

bool Checker::assemble(const std::string &ptx, const Pipeline &pipeline) {
  enter("assemble " + name(pipeline));
  llvm::SmallString<128> source, log;
  llvm::sys::fs::createTemporaryFile("tileiras-differential", "ptx", source);
  llvm::sys::fs::createTemporaryFile("tileiras-differential", "log", log);
  llvm::FileRemover removeSource(source), removeLog(log);
  if (llvm::Error error = tileiras::writeFile(source, ptx))
    return fail(Verdict::AssemblerDiagnostic, toString(std::move(error)));
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), log.str(), log.str()};
  std::string archFlag = "-arch=" + arch;
  llvm::StringRef arguments[] = {options.assembler, archFlag, source, "-o", "/dev/null"};
  std::string problem; // A signal, or that there is no such file.
  int status = llvm::sys::ExecuteAndWait(options.assembler, arguments, std::nullopt, redirects, 0, 0, &problem);
  auto text = llvm::MemoryBuffer::getFile(log);
  if (status < 0)
    return fail(Verdict::AssemblerDiagnostic, "the assembler for " + arch + " died: " + problem);
  if (status != 0)
    return fail(Verdict::AssemblerDiagnostic, text ? (*text)->getBuffer() : "says nothing");
  const llvm::StringRef serialisation = text ? findSerialisation((*text)->getBuffer(), ptx) : "";
  if (!serialisation.empty())
    return fail(Verdict::AssemblerDiagnostic, serialisation);
  note("assembled");
  return true;
}

bool Checker::emulate(const ptxemu::Module &ptx, uint64_t seed) {
  ptxemu::Device device;
  ptxemu::LaunchOptions run;
  std::vector<uint64_t> addresses;
  for (const Buffer &buffer : launch.buffers) {
    addresses.push_back(device.allocate(buffer.contents.size(), buffer.name));
    device.write(addresses.back(), buffer.contents.data(), buffer.contents.size());
  }
  run.entry = launch.entry;
  run.grid = launch.grid;
  run.arguments = makeArguments(launch, addresses);
  run.seed = seed;
  // Fewer than tile blocks: where these take over others, some do.
  run.multiprocessors = static_cast<unsigned>(1 + seed % 3);
  run.strict = options.isStrict;
  run.dynamicShared = dynamicShared;
  appendTensorMaps(device, ptx, run);
  ptxemu::LaunchResult result = ptxemu::launch(device, ptx, run);
  if (!result.ok())
    return fail(Verdict::EmulatorDiagnostic,
                result.diagnostics.front().kind + ": " + result.diagnostics.front().render());
  for (auto [buffer, address, contents] : llvm::zip(launch.buffers, addresses, expected)) {
    std::vector<uint8_t> bytes(buffer.contents.size());
    device.read(address, bytes.data(), bytes.size());
    if (std::optional<std::string> difference = compareContents(buffer, bytes, contents))
      return fail(Verdict::WrongResult, *difference);
  }
  if (std::optional<std::string> difference = compareOutput(result.output, printed))
    return fail(Verdict::WrongResult, *difference);
  return true;
}

bool Checker::checkPipeline(const Pipeline &pipeline) {
  std::string ptx;
  if (!compile(pipeline, ptx))
    return false;
  if (options.rewrite && !options.rewrite(ptx))
    return true;
  isChanged = true;
  if (isRun && !emulateSchedules(pipeline, ptx))
    return false;
  return options.assembler.empty() || assemble(ptx, pipeline);
}

bool Checker::emulateSchedules(const Pipeline &pipeline, const std::string &ptx) {
  enter("emulate " + name(pipeline));
  try {
    ptxemu::Module parsed = ptxemu::Module::parse(ptx, "program");
    for (unsigned schedule = 1; schedule <= options.schedules; ++schedule) {
      enter("emulate " + name(pipeline) + " seed " + Twine(schedule));
      if (!emulate(parsed, schedule))
        return false;
    }
    note("emulated");
  } catch (const ptxemu::InputError &error) {
    return fail(Verdict::UnknownPtx, error.what());
  }
  return true;
}

Outcome Checker::check(llvm::StringRef text) {
  if (!parse(text) || !roundTrip())
    return outcome;
  bool hasLaunch = !options.isMutant || !launch.entry.empty();
  isRun = hasLaunch && interpret();
  if (!isRun && !options.isMutant)
    return outcome;
  outcome.verdict = Verdict::Agreement;
  outcome.message.clear();
  std::vector<Pipeline> pipelines;
  for (unsigned level : options.levels)
    pipelines.push_back({level, std::nullopt});
  for (const ProfileChoice &choice : options.profiles)
    pipelines.push_back({std::nullopt, choice});
  std::optional<Outcome> refusal;
  for (const std::string &chip : options.gpuNames) {
    gpuName = chip;
    for (const Pipeline &pipeline : pipelines) {
      if (checkPipeline(pipeline))
        continue;
      if (isFailure(outcome.verdict))
        return outcome;
      refusal = std::exchange(outcome, Outcome());
      break;
    }
  }
  if (refusal)
    return *refusal;
  outcome.stage = isChanged ? "done" : kUnchangedStage;
  return outcome;
}

Outcome tileiras::fuzz::checkProgram(llvm::StringRef text, const LaunchCase &launch, const CheckOptions &options,
                                     llvm::function_ref<void(llvm::StringRef)> atStage) {
  return Checker(launch, options, atStage).check(text);
}
