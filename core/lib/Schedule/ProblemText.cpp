//===- ProblemText.cpp - The text forms of problems and schedules -----------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Schedule/Schedule.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace tileiras;

namespace {

/// The words of one line, consumed from the front.
class LineReader {
public:
  LineReader(llvm::StringRef line, llvm::StringRef source, unsigned number) : source(source), number(number) {
    llvm::SplitString(line.split('#').first, words, " \t\r,");
  }

  bool atEnd() const { return next == words.size(); }
  bool consume(llvm::StringRef word) {
    if (atEnd() || words[next] != word)
      return false;
    ++next;
    return true;
  }
  llvm::Expected<llvm::StringRef> name(llvm::StringRef what) {
    if (atEnd())
      return error("expected " + what);
    return words[next++];
  }
  llvm::Expected<uint64_t> integer(llvm::StringRef what, uint64_t limit = UINT32_MAX) {
    uint64_t value;
    if (atEnd() || words[next].getAsInteger(10, value) || value > limit)
      return error("expected " + what + ", an integer");
    ++next;
    return value;
  }
  bool peekOffset() const { return !atEnd() && words[next].starts_with("+"); }
  llvm::Expected<uint64_t> offset() {
    words[next] = words[next].drop_front();
    return integer("a delay");
  }
  llvm::Error error(const llvm::Twine &message) const {
    return llvm::createStringError(source + ":" + llvm::Twine(number) + ": " + message);
  }
  llvm::Error unexpected() const { return error("unexpected '" + words[next] + "'"); }

private:
  llvm::SmallVector<llvm::StringRef> words;
  size_t next = 0;
  llvm::StringRef source;
  unsigned number;
};

// The names are those of the attributes. What may be absent is read apart.
constexpr std::pair<const char *, uint32_t ScheduleConstraints::*> kIntegerConstraints[] = {
    {"gid", &ScheduleConstraints::group},
    {"leader_gid", &ScheduleConstraints::leaderGroup},
    {"preferred_atom_size", &ScheduleConstraints::preferredAtomSize},
    {"max_num_slices_for_non_reduce_axis", &ScheduleConstraints::maxSlicesForNonReduceAxis},
    {"max_num_of_recomputations", &ScheduleConstraints::maxRecomputations}};
constexpr std::pair<const char *, bool ScheduleConstraints::*> kUnitConstraints[] = {
    {"force_serial_execution", &ScheduleConstraints::forceSerial},
    {"enable_defusion_if_fusion_extending_liveness", &ScheduleConstraints::enableDefusion},
    {"recomputable", &ScheduleConstraints::recomputable}};

/// Reads the statements of a problem. `value` members report through `failure`, so that a statement reads straight on.
class ProblemParser {
public:
  ScheduleProblem problem;

  llvm::Error statement(LineReader &line) {
    llvm::Error error = dispatch(line);
    if (!error && !line.atEnd())
      return line.unexpected();
    return error;
  }

private:
  llvm::Error dispatch(LineReader &line) {
    if (line.consume("unit"))
      return unit(line);
    if (line.consume("op"))
      return operation(line);
    if (line.consume("edge"))
      return edge(line);
    if (line.consume("buffer"))
      return buffer(line);
    if (line.consume("pipe"))
      return pipe(line);
    if (line.consume("mutex"))
      return mutex(line);
    if (line.consume("registers"))
      return assign(problem.registersPerThread, line.integer("the registers of a thread"));
    if (line.consume("constraint"))
      return constraint(line);
    return line.error("expected 'unit', 'op', 'edge', 'pipe', 'mutex', 'buffer', 'registers' or 'constraint'");
  }

  template <typename T, typename Value>
  static llvm::Error assign(T &into, llvm::Expected<Value> value) {
    if (!value)
      return value.takeError();
    into = T(*value);
    return llvm::Error::success();
  }

  llvm::Error unit(LineReader &line) {
    ExecutionUnit result;
    if (llvm::Error error = assign(result.name, line.name("the unit's name")))
      return error;
    if (line.consume("capacity"))
      if (llvm::Error error = assign(result.capacity, line.integer("the unit's capacity")))
        return error;
    units.try_emplace(result.name, problem.units.size());
    problem.units.push_back(result);
    return llvm::Error::success();
  }

  llvm::Error use(LineReader &line, ScheduleOperation &operation) {
    llvm::Expected<llvm::StringRef> name = line.name("a unit");
    if (!name)
      return name.takeError();
    auto index = units.find(*name);
    if (index == units.end())
      return line.error("no unit is called '" + *name + "'");
    ResourceUse result{index->second};
    if (line.peekOffset())
      if (llvm::Error error = assign(result.offset, line.offset()))
        return error;
    if (llvm::Error error = assign(result.duration, line.integer("the cycles it is busy")))
      return error;
    operation.uses.push_back(result);
    return llvm::Error::success();
  }

  llvm::Error operation(LineReader &line) {
    ScheduleOperation result;
    if (llvm::Error error = assign(result.name, line.name("the operation's name")))
      return error;
    while (line.consume("uses"))
      if (llvm::Error error = use(line, result))
        return error;
    if (line.consume("latency"))
      if (llvm::Error error = assign(result.latency, line.integer("the latency")))
        return error;
    if (line.consume("registers"))
      if (llvm::Error error = assign(result.registers, line.integer("the registers of its results")))
        return error;
    operations.try_emplace(result.name, problem.operations.size());
    problem.operations.push_back(std::move(result));
    return llvm::Error::success();
  }

  llvm::Error operationIndex(LineReader &line, unsigned &index) {
    llvm::Expected<llvm::StringRef> name = line.name("an operation");
    if (!name)
      return name.takeError();
    auto found = operations.find(*name);
    if (found == operations.end())
      return line.error("no operation is called '" + *name + "'");
    index = found->second;
    return llvm::Error::success();
  }

  /// `source -> target`; the latency is the source's unless something else follows.
  llvm::Error endpoints(LineReader &line, ScheduleDependence &edge) {
    if (llvm::Error error = operationIndex(line, edge.source))
      return error;
    if (!line.consume("->"))
      return line.error("expected '->'");
    if (llvm::Error error = operationIndex(line, edge.target))
      return error;
    edge.latency = problem.operations[edge.source].latency;
    return llvm::Error::success();
  }

  llvm::Error edge(LineReader &line) {
    ScheduleDependence result;
    if (llvm::Error error = endpoints(line, result))
      return error;
    result.isOrder = line.consume("order");
    if (line.consume("latency"))
      if (llvm::Error error = assign(result.latency, line.integer("the latency")))
        return error;
    if (line.consume("distance"))
      if (llvm::Error error = assign(result.distance, line.integer("the iteration distance")))
        return error;
    problem.dependences.push_back(result);
    return llvm::Error::success();
  }

  llvm::Error pipe(LineReader &line) {
    ScheduleDependence result;
    uint32_t depth = 0;
    if (llvm::Error error = endpoints(line, result))
      return error;
    if (!line.consume("depth"))
      return line.error("expected 'depth'");
    if (llvm::Error error = assign(depth, line.integer("the number of stages")))
      return error;
    if (depth == 0)
      return line.error("a pipe has at least one stage");
    if (line.consume("latency"))
      if (llvm::Error error = assign(result.latency, line.integer("the latency")))
        return error;
    problem.addPipe(result.source, result.target, result.latency, depth);
    return llvm::Error::success();
  }

  llvm::Error mutex(LineReader &line) {
    ScheduleDependence result;
    if (llvm::Error error = endpoints(line, result))
      return error;
    problem.addPipe(result.source, result.target, result.latency, /*depth=*/1);
    return llvm::Error::success();
  }

  llvm::Error constraint(LineReader &line) {
    unsigned index = 0;
    if (llvm::Error error = operationIndex(line, index))
      return error;
    ScheduleConstraints &constraints = problem.operations[index].constraints;
    while (!line.atEnd())
      if (llvm::Error error = constraintValue(line, constraints))
        return error;
    return llvm::Error::success();
  }

  static llvm::Error constraintValue(LineReader &line, ScheduleConstraints &constraints) {
    for (const auto &[name, member] : kIntegerConstraints)
      if (line.consume(name))
        return assign(constraints.*member, line.integer(("the value of " + llvm::StringRef(name)).str()));
    for (const auto &[name, member] : kUnitConstraints)
      if (line.consume(name)) {
        constraints.*member = true;
        return llvm::Error::success();
      }
    if (!line.consume("max_depth"))
      return line.unexpected();
    constraints.maxDepth.emplace();
    return assign(*constraints.maxDepth, line.integer("the value of max_depth"));
  }

  llvm::Error buffer(LineReader &line) {
    ScheduleBuffer result;
    if (llvm::Error error = assign(result.name, line.name("the buffer's name")))
      return error;
    if (!line.consume("bytes"))
      return line.error("expected 'bytes'");
    if (llvm::Error error = assign(result.bytes, line.integer("the size in bytes", UINT64_MAX)))
      return error;
    if (!line.consume("from"))
      return line.error("expected 'from'");
    if (llvm::Error error = operationIndex(line, result.producer))
      return error;
    while (line.consume("to"))
      if (llvm::Error error = operationIndex(line, result.consumers.emplace_back()))
        return error;
    problem.buffers.push_back(std::move(result));
    return llvm::Error::success();
  }

  llvm::StringMap<unsigned> units, operations; ///< by name: the indices of the first of that name
};

} // namespace

/// Calls `statement` with each line that is not empty.
static llvm::Error forEachLine(llvm::StringRef text, llvm::StringRef source,
                               llvm::function_ref<llvm::Error(LineReader &)> statement) {
  unsigned number = 0;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    LineReader reader(line, source, ++number);
    if (!reader.atEnd())
      if (llvm::Error error = statement(reader))
        return error;
  }
  return llvm::Error::success();
}

llvm::Expected<ScheduleProblem> ScheduleProblem::parse(llvm::StringRef text, llvm::StringRef source) {
  ProblemParser parser;
  if (llvm::Error error = forEachLine(text, source, [&](LineReader &line) { return parser.statement(line); }))
    return error;
  if (llvm::Error error = parser.problem.check())
    return llvm::createStringError(source + ": " + llvm::toString(std::move(error)));
  return std::move(parser.problem);
}

static void printConstraints(const ScheduleOperation &operation, llvm::raw_ostream &os) {
  const ScheduleConstraints &constraints = operation.constraints;
  if (constraints == ScheduleConstraints())
    return;
  os << "constraint " << operation.name;
  for (const auto &[name, member] : kIntegerConstraints)
    if (constraints.*member)
      os << ' ' << name << ' ' << constraints.*member;
  if (constraints.maxDepth)
    os << " max_depth " << *constraints.maxDepth;
  for (const auto &[name, member] : kUnitConstraints)
    if (constraints.*member)
      os << ' ' << name;
  os << '\n';
}

void ScheduleProblem::print(llvm::raw_ostream &os) const {
  for (const ExecutionUnit &unit : units)
    os << "unit " << unit.name << " capacity " << unit.capacity << '\n';
  if (registersPerThread)
    os << "registers " << registersPerThread << '\n';
  for (const ScheduleOperation &operation : operations) {
    os << "op " << operation.name;
    for (const ResourceUse &use : operation.uses) {
      os << " uses " << units[use.unit].name;
      if (use.offset)
        os << " +" << use.offset;
      os << ' ' << use.duration;
    }
    os << " latency " << operation.latency;
    if (operation.registers)
      os << " registers " << operation.registers;
    os << '\n';
  }
  for (const ScheduleDependence &edge : dependences) {
    os << "edge " << operations[edge.source].name << " -> " << operations[edge.target].name
       << (edge.isOrder ? " order" : "") << " latency " << edge.latency;
    if (edge.distance)
      os << " distance " << edge.distance;
    os << '\n';
  }
  for (const ScheduleBuffer &buffer : buffers) {
    os << "buffer " << buffer.name << " bytes " << buffer.bytes << " from " << operations[buffer.producer].name;
    for (unsigned consumer : buffer.consumers)
      os << " to " << operations[consumer].name;
    os << '\n';
  }
  for (const ScheduleOperation &operation : operations)
    printConstraints(operation, os);
}

static llvm::Error parseStart(LineReader &line, const llvm::StringMap<unsigned> &operations, Schedule &schedule,
                              std::vector<bool> &seen) {
  llvm::Expected<llvm::StringRef> name = line.name("an operation");
  if (!name)
    return name.takeError();
  auto found = operations.find(*name);
  if (found == operations.end())
    return line.error("no operation is called '" + *name + "'");
  const unsigned index = found->second;
  if (seen[index])
    return line.error("operation '" + *name + "' starts twice");
  seen[index] = true;
  llvm::Expected<uint64_t> cycle = line.integer("the start cycle");
  if (!cycle)
    return cycle.takeError();
  schedule.starts[index] = *cycle;
  return llvm::Error::success();
}

llvm::Expected<Schedule> Schedule::parse(llvm::StringRef text, const ScheduleProblem &problem, llvm::StringRef source) {
  Schedule schedule;
  schedule.starts.resize(problem.operations.size());
  std::vector<bool> seen(problem.operations.size());
  llvm::StringMap<unsigned> operations;
  for (auto [index, operation] : llvm::enumerate(problem.operations))
    operations.try_emplace(operation.name, index);
  llvm::Error error = forEachLine(text, source, [&](LineReader &line) -> llvm::Error {
    if (line.consume("ii")) {
      llvm::Expected<uint64_t> ii = line.integer("the initiation interval");
      if (!ii)
        return ii.takeError();
      schedule.initiationInterval = *ii;
    } else if (!line.consume("start")) {
      return line.error("expected 'ii' or 'start'");
    } else if (llvm::Error error = parseStart(line, operations, schedule, seen)) {
      return error;
    }
    return line.atEnd() ? llvm::Error::success() : line.unexpected();
  });
  if (error)
    return error;
  for (auto [index, present] : llvm::enumerate(seen))
    if (!present)
      return llvm::createStringError(source + ": operation '" + problem.operations[index].name + "' has no start");
  return schedule;
}

void Schedule::print(const ScheduleProblem &problem, llvm::raw_ostream &os) const {
  os << "ii " << initiationInterval << '\n';
  for (auto [operation, start] : llvm::zip_equal(problem.operations, starts))
    os << "start " << operation.name << ' ' << start << '\n';
}
