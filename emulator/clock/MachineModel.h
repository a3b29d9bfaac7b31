//===- MachineModel.h - The figures of a GPU --------------------*- C++ -*-===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef PTX_EMULATOR_TIMING_MACHINEMODEL_H
#define PTX_EMULATOR_TIMING_MACHINEMODEL_H

#include "StaticCode.h"
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace ptxemu::timing {

/// "sm_90a": 90, "a". 0 for what is no architecture.
std::pair<unsigned, std::string> architectureOf(const std::string &target);

/// The machine is unknown, or its file makes no sense.
struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What machines/NAME.toml says, where every figure has its source. Cycles are those of the SM's clock, rates of
/// shared resources are for the whole GPU.
struct MachineModel {
  std::string name;                 ///< as people call it
  std::vector<std::string> targets; ///< PTX targets it runs: "sm_90", "sm_90a"
  bool isTentative = false;         ///< the sources are thin: believe the order of things, not the numbers

  struct {
    double multiprocessors = 0, schedulers = 0, warps = 0, ctas = 0;
    double registers = 0;            ///< an SM
    double registerUnit = 0;         ///< in which a warp gets them
    double registerReads = 0;        ///< that a scheduler's register file delivers, a cycle
    double shared = 0;               ///< bytes an SM can give to its CTAs
    double sharedReserved = 0;       ///< bytes of that the system takes, a CTA
    double unified = 0;              ///< bytes of shared memory and L1 together
    std::vector<double> sharedSizes; ///< KiB of shared memory that a kernel can be given, ascending; L1 has the rest
  } sm;

  struct {
    double mhz = 0;       ///< sustained without tensor cores
    double tensorMhz = 0; ///< sustained while they are always busy
  } clock;

  struct {
    double baseNs = 0, perCtaNs = 0, mostCtas = 0; ///< from the launch to the last of the first CTAs, up to so many
    double ctaCycles = 0;                          ///< from the end of a CTA to the first instruction of the next
    double dispatchNs = 0;   ///< from the start of a CTA, anywhere on the GPU, to that of the next
    double cancelCycles = 0; ///< from a try_cancel to the wait that sees the response
  } launch;

  struct Class {
    double lanes = 0;   ///< a scheduler's pipe takes, a cycle
    double latency = 0; ///< cycles to a result that another instruction can use
  };
  std::array<Class, kIssueClasses> classes{};

  struct {
    double packedF32 = 0;     ///< machine instructions of an add, sub, mul or fma of .f32x2
    double ternaryMinMax = 0; ///< of a min or max of three f32
  } instructions;

  struct {
    double bytes = 0;        ///< a cycle
    double latency = 0;      ///< cycles of a load
    double queue = 0;        ///< cycles of work that the load-store unit takes before warps must wait
    double atomicCycles = 0; ///< of a pass of atomics
  } shared;

  struct {
    double latency = 0; ///< cycles
  } l1;

  struct {
    double capacity = 0;    ///< bytes
    double latency = 0;     ///< cycles
    double readGBs = 0;     ///< 1e9 bytes a second, all SMs: L2 has a clock of its own
    double asyncGBs = 0;    ///< the same, of cp.async that passes L1 by; 0: as of loads
    double portBytes = 0;   ///< a cycle, one SM
    double atomicLanes = 0; ///< atomics to one address, a cycle, the GPU
    /// Where L2 has two halves, each of which keeps what its SMs read: bytes of one, and the cycles of a load that the
    /// other one answers. 0: there is one latency.
    double nearCapacity = 0, farLatency = 0;
  } l2;

  struct {
    double latencyNs = 0;
    double readGBs = 0, writeGBs = 0; ///< 1e9 bytes a second, while very much waits
    double peakGBs = 0;               ///< on the data sheet
    double unevenness = 0;            ///< while requests wait t ns, this over the cube root of t of the rate is lost
  } dram;

  struct {
    double issue = 0;        ///< cycles between two copies of an SM
    double bytes = 0;        ///< a cycle, one SM, from L2
    double totalGBs = 0;     ///< 1e9 bytes a second, all SMs, from L2
    double latency = 0;      ///< cycles of a load from L2, to the wait that sees it
    double dramLatency = 0;  ///< of one from DRAM, in a stream
    double firstLatency = 0; ///< of the SM's first one from a page
    double pageBytes = 0;    ///< of such a page
    double multicast = 0;    ///< cycles more for a multicast
    double storeLatency = 0; ///< cycles until a store is complete
    double readLatency = 0;  ///< cycles until a store has read shared memory
  } copy;

  struct {
    double operations = 0;          ///< of 16-bit elements, a cycle of the SM (a multiply-add is two)
    double base = 0, perColumn = 0; ///< cycles of a wgmma of 256 bits of depth: so many, and so many a column
    double completion =
        0; ///< cycles from the end of the last wgmma of a group to the end of the wait, A in shared memory
    double completionRegisters = 0;       ///< the same, A in registers
    double issue = 0, issueRegisters = 0; ///< cycles a warp takes to issue one
    double issueBeside = 0;    ///< cycles more that a scheduler takes to issue anything while one is under way
    double warpOperations = 0; ///< of mma.sync on 16-bit elements, a cycle of the SM
    double warpLatency = 0;    ///< cycles
    double scaledSpeed = 1;    ///< of mma.sync with factors of blocks, to that without
    double shortSumSpeed = 1;  ///< of mma.sync with sums of f16 or s32, to that with sums of f32
  } tensor;

  struct {
    double least = 0;      ///< cycles of one with 256 bits of depth, however few columns it has
    double perColumn = 0;  ///< cycles a column of tensor memory, of 128 rows
    double pair = 0;       ///< cycles more, to read the operands of a pair of CTAs
    double issue = 0;      ///< cycles a warp takes to issue one
    double completion = 0; ///< from the end of the last one before a commit to the end of the wait that sees it
  } tcgen05;

  struct {
    double columns = 0;                       ///< of 128 lanes of 4 bytes; 0: there is no tensor memory
    double loadBytes = 0, storeBytes = 0;     ///< a cycle, of each quarter of the lanes
    double loadLatency = 0, storeLatency = 0; ///< cycles, before what the bytes take
  } tensorMemory;

  struct {
    double arrive = 0;          ///< cycles
    double wait = 0;            ///< cycles of a wait that finds the phase complete
    double wake = 0;            ///< cycles from the end of a phase to a suspended warp's next instruction
    double barrier = 0;         ///< cycles from the last arrival at a CTA's barrier
    double clusterNs = 0;       ///< of a barrier of two CTAs
    double clusterPerCtaNs = 0; ///< for each further CTA
    double remote = 0;          ///< cycles to another CTA's shared memory
  } sync;

  /// Cycles from one tcgen05.mma to the next, where shared memory delivers the operands in time. `columns`: of tensor
  /// memory; `rowBytes`: of a dense row of A.
  double tensorProductCycles(double columns, double rowBytes) const;
  /// Of a mma.sync, times that of 16-bit elements.
  double warpSpeed(const MatrixShape &) const;
  /// Cycles from one wgmma of this shape to the next, where shared memory delivers the operands in time.
  double wgmmaCycles(const MatrixShape &) const;
  /// Bytes of shared memory that it reads.
  static double wgmmaBytes(const MatrixShape &);
  /// The clock while the tensor cores are busy for this share of the time.
  double gigahertz(double tensorShare) const;

  /// By the name of a file in the folder of machines, or the path of a file (with a '/' or ending in ".toml").
  static MachineModel find(const std::string &nameOrFile);
  static MachineModel parse(const std::string &text, const std::string &file);
  static std::vector<std::string> known();
};

} // namespace ptxemu::timing

#endif // PTX_EMULATOR_TIMING_MACHINEMODEL_H
