// Tests host steps, arguments and symbols of launch files. The kernels are not executed; the test records how
// they would be launched.

#include "testbench/launch/launch_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "models/core/error.h"
#include "models/isa/address_map.h"

namespace heddle::launch {
namespace {

using isa::DataType;
using ::testing::HasSubstr;

class FakePrograms : public ProgramProvider {
 public:
  FakePrograms() { program_.kernel = "k"; }
  FakePrograms& parameter(DataType type, std::uint32_t bytes = 0, std::uint32_t align = 0) {
    if (bytes == 0) bytes = static_cast<std::uint32_t>(isa::bits_of(type)) / 8;
    if (align == 0) align = bytes;
    const std::uint32_t offset = (program_.parameter_bytes + align - 1) / align * align;
    program_.parameters.push_back(
        {"p" + std::to_string(program_.parameters.size()), offset, bytes, align, type});
    program_.parameter_bytes = offset + bytes;
    return *this;
  }
  std::shared_ptr<const isa::Program> program(const std::string& kernel) override {
    if (kernel != "k") throw Error("k.ptx", "no kernel \"" + kernel + "\"", "k");
    return std::make_shared<const isa::Program>(program_);
  }
  const std::vector<isa::ModuleVariable>& variables() const override { return variables_; }
  int address_bits() const override { return address_bits_; }
  int address_bits_ = 64;

  isa::Program program_;
  std::vector<isa::ModuleVariable> variables_;
};

class Recorder : public LaunchExecutor {
 public:
  void launch(const isa::KernelLaunch& launch, MemoryImage& memory) override {
    launches.push_back(launch);
    if (act) act(launch, memory);
  }
  std::vector<isa::KernelLaunch> launches;
  std::function<void(const isa::KernelLaunch&, MemoryImage&)> act;
};

constexpr const char* kBuffersText = R"("values": {"n": 8, "half": 0.5},
  "buffers": {"a": {"type": "u32", "count": "n", "init": {"kind": "range", "start": 1}},
              "b": {"type": "u32", "count": 5000}, "c": {"type": "f32", "count": 8, "init": {"kind": "values",
              "values": [1, 2, 3, 4, 5, 6, 7, 8]}}, "flag": {"type": "u32", "count": 2}})";

struct Fixture {
  explicit Fixture(const std::string& rest) : file(read_launch_text(make(rest), "x.json")) {}
  static std::string make(const std::string& rest) {
    return std::string("{\"ptx\": \"k.ptx\", ") + kBuffersText + ", " + rest + "}";
  }
  void run() {
    LaunchRun launch_run(file, programs, memory);
    launch_run.prepare();
    launch_run.run(recorder);
    outputs = launch_run.outputs();
    warnings = launch_run.warnings();
  }
  std::string failure() {
    try {
      run();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  template <class T>
  T parameter(std::size_t launch, std::size_t offset) const {
    T value;
    std::memcpy(&value, recorder.launches.at(launch).parameters.data() + offset, sizeof value);
    return value;
  }

  LaunchFile file;
  FakePrograms programs;
  MemoryImage memory;
  Recorder recorder;
  std::vector<BufferView> outputs;
  std::vector<std::string> warnings;
};

std::string kernel(const std::string& args, const std::string& shape = R"("grid": 1, "block": 32)") {
  return R"("steps": [{"kernel": "k", )" + shape + R"(, "args": [)" + args + "]}]";
}

TEST(LaunchRun, BuffersLieApartAndAligned) {
  Fixture f(kernel(""));
  f.run();
  ASSERT_EQ(f.outputs.size(), 4u);
  EXPECT_EQ(f.outputs[0].address, isa::kBuffers);
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(f.outputs[i].address,
              f.outputs[i - 1].address + f.outputs[i - 1].data.size() + isa::kAllocationGap);
    EXPECT_EQ(f.outputs[i].address % 256, 0u);
  }
}

// An access up to 40 MiB beyond the end of a buffer must not reach another buffer.
TEST(LaunchRun, AnOverrunMeetsNoOtherBuffer) {
  Fixture f(kernel(""));
  f.run();
  for (const auto& output : f.outputs) {
    const std::uint64_t end = output.address + output.data.size();
    for (std::uint64_t beyond = 0; beyond < std::uint64_t{40} << 20; beyond += 4096)
      ASSERT_EQ(f.memory.find(end + beyond, 4), nullptr) << beyond;
  }
}

// With 32-bit addresses, an access up to 1 MiB beyond the end of a buffer must not reach another buffer.
TEST(LaunchRun, AnOverrunByAWideRowMeetsNoOtherBufferBelow4GiB) {
  Fixture f(kernel(""));
  f.programs.address_bits_ = 32;
  f.run();
  const std::uint64_t end = f.outputs[0].address + f.outputs[0].data.size();
  for (std::uint64_t beyond = 0; beyond < 1u << 20; beyond += 4096)
    ASSERT_EQ(f.memory.find(end + beyond, 4), nullptr) << beyond;
}

TEST(LaunchRun, NarrowAddressesAreFourBytesBelow4GiB) {
  Fixture f(kernel(R"({"buffer": "b", "offset_bytes": 4})"));
  f.programs.address_bits_ = 32;
  f.programs.parameter(DataType::u32);
  f.run();
  EXPECT_EQ(f.parameter<std::uint32_t>(0, 0), f.outputs[1].address + 4);
  for (const BufferView& output : f.outputs) EXPECT_LT(output.address + output.data.size(), 1ull << 32);
}

TEST(LaunchRun, BuffersBeyondTheAddressSpaceAreRefused) {
  Fixture f(kernel(""));
  f.programs.address_bits_ = 32;
  LaunchRun run(f.file, f.programs, f.memory, 0xffff'e000);
  try {
    run.prepare();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("beyond the 32-bit address space"));
  }
}

// Buffers that reach beyond their address range must be refused. In 64-bit programs, the range of local
// memory begins where that of the buffers ends.
TEST(LaunchRun, BuffersBeyondTheirSpaceAreRefused) {
  Fixture f(kernel(""));
  LaunchRun run(f.file, f.programs, f.memory, isa::kLocalBacking - 4096);
  try {
    run.prepare();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("beyond the space of buffers"));
  }
}

TEST(LaunchRun, BuffersBeginAtTheGivenAddress) {
  Fixture f(kernel(""));
  LaunchRun run(f.file, f.programs, f.memory, 0x7'0000'0000);
  run.prepare();
  EXPECT_EQ(run.outputs()[0].address, 0x7'0000'0000u);
  MemoryImage memory;
  LaunchRun low(f.file, f.programs, memory, 0x8000'0000);
  low.prepare();
  EXPECT_EQ(low.outputs()[0].address, 0x8000'0000u);
}

TEST(LaunchRun, BuffersBeginNowhereElse) {
  const std::pair<int, std::uint64_t> refused[] = {
      {64, 0x7'0000'0010},      {64, 0x0fff'f000}, {64, isa::kModuleGlobals}, {64, isa::kBuffers - 4096},
      {64, isa::kLocalBacking}, {32, 0x1000'0000}, {32, 0x1fff'f000},         {32, 0x1'0000'0000}};
  for (const auto& [bits, base] : refused) {
    Fixture f(kernel(""));
    f.programs.address_bits_ = bits;
    LaunchRun run(f.file, f.programs, f.memory, base);
    try {
      run.prepare();
      FAIL() << "no error for " << base;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("gpu.memory.buffer_base")) << base;
    }
  }
  Fixture late(kernel(""));
  LaunchRun run(late.file, late.programs, late.memory, isa::kModuleGlobals - 4096);
  try {
    run.prepare();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("beyond the space before the module's variables"));
  }
}

// A loop without kernels, here one that only fills a buffer. LaunchRun calls the executor's function round()
// before every iteration. This function must be able to stop the loop by an exception.
TEST(LaunchRun, ALoopWithoutKernelsCanBeStopped) {
  struct Stop {};
  struct Impatient : Recorder {
    void round() override {
      if (++rounds == 5) throw Stop{};
    }
    int rounds = 0;
  };
  Fixture f(R"("steps": [{"repeat": 1000000000000, "steps": [{"fill": "a", "value": 1}]}])");
  LaunchRun run(f.file, f.programs, f.memory);
  run.prepare();
  Impatient executor;
  EXPECT_THROW(run.run(executor), Stop);
  EXPECT_EQ(executor.rounds, 5);
}

TEST(LaunchRun, ANumberBeyondF32IsRefused) {
  Fixture f(kernel(R"({"f32": 1e39})"));
  f.programs.parameter(DataType::f32);
  EXPECT_THAT(f.failure(), HasSubstr("does not fit f32"));
}

TEST(LaunchRun, ArgumentsAreLaidOutByTheKernelsParameters) {
  Fixture f(kernel(R"({"u8": 7}, {"buffer": "a", "offset_bytes": "4*2"}, {"f32": "half"}, {"s64": -2},
                      {"struct": [{"u8": 1}, {"f64": 0.5}, {"struct": [{"u16": [2, 3, 4]}]}]}, {"bytes": "00ff10"})",
                   R"("grid": ["n", 2], "block": [4, 2, 3], "shared_bytes": "16*n")"));
  f.programs.parameter(DataType::u8)
      .parameter(DataType::u64)
      .parameter(DataType::f32)
      .parameter(DataType::b64)
      .parameter(DataType::b8, 24, 8)
      .parameter(DataType::b8, 3, 1);
  f.run();
  EXPECT_EQ(f.parameter<std::uint8_t>(0, 0), 7);
  EXPECT_EQ(f.parameter<std::uint64_t>(0, 8), isa::kBuffers + 8);
  EXPECT_EQ(f.parameter<float>(0, 16), 0.5f);
  EXPECT_EQ(f.parameter<std::int64_t>(0, 24), -2);
  EXPECT_EQ(f.parameter<std::uint8_t>(0, 32), 1);
  EXPECT_EQ(f.parameter<double>(0, 40), 0.5);
  EXPECT_EQ(f.parameter<std::uint16_t>(0, 52), 4);
  EXPECT_EQ(f.parameter<std::uint8_t>(0, 57), 0xff);
  const isa::KernelLaunch& launch = f.recorder.launches[0];
  EXPECT_EQ(launch.grid, (isa::Dim3{8, 2, 1}));
  EXPECT_EQ(launch.block, (isa::Dim3{4, 2, 3}));
  EXPECT_EQ(launch.dynamic_shared_bytes, 128u);
}

// An argument of kind "shared" gets dynamic shared memory. The memory of the argument must lie after the
// kernel's own shared memory and after the bytes of "shared_bytes". Each of the three parts must begin at a
// multiple of 16 bytes.
TEST(LaunchRun, ArgumentsAskForSharedMemory) {
  Fixture f(
      kernel(R"({"shared": "4*n"}, {"shared": 0}, {"struct": [{"u32": 1}, {"shared": 5}]}, {"shared": 1})",
             R"("grid": 1, "block": 32, "shared_bytes": 20)"));
  f.programs.parameter(DataType::u64)
      .parameter(DataType::u32)
      .parameter(DataType::b8, 16, 8)
      .parameter(DataType::b64);
  f.programs.program_.shared_bytes = 4;
  f.run();
  EXPECT_EQ(f.parameter<std::uint64_t>(0, 0), isa::kSharedWindow + 16 + 32);
  EXPECT_EQ(f.parameter<std::uint32_t>(0, 8), isa::kSharedWindow + 16 + 64);
  EXPECT_EQ(f.parameter<std::uint64_t>(0, 24), isa::kSharedWindow + 16 + 64);
  EXPECT_EQ(f.parameter<std::uint64_t>(0, 32), isa::kSharedWindow + 16 + 80);
  EXPECT_EQ(f.recorder.launches[0].dynamic_shared_bytes, 81u);
}

TEST(LaunchRun, APointerToSharedMemoryTakesNoOtherAddress) {
  const auto failure = [](const std::string& argument, int bytes) {
    Fixture f(kernel(argument, R"("grid": 1, "block": 32, "shared_bytes": )" + std::to_string(bytes)));
    f.programs.parameter(DataType::u64);
    f.programs.program_.parameters[0].shared_pointer = true;
    return f.failure();
  };
  EXPECT_THAT(
      failure(R"({"u64": 0})", 128),
      HasSubstr("0x0 is no address of the 128 bytes of shared memory of kernel k, and its parameter p0 is "
                "declared .ptr .shared (allowed: {\"shared\": BYTES}"));
  EXPECT_THAT(failure(R"({"buffer": "a"})", 128), HasSubstr("declared .ptr .shared"));
  const auto number = [](std::uint64_t at) { return "{\"u64\": " + std::to_string(at) + "}"; };
  EXPECT_THAT(failure(number(isa::kSharedWindow + 128), 128), HasSubstr("declared .ptr .shared"));
  EXPECT_EQ(failure(number(isa::kSharedWindow + 127), 128), "no error");
  EXPECT_EQ(failure(number(isa::kSharedWindow), 0), "no error");
  EXPECT_EQ(failure(R"({"shared": 16})", 0), "no error");
}

TEST(LaunchRun, ArgumentsThatDoNotFitAreRefused) {
  const std::tuple<const char*, DataType, const char*> rows[] = {
      {R"({"u32": 1}, {"u32": 2})", DataType::u32,
       "2 arguments for kernel k, which has 1 parameters (allowed: .u32 p0)"},
      {R"({"u64": 1})", DataType::u32,
       "argument 1 of kernel k is one u64 (8 bytes), the parameter p0 is .u32 of 4"},
      {R"({"buffer": "a"})", DataType::u32, "is a buffer's address (8 bytes)"},
      {R"({"buffer": "a"})", DataType::f64, "is a buffer's address (8 bytes)"},
      {R"({"f32": 1})", DataType::u32, "is one f32 (4 bytes), the parameter p0 is .u32"},
      {R"({"u32": 1})", DataType::f32, "is one u32 (4 bytes), the parameter p0 is .f32"},
      {R"({"u8": 256})", DataType::u8, "the value 256 does not fit u8"},
      {R"({"buffer": "a", "offset_bytes": 33})", DataType::u64,
       "the value 33 is out of range (allowed: 0..32)"},
      {R"({"u32": "half"})", DataType::u32, "\"half\" is not an integer"},
      {R"({"shared": -1})", DataType::u64, "the value -1 is out of range"},
      {R"({"shared": 8000000}, {"shared": 8000000})", DataType::u64,
       "16000000 bytes of dynamic shared memory"},
      {R"({"shared": 4})", DataType::f32, "is an address of shared memory (4 bytes)"},
      {R"({"struct": [{"u8": 1}, {"u16": 2}]})", DataType::u16, "is a structure of 4 bytes"}};
  for (const auto& [args, type, message] : rows) {
    Fixture f(kernel(args));
    f.programs.parameter(type);
    const std::string text = f.failure();
    EXPECT_THAT(text, HasSubstr(message)) << args;
    EXPECT_THAT(text, HasSubstr("x.json:")) << args;
  }
}

TEST(LaunchRun, ShapesThatDoNotFitAreRefused) {
  const std::pair<const char*, const char*> rows[] = {
      {R"("grid": 0, "block": 32)", "steps[0].grid: in \"0\": the value 0 is out of range"},
      {R"("grid": [1, 65536], "block": 32)", "the value 65536 is out of range (allowed: 1..65535)"},
      {R"("grid": 1, "block": [1025])", "the value 1025 is out of range (allowed: 1..1024)"},
      {R"("grid": 1, "block": [64, 32])", "a block of 2048 threads for kernel k (allowed: up to 1024)"},
      {R"("grid": 1, "block": 32, "shared_bytes": -1)", "the value -1 is out of range"}};
  for (const auto& [shape, message] : rows)
    EXPECT_THAT(Fixture(kernel("", shape)).failure(), HasSubstr(message));
  Fixture most(kernel("", R"("grid": 1, "block": 128)"));
  most.programs.program_.max_threads = 64;
  EXPECT_THAT(most.failure(), HasSubstr("a block of 128 threads for kernel k (allowed: up to 64)"));
  Fixture required(kernel(""));
  required.programs.program_.required_threads[0] = 64;
  required.programs.program_.required_threads[1] = required.programs.program_.required_threads[2] = 1;
  EXPECT_THAT(required.failure(), HasSubstr("requires another block size (allowed: 64 x 1 x 1)"));
  Fixture unknown(R"("steps": [{"kernel": "q", "grid": 1, "block": 1}])");
  EXPECT_THAT(unknown.failure(), HasSubstr("x.json:4: steps[0]: k.ptx: no kernel \"q\""));
}

TEST(LaunchRun, LoopsGiveTheirIndexAndSwapExchangesNames) {
  Fixture f(R"("steps": [{"repeat": 3, "index": "i", "steps": [
      {"repeat": "i", "index": "j", "steps": [
        {"kernel": "k", "grid": 1, "block": 32, "args": [{"buffer": "a"}, {"u32": "10*i+j"}]}]},
      {"swap": ["a", "b"]}]}])");
  f.programs.parameter(DataType::u64).parameter(DataType::u32);
  f.run();
  const std::uint64_t a = isa::kBuffers, b = f.outputs[0].address;
  EXPECT_NE(a, b);
  ASSERT_EQ(f.recorder.launches.size(), 3u);
  const std::uint64_t places[] = {b, a, a};
  const std::uint32_t numbers[] = {10, 20, 21};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(f.parameter<std::uint64_t>(i, 0), places[i]);
    EXPECT_EQ(f.parameter<std::uint32_t>(i, 8), numbers[i]);
    EXPECT_EQ(f.recorder.launches[i].id.value, i);
  }
  EXPECT_EQ(f.outputs[1].address, a);
  EXPECT_EQ(f.outputs[0].data.size(), 20000u);
}

constexpr const char* kWhile = R"("steps": [{"while": "flag", "max": 4, "index": "round", "steps": [
    {"fill": "flag", "value": 0}, {"kernel": "k", "grid": 1, "block": 32, "args": [{"u32": "round"}]}]}])";

TEST(LaunchRun, WhileTestsItsFlagAfterEachRound) {
  for (const std::uint32_t rounds : {1u, 4u, 5u}) {
    Fixture f(kWhile);
    f.programs.parameter(DataType::u32);
    const std::uint64_t flag = 3;
    f.recorder.act = [&](const isa::KernelLaunch& launch, MemoryImage& memory) {
      auto& data = memory.allocations()[flag]->data;
      EXPECT_EQ(data[4], 0);
      data[4] = launch.id.value + 1 < rounds;
    };
    if (rounds <= 4) {
      EXPECT_EQ(f.failure(), "no error");
      EXPECT_EQ(f.recorder.launches.size(), rounds);
      EXPECT_EQ(f.parameter<std::uint32_t>(rounds - 1, 0), rounds - 1);
    } else {
      EXPECT_THAT(f.failure(), HasSubstr("the loop has not ended after 4 rounds: \"flag\" is still set"));
    }
  }
}

TEST(LaunchRun, FillAndCopy) {
  Fixture f(
      R"("steps": [{"fill": "b", "value": "n*2"}, {"fill": "c", "value": -0.5}, {"copy": "a", "to": "b"}])");
  f.run();
  EXPECT_EQ(element_text(ElementType::u32, f.outputs[1].data.data()), "1");
  EXPECT_EQ(element_text(ElementType::u32, f.outputs[1].data.data() + 32), "16");
  EXPECT_EQ(element_text(ElementType::f32, f.outputs[2].data.data() + 28), "-0.5");
  EXPECT_THAT(Fixture(R"("steps": [{"copy": "b", "to": "a"}])").failure(),
              HasSubstr("20000 bytes of \"b\" do not fit \"a\" (allowed: up to 32 bytes)"));
  EXPECT_THAT(Fixture(R"("steps": [{"fill": "a", "value": -1}])").failure(),
              HasSubstr("-1 does not fit u32"));
}

TEST(LaunchRun, SymbolsOverwriteModuleVariables) {
  Fixture f(R"("symbols": {
      "coefficients": {"type": "f32", "values": [0.25, 0.5], "offset_bytes": 4},
      "table": {"type": "f32", "buffer": "c", "count": 2},
      "d_image": {"pointer": "a", "pointer_offset_bytes": 4}}, )" +
            kernel(""));
  f.programs.variables_ = {{"_ZL12coefficients",
                            isa::Space::constant,
                            isa::kConstWindow,
                            16,
                            {9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0}},
                           {"table", isa::Space::global, isa::kModuleGlobals, 8, {}},
                           {"d_image", isa::Space::global, isa::kModuleGlobals + 4096, 8, {}}};
  f.run();
  const auto at = [&](std::uint64_t address) {
    std::uint32_t word = 0;
    std::memcpy(&word, f.memory.at(address, 4, "test"), 4);
    return word;
  };
  EXPECT_EQ(at(isa::kConstWindow), 0x09090909u);
  EXPECT_EQ(at(isa::kConstWindow + 4), 0x3e800000u);
  EXPECT_EQ(at(isa::kConstWindow + 8), 0x3f000000u);
  EXPECT_EQ(at(isa::kConstWindow + 12), 8u);
  EXPECT_TRUE(f.memory.find_by_name("_ZL12coefficients")->read_only);
  EXPECT_EQ(at(isa::kModuleGlobals + 4), 0x40000000u);
  EXPECT_EQ(at(isa::kModuleGlobals + 4096), static_cast<std::uint32_t>(isa::kBuffers + 4));
}

TEST(LaunchRun, SymbolsThatDoNotFitAreRefused) {
  const auto failure = [](const std::string& symbol) {
    Fixture f("\"symbols\": {" + symbol + "}, " + kernel(""));
    f.programs.variables_ = {{"_ZL1x", isa::Space::global, isa::kModuleGlobals, 8, {}},
                             {"_ZN1a1xE", isa::Space::global, isa::kModuleGlobals + 4096, 8, {}},
                             {"_ZL1y", isa::Space::global, isa::kModuleGlobals + 8192, 8, {}},
                             {"_ZL1y.1", isa::Space::global, isa::kModuleGlobals + 12288, 8, {}}};
    return f.failure();
  };
  EXPECT_THAT(failure(R"("z": {"type": "u8", "values": [1]})"),
              HasSubstr("no module-level variable \"z\" (allowed: _ZL1x"));
  EXPECT_THAT(failure(R"("x": {"type": "u32", "values": [1, 2, 3]})"), HasSubstr("12 bytes at offset 0"));
  EXPECT_THAT(failure(R"("x": {"type": "u32", "values": [1], "offset_bytes": 8})"),
              HasSubstr("4 bytes at offset 8"));
  EXPECT_THAT(failure(R"("x": {"type": "f64", "buffer": "c"})"), HasSubstr("is of type f32 (allowed: f64)"));
  EXPECT_THAT(failure(R"("x": {"type": "f32", "buffer": "c", "count": 9})"),
              HasSubstr("the value 9 is out of range"));
  EXPECT_EQ(failure(R"("a::x": {"type": "u64", "values": [1]})"), "no error");
}

TEST(LaunchRun, WarnsOncePerKernelThatReadsTheClock) {
  Fixture f(R"("steps": [{"repeat": 2, "steps": [{"kernel": "k", "grid": 1, "block": 32}]}])");
  f.programs.program_.machine_reads = isa::Program::kReadsTime;
  f.run();
  ASSERT_EQ(f.warnings.size(), 1u);
  EXPECT_THAT(f.warnings[0], HasSubstr("kernel k reads the clock"));
  Fixture marked(R"("depends_on": ["time"], "steps": [{"kernel": "k", "grid": 1, "block": 32}])");
  marked.programs.program_.machine_reads = isa::Program::kReadsTime;
  marked.run();
  EXPECT_TRUE(marked.warnings.empty());
}

}  // namespace
}  // namespace heddle::launch
