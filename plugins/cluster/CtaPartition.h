//===- CtaPartition.h - From what a tile block does to what a CTA does -----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIRAS_PLUGINS_CLUSTER_CTAPARTITION_H
#define TILEIRAS_PLUGINS_CLUSTER_CTAPARTITION_H

#include "CtaPlan.h"

namespace tileiras::cluster {

/// Converts a function whose tiles are whole into one whose tiles are the parts that a CTA has by `plan`, which is
/// reconciled: views and coordinates, ranges and constants become those of the part; what is combined along a cut
/// dimension is combined across CTAs; what CTAs with copies would do several times says so (aa::getSharedCtas).
void partition(aa::FuncOp func, const CtaPlan &plan);

} // namespace tileiras::cluster

#endif // TILEIRAS_PLUGINS_CLUSTER_CTAPARTITION_H
