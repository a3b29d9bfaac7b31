//===- MachineReport.cpp - Telling what went wrong, and where everything stands -===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include <algorithm>
#include <sstream>

namespace ptxemu {

namespace {

std::string operandText(const ast::Operand &o) {
  auto list = [&](const char *open, const char *close) {
    std::string text = open;
    for (const ast::Operand &e : o.elements)
      text += (&e == o.elements.data() ? "" : ", ") + operandText(e);
    return text + close;
  };
  auto hex = [](const char *prefix, uint64_t bits, int digits) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%s%0*llX", prefix, digits, static_cast<unsigned long long>(bits));
    return std::string(buffer);
  };
  std::string offset = o.offset ? (o.offset > 0 ? "+" : "") + std::to_string(o.offset) : "";
  switch (o.kind) {
  case ast::Operand::Name:
    return (o.negated ? "!" : o.minus ? "-" : "") + o.name + o.selector + offset;
  case ast::Operand::Integer:
    return std::to_string(static_cast<int64_t>(o.bits));
  case ast::Operand::Float32:
    return hex("0f", o.bits, 8);
  case ast::Operand::Float64:
    return hex("0d", o.bits, 16);
  case ast::Operand::Sink:
    return "_";
  case ast::Operand::Vector:
    return list("{", "}");
  case ast::Operand::List:
    return list("(", ")");
  case ast::Operand::Pair:
    return operandText(o.elements[0]) + "|" + operandText(o.elements[1]);
  case ast::Operand::Address: {
    std::string text = list("[", "]");
    text.insert(text.size() - 1, offset);
    return text;
  }
  }
  return "";
}

const char *waitText(Wait w) {
  switch (w) {
  case Wait::None:
    return "can run";
  case Wait::Convergence:
    return "waits for the other lanes of its warp";
  case Wait::WarpBarrier:
    return "waits at a warp barrier";
  case Wait::Barrier:
    return "waits at barrier";
  case Wait::ClusterBarrier:
    return "waits at the cluster barrier";
  case Wait::Mbarrier:
    return "waits for the mbarrier at shared address";
  case Wait::AsyncGroup:
    return "waits for its asynchronous copies";
  case Wait::TensorMemory:
    return "waits for tensor memory to become free";
  case Wait::Registers:
    return "waits at setmaxnreg.inc for registers";
  case Wait::Warpgroup:
    return "waits for the other warps of its warpgroup to issue the wgmma";
  }
  return "";
}

std::string ctaText(const Cta &c) {
  return "CTA (" + std::to_string(c.id[0]) + ", " + std::to_string(c.id[1]) + ", " + std::to_string(c.id[2]) + ")";
}

} // namespace

std::string Machine::instructionText(const Function &f, const Inst &inst) const {
  if (inst.origin >= f.ast->body.size())
    return "end of " + f.name;
  const ast::Instruction &i = f.ast->body[inst.origin];
  std::string text = i.guard.empty() ? "" : "@" + std::string(i.guardNegated ? "!" : "") + i.guard + " ";
  text += i.mnemonic();
  for (const ast::Operand &o : i.operands)
    text += (&o == i.operands.data() ? " " : ", ") + operandText(o);
  return text.size() > 200 ? text.substr(0, 200) + " …" : text;
}

std::string Machine::describe(const Warp &w, const Fragment &f) const {
  std::ostringstream out;
  const Function &fn = *f.frame->function;
  const Inst &inst = fn.code[std::min<size_t>(f.pc, fn.code.size() - 1)];
  out << ctaText(*w.cta) << " warp " << w.index << " lanes 0x" << std::hex << f.mask << std::dec << ' '
      << waitText(f.wait);
  if (f.wait == Wait::Barrier)
    out << ' ' << f.waitKey;
  if (f.wait == Wait::Mbarrier)
    out << ' ' << hexText(f.waitKey) << " to complete the phase " << (inst.flag ? "of parity " : "") << f.waitValue;
  if (f.wait == Wait::Registers)
    out << ": it needs " << f.waitValue << ", the CTA's pool has " << w.cta->freeRegisters;
  out << ", line " << inst.line << ": " << instructionText(fn, inst);
  return out.str();
}

void Machine::traceWarp(Warp &w, const std::function<void()> &run) {
  if (!launchOptions().trace)
    return run();
  uint64_t begin = now();
  std::string process = ctaText(*w.cta), track = "warp " + std::to_string(w.index), what = "run";
  if (!w.done()) {
    const Fragment &f = w.fragments[std::min<size_t>(w.current, w.fragments.size() - 1)];
    const Function &fn = *f.frame->function;
    const Inst &inst = fn.code[f.pc];
    what = "line " + std::to_string(inst.line);
    if (inst.origin < fn.ast->body.size())
      what += ": " + fn.ast->body[inst.origin].mnemonic();
  }
  run();
  if (now() > begin)
    launchOptions().trace->span(process, track, what, epoch + begin, epoch + now());
}

void Machine::traceEngine(const Cta &cta, const char *track, const char *what, uint64_t begin) {
  if (launchOptions().trace)
    launchOptions().trace->span(ctaText(cta), track, what, epoch + begin, epoch + std::max(begin + 1, now()));
}

namespace {

std::string barrierText(const Cta &cta, unsigned id) {
  const Barrier &b = cta.barriers[id];
  return ctaText(cta) + " barrier " + std::to_string(id) + ": " + std::to_string(b.arrived) + " of " +
         std::to_string(b.expected ? b.expected : cta.liveThreads) + " threads have arrived (opened at line " +
         std::to_string(b.firstLine) + ")";
}

std::string mbarrierText(const Cta &cta, uint64_t offset, const Mbarrier &b) {
  std::string text = ctaText(cta) + " mbarrier at shared address " + hexText(offset) + " (initialised at line " +
                     std::to_string(b.init.line) + "): in phase " + std::to_string(b.phase) + " (parity " +
                     std::to_string(b.phase & 1) + "), which still needs ";
  std::string needs = b.pending ? std::to_string(b.pending) + " of " + std::to_string(b.expected) + " arrivals" : "";
  if (b.transactions > 0)
    needs += (needs.empty() ? "" : " and ") + std::to_string(b.transactions) + " bytes";
  if (b.transactions < 0)
    needs += (needs.empty() ? "" : " and ") + ("an expect_tx for " + std::to_string(-b.transactions)) +
             " bytes that have come unexpected";
  text += needs.empty() ? "nothing" : needs;
  return text + (b.inFlight ? "; " + std::to_string(b.inFlight) + " operations in flight will signal it"
                            : "; nothing in flight will signal it");
}

} // namespace

std::vector<std::string> Machine::situation() const {
  std::vector<std::string> lines;
  for (auto &cta : cluster.ctas) {
    for (unsigned b = 0; b < cta->barriers.size(); ++b)
      if (cta->barriers[b].active)
        lines.push_back(barrierText(*cta, b));
    for (const auto &[offset, b] : cta->mbarriers)
      lines.push_back(mbarrierText(*cta, offset, b));
    for (auto &w : cta->warps) {
      if (w->done())
        lines.push_back(ctaText(*cta) + " warp " + std::to_string(w->index) + " has ended");
      for (const Fragment &f : w->fragments)
        lines.push_back(describe(*w, f));
    }
  }
  if (cluster.ctas.size() > 1 && cluster.arrived)
    lines.push_back("cluster barrier: " + std::to_string(cluster.arrived) + " threads have arrived");
  return lines;
}

Diagnostic Machine::report(const std::string &kind, const std::string &message, std::vector<std::string> notes) const {
  Diagnostic d;
  d.kind = kind;
  d.message = message;
  d.kernel = linkedProgram().functions[0]->name;
  d.seed = launchOptions().seed;
  d.grid = cluster.grid;
  d.cta = cluster.ctas[0]->id;
  d.notes = std::move(notes);
  return d;
}

std::string Machine::operandName(const Exec &x, const Inst &inst, RegisterIndex reg) const {
  const ast::Function &ast = *x.frame->function->ast;
  if (inst.origin >= ast.body.size())
    return "a register";
  // Results stand before sources, unless they are in braces.
  const auto &operands = ast.body[inst.origin].operands;
  auto nameAt = [&](size_t i) {
    return i < operands.size() && operands[i].kind == ast::Operand::Name ? "register " + operands[i].name
                                                                         : "a register";
  };
  for (size_t i = 0; i < inst.d.size(); ++i)
    if (inst.d[i] == reg)
      return nameAt(i);
  for (size_t i = 0; i < inst.s.size(); ++i)
    if (inst.s[i] == reg)
      return nameAt(inst.d.size() + i);
  return "a register";
}

void Machine::undefinedRead(const Exec &x, const Inst &inst, RegisterIndex reg, PredicateIndex predicate,
                            uint32_t lanes) {
  Frame &frame = *x.frame;
  const ast::Function &ast = *frame.function->ast;
  std::string what = reg != kSink ? operandName(x, inst, reg) : "a predicate";
  if (predicate != kAlwaysTrue && predicate == inst.guard && inst.origin < ast.body.size())
    what = "the guard " + ast.body[inst.origin].guard;
  auto shuffled = frame.shuffled.find(reg);
  complain(
      {"uninitialized-register",
       shuffled == frame.shuffled.end()
           ? what + " is read, but this thread never wrote it"
           : what + " is read, but the shfl.sync at PTX line " + std::to_string(shuffled->second) +
                 " gave this thread no value: the lane it took it from does not exist, has exited, is not named in "
                 "the member mask, or had none itself",
       std::countr_zero(lanes)});
  // Once is enough.
  if (reg != kSink)
    frame.defined[reg] |= lanes;
  else
    frame.predicatesDefined[predicate >> 1] |= lanes;
}

void Machine::complain(const Fault &fault) {
  Diagnostic d = diagnose(fault, running);
  if (!noticed.insert({d.kind, d.line, d.line ? "" : d.message}).second)
    return;
  d.isWarning = launchOptions().allowed.count(d.kind) != 0;
  if (!d.isWarning && ++errors >= launchOptions().mostReports)
    throw fault;
  reports.push_back(std::move(d));
}

Diagnostic Machine::diagnose(const Fault &fault, const Warp *w) const {
  Diagnostic d = report(fault.kind, fault.message, fault.notes);
  d.lane = fault.lane;
  if (w) {
    d.cta = w->cta->id;
    d.warp = static_cast<int>(w->index);
  }
  if (runningInst && runningFunction && w) {
    d.line = runningInst->line;
    d.instruction = instructionText(*runningFunction, *runningInst);
    d.source = sourceText(*runningFunction, *runningInst);
    if (runningFunction != linkedProgram().functions[0].get())
      d.notes.push_back("in function " + runningFunction->name);
  }
  return d;
}

std::string Machine::sourceOfLine(unsigned line) const {
  for (const auto &f : linkedProgram().functions)
    for (const Inst &inst : f->code)
      if (inst.line == line)
        return sourceText(*f, inst);
  return "";
}

std::string Machine::sourceText(const Function &f, const Inst &inst) const {
  if (inst.origin >= f.ast->body.size())
    return "";
  const ast::SourceLocation &loc = f.ast->body[inst.origin].source;
  auto file = moduleAst().files.find(loc.file);
  if (file == moduleAst().files.end())
    return "";
  return file->second + ":" + std::to_string(loc.line) + ":" + std::to_string(loc.column);
}

} // namespace ptxemu
