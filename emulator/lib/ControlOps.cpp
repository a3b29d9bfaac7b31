//===- ControlOps.cpp - Branches, calls and returns ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionDecoder.h"
#include "Lanewise.h"
#include "Machine.h"
#include "SystemCalls.h"
#include <algorithm>
#include <cstring>

namespace ptxemu {

namespace {

void branchTo(Exec &x, const Inst &inst) {
  if (x.mask)
    x.machine.branch(x, x.mask, inst.target);
}

void decodeBra(OpReader &r) {
  r.accept(".uni");
  r.expectCount(1, 1);
  r.inst.opClass = OpClass::Control;
  r.inst.flags |= kControl;
  r.inst.handler = branchTo;
  uint32_t target = r.function.labelTarget(r.operand(0).name, r.ast.scope, r.ast.line);
  uint32_t index = static_cast<uint32_t>(&r.ast - r.function.ast.body.data());
  r.function.fixups.push_back([target, index, &f = r.function.function](const std::vector<uint32_t> &code) {
    // The branch is the last of the instructions its line became.
    f.code[code[index + 1] - 1].target = code[target];
  });
}

/// brx.idx: lanes go where their index says.
void branchIndexed(Exec &x, const Inst &inst) {
  const auto &targets = inst.as<std::vector<uint32_t>>();
  const Lanes index = x.s(0);
  uint32_t left = x.mask;
  while (left) {
    unsigned first = static_cast<unsigned>(std::countr_zero(left));
    if (index[first] >= targets.size())
      throw Fault{"bad-branch",
                  "brx.idx index " + std::to_string(index[first]) + " exceeds its table of " +
                      std::to_string(targets.size()),
                  static_cast<int>(first)};
    uint32_t group = 0;
    for (unsigned l = 0; l < 32; ++l)
      if (left >> l & 1 && index[l] == index[first])
        group |= 1u << l;
    left &= ~group;
    x.machine.branch(x, group, targets[index[first]]);
  }
}

void decodeBrx(OpReader &r) {
  if (!r.accept(".idx"))
    r.fail("needs .idx");
  r.accept(".uni");
  r.expectCount(2, 2);
  r.inst.opClass = OpClass::Control;
  r.inst.flags |= kControl;
  r.inst.handler = branchIndexed;
  r.addSource(0, Type::U32);
  const auto *labels = r.function.table(r.operand(1).name, r.ast.scope);
  if (!labels)
    r.fail("'" + r.operand(1).name + "' is not a .branchtargets table");
  auto targets = std::make_shared<std::vector<uint32_t>>();
  for (const std::string &label : *labels)
    targets->push_back(r.function.labelTarget(label, r.ast.scope, r.ast.line));
  r.inst.extra = targets;
  r.function.fixups.push_back([targets](const std::vector<uint32_t> &code) {
    for (uint32_t &t : *targets)
      t = code[t];
  });
}

//===--- Returns ----------------------------------------------------------===//

/// Copies a returning function's results to where its call wants them.
void copyResults(Exec &x, uint32_t lanes);

void ret(Exec &x, const Inst &) {
  if (!x.mask)
    return;
  if (x.frame->parent)
    copyResults(x, x.mask);
  x.machine.returnFrom(x, x.mask);
}

void decodeRet(OpReader &r) {
  r.accept(".uni");
  r.expectCount(0, 0);
  r.inst.opClass = OpClass::Control;
  r.inst.flags |= kControl;
  r.inst.handler = ret;
}

void exitThread(Exec &x, const Inst &) {
  if (x.mask)
    x.machine.exitLanes(x, x.mask);
}

void decodeExit(OpReader &r) {
  r.expectCount(0, 0);
  r.inst.opClass = OpClass::Control;
  r.inst.flags |= kControl;
  r.inst.handler = exitThread;
}

void trap(Exec &x, const Inst &inst) {
  throw Fault{inst.mode ? "breakpoint" : "trap", inst.mode ? "the program hit brkpt" : "the program executed trap",
              std::countr_zero(x.mask)};
}

//===--- Calls ------------------------------------------------------------===//

/// How one argument or result travels between frames.
struct Transfer {
  ParameterPlace here;         ///< in the caller: a parameter variable, a register or a constant
  RegisterIndex value = kSink; ///< register arguments, constants included
  PredicateIndex predicate = kAlwaysTrue;
};

struct CallInfo {
  const Function *callee = nullptr; ///< null: indirect
  SystemCall system = nullptr;
  std::vector<Transfer> arguments, results;
};

uint8_t *parameterBytes(Frame &f, unsigned lane, uint32_t offset) {
  return f.parameters.data() + static_cast<size_t>(f.function->parameterBytes) * lane + offset;
}

void copyArguments(Exec &x, const CallInfo &info, Frame &caller, Frame &callee, uint32_t lanes) {
  const Function &f = *callee.function;
  if (f.parameters.size() != info.arguments.size() || f.results.size() != info.results.size())
    throw Fault{"bad-call", "the call does not pass what '" + f.name + "' takes", std::countr_zero(lanes)};
  for (size_t i = 0; i < info.arguments.size(); ++i) {
    const Transfer &t = info.arguments[i];
    const ParameterPlace &p = f.parameters[i];
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = static_cast<unsigned>(std::countr_zero(m));
      if (p.reg != kSink) {
        callee.registers[p.reg][l] = t.value >= 0 ? caller.registers[t.value][l] : caller.constants[~t.value][l];
        callee.defined[p.reg] |= 1u << l;
      } else if (t.value != kSink) {
        uint64_t v = t.value >= 0 ? caller.registers[t.value][l] : caller.constants[~t.value][l];
        std::memcpy(parameterBytes(callee, l, p.offset), &v, std::min<uint32_t>(p.size, 8));
      } else {
        std::memcpy(parameterBytes(callee, l, p.offset), parameterBytes(caller, l, t.here.offset),
                    std::min(p.size, t.here.size));
      }
    }
  }
}

void copyResults(Exec &x, uint32_t lanes) {
  Frame &callee = *x.frame, &caller = *callee.parent;
  const CallInfo &info = callee.call->as<CallInfo>();
  for (size_t i = 0; i < info.results.size(); ++i) {
    const Transfer &t = info.results[i];
    const ParameterPlace &p = callee.function->results[i];
    for (uint32_t m = lanes; m; m &= m - 1) {
      unsigned l = static_cast<unsigned>(std::countr_zero(m));
      if (p.reg != kSink && t.value >= 0) {
        caller.registers[t.value][l] = callee.registers[p.reg][l];
        caller.defined[t.value] |= 1u << l;
      } else if (p.reg == kSink && t.value >= 0) {
        uint64_t v = 0;
        std::memcpy(&v, parameterBytes(callee, l, p.offset), std::min<uint32_t>(p.size, 8));
        caller.registers[t.value][l] = v;
        caller.defined[t.value] |= 1u << l;
      } else if (p.reg == kSink) {
        std::memcpy(parameterBytes(caller, l, t.here.offset), parameterBytes(callee, l, p.offset),
                    std::min(p.size, t.here.size));
      }
    }
  }
}

void enter(Exec &x, const Inst &inst, const Function &callee, uint32_t lanes) {
  Frame &caller = *x.frame;
  x.machine.call(x, inst, callee, lanes);
  copyArguments(x, inst.as<CallInfo>(), caller, *caller.callees.at({&inst, &callee}), lanes);
}

void call(Exec &x, const Inst &inst) {
  if (!x.mask)
    return;
  const CallInfo &info = inst.as<CallInfo>();
  if (info.callee)
    return enter(x, inst, *info.callee, x.mask);
  // Indirect: lanes that agree on the target go together.
  const Lanes target = x.s(0);
  uint32_t left = x.mask;
  while (left) {
    unsigned first = static_cast<unsigned>(std::countr_zero(left));
    uint32_t group = 0;
    for (unsigned l = 0; l < 32; ++l)
      if (left >> l & 1 && target[l] == target[first])
        group |= 1u << l;
    const auto &functions = x.machine.linkedProgram().functions;
    auto f =
        std::find_if(functions.begin(), functions.end(), [&](const auto &f) { return f->address == target[first]; });
    if (f == functions.end())
      throw Fault{"bad-call", "the called address is not a function's", static_cast<int>(first)};
    if (!(*f)->ast->hasBody)
      throw Fault{"bad-call", "the called function '" + (*f)->name + "' has no body in the module",
                  static_cast<int>(first)};
    enter(x, inst, **f, group);
    left &= ~group;
    if (left)
      // enter() left the rest in the current fragment; it stands behind the call like the lanes whose guard is false.
      x.frame = x.fragment->frame;
  }
}

void systemCall(Exec &x, const Inst &inst) {
  const CallInfo &info = inst.as<CallInfo>();
  Frame &f = *x.frame;
  SystemCallArguments arguments;
  arguments.read = [&](unsigned i, unsigned lane) {
    const Transfer &t = info.arguments.at(i);
    uint64_t v = 0;
    if (t.value != kSink)
      return x.source(t.value)[lane];
    std::memcpy(&v, parameterBytes(f, lane, t.here.offset), std::min<uint32_t>(t.here.size, 8));
    return v;
  };
  arguments.write = [&](unsigned lane, uint64_t v) {
    if (info.results.empty())
      return;
    const Transfer &t = info.results[0];
    if (t.value >= 0) {
      x.registers[t.value][lane] = v;
      x.define(t.value, 1u << lane);
    } else {
      std::memcpy(parameterBytes(f, lane, t.here.offset), &v, std::min<uint32_t>(t.here.size, 8));
    }
  };
  arguments.count = static_cast<unsigned>(info.arguments.size());
  info.system(x, arguments);
}

Transfer transferOf(OpReader &r, const ast::Operand &o, bool isResult) {
  Transfer t;
  if (o.kind == ast::Operand::Name) {
    Symbol s = r.function.lookup(o.name, r.ast.scope, r.ast.line);
    if (s.kind == Symbol::FrameParameter) {
      t.here.offset = static_cast<uint32_t>(s.address);
      t.here.size = ~0u;
      // The declared size bounds the copy.
      for (int scope = static_cast<int>(r.ast.scope); scope >= 0;
           scope = r.function.ast.scopes[static_cast<size_t>(scope)].parent) {
        const auto &variables = r.function.ast.scopes[static_cast<size_t>(scope)].variables;
        if (auto v = variables.find(o.name); v != variables.end()) {
          t.here.size = static_cast<uint32_t>(v->second.size());
          break;
        }
      }
      if (t.here.size == ~0u)
        for (const auto *list : {&r.function.function.parameters, &r.function.function.results})
          for (const ParameterPlace &p : *list)
            if (p.name == o.name)
              t.here.size = p.size;
      return t;
    }
    if (s.kind == Symbol::Register) {
      t.value = s.reg;
      return t;
    }
  }
  if (isResult || o.kind == ast::Operand::Vector || o.kind == ast::Operand::List)
    r.fail("a call takes parameter variables, registers and constants");
  t.value = r.sourceAtLeast(o, Type::B64);
  return t;
}

void decodeCall(OpReader &r) {
  r.accept(".uni");
  r.inst.opClass = OpClass::Control;
  auto info = std::make_shared<CallInfo>();
  size_t next = 0;
  if (r.operand(0).kind == ast::Operand::List)
    for (const ast::Operand &o : r.operand(next++).elements)
      info->results.push_back(transferOf(r, o, true));
  const ast::Operand &target = r.operand(next++);
  if (next < r.count() && r.operand(next).kind == ast::Operand::List)
    for (const ast::Operand &o : r.operand(next++).elements)
      info->arguments.push_back(transferOf(r, o, false));
  if (target.kind != ast::Operand::Name)
    r.fail("expected a function");
  Symbol s = r.function.lookup(target.name, r.ast.scope, r.ast.line);
  r.inst.extra = info;
  if (s.kind == Symbol::Register) {
    r.function.linker.callsIndirectly();
    r.inst.s.push_back(s.reg);
    r.inst.flags |= kControl;
    r.inst.handler = call;
    return;
  }
  if (s.kind != Symbol::Function)
    r.fail("'" + target.name + "' is not a function");
  Function &f = r.function.linker.function(target.name, r.ast.line);
  if (f.ast->hasBody) {
    info->callee = &f;
    r.inst.flags |= kControl;
    r.inst.handler = call;
    return;
  }
  info->system = findSystemCall(target.name);
  if (!info->system)
    r.fail("function '" + target.name + "' has no body, and the emulator does not provide it");
  if (target.name == "malloc" || target.name == "free")
    r.inst.flags |= kDeviceOrder;
  r.inst.handler = systemCall;
}

} // namespace

void addControlOps(OpcodeTable &t) {
  t["bra"] = decodeBra;
  t["brx"] = decodeBrx;
  t["ret"] = decodeRet;
  t["exit"] = decodeExit;
  t["call"] = decodeCall;
  t["trap"] = t["brkpt"] = [](OpReader &r) {
    r.expectCount(0, 0);
    r.inst.opClass = OpClass::Control;
    r.inst.mode = r.ast.opcode == "brkpt";
    r.inst.handler = trap;
  };
  t["pmevent"] = [](OpReader &r) {
    r.accept(".mask");
    r.inst.handler = doNothing;
  };
}

} // namespace ptxemu
