//===- TuningModel.cpp - Constants that were measured or guessed ----------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileiras/Target/TuningModel.h"

namespace tileiras {

llvm::ArrayRef<TuningEntry> getTuningEntries() {
#define TUNING_ENTRY(FIELD, NAME, VALUE, LEAST, MEANING, SOURCE)                                                       \
  {NAME, &TuningModel::FIELD, LEAST, "tuning." NAME, MEANING "; " SOURCE},
  static constexpr TuningEntry entries[] = {TILEIRAS_TUNING_TABLE(TUNING_ENTRY)};
#undef TUNING_ENTRY
  return entries;
}

} // namespace tileiras
