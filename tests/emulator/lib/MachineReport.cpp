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
    return (o.negated ? "!" : "") + o.name + offset;
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
  case Wait::Sleep:
    return "sleeps";
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
    out << " 0x" << std::hex << f.waitKey << std::dec << " (phase parity " << f.waitValue << ')';
  out << ", line " << inst.line << ": " << instructionText(fn, inst);
  return out.str();
}

void Machine::traceWarp(Warp &w, const std::function<void()> &run) {
  if (!options.trace)
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
    options.trace->span(process, track, what, begin, now());
}

void Machine::traceEngine(const Cta &cta, const char *track, const char *what, uint64_t begin) {
  if (options.trace)
    options.trace->span(ctaText(cta), track, what, begin, std::max(begin + 1, now()));
}

void Machine::deadlock(const char *kind, const std::string &headline) {
  Fault fault{kind, headline, -1, {}};
  constexpr size_t kMost = 40;
  for (auto &cluster : resident)
    for (auto &cta : cluster->ctas) {
      for (unsigned b = 0; b < cta->barriers.size(); ++b) {
        const Barrier &barrier = cta->barriers[b];
        if (barrier.active)
          fault.notes.push_back(ctaText(*cta) + " barrier " + std::to_string(b) + ": " +
                                std::to_string(barrier.arrived) + " of " +
                                std::to_string(barrier.expected ? barrier.expected : cta->liveThreads) +
                                " threads have arrived (opened at line " + std::to_string(barrier.firstLine) + ")");
      }
      for (auto &w : cta->warps)
        for (const Fragment &f : w->fragments)
          fault.notes.push_back(describe(*w, f));
    }
  if (fault.notes.size() > kMost) {
    size_t rest = fault.notes.size() - kMost;
    fault.notes.resize(kMost);
    fault.notes.push_back("… and " + std::to_string(rest) + " more");
  }
  throw fault;
}

void Machine::undefinedRead(const Exec &x, const Inst &inst, Slot slot, PredicateSlot predicate, uint32_t lanes) {
  // Find the operand's name for the message.
  std::string what = slot != kSink ? "a register" : "a predicate";
  const ast::Function &ast = *x.frame->function->ast;
  if (predicate != kAlwaysTrue && predicate == inst.guard && inst.origin < ast.body.size())
    what = "the guard " + ast.body[inst.origin].guard;
  else if (inst.origin < ast.body.size()) {
    const auto &operands = ast.body[inst.origin].operands;
    for (size_t i = 0; i < inst.s.size() && slot != kSink; ++i)
      if (inst.s[i] == slot && inst.d.size() + i < operands.size() &&
          operands[inst.d.size() + i].kind == ast::Operand::Name)
        what = "register " + operands[inst.d.size() + i].name;
  }
  throw Fault{"uninitialized-register", what + " is read, but this thread never wrote it", std::countr_zero(lanes)};
}

void Machine::record(const Fault &fault, Warp *w) {
  Diagnostic d;
  d.kind = fault.kind;
  d.message = fault.message;
  d.kernel = program->functions[0]->name;
  d.seed = options.seed;
  d.lane = fault.lane;
  d.notes = fault.notes;
  if (w) {
    d.cta = w->cta->id;
    d.warp = static_cast<int>(w->index);
  }
  if (runningInst && runningFunction && w) {
    d.line = runningInst->line;
    d.instruction = instructionText(*runningFunction, *runningInst);
    if (runningInst->origin < runningFunction->ast->body.size()) {
      const ast::SourceLocation &loc = runningFunction->ast->body[runningInst->origin].source;
      auto file = program->module->files.find(loc.file);
      if (file != program->module->files.end())
        d.source = file->second + ":" + std::to_string(loc.line) + ":" + std::to_string(loc.column);
    }
    if (runningFunction != program->functions[0].get())
      d.notes.push_back("in function " + runningFunction->name);
  }
  result.diagnostics.push_back(std::move(d));
}

} // namespace ptxemu
