//===- LaunchTest.cpp - Descriptions of launches -------------------------===//
//
// Part of the tileiras project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseFile.h"
#include "Files.h"
#include "LaunchError.h"
#include "LaunchFile.h"
#include "TestSupport.h"
#include "llvm/ADT/StringExtras.h"
#include <catch2/catch.hpp>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace ptxemu;
using namespace tileiras;
using Catch::Contains;
using Catch::StartsWith;

namespace {

/// What is wrong with a description, "" if nothing is.
template <class Function>
std::string errorOf(Function function) {
  try {
    function();
  } catch (const LaunchError &error) {
    return error.what();
  }
  return "";
}

std::string launchError(const std::string &text) {
  return errorOf([&] { parseLaunch(text, "dir/l.json"); });
}

/// A launch with one more key.
std::string with(const std::string &more) {
  return R"({"grid": [1], "buffers": [{"name": "o", "bytes": 8}], )" + more + "}";
}
std::string withBuffer(const std::string &more) {
  return R"({"grid": [1], "buffers": [{"name": "o", )" + more + "}]}";
}
std::string withExpectation(const std::string &more) {
  return with(R"("expect": [{"buffer": "o", )" + more + "}]");
}

/// A folder that goes away.
class Folder {
public:
  Folder() : path(std::filesystem::temp_directory_path() / ("ptx-emulator-launch-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path);
    write("o.bin", "12345678");
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string write(const std::string &name, const std::string &text) const {
    llvm::cantFail(writeFile((path / name).string(), text));
    return path.string();
  }
  std::string caseError(const std::string &text) const {
    write("launch.txt", "buffer o 8 o.bin\n" + text);
    std::string error = errorOf([&] { readCase(path.string()); });
    return error.empty() ? error : error.substr((path / "launch.txt:").string().size());
  }

  std::filesystem::path path;
};

std::vector<uint8_t> placed(const LaunchDescription &launch, const std::string &buffer, size_t bytes) {
  Device device;
  LaunchOptions options;
  auto addresses = launch.prepare(device, options);
  std::vector<uint8_t> data(bytes);
  device.read(addresses.at(buffer), data.data(), bytes);
  return data;
}

} // namespace

TEST_CASE("launch.json: what is unknown or missing is an error with its place") {
  CHECK_THAT(launchError("[1]"), StartsWith("dir/l.json: expected an object with the keys entry, grid"));
  CHECK(launchError("{}") == "dir/l.json: 'grid' is missing");
  CHECK(launchError(with(R"("expects": [])")) == "dir/l.json: unknown key 'expects'; did you mean 'expect'?");
  CHECK_THAT(launchError(with(R"("nonsense": 1)")), Contains("unknown key 'nonsense'; there are entry, grid"));
  CHECK(launchError(withBuffer(R"("fil": "x")")).find("buffers[0]: unknown key 'fil'; did you mean 'file'?") !=
        std::string::npos);
  CHECK_THAT(launchError(with(R"("parameters": [{"buffer": "o", "ofset": 1}])")),
             StartsWith("dir/l.json: parameters[0]: unknown key 'ofset'; did you mean 'offset'?"));
  CHECK_THAT(launchError(withExpectation(R"("type": "f32", "value": [0, 0])")), Contains("did you mean 'values'?"));
  CHECK_THAT(launchError(withExpectation(R"("type": "f32", "bytes": 8)")), Contains("expect[0]: needs expected data"));
  CHECK_THAT(launchError(withBuffer(R"("type": "f32")")), Contains("needs 'file', 'values' or 'bytes'"));
  CHECK_THAT(launchError(with(R"("parameters": [{"buffer": "p"}])")), Contains("there is no buffer 'p'"));
  CHECK_THAT(launchError(with(R"("parameters": [{"tensorMap": "m"}])")), Contains("there is no tensor map 'm'"));
  CHECK_THAT(launchError(R"({"grid": [1], "buffers": [{"name": "o", "bytes": 8}, {"name": "o", "bytes": 8}]})"),
             Contains("buffers[1]: there is another 'o'"));
  CHECK(launchError(with(R"("compare": [{"buffer": "o", "type": "f8E5M2"}])")).empty());
  CHECK_THAT(launchError(std::string(100000, '[')), Contains("nested too deeply"));
  CHECK_THAT(launchError(withBuffer(R"("file": "/")")), Contains("Is a directory"));
  CHECK_THAT(launchError(withBuffer(R"("file": "none")")), Contains("cannot read dir/none: No such file"));
  CHECK_THAT(errorOf([] { readLaunchFile("/"); }), Contains("Is a directory"));
}

TEST_CASE("data come from regular files, and descriptions have an end") {
  const Folder folder;
  const std::string pipe = (folder.path / "pipe").string(), large = (folder.path / "large").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0); // nobody writes to it: whoever opens it waits for ever
  folder.write("large", "");
  std::filesystem::resize_file(large, uint64_t(1) << 43); // 8 TiB, more than machines have; none on the disk
  for (const std::string &file : {std::string("/dev/zero"), std::string("/dev/null"), pipe}) {
    const std::string quoted = "\"file\": \"" + file + "\"",
                      message = "cannot read " + file + ": it is a pipe or a device";
    INFO(file);
    CHECK_THAT(launchError(withBuffer(quoted)), StartsWith(message));
    CHECK_THAT(launchError(withBuffer(quoted + ", \"bytes\": 16")), StartsWith(message));
    CHECK_THAT(launchError(withExpectation(quoted + ", \"type\": \"u8\"")), StartsWith(message));
    CHECK_THAT(launchError(with("\"parameters\": [{\"bytes\": 16, " + quoted + "}]")), StartsWith(message));
    CHECK_THAT(errorOf([&] {
                 folder.write("launch.txt", "buffer o 8 " + file);
                 readCase(folder.path.string());
               }),
               StartsWith(message));
  }
  CHECK_THAT(launchError(withBuffer("\"file\": \"" + large + "\"")), Contains("of this machine's memory"));
  CHECK_THAT(folder.caseError("buffer p 8 large"), StartsWith("2: " + large + " has 8796093022208 bytes, more than"));
  CHECK_THAT(errorOf([] { readLaunchFile("/dev/zero"); }), Contains("/dev/zero"));
  CHECK_THAT(errorOf([&] { readLaunchFile(large); }), Contains("has more than 64 MiB"));
  CHECK_THAT(errorOf([] { readFile("/dev/zero"); }), Contains("cannot read /dev/zero: File too large"));
  // All buffers and expected data together fit the machine.
  const std::string most = std::to_string(parseLaunch(R"({"grid": [1]})", "l.json").getRoom() / 2);
  const std::string buffer = "{\"name\": \"o\", \"bytes\": " + most + "}";
  CHECK(launchError(R"({"grid": [1], "buffers": [)" + buffer + "]}").empty());
  CHECK_THAT(launchError(R"({"grid": [1], "buffers": [)" + buffer + R"(, {"name": "p", "bytes": )" + most +
                         R"(}, {"name": "q", "bytes": 4096}]})"),
             Contains("of this machine's memory"));
}

TEST_CASE("launch.json: tables have addresses and numbers") {
  const LaunchDescription launch = parseLaunch(
      with(
          R"("tables": [{"name": "t", "words": [{"buffer": "o", "offset": -4}, {"i64": -1}, {"u64": 18446744073709551615}]}],
              "parameters": [{"buffer": "t", "offset": 8}])"),
      "l.json");
  REQUIRE(launch.tables.size() == 1);
  const std::vector<LaunchDescription::Word> &words = launch.tables[0].words;
  REQUIRE(words.size() == 3);
  CHECK(words[0].buffer == "o");
  CHECK(static_cast<int64_t>(words[0].value) == -4);
  CHECK(words[1].buffer.empty());
  CHECK(words[1].value == words[2].value);
  CHECK(launch.parameters[0].name == "t");
  auto table = [](const std::string &words) { return with(R"("tables": [{"name": "t", "words": [)" + words + "]}]"); };
  CHECK_THAT(launchError(table(R"({"u32": 1})")), StartsWith("dir/l.json: tables[0].words[0]: a word of a table is "));
  CHECK_THAT(launchError(table("1")), StartsWith("dir/l.json: tables[0].words[0]: "));
  CHECK_THAT(launchError(table(R"({"buffer": "t"})")), Contains("there is no buffer 't'"));
  CHECK_THAT(launchError(with(R"("tables": [{"name": "o", "words": []}])")), Contains("there is another 'o'"));
  CHECK_THAT(launchError(with(R"("tables": [{"name": "t"}])")), Contains("'words' is missing"));
}

TEST_CASE("launch.json: numbers are in range and whole") {
  auto wrong = [](const std::string &text, const std::string &place) {
    INFO(text);
    CHECK_THAT(launchError(text), StartsWith("dir/l.json: " + place + ": expected "));
  };
  for (const char *grid : {"-1", "0", "1.5", "2147483648", "1099511627776", "true"})
    wrong(R"({"grid": [)" + std::string(grid) + "]}", "grid[0]");
  wrong(R"({"grid": [1, 65536]})", "grid[1]");
  wrong(R"({"grid": []})", "grid");
  wrong(with(R"("block": [1, 1, 65])"), "block[2]");
  wrong(with(R"("cluster": [0])"), "cluster[0]");
  wrong(with(R"("dynamicShared": -1)"), "dynamicShared");
  wrong(with(R"("dynamicShared": 232449)"), "dynamicShared");
  wrong(withBuffer(R"("bytes": -80)"), "buffers[0].bytes");
  for (const char *fill : {"300", "-1", "0.5"})
    wrong(withBuffer(R"("bytes": 1, "fill": )" + std::string(fill)), "buffers[0].fill");
  wrong(withBuffer(R"("type": "i8", "values": [1, 300])"), "buffers[0].values[1]");
  wrong(withBuffer(R"("type": "i32", "values": [1.5])"), "buffers[0].values[0]");
  for (const char *parameter :
       {R"({"i32": 2147483648})", R"({"u32": -1})", R"({"i64": 9223372036854775808})",
        R"({"i64": 99999999999999999999999})", R"({"i64": -9223372036854775809})", R"({"u64": 18446744073709551616})"})
    CHECK_THAT(launchError(with(R"("parameters": [)" + std::string(parameter) + "]")),
               Contains("expected an integer from"));
  wrong(with(R"("parameters": [{"buffer": "o", "offset": 1.5}])"), "parameters[0].offset");
  wrong(with(R"("write": [{"buffer": "o", "bytes": 9, "file": "x"}])"), "write[0].bytes");
  wrong(withExpectation(R"("type": "f32", "values": [0, 0], "rtol": -1)"), "expect[0].rtol");
  CHECK_THAT(launchError(with(R"("parameters": [{"f32": 1e50}])")), Contains("beyond the largest of type f32"));
  CHECK_THAT(launchError(with(R"("parameters": [{"f16": 65520}])")), Contains("beyond the largest of type f16"));
  CHECK_THAT(launchError(with(R"("parameters": [{"f64": 1e400}])")), Contains("expected a number of double precision"));
  CHECK_THAT(launchError(withBuffer(R"("bytes": 1000000000000000000)")), Contains("of this machine's memory"));
  CHECK_THAT(launchError(withBuffer(R"("type": "f8E4M3FN", "values": [])")),
             Contains("unknown type 'f8E4M3FN'; there are u8, i8"));
  for (const char *number : {"-", "1.2.3", "0x10", "NaN", "Infinity", "-NaN"})
    CHECK(!launchError(R"({"grid": [)" + std::string(number) + "]}").empty());
}

TEST_CASE("launch.json: numbers keep all their bits") {
  auto word = [](const std::string &parameter) {
    return parseLaunch(with(R"("parameters": [)" + parameter + "]"), "l.json").parameters[0].value;
  };
  CHECK(word(R"({"u64": 18446744073709551615})") == ~0ull);
  CHECK(word(R"({"i64": -9223372036854775808})") == 1ull << 63);
  CHECK(word(R"({"i64": 9223372036854775807})") == ~0ull >> 1);
  CHECK(word(R"({"u32": 4.0})") == 4);
  CHECK(word(R"({"f32": "nan"})") == 0x7fc00000);
  CHECK(word(R"({"f64": "-inf"})") == 0xfffull << 52);
  CHECK(word(R"({"f32": -0.0})") == 0x80000000);
  CHECK(word(R"({"f16": 65519})") == 0x7bff);
  CHECK(word(R"({"f16": 5.9604644775390625e-8})") == 1);
  CHECK(word(R"({"bf16": 1.00390625})") == 0x3f80); // half a unit: to even
}

TEST_CASE("launch.json: buffers are filled, and their size is that of the expected data") {
  auto launch = parseLaunch(withBuffer(R"("type": "u16", "values": [1, 258], "bytes": 6, "fill": 255)"), "l.json");
  CHECK(placed(launch, "o", 6) == std::vector<uint8_t>{1, 0, 2, 1, 255, 255});
  CHECK_THAT(launchError(withBuffer(R"("type": "u16", "values": [1, 258], "bytes": 3)")),
             Contains("buffers[0].bytes: the contents have 4 bytes already"));
  CHECK_THAT(launchError(withExpectation(R"("type": "f32", "values": [0])")), Contains("\"bytes\": 4 compares"));
  CHECK(launchError(withExpectation(R"("type": "f32", "values": [0], "bytes": 4)")).empty());
  CHECK_THAT(launchError(withExpectation(R"("type": "f32", "values": [0, 0, 0])")), Contains("12 bytes, buffer 'o' 8"));
  CHECK_THAT(launchError(withExpectation(R"("type": "f32", "bytes": 6, "fill": 0)")), Contains("no multiple of f32"));
  // Nothing is a buffer as well.
  CHECK(placed(parseLaunch(withBuffer(R"("bytes": 0)"), "l.json"), "o", 0).empty());
}

TEST_CASE("differences are shown with all digits") {
  auto report = [](const std::string &type, const std::string &got, const std::string &expected,
                   const std::string &more = "") {
    auto launch = parseLaunch(R"({"grid": [1], "buffers": [{"name": "o", "type": ")" + type + R"(", "values": [)" +
                                  got + R"(]}], "expect": [{"buffer": "o", "type": ")" + type + R"(", "values": [)" +
                                  expected + "]" + more + "}]}",
                              "l.json");
    Device device;
    LaunchOptions options;
    auto addresses = launch.prepare(device, options);
    std::string text;
    const bool agrees = launch.compare(device, addresses, &text);
    CHECK(agrees == text.empty());
    return text;
  };
  CHECK(report("f32", "1e-30", "2e-30") ==
        "buffer 'o': 1 of 1 elements differ; the first is [0]: got 1.0E-30, expected 2.00000001E-30\n");
  CHECK_THAT(report("f32", "1, 1.0", "1, 1.0000001"), Contains("[1]: got 1, expected 1.00000012"));
  CHECK_THAT(report("i64", "9007199254740993", "-9007199254740992"),
             Contains("got 9007199254740993, expected -9007199254740992"));
  CHECK(report("f16", "\"nan\"", "\"nan\"").empty());
  CHECK(report("f32", "1.5", "1", R"(, "rtol": 0.5)").empty());
  CHECK(!report("f32", "1.5", "\"inf\"", R"(, "rtol": 0.5)").empty());
}

TEST_CASE("results that cannot be written are an error") {
  auto launch = parseLaunch(with(R"("write": [{"buffer": "o", "bytes": 8, "file": "/dev/full"}])"), "l.json");
  Device device;
  LaunchOptions options;
  auto addresses = launch.prepare(device, options);
  CHECK_THAT(errorOf([&] { launch.writeResults(device, addresses); }), StartsWith("cannot write /dev/full: No space"));
  launch.results[0].file = "/none/o.bin";
  CHECK_THAT(errorOf([&] { launch.writeResults(device, addresses); }), StartsWith("cannot write /none/o.bin: No such"));
}

TEST_CASE("launch.json: structures by value hold numbers, addresses and tensor maps") {
  const std::string buffers =
      R"({"grid": [1], "buffers": [{"name": "o", "bytes": 4096}],
          "tensorMaps": [{"name": "m", "buffer": "o", "offset": 16, "type": "f16", "size": [64, 8], "stride": [128], "box": [64, 8]}],
          "parameters": [)";
  const LaunchDescription launch =
      parseLaunch(buffers + R"({"bytes": 160, "type": "u16", "values": [1, 2], "fill": 255, "fields": [
                     {"at": 8, "value": {"buffer": "o", "offset": 24}}, {"at": 16, "value": {"f32": 1}},
                     {"at": 32, "value": {"tensorMap": "m"}}, {"at": 20, "value": {"bytes": 2}}]}]})",
                  "dir/l.json");
  Device device;
  LaunchOptions options;
  const uint64_t o = launch.prepare(device, options).at("o");
  REQUIRE(options.arguments.size() == 1);
  const std::vector<uint8_t> &bytes = options.arguments[0];
  REQUIRE(bytes.size() == 160);
  auto word = [&](size_t at, size_t size) {
    uint64_t v = 0;
    std::memcpy(&v, &bytes[at], size);
    return v;
  };
  CHECK(word(0, 4) == 0x20001);
  CHECK(word(4, 4) == 0xffffffff);
  CHECK(word(8, 8) == o + 24);
  CHECK(word(16, 4) == 0x3f800000);
  CHECK(word(20, 4) == 0xffff0000);
  CHECK(TensorMap::decode(&bytes[32]).address == o + 16);
  auto refused = [&](const std::string &parameter, const std::string &message) {
    CHECK_THAT(launchError(buffers + parameter + "]}"), Contains(message));
  };
  refused(R"({"bytes": 0})", "a structure has from 1 to 32764 bytes, not 0");
  refused(R"({"fields": []})", "'bytes' says how many");
  refused(R"({"bytes": 8, "fields": [{"at": 4, "value": {"buffer": "o"}}]})",
          "parameters[0].fields[0].at: the field has 8 bytes, and the structure ends at 8");
  refused(R"({"bytes": 8, "fields": [{"at": 0, "value": {"buffer": "p"}}]})", "there is no buffer 'p'");
  refused(R"({"bytes": 8, "fields": [{"u32": 1}]})", "unknown key 'u32'; there are at, value");
  refused(R"({"bites": 8})", "a parameter is one of");
}

TEST_CASE("a case is compared as compare.txt says, and warns of differences from other expected files") {
  const Folder folder;
  auto expectations = [&](const std::string &lines) {
    folder.write("launch.txt", "buffer o 8 o.bin\nbuffer p 8 o.bin\n");
    folder.write("compare.txt", lines);
    return readCase(folder.path.string()).expectations;
  };
  folder.write("exp_o.bin", "12345678");
  folder.write("exp_p.bin", "abcdefgh");
  const auto both = expectations("emulator p nowhere u8 0 0\n\nexpected o exp_o.bin f32 0.5 1e-3\n");
  REQUIRE(both.size() == 2);
  CHECK(both[0].buffer == "o");
  CHECK(both[0].type->name == "f32");
  CHECK(both[0].relative == 0.5);
  CHECK(both[0].absolute == 1e-3);
  CHECK(both[1].buffer == "p");
  CHECK(both[1].type->bytes == 1);
  CHECK(both[1].isWarning);
  CHECK(!both[0].isWarning);
  auto problem = [&](const std::string &lines) { return errorOf([&] { expectations(lines); }); };
  CHECK_THAT(problem("\nexpected o exp_o.bin f8 0 0\n"), Contains("compare.txt:2: unknown type 'f8'"));
  CHECK_THAT(problem("expected o exp_o.bin f32 -1 0\n"), Contains("expected a tolerance from 0 on, not '-1'"));
  CHECK_THAT(problem("expected o exp_o.bin f32 0\n"), Contains("expected 'expected BUFFER FILE TYPE RTOL ATOL'"));
  CHECK_THAT(problem("expected q exp_o.bin f32 0 0\n"), Contains("'q' is no buffer of launch.txt"));
  folder.write("exp_p.bin", "short");
  CHECK_THAT(problem(""), Contains("exp_p.bin has 5 bytes, the buffer 8"));
}

TEST_CASE("launch.txt is read strictly") {
  const Folder folder;
  CHECK(folder
            .caseError("kernel k\ngrid 2 3 4\n\nblock 32 1 1\ntable t 2\naddr o 4\nword -1\nparam ptr t 0\nparam ptr o "
                       "-8\nparam i1 1\nparam i8 255\nparam i8 -128\nparam f32 3f800000\nparam f16 0\n"
                       "param f64 0x3ff0000000000000\nread o 8 out_o.bin\n")
            .empty());
  const std::pair<const char *, const char *> cases[] = {
      {"gridd 1 1 1", "2: unknown item 'gridd'; did you mean 'grid'?"},
      {"grid -3 1 1", "2: expected an integer from 1 to 2147483647, not '-3', in 'grid X Y Z'"},
      {"grid 1 1", "2: something is missing: expected 'grid X Y Z'"},
      {"grid 1 1 1 1", "2: '1' is too much"},
      {"kernel k\nparam f32 0.5", "3: expected the bits of an f32 as 8 hexadecimal digits (1 is 3f800000), not '0.5'"},
      {"param f32 0x1p-1", "2: expected the bits"},
      {"param f32 abc", "2: expected the bits"},
      {"param i32 20x", "2: expected an integer of 32 bits, not '20x'"},
      {"param i32 4294967296", "2: expected an integer of 32 bits"},
      {"param i1 2", "2: expected an integer from 0 to 1"},
      {"param f8 0", "2: unknown type 'f8' of a parameter; there are ptr, map, i1, u8"},
      {"param ptr p 0", "2: there is no buffer 'p'"},
      {"param map m", "2: there is no map 'm'"},
      {"buffer p -80 o.bin", "2: expected an integer from 0"},
      {"buffer p 1000000000000000000 o.bin", "2: 'p' has 1000000000000000000 bytes, of this machine's memory"},
      {"buffer p 4 o.bin", "2: "},
      {"buffer o 8 o.bin", "2: there is another 'o'"},
      {"read o 9 out.bin", "2: buffer 'o' has only 8 bytes"},
      {"table t 2\nword 1", "3: the table 't' has 1 of 2 words"},
      {"map m o f16 1 4 4 1 32 none", "2: the swizzle is 0, 32, 64 or 128, the fill 'zero' or 'nan'"}};
  for (const auto &[text, message] : cases)
    CHECK_THAT(folder.caseError(text), StartsWith(message));
}

TEST_CASE("the library refuses launches that hardware refuses") {
  auto refusal = [](const std::string &ptx, auto change) -> std::string {
    testing::Run run(ptx);
    run.argument(run.buffer(std::vector<uint32_t>(1), "out"));
    change(run.options);
    try {
      run.launch();
    } catch (const InputError &error) {
      return error.what();
    }
    return "";
  };
  const std::string plain = testing::kernel("");
  CHECK_THAT(refusal(plain, [](LaunchOptions &o) { o.grid = {1, 65536, 1}; }), Contains("not (1, 65536, 1)"));
  CHECK_THAT(refusal(plain, [](LaunchOptions &o) { o.grid = {4294967295u, 1, 1}; }), Contains("a grid has at most"));
  CHECK_THAT(refusal(plain, [](LaunchOptions &o) { o.grid = {2147483647, 1, 1}; }), Contains("runs at most 268435456"));
  CHECK_THAT(refusal(plain, [](LaunchOptions &o) { o.grid = {1, 0, 1}; }), Contains("positive multiple"));
  CHECK(refusal(plain, [](LaunchOptions &o) { o.dynamicShared = kMostShared; }).empty());
  CHECK_THAT(refusal(plain, [](LaunchOptions &o) { o.dynamicShared = kMostShared + 1; }),
             Contains("0 static and 232449"));
  const std::string shared = testing::kernel("st.shared.u32 [s], %i;", 1, ".shared .align 4 .b8 s[128];\n");
  CHECK_THAT(refusal(shared, [](LaunchOptions &o) { o.dynamicShared = kMostShared; }), Contains("128 static"));
  // As ptxas 13.0 does.
  auto refusesArray = [&](const std::string &target, unsigned bytes) {
    std::string ptx =
        testing::kernel("st.shared.u32 [s], %i;", 1, ".shared .align 4 .b8 s[" + std::to_string(bytes) + "];\n");
    const size_t begin = ptx.find(".target ") + 8;
    ptx.replace(begin, ptx.find('\n', begin) - begin, target);
    return refusal(ptx, [](LaunchOptions &) {}) != "";
  };
  for (const char *target :
       {"sm_75", "sm_80", "sm_89", "sm_90", "sm_100", "sm_100f", "sm_103f", "sm_110f", "sm_120f", "sm_121f"})
    CHECK((!refusesArray(target, 48 << 10) && refusesArray(target, (48 << 10) + 1)));
  for (const char *target : {"sm_90a", "sm_100a", "sm_103a", "sm_110a"})
    CHECK((!refusesArray(target, 227 << 10) && refusesArray(target, (227 << 10) + 1)));
  for (const char *target : {"sm_120a", "sm_121a"})
    CHECK((!refusesArray(target, 99 << 10) && refusesArray(target, (99 << 10) + 1)));
}
