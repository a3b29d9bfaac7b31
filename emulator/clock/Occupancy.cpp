//===- Occupancy.cpp - How many CTAs an SM takes --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Occupancy.h"
#include "Ast.h"
#include <algorithm>
#include <bit>
#include <cmath>

namespace ptxemu::timing {

Occupancy occupancyOf(const MachineModel &model, const CtaNeeds &needs) {
  const double warps = std::ceil(needs.threads / 32.0);
  // Registers are given to warps in units, and warps to schedulers.
  const double warpRegisters = std::ceil(needs.registers * 32 / model.sm.registerUnit) * model.sm.registerUnit;
  const double schedulers = model.sm.schedulers;
  const double warpsByRegisters =
      std::floor(model.sm.registers / schedulers / std::max(1.0, warpRegisters)) * schedulers;
  const std::pair<const char *, double> limits[] = {
      {"registers", std::floor(warpsByRegisters / warps)},
      {"shared memory", std::floor(model.sm.shared / (static_cast<double>(needs.shared) + model.sm.sharedReserved))},
      {"warps", std::floor(model.sm.warps / warps)},
      {"CTAs", model.sm.ctas}};
  const auto *least = std::min_element(std::begin(limits), std::end(limits),
                                       [](const auto &a, const auto &b) { return a.second < b.second; });
  Occupancy result;
  result.ctas = static_cast<unsigned>(least->second);
  result.warps = result.ctas * static_cast<unsigned>(warps);
  result.limit = least->first;
  return result;
}

double l1Bytes(const MachineModel &model, const CtaNeeds &needs, unsigned ctas) {
  constexpr double kKiB = 1024;
  const double wanted = ctas * (static_cast<double>(needs.shared) + model.sm.sharedReserved);
  const std::vector<double> &sizes = model.sm.sharedSizes;
  const auto size = std::find_if(sizes.begin(), sizes.end(), [&](double kib) { return kib * kKiB >= wanted; });
  return std::max(0.0, model.sm.unified - (size == sizes.end() ? model.sm.shared : *size * kKiB));
}

namespace {

/// Which registers hold values where, found backwards from the uses.
class Liveness {
public:
  explicit Liveness(const Function &f) : function(f), liveIn(f.code.size()), words(f.registers, 1) {
    for (const Inst &inst : f.code)
      for (RegisterIndex d : inst.d)
        if (d >= 0)
          words[static_cast<size_t>(d)] = std::max(words[static_cast<size_t>(d)], wordsOf(inst));
    for (auto &set : liveIn)
      set.assign((f.registers + 63) / 64, 0);
  }

  unsigned most() {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = function.code.size(); i-- > 0;)
        changed |= update(i);
    }
    unsigned best = 0;
    for (const auto &set : liveIn)
      best = std::max(best, weight(set));
    return best;
  }

private:
  using Set = std::vector<uint64_t>;

  unsigned wordsOf(const Inst &inst) const {
    const ast::Instruction &ast = function.ast->body[inst.origin];
    for (const std::string &m : ast.modifiers) {
      if (m == ".wide")
        return 2;
      if (auto t = parseType(m))
        return bitWidth(*t) == 64 ? 2 : 1;
    }
    return 1;
  }
  unsigned weight(const Set &set) const {
    unsigned sum = 0;
    for (size_t word = 0; word < set.size(); ++word)
      for (uint64_t bits = set[word]; bits; bits &= bits - 1)
        sum += words[word * 64 + static_cast<size_t>(std::countr_zero(bits))];
    return sum;
  }
  bool update(size_t i) {
    const Inst &inst = function.code[i];
    const std::string &op = function.ast->body[inst.origin].opcode;
    Set live((function.registers + 63) / 64, 0);
    const auto join = [&](size_t next) {
      if (next < liveIn.size())
        for (size_t w = 0; w < live.size(); ++w)
          live[w] |= liveIn[next][w];
    };
    const bool ends = op == "bra" || op == "ret" || op == "exit" || op == "trap";
    if (op == "bra")
      join(inst.target);
    if (!ends || inst.guard != kAlwaysTrue)
      join(i + 1);
    const auto bit = [](RegisterIndex s) { return uint64_t(1) << (static_cast<unsigned>(s) % 64); };
    // A wgmma also reads what it adds to; a guarded write may leave the old value.
    const bool accumulates = (inst.flags & kWgmma) && op == "wgmma";
    if (!accumulates && inst.guard == kAlwaysTrue)
      for (RegisterIndex d : inst.d)
        if (d >= 0)
          live[static_cast<size_t>(d) / 64] &= ~bit(d);
    for (const auto *list : {&inst.s, accumulates ? &inst.d : &inst.s})
      for (RegisterIndex s : *list)
        if (s >= 0)
          live[static_cast<size_t>(s) / 64] |= bit(s);
    if (live == liveIn[i])
      return false;
    liveIn[i] = std::move(live);
    return true;
  }

  const Function &function;
  std::vector<Set> liveIn;
  std::vector<unsigned> words;
};

} // namespace

unsigned liveRegisters(const Function &f) {
  return Liveness(f).most();
}

} // namespace ptxemu::timing
