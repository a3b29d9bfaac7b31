//===- LoopCounts.cpp - How often each instruction ran, by loop -----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopCounts.h"
#include "Ast.h"
#include <algorithm>

namespace ptxemu {

//===----------------------------------------------------------------------===//
// Kinds of instructions
//===----------------------------------------------------------------------===//

namespace {

bool hasModifier(const ast::Instruction &i, std::string_view prefix) {
  return std::any_of(i.modifiers.begin(), i.modifiers.end(),
                     [&](const std::string &m) { return m.compare(0, prefix.size(), prefix) == 0; });
}

/// "shared-load", …
std::string accessKind(const ast::Instruction &i, const char *what) {
  const char *space = hasModifier(i, ".shared")                              ? "shared-"
                      : hasModifier(i, ".local")                             ? "local-"
                      : hasModifier(i, ".param") || hasModifier(i, ".const") ? "parameter-"
                                                                             : "global-";
  return space + std::string(what);
}

std::string kindOf(const ast::Instruction &i) {
  const std::string &op = i.opcode;
  if (op == "wgmma")
    return hasModifier(i, ".mma_async") ? "wgmma" : "wgmma-order";
  if (op == "mma" || op == "wmma")
    return "mma";
  if (op == "tcgen05") {
    if (hasModifier(i, ".mma"))
      return "tcgen05-mma";
    return hasModifier(i, ".ld") ? "tensor-load" : hasModifier(i, ".st") ? "tensor-store" : "tcgen05-order";
  }
  if (op == "ld" || op == "ldu")
    return accessKind(i, "load");
  if (op == "st")
    return accessKind(i, "store");
  if (op == "ldmatrix")
    return "shared-load";
  if (op == "stmatrix")
    return "shared-store";
  if (op == "cp")
    return hasModifier(i, ".bulk") ? "bulk-copy" : "async-copy";
  if (op == "atom" || op == "red")
    return "atomic";
  if (op == "mbarrier")
    return "mbarrier";
  if (op == "bar" || op == "barrier" || op == "fence" || op == "membar")
    return "barrier";
  // The lower one of a pair of registers: nothing is converted.
  if (op == "mov" || (op == "cvt" && hasModifier(i, ".u32") && hasModifier(i, ".u64")))
    return "move";
  if (op == "shfl" || op == "cvt" || op == "bra")
    return op == "shfl" ? "shuffle" : op == "cvt" ? "conversion" : "branch";
  return "other";
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The control flow between the instructions of a function; calls come back, indirect branches end a path.
class FlowGraph {
public:
  explicit FlowGraph(const Function &f) : function(f), predecessors(f.code.size()), dominator(f.code.size(), kNone) {
    for (size_t i = 0; i < f.code.size(); ++i)
      for (size_t next : successors(i))
        predecessors[next].push_back(i);
    orderBackwards();
    findDominators();
  }

  struct Loop {
    size_t header;
    std::vector<size_t> latches;
    std::vector<bool> body;
    size_t size = 0;
  };
  std::vector<Loop> findLoops() const {
    std::map<size_t, Loop> loops;
    for (size_t latch : order)
      for (size_t header : successors(latch))
        if (dominates(header, latch)) {
          Loop &loop =
              loops.try_emplace(header, Loop{header, {}, std::vector<bool>(predecessors.size())}).first->second;
          loop.latches.push_back(latch);
          collect(loop, latch);
        }
    std::vector<Loop> found;
    for (auto &[header, loop] : loops)
      found.push_back(std::move(loop));
    return found;
  }

private:
  static constexpr size_t kNone = SIZE_MAX;

  std::vector<size_t> successors(size_t at) const {
    const Inst &inst = function.code[at];
    const std::string &op = function.ast->body[inst.origin].opcode;
    std::vector<size_t> next;
    if (op == "bra")
      next.push_back(inst.target);
    const bool ends = op == "bra" || op == "brx" || op == "ret" || op == "exit" || op == "trap";
    if ((!ends || inst.guard != kAlwaysTrue) && at + 1 < function.code.size())
      next.push_back(at + 1);
    return next;
  }
  /// Reverse post-order from the function's beginning.
  void orderBackwards() {
    number.assign(predecessors.size(), kNone);
    std::vector<bool> seen(predecessors.size());
    std::vector<std::pair<size_t, std::vector<size_t>>> path;
    auto visit = [&](size_t i) {
      seen[i] = true;
      path.push_back({i, successors(i)});
    };
    if (!predecessors.empty())
      visit(0);
    while (!path.empty()) {
      if (std::vector<size_t> &left = path.back().second; !left.empty()) {
        size_t next = left.back();
        left.pop_back();
        if (!seen[next])
          visit(next);
        continue;
      }
      order.push_back(path.back().first);
      path.pop_back();
    }
    std::reverse(order.begin(), order.end());
    for (size_t i = 0; i < order.size(); ++i)
      number[order[i]] = i;
  }
  void findDominators() {
    if (order.empty())
      return;
    dominator[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i : order) {
        if (i == 0)
          continue;
        size_t common = kNone;
        for (size_t p : predecessors[i])
          if (dominator[p] != kNone)
            common = common == kNone ? p : meet(common, p);
        changed |= dominator[i] != common;
        dominator[i] = common;
      }
    }
  }
  size_t meet(size_t a, size_t b) const {
    while (a != b)
      (number[a] > number[b] ? a : b) = dominator[number[a] > number[b] ? a : b];
    return a;
  }
  bool dominates(size_t a, size_t b) const {
    while (number[b] > number[a])
      b = dominator[b];
    return a == b;
  }
  /// Everything that reaches the latch without the header.
  void collect(Loop &loop, size_t latch) const {
    std::vector<size_t> work{latch};
    if (!loop.body[loop.header]) {
      loop.body[loop.header] = true;
      ++loop.size;
    }
    while (!work.empty()) {
      size_t i = work.back();
      work.pop_back();
      if (loop.body[i] || number[i] == kNone)
        continue;
      loop.body[i] = true;
      ++loop.size;
      work.insert(work.end(), predecessors[i].begin(), predecessors[i].end());
    }
  }

  const Function &function;
  std::vector<std::vector<size_t>> predecessors;
  std::vector<size_t> order, number, dominator;
};

} // namespace

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

void LoopCounts::add(const LoopCounts &other) {
  for (const auto &[function, counts] : other.functions) {
    std::vector<Count> &sum = functions[function];
    sum.resize(counts.size());
    for (size_t i = 0; i < counts.size(); ++i) {
      sum[i].executed += counts[i].executed;
      sum[i].active += counts[i].active;
    }
  }
}

std::vector<LoopProfile> LoopCounts::summarize() const {
  std::vector<LoopProfile> profiles;
  for (const auto &[function, counts] : functions) {
    std::vector<FlowGraph::Loop> loops = FlowGraph(*function).findLoops();
    // Inner loops first.
    std::stable_sort(loops.begin(), loops.end(), [](const auto &a, const auto &b) { return a.size < b.size; });
    std::vector<bool> taken(function->code.size());
    for (auto loop = loops.begin(); loop != loops.end(); ++loop) {
      LoopProfile profile{function->name, function->code[loop->header].line, 0, 0, 0, {}};
      auto around = std::find_if(loop + 1, loops.end(), [&](const auto &o) { return o.body[loop->header]; });
      if (around != loops.end())
        profile.around = function->code[around->header].line;
      profile.iterations = profile.entries = counts[loop->header].executed;
      for (size_t latch : loop->latches)
        profile.entries -= std::min(profile.entries, counts[latch].active);
      for (size_t i = 0; i < counts.size(); ++i)
        if (loop->body[i] && !taken[i]) {
          taken[i] = true;
          if (const uint64_t executed = counts[i].executed * function->code[i].machineInstructions)
            profile.instructions[kindOf(function->ast->body[function->code[i].origin])] += executed;
        }
      if (profile.iterations)
        profiles.push_back(std::move(profile));
    }
  }
  std::sort(profiles.begin(), profiles.end(),
            [](const auto &a, const auto &b) { return std::tie(a.function, a.line) < std::tie(b.function, b.line); });
  return profiles;
}

void LoopProfile::print(std::ostream &out) const {
  out << "loop at line " << line << " of " << function;
  if (around)
    out << ", in the loop at line " << around;
  out << ": " << entries << " entries, " << iterations << " iterations\n";
  for (const auto &[kind, count] : instructions)
    out << "  " << kind << std::string(25 - std::min<size_t>(kind.size(), 24), ' ') << count << '\n';
}

} // namespace ptxemu
