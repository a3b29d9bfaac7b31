//===- Acme.h - What the acme plugin registers -----------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ACME_ACME_H
#define ACME_ACME_H

#include "tileiras/Schedule/Scheduler.h"
#include "tileiras/Target/Target.h"

namespace acme {

std::unique_ptr<tileiras::Scheduler> createRelayScheduler();
std::unique_ptr<tileiras::Scheduler> createReverseScheduler();
std::shared_ptr<const tileiras::Target> createToyTarget();

} // namespace acme

#endif // ACME_ACME_H
