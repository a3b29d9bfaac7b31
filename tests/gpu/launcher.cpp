//===- launcher.cpp - Runs a payload of cases on the GPU and compares ----===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   gpu-launcher PAYLOAD [RESULTS.json]
//
// PAYLOAD holds a folder a case: launch.txt (the emulator's README documents it), kernel.cubin, target.txt ("90a"), the
// buffers, and expected_NAME for every `read` of the launch. Each case runs in a process of its own: an error of one
// leaves the others a working context. Exit status: 0 all agree bit for bit, 1 some do not, 77 there is no GPU.
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace fs = std::filesystem;
using namespace gpu;

namespace {

std::vector<char> readFile(const fs::path &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error("cannot open " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string firstWord(const fs::path &path) {
  std::ifstream in(path);
  std::string word;
  in >> word;
  return word;
}

int elementNamed(const std::string &name) {
  constexpr const char *names[] = {"u8",  "u16", "u32",  "s32",     "u64",  "s64",     "f16",
                                   "f32", "f64", "bf16", "f32.ftz", "tf32", "tf32.ftz"}; // the driver's order
  auto it = std::find(std::begin(names), std::end(names), name);
  if (it == std::end(names))
    throw std::runtime_error("launch.txt: unknown element type '" + name + "'");
  return static_cast<int>(it - std::begin(names));
}

/// One case, read line by line and placed on the device as it goes.
class Case {
public:
  Case(const Driver &driver, fs::path folder) : cuda(driver), folder(std::move(folder)) {}

  /// "" when everything agrees, else how it differs.
  std::string run() {
    std::ifstream in(folder / "launch.txt");
    for (std::string line; std::getline(in, line);) {
      std::istringstream s(line);
      std::string kind;
      if (s >> kind)
        item(kind, s, in);
      if (s.fail())
        throw std::runtime_error("launch.txt: malformed '" + line + "'");
    }
    launch();
    return compare();
  }

private:
  struct Read {
    std::string name, file;
    size_t bytes;
  };

  DevicePointer place(const void *data, size_t bytes) {
    DevicePointer p = 0;
    cuda.check(cuda.allocate(&p, std::max<size_t>(bytes, 1)), "cuMemAlloc");
    if (bytes)
      cuda.check(cuda.toDevice(p, data, bytes), "cuMemcpyHtoD");
    return p;
  }

  void item(const std::string &kind, std::istringstream &s, std::istream &in) {
    if (kind == "kernel")
      s >> kernel;
    else if (kind == "grid")
      s >> config.grid[0] >> config.grid[1] >> config.grid[2];
    else if (kind == "block")
      s >> config.block[0] >> config.block[1] >> config.block[2];
    else if (kind == "cluster")
      s >> cluster.value.dimensions[0] >> cluster.value.dimensions[1] >> cluster.value.dimensions[2], hasCluster = true;
    else if (kind == "smem")
      s >> config.sharedBytes;
    else if (kind == "buffer")
      buffer(s);
    else if (kind == "table")
      table(s, in);
    else if (kind == "map")
      map(s);
    else if (kind == "param")
      parameter(s);
    else if (kind == "read") {
      Read r;
      s >> r.name >> r.bytes >> r.file;
      reads.push_back(r);
    } else
      throw std::runtime_error("launch.txt: unknown item '" + kind + "'");
  }

  void buffer(std::istringstream &s) {
    std::string name, file;
    size_t bytes = 0;
    s >> name >> bytes >> file;
    std::vector<char> data = readFile(folder / file);
    data.resize(bytes);
    address[name] = place(data.data(), bytes);
  }

  void table(std::istringstream &s, std::istream &in) {
    std::string name, line;
    size_t count = 0;
    s >> name >> count;
    std::vector<uint64_t> words;
    while (words.size() < count && std::getline(in, line)) {
      std::istringstream w(line);
      std::string what, value;
      long long offset = 0;
      w >> what >> value;
      if (what == "addr")
        w >> offset, words.push_back(address.at(value) + static_cast<uint64_t>(offset));
      else
        words.push_back(static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 10)));
    }
    address[name] = place(words.data(), words.size() * 8);
  }

  /// NAME BUFFER ELEMENT RANK, sizes, strides, box, element strides, swizzle, fill.
  void map(std::istringstream &s) {
    std::string name, of, element, fill;
    uint32_t rank = 0, box[5] = {}, elementStrides[5] = {};
    uint64_t sizes[5] = {}, strides[5] = {};
    int swizzle = 0;
    s >> name >> of >> element >> rank;
    if (!s || rank < 1 || rank > 5 || !cuda.encodeTiled)
      throw std::runtime_error("launch.txt: a map this driver cannot encode");
    for (uint32_t d = 0; d < rank; ++d)
      s >> sizes[d];
    for (uint32_t d = 0; d + 1 < rank; ++d)
      s >> strides[d];
    for (uint32_t d = 0; d < rank; ++d)
      s >> box[d];
    for (uint32_t d = 0; d < rank; ++d)
      s >> elementStrides[d];
    s >> swizzle >> fill;
    int mode = swizzle == 0 ? 0 : swizzle == 32 ? 1 : swizzle == 64 ? 2 : 3;
    cuda.check(cuda.encodeTiled(&maps[name], elementNamed(element), rank, reinterpret_cast<void *>(address.at(of)),
                                sizes, strides, box, elementStrides, 0, mode, 0, fill == "nan"),
               "cuTensorMapEncodeTiled");
  }

  void parameter(std::istringstream &s) {
    std::string type, value;
    s >> type >> value;
    if (type == "map") {
      parameters.push_back(&maps.at(value));
      return;
    }
    uint64_t word = 0;
    if (type == "ptr") {
      long long offset = 0;
      s >> offset;
      word = address.at(value) + static_cast<uint64_t>(offset);
    } else if (type[0] == 'f' || type[0] == 'b') {
      word = std::strtoull(value.c_str(), nullptr, 16);
    } else {
      word = static_cast<uint64_t>(std::strtoll(value.c_str(), nullptr, 10));
    }
    words.push_back(std::make_unique<uint64_t>(word));
    parameters.push_back(words.back().get());
  }

  void launch() {
    std::vector<char> image = readFile(folder / "kernel.cubin");
    void *module = nullptr, *function = nullptr;
    cuda.check(cuda.loadModule(&module, image.data()), "cuModuleLoadData");
    cuda.check(cuda.getFunction(&function, module, kernel.c_str()), "cuModuleGetFunction");
    if (config.sharedBytes > 48 * 1024)
      cuda.check(cuda.setFunctionAttribute(function, kMaximumDynamicShared, static_cast<int>(config.sharedBytes)),
                 "cuFuncSetAttribute");
    cluster.id = kClusterDimension;
    config.attributes = &cluster;
    config.attributeCount = hasCluster;
    cuda.check(cuda.launch(&config, function, parameters.data(), nullptr), "cuLaunchKernelEx");
    cuda.check(cuda.synchronize(), "cuCtxSynchronize");
  }

  std::string compare() {
    std::string report;
    for (const Read &r : reads) {
      std::vector<char> got(r.bytes), expected = readFile(folder / ("expected_" + r.name));
      if (expected.size() != got.size())
        throw std::runtime_error("expected_" + r.name + " has another size");
      cuda.check(cuda.toHost(got.data(), address.at(r.name), r.bytes), "cuMemcpyDtoH");
      size_t wrong = 0, first = 0;
      for (size_t i = 0; i < got.size(); ++i)
        if (got[i] != expected[i] && wrong++ == 0)
          first = i;
      if (!wrong)
        continue;
      report += r.name + ": " + std::to_string(wrong) + " of " + std::to_string(r.bytes) +
                " bytes differ, the first at " + std::to_string(first) + "; ";
      std::ofstream(folder / ("gpu_" + r.name), std::ios::binary)
          .write(got.data(), static_cast<std::streamsize>(got.size()));
    }
    return report;
  }

  const Driver &cuda;
  fs::path folder;
  std::string kernel;
  LaunchConfig config{{1, 1, 1}, {1, 1, 1}};
  LaunchAttribute cluster;
  bool hasCluster = false;
  std::map<std::string, DevicePointer> address;
  std::map<std::string, TensorMap> maps;
  std::vector<std::unique_ptr<uint64_t>> words;
  std::vector<void *> parameters;
  std::vector<Read> reads;
};

/// "90a" runs on exactly 9.0, "80" on 8.0 and later minors of the same major.
bool runsOn(const std::string &target, int major, int minor) {
  int number = std::atoi(target.c_str());
  bool exact = std::isalpha(static_cast<unsigned char>(target.back()));
  return number / 10 == major && (exact ? number % 10 == minor : number % 10 <= minor);
}

struct Device {
  std::string name;
  int major = 0, minor = 0, driver = 0;
};

/// In a child: the parent must not touch CUDA before it forks.
Device lookAtDevice(const Driver &cuda) {
  Device d;
  int device = 0;
  char name[256] = {};
  cuda.check(cuda.init(0), "cuInit");
  cuda.check(cuda.deviceGet(&device, 0), "cuDeviceGet");
  cuda.check(cuda.deviceName(name, sizeof name, device), "cuDeviceGetName");
  cuda.check(cuda.deviceAttribute(&d.major, kMajor, device), "cuDeviceGetAttribute");
  cuda.check(cuda.deviceAttribute(&d.minor, kMinor, device), "cuDeviceGetAttribute");
  cuda.check(cuda.version(&d.driver), "cuDriverGetVersion");
  d.name = name;
  return d;
}

/// Runs `work` in a process of its own and returns what it has to say; "crashed …" when it had no time to.
template <class F>
std::string isolated(F &&work) {
  int channel[2];
  if (pipe(channel))
    throw std::runtime_error("pipe failed");
  pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = work();
    } catch (const std::exception &e) {
      text = std::string("error: ") + e.what();
    }
    (void)!write(channel[1], text.data(), text.size());
    _exit(0);
  }
  close(channel[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = read(channel[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<size_t>(n));
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? text : "error: crashed with signal " + std::to_string(WTERMSIG(status));
}

std::string jsonText(const std::string &text) {
  std::string out = "\"";
  for (char c : text)
    out += c == '"' || c == '\\' ? std::string("\\") + c : c == '\n' ? " " : std::string(1, c);
  return out + '"';
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: gpu-launcher PAYLOAD [RESULTS.json]\n";
    return 2;
  }
  std::string device = isolated([] {
    Device d = lookAtDevice(Driver());
    std::ostringstream out;
    out << d.major << ' ' << d.minor << ' ' << d.driver << ' ' << d.name;
    return out.str();
  });
  Device d;
  std::istringstream in(device);
  in >> d.major >> d.minor >> d.driver >> std::ws;
  if (!in || !std::getline(in, d.name)) {
    std::cout << "SKIPPED: no GPU to compare with (" << device << ")\n";
    return 77;
  }
  std::cout << d.name << ", compute capability " << d.major << '.' << d.minor << ", driver " << d.driver << '\n';

  std::vector<fs::path> cases;
  for (const auto &entry : fs::recursive_directory_iterator(argv[1]))
    if (entry.path().filename() == "launch.txt")
      cases.push_back(entry.path().parent_path());
  std::sort(cases.begin(), cases.end());
  unsigned same = 0, different = 0, skipped = 0;
  std::string json;
  for (const fs::path &folder : cases) {
    std::string name = fs::relative(folder, argv[1]).string(), target = firstWord(folder / "target.txt"), verdict;
    if (target.empty() || !runsOn(target, d.major, d.minor)) {
      verdict = "skipped: for sm_" + target;
      ++skipped;
    } else {
      std::string report = isolated([&] {
        Driver cuda;
        int number = 0;
        void *context = nullptr;
        cuda.check(cuda.init(0), "cuInit");
        cuda.check(cuda.deviceGet(&number, 0), "cuDeviceGet");
        cuda.check(cuda.retainContext(&context, number), "cuDevicePrimaryCtxRetain");
        cuda.check(cuda.setContext(context), "cuCtxSetCurrent");
        return Case(cuda, folder).run();
      });
      verdict = report.empty() ? "same" : report;
      ++(report.empty() ? same : different);
    }
    std::cout << "  " << name << ": " << verdict << std::endl;
    json += (json.empty() ? "" : ",\n") + std::string("    ") + jsonText(name) + ": " + jsonText(verdict);
  }
  std::cout << same << " agree bit for bit, " << different << " do not, " << skipped << " skipped\n";
  if (argc > 2)
    std::ofstream(argv[2]) << "{\n  \"device\": " << jsonText(d.name) << ",\n  \"capability\": \"" << d.major << '.'
                           << d.minor << "\",\n  \"driver\": " << d.driver << ",\n  \"cases\": {\n"
                           << json << "\n  }\n}\n";
  return different || !same ? 1 : 0;
}
