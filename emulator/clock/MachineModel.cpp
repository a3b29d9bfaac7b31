//===- MachineModel.cpp - Reads the figures of a GPU ----------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineModel.h"
#include "MachineFiles.h"
#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>
#include <toml++/toml.h>

namespace ptxemu::timing {

std::pair<unsigned, std::string> architectureOf(const std::string &target) {
  const size_t begin = target.find('_') + 1;
  size_t end = begin;
  while (end < target.size() && std::isdigit(static_cast<unsigned char>(target[end])))
    ++end;
  return {end > begin ? static_cast<unsigned>(std::stoul(target.substr(begin, end - begin))) : 0, target.substr(end)};
}

//===----------------------------------------------------------------------===//
// Derived figures
//===----------------------------------------------------------------------===//

/// Of a wgmma's A, whose rows have 256 bits, and of a column of its B.
static constexpr double kRows = 64, kRowBytes = 32;

double MachineModel::wgmmaCycles(const MatrixShape &shape) const {
  // The depth is 256 bits whatever the type (512 of a sparse A, half of them stored), so the time goes with the
  // columns.
  return tensor.base + tensor.perColumn * shape.n;
}

double MachineModel::wgmmaBytes(const MatrixShape &shape) {
  return (shape.aInRegisters ? 0 : kRows * kRowBytes) + shape.n * kRowBytes * (shape.isSparse ? 2 : 1);
}

double MachineModel::tensorProductCycles(double columns, double rowBytes) const {
  // Deeper products than of 256 bits take as long for a column: they exist where the tensor core is wider.
  return std::max(tcgen05.least * rowBytes / kRowBytes, tcgen05.perColumn * columns);
}

double MachineModel::warpSpeed(const MatrixShape &shape) const {
  return 16.0 / shape.bits * (shape.isScaled ? tensor.scaledSpeed : 1) *
         (shape.sumsAreFloat ? 1 : tensor.shortSumSpeed);
}

double MachineModel::gigahertz(double tensorShare) const {
  return (clock.mhz + (clock.tensorMhz - clock.mhz) * std::clamp(tensorShare, 0.0, 1.0)) / 1e3;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

namespace {

/// A figure of the file: where it goes, and what is possible.
struct Field {
  std::string table, key;
  double *value;
  double least, most;
};

std::vector<Field> fieldsOf(MachineModel &m) {
  constexpr double kCycles = 1e5, kBytes = 1e12;
  std::vector<Field> fields = {
      {"sm", "multiprocessors", &m.sm.multiprocessors, 1, 1024},
      {"sm", "schedulers", &m.sm.schedulers, 1, 16},
      {"sm", "warps", &m.sm.warps, 1, 256},
      {"sm", "ctas", &m.sm.ctas, 1, 256},
      {"sm", "registers", &m.sm.registers, 1024, 1 << 24},
      {"sm", "register_unit", &m.sm.registerUnit, 1, 4096},
      {"sm", "register_reads", &m.sm.registerReads, 1, 64},
      {"sm", "shared", &m.sm.shared, 1024, 1 << 24},
      {"sm", "shared_reserved", &m.sm.sharedReserved, 0, 65536},
      {"sm", "unified", &m.sm.unified, 1024, 1 << 24},
      {"clock", "mhz", &m.clock.mhz, 100, 10000},
      {"clock", "tensor_mhz", &m.clock.tensorMhz, 100, 10000},
      {"launch", "base_ns", &m.launch.baseNs, 0, 1e6},
      {"launch", "per_cta_ns", &m.launch.perCtaNs, 0, 1e3},
      {"launch", "most_ctas", &m.launch.mostCtas, 0, 1e6},
      {"launch", "cta_cycles", &m.launch.ctaCycles, 0, kCycles},
      {"launch", "dispatch_ns", &m.launch.dispatchNs, 0, 1e3},
      {"launch", "cancel_cycles", &m.launch.cancelCycles, 1, kCycles},
      {"instructions", "packed_f32", &m.instructions.packedF32, 1, 2},
      {"instructions", "ternary_minmax", &m.instructions.ternaryMinMax, 1, 2},
      {"shared", "bytes", &m.shared.bytes, 4, 4096},
      {"shared", "latency", &m.shared.latency, 1, kCycles},
      {"shared", "queue", &m.shared.queue, 1, kCycles},
      {"shared", "atomic_cycles", &m.shared.atomicCycles, 1, kCycles},
      {"l1", "latency", &m.l1.latency, 1, kCycles},
      {"l2", "capacity", &m.l2.capacity, 1024, kBytes},
      {"l2", "latency", &m.l2.latency, 1, kCycles},
      {"l2", "read_gb_s", &m.l2.readGBs, 1, 1e6},
      {"l2", "async_gb_s", &m.l2.asyncGBs, 1, 1e6},
      {"l2", "port_bytes", &m.l2.portBytes, 1, 4096},
      {"l2", "atomic_lanes", &m.l2.atomicLanes, 0.001, 1e4},
      {"l2", "near_capacity", &m.l2.nearCapacity, 1024, kBytes},
      {"l2", "far_latency", &m.l2.farLatency, 1, kCycles},
      {"dram", "latency_ns", &m.dram.latencyNs, 1, 1e5},
      {"dram", "read_gb_s", &m.dram.readGBs, 1, 1e6},
      {"dram", "write_gb_s", &m.dram.writeGBs, 1, 1e6},
      {"dram", "unevenness", &m.dram.unevenness, 0, 100},
      {"dram", "peak_gb_s", &m.dram.peakGBs, 1, 1e6},
      {"copy", "issue", &m.copy.issue, 1, kCycles},
      {"copy", "bytes", &m.copy.bytes, 1, 4096},
      {"copy", "total_gb_s", &m.copy.totalGBs, 1, 1e6},
      {"copy", "latency", &m.copy.latency, 1, kCycles},
      {"copy", "dram_latency", &m.copy.dramLatency, 1, kCycles},
      {"copy", "first_latency", &m.copy.firstLatency, 1, kCycles},
      {"copy", "page_bytes", &m.copy.pageBytes, 128, kBytes},
      {"copy", "multicast", &m.copy.multicast, 0, kCycles},
      {"copy", "store_latency", &m.copy.storeLatency, 1, kCycles},
      {"copy", "read_latency", &m.copy.readLatency, 1, kCycles},
      {"tensor", "operations", &m.tensor.operations, 1, 1e6},
      {"tensor", "base", &m.tensor.base, 0, kCycles},
      {"tensor", "per_column", &m.tensor.perColumn, 0.001, 100},
      {"tensor", "completion", &m.tensor.completion, 0, kCycles},
      {"tensor", "completion_registers", &m.tensor.completionRegisters, 0, kCycles},
      {"tensor", "issue", &m.tensor.issue, 1, kCycles},
      {"tensor", "issue_registers", &m.tensor.issueRegisters, 1, kCycles},
      {"tensor", "issue_beside", &m.tensor.issueBeside, 0, kCycles},
      {"tensor", "warp_operations", &m.tensor.warpOperations, 1, 1e6},
      {"tensor", "warp_latency", &m.tensor.warpLatency, 1, kCycles},
      {"tensor", "scaled_speed", &m.tensor.scaledSpeed, 0.125, 16},
      {"tensor", "short_sum_speed", &m.tensor.shortSumSpeed, 0.125, 16},
      {"tcgen05", "least", &m.tcgen05.least, 0, kCycles},
      {"tcgen05", "per_column", &m.tcgen05.perColumn, 0.001, 100},
      {"tcgen05", "pair", &m.tcgen05.pair, 0, kCycles},
      {"tcgen05", "issue", &m.tcgen05.issue, 1, kCycles},
      {"tcgen05", "completion", &m.tcgen05.completion, 0, kCycles},
      {"tensor_memory", "columns", &m.tensorMemory.columns, 32, 65536},
      {"tensor_memory", "load_bytes", &m.tensorMemory.loadBytes, 1, 4096},
      {"tensor_memory", "store_bytes", &m.tensorMemory.storeBytes, 1, 4096},
      {"tensor_memory", "load_latency", &m.tensorMemory.loadLatency, 1, kCycles},
      {"tensor_memory", "store_latency", &m.tensorMemory.storeLatency, 1, kCycles},
      {"sync", "arrive", &m.sync.arrive, 0, kCycles},
      {"sync", "wait", &m.sync.wait, 0, kCycles},
      {"sync", "wake", &m.sync.wake, 0, kCycles},
      {"sync", "barrier", &m.sync.barrier, 0, kCycles},
      {"sync", "cluster_ns", &m.sync.clusterNs, 0, 1e6},
      {"sync", "cluster_per_cta_ns", &m.sync.clusterPerCtaNs, 0, 1e6},
      {"sync", "remote", &m.sync.remote, 0, kCycles},
  };
  for (unsigned c = 0; c < kIssueClasses; ++c) {
    const std::string table(issueClassName(static_cast<IssueClass>(c)));
    fields.push_back({table, "lanes", &m.classes[c].lanes, 0.125, 1024});
    fields.push_back({table, "latency", &m.classes[c].latency, 1, kCycles});
  }
  return fields;
}

unsigned editDistance(const std::string &a, const std::string &b) {
  std::vector<unsigned> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (size_t i = 1; i <= a.size(); ++i) {
    unsigned diagonal = std::exchange(row[0], static_cast<unsigned>(i));
    for (size_t j = 1; j <= b.size(); ++j) {
      const unsigned above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row.back();
}

/// The candidate that is likely meant; empty when none is near.
std::string nearest(const std::string &name, const std::vector<std::string> &candidates) {
  std::string best;
  unsigned least = static_cast<unsigned>(name.size() / 2 + 1);
  for (const std::string &c : candidates)
    if (unsigned d = editDistance(name, c); d < least || c.compare(0, name.size(), name) == 0) {
      best = c;
      least = std::min(least, d);
    }
  return best;
}

std::string suggestion(const std::string &name, const std::vector<std::string> &candidates) {
  const std::string best = nearest(name, candidates);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

std::string shown(double v) {
  std::ostringstream out;
  out << v;
  return out.str();
}

/// Fills a model from one document.
class MachineReader {
public:
  MachineReader(MachineModel &model, std::string file) : model(model), file(std::move(file)), fields(fieldsOf(model)) {}

  void read(const toml::table &document) {
    for (auto &&[key, node] : document)
      if (key.str() == "name" || key.str() == "targets" || key.str() == "tentative")
        readGeneral(std::string(key.str()), node);
      else
        readTable(std::string(key.str()), node, key.source().begin);
    for (const Field &f : fields)
      if (const toml::table *table = document[f.table].as_table();
          !(table && table->contains(f.key)) && !isOptional(f) && runsAny(firstToNeed(f), lastToNeed(f)))
        throw MachineError(file + ": the figure " + f.table + "." + f.key + " is missing");
    if ((model.l2.nearCapacity > 0) != (model.l2.farLatency > 0))
      throw MachineError(file + ": l2.near_capacity and l2.far_latency are given together, or neither");
    if (model.sm.sharedSizes.empty())
      throw MachineError(file + ": the figure sm.shared_sizes is missing");
    if (model.name.empty() || model.targets.empty())
      throw MachineError(file + ": a machine needs `name` and `targets`");
  }

private:
  /// The architectures that have what the figure is of: copy engines and clusters since sm_90, wgmma there alone,
  /// packed f32 since sm_100, tcgen05 and tensor memory on sm_100 to sm_119.
  static unsigned firstToNeed(const Field &f) {
    if (f.table == "tcgen05" || f.table == "tensor_memory" || f.table == "instructions" || f.key == "cancel_cycles")
      return 100;
    if (f.key == "scaled_speed")
      return 120;
    return f.table == "copy" || isWgmma(f) ||
                   (f.table == "sync" && (f.key.rfind("cluster_", 0) == 0 || f.key == "remote"))
               ? 90
               : 0;
  }
  static unsigned lastToNeed(const Field &f) {
    return f.table == "tcgen05" || f.table == "tensor_memory" ? 119 : isWgmma(f) ? 99 : ~0u;
  }
  /// Not every L2 is known to have two halves, nor cp.async a rate of its own.
  static bool isOptional(const Field &f) {
    return f.key == "near_capacity" || f.key == "far_latency" || f.key == "async_gb_s";
  }
  static bool isWgmma(const Field &f) {
    return f.table == "tensor" && f.key != "operations" && f.key != "scaled_speed" && f.key != "short_sum_speed" &&
           f.key.rfind("warp_", 0) != 0;
  }
  bool runsAny(unsigned first, unsigned last) const {
    return std::any_of(model.targets.begin(), model.targets.end(), [&](const std::string &target) {
      const unsigned architecture = architectureOf(target).first;
      return architecture >= first && architecture <= last;
    });
  }

  [[noreturn]] void fail(const toml::source_position &at, const std::string &message) const {
    throw MachineError(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " + message);
  }

  void readGeneral(const std::string &key, const toml::node &node) {
    const auto at = node.source().begin;
    if (key == "name") {
      model.name = node.value<std::string>().value_or("");
      if (model.name.empty())
        fail(at, "`name` is a text");
    } else if (key == "tentative") {
      if (!node.is_boolean())
        fail(at, "`tentative` is true or false");
      model.isTentative = *node.value<bool>();
    } else {
      if (!node.is_array() || !node.as_array()->is_homogeneous<std::string>())
        fail(at, "`targets` is a list of PTX targets, as [\"sm_90\", \"sm_90a\"]");
      for (const toml::node &target : *node.as_array())
        model.targets.push_back(*target.value<std::string>());
    }
  }

  void readTable(const std::string &name, const toml::node &node, const toml::source_position &at) {
    std::vector<std::string> tables;
    for (const Field &f : fields)
      tables.push_back(f.table);
    if (std::find(tables.begin(), tables.end(), name) == tables.end())
      fail(at, "there is no group of figures '" + name + "'" + suggestion(name, tables));
    if (!node.is_table())
      fail(at, "'" + name + "' is a table of figures");
    for (auto &&[key, value] : *node.as_table())
      readFigure(name, std::string(key.str()), value, key.source().begin);
  }

  void readSharedSizes(const toml::node &node) {
    const toml::array *sizes = node.as_array();
    for (size_t i = 0; sizes && i < sizes->size(); ++i) {
      const auto size = (*sizes)[i].value<double>();
      if (!size || *size < 0 || (i && *size <= model.sm.sharedSizes.back()))
        fail((*sizes)[i].source().begin, kSharedSizesRule);
      model.sm.sharedSizes.push_back(*size);
    }
    if (!sizes || sizes->empty())
      fail(node.source().begin, kSharedSizesRule);
  }

  void readFigure(const std::string &table, const std::string &key, const toml::node &node,
                  const toml::source_position &at) {
    if (table == "sm" && key == "shared_sizes")
      return readSharedSizes(node);
    std::vector<std::string> keys;
    for (const Field &f : fields) {
      if (f.table != table)
        continue;
      keys.push_back(f.key);
      if (f.key != key)
        continue;
      const auto value = node.value<double>();
      if (!node.is_number() || !value)
        fail(node.source().begin, table + "." + key + " is a number");
      if (!(*value >= f.least && *value <= f.most))
        fail(node.source().begin, table + "." + key + " = " + shown(*value) + " is impossible: it lies between " +
                                      shown(f.least) + " and " + shown(f.most));
      *f.value = *value;
      return;
    }
    fail(at, "there is no figure '" + key + "' in '" + table + "'" + suggestion(key, keys));
  }

  static constexpr const char *kSharedSizesRule =
      "sm.shared_sizes is a list of KiB, each more than the one before, as [0, 8, 16, 32, 64, 100]";

  MachineModel &model;
  std::string file;
  std::vector<Field> fields;
};

} // namespace

MachineModel MachineModel::parse(const std::string &text, const std::string &file) {
  MachineModel model;
  try {
    MachineReader(model, file).read(toml::parse(text, file));
  } catch (const toml::parse_error &error) {
    const auto at = error.source().begin;
    throw MachineError(file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": " +
                       std::string(error.description()));
  }
  return model;
}

std::vector<std::string> MachineModel::known() {
  std::vector<std::string> names;
  for (const MachineFile &f : machineFiles())
    names.emplace_back(f.name);
  return names;
}

MachineModel MachineModel::find(const std::string &name) {
  for (const MachineFile &f : machineFiles())
    if (name == f.name)
      return parse(std::string(f.text), "machines/" + name + ".toml");
  const bool isPath = name.find('/') != std::string::npos || name.ends_with(".toml");
  if (isPath) {
    constexpr std::streamsize kMostBytes = 1 << 20; // /dev/zero has no end
    std::ifstream in(name, std::ios::binary);
    std::string text(kMostBytes, '\0');
    in.read(text.data(), kMostBytes);
    if (in.bad() || in.gcount() == 0)
      throw MachineError(name + ": cannot be read, or is empty");
    if (in.gcount() == kMostBytes)
      throw MachineError(name + ": has more than 1 MiB, and is no description of a machine");
    text.resize(static_cast<size_t>(in.gcount()));
    return parse(text, name);
  }
  std::string list;
  for (const std::string &other : known())
    list += (list.empty() ? "" : ", ") + other;
  throw MachineError("there is no machine '" + name + "'" + suggestion(name, known()) + " Known are " + list +
                     ", and files that end in .toml");
}

} // namespace ptxemu::timing
