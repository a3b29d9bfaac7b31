//===- WorkBudget.h - How long a scheduler may search -------- -*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_WORKBUDGET_H
#define TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_WORKBUDGET_H

#include <algorithm>
#include <cstdint>

namespace tileiras::async {

/// Time, counted in steps of loops instead of seconds: the same problem has the same schedule on every machine.
class WorkBudget {
public:
  /// `milliseconds`: of a machine of 2024, as far as steps go that problems of thousands of operations still need.
  static WorkBudget forTime(uint32_t milliseconds) {
    constexpr uint64_t perMillisecond = 50000, most = 40'000'000;
    return WorkBudget(std::min(perMillisecond * milliseconds, most));
  }

  bool isOver() const { return left == 0; }
  void spend(uint64_t steps) { left -= std::min(left, steps); }

  /// While it lives the budget is a part of what it was: one over `parts`.
  class Share {
  public:
    Share(WorkBudget &budget, uint64_t parts) : budget(budget), rest(budget.left - budget.left / parts) {
      budget.left /= parts;
    }
    Share(const Share &) = delete;
    Share &operator=(const Share &) = delete;
    ~Share() { budget.left += rest; }

  private:
    WorkBudget &budget;
    uint64_t rest;
  };

private:
  explicit WorkBudget(uint64_t steps) : left(steps) {}

  uint64_t left;
};

} // namespace tileiras::async

#endif // TILEIRAS_PLUGINS_ASYNC_SCHEDULING_SCHEDULERS_WORKBUDGET_H
