//===- TileASBarrierOps.cpp - Where threads wait --------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OpImplementation.h"
#include "tileiras/Dialect/TileAS/BarrierOps.h"
#include "tileiras/Layout/RegisterLayouts.h"
#include "tileiras/Target/IsaLimits.h"

using namespace mlir;
using namespace tileiras;
using namespace tileiras::as;

#define GET_OP_CLASSES
#include "tileiras/Dialect/TileAS/TileASBarrierOps.cpp.inc"

/// PTX ISA, "bar": barriers count whole warps. A chip may have fewer of them: who makes the operation asks its machine
/// model.
LogicalResult NamedBarrierOp::verify() {
  constexpr unsigned warp = kLanesPerWarp, most = 1024;
  const unsigned first = getFirst(), last = getLast();
  if (first > last || last >= IsaLimits::kNamedBarriers)
    return emitOpError() << "is at one of the hardware barriers " << first << " to " << last
                         << "; expects the first and the last of a range within 0 to " << IsaLimits::kNamedBarriers - 1;
  if (getThreads() == 0 || getThreads() % warp != 0 || getThreads() > most)
    return emitOpError() << "counts " << getThreads() << " threads; expects whole warps, " << warp << " to " << most
                         << " threads";
  IntegerAttr number;
  if (matchPattern(getNumber(), m_Constant(&number)) && (number.getInt() < first || number.getInt() > last))
    return emitOpError() << "is at hardware barrier " << number.getInt() << ", which is not one of " << first << " to "
                         << last;
  return success();
}

LogicalResult AwaitMbarriersOp::verify() {
  const size_t count = getOffsets().size();
  if (count == 0 || getAddresses().size() != count || getParities().size() != count || getOfCluster().size() != count)
    return emitOpError() << "has " << getAddresses().size() << " addresses, " << count << " offsets, "
                         << getParities().size() << " parities and " << getOfCluster().size()
                         << " orders; expects one of each for every barrier";
  if (llvm::any_of(getOffsets(), [](int64_t offset) { return offset < 0; }))
    return emitOpError() << "has an offset below 0";
  return success();
}
